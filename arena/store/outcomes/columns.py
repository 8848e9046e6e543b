"""Comparisons as arrays: the columns that a file's outcomes become."""

import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from arena.domain.layout import Layout
from arena.store.outcomes.counts import Counts

Codes = NDArray[np.signedinteger[Any]]
Numbers = NDArray[np.float32] | NDArray[np.float64]
Bools = NDArray[np.bool_]

CHUNK = 1 << 16
"""Codes looked through at once for the names in use: mostly the first lot has them all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Coded:
    """A column as codes: place in `names`, which are sorted and all in use; −1 where empty.

    Codes are of the smallest signed type that holds them.
    """

    names: tuple[str, ...]
    codes: Codes


@dataclass(frozen=True, slots=True, kw_only=True)
class Members:
    """Tags, of which a comparison may have several: comparison `entry[i]` has tag `codes[i]`."""

    names: tuple[str, ...]
    entry: NDArray[np.int64]
    codes: Codes


@dataclass(frozen=True, slots=True, kw_only=True)
class Missing:
    """Comparisons without an outcome, per pair that has any; `first` < `second`."""

    first: Codes
    second: Codes
    comparisons: NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class OutcomeColumns:
    """M comparisons as columns of shape (M,), and what became of the other rows.

    `agents` are sorted by code point; some may have no comparison, where all theirs are missing.
    `first` < `second`: codes of agents. `share`: what `first` earned, in [0, 1]; `tie`: the part
    of it that was ties, bool where each is all or nothing; both else float32 where that is exact,
    else float64. `weight`: None where all are 1. `folded`: whether two orders went in; `flipped`:
    whether their outcomes were a and b; both None where nothing was folded. `row`: the first data
    row that went in, from 1; None where they are 1 … M.
    `codes`: scenario, judge, domain, tag, criterion and replicate where the file has them, and
    the columns asked for. `tags`: the values in `tag`. `in_order`: sorted by scenario, agents,
    judge, replicate, criterion, share and weight, so that the order of the file does not show;
    else in row order. `maximum`: the margin that makes a share of 1, where margins were read.
    """

    agents: tuple[str, ...]
    first: Codes
    second: Codes
    share: Numbers
    tie: Numbers | Bools
    weight: NDArray[np.float64] | None
    folded: Bools | None
    flipped: Bools | None
    row: NDArray[np.uint32] | None
    codes: Mapping[str, Coded]
    tags: Members | None
    missing: Missing
    counts: Counts
    layout: Layout
    encoding: str | None
    maximum: float | None
    in_order: bool


def kind_of(size: int) -> type[np.signedinteger[Any]]:
    """The smallest type for codes below `size`, and −1."""
    return np.int8 if size < 128 else np.int16 if size < 32_768 else np.int32


def coded(names: Sequence[str], codes: NDArray[Any]) -> Coded:
    """Codes without the names that no comparison has."""
    # The last place is that of −1.
    used = np.zeros(len(names) + 1, dtype=bool)
    for begin in range(0, len(codes), CHUNK):
        used[codes[begin : begin + CHUNK]] = True
        if used[:-1].all():
            break
    place = np.append(np.cumsum(used[:-1]) - 1, -1)
    return Coded(
        names=tuple(names[code] for code in np.flatnonzero(used[:-1]).tolist()),
        codes=renumber(place, codes),
    )


def renumber(place: NDArray[Any], codes: NDArray[Any]) -> Codes:
    """`place` at each code, in the smallest type; its last entry is that of −1."""
    kind = kind_of(len(place))
    if (place[:-1] == np.arange(len(place) - 1)).all():
        return codes.astype(kind, copy=False)
    return np.asarray(place.astype(kind)[codes])


def narrow(values: NDArray[Any]) -> Numbers:
    """The values as float32 where that loses nothing, else as float64."""
    if values.dtype == np.float32:
        return values
    short = values.astype(np.float32)
    return short if (short == values).all() else values.astype(np.float64)


def part_of_ties(values: NDArray[Any]) -> Numbers | Bools:
    """Parts in [0, 1] as bool where each is all or nothing, else as `narrow`."""
    if values.dtype == np.bool_:
        return values
    whole = values == 1
    return np.asarray(whole) if (whole | (values == 0)).all() else narrow(values)


def members(tag: Coded) -> Members:
    """Tags one by one, from values like `a; b` or `["a", "b"]`."""
    parts = [_split(name) for name in tag.names]
    names = sorted({part for several in parts for part in several})
    number = {name: place for place, name in enumerate(names)}
    flat = np.array([number[part] for several in parts for part in several], dtype=np.int32)
    length = np.array([len(several) for several in parts], dtype=np.int64)
    begin = np.cumsum(length) - length
    entry = np.flatnonzero(tag.codes >= 0)
    has = tag.codes[entry]
    count = length[has]
    within = np.arange(count.sum()) - np.repeat(np.cumsum(count) - count, count)
    return Members(
        names=tuple(names),
        entry=np.repeat(entry, count),
        codes=flat[np.repeat(begin[has], count) + within].astype(kind_of(len(names))),
    )


def _split(text: str) -> list[str]:
    parts = text.split(";")
    if text.lstrip().startswith("["):
        with suppress(ValueError):
            parts = [str(part) for part in json.loads(text)]
    return list(dict.fromkeys(stripped for part in parts if (stripped := part.strip())))
