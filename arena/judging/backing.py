"""What stands behind a sheet's numbers: reading it, and checking it against what was said."""

import math
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

from arena.domain.flag import FlagMark
from arena.domain.score import Backing, Evidence, Score
from arena.domain.suite import Rubric
from arena.domain.transcript import Transcript
from arena.judging.dialogue import spoken
from arena.judging.lenient import to_number

ANYWHERE = -1
"""Evidence that cites no single round."""
UNFOUND = "evidence_unfound"
"""Flag of quotations that do not occur where they are said to; `evidence_unfound:N`."""
_NEAR_ENOUGH = 1e-6
_IGNORED = re.compile(r"[\s\"'“”‘’「」『』]+")
_ELLIPSIS = re.compile(r"…+|\.{3,}|⋯+")


def listed(given: Any) -> tuple[str, ...]:
    """The texts of a list, blank ones left out; nothing for anything else."""
    if not isinstance(given, list):
        return ()
    return tuple(text for text in given if isinstance(text, str) and text.strip())


def read_confidence(given: Any) -> float | None:
    """A number from 0 to 1, else None: it is not clamped."""
    number = to_number(given) if isinstance(given, str) else given
    if isinstance(number, bool) or not isinstance(number, int | float):
        return None
    return float(number) if 0 <= number <= 1 else None


def read_evidence(given: Any, keys: Collection[str]) -> tuple[Evidence, ...]:
    """The quotations of a reply that name a known criterion; unchecked."""
    found = []
    for one in given if isinstance(given, list) else []:
        if not isinstance(one, dict) or one.get("criterion") not in keys:
            continue
        at, quote = one.get("round"), one.get("quote")
        whole = isinstance(at, int) and not isinstance(at, bool)
        if isinstance(quote, str) and quote.strip():
            # A quotation without a readable round cites none and is looked for everywhere.
            round_ = int(at) if whole and at is not None else ANYWHERE
            found.append(Evidence(criterion=one["criterion"], round=round_, quote=quote))
    return tuple(found)


def check_evidence(backing: Backing, transcript: Transcript, *, upto: int = 0) -> Backing:
    """The backing with every quotation looked for in the round that it cites.

    `upto`: the last round that the judge was shown; 0 for all. White space and quotation marks do
    not count; an ellipsis stands for anything between.
    """
    said = spoken(transcript)
    rounds = [f"{turn}\n{reply}" for turn, reply in zip(said.turns, said.replies, strict=True)]
    rounds = [_bare(text) for text in rounds[: upto or None]]
    checked = [replace(e, found=_occurs(e, rounds)) for e in backing.evidence]
    flags = [replace(m, found=_occurs(m, rounds)) for m in backing.red_flags]
    return replace(backing, evidence=tuple(checked), red_flags=tuple(flags))


def unfound_flag(backing: Backing) -> tuple[str, ...]:
    """The flag for quotations that were not found; none where all were."""
    missing = sum(not e.found for e in backing.evidence)
    missing += sum(bool(m.quote) and not m.found for m in backing.red_flags)
    return (f"{UNFOUND}:{missing}",) if missing else ()


def totals_off(rubric: Rubric, scores: Sequence[Score], *, total: Any, groups: Any) -> int:
    """How many stated sums differ from the sums of the scores; one that is not stated does not."""
    values = {s.criterion: s.value for s in scores}
    stated = [(total, values.values())] if rubric.total else []
    given: Mapping[str, Any] = groups if isinstance(groups, dict) else {}
    for group in rubric.groups:
        own = [values[key] for key in group.criteria if key in values]
        stated.append((given.get(group.group), own))  # type: ignore[arg-type]
    return sum(_differs(claim, sum(parts)) for claim, parts in stated if claim is not None)


def _differs(claim: Any, true: float) -> bool:
    number = to_number(claim) if isinstance(claim, str) else claim
    if isinstance(number, bool) or not isinstance(number, int | float):
        return True
    return not math.isclose(number, true, abs_tol=_NEAR_ENOUGH)


def _occurs(evidence: Evidence | FlagMark, rounds: Sequence[str]) -> bool:
    if evidence.round == ANYWHERE:
        return any(_holds(text, evidence.quote) for text in rounds)
    return 1 <= evidence.round <= len(rounds) and _holds(rounds[evidence.round - 1], evidence.quote)


def _holds(text: str, quote: str) -> bool:
    """Whether the pieces of a quotation stand in a text in their order."""
    at, pieces = 0, [p for p in map(_bare, _ELLIPSIS.split(quote)) if p]
    for piece in pieces:
        at = text.find(piece, at)
        if at < 0:
            return False
        at += len(piece)
    return bool(pieces)


def _bare(text: str) -> str:
    return _IGNORED.sub("", text)
