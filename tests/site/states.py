"""A leaderboard of what a hostile store does not hold: an old suite, bounds, and who has left."""

from dataclasses import replace

from arena.domain.standing import State, Why
from tests.site import boards
from tests.site.crowds import crowd

LEFT = "left-last-year"
"""An agent that the configuration no longer names; its comparisons still count."""
NONE = {"rating": None, "low": None, "high": None, "se": None, "se_clustered": None}


def stale_edition():
    """Ranked agents, one of them gone, bounds on either side, on a board of an older suite."""
    whole = crowd(5, 2)
    first, second, third, above, below = (a.id for a in whole.agents)
    few = {"comparisons": 12, "min_comparisons": 30, "scenarios": 2, "min_scenarios": 10}
    score = {"excluded": {}, "comparisons": 36}

    def ranked(agent, rating, place):
        ends = {"low": rating - 60, "high": rating + 50}
        return boards.standing(
            agent, rating=rating, rank_low=place, rank_high=place, **ends, **score
        )

    def bounded(agent, key, side, **end):
        why = Why(key=key, facts={"comparisons": 20, "scenarios": 2})
        return boards.standing(
            agent, State.UNBOUNDED, why=why, open=side, **{**NONE, **end}, **score
        )

    standings = (
        ranked(first, 1120.0, 1),
        ranked(second, 980.0, 2),
        ranked(LEFT, 880.0, 3),
        boards.standing(third, State.PROVISIONAL, why=Why(key="few_scenarios", facts=few), **score),
        bounded(above, "undefeated", "above", low=1205.0),
        bounded(below, "pointless", "below", high=795.0),
    )
    pairs = [boards.pair(first, other, "a") for other in (second, LEFT)]
    pairs.append(boards.pair(second, LEFT))
    board = boards.make_board(standings, pairs, digest="0" * 32)
    known = boards.edition_of(board, whole.job)
    return replace(whole, board=board, stale=True, agents=known.agents)
