"""Agents that are products: how each kind is reached, as data/arena.yaml says it.

`http` is a product with a web API of its own, `command` a program on this machine, `replay`
transcripts that were made elsewhere, `by_hand` what only a person can talk to.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any
from urllib.parse import urlsplit

from pydantic import Field, PrivateAttr, StringConstraints

from arena.domain.web import Http
from arena.domain.words import Frozen

__all__ = ["ByHand", "Command", "Http", "Product", "Replay", "Tape", "host_of_product"]

Name = Annotated[str, StringConstraints(pattern=r"^[A-Za-z_][A-Za-z0-9_]*$")]


class Command(Frozen):
    """A program that is given the dialogue on stdin as JSON and answers on stdout.

    `run` is the program and its arguments, never a shell's line; `env` names the only variables
    that it sees; `max_bytes` is the most that it may answer.
    """

    run: tuple[Annotated[str, Field(min_length=1)], ...] = Field(min_length=1)
    env: tuple[Name, ...] = ()
    max_bytes: int = Field(default=1_000_000, ge=1000)

    @property
    def variables(self) -> frozenset[str]:
        """Variables that must be set."""
        return frozenset(self.env)

    @property
    def stateful(self) -> bool:
        """Whether the product keeps the dialogue: a program is given all of it each time."""
        return False

    def to_digest(self) -> dict[str, Any]:
        """What bears on the answers."""
        return {"command": list(self.run)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Tape:
    """A transcript made elsewhere: (user turn, reply) of its rounds, and where it stands."""

    place: str
    rounds: tuple[tuple[str, str], ...]
    welcome: str = ""


class Replay(Frozen):
    """Transcripts that were made elsewhere: a file below data/, JSON lines.

    `agent` is what the agent is called in the file, where that is not its id here.
    """

    file: str = Field(min_length=1)
    agent: str | None = None
    _tapes: Mapping[tuple[str, int], Tape] = PrivateAttr(default_factory=dict)

    @property
    def tapes(self) -> Mapping[tuple[str, int], Tape]:
        """What the file holds of this agent, by scenario and replicate."""
        return self._tapes

    def with_tapes(self, tapes: Mapping[tuple[str, int], Tape]) -> "Replay":
        """The same, with what its file holds."""
        made = self.model_copy()
        made._tapes = dict(tapes)
        return made

    @property
    def variables(self) -> frozenset[str]:
        """Variables that must be set: none."""
        return frozenset()

    @property
    def stateful(self) -> bool:
        """Whether the product keeps the dialogue: nothing is kept but the file."""
        return False

    def to_digest(self) -> dict[str, Any]:
        """What bears on the answers; the words themselves are the transcript's origin."""
        return {"replay": True}


class ByHand(Frozen):
    """A product that only a person can talk to: nothing is asked of it here.

    Its transcripts come from a script that somebody has filled in.
    """

    @property
    def variables(self) -> frozenset[str]:
        """Variables that must be set: none."""
        return frozenset()

    @property
    def stateful(self) -> bool:
        """Whether the product keeps the dialogue: no dialogue is ever begun from here."""
        return False

    def to_digest(self) -> dict[str, Any]:
        """What bears on the answers: who pastes them, and when, does not."""
        return {"by_hand": True}


Product = Http | Command | Replay | ByHand


def host_of_product(product: Product) -> str:
    """Where a product is, for people: a host, or what stands for one."""
    if isinstance(product, Http):
        return urlsplit(product.url).netloc
    if isinstance(product, Command):
        return "command"
    return "replay" if isinstance(product, Replay) else "by hand"
