"""What a spending command does from its options to its exit code."""

from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from arena.cli import output
from arena.cli.asked_design import COMPARE
from arena.cli.boards import publish_all, rank_all, show_boards, show_published
from arena.cli.commentary import check_commented, describe_commentaries
from arena.cli.designs import describe_plans, show_plans
from arena.cli.imported_boards import find_imports, with_guests, with_imports
from arena.cli.reaching import LOCAL
from arena.cli.reckoning import cost_apart
from arena.cli.serving import serving_beside
from arena.cli.spending import Spent, Terms, exit_code_of, raise_for, show_tallies, spend
from arena.cli.state import describe
from arena.cli.words import Lang, say
from arena.cli.workspace import Bench, Narrowed, command_line, open_bench
from arena.domain.forecast import Forecast
from arena.domain.plan import Selection
from arena.store.store import Store


def asked_of(given: Mapping[str, Any]) -> Narrowed:
    """The options that narrow a command down."""
    return Narrowed(
        project=given.get("project"),
        suites=tuple(given.get("suite") or ()),
        mode=given.get("mode"),
        selection=Selection(
            agents=tuple(given.get("agent") or ()),
            judges=tuple(given.get("judge") or ()),
            scenarios=tuple(given.get("scenario") or ()),
            domains=tuple(given.get("domain") or ()),
            limit=given.get("limit"),
        ),
        retry_errors=bool(given.get("retry_errors")),
        seed=given.get("seed"),
        compare={name: given.get(name) for name in COMPARE if given.get(name) is not None},
    )


def follow(
    stages: tuple[str, ...], given: Mapping[str, Any], lang: Lang, *, argv: tuple[str, ...]
) -> int:
    """Run some stages; after all three also rank and publish. Returns the exit code."""
    whole = len(stages) == 3
    bench = open_bench(asked_of(given))
    if "comment" in stages:
        check_commented(bench)
    terms = Terms(
        command=command_line(argv),
        dry_run=given["dry_run"],
        yes=given["yes"],
        max_cost=given["max_cost"],
        allow_unpriced=given["allow_unpriced"],
        window=given["concurrency"],
        note=given["note"],
        executor=given.get("executor") or LOCAL,
    )
    with Store(bench.workspace.database) as store:
        bench = with_guests(bench, store)
        with serving_beside(given, lang):
            spent = spend(bench, stages, terms, store, lang)
        show_tallies(spent.tallies, lang)
        raise_for(spent, bench, terms)
        document = describe_spent(spent)
        if "compare" in stages:
            document |= describe_plans(bench, store)
        if terms.dry_run:
            return _dry(bench, store, document, stages, given["json"], lang)
        if "comment" in stages:
            document["commentaries"] = describe_commentaries(bench, store)
        if whole:
            shelf = find_imports(bench.workspace, store)
            bench = with_imports(bench, shelf, store, asked_of(given))
            document |= _conclude(bench, store, terms, lang, as_json=given["json"])
        elif not given["json"]:
            output.tell(say(lang, f"next_after_{stages[-1]}"))
    if given["json"]:
        output.print_json({"schema": "arena.run/1", **document})
    return exit_code_of(spent.tallies)


def describe_spent(spent: Spent) -> dict[str, Any]:
    """Tallies and forecast as JSON-able data."""
    return {
        "forecast": describe_forecast(spent.forecast),
        "stages": [{"job": job, **describe(tally)} for job, tally in spent.tallies],
    }


def describe_forecast(forecast: Forecast) -> dict[str, Any]:
    """A forecast as JSON-able data; cost null: unknown."""
    return {
        "calls": forecast.calls,
        "present": forecast.present,
        "tokens_in": list(forecast.tokens_in),
        "tokens_out": list(forecast.tokens_out),
        "cost": list(forecast.cost) if forecast.cost else None,
        "cost_apart": {
            speaker: list(span) if span else None for speaker, span in cost_apart(forecast).items()
        },
        "unpriced": list(forecast.unpriced),
        "cut": forecast.cut,
        "cuts": [asdict(cut) for cut in forecast.cuts],
        "guarded": list(forecast.guarded),
        "marked": list(forecast.marked),
        "by_hand": dict(forecast.by_hand),
        "seconds": forecast.seconds,
        "lines": [
            {
                "job": line.job or None,
                "stage": line.stage,
                "who": line.who,
                "calls": line.calls,
                "tokens_in": list(line.tokens_in),
                "tokens_out": list(line.tokens_out),
                "cost": list(line.cost) if line.cost else None,
            }
            for line in forecast.lines
        ],
    }


def _dry(
    bench: Bench,
    store: Store,
    document: Mapping[str, Any],
    stages: tuple[str, ...],
    as_json: bool,
    lang: Lang,
) -> int:
    if as_json:
        output.print_json({"schema": "arena.run/1", **document})
        return 0
    if "compare" in stages:
        show_plans(bench, store, lang)
    output.tell(say(lang, "dry_run"))
    return 0


def _conclude(
    bench: Bench, store: Store, terms: Terms, lang: Lang, *, as_json: bool
) -> dict[str, Any]:
    """Rank and publish after the whole walk."""
    boards = rank_all(bench, store)
    published = publish_all(bench, store, command="arena run", lang=lang)
    if not as_json:
        show_boards(bench, boards, lang)
        show_published(published, lang)
    return {
        "boards": [{"suite": b.suite, "mode": b.mode} for b in boards],
        "index": str(Path(published.index)),
    }
