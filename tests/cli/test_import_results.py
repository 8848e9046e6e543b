"""arena import brings results: into the store once, onto boards of their own, to our judges."""

import json

import pytest

from arena.store.store import Store
from arena.suites.load import load_suite
from tests.support.original_results import BACKWARD, compared, elo, played, run, task
from tests.support.originals import CASES, write_eldercare, write_eqbench3
from tests.support.shared import shared_data

ANALYSED = {"health_safety": 10, "correctness": 16}
LINES = [
    *(played(case) for case in CASES[:2]),
    played(CASES[2], archetype="drafting", back=None),
    played(CASES[3], archetype="analysis", back=None, scores=ANALYSED),
    {"id": "X-09", "status": "truncated", "archetype": "talk", "domain": "d"},
]
KPI = {"judge": "someone", "mode": "multi-turn probe + rubric", "rubric_score_pct": 35.0}


def counted(workspace):
    with Store(workspace / "results" / "arena.duckdb") as store:
        return store.summaries.counts()


@pytest.fixture
def bring(arena, started, tmp_path):
    """bring(*words) → what importing the small folder said; `place`: where it lies."""
    folder = write_eldercare(tmp_path / "theirs", runs={"baselines/model-x/one": (LINES, KPI)})

    def done(*words, path=folder):
        return arena("import", "eldercare", path, "-C", started, "--as", "mine", *words)

    done.folder = folder
    return done


def ask(arena, workspace, *words):
    done = arena(*words, "-C", workspace, "--json", "--lang", "en")
    assert done.exit_code == 0, done.stderr
    return json.loads(done.stdout)


def test_results_come_in_once_and_say_what_does_not(bring, started):
    first = json.loads(bring("--json").stdout)["results"]
    assert first["records"] == {"transcript": 4, "sheet": 4, "verdict": 0}
    assert first["there_already"]["transcript"] == 0
    assert first["left_out"] == {
        "truncated": {"n": 1, "first": "results/baselines/model-x/one/results.jsonl:5"}
    }
    assert (first["agents"], first["judges"], first["modes"]) == (
        ["model-x"],
        ["someone"],
        ["probe"],
    )
    before = counted(started)
    again = json.loads(bring("--json").stdout)["results"]
    assert again["there_already"] == again["records"] == first["records"]
    assert again["origin"] == first["origin"]
    assert counted(started) == before


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_a_dry_run_says_the_same_and_writes_nothing(bring, started, lang):
    before = sorted(started.rglob("*"))
    done = bring("--dry-run", "--lang", lang)
    assert done.exit_code == 0, done.stderr
    assert ("4 would come in" if lang == "en" else "将导入 4 条") in done.stderr
    assert ("cut off" if lang == "en" else "截断") in done.stderr
    assert "results.jsonl:5" in done.stderr
    assert sorted(started.rglob("*")) == before


def test_the_board_of_an_import_is_its_own_and_says_so(arena, bring, started):
    assert bring().exit_code == 0
    boards = ask(arena, started, "rank", "--suite", "mine")["boards"]
    (board,) = boards
    (agent,) = board["agents"]
    assert agent["absolute"]["mean"] == 35.0
    assert agent["apart"]["analysis"]["mean"] == 65.0
    assert board["imported"]["source"] == "theirs"
    jobs = ask(arena, started, "status")["jobs"]
    assert [bool(job["imported"]) for job in jobs] == [False, True]
    shown = arena("status", "-C", started, "--lang", "en")
    assert "imported from theirs (eldercare) on " in shown.stderr
    shown = arena("rank", "-C", started, "--suite", "mine", "--lang", "en")
    assert "imported from theirs" in shown.stdout
    assert "model-x 65.0 (1 of 1 scenarios)" in shown.stderr
    ask(arena, started, "publish")
    pages = sorted((started / "leaderboard").glob("mine-probe-import-*/index*.html"))
    assert len(pages) == 2
    (page,) = [p for p in (page.read_text("utf-8") for page in pages) if "from theirs" in p]
    assert "hold too few comparisons" in page
    assert "arena import eldercare PATH" in page
    # Of its judge nothing is known, so nobody is its kin.
    assert "Judge kin" not in page
    front = (started / "leaderboard" / "index.html").read_text("utf-8")
    assert "theirs" in front
    alone = arena("rank", "-C", started, "--suite", "mine", "--mode", "natural")
    assert alone.exit_code == 2


