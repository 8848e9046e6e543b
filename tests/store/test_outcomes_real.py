"""Real files, where they are beside the clone."""

import csv
import json

import numpy as np
import pytest

from arena.domain.layout import Reading
from arena.exchange.columns import recognise
from arena.store.outcomes.reading import read_outcomes
from arena.store.outcomes.source import load_file
from tests.support.shared import shared_data


def read(folder, name, **options):
    with load_file(shared_data(folder) / name) as source:
        layout = recognise(list(source.columns))
        return read_outcomes(source, layout, Reading(**options))


def excluded(board):
    return {reason: found.rows for reason, found in board.counts.excluded.items()}


def expected(folder):
    return json.loads((shared_data(folder) / "expected.json").read_text(encoding="utf-8"))


def points(board):
    """What each agent earned, and in how many comparisons."""
    share = board.share.astype(float)
    size = len(board.agents)
    earned = np.bincount(board.first, share, size) + np.bincount(board.second, 1 - share, size)
    return earned, np.bincount(board.first, minlength=size) + np.bincount(
        board.second, minlength=size
    )


def test_the_votes_of_llmfao_are_all_used_and_give_the_published_counts():
    board = read("llmfao", "llmfao.csv")
    assert board.layout.name == "evalica"
    assert (board.layout.scenario, board.layout.judge) == ("prompt", "worker")
    assert (len(board.share), len(board.agents), excluded(board)) == (8931, 59, {})
    assert board.tie.sum() == 3471
    assert len(board.codes["scenario"].names) == 13
    assert len(board.codes["judge"].names) == 124
    golden = (shared_data("llmfao") / "llmfao-golden.csv").read_text(encoding="utf-8")
    counting = {
        row["item"]: float(row["score"])
        for row in csv.DictReader(golden.splitlines())
        if row["algorithm"] == "counting"
    }
    earned, _ = points(board)
    assert dict(zip(board.agents, earned.tolist(), strict=True)) == counting


def test_the_two_files_of_llmfao_tell_the_same():
    original, converted = (read("llmfao", name) for name in ("llmfao.csv", "battles.csv"))
    for mine, other in zip(points(original), points(converted), strict=True):
        assert mine.tolist() == other.tolist()
    assert original.agents == converted.agents


def test_the_judges_of_llmfao_gave_one_order_and_are_whole():
    board = read("llmfao", "battles_llm_judges.csv")
    assert (len(board.share), len(board.agents), excluded(board)) == (6472, 70, {})
    assert {judge: found["used"] for judge, found in board.counts.by_judge.items()} == {
        "gpt-3": 3236,
        "gpt-4": 3236,
    }
    only = read("llmfao", "battles_llm_judges.csv", judges=("gpt-4",))
    assert excluded(only) == {"other_judge": 3236}


def test_qlora_gives_both_orders_by_writing_the_pair_both_ways():
    board = read("qlora-vicuna", "battles.csv")
    assert (board.counts.read, board.counts.used) == (4480, 4454)
    assert excluded(board) == {"no_outcome": 13, "one_order": 13}
    assert len(board.share) == 2227
    assert board.folded.all()
    # Always the first shown in 437 comparisons, always the second in 19.
    assert board.flipped.sum() == 437 + 19
    assert board.missing.comparisons.sum() == 13
    assert set(board.share.tolist()) == {0, 0.25, 0.5, 0.75, 1}


def test_ja_vicuna_gives_the_shares_of_its_expected_file():
    board = read("ja-vicuna", "battles.csv")
    assert (len(board.share), excluded(board)) == (480, {})
    told = expected("ja-vicuna")
    same = np.isin(board.share, [0, 1]) | (board.tie == 1)
    assert [same.sum(), len(same)] == told["both_order_consistent"] == [432, 480]
    earned, games = points(board)
    of_rows = {
        name: [2 * e, 2.0 * n] for name, e, n in zip(board.agents, earned, games, strict=True)
    }
    assert of_rows == told["points"]


def test_kaggles_columns_and_ours_tell_the_same_votes():
    kaggle = read("lmsys-votes", "votes_original_columns.csv")
    ours = read("lmsys-votes", "battles.csv")
    assert (kaggle.layout.name, len(kaggle.share), kaggle.tie.sum()) == ("kaggle", 85, 25)
    # The order was drawn for each vote, so that no second one is waited for.
    assert (len(ours.share), excluded(ours)) == (85, {})
    for mine, other in zip(points(kaggle), points(ours), strict=True):
        assert mine.tolist() == other.tolist()


def test_pandalm_counts_what_its_judge_left_open():
    board = read("pandalm", "battles.csv")
    assert (board.counts.read, len(board.share)) == (4995, 4970)
    assert excluded(board) == {"no_outcome": 25}
    assert board.counts.by_judge["gpt-3.5-turbo"] == {"used": 974, "no_outcome": 25}
    assert board.missing.comparisons.sum() == 25


@pytest.mark.parametrize("single_order", ["drop", "keep"])
def test_llmbar_folds_every_judge_apart(single_order):
    board = read("llmbar", "battles.csv", single_order=single_order)
    complete = {"drop": 5004, "keep": 5023}[single_order]
    assert len(board.share) == complete
    assert board.folded.sum() == 5004
    assert board.counts.excluded["no_outcome"].rows == 29
    assert len(board.counts.by_judge) == 12
    published = expected("llmbar")
    natural = published["Natural | GPT-4/Vanilla"]
    judge = board.codes["judge"]
    scenario = board.codes["scenario"]
    chosen = (judge.codes == judge.names.index("GPT-4/Vanilla")) & np.isin(
        scenario.codes,
        [k for k, name in enumerate(scenario.names) if name.startswith("Natural")],
    )
    assert chosen.sum() == natural["valid_both"] == 100
    assert (~board.flipped[chosen]).mean() == natural["same_verdict"]
