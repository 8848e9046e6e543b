"""What the template of a leaderboard is given."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from arena.site.part_views import (
    AccuracyTables,
    BillRow,
    Contradictions,
    DecoyTable,
    EffectRow,
    Scatter,
    Slices,
    TwoByTwo,
    WorstMoments,
)
from arena.site.views import Frame, Grid, Group, JudgeRow, Link, Ranking, Term


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexView:
    """The leaderboard of one suite and mode."""

    frame: Frame
    subtitle: str
    suite_lang: str
    headline: tuple[str, ...]
    scope: tuple[str, ...]
    beside: tuple[str, ...]
    notices: tuple[str, ...]
    meta: tuple[Term, ...]
    how: tuple[str, ...]
    ranking: Ranking
    decoys: DecoyTable | None
    scatters: tuple[Scatter, ...]
    two: TwoByTwo | None
    slices: Slices | None
    accuracy: AccuracyTables | None
    grids: tuple[Grid, ...]
    groups: tuple[Group, ...]
    about: str
    method: tuple[str, ...]
    terms: tuple[Term, ...]
    effects: tuple[EffectRow, ...]
    judges: tuple[JudgeRow, ...]
    command: str
    downloads: tuple[Link, ...]
    more: tuple[Link, ...] = ()
    """The other pages of this leaderboard."""
    profiles: Mapping[str, str] = field(default_factory=dict)
    """The page of each agent, by slug."""
    changes: Link | None = None
    """The page that sets it beside a former board."""
    worst: WorstMoments | None = None
    against: Contradictions | None = None
    bills: tuple[BillRow, ...] = ()