def test_our_judges_read_imported_transcripts_once_the_agent_is_listed(arena, bring, started):
    assert bring().exit_code == 0
    config = started / "data" / "arena.yaml"
    text = config.read_text("utf-8").replace("everyday-en", "mine")
    text = text.replace("mode: natural", "mode: probe", 1)
    config.write_text(text, "utf-8")
    before = ask(arena, started, "score", "--dry-run")["forecast"]["calls"]
    listed = "agents:\n  - {agent: model-x, vendor: their-makers, kind: imported}\n"
    config.write_text(text.replace("agents:\n", listed, 1), "utf-8")
    assert before == 0
    assert ask(arena, started, "score", "--dry-run")["forecast"]["calls"] == 4
    done = ask(arena, started, "run", "--yes")
    stages = {stage["stage"]: stage for stage in done["stages"]}
    assert stages["collect"]["planned"] == 20
    assert stages["collect"]["made"] == 16
    assert stages["score"]["made"] == 20
    assert stages["compare"]["made"] == stages["compare"]["planned"] == 80
    own, theirs = ask(arena, started, "rank")["boards"]
    assert "model-x" in {s["agent"] for s in own["agents"] if s["comparisons"]}
    assert own["panel"] == ["scripted-arbiter"]
    assert "imported" not in own
    assert [s["absolute"]["mean"] for s in theirs["agents"]] == [35.0]


@pytest.mark.parametrize("key", ["model: openai/x", "system: prompts/x.md"])
def test_an_imported_agent_has_nothing_to_be_asked_by(arena, started, key):
    config = started / "data" / "arena.yaml"
    listed = f"agents:\n  - {{agent: x, vendor: v, kind: imported, {key}}}\n"
    config.write_text(config.read_text("utf-8").replace("agents:\n", listed, 1), "utf-8")
    done = arena("status", "-C", started, "--lang", "en")
    assert done.exit_code == 2
    assert f"`{key.split(':')[0]}`" in done.stderr


def test_a_file_of_results_alone_goes_to_a_suite_that_is_there(arena, bring, started, tmp_path):
    path = bring.folder / "results/baselines/model-x/one/results.jsonl"
    missing = bring("--lang", "en", path=path)
    assert missing.exit_code == 2
    assert "no suite called mine" in missing.stderr
    bring()
    (started / "data/suites/mine/README.md").write_text("ours now", "utf-8")
    makers = tmp_path / "makers.csv"
    makers.write_text("agent,vendor\nmodel-x,v\nmodel-y,w\n", "utf-8")
    done = bring("--agents", makers, "--lang", "en", path=path)
    assert done.exit_code == 0, done.stderr
    assert "model-y" in done.stderr
    config = (started / "data" / "suites" / "mine" / "README.md").read_text("utf-8")
    assert config == "ours now"


