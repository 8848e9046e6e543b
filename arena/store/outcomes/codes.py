"""Names as numbers: one temporary table of codes for each thing that the rows name."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from arena.store.outcomes.table import OutcomeSource, quoted


def trimmed(value: str) -> str:
    """SQL of a value as text without the white space around it, the ideographic space too."""
    return rf"trim({value}::varchar, E' \t\r\n' || chr(160) || chr(12288))"


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """What each distinct outcome means, by place; shape (places,).

    `won`: points of a times two as a label, −1 where it is none; `agent`: code of the agent of
    that name, −1 where there is none; `empty`: nothing but white space.
    """

    won: NDArray[np.int8]
    agent: NDArray[np.int32]
    empty: NDArray[np.bool_]


class Codes:
    """The code tables made of a source so far, and the joins that put codes beside its rows.

    A thing named by one column or by two (the agents) has the table `code_<thing>(name, code)`:
    its distinct values as text, in code-point order, numbered from 0. Empty and missing values
    have no code. What is already numbered is joined by its own value, without making text of it.
    """

    def __init__(self, source: OutcomeSource) -> None:
        self.source = source
        self.joins: dict[str, str] = {}
        self._sizes: dict[str, int] = {}

    def size(self, thing: str) -> int:
        """How many codes the thing has."""
        return self._sizes[thing]

    def add(self, thing: str, columns: Mapping[str, str]) -> None:
        """Number the values of `columns`; `columns`: alias of the join → column of the source."""
        run = self.source.connection.execute
        for alias, column in columns.items():
            run(
                f"create or replace temp table value_{alias} as "
                f"select value, number, {self._text(column)} as name "
                f"from ({self.distinct(column)}) where name <> ''"
            )
        names = " union ".join(f"select name from value_{alias}" for alias in columns)
        run(
            f"create or replace temp table code_{thing} as "
            f"select name, (row_number() over (order by name) - 1)::integer as code from ({names})"
        )
        for alias, column in columns.items():
            run(
                f"create or replace temp table look_{alias} as "
                f"select value, number, code from value_{alias} join code_{thing} using (name)"
            )
            run(f"drop table value_{alias}")
            self.joins[alias] = self.join(alias, column)
        self._sizes[thing] = int(run(f"select count(*) from code_{thing}").fetchall()[0][0])

    def add_said(self, column: str, labels: Mapping[str, int]) -> None:
        """`look_said`: each distinct outcome, its worth as a label, the agent that it names.

        `labels`: in lower case, with the points of a times two.
        """
        self.source.connection.execute(
            f"""
            create or replace temp table look_said as
            with label as (
                select unnest($label::varchar[]) as label, unnest($won::tinyint[]) as won
            )
            select
                (row_number() over () - 1)::integer as place, value, number, won, code,
                {trimmed("value")} = '' as empty
            from ({self.distinct(column)})
            left join label on label = lower({trimmed("value")})
            left join code_agent on name = value::varchar
            where value is not null
            """,
            {"label": list(labels), "won": list(labels.values())},
        )
        self.joins["said"] = self.join("said", column)

    def said(self) -> Said:
        """What each distinct outcome means, by place."""
        found = self.source.connection.execute(
            "select coalesce(won, -1)::tinyint as won, coalesce(code, -1)::integer as code, "
            "empty from look_said order by place"
        ).fetchnumpy()
        return Said(
            won=np.asarray(found["won"], dtype=np.int8),
            agent=np.asarray(found["code"], dtype=np.int32),
            empty=np.asarray(found["empty"], dtype=bool),
        )

    def place(self, alias: str, column: str) -> NDArray[np.int64]:
        """The code (of outcomes: the place) of each number that DuckDB gave an ENUM's values."""
        number = "place" if alias == "said" else "code"
        found = self.source.connection.execute(
            f"select coalesce({number}, -1)::integer as place "
            f"from ({self.distinct(column)}) left join look_{alias} using (number) "
            "order by number"
        ).fetchnumpy()
        return np.asarray(found["place"], dtype=np.int64)

    def distinct(self, column: str) -> str:
        """SQL of the distinct values of a column, `value`; of an ENUM all, with their `number`."""
        if not self.is_enum(column):
            return (
                f"select distinct {quoted(column)} as value, 0 as number from {self.source.table}"
            )
        one = f"select {quoted(column)} from {self.source.table} limit 1"
        return (
            f"select unnest(listed) as value, generate_subscripts(listed, 1) - 1 as number "
            f"from (select enum_range(({one})) as listed)"
        )

    def _text(self, column: str) -> str:
        """SQL of a value as text; what is nested becomes JSON, as it is in a file of JSON."""
        nested = self.source.columns[column].endswith(("]", ")")) and not self.is_enum(column)
        nested = nested and not self.source.columns[column].startswith("DECIMAL")
        return "to_json(value)::varchar" if nested else "value::varchar"

    def join(self, alias: str, column: str) -> str:
        """SQL that joins `look_<alias>` to the source by the column's own values."""
        source = f"source.{quoted(column)}"
        same = f"value = {source}"
        if self.is_enum(column):
            same = f"number = enum_code({source})"
        return f"left join look_{alias} as {alias} on {alias}.{same}"

    def is_enum(self, column: str) -> bool:
        """Whether DuckDB has numbered the column's values already."""
        return self.source.columns[column].startswith("ENUM")

    def names(self, thing: str) -> list[str]:
        """The names of the thing, by code."""
        found = self.source.connection.execute(f"select name from code_{thing} order by code")
        return [str(name) for (name,) in found.fetchall()]

    def narrow(self, thing: str) -> str:
        """The smallest signed type that holds the codes of the thing, and −1."""
        limits = ((127, "tinyint"), (32_767, "smallint"))
        return next((kind for most, kind in limits if self.size(thing) <= most), "integer")
