"""What `arena plan` does from its options to what it prints."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from arena.cli import output
from arena.cli.plan_view import (
    PairPlan,
    describe_pair,
    describe_stages,
    show_limits,
    show_pair,
    show_stages,
)
from arena.cli.words import Lang, say, translate
from arena.errors import UsageError
from arena.maths.designs.power import POWER

SCHEMA = "arena.plan/1"
CONCURRENCY = 64
_STAGES = ("collect", "score", "compare")
_WORKSPACE = {"project": "-C", "suite": "--suite", "mode": "--mode", "domain": "--domain"}
_NARROWING = {"agent": "--agent", "scenario": "--scenario", "limit": "--limit"}
_JUDGE = {"judge": "--judge"}
_FILE = {"columns": "--columns", "cluster": "--cluster", "key": "--key", "where": "--where"}


def plan_run(given: Mapping[str, Any], lang: Lang, *, as_json: bool) -> None:
    """The forecast of `arena run`: who is asked what on stderr, sums by stage on stdout."""
    from arena.cli.course import asked_of, describe_forecast
    from arena.cli.imported_boards import with_guests
    from arena.cli.spending import Terms, spend
    from arena.cli.workspace import command_line, open_bench
    from arena.store.store import Store

    _refuse_pair_options(given)
    bench = open_bench(asked_of(given))
    terms = Terms(command=command_line(("plan",)), dry_run=True, window=given["concurrency"])
    with Store(bench.workspace.database) as store:
        forecast = spend(with_guests(bench, store), _STAGES, terms, store, lang).forecast
    if as_json:
        found = {**describe_forecast(forecast), "stages": describe_stages(forecast, _STAGES)}
        _print(forecast=found, currency=bench.config.currency)
        return
    show_stages(forecast, _STAGES, bench.config.currency, lang)
    if forecast.calls:
        command = command_line(("run", *_repeated(given)))
        output.tell(say(lang, "plan_next", command=command))
    else:
        output.tell(say(lang, "next_rank"))


def plan_pair(given: Mapping[str, Any], lang: Lang, *, as_json: bool) -> None:
    """How many scenarios would separate two agents, on every board of theirs."""
    _check_pair_options(given)
    adjusted = given["adjusted"]
    found = _plan_boards(given, lang) if given["file"] is None else _plan_file(given, lang)
    if as_json:
        _print(
            currency=found.plans[0].currency,
            separations=[describe_pair(plan, adjusted=adjusted) for plan in found.plans],
            refused=[{"board": board, "message": why} for board, why in found.refused],
        )
        return
    for board, why in found.refused:
        output.tell(f"{board}: {why}", style="yellow")
    for plan in found.plans:
        show_pair(plan, lang, adjusted=adjusted)
    show_limits(found.plans, lang, adjusted=adjusted)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Found:
    """Plans, at least one, and (board, reason) of the boards that have none."""

    plans: tuple[PairPlan, ...]
    refused: tuple[tuple[str, str], ...] = ()


def _plan_file(given: Mapping[str, Any], lang: Lang) -> _Found:
    from arena.cli.ranking import file_options
    from arena.ranking import rank
    from arena.stages.plan import separate

    if option := _first_given(given, _WORKSPACE | _NARROWING):
        raise UsageError("{option} is for workspaces, not for files", option=option)
    file, level = given["file"], given["level"]
    name = "stdin" if file == "-" else Path(file).name
    with output.busy(say(lang, "ranking", file=name)):
        options = {} if level is None else {"level": level}
        board = rank(file, **file_options(given), **options)
    found = separate(board, *_pair(given), **_terms(given))
    return _Found(plans=(PairPlan(title=name, separation=found, file=file),))


def _plan_boards(given: Mapping[str, Any], lang: Lang) -> _Found:
    """A plan for every board that has one; raises the first refusal when none has."""
    from arena.cli.boards import names_of, title_of, whole_jobs
    from arena.cli.course import asked_of
    from arena.cli.workspace import open_bench
    from arena.stages.plan import cost_per_scenario, latest_board, separate
    from arena.store.store import Store

    if option := _first_given(given, _NARROWING | _JUDGE):
        raise UsageError("{option} narrows a run; boards are of everybody", option=option)
    if option := _first_given(given, _FILE):
        raise UsageError(
            "{option} is for files of outcomes",
            fix="arena plan A B --file FILE {option} …",
            option=option,
        )
    bench = open_bench(asked_of(given))
    plans, refusals = [], []
    with Store(bench.workspace.database) as store:
        for job in whole_jobs(bench):
            try:
                board = latest_board(job, store=store)
                found = separate(board, *_pair(given), **_terms(given))
            except UsageError as error:
                refusals.append((f"{job.suite.suite} · {job.mode}", error))
                continue
            plans.append(
                PairPlan(
                    title=title_of(job, board, lang),
                    separation=found,
                    suite=job.suite.suite,
                    mode=job.mode,
                    at=board.at,
                    names=names_of(job, lang),
                    cost=cost_per_scenario(job, store=store),
                    currency=bench.config.currency,
                )
            )
    if refusals and not plans:
        raise refusals[0][1]
    if not plans:
        raise UsageError("nothing to play: no suite is left after --suite and --mode")
    refused = tuple((board, translate(lang, e.what, e.facts)) for board, e in refusals)
    return _Found(plans=tuple(plans), refused=refused)


def _check_pair_options(given: Mapping[str, Any]) -> None:
    """Raise UsageError for options that make no plan; range checks as for `arena rank`."""
    from arena.stages.rank.choosing import check_range

    if given["first"] is None or given["second"] is None:
        raise UsageError(
            "one agent alone cannot be told apart: name two",
            fix="arena plan A B --difference POINTS; `arena plan` alone forecasts a run.",
        )
    if given["difference"] is None:
        raise UsageError(
            "which difference do you want to see? --difference is missing",
            why="The observed one is no guide: planned for it, a study finds a true difference in "
            "65 % of cases where 80 % were asked for.",
            fix="Name the smallest that matters to you; 50 points are a share of 57 %: "
            "arena plan {a} {b} --difference 50",
            a=given["first"],
            b=given["second"],
        )
    check_range("--difference", given["difference"], 0, 10_000)
    check_range("--power", given["power"], 0, 0.9999)
    if given["level"] is not None:
        check_range("--level", given["level"], 0, 0.9999)


def _refuse_pair_options(given: Mapping[str, Any]) -> None:
    asked = {
        "--difference": given["difference"] is not None,
        "--power": given["power"] != POWER,
        "--level": given["level"] is not None,
        "--single": not given["adjusted"],
        **{option: bool(given[name]) for name, option in _FILE.items()},
    }
    if option := next((option for option, there in asked.items() if there), None):
        raise UsageError(
            "{option} is for two agents", fix="arena plan A B {option} …", option=option
        )


def _first_given(given: Mapping[str, Any], options: Mapping[str, str]) -> str | None:
    return next((option for name, option in options.items() if given[name]), None)


def _pair(given: Mapping[str, Any]) -> tuple[str, str]:
    return given["first"], given["second"]


def _terms(given: Mapping[str, Any]) -> dict[str, Any]:
    return {name: given[name] for name in ("difference", "power", "level")}


def _repeated(given: Mapping[str, Any]) -> Iterator[str]:
    """The options of a forecast as words, for the run that it forecasts."""
    for name, option in (_WORKSPACE | _NARROWING | _JUDGE).items():
        value = given[name]
        for one in value if isinstance(value, list) else [value]:
            if one is not None:
                yield from (option, str(one))
    if given["concurrency"] != CONCURRENCY:
        yield from ("-j", str(given["concurrency"]))


def _print(**parts: Any) -> None:
    """The one document; what was not asked for is null."""
    empty = dict.fromkeys(("currency", "forecast", "separations", "refused"))
    output.print_json({"schema": SCHEMA, **empty, **parts})
