"""LMArena's frames of human votes: model_a, model_b, winner and much beside, in Parquet.

`winner` is model_a, model_b, tie, or both_bad (older: tie (bothbad)); `conv_metadata` holds the
lengths and the markdown of both sides, `language` is what slices are cut by, and a conversation or
a prompt may stand beside. Kaggle's file of the same votes has three columns in the place of winner.
"""

from collections.abc import Iterable, Mapping, Sequence

from arena.domain.layout import Layout
from arena.exchange.columns import WINS
from arena.exchange.columns import recognise as recognise_columns
from arena.exchange.format import Format, VoteColumn, VotesPart
from arena.exchange.votes import BOTH_BAD, further_columns, recognise_as

NEEDED = {"a": "model_a", "b": "model_b", "outcome": "winner"}
LABELS = {"a": "model_a", "b": "model_b", "tie": "tie"}


def recognise(columns: Sequence[str], given: Mapping[str, str], labels: Iterable[str]) -> Layout:
    """What the columns serve as; raises UsageError where an agent or the winner is missing."""
    there = {column.strip().casefold() for column in columns}
    if there.issuperset(WINS) and "outcome" not in given and "winner" not in there:
        return recognise_columns(columns, given, labels)
    return recognise_as("lmarena", "lmarena", NEEDED, columns, given, labels)


FORM = Format(
    name="lmarena",
    votes=VotesPart(
        recognise=recognise,
        columns=(
            VoteColumn(name="model_a", role="agent_a"),
            VoteColumn(name="model_b", role="agent_b"),
            VoteColumn(name="winner", role="outcome", labels=LABELS, own=BOTH_BAD),
            VoteColumn(name="language", role="domain"),
            VoteColumn(name="tstamp", role="time", kind="number"),
            *further_columns("domain", "time"),
        ),
    ),
)
