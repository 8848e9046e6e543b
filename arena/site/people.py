"""What people's votes add to a board: a section of the page of the judges, and terms."""

from collections.abc import Iterable

from arena.domain.board import Board, Calibration
from arena.domain.people_words import LEFT_OUT, OPEN_ENDED, WHY
from arena.domain.standing import Points, Standing
from arena.site import formats
from arena.site.judge_views import PeopleRow, PeopleView
from arena.site.names import Names
from arena.site.text import plain
from arena.site.views import Term
from arena.site.words import Say


def build_people(board: Board | None, names: Names) -> PeopleView | None:
    """The section; None where nobody voted."""
    if board is None or board.calibration is None:
        return None
    say, found = names.say, board.calibration
    rows = tuple(_row(s, s.calibrated, names) for s in board.agents if s.calibrated)
    return PeopleView(
        said=tuple(_said(found, say)),
        terms=tuple(_terms(found, say)),
        level=formats.level(board.method.level),
        rows=rows,
    )


def build_calibration_terms(found: Calibration, say: Say) -> Iterable[Term]:
    """How many votes correct how much, and how far judges and people agree on these."""
    if refused := _refused(found, say):
        yield Term(label=say("term.calibration"), value=refused)
        return
    value = say(
        "term.calibration.value",
        labelled=formats.count(found.labelled, say),
        scenarios=say("design.scenarios", n=found.scenarios),
        part=formats.percent(found.probability),
        power=formats.hundredth(found.power),
    )
    yield Term(label=say("term.calibration"), value=value)
    for one in found.agreement:
        value = formats.hundredth(one.value)
        if one.low is not None and one.high is not None:
            ends = (formats.hundredth(one.low), formats.hundredth(one.high))
            value += say("agreement.within", interval=formats.between(*ends))
        label = plain(say.known(f"agreement.{one.measure}", one.measure))
        yield Term(label=label, value=value + say("agreement.of", n=formats.count(one.n, say)))


def _refused(found: Calibration, say: Say) -> str:
    if found.why is None or found.why in OPEN_ENDED:
        return ""
    return say("people.refused", why=_why(found.why, say))


def _said(found: Calibration, say: Say) -> Iterable[str]:
    """What is to be known before the numbers."""
    if refused := _refused(found, say):
        yield refused
        return
    yield say("people.about")
    if found.why is not None:
        yield say("people.open", why=_why(found.why, say))
    if found.power == 0:
        yield say("people.alone")


def _terms(found: Calibration, say: Say) -> Iterable[Term]:
    if found.people is not None:
        yield Term(label=say("people.people"), value=formats.count(found.people, say))
    if not _refused(found, say):
        yield from build_calibration_terms(found, say)
        if found.answered is not None:
            part = say("people.answered.value", answered=formats.percent(found.answered))
            yield Term(label=say("people.answered"), value=part)
    if found.left_out:
        told = [
            say("people.left_out.one", n=formats.count(n, say), why=_left_out(why, say))
            for why, n in found.left_out.items()
        ]
        yield Term(label=say("people.left_out"), value=say("list.semicolon").join(told))


def _why(key: str, say: Say) -> str:
    return WHY[key][say.lang] if key in WHY else plain(key)


def _left_out(key: str, say: Say) -> str:
    return LEFT_OUT[key][say.lang] if key in LEFT_OUT else plain(key)


def _row(standing: Standing, points: Points, names: Names) -> PeopleRow:
    return PeopleRow(
        agent=names.agent(standing.agent),
        rating=formats.whole(standing.rating),
        interval=_interval(standing.low, standing.high),
        calibrated=formats.whole(points.rating),
        corrected=_interval(points.low, points.high),
    )


def _interval(low: float | None, high: float | None) -> str:
    if low is None or high is None:
        return ""
    return formats.between(formats.whole(low), formats.whole(high))
