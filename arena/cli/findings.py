"""What must not be published: what it is looked for by, and how what was found is told."""

import os
import re
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from arena.cli import output
from arena.cli.words import Lang, say
from arena.cli.workspace import Bench
from arena.errors import MustNotPublish, StoreBroken
from arena.suites.environment import read_dotenv, read_environment

if TYPE_CHECKING:
    from arena.site.safety.finding import Finding

SALT = "publish.salt"
"""The file of results/ that keys hashes; whoever holds it holds the texts beside it, too."""
LEAST = 32
MOST_TOLD = 20
_SECRET = re.compile(r"(KEY|TOKEN|SECRET|PASSWORD)$")


def secrets_of(bench: Bench) -> dict[str, str]:
    """Values of the variables that the configuration names, and of those of .env that are keys."""
    config, root = bench.config, bench.workspace.root
    entrants = (*config.agents, *config.judges, *config.users.values())
    names = {e.api_key_env for e in entrants}
    for agent in config.agents:
        names |= agent.product.variables if agent.product else frozenset()
    names |= {name for name in read_dotenv(root) if _SECRET.search(name)}
    values = read_environment(root, os.environ)
    return {name: values[name] for name in sorted(n for n in names if n) if name in values}


def salt_of(bench: Bench) -> bytes:
    """The secret of a workspace, drawn when it is first asked for; raises StoreBroken."""
    path = bench.workspace.database.parent / SALT
    try:
        if not path.is_file() or path.stat().st_size < LEAST:
            _draw(path)
        return path.read_bytes()
    except OSError as error:
        raise StoreBroken(
            "{path} cannot be written: {reason}", path=path, reason=error.strerror or str(error)
        ) from None


def _draw(path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.unlink(missing_ok=True)
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        file.write(secrets.token_hex(LEAST).encode())


@contextmanager
def findings_told(lang: Lang) -> Iterator[None]:
    """Within the block, what must not be published is listed before the error goes on."""
    try:
        yield
    except MustNotPublish as stopped:
        for finding in stopped.findings[:MOST_TOLD]:
            output.tell(output.in_one_line(say_finding(finding, lang)), style="yellow")
        if (more := len(stopped.findings) - MOST_TOLD) > 0:
            output.tell(say(lang, "finding_more", n=more))
        raise


def say_finding(finding: "Finding", lang: Lang) -> str:
    """Where a value stands and what it is, in a line; never the value itself."""
    first = finding.spots[0]
    place = first.scenario
    if first.round:
        place = say(lang, "finding_round", scenario=first.scenario, n=first.round)
    where = (
        f"{first.path}#{first.at}" if first.path.endswith(".html") else f"{first.path}:{first.at}"
    )
    return say(
        lang,
        "finding",
        place=f"{place} ({where})" if place else where,
        more=say(lang, "finding_also", n=n) if (n := len(finding.spots) - 1) else "",
        kind=say(lang, f"finding_kind_{finding.kind}"),
        shown=finding.shown,
        hash=finding.hash,
    )
