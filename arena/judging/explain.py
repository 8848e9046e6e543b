"""How a reply is understood, in the terms of results: status, outcome, margin, scores, flags."""

from collections.abc import Mapping
from dataclasses import dataclass

from arena.domain.call import Status
from arena.domain.words import Lang
from arena.judging.choice import read_choice
from arena.judging.pairwise import PairwiseContract, to_outcome
from arena.judging.phrases import COMPLAIN
from arena.judging.rubric import RubricContract
from arena.judging.thinking import split_thinking


@dataclass(frozen=True, slots=True, kw_only=True)
class Explained:
    """A reading. What does not apply is None.

    `outcome`: `a` (shown first), `b` or `tie`; of a multiple choice its letter. `criteria`: of a
    comparison the side and strength by criterion. `scores`: None for one left unjudged.
    """

    status: Status
    outcome: str | None = None
    margin: int | None = None
    criteria: Mapping[str, tuple[str, int | None]] | None = None
    scores: Mapping[str, float | None] | None = None
    flags: tuple[str, ...] = ()
    complaint: str | None = None


def explain_pairwise(
    contract: PairwiseContract, text: str | None, finish_reason: str | None
) -> Explained:
    """What a reply says of two transcripts; under `truncated` the outcome is a salvaged one."""
    read = contract.read(text, finish_reason=finish_reason)
    return Explained(
        status=read.status,
        outcome=to_outcome(read.winner, "ab").value if read.winner else None,
        margin=read.margin,
        criteria={c.criterion: (to_outcome(c.side, "ab").value, c.strength) for c in read.criteria}
        or None,
        flags=read.flags,
        complaint=read.complaint,
    )


def explain_rubric(
    contract: RubricContract, text: str | None, finish_reason: str | None
) -> Explained:
    """What a reply gives a transcript; scores only where the whole sheet could be read."""
    read = contract.read(text, finish_reason=finish_reason)
    scores: dict[str, float | None] = {s.criterion: s.value for s in read.scores}
    scores |= dict.fromkeys(read.backing.unjudged)
    return Explained(
        status=read.status,
        scores=scores if read.status is Status.OK else None,
        flags=read.flags,
        complaint=read.complaint,
    )


def explain_choice(text: str | None, finish_reason: str | None, lang: Lang) -> Explained:
    """The letter of a reply, or why there is none."""
    visible = split_thinking(text or "").visible
    if letter := read_choice(visible):
        return Explained(status=Status.OK, outcome=letter)
    say = COMPLAIN[lang]
    if finish_reason == "content_filter":
        return Explained(status=Status.BLOCKED, complaint=say["no_letter"])
    if not visible.strip():
        return Explained(status=Status.EMPTY, complaint=say["empty"])
    if finish_reason == "length":
        return Explained(status=Status.TRUNCATED, complaint=say["truncated"])
    return Explained(status=Status.UNPARSED, complaint=say["no_letter"])
