"""arena diagnose: planted faults of scripted judges found offline, and files of votes read."""

import csv
import json
from collections import Counter

import numpy as np
import pytest
from typer.testing import CliRunner

from arena.cli.main import app
from tests.e2e.conftest import SUITE, Workspace
from tests.support.outcome_files import SETTLED, csv_text
from tests.support.shared import shared_data

pytestmark = pytest.mark.slow

SCENARIOS = 30
LEVELS = ("careful", "plain", "careless")
MIXES = {
    "alpha": (0.5, 0.3, 0.2),
    "bravo": (0.4, 0.3, 0.3),
    "charlie": (0.35, 0.35, 0.3),
    "delta": (0.25, 0.35, 0.4),
}
SIGN = "-- ours"
FAULTS = {"first_bonus": 0.9, "length_bonus": 1.0, "family_bonus": 1.5}
FAIR = {"sharpness": 3.0, "tie_band": 0.0, "uses": ["rubric", "pairwise"]}


def lines():
    """A reply a scenario and level; how long it is has nothing to do with its level."""
    rng = np.random.default_rng(11)
    found = {}
    for n in range(1, SCENARIOS + 1):
        found[f"S-{n}"] = {
            level: [f"{level} reply {n}." + " more" * int(np.exp(rng.normal(3, 0.7)))]
            for level in LEVELS
        }
    return found | {"*": {level: [f"{level} reply."] for level in LEVELS}}


@pytest.fixture(scope="module")
def diagnosed(tmp_path_factory):
    """A biased judge beside two fair ones over a suite of short replies, all scripted."""
    workspace = Workspace(tmp_path_factory.mktemp("diagnosed"))
    workspace.write_suite(scenarios=SCENARIOS, turns=1)
    judges = {"biased": FAIR | FAULTS | {"family_sign": SIGN}, "fair": FAIR, "blunt": FAIR}
    script = {
        "agents": [
            {
                "agent": name,
                "name": name,
                "short": name,
                "mix": dict(zip(LEVELS, mix, strict=True)),
                **({"signature": SIGN} if name == "delta" else {}),
            }
            for name, mix in MIXES.items()
        ],
        "judges": [{"judge": name, "name": name, **rest} for name, rest in judges.items()],
        "lines": lines(),
    }
    workspace.write(f"data/suites/{SUITE}/scripted.yaml", json.dumps(script))
    workspace.configure(
        [
            {
                "agent": name,
                "vendor": "ours" if name == "delta" else f"makers-{name}",
                "model": f"scripted/{SUITE}/{name}",
            }
            for name in MIXES
        ],
        [
            {
                "judge": name,
                "vendor": "ours" if name == "biased" else f"referees-{name}",
                "model": f"scripted/{SUITE}/{name}",
                "response_format": "json_schema",
            }
            for name in judges
        ],
        vendor_guard="allow",
    )
    for stage in ("collect", "score", "compare", "rank"):
        yes = () if stage == "rank" else ("--yes",)
        ran = workspace.run(stage, *yes)
        assert ran.code == 0, str(ran)
    ran = workspace.run("diagnose", "--json")
    assert ran.code == 0, str(ran)
    return workspace, ran.document


def of(document, judge):
    (one,) = [j for j in document["diagnoses"][0]["judges"] if j["judge"] == judge]
    return {(f["figure"], f["of"]): f for f in one["figures"]}


def test_each_planted_fault_is_found_within_its_interval(diagnosed):
    found = of(diagnosed[1], "biased")
    assert found["first_shown", ""]["reading"] == "above"
    for name, size in (
        ("position_effect", FAULTS["first_bonus"]),
        ("length_effect", FAULTS["length_bonus"]),
        ("family_effect", FAULTS["family_bonus"]),
    ):
        assert found[name, ""]["low"] <= size <= found[name, ""]["high"], name
    assert found["length_effect", ""]["reading"] == "above"
    assert found["family_effect", ""]["reading"] == "above"
    assert found["own_family", ""]["value"] > 0.05
    assert found["longer", ""]["value"] > 0.6


def test_and_nothing_else(diagnosed):
    planted = {"first_shown", "length_effect", "family_effect"}
    for judge in ("biased", "fair", "blunt"):
        notable = {f["figure"] for f in of(diagnosed[1], judge).values() if f["notable"]}
        assert notable == (planted if judge == "biased" else set())


def test_figures_have_counts_intervals_and_words_in_both_languages(diagnosed):
    document = diagnosed[1]
    (one,) = document["diagnoses"]
    assert one["schema"] == "arena.diagnosis/1"
    pairs = len(MIXES) * (len(MIXES) - 1) // 2
    found = of(document, "fair")
    assert found["flips", ""]["n"] == pairs * SCENARIOS
    assert found["first_shown", ""]["scenarios"] == SCENARIOS
    assert found["family_effect", ""]["why"] == "no_kin"
    assert found["unread_verdict", ""]["value"] == 0.0
    assert found["agreement_kappa", "blunt"]["low"] > 0
    assert found["length_effect", ""]["facts"] == {"given": "others"}
    assert {f["of"] for f in one["panel"] if f["figure"] == "score_alpha"} == {
        "", "warmth", "advice",
    }  # fmt: skip
    for words in one["words"].values():
        assert words["meaning"]["zh"] != words["meaning"]["en"]


