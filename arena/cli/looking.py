"""What `arena status` shows: from the store, or beside a run from the file that it renews."""

from collections import Counter
from dataclasses import asdict
from typing import Any

from arena.cli import output
from arena.cli.boards import say_imported
from arena.cli.by_hand import tell_by_hand
from arena.cli.fees import with_fees
from arena.cli.money import sum_up
from arena.cli.reckoning import show_rates, show_spent_apart
from arena.cli.state import read_state
from arena.cli.words import Lang, say
from arena.cli.workspace import Bench
from arena.domain.call import Status
from arena.errors import StoreHeld
from arena.stages.status import JobStatus, status
from arena.store.store import Store
from arena.store.summaries import SpendLine

SCHEMA = "arena.status/1"


def look(bench: Bench, store: Store, lang: Lang, *, as_json: bool) -> None:
    """Status from the store."""
    found = [status(job, store=store) for job in bench.jobs]
    spent = with_fees(bench.config, store.summaries.spend())
    if as_json:
        output.print_json(_document(bench, found, spent))
        return
    by_hand = sum((job.by_hand for job in found), Counter[str]())
    rows = [
        [
            f"{job.suite} · {job.mode}" + (" *" if job.imported else ""),
            say(lang, f"stage_{c.stage}"),
            str(c.planned),
            str(c.present),
            str(c.untried),
            *([str(c.by_hand)] if by_hand else []),
            _trouble(c.trouble, lang),
        ]
        for job in found
        for c in job.coverage
    ]
    columns = ["job", "stage", "planned", "present", "untried", *["by_hand"][: bool(by_hand)]]
    heads = [say(lang, f"column_{c}") for c in (*columns, "trouble")]
    output.print_table("", heads, rows, right=frozenset(range(2, len(columns))))
    for job in found:
        if job.imported:
            told = say_imported(job.imported, lang)
            output.tell(say(lang, "status_imported", job=f"{job.suite} · {job.mode}", told=told))
    tell_by_hand(by_hand, lang)
    _show_spend(bench, spent, lang)
    # What failed in transport is asked again by a plain run.
    own = [job for job in found if job.imported is None]
    retry = any(set(c.trouble) - {Status.ERROR} for job in own for c in job.coverage)
    for stage in dict.fromkeys(job.next_stage for job in found):
        key = "next_retry" if stage == "run" and retry else f"next_{stage}"
        output.tell(say(lang, key))


def look_on(bench: Bench, held: StoreHeld, lang: Lang, *, as_json: bool) -> None:
    """Status beside a run; raises StoreHeld when whoever holds the store renews no file."""
    state = read_state(bench.workspace.state)
    if state is None or (held.pid is not None and state["pid"] != held.pid):
        raise held
    if as_json:
        output.print_json({"schema": SCHEMA, "live": True, **_without_schema(state)})
        return
    output.tell(say(lang, "live", pid=state["pid"], at=state["at"], command=state["command"]))
    rows = [
        [
            stage["job"],
            say(lang, f"stage_{stage['stage']}"),
            str(stage["planned"]),
            str(stage["present"] + stage["made"]),
            str(stage["calls"]),
            ", ".join(
                say(lang, "count_of", n=n, what=say(lang, f"status_{how}"))
                for how, n in stage["errors"].items()
            )
            or "—",
        ]
        for stage in state["stages"]
    ]
    heads = [
        say(lang, f"column_{c}") for c in ("job", "stage", "planned", "present", "calls", "trouble")
    ]
    output.print_table("", heads, rows, right=frozenset({2, 3, 4}))


def _show_spend(bench: Bench, spent: list[SpendLine], lang: Lang) -> None:
    if not spent:
        return
    total = sum_up(spent, bench.config.money)
    calls = sum(line.calls for line in spent)
    amount = f"{total.amount:.4f} {bench.config.currency}"
    if total.unknown == calls:
        amount = say(lang, "unknown_cost")
    output.tell(say(lang, "spent", calls=f"{calls:,}", amount=amount))
    show_spent_apart(spent, bench.config.money, lang)
    show_rates(bench.config.money, lang)
    if total.unknown:
        output.tell(say(lang, "spent_unknown", calls=f"{total.unknown:,}"), style="yellow")


def _document(bench: Bench, found: list[JobStatus], spent: list[SpendLine]) -> dict[str, Any]:
    return {
        "schema": SCHEMA,
        "live": False,
        "jobs": [
            {
                "suite": job.suite,
                "mode": job.mode,
                "ranked": job.ranked,
                "imported": asdict(job.imported) if job.imported else None,
                "next": f"arena {job.next_stage}",
                "by_hand": dict(sorted(job.by_hand.items())),
                "stages": [
                    {
                        "stage": c.stage,
                        "planned": c.planned,
                        "present": c.present,
                        "untried": c.untried,
                        "by_hand": c.by_hand,
                        "trouble": {s.value: n for s, n in sorted(c.trouble.items())},
                    }
                    for c in job.coverage
                ],
            }
            for job in found
        ],
        "spend": [
            {
                "who": f"{line.speaker}:{line.entrant}",
                "calls": line.calls,
                "tokens_in": line.tokens_in,
                "tokens_out": line.tokens_out,
                "cost": None if line.cost is None else str(line.cost),
                "currency": line.currency,
                "unpriced": line.unpriced,
                "held": None if line.held is None else str(line.held),
            }
            for line in spent
        ],
        "currency": bench.config.currency,
        "rates_as_of": bench.config.money.as_of,
    }


def _trouble(trouble: Any, lang: Lang) -> str:
    return (
        ", ".join(
            say(lang, "count_of", n=n, what=say(lang, f"status_{s.value}"))
            for s, n in sorted(trouble.items())
        )
        or "—"
    )


def _without_schema(state: dict[str, Any]) -> dict[str, Any]:
    return {k: v for k, v in state.items() if k != "schema"}
