"""Names as numbers where DuckDB has numbered every column already (ENUM): no table is made.

A statement that makes a table costs a millisecond or two, and a small board is rated in ten.
"""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from arena.store.outcomes.codes import Codes, Said
from arena.store.outcomes.table import OutcomeSource, quoted

_WHITE = " \t\r\n\u00a0\u3000"


class Enumerated(Codes):
    """Codes of a source of ENUM columns, for the short way of `plain`; there is nothing to join."""

    def __init__(self, source: OutcomeSource, columns: Sequence[str]) -> None:
        """`columns`: all that will be numbered; what they list is asked for once.

        The source has a row, whatever is in it.
        """
        super().__init__(source)
        self._names: dict[str, list[str]] = {}
        self._places: dict[str, NDArray[np.int64]] = {}
        ranges = ", ".join(f"enum_range({quoted(c)})" for c in columns)
        found = source.connection.execute(f"select {ranges} from {source.table} limit 1").fetchone()
        self._listed: dict[str, list[str]] = dict(zip(columns, found or (), strict=True))

    def add(self, thing: str, columns: Mapping[str, str]) -> None:
        """Number the values of `columns`, as `Codes.add`; all values of an ENUM count as named."""
        listed = {alias: self._listed[column] for alias, column in columns.items()}
        names = sorted({value for values in listed.values() for value in values if value})
        code = {name: number for number, name in enumerate(names)}
        for alias, values in listed.items():
            self._places[alias] = np.array([code.get(v, -1) for v in values], dtype=np.int64)
        self._names[thing] = names

    def add_said(self, column: str, labels: Mapping[str, int]) -> None:
        """As `Codes.add_said`."""
        values = self._listed[column]
        plain = [value.strip(_WHITE).lower() for value in values]
        code = {name: number for number, name in enumerate(self._names["agent"])}
        self._said = Said(
            won=np.array([labels.get(p, -1) for p in plain], dtype=np.int8),
            agent=np.array([code.get(v, -1) for v in values], dtype=np.int32),
            empty=np.array([p == "" for p in plain], dtype=bool),
        )

    def size(self, thing: str) -> int:
        """How many codes the thing has."""
        return len(self._said.won) if thing == "said" else len(self._names[thing])

    def names(self, thing: str) -> list[str]:
        """The names of the thing, by code."""
        return self._names[thing]

    def place(self, alias: str, column: str) -> NDArray[np.int64]:
        """The code of each number that DuckDB gave the values of an ENUM column."""
        if alias == "said":
            return np.arange(len(self._said.won))
        return self._places[alias]

    def said(self) -> Said:
        """What each distinct outcome means, by place."""
        return self._said
