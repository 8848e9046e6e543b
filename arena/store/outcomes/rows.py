"""Every row of a source as codes: the table `vote`, pairs turned so that a comes first.

The columns of `vote`: `row`; `first` < `second` (codes of the agents, −1 where not both are known);
`reason` (the place in REASONS, 0: readable); `won` (what `first` won: 2, 1 for a tie, 0; null
where not readable); `shown` (1: first was shown first, −1: second was, 0: unknown); `weight`;
`margin` (signed towards `first`, as in the file); `whole` (its judge needs no second order); one
code a further role, −1 where empty.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase

import duckdb

from arena.domain.layout import HUMAN, KEY, Layout, Reading
from arena.errors import UsageError
from arena.store.outcomes.codes import Codes
from arena.store.outcomes.enumerated import Enumerated
from arena.store.outcomes.fields import (
    PLACE,
    check_values,
    margin_sql,
    order_sql,
    outcome_sql,
    selected_sql,
    weight_sql,
)
from arena.store.outcomes.table import ROW, OutcomeSource, first_line, quoted

CODED = ("scenario", "judge", "replicate", "domain", "tag", "criterion")


@dataclass(frozen=True, slots=True, kw_only=True)
class Votes:
    """The rows of a source, with everything that they name numbered.

    `roles`: role, or name of a column asked for → alias of its codes; `columns`: the same → column
    of the source. `key`: the roles that make a vote unique, empty where nothing does.
    """

    source: OutcomeSource
    layout: Layout
    reading: Reading
    codes: Codes
    roles: Mapping[str, str]
    columns: Mapping[str, str]
    key: tuple[str, ...]


WORTH = {"a": 2, "tie": 1, "b": 0}


def name_rows(
    source: OutcomeSource,
    layout: Layout,
    reading: Reading,
    asked: Mapping[str, str],
    *,
    short: bool = False,
) -> Votes:
    """Number everything that the rows name; the table `vote` is not made yet.

    `asked`: further columns to code, name → column. `short`: without tables where `is_plain`
    holds and DuckDB has numbered all columns. Raises UsageError for a key column that is not
    there.
    """
    roles = {role: column for role in CODED if (column := getattr(layout, role))} | dict(asked)
    key = _key(source, layout, reading, roles)
    things = {role: f"role{place}" for place, role in enumerate(roles)}
    columns = (layout.a, layout.b, layout.outcome or "", *roles.values())
    numbered = all(source.columns.get(c, "").startswith("ENUM") for c in columns)
    quick = short and numbered and is_plain(layout, reading, key)
    codes = Enumerated(source, tuple(dict.fromkeys(columns))) if quick else Codes(source)
    codes.add("agent", {"a": layout.a, "b": layout.b})
    for role, alias in things.items():
        codes.add(alias, {alias: roles[role]})
    if layout.outcome is not None:
        codes.add_said(layout.outcome, {k: WORTH[won] for k, won in layout.labels.items()})
    return Votes(
        source=source,
        layout=layout,
        reading=reading,
        codes=codes,
        roles=things,
        columns=roles,
        key=key,
    )


def is_plain(layout: Layout, reading: Reading, key: tuple[str, ...]) -> bool:
    """Whether every readable row is a comparison: nothing to fold, weigh, choose or count once."""
    folds = layout.order is not None
    chosen = reading.where is not None or layout.judge is not None
    return not (
        folds or chosen or key or layout.weight or layout.wins or reading.outcome != "winner"
    )


def code_rows(votes: Votes) -> None:
    """Make the table `vote` of every row.

    Raises UsageError for a condition that fails, and for a weight, an order or a margin that
    cannot be.
    """
    _add_judges(votes.source, votes.reading, votes.codes, votes.roles.get("judge"))
    _filter(votes.source, votes.reading, votes.codes)
    _make_votes(votes)
    check_values(votes.source, votes.layout, votes.reading)


def _key(
    source: OutcomeSource, layout: Layout, reading: Reading, roles: dict[str, str]
) -> tuple[str, ...]:
    """The roles that make a vote unique; columns that serve no role yet are added to `roles`."""
    columns = reading.key
    if not columns and layout.scenario and layout.judge:
        return ("scenario", "judge")
    if not columns:
        columns = (layout.id,) if layout.id else ()
    key = []
    for column in columns:
        if column not in source.columns:
            raise UsageError(
                "--key: there is no column `{column}`",
                why="Columns found: {columns}.",
                column=column,
                columns=", ".join(source.columns),
            )
        role = next((role for role, held in roles.items() if held == column), f"key {column}")
        roles.setdefault(role, column)
        key.append(role)
    return tuple(key)


def _add_judges(source: OutcomeSource, reading: Reading, codes: Codes, judges: str | None) -> None:
    """`judging`: judges that are left out, and those who need no second order."""
    reasons, wholes = [], []
    for name in codes.names(judges) if judges else ():
        human = fnmatchcase(name, HUMAN)
        wholes.append(human or name == KEY)
        if reading.judges:
            chosen = any(fnmatchcase(name, pattern) for pattern in reading.judges)
        else:
            chosen = not human
        reasons.append(0 if chosen else PLACE["human" if human else "other_judge"])
    source.connection.execute(
        "create or replace temp table judging as select unnest(range($count))::integer as code, "
        "unnest($reason::utinyint[]) as reason, unnest($whole::boolean[]) as whole",
        {"count": len(reasons), "reason": reasons, "whole": wholes},
    )
    if judges:
        codes.joins["judging"] = f"left join judging on judging.code = {judges}.code"


def _filter(source: OutcomeSource, reading: Reading, codes: Codes) -> None:
    """`passing`: the rows for which the condition holds, where there is one."""
    if reading.where is None:
        return
    try:
        # A relation's filter takes one expression and writes it anew: no second statement can
        # hide in it.
        chosen = source.connection.sql(f"from {source.table}").filter(reading.where)
        chosen = chosen.project(f"{quoted(ROW)} as row")
        source.connection.execute(f"create or replace temp table passing as {chosen.sql_query()}")
    except duckdb.Error as error:
        raise UsageError(
            "--where: {reason}",
            why="Columns found: {columns}.",
            reason=first_line(error),
            columns=", ".join(source.columns),
        ) from None
    codes.joins["passing"] = f"left join passing on passing.row = source.{quoted(ROW)}"


def _make_votes(votes: Votes) -> None:
    source, layout, reading, codes = votes.source, votes.layout, votes.reading, votes.codes
    things = votes.roles
    agent = codes.narrow("agent")
    roles = [f"coalesce({r}.code, -1)::{codes.narrow(r)} as {r}" for r in things.values()]
    judged = "judge" in things
    won, reason = outcome_sql(layout)
    margin, fault = margin_sql(layout, reading, won)
    known = "a is not null and b is not null"
    source.connection.execute(
        f"""
        create or replace temp table vote as
        with read as (
            select
                source.{quoted(ROW)} as row, a.code as a, b.code as b,
                {won} as won_a, {reason} as unread, {margin} as margin_a, {fault} as unmeasured,
                {order_sql(layout)} as shown_a, {weight_sql(layout)} as weight,
                {selected_sql(reading, judged)} as left_out,
                {"coalesce(judging.whole, false)" if judged else "false"} as whole
                {"".join(", " + role for role in roles)}
            from {source.table} as source
            {" ".join(codes.joins.values())}
        )
        select
            row,
            (case when {known} then least(a, b) else -1 end)::{agent} as first,
            (case when {known} then greatest(a, b) else -1 end)::{agent} as second,
            coalesce(a > b, false) as turned,
            (case
                when left_out <> 0 then left_out
                when not ({known}) then {PLACE["no_agent"]}
                when a = b then {PLACE["self_pair"]}
                when unread <> 0 then unread
                else unmeasured
            end)::utinyint as reason,
            (case when a > b then 2 - won_a else won_a end)::tinyint as won,
            (case when a > b then -shown_a else shown_a end)::tinyint as shown,
            weight,
            case when a > b then -margin_a else margin_a end as margin,
            whole
            {"".join(", " + alias for alias in things.values())}
        from read
        """
    )
