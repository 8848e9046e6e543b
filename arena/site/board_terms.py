"""How a board was fitted and how its comparisons behave, as pairs of word and value."""

import math
from collections.abc import Iterable, Mapping

from arena.domain.board import Board, Residual
from arena.domain.method import Method
from arena.site import formats
from arena.site.designed import build_design_term
from arena.site.names import Names
from arena.site.people import build_calibration_terms
from arena.site.text import plain
from arena.site.views import Term
from arena.site.words import Say

MOST_RESIDUALS = 3


def build_board_terms(board: Board, names: Names) -> Iterable[Term]:
    """First the method, then what was found."""
    yield from _method_terms(board, names)
    yield from _found_terms(board, names)
    if board.calibration is not None:
        yield from build_calibration_terms(board.calibration, names.say)
    yield Term(label=names.say("term.data"), value="", code=formats.short_digest(board.data_digest))


def say_counts(counts: Mapping[str, int], family: str, say: Say) -> str:
    """Counts by reason or status, those that are not 0."""
    return say("list.dot").join(
        f"{plain(say.known(f'{family}.{key}', key))} {formats.count(n, say)}"
        for key, n in sorted(counts.items())
        if n
    )


def say_cluster(method: Method, say: Say) -> str:
    """What hangs together, in words: a column or two, or single rows."""
    if not method.cluster:
        return say("cluster.rows")
    columns = [plain(say.known(f"cluster.{c}", c)) for c in method.cluster]
    return say("cluster.crossed", names=say.join(columns)) if len(columns) > 1 else columns[0]


def say_control(control: str, say: Say) -> str:
    """What a rating was freed of, in words."""
    return plain(say.known(f"control.{control}", control))


def _method_terms(board: Board, names: Names) -> Iterable[Term]:
    say, method = names.say, board.method
    level = formats.level(method.level)
    yield from build_design_term(board, say)
    yield Term(label=say("term.estimator"), value=_estimator(method, say))
    if method.estimator == "bradley-terry":
        yield Term(label=say("term.outcome"), value=say(f"outcome_of.{method.outcome}"))
        yield Term(label=say("term.tie_model"), value=_ties(board, say))
        interval = say("term.interval.value", level=level, kind=say(f"interval.{method.interval}"))
        if board.chosen_by_verdicts:
            interval = formats.DASH
        yield Term(label=say("term.interval"), value=interval)
        yield Term(label=say("term.cluster"), value=say_cluster(method, say))
    resamples = formats.count(method.resamples, say)
    yield Term(
        label=say("term.resamples"),
        value=say("term.resamples.value", n=resamples, seed=method.seed),
    )
    if method.anchor_agent is not None:
        anchor = formats.whole(method.anchor)
        value = say("term.anchor.value", agent=names.agent(method.anchor_agent), at=anchor)
        yield Term(label=say("term.anchor"), value=value)
    least = say("term.minimum.value", n=method.min_comparisons, scenarios=method.min_scenarios)
    yield Term(label=say("term.minimum"), value=least)
    if method.controls:
        controls = say.join([say_control(c, say) for c in method.controls])
        yield Term(label=say("term.controls"), value=controls)
    if method.versions:
        value = say("list.dot").join(f"{k} {v}" for k, v in sorted(method.versions.items()))
        yield Term(label=say("term.versions"), value=plain(value))


def _estimator(method: Method, say: Say) -> str:
    if method.estimator == "elo":
        return say("estimator.elo", k=formats.DASH if method.k is None else f"{method.k:g}")
    if method.prior_sd is None:
        return say("estimator.plain")
    return say("estimator.prior", sd=f"{method.prior_sd:g}")


def _ties(board: Board, say: Say) -> str:
    said = say(f"ties.{board.method.ties}")
    value = board.diagnostics.tie_parameter
    if value is None:
        return said
    sign = "ν" if board.method.ties == "davidson" else "κ"
    return said + say("ties.parameter", sign=sign, value=formats.hundredth(value))


def _found_terms(board: Board, names: Names) -> Iterable[Term]:
    say, told = names.say, board.diagnostics
    if board.scenarios is not None:
        where = say("coverage", done=board.scenarios, planned=_planned(board))
        yield Term(label=say("term.scenarios"), value=where)
    if told.flip_rate is not None:
        flips = say("term.part", share=formats.percent(told.flip_rate), n=told.flips)
        yield Term(label=say("term.flips"), value=flips)
    ties = say("term.part", share=formats.percent(told.tie_share), n=told.ties)
    yield Term(label=say("term.ties"), value=ties)
    yield Term(label=say("term.cycles"), value=_cycles(board, names))
    yield Term(label=say("term.fit"), value=_fit(board, say))
    if told.residuals:
        worst = [_residual(r, names) for r in told.residuals[:MOST_RESIDUALS]]
        yield Term(label=say("term.residuals"), value=say("list.semicolon").join(worst))
    if told.second_opinion is not None:
        value = say("term.second.value", difference=f"{told.second_opinion:.1e}")
        yield Term(label=say("term.second"), value=value)
    if told.spearman is not None:
        yield Term(label=say("term.spearman"), value=formats.hundredth(told.spearman))
    yield Term(
        label=say("term.rows"),
        value=say(
            "term.rows.value",
            read=formats.count(told.rows.read, say),
            used=formats.count(told.rows.used, say),
            excluded=say_counts(told.rows.excluded, "reason", say) or "0",
        ),
    )


def _planned(board: Board) -> int | str:
    return formats.DASH if board.scenarios_planned is None else board.scenarios_planned


def _cycles(board: Board, names: Names) -> str:
    say, told = names.say, board.diagnostics
    said = say("term.cycles.value", n=told.cycles, of=told.triads)
    if told.cycle_examples:
        a, b, c = (names.label(x) for x in told.cycle_examples[0])
        said += say("term.cycles.example", a=a, b=b, c=c)
    return said


def _fit(board: Board, say: Say) -> str:
    """Goodness of fit in words.

    Where Bradley–Terry holds and comparisons are independent, the mean square of z over m pairs
    is about 1 with a standard deviation of √(2/m): two of these are the edge.
    """
    misfit, pairs = board.diagnostics.misfit, sum(p.z is not None for p in board.pairs)
    if misfit is None:
        return formats.DASH
    above = pairs > 0 and misfit > 1 + 2 * math.sqrt(2 / pairs)
    said = say("fit.strays" if above else "fit.holds")
    return say("fit", value=formats.hundredth(misfit), said=said)


def _residual(residual: Residual, names: Names) -> str:
    """A pair that strays from what the ratings expect."""
    return names.say(
        "term.residuals.value",
        a=names.label(residual.a),
        b=names.label(residual.b),
        share=formats.percent(residual.share),
        expected=formats.percent(residual.expected),
        z=formats.tenth(residual.z),
    )
