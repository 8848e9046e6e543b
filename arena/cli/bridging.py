"""`compare --bridge` and `plan --bridge`: from options to a forecast, answers and what they say."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from arena.cli import output
from arena.cli.bridge_view import Reach, describe_bridge, describe_reach, show_bridge, show_reach
from arena.cli.words import Lang, say
from arena.cli.workspace import Bench, command_line, open_bench
from arena.domain.bridge import SHARE, Bridge, BridgeTerms
from arena.domain.former import Former
from arena.domain.job import Job
from arena.errors import UsageError
from arena.store.store import Store

STAGES = ("bridge",)
_NEVER = {
    **{"agent": "--agent", "scenario": "--scenario", "domain": "--domain", "limit": "--limit"},
    **{"design": "--design", "comparisons": "--comparisons", "against": "--against"},
    **{"stop_width": "--stop-width", "looks": "--looks"},
    **{"difference": "--difference", "level": "--level", "file": "--file", "first": "A"},
    **{"columns": "--columns", "cluster": "--cluster", "key": "--key", "where": "--where"},
}
"""What would make the draw no random one, or is of something else."""


def follow_bridge(given: Mapping[str, Any], lang: Lang, *, argv: tuple[str, ...]) -> int:
    """Ask a bridge and say what it says. Returns the exit code."""
    from arena.cli.course import describe_spent
    from arena.cli.spending import Terms, exit_code_of, raise_for, show_tallies, spend

    bench = _open(given)
    terms = Terms(
        command=command_line(argv),
        dry_run=given["dry_run"],
        yes=given["yes"],
        max_cost=given["max_cost"],
        allow_unpriced=given["allow_unpriced"],
        window=given["concurrency"],
        note=given["note"],
    )
    with Store(bench.workspace.database) as store:
        bench = _bridging(bench, store, given)
        spent = spend(bench, STAGES, terms, store, lang)
        show_tallies(spent.tallies, lang)
        raise_for(spent, bench, terms)
        reaches = reaches_of(bench, store)
        bridges = [] if terms.dry_run else _measure(bench, store)
    if given["json"]:
        document = {
            **describe_spent(spent),
            "reach": [describe_reach(reach) for reach in reaches],
            "bridges": [describe_bridge(bridge) for bridge in bridges],
        }
        output.print_json({"schema": "arena.bridge/1", **document})
    elif terms.dry_run:
        show_reach(reaches, lang)
        output.tell(say(lang, "dry_run"))
    else:
        show_bridge(bridges, lang)
        output.tell(say(lang, "next_after_bridge"))
    return exit_code_of(spent.tallies)


def plan_bridge(given: Mapping[str, Any], lang: Lang, *, as_json: bool) -> None:
    """The forecast of a bridge, and how small a drift it could see. Asks no model."""
    from arena.cli.course import describe_forecast
    from arena.cli.plan_view import describe_stages, show_stages
    from arena.cli.spending import Terms, spend

    bench = _open(given)
    terms = Terms(command=command_line(("plan",)), dry_run=True, window=given["concurrency"])
    with Store(bench.workspace.database) as store:
        bench = _bridging(bench, store, given)
        forecast = spend(bench, STAGES, terms, store, lang).forecast
        reaches = reaches_of(bench, store)
    if as_json:
        output.print_json(
            {
                "schema": "arena.plan/1",
                "currency": bench.config.currency,
                "forecast": {
                    **describe_forecast(forecast),
                    "stages": describe_stages(forecast, STAGES),
                },
                "separations": None,
                "refused": None,
                "reach": [describe_reach(reach) for reach in reaches],
            }
        )
        return
    show_stages(forecast, STAGES, bench.config.currency, lang)
    show_reach(reaches, lang)
    command = command_line(("compare", *_repeated(given)))
    output.tell(say(lang, "plan_next", command=command))


def reaches_of(bench: Bench, store: Store) -> list[Reach]:
    """How far each job's bridge reaches."""
    from arena.designing.bridge import draw_bridge

    found = []
    for job in bench.jobs:
        drawn = draw_bridge(job, store)
        found.append(
            Reach(
                suite=job.suite.suite,
                mode=job.mode,
                share=job.bridge.share if job.bridge else 0.0,
                comparisons=sum(drawn.comparisons.values()),
                of=sum(drawn.of.values()),
                presentations=len(drawn.specs),
                scenarios=drawn.scenarios,
                agents=drawn.agents,
                fewest=drawn.fewest,
            )
        )
    return found


