"""arena import and export of formats with texts: whole, once, marked, and the same again."""

import json

import pytest

from arena.store.store import Store
from tests.support.foreign_texts import (
    COUNTS,
    UNREAD,
    WRITERS,
    hard_answer,
    save_lines,
    write_report,
)

FORMATS = list(WRITERS)
QUERIES = {
    "transcript": "select agent, scenario, mode, replicate, messages::text, ended_at "
    "from transcript where suite = $suite order by all",
    "sheet": "select transcript.agent, transcript.scenario, transcript.replicate, judge, "
    "sheet.status, summary, sheet.ended_at, "
    "list(criterion || ' ' || value order by criterion)::text "
    "from sheet join transcript on transcript.key = sheet.transcript "
    "left join score on score.sheet = sheet.key where suite = $suite group by all order by all",
    "verdict": 'select agent_a, agent_b, verdict.scenario, judge, "order", outcome, margin, '
    "verdict.status, reason, verdict.ended_at from verdict "
    "join imported on imported.key = verdict.key and imported.kind = 'verdict' "
    "join origin on origin.origin = imported.origin where origin.suite = $suite order by all",
}


def records(workspace, suite):
    """What the store holds of a suite that was imported, without whose import it is."""
    with Store(workspace / "results" / "arena.duckdb") as store:
        ask = store._connection.execute
        return {kind: ask(query, {"suite": suite}).fetchall() for kind, query in QUERIES.items()}


def ask(arena, workspace, *words, code=0):
    done = arena(*words, "-C", workspace, "--json", "--lang", "en")
    assert done.exit_code == code, done.stderr + done.stdout
    return json.loads(done.stdout)


@pytest.fixture(scope="module")
def there(arena, tmp_path_factory):
    """A workspace with an import of each format, and what each said."""
    place = tmp_path_factory.mktemp("texts")
    assert arena("init", place / "w", "--lang", "en").exit_code == 0
    said = {}
    for name, write in WRITERS.items():
        folder = write(place / name)
        said[name] = ask(arena, place / "w", "import", name, folder, "--as", f"{name}-in")
    return place, said


@pytest.mark.parametrize("name", FORMATS)
def test_texts_scores_and_verdicts_come_in_marked_and_once(arena, there, name):
    place, said = there
    results = said[name]["results"]
    assert results["records"] == COUNTS[name]
    assert results["not_counted"] == UNREAD[name]
    assert results["bad"] == {}
    assert said[name]["check"]["sound"] is True
    before = records(place / "w", f"{name}-in")
    again = ask(arena, place / "w", "import", name, place / name, "--as", f"{name}-in")
    assert again["results"]["there_already"] == COUNTS[name]
    assert records(place / "w", f"{name}-in") == before


@pytest.mark.parametrize("name", FORMATS)
def test_what_goes_out_comes_in_the_same(arena, there, name):
    place, _ = there
    out = place / f"{name}-out"
    words = ("export", name, out, "--import", f"{name}-in")
    written = ask(arena, place / "w", *words)
    refused = arena(*words, "-C", place / "w", "--lang", "en")
    assert refused.exit_code == 2
    assert "nothing is overwritten" in refused.stderr
    more = ("--judged-by", "unknown") if name == "evalscope" else ()
    ask(arena, place / "w", "import", name, out, "--as", f"{name}-back", *more)
    assert records(place / "w", f"{name}-back") == records(place / "w", f"{name}-in")
    assert written["lost"] == {}


def test_what_a_format_cannot_hold_is_said_by_name(arena, there):
    place, _ = there
    for format, source, lost in (
        ("alpacaeval", "fastchat-in", {"later_turns", "order", "sheets"}),
        ("arena-hard", "alpacaeval-in", {"no_order"}),
        ("inspect", "arena-hard-in", {"verdicts"}),
        ("fastchat", "inspect-in", {"other_criteria", "system"}),
        ("evalscope", "arena-hard-in", {"judges"}),
    ):
        out = place / f"{format}-of-{source}"
        words = ("export", format, out, "--import", source)
        assert set(ask(arena, place / "w", *words)["lost"]) == lost, (format, source)
    told = arena(
        *("export", "inspect", place / "told", "--import", "arena-hard-in", "-C", place / "w"),
        *("--lang", "zh"),
    )
    assert "裁决" in told.stderr


def test_imported_verdicts_make_a_board_that_keeps_the_judge(arena, there):
    place, _ = there
    (board,) = ask(arena, place / "w", "rank", "--suite", "arena-hard-in")["boards"]
    assert board["panel"] == ["umpire"]
    assert board["imported"]["format"] == "arena-hard"
    # One pair was won in both orders; of the other one order has no answer.
    assert board["comparisons"] == 1
    (board,) = ask(arena, place / "w", "rank", "--suite", "fastchat-in")["boards"]
    means = {a["agent"]: a["absolute"] and a["absolute"]["mean"] for a in board["agents"]}
    assert means["ann"] == pytest.approx(100 * ((6 + 7.5) / 18 + 8 / 9) / 2)
    assert not means["ben/b"]


