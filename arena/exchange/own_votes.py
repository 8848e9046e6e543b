"""Our own files of votes: agent_a, agent_b, outcome and whatever else is known of a vote.

CSV, JSON lines or Parquet; the columns are those of the table `imported_vote`, and any other that
is recognised.
"""

from arena.exchange.columns import recognise
from arena.exchange.format import VoteColumn, VotesPart
from arena.exchange.votes import BOTH_BAD, further_columns

LABELS = {"a": "a", "b": "b", "tie": "tie"}
VOTES = VotesPart(
    recognise=recognise,
    columns=(
        VoteColumn(name="agent_a", role="agent_a"),
        VoteColumn(name="agent_b", role="agent_b"),
        VoteColumn(name="outcome", role="outcome", labels=LABELS, own=BOTH_BAD),
        *further_columns(),
    ),
    holds_unanswered=True,
)
