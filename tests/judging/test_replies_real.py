"""Judges' replies as they were really written, beside the clone: each is read, or explained."""

import json

import pytest

from arena.domain.call import Status
from arena.exchange import eldercare, eqbench3
from arena.exchange.eldercare_suite import make as make_eldercare
from arena.exchange.eqbench3_suite import make as make_eqbench3
from arena.exchange.original_folder import contents_of
from arena.exchange.suite_folder import write_folder
from arena.judging import neutral
from arena.judging.contracts import pairwise_contract
from arena.judging.labels import TIES
from arena.judging.marks import MarksContract
from arena.judging.pairwise import PairwiseContract
from arena.judging.rubric import RubricContract
from arena.suites.load import load_suite
from tests.support.shared import shared_data

# Japanese names of the sides, and [[C]] for a tie, as these judges were told to write them.
JAPANESE = tuple(
    (*own, f"アシスタント{code}") for code, own in zip("AB", neutral.ALIASES, strict=True)
)
UNREAD: dict[tuple[int, str], str] = {}
"""Question and game of a reply that is not read → why. All are read."""


def lines(path):
    return [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]


def imported(module, make, original, place):
    made = make(module.read(original), original)
    write_folder(place, contents_of(made, place.name, "x"))
    return load_suite(place)


@pytest.mark.reported("R03")
def test_every_verdict_of_ja_vicuna_is_the_one_that_was_published():
    (path,) = (shared_data("ja-vicuna") / "original").glob("*.jsonl")
    contract = PairwiseContract(
        criteria=(), codes=neutral.CODES, lang="en", aliases=JAPANESE, ties=(*TIES, "C")
    )
    # The first game shows model_1 first, the second the other way round.
    sides = {
        "g1": {"first": "model_1", "second": "model_2", "tie": "tie", None: None},
        "g2": {"first": "model_2", "second": "model_1", "tie": "tie", None: None},
    }
    seen = 0
    for row in lines(path):
        for game, named in sides.items():
            read = contract.read(row[f"{game}_judgment"])
            place = (row["question_id"], game)
            if place in UNREAD:
                assert read.status is Status.UNPARSED
                continue
            assert read.status is Status.OK, (place, row[f"{game}_judgment"][-200:])
            assert named[read.winner] == row[f"{game}_winner"], place
            assert "text_verdict" in read.flags
            seen += 1
    assert seen == 2 * 80 - len(UNREAD)


@pytest.fixture(scope="module")
def original(tmp_path_factory):
    folder = shared_data("eldercare-zh")
    return folder, imported(
        eldercare, make_eldercare, folder, tmp_path_factory.mktemp("e") / "made"
    )


@pytest.mark.parametrize("tier", ["full-probe-v1", "lite-v1"])
def test_every_sheet_of_the_eldercare_baseline_is_read_as_it_was_counted(original, tier):
    folder, suite = original
    (path,) = (folder / "results").rglob(f"{tier}/results.jsonl")
    scenarios = {s.scenario: s for s in suite.scenarios}
    rows = lines(path)
    assert rows
    for row in rows:
        assert row["status"] == "ok"
        rubric = suite.rubric_of(scenarios[row["id"]])
        criteria = tuple(c for c in rubric.criteria if c.criterion in row["scores"])
        contract = RubricContract(rubric=rubric, criteria=criteria, lang="zh")
        raw = {"judge_reasoning": row["judge_reasoning"], "scores": row["scores"]}
        for indent in (None, 2):
            text = json.dumps(raw, ensure_ascii=False, indent=indent)
            for reply in (
                text,
                f"```json\n{text}\n```",
                text.replace(",", "，").replace(":", "："),
            ):
                read = contract.read(reply)
                assert read.status is Status.OK, (row["id"], read.complaint)
                assert {s.criterion: s.value for s in read.scores} == row["scores"]
                assert read.flags == ()
        assert contract.read(text).summary == row["judge_reasoning"]
        # Nothing of the sheet was made up: all that was scored is a criterion of the suite.
        assert {c.criterion for c in criteria} == set(row["scores"])


def test_the_pairwise_prompts_of_eldercare_and_eq_bench_are_answered_in_their_own_notation(
    original, tmp_path
):
    _, chinese = original
    english = imported(eqbench3, make_eqbench3, shared_data("eqbench3"), tmp_path / "made")
    for suite in (chinese, english):
        assert suite.contract == "marks"
        for scenario in suite.scenarios:
            codes = ("A0493", "A0488")
            contract = pairwise_contract(suite, scenario, codes=codes)
            assert isinstance(contract, MarksContract)
            asked = [c.criterion for c in suite.rubric_of(scenario).compare_criteria()]
            said = {key: f"A0488{'+' * (n % 5 + 1)}" for n, key in enumerate(asked)}
            said.setdefault(contract.overall, "A0488++")
            reply = json.dumps({"chain_of_thought_reasoning": "…"} | said, ensure_ascii=False)
            # The original's own example ends in a comma.
            read = contract.read(reply.replace("}", ",}"))
            assert (read.status, read.winner) == (Status.OK, "second")
            assert [c.strength for c in read.criteria] == [n % 5 + 1 for n in range(len(asked))]


@pytest.mark.parametrize(
    "name", ["pairwise_prompt_eqbench3.txt", "pairwise_prompt_eqbench3_analysis.txt"]
)
def test_the_shape_that_eq_bench_asks_for_is_read_once_filled_in(name, tmp_path):
    folder = shared_data("eqbench3")
    suite = imported(eqbench3, make_eqbench3, folder, tmp_path / "made")
    shape = (folder / name).read_text("utf-8")
    shape = shape[shape.rindex("\n{\n") :]
    kind = "analysis" if "analysis" in name else "roleplay"
    scenario = next(s for s in suite.scenarios if s.archetype == kind)
    contract = pairwise_contract(suite, scenario, codes=("A0493", "A0488"))
    assert contract.read(shape).status is Status.UNPARSED
    filled = shape.replace('"winner & disparity rating"', '"A0493+++"')
    assert (contract.read(filled).winner, contract.read(filled).margin) == ("first", 3)
    # Where the reasoning speaks of the other side, the marks still count.
    assert contract.read("Here it is:\n" + filled).status is Status.OK
