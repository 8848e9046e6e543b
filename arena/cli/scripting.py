"""What `arena export script` does: the dialogues that a person is to hold, as a sheet or a page."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from arena.cli import output
from arena.cli.words import Lang, say
from arena.cli.workspace import Bench, command_line
from arena.domain.agent import Agent
from arena.domain.by_hand import Errand
from arena.errors import UsageError

SCHEMA = "arena.export/1"
SHEET, PAGE = (".xlsx",), (".html", ".htm")


def export_script(path: Path, given: Mapping[str, Any], lang: Lang, *, as_json: bool) -> None:
    """Write what is still open of one agent.

    Raises UsageError for another ending, an agent that is not talked to by hand, a file that is
    there, and where nothing is open.
    """
    from arena.cli.course import asked_of
    from arena.cli.workspace import open_bench
    from arena.exchange.script_page import write_page
    from arena.exchange.script_sheet import write_sheet
    from arena.suites.roster import check_regions

    suffix = path.suffix.casefold()
    if suffix not in (*SHEET, *PAGE):
        raise UsageError(
            "{path}: a script is written as .xlsx or .html",
            fix="Like arena export script script.xlsx; the page is for paper, answers come back "
            "in the .xlsx.",
            path=path,
        )
    bench = open_bench(asked_of(given))
    agent = _agent(bench, tuple(given["agent"] or ()))
    check_regions(bench.config, bench.workspace.config, among=[agent.agent])
    errands, done = _open(bench, agent, given["replicate"])
    write = write_sheet if suffix in SHEET else write_page
    first = next(job.suite.language for job in bench.jobs)
    write(errands, path, agent=agent.agent, version=agent.version, first=first)
    _tell(path, agent, errands, done, lang, as_json=as_json)


def _agent(bench: Bench, asked: tuple[str, ...]) -> Agent:
    """The one agent that is asked for, or the only one that there is."""
    by_hand = {a.agent: a for a in bench.config.agents if a.by_hand}
    if not by_hand:
        raise UsageError(
            "no agent is talked to by hand here",
            fix="Write `by_hand: true` and its `version` into data/arena.yaml.",
        )
    names = asked or tuple(by_hand)
    if len(names) > 1:
        raise UsageError(
            "a script is for one agent: name it",
            fix="--agent with one of these: {names}",
            names=", ".join(by_hand),
        )
    if names[0] not in by_hand:
        raise UsageError(
            "{agent} is not talked to by hand",
            fix="Its transcripts come from arena collect. By hand: {names}",
            agent=names[0],
            names=", ".join(by_hand),
        )
    return by_hand[names[0]]


def _open(bench: Bench, agent: Agent, replicate: int | None) -> tuple[tuple[Errand, ...], int]:
    """What is not there yet, in all jobs, and how much is."""
    from arena.stages.bring.bring import errands_of, still_open
    from arena.store.store import Store

    wanted = [e for job in bench.jobs for e in errands_of(job, agent.agent, replicate)]
    with Store(bench.workspace.database) as store:
        errands = still_open(wanted, store)
    if not wanted:
        raise UsageError(
            "nothing to export: no dialogue of {agent} is planned in this selection",
            fix="Look at --suite, --mode, --scenario, --domain, --replicate and `replicates`.",
            agent=agent.agent,
        )
    if not errands:
        raise UsageError(
            "nothing to export: every dialogue of {agent} in this selection is there",
            fix="Raise `replicates` in data/arena.yaml to have more of them.",
            agent=agent.agent,
        )
    return errands, len(wanted) - len(errands)


def _tell(
    path: Path, agent: Agent, errands: tuple[Errand, ...], done: int, lang: Lang, *, as_json: bool
) -> None:
    turns = sum(len(errand.turns) for errand in errands)
    if as_json:
        output.print_json(
            {
                "schema": SCHEMA,
                "file": str(path),
                "agent": agent.agent,
                "dialogues": len(errands),
                "turns": turns,
                "present": done,
            }
        )
        return
    facts = {"n": f"{len(errands):,}", "turns": f"{turns:,}", "done": f"{done:,}"}
    output.tell(say(lang, "script_made", path=path, agent=agent.agent, **facts))
    if path.suffix.casefold() in PAGE:
        output.tell(say(lang, "script_on_paper"), style="yellow")
        return
    command = command_line(("import", "script", str(path)))
    output.tell(say(lang, "next_after_script", command=command), style="bold")
