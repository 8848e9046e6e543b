"""A file of votes that is loaded and not yet kept: what it names, and which rows are wrong."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from arena.domain.layout import REASONS, Layout
from arena.store.outcomes.codes import Codes, trimmed
from arena.store.outcomes.fields import PLACE, order_sql, outcome_sql, weight_sql
from arena.store.outcomes.table import ROW, OutcomeSource, quoted
from arena.store.votes.columns import number_sql

POINTS = {"a": 2, "tie": 1, "b": 0}
FAULTS = (*REASONS, "bad_name", "bad_order", "bad_weight", "bad_margin", "repeated")
"""Why a row is wrong; the place of a reason is its code."""
LISTED = 20
"""Rows of one reason that are told by their numbers."""


@dataclass(frozen=True, slots=True)
class Fault:
    """Rows that are wrong for one reason: how many, and the numbers of the first."""

    reason: str
    count: int
    rows: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class LoadedVotes:
    """A loaded file: its agents and judges by name, the faults, and rows without an answer.

    The temporary table `fault(row, reason)` holds the rows that are wrong. `joins`: SQL that the
    expressions `won` and `shown` need beside the source.
    """

    source: OutcomeSource
    layout: Layout
    agents: tuple[str, ...]
    judges: int
    faults: tuple[Fault, ...]
    read: int
    good: int
    unanswered: int
    joins: str
    won: str
    shown: str


def look_at(
    source: OutcomeSource, layout: Layout, *, is_name: Callable[[str], bool]
) -> LoadedVotes:
    """Check every row of a loaded file; nothing is kept. `is_name`: what agents may be called."""
    codes = Codes(source)
    codes.add("agent", {"a": layout.a, "b": layout.b})
    if layout.outcome is not None:
        codes.add_said(layout.outcome, {k: POINTS[won] for k, won in layout.labels.items()})
    agents = codes.names("agent")
    judges = _judges(source, layout)
    _mark_names(source, agents, judges, is_name)
    won, unread = outcome_sql(layout)
    joins = " ".join(codes.joins.values())
    _find_faults(source, layout, joins, (won, unread))
    wrong = _listed(source)
    run = source.connection.execute
    count = int(run(f"select count(*) from {source.table}").fetchall()[0][0])
    empty = int(run("select count(*) from odd where reason = 0").fetchall()[0][0])
    return LoadedVotes(
        source=source,
        layout=layout,
        agents=_used(source, agents, joins) if wrong else tuple(agents),
        judges=len(judges),
        faults=(*_malformed(source), *wrong),
        read=count + source.malformed,
        good=count - sum(fault.count for fault in wrong),
        unanswered=empty,
        joins=joins,
        won=won,
        shown=order_sql(layout),
    )


def _judges(source: OutcomeSource, layout: Layout) -> list[str]:
    if layout.judge is None:
        return []
    found = source.connection.execute(
        f"select distinct {quoted(layout.judge)}::varchar as name from {source.table} "
        "where name <> '' order by name"
    )
    return [str(name) for (name,) in found.fetchall()]


def _mark_names(
    source: OutcomeSource,
    agents: Iterable[str],
    judges: Iterable[str],
    is_name: Callable[[str], bool],
) -> None:
    """`bad_name`: names that neither an agent nor a judge can have."""
    wrong = [name for name in {*agents, *judges} if not is_name(name)]
    source.connection.execute(
        "create or replace temp table bad_name as select unnest($names::varchar[]) as name",
        {"names": wrong},
    )


def _find_faults(
    source: OutcomeSource, layout: Layout, joins: str, outcome: tuple[str, str]
) -> None:
    """`odd`: rows that are wrong, or (reason 0) without an answer; `fault`: those that are wrong.

    All of it is found in one pass over the file. `outcome`: SQL of what was won, and why not.
    """
    won, unread = outcome
    code = {reason: place for place, reason in enumerate(FAULTS)}
    text = trimmed(f"source.{quoted(layout.margin)}") if layout.margin else "''"
    margin = number_sql(layout.margin)
    cases = [
        f"when a.code is null or b.code is null then {code['no_agent']}",
        f"when a.code = b.code then {code['self_pair']}",
        # A row without an answer is sound: it is kept, and never counted as a tie.
        f"when unread not in (0, {PLACE['no_outcome']}) then unread",
        *_bad_names(source, layout, code["bad_name"]),
        f"when ({order_sql(layout)}) is null then {code['bad_order']}",
        f"when ({weight_sql(layout)}) is null then {code['bad_weight']}",
        f"when coalesce({text}, '') <> '' and not coalesce(isfinite({margin}), false) "
        f"then {code['bad_margin']}",
    ]
    if layout.id and not (layout.scenario and layout.judge):
        # With both, who judged what is the key, and an id may be that of a task.
        cases.append(
            f"when source.{quoted(layout.id)} is not null and row_number() over "
            f"(partition by source.{quoted(layout.id)} order by source.{quoted(ROW)}) > 1 "
            f"then {code['repeated']}"
        )
    source.connection.execute(
        f"""
        create or replace temp table odd as
        select row, reason from (
            select
                source.{quoted(ROW)} as row, ({unread}) as unread, ({won}) is null as unanswered,
                (case {" ".join(cases)} else 0 end)::utinyint as reason
            from {source.table} as source {joins}
        )
        where reason <> 0 or unanswered
        """
    )
    source.connection.execute(
        "create or replace temp table fault as select row, reason from odd where reason <> 0"
    )


def _bad_names(source: OutcomeSource, layout: Layout, code: int) -> list[str]:
    if not source.connection.execute("select 1 from bad_name limit 1").fetchone():
        return []
    columns = [layout.a, layout.b, *([layout.judge] if layout.judge else [])]
    return [
        f"when source.{quoted(column)}::varchar in (select name from bad_name) then {code}"
        for column in columns
    ]


def _malformed(source: OutcomeSource) -> list[Fault]:
    if source.first_malformed is None:
        return []
    return [Fault("malformed", source.malformed, (source.first_malformed,))]


def _listed(source: OutcomeSource) -> list[Fault]:
    found = source.connection.execute(
        f"select reason, count(*), list(row order by row)[:{LISTED}] from fault "
        "group by reason order by reason"
    ).fetchall()
    return [Fault(FAULTS[place], int(n), tuple(rows)) for place, n, rows in found]


def _used(source: OutcomeSource, agents: list[str], joins: str) -> tuple[str, ...]:
    """The agents of the sound rows."""
    where = (
        f"from {source.table} as source {joins} "
        f"left join fault on fault.row = source.{quoted(ROW)} where fault.row is null"
    )
    found = source.connection.execute(
        f"select distinct a.code {where} union select distinct b.code {where} order by 1"
    ).fetchall()
    return tuple(agents[code] for (code,) in found)
