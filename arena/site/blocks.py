"""Ranked agents that hang together: where a ranking may be cut, and where it may not.

Being told apart is not transitive: the first and the third may be told apart though neither can
be told from the second. So a ranking is cut between two places only where every agent above can be
told from every agent below. Between blocks each pair is decided; inside one the agents hang
together by pairs that are not, though not each with each.
"""

from collections.abc import Collection, Sequence
from string import ascii_uppercase

from arena.domain.board import Board
from arena.domain.standing import State
from arena.site.gates import group_of
from arena.site.part_views import Block


def find_blocks(board: Board, among: Collection[str] | None = None) -> tuple[tuple[str, ...], ...]:
    """The ranked agents in the board's order, cut into blocks; `among`: only these."""
    ranked = [
        s.agent
        for s in board.agents
        if s.state is State.RANKED and (among is None or s.agent in among)
    ]
    better = {(p.a, p.b) if p.decision == "a" else (p.b, p.a) for p in board.pairs if p.decision}
    blocks: list[tuple[str, ...]] = []
    start = 0
    for cut in range(1, len(ranked) + 1):
        above, below = ranked[start:cut], ranked[cut:]
        if all((one, other) in better for one in above for other in below):
            blocks.append(tuple(above))
            start = cut
    return tuple(blocks)


def place_blocks(board: Board | None) -> dict[str, Block]:
    """Where each ranked agent stands among those of its group that it cannot be told apart from."""
    if board is None:
        return {}
    groups = sorted({group_of(s) for s in board.agents})
    blocks = [
        block
        for group in groups
        for block in find_blocks(board, {s.agent for s in board.agents if group_of(s) == group})
    ]
    letter = letters(blocks)
    return {
        agent: Block(letter=letter.get(agent, ""), first=agent == block[0])
        for block in blocks
        for agent in block
    }


def letters(blocks: Sequence[Sequence[str]]) -> dict[str, str]:
    """The letter of each agent that shares a block with others; one that stands alone has none."""
    shared = [block for block in blocks if len(block) > 1]
    return {agent: _letter(n) for n, block in enumerate(shared) for agent in block}


def _letter(number: int) -> str:
    """A to Z, then AA to AZ, and so on."""
    more, last = divmod(number, len(ascii_uppercase))
    return (_letter(more - 1) if more else "") + ascii_uppercase[last]
