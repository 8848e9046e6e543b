"""A file's outcomes as arrays: comparisons, codes, and counts of what was left out."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from arena.domain.layout import Layout, Reading
from arena.errors import UsageError
from arena.store.outcomes.columns import (
    Coded,
    Missing,
    OutcomeColumns,
    coded,
    members,
    narrow,
    part_of_ties,
    renumber,
)
from arena.store.outcomes.counts import Counts, count_rows, missing_by_pair
from arena.store.outcomes.fields import PLACE
from arena.store.outcomes.folding import Folded, fold
from arena.store.outcomes.plain import Gathered, gather_plain
from arena.store.outcomes.rows import CODED, Votes, code_rows, is_plain, name_rows
from arena.store.outcomes.table import OutcomeSource

SORTED_UP_TO = 50_000
"""Rows of a plain file that are sorted; longer ones stay in row order."""
NOBODY = ("filtered", "human", "other_judge", "no_agent", "self_pair")
"""Reasons under which a row does not bring its agents onto the board."""


def read_outcomes(
    source: OutcomeSource,
    layout: Layout,
    reading: Reading | None = None,
    asked: Sequence[str] = (),
) -> OutcomeColumns:
    """The comparisons of a loaded source.

    `asked`: further columns to code, each a role of the layout or else a column of the file.
    Raises UsageError for options that the file cannot serve, for values that cannot be, and where
    no comparison is left.
    """
    return columns_of(named_votes(source, layout, reading or Reading(), asked), asked)


def named_votes(
    source: OutcomeSource, layout: Layout, reading: Reading, asked: Sequence[str]
) -> Votes:
    """The rows of a source with everything named; raises as `read_outcomes`."""
    check_options(source, layout, reading)
    return name_rows(source, layout, reading, asked_columns(source, layout, asked), short=True)


def columns_of(votes: Votes, asked: Sequence[str]) -> OutcomeColumns:
    """The comparisons of named rows; raises as `read_outcomes`."""
    plain = is_plain(votes.layout, votes.reading, votes.key)
    gathered = gather_plain(votes, SORTED_UP_TO) if plain else gather(votes)
    if not gathered.counts.used:
        raise nothing_left(votes, gathered.counts)
    found, lacking = gathered.found, gathered.missing
    place, agents = board_agents(votes, gathered.met)
    codes = coded_roles(votes, found, asked)
    folded, weight = found.get("folded"), found.get("weight")
    if folded is not None and not folded.any():
        folded = None
    return OutcomeColumns(
        agents=agents,
        first=renumber(place, found["first"]),
        second=renumber(place, found["second"]),
        share=narrow(found["share"]),
        tie=part_of_ties(found["tie"]),
        weight=None if weight is None or (weight == 1).all() else weight,
        folded=folded,
        flipped=None if folded is None else found["flipped"],
        row=found.get("row"),
        codes=codes,
        tags=members(codes["tag"]) if "tag" in codes else None,
        missing=missing_pairs(place, lacking),
        counts=gathered.counts,
        layout=votes.layout,
        encoding=votes.source.encoding,
        maximum=gathered.maximum,
        in_order=gathered.in_order,
    )


def check_options(source: OutcomeSource, layout: Layout, reading: Reading) -> None:
    """Refuse options that need columns which are not there, and a file without rows."""
    needs = {"margin": (layout.margin,), "criteria": (layout.criterion, layout.scenario)}
    if None in needs.get(reading.outcome, ()):
        raise UsageError(
            "--outcome {outcome}: the file has no column for it",
            why="It needs: {needs}. Columns found: {columns}.",
            outcome=reading.outcome,
            needs={"margin": "margin", "criteria": "criterion, scenario"}[reading.outcome],
            columns=", ".join(source.columns),
        )
    if reading.judges and not layout.judge:
        raise UsageError(
            "--judge: the file has no column of judges",
            why="Columns found: {columns}.",
            columns=", ".join(source.columns),
        )
    empty = source.connection.execute(f"select 1 from {source.table} limit 1").fetchone() is None
    if empty:
        raise UsageError(
            "{path}: there are no rows below the header ({malformed} malformed)",
            path=source.name,
            malformed=source.malformed,
        )


def asked_columns(source: OutcomeSource, layout: Layout, asked: Sequence[str]) -> dict[str, str]:
    """Columns asked for that serve no role yet, by the name under which they were asked for."""
    found = {}
    for name in asked:
        if name in CODED and getattr(layout, name):
            continue
        if name not in source.columns:
            raise UsageError(
                "there is no column `{column}`",
                why="Columns found: {columns}.",
                column=name,
                columns=", ".join(source.columns),
            )
        found[name] = name
    return found


def gather(votes: Votes) -> Gathered:
    """The comparisons of a file that has something to fold, weigh, choose or count once."""
    code_rows(votes)
    folded = fold(votes)
    counts = count_rows(votes)
    in_order, found = _fetch(votes, folded, counts.used)
    return Gathered(
        found=found,
        met=met_agents(votes),
        missing=missing_by_pair(votes, folded),
        counts=counts,
        maximum=folded.maximum,
        in_order=in_order,
    )


def met_agents(votes: Votes) -> NDArray[Any]:
    """Codes of the agents that the rows read bring onto the board, compared or not."""
    nobody = ", ".join(str(PLACE[reason]) for reason in NOBODY)
    found = votes.source.connection.execute(
        f"select first as code from vote where reason not in ({nobody}) "
        f"union select second from vote where reason not in ({nobody})"
    )
    return np.asarray(found.fetchnumpy()["code"])


def sorting(votes: Votes, prefix: str = "") -> str:
    """SQL of the order in which nothing of the file's own order shows."""
    known = [
        votes.roles[role]
        for role in ("scenario", "judge", "replicate", "criterion")
        if role in votes.roles
    ]
    scenario, rest = (known[:1], known[1:]) if "scenario" in votes.roles else ([], known)
    keys = [*scenario, "first", "second", *rest, "share", "tie", "weight", "row"]
    return ", ".join(prefix + key for key in keys)