def test_the_report_stands_beside_the_board_and_is_not_kept_twice(diagnosed):
    workspace, document = diagnosed
    assert workspace.run("diagnose", "--json").code == 0
    ((kind, digest, text),) = workspace.rows("select kind, board_digest, document from report")
    assert kind == "diagnosis"
    assert digest == workspace.rows("select data_digest from board")[0][0]
    said = {k: v for k, v in document["diagnoses"][0].items() if k not in ("words", "advice", "at")}
    assert {k: v for k, v in json.loads(text).items() if k != "at"} == said


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_the_table_says_what_is_notable_and_what_to_do(diagnosed, lang):
    ran = diagnosed[0].run("diagnose", "--judge", "biased", "--lang", lang)
    assert ran.code == 0
    assert ran.out.count({"en": "NOTABLE", "zh": "值得注意"}[lang]) >= 3
    assert "--control length" in ran.out
    assert "fair" in ran.out
    assert diagnosed[0].run("diagnose", "--judge", "nobody").code == 2


def people(workspace):
    """A person who says of each presentation in order ab what the biased judge says, or b."""
    import duckdb

    connection = duckdb.connect(str(workspace.results / "arena.duckdb"))
    connection.execute(
        """
        insert into verdict
        select * replace (
            'human:ann' as judge, 'p-' || key as key,
            case when scenario in ('S-1', 'S-2') then 'b' else outcome end as outcome
        )
        from verdict where judge = 'biased' and "order" = 'ab'
        """
    )
    connection.close()


def test_people_are_shown_where_they_are_asked_for(diagnosed):
    workspace = diagnosed[0]
    people(workspace)
    plain = workspace.run("diagnose", "--json").document
    assert "human:ann" not in json.dumps(plain)
    asked = workspace.run("diagnose", "--json", "--humans").document
    names = [j["judge"] for j in asked["diagnoses"][0]["judges"]]
    assert names == ["biased", "fair", "blunt", "human:ann"]
    agreed = of(asked, "biased")["agreement_raw", "human:ann"]
    assert agreed["n"] == 6 * SCENARIOS
    assert 0.5 < agreed["value"] < 1
    assert of(asked, "human:ann")["flips", ""]["why"] == "one_order"


def diagnose_file(*words):
    done = CliRunner().invoke(app, ["diagnose", *map(str, words)], env=SETTLED)
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    return done


def figures_of(path, *judges):
    """Figures of each judge of a file, the nameless one where none is named."""
    done = diagnose_file(path, "--json", "--resamples", 20)
    assert done.exit_code == 0, done.stderr
    told = {
        j["judge"]: {(f["figure"], f["of"]): f for f in j["figures"]}
        for j in json.loads(done.stdout)["judges"]
    }
    return [told[name] for name in judges or ("",)]


def test_a_file_without_orders_scenarios_or_judges_is_still_told_of(tmp_path):
    path = tmp_path / "votes.csv"
    rows = [("x", "y", outcome) for outcome in ("a", "b", "tie", "a") * 10]
    path.write_text(csv_text(("agent_a", "agent_b", "outcome"), rows), encoding="utf-8")
    (found,) = figures_of(path)
    assert found["ties", ""]["value"] == 0.25
    assert found["ties", ""]["scenarios"] is None
    assert found["first_shown", ""]["why"] == "no_orders"
    assert found["family_effect", ""]["why"] == "no_vendors"


@pytest.mark.parametrize(
    "words",
    [("--suite", "small-en"), ("--columns", "nonsense"), ("--level", "3"), ("--cluster", "a,b")],
)
def test_options_that_cannot_be_are_refused(tmp_path, words):
    path = tmp_path / "votes.csv"
    path.write_text("agent_a,agent_b,outcome\nx,y,a\n", encoding="utf-8")
    assert diagnose_file(path, *words).exit_code == 2


def test_first_shown_wins_what_was_published_of_gpt_4():
    path = shared_data("qlora-vicuna") / "battles.csv"
    (found,) = figures_of(path, "gpt-4")
    found = found["first_shown", ""]
    with path.open(encoding="utf-8", newline="") as stream:
        outcomes = Counter(row["winner"] for row in csv.DictReader(stream))
    # In every row the first named was shown first.
    assert found["n"] == outcomes["a"] + outcomes["b"]
    assert found["value"] == pytest.approx(outcomes["a"] / found["n"])
    assert round(found["value"], 3) == 0.650
    assert found["reading"] == "above"


def test_judges_of_llmbar_are_told_as_published():
    folder = shared_data("llmbar")
    found, other = figures_of(folder / "battles.csv", "GPT-4/Vanilla", "Falcon/CoT")
    assert found["first_shown", ""]["value"] == pytest.approx(0.5119, abs=5e-5)
    assert found["flips", ""]["value"] == pytest.approx(1 - 0.9284, abs=5e-5)
    assert other["first_shown", ""]["value"] == pytest.approx(0.9341, abs=5e-5)
    assert other["first_shown", ""]["reading"] == "above"
    assert other["agreement_kappa", "GPT-4/Vanilla"]["value"] < 0.1
