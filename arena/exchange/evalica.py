"""Evalica's comparisons: a CSV file of left, right and winner (left, right or tie).

Its reader takes any letters' case and ignores further columns, so that these may stand beside.
"""

from collections.abc import Iterable, Mapping, Sequence

from arena.domain.layout import Layout
from arena.exchange.format import Format, VoteColumn, VotesPart
from arena.exchange.votes import further_columns, recognise_as

NEEDED = {"a": "left", "b": "right", "outcome": "winner"}
LABELS = {"a": "left", "b": "right", "tie": "tie"}


def recognise(columns: Sequence[str], given: Mapping[str, str], labels: Iterable[str]) -> Layout:
    """What the columns serve as; raises UsageError where one of the three is missing."""
    return recognise_as("evalica", "evalica", NEEDED, columns, given, labels)


FORM = Format(
    name="evalica",
    votes=VotesPart(
        recognise=recognise,
        columns=(
            VoteColumn(name="left", role="agent_a"),
            VoteColumn(name="right", role="agent_b"),
            VoteColumn(name="winner", role="outcome", labels=LABELS),
            *further_columns(),
        ),
        endings=(".csv",),
    ),
)
