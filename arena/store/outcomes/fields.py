"""SQL of the fields of a row: what it says, and why it cannot be used. And what is refused.

Each function gives an expression over the joins of `rows` (`source`, `a`, `b`, `said`,
`judging`, `passing`).
"""

from arena.domain.layout import REASONS, Layout, Reading
from arena.errors import UsageError
from arena.store.outcomes.codes import trimmed
from arena.store.outcomes.table import ROW, OutcomeSource, quoted

PLACE = {reason: place for place, reason in enumerate(REASONS)}
"""The code of each reason."""
STRONGEST = 5
"""The largest strength that a margin may state."""


def outcome_sql(layout: Layout) -> tuple[str, str]:
    """What `a` won (2, 1, 0 or null), and the reason where that cannot be read."""
    if layout.wins is None:
        # Said by name: the winner is one of the row's own two agents.
        named = "case said.code when a.code then 2 when b.code then 0 end"
        return (
            f"coalesce(said.won, {named})",
            f"""case
                when coalesce(said.empty, true) then {PLACE["no_outcome"]}
                when said.won <> {named} then {PLACE["ambiguous_outcome"]}
                when coalesce(said.won, {named}) is null then {PLACE["unknown_outcome"]}
                else 0 end""",
        )
    flags = [f"lower({trimmed('source.' + quoted(column))})" for column in layout.wins]
    yes = [f"coalesce({flag} in ('1', '1.0', 'true'), false)" for flag in flags]
    known = [
        f"coalesce({flag}, '') in ('1', '1.0', 'true', '0', '0.0', 'false', '')" for flag in flags
    ]
    count = " + ".join(f"({flag})::tinyint" for flag in yes)
    blank = " and ".join(f"coalesce({flag}, '') = ''" for flag in flags)
    return (
        f"case when {yes[0]} then 2 when {yes[1]} then 0 when {yes[2]} then 1 end",
        f"""case
            when {blank} then {PLACE["no_outcome"]}
            when not ({" and ".join(known)}) or {count} = 0 then {PLACE["unknown_outcome"]}
            when {count} > 1 then {PLACE["ambiguous_outcome"]}
            else 0 end""",
    )


def selected_sql(reading: Reading, judged: bool) -> str:
    """The reason why a row is left out by choice, else 0."""
    cases = []
    if reading.where is not None:
        cases.append(f"when passing.row is null then {PLACE['filtered']}")
    if judged:
        cases.append("when judging.reason <> 0 then judging.reason")
        if reading.judges:
            cases.append(f"when judging.code is null then {PLACE['other_judge']}")
    return f"case {' '.join(cases)} else 0 end" if cases else "0"


def order_sql(layout: Layout) -> str:
    """The order: 1 (ab), −1 (ba), 0 (not recorded), null where it is none of these."""
    if layout.order is None:
        return "0"
    text = f"lower({trimmed('source.' + quoted(layout.order))})"
    return f"case coalesce({text}, '') when 'ab' then 1 when 'ba' then -1 when '' then 0 end"


def weight_sql(layout: Layout) -> str:
    """The weight, 1 where empty, null where it is not in (0, 1]."""
    if layout.weight is None:
        return "1::double"
    text = trimmed("source." + quoted(layout.weight))
    number = f"try_cast({text} as double)"
    return (
        f"case when coalesce({text}, '') = '' then 1 "
        f"when {number} > 0 and {number} <= 1 then {number} end::double"
    )


def margin_sql(layout: Layout, reading: Reading, won: str) -> tuple[str, str]:
    """The margin in favour of `a`, and the reason where there is none, if margins are read.

    A negative margin is signed: it speaks for b. Any other is the strength of whoever won. A tie
    has margin 0 whatever is written.
    """
    if reading.outcome != "margin" or layout.margin is None:
        return "null::double", "0"
    number = f"try_cast({trimmed('source.' + quoted(layout.margin))} as double)"
    margin = (
        f"case when {won} = 1 then 0 when {number} < 0 then {number} "
        f"when {won} = 0 then -{number} else {number} end"
    )
    return margin, (
        f"case when {won} = 1 then 0 when {number} is null then {PLACE['no_margin']} "
        f"when {number} < 0 and {won} = 2 then {PLACE['ambiguous_outcome']} else 0 end"
    )


def check_values(source: OutcomeSource, layout: Layout, reading: Reading) -> None:
    """Raise UsageError for a value that would change the meaning of its row if it were guessed."""
    wrong = {
        layout.weight: ("vote.weight is null", "0 < {} <= 1"),
        layout.order: ("vote.shown is null", "ab, ba"),
    }
    if reading.outcome == "margin" and layout.margin:
        text = trimmed("source." + quoted(layout.margin))
        # NaN compares as greater than every number, so it is refused with what is too large.
        wrong[layout.margin] = (
            f"coalesce({text}, '') <> '' "
            f"and coalesce(abs(try_cast({text} as double)) > {STRONGEST}, true)",
            f"-{STRONGEST} <= {{}} <= {STRONGEST}",
        )
    chosen = ", ".join(str(PLACE[reason]) for reason in ("filtered", "human", "other_judge"))
    for column, (fault, possible) in wrong.items():
        if column is None:
            continue
        found = source.connection.execute(
            f"select vote.row, source.{quoted(column)}::varchar from vote "
            f"join {source.table} as source on source.{quoted(ROW)} = vote.row "
            f"where vote.reason not in ({chosen}) and ({fault}) order by vote.row limit 1"
        ).fetchone()
        if found:
            raise UsageError(
                "{path}: row {row}: `{column}` is {value}; possible: {possible}",
                path=source.name,
                row=found[0],
                column=column,
                value=found[1],
                possible=possible.format(column),
            )
