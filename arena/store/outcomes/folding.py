"""From rows to comparisons: votes counted once, criteria put together, both orders folded."""

from dataclasses import dataclass

from arena.store.outcomes.fields import PLACE, STRONGEST
from arena.store.outcomes.rows import Votes


@dataclass(frozen=True, slots=True, kw_only=True)
class Folded:
    """Where the comparisons are: the table or view `name`, and how it was made.

    Its columns: `row` (the first row that entered), `first`, `second`, `share`, `tie`, `weight`,
    `folded`, `flipped`, and the codes of the roles. `presentations`: the table or view of the
    presentations that went in, with the same columns. `plain`: every one is a comparison.
    `maximum`: the margin that makes a share of 1, where margins are read.
    """

    name: str
    presentations: str
    plain: bool
    maximum: float | None


def fold(votes: Votes) -> Folded:
    """Exclude what was said twice or in one order only, and make the comparisons."""
    if votes.key:
        _exclude_repeated(votes)
    maximum = _maximum(votes)
    if not _may_fold(votes) and votes.reading.outcome != "criteria":
        _run(votes, f"create or replace temp view whole_vote as {_presentations(votes, maximum)}")
        return Folded(name="whole_vote", presentations="whole_vote", plain=True, maximum=maximum)
    _mark_foldable(votes)
    _run(
        votes,
        f"create or replace temp table presentation as {_presentations(votes, maximum)}",
    )
    if votes.reading.single_order == "drop":
        _exclude_single(votes)
    _run(votes, f"create or replace temp table comparison as {_comparisons(votes)}")
    return Folded(name="comparison", presentations="presentation", plain=False, maximum=maximum)


def _run(votes: Votes, sql: str) -> None:
    votes.source.connection.execute(sql)


def _aliases(votes: Votes, *roles: str) -> list[str]:
    return [votes.roles[role] for role in roles if role in votes.roles]


def same_vote(votes: Votes) -> list[str]:
    """The columns that are equal in rows that state the same vote."""
    always = ("replicate", "criterion")
    return [
        "first",
        "second",
        "shown",
        *dict.fromkeys(_aliases(votes, *votes.key, *always)),
    ]


def has_key(votes: Votes) -> str:
    """SQL of whether a row has its whole key; one without is a vote of its own."""
    return " and ".join(f"{alias} >= 0" for alias in _aliases(votes, *votes.key)) or "false"


def _exclude_repeated(votes: Votes) -> None:
    """Of equal votes with one key the first stays; contradictory ones are all excluded."""
    same = same_vote(votes)
    _run(
        votes,
        f"""
        create or replace temp table repeated as
        select
            {", ".join(same)},
            min(won) < max(won) or coalesce(min(margin) < max(margin), false) as contradictory,
            arg_min(row, struct_pack(weight, row)) as kept
        from vote
        where reason = 0 and {has_key(votes)}
        group by all
        having count(*) > 1
        """,
    )
    _run(
        votes,
        f"""
        update vote
        set reason = case
            when contradictory then {PLACE["contradictory"]} else {PLACE["duplicate"]}
        end
        from repeated
        where vote.reason = 0 and (contradictory or row <> kept)
            and {" and ".join(f"vote.{column} = repeated.{column}" for column in same)}
        """,
    )


def _maximum(votes: Votes) -> float | None:
    """What a margin is measured against: strengths go to 5, differences of probabilities to 1."""
    if votes.reading.outcome != "margin":
        return None
    found = votes.source.connection.execute(
        "select coalesce(max(abs(margin)) > 1, false) from vote where reason = 0"
    ).fetchall()
    return float(STRONGEST) if found[0][0] else 1.0


def _may_fold(votes: Votes) -> bool:
    return votes.layout.order is not None and "scenario" in votes.roles


def together(votes: Votes) -> list[str]:
    """The columns that are equal in the presentations of one comparison."""
    roles = ["scenario", "judge", "replicate"]
    if votes.reading.outcome != "criteria":
        roles.append("criterion")
    return ["first", "second", *_aliases(votes, *roles)]


