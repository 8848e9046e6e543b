"""What the template of the method page is given; text already chosen, as in views."""

from dataclasses import dataclass

from arena.site.part_views import EffectRow
from arena.site.views import Frame, JudgeRow, Ranking, Term


@dataclass(frozen=True, slots=True, kw_only=True)
class CountRow:
    """One kind of work: how much was planned, how much is there, and what became of the rest."""

    name: str
    planned: str
    done: str
    rest: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ReaderRow:
    """Somebody who was sent text: in which part, by which model and host, and what it saw."""

    name: str
    part: str
    model: str
    place: str
    calls: str
    saw: str


@dataclass(frozen=True, slots=True, kw_only=True)
class MethodView:
    """How a leaderboard was made, in words and numbers; the lower parts as on the first page."""

    frame: Frame
    counts: tuple[CountRow, ...]
    readers: tuple[ReaderRow, ...]
    about: str
    method: tuple[str, ...]
    command: str
    terms: tuple[Term, ...]
    effects: tuple[EffectRow, ...]
    judges: tuple[JudgeRow, ...]
    ranking: Ranking
