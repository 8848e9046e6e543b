"""What of some records a format has no place for, counted by name before it is written."""

from collections import Counter
from collections.abc import Iterable

from arena.domain.imported import Import, ImportedTranscript, ImportedVerdict


def common_losses(
    records: Import,
    *,
    sheets: bool = False,
    order: bool = True,
    replicates: bool = False,
    strength: bool = True,
) -> Counter[str]:
    """The losses of a format that says whether it holds each of these; criteria none of them do."""
    lost: Counter[str] = Counter()
    if not sheets:
        lost["sheets"] = len(records.sheets)
    if not replicates:
        lost["replicates"] = sum(t.replicate > 1 for t in records.transcripts)
        lost["replicates"] += sum(v.replicate > 1 for v in records.verdicts)
    if not order:
        lost["order"] = sum(v.ordered for v in records.verdicts)
    if not strength:
        lost["strength"] = sum(v.margin is not None for v in records.verdicts)
    lost["criteria"] = sum(bool(v.criteria) for v in records.verdicts)
    lost["system"] = sum(any(m.role == "system" for m in t.messages) for t in records.transcripts)
    return lost


def told(lost: Counter[str]) -> dict[str, int]:
    """The losses that there are."""
    return {what: n for what, n in sorted(lost.items()) if n}


def first_replicates(records: Import) -> tuple[list[ImportedTranscript], list[ImportedVerdict]]:
    """The transcripts and verdicts of the first repetition, for a format that holds no other."""
    return (
        [t for t in records.transcripts if t.replicate == 1],
        [v for v in records.verdicts if v.replicate == 1],
    )


def turns_of(transcript: ImportedTranscript) -> list[str]:
    """What the user says, in order."""
    return [m.text for m in transcript.messages if m.role == "user"]


def replies_of(transcript: ImportedTranscript) -> list[str]:
    """What the agent says, in order."""
    return [m.text for m in transcript.messages if m.role == "assistant"]


def by_agent(
    transcripts: Iterable[ImportedTranscript],
) -> dict[str, list[ImportedTranscript]]:
    """The transcripts of each agent, as they come."""
    found: dict[str, list[ImportedTranscript]] = {}
    for transcript in transcripts:
        found.setdefault(transcript.agent, []).append(transcript)
    return found
