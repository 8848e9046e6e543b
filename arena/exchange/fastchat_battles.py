"""FastChat's battles: a JSON list of votes of its arena, and MT-bench's votes by people.

From documentation: `clean_battle_<date>.json` holds model_a, model_b, winner (model_a, model_b,
tie or tie (bothbad)), judge, turn, anony, language and tstamp; conversations may stand beside.
MT-bench's have question_id, and turn says which reply the vote is about: there it is a criterion.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from arena.domain.layout import Layout
from arena.exchange.format import VoteColumn, VotesPart
from arena.exchange.lmarena import LABELS, NEEDED
from arena.exchange.votes import BOTH_BAD, further_columns, recognise_as

START = 1 << 16
TURN = "turn"


def is_votes(path: Path) -> bool:
    """Whether a file is one of votes, not of questions, answers or judgments; never raises."""
    try:
        with path.open("rb") as stream:
            start = stream.read(START)
    except OSError:
        return path.is_file()
    text = start.decode("utf-8", "replace")
    return all(f'"{key}"' in text for key in ("model_a", "model_b", "winner"))


def recognise(columns: Sequence[str], given: Mapping[str, str], labels: Iterable[str]) -> Layout:
    """What the columns serve as; raises UsageError where an agent or the winner is missing."""
    found = recognise_as("fastchat", "lmarena", NEEDED, columns, given, labels)
    of_a_reply = found.scenario and found.time is None and TURN in found.unused
    if of_a_reply and found.criterion is None:
        # It stays a column of its own as well, and goes out under its name.
        return replace(found, criterion=TURN)
    return found


VOTES = VotesPart(
    recognise=recognise,
    is_votes=is_votes,
    columns=(
        VoteColumn(name="question_id", role="scenario"),
        VoteColumn(name="model_a", role="agent_a"),
        VoteColumn(name="model_b", role="agent_b"),
        VoteColumn(name="winner", role="outcome", labels=LABELS, own=BOTH_BAD),
        VoteColumn(name="judge", role="judge"),
        VoteColumn(name="turn", role="turn", kind="number"),
        VoteColumn(name="anony", role="anony", kind="truth"),
        VoteColumn(name="language", role="domain"),
        VoteColumn(name="tstamp", role="time", kind="number"),
        VoteColumn(name="conversation_a", role="conversation_a", kind="json"),
        VoteColumn(name="conversation_b", role="conversation_b", kind="json"),
        *further_columns("scenario", "judge", "domain", "time"),
    ),
    endings=(".json", ".jsonl"),
)
