"""Counts of what was read, used and excluded, and of the comparisons that are missing."""

from dataclasses import dataclass
from typing import Any

from arena.domain.layout import MISSING, REASONS
from arena.store.outcomes.fields import PLACE
from arena.store.outcomes.folding import Folded, has_key, same_vote, together
from arena.store.outcomes.rows import Votes


@dataclass(frozen=True, slots=True, kw_only=True)
class Excluded:
    """How many rows were excluded for a reason, and the number of the first."""

    rows: int
    first_row: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Counts:
    """Rows by what became of them; reasons are those of REASONS.

    `read`: all data rows; `used`: rows that entered a comparison. `by_agent`: agent → reason →
    rows, excluded ones only. `by_judge`: judge (an empty name: none given) → reason → rows.
    """

    read: int
    used: int
    excluded: dict[str, Excluded]
    by_agent: dict[str, dict[str, int]]
    by_judge: dict[str, dict[str, int]]


def count_rows(votes: Votes) -> Counts:
    """Count the rows of the table `vote` and those that were malformed."""
    run, source = votes.source.connection.execute, votes.source
    excluded: dict[str, Excluded] = {}
    if source.first_malformed is not None:
        excluded["malformed"] = Excluded(rows=source.malformed, first_row=source.first_malformed)
    found = run("select reason, count(*), min(row) from vote group by reason order by reason")
    rows = {REASONS[reason]: (int(n), int(first)) for reason, n, first in found.fetchall()}
    used = rows.pop("used", (0, 0))[0]
    for reason, (n, first) in rows.items():
        excluded[reason] = Excluded(rows=n, first_row=first)
    read = used + sum(reason.rows for reason in excluded.values())
    return Counts(
        read=read,
        used=used,
        excluded=excluded,
        by_agent=_by_agent(votes),
        by_judge=_by_judge(votes),
    )


def _by_agent(votes: Votes) -> dict[str, dict[str, int]]:
    found = votes.source.connection.execute(
        """
        select name, reason, sum(n)::bigint
        from (
            select first as code, reason, count(*) as n from vote where reason > 0 group by all
            union all
            select second, reason, count(*) from vote
            where reason > 0 and first <> second group by all
        )
        join code_agent using (code)
        group by name, reason
        order by name, reason
        """
    )
    return _nested(found.fetchall())


def _by_judge(votes: Votes) -> dict[str, dict[str, int]]:
    if "judge" not in votes.roles:
        return {}
    judge = votes.roles["judge"]
    found = votes.source.connection.execute(
        f"""
        select coalesce(name, '') as name, reason, n
        from (select {judge} as code, reason, count(*) as n from vote group by all)
        left join code_{judge} using (code)
        order by name, reason
        """
    )
    return _nested(found.fetchall())


def _nested(rows: list[tuple[str, int, int]]) -> dict[str, dict[str, int]]:
    found: dict[str, dict[str, int]] = {}
    for name, reason, n in rows:
        found.setdefault(name, {})[REASONS[reason]] = int(n)
    return found


def missing_by_pair(votes: Votes, folded: Folded) -> dict[str, Any]:
    """Comparisons without an outcome: `first`, `second` (codes of `vote`), `comparisons`.

    Rows with one key are one vote, the criteria of a presentation too, and a vote of which one row
    is readable is not missing. A vote is half a comparison where its judge gives both orders.
    """
    reasons = ", ".join(str(PLACE[reason]) for reason in MISSING)
    if votes.reading.outcome == "criteria":
        same = [*together(votes), "shown"]
        alone = f"case when {votes.roles['scenario']} < 0 then row end"
    elif votes.key:
        same, alone = same_vote(votes), f"case when not ({has_key(votes)}) then row end"
    else:
        same, alone = ["row"], "null"
    part = "1.0" if folded.plain else "case when bool_or(foldable) then 0.5 else 1.0 end"
    # Without a key only the rows in question are grouped: there may be millions of others.
    rows = reasons if same == ["row"] else f"0, {reasons}"
    found = votes.source.connection.execute(
        f"""
        select first, second, sum(part)::double as comparisons
        from (
            select min(first) as first, min(second) as second, {part} as part
            from vote
            where first < second and reason in ({rows})
            group by {", ".join(same)}, {alone}
            having bool_and(reason <> 0)
        )
        group by first, second
        order by first, second
        """
    )
    return dict(found.fetchnumpy())
