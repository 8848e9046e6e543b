"""What `arena import script` does: answers that a person wrote down become transcripts."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from arena.cli import output
from arena.cli.words import Lang, say, translate
from arena.cli.workspace import SOFTWARE, Bench, Narrowed, now, open_bench
from arena.domain.by_hand import Unfinished
from arena.errors import ConfigError, UsageError
from arena.exchange.script_read import read
from arena.stages.bring.bring import Brought, bring_in, look_through

if TYPE_CHECKING:
    from arena.store.store import Store

SCHEMA = "arena.import/1"
SHOWN = 30
"""Cells without an answer that are told one by one; --json tells all of them."""
UNFINISHED, REFUSED = 3, 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Return:
    """A script that comes back, and what is to be done with it.

    `skip`: take what is sound although something else is not.
    """

    path: Path | None
    project: Path | None
    dry: bool
    skip: bool
    replicate: int | None
    command: str


def import_script(back: Return, lang: Lang, *, as_json: bool) -> int:
    """Take in the whole dialogues; returns the exit code.

    0: all of it is there; 3: some dialogues are unfinished, or were left out with --skip-bad; 2:
    something is wrong, and nothing was taken. Raises UsageError and ConfigError where the file or
    the workspace cannot be read.
    """
    from arena.store.store import Store

    if back.path is None:
        raise UsageError(
            "name the script to import",
            fix="Like arena import script script.xlsx; arena export script writes it.",
        )
    filled = read(back.path)
    bench = open_bench(Narrowed(project=back.project))
    _check_replicate(bench, back.replicate)
    with Store(bench.workspace.database) as store:
        brought = look_through(filled, bench.jobs, store=store, replicate=back.replicate)
        refused = bool(brought.faults) and not back.skip
        taken = brought.whole and not refused and not back.dry
        if taken:
            _take(brought, bench, store, back.command)
    if as_json:
        output.print_json(_document(back, brought, lang, taken=bool(taken)))
    else:
        _show(back, brought, lang, refused=refused)
    if refused:
        return REFUSED
    return UNFINISHED if brought.unfinished or brought.spoilt else 0


def _check_replicate(bench: Bench, replicate: int | None) -> None:
    """Raise UsageError for a repetition that is not planned, and so would never be judged."""
    planned = bench.config.replicates
    if replicate is not None and replicate > planned:
        raise UsageError(
            "--replicate {replicate}: data/arena.yaml plans {planned}",
            fix="Raise `replicates` there first: what is not planned is not judged.",
            replicate=replicate,
            planned=planned,
        )


def _take(brought: Brought, bench: Bench, store: "Store", command: str) -> None:
    seed = bench.config.seed
    with store.imports.whole():
        store.runs.add(
            bench.run, command=command, version=SOFTWARE, seed=seed, note="", started_at=now()
        )
        store.runs.add_entrants([a for a in bench.config.agents if a.by_hand], (), bench.run)
        bring_in(brought, store=store, run=bench.run)
    store.checkpoint()


def _show(back: Return, brought: Brought, lang: Lang, *, refused: bool) -> None:
    """Everything that is wrong or missing, each with its cell, and what was taken."""
    for fault in brought.faults:
        output.tell(say(lang, "error") + translate(lang, fault.what, fault.facts), style="red")
        for line in (fault.why, fault.fix):
            if line:
                output.tell(translate(lang, line, fault.facts))
    _show_unfinished(brought.unfinished, lang)
    key = "script_refused" if refused else "script_would" if back.dry else "script_came"
    facts = {
        "n": f"{len(brought.whole):,}",
        "present": f"{brought.present:,}",
        "unfinished": f"{len(brought.unfinished):,}",
        "spoilt": f"{brought.spoilt:,}",
    }
    output.tell(say(lang, key, file=back.path, **facts), style="bold")
    if brought.whole and not refused and not back.dry:
        output.tell(say(lang, "next_after_bringing"))


def _show_unfinished(unfinished: tuple[Unfinished, ...], lang: Lang) -> None:
    """The cells without an answer: of dialogues that were begun first; the rest in one line."""
    in_order = sorted(unfinished, key=lambda one: not one.begun)
    lines = [
        say(
            lang,
            "script_gap" if gap.cell else "script_row_gone",
            cell=gap.cell,
            scenario=one.scenario,
            replicate=one.replicate,
            round=gap.round,
        )
        for one in in_order
        for gap in one.gaps
    ]
    for line in lines[:SHOWN]:
        output.tell(line, style="yellow")
    if len(lines) > SHOWN:
        output.tell(say(lang, "script_more_gaps", n=f"{len(lines) - SHOWN:,}"), style="yellow")


def _document(back: Return, brought: Brought, lang: Lang, *, taken: bool) -> dict[str, Any]:
    return {
        "schema": SCHEMA,
        "format": "script",
        "file": str(back.path),
        "dry_run": back.dry,
        "taken": len(brought.whole) if taken else 0,
        "whole": len(brought.whole),
        "present": brought.present,
        "spoilt": brought.spoilt,
        "unfinished": [
            {
                "suite": one.suite,
                "mode": one.mode,
                "scenario": one.scenario,
                "replicate": one.replicate,
                "begun": one.begun,
                "missing": [{"cell": gap.cell or None, "round": gap.round} for gap in one.gaps],
            }
            for one in brought.unfinished
        ],
        "faults": [_fault(fault, lang) for fault in brought.faults],
    }


def _fault(fault: ConfigError, lang: Lang) -> dict[str, Any]:
    what, why, fix = (translate(lang, t, fault.facts) for t in (fault.what, fault.why, fault.fix))
    return {"cell": fault.facts.get("cell"), "message": what, "why": why, "hint": fix}
