"""Resampled ratings as a Parquet file, for whoever wants to compute something else from them."""

from collections.abc import Sequence
from pathlib import Path

import duckdb
import numpy as np
from numpy.typing import NDArray

from arena.errors import UsageError


def write_draws(path: Path, agents: Sequence[str], ratings: NDArray[np.float64]) -> None:
    """Write ratings, shape (resamples, K), as rows of resample, agent, rating; NaN rows left out.

    Raises UsageError when the file cannot be written.
    """
    drawn, k = ratings.shape
    connection = duckdb.connect(":memory:")
    try:
        table = {
            "resample": np.repeat(np.arange(1, drawn + 1, dtype=np.int32), k),
            "place": np.tile(np.arange(k, dtype=np.int32), drawn),
            "rating": ratings.ravel(),
        }
        connection.execute("create table agent (place integer, agent varchar)")
        connection.executemany("insert into agent values (?, ?)", list(enumerate(agents)))
        connection.register("drawn", table)
        connection.execute(
            "copy (select resample, agent, rating from drawn join agent using (place) "
            f"where not isnan(rating) order by resample, agent) to {_literal(str(path))} "
            "(format parquet)"
        )
    except duckdb.Error as error:
        raise UsageError(
            "{path} cannot be written: {reason}",
            path=str(path),
            reason=str(error).splitlines()[0],
        ) from None
    finally:
        connection.close()


def _literal(text: str) -> str:
    # COPY takes no parameter for its target.
    quoted = text.replace("'", "''")
    return f"'{quoted}'"
