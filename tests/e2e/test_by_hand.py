"""A product that only a person can talk to: from the script to the published page."""

import pytest

from tests.e2e.by_hand import (
    SCENARIOS,
    TABLE,
    TURNS,
    brought,
    cells,
    configure,
    dialogues,
    exported,
)
from tests.e2e.conftest import BY_HAND, agent, judge


def test_exported_filled_in_imported_scored_ranked_and_published(workspace, server):
    configure(workspace, server.url)
    first = workspace.run("run", "--yes", "--json")
    assert first.code == 0, first
    assert first.document["forecast"]["by_hand"] == {"homebot": SCENARIOS}
    assert first.document["stages"][0]["by_hand"] == {"homebot": SCENARIOS}
    assert "arena export script script.xlsx --agent homebot" in first.err
    assert "arena import script script.xlsx" in first.err
    sheet = exported(workspace).fill(who="Zhang San", remark="phone 555-0100")
    sheet.put("S-1", 2, "parts", "图片，card").put("S-1", 1, "when", "2026-11-30 09:30").save()
    done = brought(workspace, sheet)
    assert done.code == 0, done
    assert done.document["taken"] == SCENARIOS
    assert dialogues(workspace)["S-1", 1] == [
        ["user", "Scenario 1, turn 1: what now?"],
        ["assistant", "Answer 1 of S-1."],
        ["user", "Scenario 1, turn 2: what now?"],
        ["assistant", "Answer 2 of S-1.\n[image]\n[card]"],
    ]
    times = workspace.rows(
        "select ended_at from transcript where agent = 'homebot' order by scenario"
    )
    assert times == [("2026-11-30 09:30",), ("",)]
    again = workspace.run("run", "--yes", "--json")
    assert again.code == 0, again
    assert workspace.rows("select count(*) from call where entrant = 'homebot'") == [(0,)]
    stages = {s["stage"]: s for s in again.document["stages"]}
    assert stages["score"]["made"] == SCENARIOS
    assert stages["compare"]["made"] == 2 * SCENARIOS
    status = workspace.run("status", "--json").document["jobs"][0]
    assert status["next"] == "arena publish"
    pages = "".join(
        p.read_text("utf-8")
        for p in workspace.leaderboard.rglob("*")
        if p.suffix in (".html", ".json", ".csv")
    )
    assert "Answer 2 of S-1." in pages
    assert "By hand" in pages
    assert "人工" in pages
    for private in ("Zhang San", "555-0100"):
        assert private not in pages
    kept = workspace.rows("select raw from imported where kind = 'transcript'")
    assert all("Zhang San" in raw for (raw,) in kept)


def test_what_waits_for_a_person_is_counted_apart_and_is_no_error(workspace, server):
    configure(workspace, server.url)
    assert workspace.run("collect", "--yes").code == 0
    assert workspace.run("collect", "--yes", "--agent", "homebot").code == 0
    forecast = workspace.run("plan", "--json").document["forecast"]
    assert forecast["by_hand"] == {"homebot": SCENARIOS}
    assert {line["who"] for line in forecast["lines"]} == {"judge:referee"}
    # Nothing of what a person has not brought is forecast: one sheet a scenario, and no pair.
    assert forecast["calls"] == SCENARIOS
    assert workspace.run("score", "--yes").code == 0
    job = workspace.run("status", "--json").document["jobs"][0]
    assert job["by_hand"] == {"homebot": SCENARIOS}
    counted = {s["stage"]: (s["by_hand"], s["untried"], s["trouble"]) for s in job["stages"]}
    assert counted == {
        "collect": (SCENARIOS, 0, {}),
        "score": (SCENARIOS, 0, {}),
        "compare": (2 * SCENARIOS, 0, {}),
    }
    assert job["next"] == "arena export"
    told = workspace.run("status", "--lang", "zh")
    assert f"homebot：还有 {SCENARIOS} 场对话要由人去问" in told.err


def test_importing_twice_adds_nothing_and_a_changed_answer_is_refused(ready):
    sheet = exported(ready).fill().save()
    assert brought(ready, sheet).code == 0
    before = dialogues(ready)
    again = brought(ready, sheet)
    assert (again.code, again.document["taken"], again.document["present"]) == (0, 0, SCENARIOS)
    sheet.put("S-2", 1, "answer", "Something else.").save()
    changed = brought(ready, sheet)
    assert changed.code == 2
    (fault,) = changed.document["faults"]
    assert "Something else." in fault["message"]
    assert "Answer 1 of S-2." in fault["why"]
    assert "--replicate" in fault["hint"]
    assert dialogues(ready) == before


def test_a_changed_answer_comes_in_as_another_repetition(ready):
    configure(ready, "http://127.0.0.1:9", replicates=2)
    sheet = exported(ready, "one.xlsx", "--replicate", "1").fill().save()
    assert brought(ready, sheet).code == 0
    sheet.put("S-2", 1, "answer", "Something else.").save()
    done = brought(ready, sheet, "--replicate", "2")
    assert done.code == 0, done
    assert dialogues(ready)["S-2", 1][1] == ["assistant", "Answer 1 of S-2."]
    assert dialogues(ready)["S-2", 2][1] == ["assistant", "Something else."]
    assert brought(ready, sheet, "--replicate", "3").code == 2


