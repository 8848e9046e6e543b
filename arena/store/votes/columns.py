"""The columns of the table `imported_vote`, and SQL of what a loaded file has for each."""

from collections.abc import Mapping

from arena.domain.layout import Layout
from arena.store.outcomes.codes import trimmed
from arena.store.outcomes.table import OutcomeSource, quoted

TEXTS = (
    "scenario",
    "judge",
    "replicate",
    "domain",
    "tag",
    "criterion",
    "id",
    "time",
    "judge_vendor",
)
"""Roles that are kept as text, as they stand."""
PLAIN = "('tie', 'draw', '-', 'true', '1', '1.0')"
"""Labels of ties that say no more than that it was one."""
NUMBERS = ("margin", "weight")
COLUMNS = (
    *("origin", "row", "agent_a", "agent_b", "outcome", "said", "order"),
    *("scenario", "judge", "replicate", "margin", "weight", "domain", "tag", "criterion", "id"),
    *("time", "judge_vendor", "vendor_a", "vendor_b", "metadata", "rest"),
)
"""All columns of the table, in its order."""


def text_sql(source: OutcomeSource, column: str | None) -> str:
    """A value as text, null where nothing stands; what is nested becomes JSON."""
    if column is None:
        return "null"
    kind, value = source.columns[column], f"source.{quoted(column)}"
    if kind.endswith(("]", ")")) and not kind.startswith(("DECIMAL", "ENUM")):
        return f"to_json({value})::varchar"
    return f"nullif({value}::varchar, '')"


def number_sql(column: str | None) -> str:
    """A value as a number, null where nothing or something else stands."""
    if column is None:
        return "null"
    return f"try_cast({trimmed('source.' + quoted(column))} as double)"


def rest_of(layout: Layout) -> dict[str, str]:
    """The further columns that are kept, by the name under which they are kept."""
    pairs = {
        f"{name}_{side}": column
        for name, pair in layout.pairs.items()
        for side, column in zip("ab", pair, strict=True)
    }
    return {**{column: column for column in layout.unused}, **pairs}


def rest_sql(source: OutcomeSource, rest: Mapping[str, str]) -> str:
    """The further columns as one JSON object of texts, null where there are none."""
    if not rest:
        return "null"
    fields = ", ".join(f"{quoted(name)} := {text_sql(source, c)}" for name, c in rest.items())
    return f"to_json(struct_pack({fields}))::varchar"


def kept_sql(source: OutcomeSource, layout: Layout, won: str, shown: str) -> dict[str, str]:
    """SQL of every column after `row`. `won`: 2, 1, 0 or null; `shown`: 1, −1 or 0."""
    said = text_sql(source, layout.outcome)
    outcome = f"case {won} when 2 then 'a' when 1 then 'tie' when 0 then 'b' end"
    vendors = layout.vendors or (None, None)
    texts = {role: text_sql(source, getattr(layout, role)) for role in TEXTS}
    numbers = {role: number_sql(getattr(layout, role)) for role in NUMBERS}
    found = {
        "agent_a": f"source.{quoted(layout.a)}::varchar",
        "agent_b": f"source.{quoted(layout.b)}::varchar",
        "outcome": outcome,
        "said": f"case when {won} = 1 and lower({trimmed(said)}) not in {PLAIN} then {said} end",
        "order": f"case {shown} when 1 then 'ab' when -1 then 'ba' end",
        **texts,
        **numbers,
        "vendor_a": text_sql(source, vendors[0]),
        "vendor_b": text_sql(source, vendors[1]),
        "metadata": text_sql(source, layout.metadata.column if layout.metadata else None),
        "rest": rest_sql(source, rest_of(layout)),
    }
    return {name: found[name] for name in COLUMNS[2:]}
