"""A board of former times, as far as its file tells."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from arena.domain.basis import Basis
from arena.domain.board import Board
from arena.domain.money import Money
from arena.domain.words import Words


@dataclass(frozen=True, slots=True, kw_only=True)
class Former:
    """One board of a file or folder that was published before.

    `costs`: by agent, per transcript; whoever is not in it has a cost that is not known. `names`:
    by agent, where the file holds them. `source`: the name of the file or folder.
    """

    board: Board
    basis: Basis
    source: str
    costs: Mapping[str, Money] = field(default_factory=dict)
    names: Mapping[str, Words] = field(default_factory=dict)
