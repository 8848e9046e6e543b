"""Transcripts: one agent in one scenario, and the key that identifies it."""

from dataclasses import dataclass
from functools import cached_property

from arena.domain.call import Message
from arena.domain.digest import digest


@dataclass(frozen=True, kw_only=True)
class TranscriptSpec:
    """A transcript that is wanted: the columns of its natural key.

    `shown` is the digest of what the agent is shown; `user` is "canned" or the digest of a
    simulated user; `origin` is "own" or the digest of an import. `rounds` is how many user turns
    there are; it follows from `shown` and so is no part of the key.
    """

    suite: str
    shown: str
    mode: str
    agent: str
    agent_digest: str
    scenario: str
    user: str = "canned"
    replicate: int = 1
    origin: str = "own"
    rounds: int = 1

    @cached_property
    def key(self) -> str:
        """Digest of the natural key."""
        return digest(
            [
                "transcript",
                self.suite,
                self.shown,
                self.mode,
                self.agent,
                self.agent_digest,
                self.scenario,
                self.user,
                self.replicate,
                self.origin,
            ]
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Transcript:
    """A finished transcript: every user turn was answered.

    `messages` hold what was exchanged (system prompt first, if any, then a product's own first
    message); thinking is left out of them and kept with its call.
    """

    spec: TranscriptSpec
    messages: tuple[Message, ...]
    calls: tuple[str, ...]
    """Keys of the calls whose replies are quoted, one a round."""
    at: str

    @property
    def key(self) -> str:
        """Digest of the natural key."""
        return self.spec.key

    @property
    def rounds(self) -> tuple[tuple[str, str], ...]:
        """(user turn, reply) of every round."""
        spoken = [m for m in self.messages if m.role != "system"]
        texts = [m.text for m in (spoken[1:] if self.welcome else spoken)]
        return tuple(zip(texts[::2], texts[1::2], strict=True))

    @property
    def welcome(self) -> str:
        """What the agent said before the first user turn; empty where it said nothing."""
        spoken = [m for m in self.messages if m.role != "system"]
        return spoken[0].text if spoken and spoken[0].role == "assistant" else ""
