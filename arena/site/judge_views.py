"""What the template of the judges page is given; text already chosen, as in views."""

from dataclasses import dataclass

from arena.site.views import Frame, JudgeRow, Term


@dataclass(frozen=True, slots=True, kw_only=True)
class FigureRow:
    """One figure: its name and meaning, value, interval, what it rests on, and what it says.

    `tone` is `note` where chance does not explain the figure.
    """

    name: str
    meaning: str
    value: str
    interval: str
    n: str
    scenarios: str
    reading: str
    tone: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AgreementRow:
    """Agreement with one other judge, or with people on one criterion.

    A cell a measure, or in `why` the reason there is none.
    """

    other: str
    cells: tuple[tuple[str, str], ...]
    n: str
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeCard:
    """One judge: a verdict in words, then its figures. `row`: what it is and how it answered.

    `survived` and `warned`: how its comparisons bear a swap, and whether that is near chance.
    `unmeasured`: why there is no agreement with anybody, where there is none. `by_criterion`:
    agreement with people on who was better by each criterion.
    """

    slug: str
    name: str
    row: JudgeRow | None
    survived: str
    warned: bool
    findings: tuple[str, ...]
    figures: tuple[FigureRow, ...]
    measures: tuple[str, ...]
    agreement: tuple[AgreementRow, ...]
    by_criterion: tuple[AgreementRow, ...]
    unmeasured: str
    unknown: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PeopleRow:
    """One agent's rating by the judges, and as people's votes correct it, with intervals."""

    agent: str
    rating: str
    interval: str
    calibrated: str
    corrected: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PeopleView:
    """What people's votes add: sentences, terms, and ratings side by side where there are any."""

    said: tuple[str, ...]
    terms: tuple[Term, ...]
    level: str
    rows: tuple[PeopleRow, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgesView:
    """What is known of the judges of one board. `people` None: nobody voted."""

    frame: Frame
    notices: tuple[str, ...]
    meta: tuple[Term, ...]
    level: str
    cards: tuple[JudgeCard, ...]
    panel: tuple[FigureRow, ...]
    people: PeopleView | None