def test_whole_dialogues_come_in_and_each_missing_cell_is_named(ready):
    sheet = exported(ready).fill()
    sheet.put("S-2", 2, "answer", " \n ").save()
    row = sheet.row("S-2", 2)
    tried = brought(ready, sheet, "--dry-run")
    assert (tried.code, tried.document["taken"], tried.document["whole"]) == (3, 0, 1)
    assert not ready.rows("select * from transcript")
    done = brought(ready, sheet)
    assert (done.code, done.document["taken"]) == (3, 1)
    assert list(dialogues(ready)) == [("S-1", 1)]
    (one,) = done.document["unfinished"]
    letter = sheet.cell(row, "answer").column_letter
    assert one == {
        "suite": "small-en",
        "mode": "natural",
        "scenario": "S-2",
        "replicate": 1,
        "begun": True,
        "missing": [{"cell": f"{TABLE}!{letter}{row}", "round": 2}],
    }
    said = ready.run("import", "script", str(sheet.path), "--lang", "zh")
    assert f"{TABLE}!{letter}{row}：没有回答（情境 S-2，第 1 次，第 2 轮）" in said.err
    sheet.put("S-2", 2, "answer", "Here it is.").save()
    assert brought(ready, sheet).code == 0
    assert len(dialogues(ready)) == SCENARIOS
    whole = ready.run("export", "script", str(ready.root / "more.xlsx"))
    assert whole.code == 2
    assert "every dialogue of homebot in this selection is there" in whole.err


def test_with_a_fault_nothing_is_taken_unless_the_rest_is_asked_for(ready):
    sheet = exported(ready).fill()
    sheet.put("S-1", 1, "paste", "Scenario 1, turn 1: what then?").save()
    done = brought(ready, sheet)
    assert (done.code, done.document["taken"]) == (2, 0)
    (fault,) = done.document["faults"]
    assert fault["cell"] == f"{TABLE}!D{sheet.row('S-1', 1)}"
    assert "what then?" in fault["message"]
    assert "what now?" in fault["why"]
    assert not ready.rows("select * from transcript")
    some = brought(ready, sheet, "--skip-bad")
    assert (some.code, some.document["taken"], some.document["spoilt"]) == (3, 1, 1)
    assert list(dialogues(ready)) == [("S-2", 1)]
    assert "Traceback" not in ready.run("import", "script", str(sheet.path)).err


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("suite", "other-suite", "no suite called other-suite is played here"),
        ("mode", "probe", "the mode probe is not played here"),
        ("agent", "plain", "no agent called plain is talked to by hand here"),
        ("scenario", "S-9", "the suite has no scenario called S-9"),
        ("of_version", "3.1", "written for version 3.1 of homebot, which is 3.2 here"),
        ("shown", "0" * 64, "what scenario S-1 shows has changed since the export"),
        ("replicate", 7, "replicate 7, and data/arena.yaml plans 1"),
        ("replicate", "²", "replicate ², and data/arena.yaml plans 1"),
        ("round", 9, "9 is no round of scenario S-1"),
        ("round", "x", "x is no round of scenario S-1"),
        ("round", 2, "a second row for round 2 of scenario S-1"),
        ("version", "3.3", "answered by version 3.3, and homebot is version 3.2 here"),
        ("answer", "=1+1", "a formula stands here"),
        ("remark", "=cmd|' /C calc'!A0", "a formula stands here"),
        ("answer", "x" * 32_767, "the answer may be cut"),
    ],
)
def test_each_fault_is_named_with_its_cell(ready, name, value, said):
    sheet = exported(ready).fill()
    row = sheet.row("S-1", 1)
    sheet.put("S-1", 1, name, value).save()
    done = brought(ready, sheet, "--skip-bad")
    assert done.code == 3
    assert said in "\n".join(f["message"] for f in done.document["faults"])
    letter = sheet.cell(row, name).column_letter
    rows = {row, row + 1} if (name, value) == ("round", 2) else {row}
    assert cells(done)[0] in {f"{letter}{n}" for n in rows}
    assert list(dialogues(ready)) == [("S-2", 1)]


def test_a_script_of_another_state_of_the_suite_or_the_product_is_refused(ready):
    sheet = exported(ready).fill().save()
    ready.write_suite(scenarios=SCENARIOS, turns=TURNS, scenario_1={"turns": ["New.", "Newer."]})
    done = brought(ready, sheet)
    assert "what scenario S-1 shows has changed" in done.document["faults"][0]["message"]
    ready.write_suite(scenarios=SCENARIOS, turns=TURNS)
    configure(ready, "http://127.0.0.1:9", by_hand=BY_HAND | {"version": "3.3"})
    done = brought(ready, sheet)
    assert done.code == 2
    assert len(done.document["faults"]) == SCENARIOS
    assert "written for version 3.2 of homebot" in done.document["faults"][0]["message"]