def _fetch(votes: Votes, folded: Folded, size: int) -> tuple[bool, dict[str, Any]]:
    """The columns of the comparisons, and whether they are sorted."""
    codes = "".join(f", {alias}" for alias in votes.roles.values())
    exact = folded.maximum is None and votes.layout.weight is None
    in_order = not folded.plain or not exact or size <= SORTED_UP_TO
    found = votes.source.connection.execute(
        "select row, first, second, share, tie, weight, "
        f"folded, flipped{codes} from {folded.name} "
        f"order by {sorting(votes) if in_order else 'row'}"
    ).fetchnumpy()
    return in_order, dict(found)


def coded_roles(votes: Votes, found: dict[str, Any], asked: Sequence[str]) -> dict[str, Coded]:
    """The codes of the roles and of the columns asked for, by name."""
    shown = {*CODED, *asked}
    if votes.reading.outcome == "criteria":
        # A majority over criteria is of no criterion.
        shown -= {"criterion"}
    return {
        role: coded(votes.codes.names(alias), found[alias])
        for role, alias in votes.roles.items()
        if role in shown
    }


def board_agents(votes: Votes, met: NDArray[Any]) -> tuple[NDArray[Any], tuple[str, ...]]:
    """The new code of each code of `votes` (the last: of −1), and the names by new code."""
    names = votes.codes.names("agent")
    used = np.zeros(len(names), dtype=bool)
    used[met] = True
    place = np.append(np.where(used, np.cumsum(used) - 1, -1), -1)
    return place, tuple(names[code] for code in np.flatnonzero(used).tolist())


def missing_pairs(place: NDArray[Any], lacking: Mapping[str, NDArray[Any]]) -> Missing:
    """Comparisons that are missing, by the new codes of the agents; `place`: see board_agents."""
    return Missing(
        first=renumber(place, lacking["first"]),
        second=renumber(place, lacking["second"]),
        comparisons=lacking["comparisons"],
    )


def nothing_left(votes: Votes, counts: Counts) -> UsageError:
    """Why no comparison is left, with the labels seen where it is the outcomes."""
    excluded = ", ".join(f"{reason} {found.rows}" for reason, found in counts.excluded.items())
    facts = {"path": votes.source.name, "excluded": excluded}
    outcome = votes.layout.outcome
    if outcome and {"unknown_outcome", "no_outcome", "ambiguous_outcome"} & set(counts.excluded):
        labels = ", ".join(f"{label!r} {n}" for label, n in votes.source.labels(outcome))
        return UsageError(
            "{path}: no row has an outcome that can be read",
            why="Seen in `{column}`: {labels}. Rows excluded: {excluded}.",
            fix="An outcome is a, b, tie, or the name of one of the row's two agents.",
            column=outcome,
            labels=labels or "-",
            **facts,
        )
    return UsageError("{path}: no comparison is left", why="Rows excluded: {excluded}.", **facts)
