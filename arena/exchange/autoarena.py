"""AutoArena's head-to-heads: CSV of prompt, model_a, model_b, responses, judge and winner.

`winner` is A, B, or - for a tie; the responses stand beside and are kept as further columns.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from arena.domain.layout import Layout
from arena.exchange.format import Format, VoteColumn, VotesPart
from arena.exchange.votes import further_columns, recognise_as

NEEDED = {"a": "model_a", "b": "model_b", "outcome": "winner"}
LABELS = {"a": "A", "b": "B", "tie": "-"}


def recognise(columns: Sequence[str], given: Mapping[str, str], labels: Iterable[str]) -> Layout:
    """What the columns serve as; raises UsageError where an agent or the winner is missing."""
    found = recognise_as("autoarena", "lmarena", NEEDED, columns, given, labels)
    return replace(found, labels={**found.labels, "-": "tie"})


FORM = Format(
    name="autoarena",
    votes=VotesPart(
        recognise=recognise,
        columns=(
            VoteColumn(name="prompt", role="scenario"),
            VoteColumn(name="model_a", role="agent_a"),
            VoteColumn(name="model_b", role="agent_b"),
            VoteColumn(name="judge", role="judge"),
            VoteColumn(name="winner", role="outcome", labels=LABELS),
            *further_columns("scenario", "judge"),
        ),
        endings=(".csv",),
    ),
)
