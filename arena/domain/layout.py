"""Which column of a file of outcomes holds what, and how its rows are to be read."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

HUMAN = "human:*"
"""Judges that are people; their rows enter a board only where a pattern selects them."""
KEY = "key"
"""The judge that knows the right answer; it needs no second order."""

REASONS = (
    "used",
    "malformed",
    "filtered",
    "human",
    "other_judge",
    "no_agent",
    "self_pair",
    "no_outcome",
    "unknown_outcome",
    "ambiguous_outcome",
    "no_margin",
    "duplicate",
    "contradictory",
    "one_order",
)
"""Why a row is excluded; the place of a reason is its code. The first is no exclusion."""
MISSING = (
    "no_outcome",
    "unknown_outcome",
    "ambiguous_outcome",
    "no_margin",
    "contradictory",
    "one_order",
)
"""Reasons that leave a comparison of two known agents without an outcome."""

Won = Literal["a", "b", "tie"]
LayoutName = Literal["arena", "evalica", "lmarena", "kaggle", "custom"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Metadata:
    """A column of JSON or a struct with facts of both sides, each under a key of its own.

    `length`: the keys of the lengths of a and b. `counts`: name → keys of the counts of a and b; a
    count is a number, or a dict of numbers to be added.
    """

    column: str
    length: tuple[str, str]
    counts: Mapping[str, tuple[str, str]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """What each column of a file serves as, by its name in the file; None: there is none.

    The outcome is one column (`outcome`) or three (`wins`: a won, b won, a tie). `labels`: what an
    outcome may be called, in small letters. `pairs` are quantities known of both sides: `length` →
    (column of a, column of b). `unused` columns serve as nothing.
    """

    name: LayoutName
    a: str
    b: str
    outcome: str | None = None
    wins: tuple[str, str, str] | None = None
    order: str | None = None
    scenario: str | None = None
    judge: str | None = None
    replicate: str | None = None
    margin: str | None = None
    weight: str | None = None
    domain: str | None = None
    tag: str | None = None
    criterion: str | None = None
    id: str | None = None
    time: str | None = None
    judge_vendor: str | None = None
    vendors: tuple[str, str] | None = None
    metadata: Metadata | None = None
    labels: Mapping[str, Won] = field(default_factory=lambda: {"a": "a", "b": "b", "tie": "tie"})
    pairs: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    unused: tuple[str, ...] = ()

    def served(self) -> dict[str, str]:
        """Role → column, in the order in which they are told to people."""
        found = {"a": self.a, "b": self.b}
        if self.wins:
            found |= dict(zip(("a won", "b won", "tie"), self.wins, strict=True))
        for role in SINGLE:
            if column := getattr(self, role):
                found[role] = column
        if self.metadata:
            found["metadata"] = self.metadata.column
        both = dict(self.pairs) | ({"vendor": self.vendors} if self.vendors else {})
        for role, (of_a, of_b) in both.items():
            found |= {f"{role}_a": of_a, f"{role}_b": of_b}
        return found


SINGLE = (
    "outcome",
    "order",
    "scenario",
    "judge",
    "replicate",
    "margin",
    "weight",
    "domain",
    "tag",
    "criterion",
    "id",
    "time",
    "judge_vendor",
)
"""Roles that one column serves, beside the two agents."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """How the rows of a file are read.

    `key`: columns that make a vote unique, else scenario and judge, else `id`, else nothing.
    `single_order`: what becomes of a comparison of which one order is readable although the judge
    gives both. `outcome`: where the share comes from. `judges`: patterns of the judges to read
    (`*` and `?`); none: all but people. `where`: a DuckDB condition over the file's own columns.
    """

    key: tuple[str, ...] = ()
    single_order: Literal["drop", "keep"] = "drop"
    outcome: Literal["winner", "margin", "criteria"] = "winner"
    judges: tuple[str, ...] = ()
    where: str | None = None
