"""Where the money went: by stage and entrant, agents and judges apart; unknown is said, never 0."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from decimal import Decimal
from typing import Any

from arena.cli import output
from arena.cli.fees import with_fees
from arena.cli.money import sum_up
from arena.cli.words import Lang, say
from arena.cli.workspace import Bench, Narrowed
from arena.designing.current import plan_in_force, planned_presentations
from arena.domain.job import Job
from arena.judging.commentary import plan_commentaries
from arena.judging.plans import sheets_of
from arena.store.store import Store
from arena.store.summaries import SpendLine

SCHEMA = "arena.spend/1"
NONE = "—"
STAGES = {
    "transcript": "collect",
    "sheet": "score",
    "verdict": "compare",
    "commentary": "comment",
    "check": "doctor",
}
Line = tuple[str, SpendLine]
"""A stage, or `fee`, and what was spent in it."""


def show_spend(bench: Bench, store: Store, asked: Narrowed, lang: Lang, *, as_json: bool) -> None:
    """Every entrant's calls and money; of what the options name, else of the whole store.

    Fees that are paid once belong to no suite: they stand where nothing is narrowed down.
    """
    narrow = bool(asked.suites or asked.mode or asked.selection.domains)
    keys = [key for job in bench.jobs for key in _keys(job, store)] if narrow else None
    found = store.summaries.spend_of(keys)
    lines: list[Line] = [(STAGES[k], line) for k in STAGES for kind, line in found if kind == k]
    if not narrow:
        spent = [line for _, line in lines]
        lines += [("fee", line) for line in with_fees(bench.config, spent)[len(spent) :]]
    if as_json:
        output.print_json(_document(bench, lines))
        return
    columns = ("stage", "speaker", "who", "calls", "tokens_in", "tokens_out", "cost", "unpriced")
    rows = [
        [
            say(lang, f"stage_{stage}"),
            say(lang, f"speaker_{line.speaker}"),
            line.entrant,
            f"{line.calls:,}",
            _number(line.tokens_in),
            _number(line.tokens_out),
            NONE if line.cost is None else f"{line.cost:.4f} {line.currency or ''}".rstrip(),
            f"{line.unpriced:,}" if line.unpriced else NONE,
        ]
        for stage, line in lines
    ]
    heads = [say(lang, f"column_{c}") for c in columns]
    output.print_table(say(lang, "show_spend"), heads, rows, right=frozenset({3, 4, 5, 6, 7}))
    _tell_sums(bench, [line for _, line in lines], lang)
    output.tell(say(lang, "next_spend"))


def _tell_sums(bench: Bench, lines: Sequence[SpendLine], lang: Lang) -> None:
    if not lines:
        output.tell(say(lang, "spent_nothing"))
        return
    for speaker in ("agent", "user", "judge"):
        own = [line for line in lines if line.speaker == speaker]
        if own:
            amounts = _amounts(own)
            told = ", ".join(f"{n:.4f} {currency}" for currency, n in amounts.items())
            who = say(lang, f"speaker_{speaker}")
            calls = f"{sum(line.calls for line in own):,}"
            amount = told or say(lang, "unknown_cost")
            output.tell(say(lang, "spent_by", who=who, calls=calls, amount=amount))
    total = sum_up(lines, bench.config.money)
    everything_unknown = total.unknown >= sum(line.calls for line in lines)
    amount = f"{total.amount:.4f} {bench.config.currency}"
    shown = say(lang, "unknown_cost") if everything_unknown else amount
    output.tell(say(lang, "spent_total", amount=shown), style="bold")
    if total.unknown:
        output.tell(say(lang, "spent_unknown", calls=f"{total.unknown:,}"), style="yellow")


def _keys(job: Job, store: Store) -> Iterable[str]:
    """Keys of all that a job wants, or would have if a stand-in were called."""
    yield from (spec.key for spec in job.all_transcripts())
    sheets, pairs = sheets_of(job), planned_presentations(job, plan_in_force(job, store))
    yield from (spec.key for spec in (*sheets.items, *sheets.reserve))
    yield from (spec.key for spec in (*pairs.items, *pairs.reserve))
    scored = store.sheets.all(sheets.items)
    said = plan_commentaries(suite=job.suite, mode=job.mode, judges=job.judges, sheets=scored)
    yield from (spec.key for spec in said)


def _amounts(lines: Iterable[SpendLine]) -> dict[str, Decimal]:
    found: dict[str, Decimal] = defaultdict(Decimal)
    for line in lines:
        if line.cost is not None:
            found[line.currency or ""] += line.cost
    return dict(sorted(found.items()))


def _document(bench: Bench, lines: Sequence[Line]) -> dict[str, Any]:
    by_speaker = {
        who: [line for _, line in lines if line.speaker == who]
        for who in ("agent", "user", "judge")
    }
    return {
        "schema": SCHEMA,
        "currency": bench.config.currency,
        "lines": [
            {
                "stage": stage,
                "speaker": line.speaker,
                "who": line.entrant,
                "calls": line.calls,
                "tokens_in": line.tokens_in,
                "tokens_out": line.tokens_out,
                "cost": None if line.cost is None else str(line.cost),
                "currency": line.currency,
                "unpriced": line.unpriced,
            }
            for stage, line in lines
        ],
        "totals": {
            who: {
                "calls": sum(line.calls for line in own),
                "amounts": {currency: str(n) for currency, n in _amounts(own).items()},
                "unpriced": sum(line.unpriced for line in own),
            }
            for who, own in by_speaker.items()
        },
    }


def _number(value: int | None) -> str:
    return NONE if value is None else f"{value:,}"