def _mark_foldable(votes: Votes) -> None:
    """Mark the rows whose judge was shown some comparison in both orders.

    Rows of both orders of different comparisons prove nothing: whoever draws one order at random
    for each has both in the file.
    """
    _run(votes, "alter table vote add column foldable boolean default false")
    if not _may_fold(votes):
        return
    scenario = votes.roles["scenario"]
    judge = next(iter(_aliases(votes, "judge")), "0")
    candidate = f"first < second and shown <> 0 and not whole and {scenario} >= 0"
    _run(
        votes,
        f"""
        update vote set foldable = true
        where {candidate} and {judge} in (
            select {judge} as judge
            from vote
            where {candidate}
            group by {", ".join(together(votes))}
            having min(shown) < max(shown)
        )
        """,
    )


def _presentations(votes: Votes, maximum: float | None) -> str:
    """SQL of one row a presentation: a readable row, or the majority over its criteria."""
    plain = not _may_fold(votes) and votes.reading.outcome != "criteria"
    rest = "" if plain else ", shown, foldable, whole"
    if votes.reading.outcome != "criteria":
        share = "won / 2" if maximum is None else f"0.5 + 0.5 * margin / {maximum}"
        codes = "".join(f", {alias}" for alias in votes.roles.values())
        return (
            f"select row, first, second, ({share})::double as share, (won / 2)::double as lead, "
            "(won = 1)::tinyint::double as tie, weight, false as folded, false as flipped"
            f"{codes}{rest} from vote where reason = 0"
        )
    shown = [*together(votes), "shown", "foldable", "whole"]
    others = [alias for alias in votes.roles.values() if alias not in shown]
    least = "".join(f", min({alias}) as {alias}" for alias in others)
    # A row without a scenario shares its presentation with no other.
    alone = f"case when {votes.roles['scenario']} < 0 then row end"
    return (
        f"select min(row) as row, {', '.join(shown)}, (sign(sum(won - 1)) + 1) / 2 as share, "
        "share as lead, (sum(won - 1) = 0)::tinyint::double as tie, "
        f"{_mean(votes, 'weight')} as weight, "
        f"false as folded, false as flipped{least} "
        f"from vote where reason = 0 group by {', '.join(shown)}, {alone}"
    )


def _mean(votes: Votes, column: str) -> str:
    """SQL of a mean that does not depend on the order of the rows.

    Halves add up exactly in any order; margins and weights are added in an order of their own.
    """
    exact = votes.reading.outcome != "margin" and votes.layout.weight is None
    return f"avg({column})" if exact else f"avg({column} order by {column})"


def _exclude_single(votes: Votes) -> None:
    """Exclude the rows of comparisons of which one order only is readable."""
    columns = together(votes)
    _run(
        votes,
        f"create or replace temp table single as select {', '.join(columns)} from presentation "
        "where foldable group by all having min(shown) = max(shown)",
    )
    match = " and ".join(f"{{0}}.{column} = single.{column}" for column in columns)
    _run(
        votes,
        f"update vote set reason = {PLACE['one_order']} from single "
        f"where vote.foldable and vote.reason = 0 and {match.format('vote')}",
    )
    _run(
        votes,
        "delete from presentation using single "
        f"where presentation.foldable and {match.format('presentation')}",
    )


def _comparisons(votes: Votes) -> str:
    """SQL of the comparisons: the mean over each order first, then over the two orders."""
    columns = together(votes)
    others = [alias for alias in votes.roles.values() if alias not in columns]
    least = "".join(f", min({alias}) as {alias}" for alias in others)
    codes = "".join(f", {alias}" for alias in votes.roles.values())
    fields = f"row, first, second, share, tie, weight, folded, flipped{codes}"
    return f"""
        with ordered as (
            select
                {", ".join(columns)}, shown, min(row) as row, count(*) as votes,
                {_mean(votes, "share")} as share,
                avg(lead) as lead, avg(tie) as tie, {_mean(votes, "weight")} as weight{least}
            from presentation
            where foldable
            group by {", ".join(columns)}, shown
        ),
        joined as (
            select
                {", ".join(columns)}, min(row) as row, avg(share) as share, avg(tie) as tie,
                min(votes) * avg(weight) as weight,
                count(*) = 2 as folded,
                count(*) = 2 and min(lead) = 0 and max(lead) = 1 as flipped{least}
            from ordered
            group by {", ".join(columns)}
        )
        select {fields} from presentation where not foldable
        union all
        select {fields} from joined
    """