def test_the_judges_of_imported_texts_are_diagnosed(arena, there):
    place, _ = there
    (found,) = ask(arena, place / "w", "diagnose", "--import", "arena-hard-in")["diagnoses"]
    (judge,) = found["judges"]
    figures = {f["figure"]: f for f in judge["figures"]}
    assert judge["judge"] == "umpire"
    # Whoever was shown first won the one pair that is whole.
    assert (figures["flips"]["value"], figures["flips"]["n"]) == (1, 1)
    assert (figures["first_shown"]["value"], figures["first_shown"]["n"]) == (1, 2)
    # Who makes a judge nobody knows, and nobody looked for what our own judging flags.
    assert figures["own_family"]["value"] is None
    assert not [name for name in figures if name.startswith("flag") or name == "cut"]
    (found,) = ask(arena, place / "w", "diagnose", "--import", "fastchat-in")["diagnoses"]
    assert [j["judge"] for j in found["judges"]] == ["umpire", "umpire (turn 1)"]
    refused = arena("diagnose", "--import", "fastchat-in", "--where", "1=1", "-C", place / "w")
    assert refused.exit_code == 2


def test_an_import_of_which_nothing_changed_is_not_fitted_again(arena, there, monkeypatch):
    from arena.stages.rank import rank as stage

    place, _ = there
    first = ask(arena, place / "w", "rank", "--suite", "arena-hard-in")["boards"]
    fitted = []
    whole = stage.rank
    monkeypatch.setattr(stage, "rank", lambda job, **k: fitted.append(job) or whole(job, **k))
    assert ask(arena, place / "w", "rank", "--suite", "arena-hard-in")["boards"] == first
    assert fitted == []
    (other,) = ask(arena, place / "w", "rank", "--suite", "arena-hard-in", "--level", "0.9")[
        "boards"
    ]
    assert (len(fitted), other["method"]["level"]) == (1, 0.9)
    # What was kept last is by another method.
    assert ask(arena, place / "w", "rank", "--suite", "arena-hard-in")["boards"] != [other]
    assert len(fitted) == 2
    suite = place / "w" / "data" / "suites" / "arena-hard-in" / "suite.yaml"
    text = suite.read_text("utf-8")
    suite.write_text(text.replace("version: 0.1.0", "version: 0.1.1"), "utf-8")
    ask(arena, place / "w", "rank", "--suite", "arena-hard-in")
    assert len(fitted) == 3
    suite.write_text(text, "utf-8")


def test_texts_without_votes_can_be_judged_here(arena, started, tmp_path):
    folder = WRITERS["arena-hard"](tmp_path / "hard", judged=False)
    found = ask(arena, started, "import", "arena-hard", folder, "--as", "hard")["results"]
    assert found["records"] == {"transcript": 4, "sheet": 0, "verdict": 0}
    config = started / "data" / "arena.yaml"
    guests = (
        "  - {agent: ann, vendor: v, kind: imported}",
        "  - {agent: ben/b, vendor: w, kind: imported}",
    )
    listed = "\n".join(["agents:", *guests, ""])
    text = config.read_text("utf-8").replace("everyday-en", "hard")
    config.write_text(text.replace("agents:\n", listed, 1), "utf-8")
    assert ask(arena, started, "score", "--dry-run")["forecast"]["calls"] == 4
    assert ask(arena, started, "compare", "--dry-run")["forecast"]["calls"] >= 4


def test_wrong_rows_keep_all_out_unless_they_are_skipped(arena, started, tmp_path):
    folder = WRITERS["arena-hard"](tmp_path / "hard")
    answers = folder / "model_answer" / "ann.jsonl"
    good = [hard_answer("ann", n) for n in range(2)]
    save_lines(answers, [good[0], {**good[1], "model": 7}, good[0]])
    with answers.open("a", encoding="utf-8") as stream:
        stream.write('{"uid": "q1", "uid": "q2"}\n{"cut":')
    words = ("import", "arena-hard", folder, "--as", "hard")
    refused = ask(arena, started, *words, code=2)
    bad = refused["results"]["bad"]
    place = "model_answer/ann.jsonl"
    assert {reason: told["first"] for reason, told in bad.items()} == {
        "missing_field": f"{place}:2",
        "repeated": f"{place}:3",
        "malformed": f"{place}:4",
    }
    assert bad["malformed"]["n"] == 2
    assert not any(records(started, "hard").values())
    told = arena(*words, "-C", started, "--lang", "zh")
    assert f"{place}:2" in told.stderr
    skipped = ask(arena, started, *words, "--skip-bad", code=3)
    assert skipped["results"]["records"] == {"transcript": 3, "sheet": 0, "verdict": 4}
    assert len(records(started, "hard")["transcript"]) == 3


def test_the_overall_figure_of_a_report_is_counted_anew(arena, tmp_path, monkeypatch):
    folder = WRITERS["evalscope"](tmp_path / "outputs")
    write_report(folder)
    monkeypatch.chdir(tmp_path)
    done = arena("import", "evalscope", folder, "--dry-run", "--json")
    assert done.exit_code == 0, done.stderr
    ((figure,),) = [run["figures"] for run in json.loads(done.stdout)["runs"]]
    assert (figure["published"], figure["agrees"]) == (0.3617, True)
    assert round(figure["counted"], 5) == 0.36175
