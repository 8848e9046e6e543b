"""Rows of the table `commentary`, and back."""

import json

from arena.domain.call import Status
from arena.domain.commentary import Commentary, CommentarySpec
from arena.store.rows import Row, Tables, dumps, storable


def commentary_rows(commentary: Commentary, run: str) -> Tables:
    """The row of `commentary`."""
    spec = commentary.spec
    row = (
        spec.key,
        commentary.attempt,
        spec.transcript,
        spec.judge,
        spec.judge_digest,
        spec.wording.template,
        spec.wording.rubric,
        spec.wording.notes,
        spec.wording.cut,
        spec.scores,
        commentary.status.value,
        storable(commentary.text),
        dumps(list(commentary.flags)),
        commentary.call,
        run,
        commentary.at,
    )
    return (("commentary", (row,)),)


def to_commentary(spec: CommentarySpec, row: Row) -> Commentary:
    """A commentary from the columns of `commentaries_all` after the key."""
    attempt, status, text, flags, call, at = row
    return Commentary(
        spec=spec,
        attempt=attempt,
        status=Status(status),
        text=text,
        flags=tuple(json.loads(flags)),
        call=call,
        at=at,
    )
