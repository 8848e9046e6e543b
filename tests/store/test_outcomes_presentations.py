"""Presentations with their order, and what is known of both sides."""

import io
import json

import duckdb
import numpy as np
import pytest

from arena.domain.layout import Reading
from arena.errors import UsageError
from arena.exchange.columns import recognise
from arena.store.outcomes.presentations import known_pairs, read_presentations
from arena.store.outcomes.reading import read_outcomes
from arena.store.outcomes.source import load_file


def read(objects, pairs=(), **options):
    data = "\n".join(json.dumps(found) for found in objects).encode()
    with load_file("-", io.BytesIO(data)) as source:
        layout = recognise(list(source.columns))
        shown = read_presentations(source, layout, Reading(**options), pairs=pairs)
        return shown, read_outcomes(source, layout, Reading(**options))


def vote(a, b, outcome, **further):
    return {"agent_a": a, "agent_b": b, "outcome": outcome, **further}


def test_sides_are_turned_with_their_row():
    known = {"length_a": 10, "length_b": "20", "heat_a": 1.5, "vendor_a": "V", "vendor_b": "W"}
    objects = [
        vote("y", "x", "a", order="ab", scenario="s", heat_b=None, judge_vendor="V", **known),
        vote("x", "y", "a", order="ab", scenario="t"),
    ]
    shown, _ = read(objects, pairs=("length", "heat"))
    assert shown.agents == ("x", "y")
    assert shown.share.tolist() == [0, 1]
    assert shown.shown.tolist() == [-1, 1]
    first, second = shown.pairs["length"]
    assert first[0] == 20
    assert second[0] == 10
    assert np.isnan([first[1], second[1], shown.pairs["heat"][0][0]]).all()
    assert shown.pairs["heat"][1][0] == 1.5
    assert shown.vendors == ("V", "W")
    assert shown.vendor_first.tolist() == [1, -1]
    assert shown.vendor_second.tolist() == [0, -1]
    assert shown.vendor_judge.tolist() == [0, -1]


def test_a_vendor_that_nobody_stated_is_nobodys_kin():
    objects = [
        vote(
            "x", "y", "a", scenario="s", vendor_a="Unknown", vendor_b="Acme", judge_vendor="unknown"
        ),
        vote("x", "y", "b", scenario="t", vendor_a="acme", vendor_b=None, judge_vendor="ACME"),
    ]
    shown, _ = read(objects)
    said = {}
    for row in range(2):
        sides = (shown.vendor_first[row], shown.vendor_second[row], shown.vendor_judge[row])
        said[int(shown.row[row])] = [int(side) for side in sides]
    (_, acme, _), known = said[min(said)], said[max(said)]
    assert acme >= 0
    assert said[min(said)] == [-1, acme, -1]
    assert known == [acme, -1, acme]


def test_presentations_are_those_that_the_comparisons_are_made_of():
    random = np.random.default_rng(3)
    objects = [
        vote("x", "y", str(random.choice(["a", "b", "tie", ""])), order=order, scenario=f"s{k}",
             judge="j")
        for k in range(60)
        for order in ("ab", "ba")
    ]  # fmt: skip
    shown, board = read(objects)
    assert len(shown.share) == board.counts.used == 2 * len(board.share)
    mean = np.zeros(len(board.share))
    names = list(board.codes["scenario"].names)
    of = [
        names.index(shown.codes["scenario"].names[code]) for code in shown.codes["scenario"].codes
    ]
    np.add.at(mean, of, shown.share / 2)
    by_scenario = board.share[np.argsort(board.codes["scenario"].codes)]
    assert mean.tolist() == by_scenario.tolist()
    assert sorted(shown.shown.tolist()) == [-1] * len(board.share) + [1] * len(board.share)


def metadata(a, b, scale=1):
    return {
        "sum_assistant_a_tokens": a,
        "sum_assistant_b_tokens": b,
        "header_count_a": {"h1": 1 * scale, "h2": 2 * scale},
        "header_count_b": 4,
        "list_count_a": {"ordered": 0, "unordered": 3},
        "list_count_b": 0,
        "bold_count_a": {"**": 1, "__": 2},
        "bold_count_b": 1,
    }


def test_counts_of_markdown_become_densities():
    battle = {"model_a": "p", "model_b": "q", "winner": "model_a"}
    shown, _ = read(
        [
            {**battle, "conv_metadata": metadata(9, 0)},
            {**battle, "conv_metadata": json.dumps(metadata(9, 19))},
            {**battle, "conv_metadata": None},
            {**battle, "conv_metadata": "not JSON"},
            {**battle, "conv_metadata": {"header_count_a": 3}},
        ],
        pairs=("length", "header", "markdown"),
    )
    pairs = {name: np.stack(pair).tolist() for name, pair in shown.pairs.items()}
    nan = [np.nan] * 3
    for name, expected in {
        "length": [[9, 9, *nan], [0, 19, *nan]],
        "header": [[0.3, 0.3, *nan], [0, 0.2, *nan]],
        # 3 + 3 + 3 in 9 tokens; 4 + 0 + 1 in 19.
        "markdown": [[0.9, 0.9, *nan], [0, 0.25, *nan]],
    }.items():
        assert np.allclose(pairs[name], expected, equal_nan=True), name


def test_metadata_may_be_a_struct_of_parquet(tmp_path):
    path = str(tmp_path / "f.parquet")
    duckdb.sql(
        "select 'p' as model_a, 'q' as model_b, 'model_b' as winner, "
        "{'sum_assistant_a_tokens': 3, 'sum_assistant_b_tokens': 1, 'bold_count_a': {'x': 8}, "
        "'bold_count_b': 1} as conv_metadata"
    ).write_parquet(path)
    with load_file(path) as source:
        layout = recognise(list(source.columns))
        assert known_pairs(layout) == ("length", "markdown", "header", "list", "bold")
        shown = read_presentations(source, layout, pairs=("bold",))
    assert [side.tolist() for side in shown.pairs["bold"]] == [[2.0], [0.5]]


def test_a_quantity_that_is_not_known_of_both_is_a_usage_error():
    with pytest.raises(UsageError, match="`warmth` is not known of both agents\nKnown: length"):
        read([vote("x", "y", "a", length_a=1, length_b=2, warmth_a=1)], pairs=("warmth",))


def test_criteria_are_put_together_before_they_are_shown():
    objects = [
        vote("y", "x", said, scenario="s", judge="j", order=order, criterion=f"c{k}")
        for order in ("ab", "ba")
        for k, said in enumerate("aab")
    ]
    shown, _ = read(objects, outcome="criteria")
    assert shown.share.tolist() == [0, 0]
    assert sorted(shown.shown.tolist()) == [-1, 1]