def test_rows_may_stand_in_any_order_and_spare_columns_may_go(ready):
    sheet = exported(ready).fill().save()
    table = [[cell.value for cell in row] for row in sheet.table]
    sheet.table.delete_rows(2, sheet.table.max_row)
    for row in reversed(table[1:]):
        sheet.table.append(row)
    for name in ("remark", "version", "when", "who", "parts"):
        sheet.table.delete_cols(sheet.column(name))
    sheet.save()
    done = brought(ready, sheet)
    assert (done.code, done.document["taken"]) == (0, SCENARIOS)


def test_columns_rows_and_cells_that_are_gone_are_named(ready):
    sheet = exported(ready).fill()
    sheet.table.delete_rows(sheet.row("S-1", 1))
    answer = sheet.column("answer")
    row = sheet.row("S-2", 1)
    sheet.table.merge_cells(start_row=row, end_row=row + 1, start_column=answer, end_column=answer)
    sheet.save()
    done = brought(ready, sheet)
    assert done.code == 3
    assert [one["missing"][0]["cell"] for one in done.document["unfinished"]] == [
        None,
        f"{TABLE}!E{row + 1}",
    ]
    said = ready.run("import", "script", str(sheet.path))
    assert "no row for round 1 of scenario S-1, replicate 1" in said.err
    sheet = exported(ready, "more.xlsx").fill()
    sheet.table.delete_cols(sheet.column("shown"))
    sheet.save()
    refused = ready.run("import", "script", str(sheet.path))
    assert refused.code == 2
    assert "no column for: 题面摘要 / shown digest" in refused.err


def test_an_answer_beside_every_dialogue_is_a_fault(ready):
    sheet = exported(ready).fill()
    sheet.table.cell(sheet.table.max_row + 2, sheet.column("answer")).value = "Left over."
    sheet.save()
    done = brought(ready, sheet)
    assert done.code == 2
    assert "Left over. stands in a row that belongs to no scenario" in str(done.document["faults"])


def test_what_the_product_says_first_is_its_welcome(ready):
    sheet = exported(ready).fill()
    opening = sheet.row("S-1", 1) - 1
    assert "New chat" in sheet.cell(opening, "paste").value
    assert "新对话" in sheet.cell(opening, "paste").value
    sheet.cell(opening, "answer").value = "Good morning!"
    sheet.save()
    assert brought(ready, sheet).code == 0
    assert dialogues(ready)["S-1", 1][0] == ["assistant", "Good morning!"]
    assert dialogues(ready)["S-2", 1][0][0] == "user"


def test_selections_and_repetitions_choose_what_is_exported(ready):
    configure(ready, "http://127.0.0.1:9", replicates=2)
    whole = exported(ready)
    assert len(list(whole.rows())) == SCENARIOS * TURNS * 2
    one = exported(ready, "one.xlsx", "--scenario", "S-2", "--replicate", "2")
    assert [(s, n) for _, s, n in one.rows()] == [("S-2", 1), ("S-2", 2)]
    assert len(list(exported(ready, "limit.xlsx", "--limit", "1").rows())) == TURNS * 2
    assert len(list(exported(ready, "domain.xlsx", "--domain", "talk").rows())) == 8
    assert brought(ready, one.fill().save()).code == 0
    assert list(dialogues(ready)) == [("S-2", 2)]
    assert len(list(exported(ready, "rest.xlsx").rows())) == SCENARIOS * TURNS * 2 - TURNS


def test_where_nobody_is_talked_to_by_hand_the_key_is_named(workspace):
    url = "http://127.0.0.1:9"
    workspace.configure([agent("a", url), agent("b", url)], [judge("referee", url)])
    done = workspace.run("export", "script", str(workspace.root / "s.xlsx"))
    assert done.code == 2
    assert "Write `by_hand: true` and its `version`" in done.err


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"version": ""}, "`version` is missing"),
        ({"by_hand": "yes, please"}, "`by_hand` is true or false"),
        ({"model": "openai/x"}, "an agent is reached one way"),
        ({"price": {"flat": "1", "currency": "CNY"}}, "`price` is for what is asked here"),
        ({"sampling": {"top_p": 1}}, "this is for models"),
        ({"kind": "imported"}, "an imported agent is asked nothing"),
        ({"by_hand": False}, "`model` is missing"),
    ],
)
def test_what_does_not_fit_an_agent_by_hand_is_named(workspace, change, said):
    configure(workspace, "http://127.0.0.1:9", by_hand=BY_HAND | change)
    done = workspace.run("status")
    assert done.code == 2
    assert said in done.err


def test_a_region_that_is_not_allowed_is_not_pasted_into_either(ready):
    configure(ready, "http://127.0.0.1:9", allow_regions=["cn"])
    done = ready.run("export", "script", str(ready.root / "s.xlsx"))
    assert done.code == 4
    assert "homebot: region unknown is not in allow_regions" in done.err
