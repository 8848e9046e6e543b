"""What the template of a pair's page is given; text already chosen, as in views."""

from dataclasses import dataclass

from arena.site.verdict_views import ComparisonCard, JudgedRow
from arena.site.views import Frame, Link, Term


@dataclass(frozen=True, slots=True, kw_only=True)
class ScenarioRow:
    """One scenario in which the two were to be compared; `href` leads to its verdicts."""

    href: str
    title: str
    first: str
    second: str
    results: tuple[JudgedRow, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ScenarioSection:
    """The verdicts of one scenario, and the way to both transcripts."""

    id: str
    title: str
    href: str
    comparisons: tuple[ComparisonCard, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PairView:
    """Two agents against each other: what the board says, scenario by scenario.

    `first` and `second` are their names. `sections`: the verdicts, where they do not stand on the
    scenarios' pages; `traced`: some have a command that shows what the judge was sent. `parts`:
    the pages of the pair, where there are several; `part` is this one.
    """

    frame: Frame
    text_lang: str
    first: str
    second: str
    profiles: tuple[Link, ...]
    lead: tuple[str, ...]
    terms: tuple[Term, ...]
    rows: tuple[ScenarioRow, ...]
    about_rows: str
    about_verdicts: str
    traced: bool
    sections: tuple[ScenarioSection, ...]
    parts: tuple[Link, ...]
    part: int
