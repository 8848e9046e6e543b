"""The answer key as a judge: a reply is read, the letter is right or wrong, right beats wrong.

No model is asked. What it finds is kept like any judge's answer: sheets that say 1 or 0, verdicts
without an order, and neither where a reply could not be read.
"""

from functools import cache

from arena.domain.call import Status
from arena.domain.choice import Choice, Letter
from arena.domain.digest import digest
from arena.domain.key import CORRECT, SHEET
from arena.domain.score import Score, Sheet, SheetSpec
from arena.domain.transcript import Transcript
from arena.domain.verdict import Outcome, Presentation, Verdict, Wording
from arena.judging.choice import SHAPE, read_choice

NO_CUT = "none"
DASH = "—"


@cache
def key_wording(answer: Letter) -> Wording:
    """What makes a finding of the key: how replies are read, the sheet, and the right letter."""
    return Wording(
        template=digest(["choice", SHAPE]),
        rubric=digest(SHEET.model_dump(mode="json")),
        notes=digest({"answer": answer}),
        cut=NO_CUT,
    )


def letter_of(transcript: Transcript) -> Letter | None:
    """The letter that a transcript's last reply answers with; None when none can be read."""
    return read_choice(transcript.rounds[-1][1])


def mark_sheet(spec: SheetSpec, transcript: Transcript, choice: Choice) -> Sheet:
    """The key's sheet of a transcript: 1 or 0, or `unparsed` without a score."""
    letter = letter_of(transcript)
    right = choice.answers[spec.scenario]
    scores = () if letter is None else (Score(criterion=CORRECT, value=float(letter == right)),)
    return Sheet(
        spec=spec,
        attempt=1,
        status=Status.UNPARSED if letter is None else Status.OK,
        scores=scores,
        summary="" if letter is None else f"{letter} (key: {right})",
        strengths=(),
        issues=(),
        flags=(),
        call="",
        at=transcript.at,
    )


def decide(spec: Presentation, a: Transcript, b: Transcript, choice: Choice) -> Verdict:
    """The key's verdict of two transcripts; no outcome where either could not be read."""
    letters = (letter_of(a), letter_of(b))
    right = choice.answers[spec.scenario]
    readable = None not in letters
    return Verdict(
        presentation=spec,
        attempt=1,
        status=Status.OK if readable else Status.UNPARSED,
        outcome=_outcome(letters[0] == right, letters[1] == right) if readable else None,
        margin=None,
        reason=f"{letters[0] or DASH} : {letters[1] or DASH} (key: {right})",
        criteria=(),
        flags=(),
        codes=("", ""),
        call="",
        at=max(a.at, b.at),
    )


def _outcome(a: bool, b: bool) -> Outcome:
    if a == b:
        return Outcome.TIE
    return Outcome.A if a else Outcome.B
