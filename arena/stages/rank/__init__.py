"""rank: comparisons → board. `rank` reads the store; `board` assembles what it read."""

from arena.stages.rank.board import make_board
from arena.stages.rank.rank import rank

__all__ = ["make_board", "rank"]
