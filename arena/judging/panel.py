"""The seats of a panel: who is asked at once, and who only where another judge was blocked."""

from collections import defaultdict
from collections.abc import Collection, Hashable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from arena.domain.design import Cell
from arena.domain.score import SheetSpec
from arena.domain.verdict import Presentation

T = TypeVar("T", bound=SheetSpec | Presentation)


@dataclass(frozen=True, slots=True, kw_only=True)
class Thin:
    """Two transcripts that fewer judges than the panel may compare, and how many may."""

    agent_a: str
    agent_b: str
    scenario: str
    replicate: int
    judges: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Planned(Generic[T]):
    """What is planned, and what the vendor guard found.

    `guarded`: each (judge, agent) of one vendor or family that meets in the plan. With `exclude`
    they were left out; with `warn` they are only marked; with `allow` none is listed. `reserve`:
    what stand-ins could be asked, in the order in which they are called. `thin`: pairs of
    transcripts that the guard leaves with fewer judges than the panel has, or with none.
    `withheld`: each (judge, comparison) that the guard left out.
    """

    items: tuple[T, ...]
    guarded: tuple[tuple[str, str], ...]
    reserve: tuple[T, ...] = ()
    thin: tuple[Thin, ...] = ()
    withheld: tuple[tuple[str, Cell], ...] = ()

    @property
    def contested(self) -> tuple[T, ...]:
        """Everything whose being blocked could call a stand-in; nothing without stand-ins."""
        return (*self.items, *self.reserve) if self.reserve else ()

    def seated(self, blocked: Collection[str]) -> tuple[T, ...]:
        """The plan with the stand-ins that are called; `blocked`: keys that a policy blocked.

        For every judge that was blocked about a transcript or pair the next stand-in is asked the
        whole of it (both orders, all rounds); one that is blocked in its turn calls the next.
        """
        if not self.reserve or not blocked:
            return self.items
        shut: dict[Hashable, set[str]] = defaultdict(set)
        for item in (*self.items, *self.reserve):
            if item.key in blocked:
                shut[_place(item)].add(item.judge)
        waiting: dict[Hashable, dict[str, list[T]]] = defaultdict(dict)
        for item in self.reserve:
            waiting[_place(item)].setdefault(item.judge, []).append(item)
        called = [i for place in shut for i in _called(waiting[place], shut[place])]
        return (*self.items, *called)


def _called(waiting: dict[str, list[T]], shut: set[str]) -> Sequence[T]:
    """What the stand-ins of one place are asked, one for each judge that was blocked there."""
    empty = len(shut - set(waiting))
    called: list[T] = []
    for judge, items in waiting.items():
        if not empty:
            break
        called += items
        empty -= judge not in shut
    return called


def _place(item: SheetSpec | Presentation) -> Hashable:
    return (item.a, item.b) if isinstance(item, Presentation) else item.transcript
