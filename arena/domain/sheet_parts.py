"""What a rubric may ask for beyond a number a criterion, and at which scope."""

from collections.abc import Mapping
from typing import Literal

from pydantic import Field

from arena.domain.later import Later
from arena.domain.naming import Key, Text
from arena.domain.words import Frozen, Words

Scope = Literal["transcript", "turn"]


class CannotJudge(Frozen):
    """Where a criterion may be left unjudged, which is a missing score and never 0.

    `rounds`: in the first rounds, up to this one, a judge may say so; from then on nothing
    collected is a real 0. `empty`: a section of the scenario's reference; where that holds
    nothing, the criterion is not asked about at all.
    """

    rounds: int = Field(default=1, ge=0)
    empty: Key | None = None


class Spread(Frozen):
    """How a criterion is reported beside its mean: its distribution over some scenarios.

    `where`: those in which a red flag is shown. `at_least`: a threshold on the scale; with one the
    share of scenarios that reach it is reported too, without one only the distribution.
    """

    where: Literal["red_flags"] = "red_flags"
    at_least: float | None = None


class Group(Frozen):
    """Criteria whose scores add up to a subtotal, which is recomputed and never believed."""

    group: Key
    name: Words
    criteria: tuple[Key, ...] = Field(min_length=1)


class SheetParts(Later):
    """The part of a rubric that says what a sheet covers and what it holds beside the numbers.

    `scopes`: a sheet for the whole transcript, one for every round, or both. `earlier_scores`: the
    judge of a round is shown its own scores of the rounds before. `guide` is told to judges before
    the criteria, `scope_notes` besides in one scope. `groups` and `total` ask for sums. `evidence`
    asks for quotations with their round and for the criteria that lack any; `confidence` for a
    number from 0 to 1; `suggestions` for advice to whoever made the agent; `red_flags` how each
    danger that is shown was handled, with a quotation.
    """

    LATER = frozenset(
        {
            "scopes",
            "earlier_scores",
            "guide",
            "scope_notes",
            "groups",
            "total",
            "evidence",
            "confidence",
            "suggestions",
            "red_flags",
        }
    )

    scopes: tuple[Scope, ...] = Field(default=("transcript",), min_length=1)
    earlier_scores: bool = False
    guide: str = ""
    scope_notes: Mapping[Scope, Text] = {}
    groups: tuple[Group, ...] = ()
    total: bool = False
    evidence: bool = False
    confidence: bool = False
    suggestions: bool = False
    red_flags: Literal["ask"] | None = None

    def complaint_about_parts(self, keys: list[str]) -> str | None:
        """What is wrong with these parts of a rubric with criteria `keys`; None if nothing."""
        if len(set(self.scopes)) < len(self.scopes):
            return "`scopes` lists a scope twice"
        if self.earlier_scores and "turn" not in self.scopes:
            return "`earlier_scores` needs the scope `turn`"
        grouped = [key for group in self.groups for key in group.criteria]
        if unknown := [key for key in grouped if key not in keys]:
            return f"`groups` names no criterion of this rubric: {', '.join(unknown)}"
        if twice := sorted({key for key in grouped if grouped.count(key) > 1}):
            return f"`groups` lists twice: {', '.join(twice)}"
        return None
