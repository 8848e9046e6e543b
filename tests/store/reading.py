"""Rows written down, read as outcomes, and told in names: for tests of reading."""

import csv
import io

import numpy as np

from arena.domain.layout import Reading
from arena.exchange.columns import recognise
from arena.store.outcomes.reading import read_outcomes
from arena.store.outcomes.source import load_file

LABELLED = ("agent_a", "agent_b", "outcome")


def source_of(rows, columns=LABELLED):
    text = io.StringIO(newline="")
    csv.writer(text).writerows([columns, *rows])
    return load_file("-", io.BytesIO(text.getvalue().encode()))


def read(rows, columns=LABELLED, asked=(), given=None, **options):
    with source_of(rows, columns) as source:
        layout = recognise(list(source.columns), given)
        return read_outcomes(source, layout, Reading(**options), asked)


def told(board):
    """Every comparison in names, as a list that can be compared."""
    names = [
        [c.names[code] if code >= 0 else "" for code in c.codes.tolist()]
        for _, c in sorted(board.codes.items())
    ]
    weight = np.ones(len(board.share)) if board.weight is None else board.weight
    return list(
        zip(
            [board.agents[code] for code in board.first],
            [board.agents[code] for code in board.second],
            board.share.tolist(),
            board.tie.tolist(),
            weight.tolist(),
            *names,
            strict=True,
        )
    )


def excluded(board):
    return {reason: found.rows for reason, found in board.counts.excluded.items()}
