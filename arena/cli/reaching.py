"""Where calls run: in this process, or in processes that Ray starts here or elsewhere."""

import re
from collections.abc import Callable, Iterable
from decimal import Decimal

from arena.cli import output
from arena.cli.signals import terminable
from arena.cli.words import Lang, say
from arena.cli.workspace import SOFTWARE, Bench
from arena.errors import ClusterLost, ConfigError, UsageError
from arena.llm.executor import Executor, Item

LOCAL = "local"
RAY = "ray"
ADDRESS = re.compile(r"ray://[^\s/@:?#]+:\d{1,5}")

Hire = Callable[[], Executor]
"""Makes the executor, inside the event loop."""


def check_place(where: str) -> None:
    """Raise UsageError for a place that there is none of, and where Ray is not installed."""
    if where == LOCAL:
        return
    if where != RAY and not ADDRESS.fullmatch(where):
        raise UsageError(
            "--executor: no such place to run calls: {where}",
            fix="local (this process), ray (processes here) or ray://HOST:PORT (a cluster).",
            where=where,
        )
    from arena.llm.cluster import check_ray

    check_ray()


def reach(
    where: str,
    bench: Bench,
    needed: Iterable[str],
    *,
    window: int,
    cap: Decimal | None,
    lang: Lang,
) -> Hire | None:
    """Reach the place; what then makes its executor, or None for this process.

    Raises ClusterLost when the cluster does not answer. Everything is asked of it only later.
    """
    if where == LOCAL:
        return None
    from arena.cli.away import open_tools, pack
    from arena.cli.wiring import endpoints_of
    from arena.llm.cluster import Errand, RayExecutor, connect
    from arena.llm.worker import name_of

    errand = Errand(
        opens=name_of(open_tools),
        parcel=pack(bench, needed),
        endpoints=endpoints_of(bench),
        cap=None if cap is None else str(cap),
        window=window,
        check=_check_found,
    )
    output.tell(say(lang, "reaching_ray", where="Ray" if where == RAY else where))
    with terminable():  # Ray takes signals for itself while it starts
        connect(None if where == RAY else where)
    return lambda: RayExecutor(errand)


def _check_found(found: Item) -> None:
    """Raise ClusterLost or ConfigError for a machine on which calls could not be made."""
    if found["version"] != SOFTWARE:
        raise ClusterLost(
            "{host} has {theirs}, and this machine {ours}",
            fix="Install the same version on every machine.",
            host=found["host"],
            theirs=found["version"],
            ours=SOFTWARE,
        )
    if "variable" in found:
        raise ConfigError(
            "{host}: the variable {variable} is not set there",
            why="Keys are never sent: each machine of a cluster has them in its environment.",
            fix="There: `export {variable}=…`, then `ray stop` and the same `ray start` again.",
            host=found["host"],
            variable=found["variable"],
        )
    if "folder" in found:
        raise ConfigError(
            "{host}: there is no folder {folder}, in which a product's program runs",
            fix="Put the workspace there on each machine, or run without --executor.",
            host=found["host"],
            folder=found["folder"],
        )
