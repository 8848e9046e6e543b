"""Commentary: what a judge says freely of a transcript and of the scores that it gave it."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from arena.domain.call import Status
from arena.domain.digest import digest
from arena.domain.score import Sheet
from arena.domain.verdict import Wording


@dataclass(frozen=True, kw_only=True)
class CommentarySpec:
    """A commentary that is wanted: one transcript with one judge's own sheets of it.

    `scores` is the digest of those sheets: on other scores it is another commentary.
    """

    transcript: str
    agent: str
    scenario: str
    judge: str
    judge_digest: str
    wording: Wording
    scores: str

    @cached_property
    def key(self) -> str:
        """Digest of the natural key."""
        return digest(
            [
                "commentary",
                self.transcript,
                self.judge,
                self.judge_digest,
                self.wording.template,
                self.wording.rubric,
                self.wording.notes,
                self.wording.cut,
                self.scores,
            ]
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Commentary:
    """A commentary as answered; it bears on no score. Only with status `ok` it is whole."""

    spec: CommentarySpec
    attempt: int
    status: Status
    text: str
    flags: tuple[str, ...]
    call: str
    at: str


def scores_digest(sheets: Iterable[Sheet]) -> str:
    """Which sheets, and which attempts at them, a commentary is on; their order bears nothing."""
    return digest(sorted([sheet.spec.key, sheet.attempt] for sheet in sheets))
