"""Our own files of votes: agent_a, agent_b, outcome and whatever else is known of a vote.

CSV, JSON lines or Parquet; the columns are those of the table `imported_vote`, and any other that
is recognised.
"""

from arena.exchange.columns import recognise
from arena.exchange.format import VoteColumn, VotesPart
from arena.exchange.votes import further_columns

VOTES = VotesPart(
    recognise=recognise,
    columns=(
        VoteColumn(name="agent_a", role="agent_a"),
        VoteColumn(name="agent_b", role="agent_b"),
        VoteColumn(name="outcome", role="outcome"),
        *further_columns(),
        VoteColumn(name="tstamp", role="time"),
        VoteColumn(name="conv_metadata", role="metadata"),
    ),
    holds_unanswered=True,
)