def test_eqbench3_brings_transcripts_scores_and_verdicts(arena, started, tmp_path):
    folder = write_eqbench3(tmp_path / "eqb")
    arena("import", "eqbench3", folder, "-C", started)
    suite = load_suite(started / "data" / "suites" / "eqbench3")
    tasks = {}
    for scenario in suite.scenarios[:2]:
        turns = suite.user_turns(scenario, "probe")[:-1]
        tasks[scenario.scenario] = task(turns, ["Reply."] * len(turns))
    runs = {f"k_{name}": run(name, tasks, judge="reader") for name in ("x", "y")}
    good = {"empathy": "A0493++", "overall_eq": "A0493+"}
    bad = {"empathy": "A0488++", "overall_eq": "A0488+"}
    (folder / "runs.json").write_text(json.dumps(runs), "utf-8")
    (folder / "elo.json").write_text(
        json.dumps(
            elo(
                compared("x", "y", **good),
                compared("x", "y", order=BACKWARD, **bad),
                compared("x", "y", scenario="131", **good),
            )
        ),
        "utf-8",
    )
    words = ("import", "eqbench3", folder, "--judged-by", "umpire")
    assert ask(arena, started, *words)["results"]["records"] == {
        "transcript": 4,
        "sheet": 4,
        "verdict": 3,
    }
    (board,) = ask(arena, started, "rank", "--suite", "eqbench3")["boards"]
    assert board["panel"] == ["umpire"]
    assert board["comparisons"] == 1
    shares = {s["agent"]: (s["share"], s["absolute"]["mean"]) for s in board["agents"]}
    assert shares == {"x": (1.0, 60.0), "y": (0.0, 60.0)}
    ask(arena, started, "publish", "--suite", "eqbench3")
    page = (started / "leaderboard" / "s" / "1.html").read_text("utf-8")
    assert "A0488 is good" in page


def test_verdicts_without_their_transcripts_can_be_ranked_and_published(arena, started, tmp_path):
    folder = write_eqbench3(tmp_path / "eqb")
    arena("import", "eqbench3", folder, "-C", started)
    good = {"empathy": "A0493++", "overall_eq": "A0493+"}
    pair = compared("x", "<b>y</b>", **good), compared("<b>y</b>", "x", **good)
    path = tmp_path / "elo.json"
    path.write_text(json.dumps(elo(*pair)), "utf-8")
    seen = ask(arena, started, "import", "eqbench3", path)["results"]
    assert seen["records"] == {"transcript": 0, "sheet": 0, "verdict": 2}
    (board,) = ask(arena, started, "rank", "--suite", "eqbench3")["boards"]
    assert (board["comparisons"], board["diagnostics"]["flips"]) == (1, 1)
    ask(arena, started, "publish", "--suite", "eqbench3")
    page = (started / "leaderboard" / "index.html").read_text("utf-8")
    assert "<b>y</b>" not in page
    assert "&lt;b&gt;y&lt;/b&gt;" in page


def test_the_published_figures_stand_in_the_store(arena, started):
    folder = shared_data("eldercare-zh")
    ask(arena, started, "import", "eldercare", folder)
    boards = ask(arena, started, "rank", "--suite", "eldercare-original")["boards"]
    found = {
        board["mode"]: (
            round(board["agents"][0]["absolute"]["mean"], 1),
            board["agents"][0]["apart"]["analysis"]["mean"],
        )
        for board in boards
    }
    assert {mode: whole for mode, (whole, _) in found.items()} == {"probe": 49.9, "lite": 38.3}
    assert found["probe"][1] == pytest.approx(63.7, abs=0.05 + 1e-9)
    assert found["lite"][1] == pytest.approx(54.2, abs=0.05)


def test_results_that_are_wrong_keep_even_the_suite_out_unless_skipped(
    arena, bring, started, monkeypatch
):
    from dataclasses import replace

    from arena.domain.imported import LeftOut
    from arena.exchange import formats

    known = formats.FORMATS["eldercare"]

    def read(*given):
        bad = LeftOut()
        for line in (2, 3):
            bad.note("unknown_outcome", f"results.jsonl:{line}")
        return replace(known.results.read(*given), bad=bad)

    wrong = replace(known, results=replace(known.results, read=read))
    monkeypatch.setattr(formats, "FORMATS", formats.FORMATS | {"eldercare": wrong})
    monkeypatch.setattr("arena.cli.imported.FORMATS", formats.FORMATS)
    before = sorted(started.rglob("*"))
    refused = bring("--json")
    assert refused.exit_code == 2
    assert json.loads(refused.stdout)["refused"] is True
    assert sorted(started.rglob("*")) == before
    assert "results.jsonl:2, results.jsonl:3" in bring("--lang", "en").stderr
    skipped = bring("--skip-bad", "--json")
    assert skipped.exit_code == 3
    assert json.loads(skipped.stdout)["results"]["records"]["transcript"] == 4
