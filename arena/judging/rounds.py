"""The order in which the rounds of a transcript are put to a judge that sees its earlier scores."""

from collections.abc import Iterable, Mapping

from arena.domain.score import SheetSpec

Given = Mapping[str, float] | None
"""Scores of a sheet by criterion; None: it could not be read."""


class Rounds:
    """Sheets that wait for the round before, and the scores given so far.

    `specs`: all sheets planned; `asked`: those to be asked now, by key; `waiting`: whether a sheet
    is one of a judge that sees its earlier scores; `given`: scores of the sheets that are there.
    """

    def __init__(
        self,
        specs: Iterable[SheetSpec],
        asked: Iterable[str],
        waiting: Iterable[str],
        given: Mapping[str, Given],
    ) -> None:
        self._asked, self._given = set(asked), dict(given)
        chained = set(waiting)
        self._chains: dict[tuple[str, str, int], list[SheetSpec]] = {}
        self._alone = []
        for spec in specs:
            if spec.key not in chained:
                self._alone.append(spec)
                continue
            self._chains.setdefault(_chain(spec), []).append(spec)
        for chain in self._chains.values():
            chain.sort(key=lambda spec: spec.round)

    def first(self) -> list[SheetSpec]:
        """What can be asked at once: whatever waits for nothing, and the first of every chain."""
        heads = (self._next(chain, 0) for chain in self._chains.values())
        alone = [spec for spec in self._alone if spec.key in self._asked]
        return [*alone, *(head for head in heads if head)]

    def after(self, spec: SheetSpec, given: Given) -> list[SheetSpec]:
        """What can be asked once a sheet was answered, `given` its scores."""
        self._given[spec.key] = given
        following = self._next(self._chains.get(_chain(spec), []), spec.round)
        return [following] if following and spec.round else []

    def earlier(self, spec: SheetSpec) -> tuple[Given, ...]:
        """The scores of the rounds before a sheet's, in order; nothing where it waits for none."""
        chain = self._chains.get(_chain(spec), []) if spec.round else []
        return tuple(self._given.get(s.key) for s in chain if s.round < spec.round)

    def _next(self, chain: list[SheetSpec], after: int) -> SheetSpec | None:
        return next((s for s in chain if s.round > after and s.key in self._asked), None)


def _chain(spec: SheetSpec) -> tuple[str, str, int]:
    return (spec.transcript, spec.judge, spec.judge_replicate)