def _repeated(given: Mapping[str, Any]) -> Iterator[str]:
    """The options of a priced bridge as words, for the command that asks it."""
    options = {"project": "-C", "bridge": "--bridge", "share": "--share"}
    options |= {"suite": "--suite", "mode": "--mode", "judge": "--judge"}
    for name, option in options.items():
        value = given[name]
        for one in value if isinstance(value, list) else [value]:
            if one is not None:
                yield from (option, str(one))


def _measure(bench: Bench, store: Store) -> list[Bridge]:
    from arena.designing.bridge import judged_by
    from arena.stages.rank.bridges import measure_bridges

    found: list[Bridge] = []
    for job in bench.jobs:
        if job.bridge is not None:
            verdicts, models = judged_by(job, store)
            found += measure_bridges(verdicts, models, store, job.bridge.old)
    return found


def _open(given: Mapping[str, Any]) -> Bench:
    from arena.cli.course import asked_of

    if option := next((o for name, o in _NEVER.items() if given.get(name)), None):
        raise UsageError(
            "{option} does not go with --bridge",
            why="A bridge asks a random part of what was asked before, of everybody.",
            fix="Leave it out; --suite, --mode, --judge and --share are for it.",
            option=option,
        )
    return open_bench(replace(asked_of(given), retry_errors=bool(given.get("retry_errors"))))


def _bridging(bench: Bench, store: Store, given: Mapping[str, Any]) -> Bench:
    """The bench with the jobs that the old boards are of, and what is put again in each."""
    from arena.cli.imported_boards import with_guests
    from arena.exchange.former import read_former

    path: Path = given["bridge"]
    formers = read_former(path)
    asking = _Asking(
        share=SHARE if given["share"] is None else given["share"],
        judges=tuple(given["judge"] or ()),
        newest=store.calls.newest(),
        path=path,
    )
    bench = with_guests(bench, store)
    pairs = [(job, _former_of(job, formers)) for job in bench.jobs]
    known = [(job, former) for job, former in pairs if former is not None]
    if not known:
        then = ", ".join(f"{f.board.suite} · {f.board.mode}" for f in formers)
        raise UsageError(
            "{path}: no board of what is played here",
            why="It holds: {then}.",
            path=path,
            then=then,
        )
    jobs = [replace(job, bridge=asking.terms(job, former)) for job, former in known]
    jobs = [job for job in jobs if job.bridge and job.bridge.old]
    if not jobs:
        raise UsageError(
            "nothing to bridge: as far as is known, the models of {path} serve every judge still",
            fix="Name a judge with --judge to ask it all the same.",
            path=path,
        )
    return bench.with_jobs(jobs)


def _former_of(job: Job, formers: tuple[Former, ...]) -> Former | None:
    mine = (job.suite.suite, job.mode, None)
    boards = ((f, f.board) for f in formers)
    return next((f for f, b in boards if (b.suite, b.mode, b.imported) == mine), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Asking:
    """What was asked for on the command line, and which model served each judge last."""

    share: float
    judges: tuple[str, ...]
    newest: Mapping[str, str]
    path: Path

    def terms(self, job: Job, former: Former) -> BridgeTerms:
        """What is put again in a job. Raises UsageError where no bridge can help."""
        if former.board.suite_digest != job.suite.digest():
            raise UsageError(
                "{path}: no bridge leads from another suite: {suite}",
                why="then: {then}; now: {now}",
                path=self.path,
                suite=job.suite.suite,
                then=_version(former.board.suite_version, former.board.suite_digest),
                now=_version(job.suite.version, job.suite.digest()),
            )
        old: dict[str, frozenset[str]] = {}
        for judge in job.judges:
            known = former.basis.judge(judge.judge)
            wanted = not self.judges or judge.judge in self.judges
            if known is None or not known.compared_by or not wanted:
                continue
            if known.digest not in ("", judge.digest()):
                raise UsageError(
                    "{path}: {judge} is configured otherwise by now, which is another judge",
                    why="A bridge is for one that stayed the same while its model changed.",
                    fix="Compare anew with the judge as it is: arena compare",
                    path=self.path,
                    judge=judge.judge,
                )
            changed = self.newest.get(judge.judge) not in (None, *known.compared_by)
            if changed or self.judges:
                old[judge.judge] = frozenset(known.compared_by)
        return BridgeTerms(share=self.share, old=old)


def _version(version: str | None, digest: str | None) -> str:
    return f"{version or '—'} ({(digest or '—')[:12]})"
