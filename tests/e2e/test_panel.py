"""A panel from configuration to page: decoys, stand-ins, replicates, served models, the guard."""

import json
import re

import pytest

from arena.llm.decoys import NULL
from tests.e2e.conftest import LIMITS, Workspace, agent, board_of, fair, judge
from tests.support.answers import messages_text, schema_of
from tests.support.server_thread import ServerThread

SCENARIOS = 6
FILLER = "Thank you so much for reaching out"
FENCED = re.compile(r"^=== (\w+) START \w+ ===\n(.*?)\n=== \1 END", re.MULTILINE | re.DOTALL)


def taste(likes):
    """A judge that always likes decoys, or never does; agents it judges by chance."""

    def answer(request):
        schema, text = schema_of(request), messages_text(request)
        if schema is None:
            return None
        shown = FENCED.findall(text)
        fake = [code for code, said in shown if NULL["en"] in said or FILLER in said]
        if "winner" in schema["properties"]:
            if not fake:
                return fair(request)
            other = next(code for code, _ in shown if code not in fake)
            won = fake[0] if likes else other
            sides = {"warmth": {"side": won, "strength": 3}}
            return {"winner": won, "strength": 3, "criteria": sides, "reason": "So."}
        value = 5 if bool(fake) is likes else 2
        return {"scores": {"warmth": value, "advice": value}, "summary": "So."}

    def encoded(request):
        said = answer(request)
        return json.dumps(said) if isinstance(said, dict) else said

    return encoded


def pages(workspace):
    texts = [p.read_text(encoding="utf-8") for p in workspace.leaderboard.glob("index*.html")]
    return {lang: next(t for t in texts if f'<html lang="{lang}' in t) for lang in ("zh", "en")}


def three(url):
    return [agent(name, url) for name in ("alpha", "bravo", "carol")]


@pytest.fixture(scope="module", params=[True, False], ids=["fooled", "wise"])
def decoyed(request, tmp_path_factory):
    """Three agents and two decoys before a judge that likes decoys, or that does not."""
    workspace = Workspace(tmp_path_factory.mktemp("decoyed"))
    workspace.write_suite(scenarios=SCENARIOS, turns=1)
    with ServerThread(retry_after=0, answer=taste(request.param), answer_schemas=True) as server:
        workspace.configure(three(server.url), [judge("j", server.url)], decoys=[None, "padding"])
        ran = workspace.run("run", "--yes")
        assert ran.code == 0, str(ran)
        yield request.param, workspace, ran, server.server.begun


def test_decoys_cost_nothing_and_ask_no_model(decoyed):
    _, workspace, _, begun = decoyed
    asked = "select count(*) from call where speaker = 'agent' and entrant "
    assert workspace.rows(asked + "in ('null', 'padding')") == [(2 * SCENARIOS,)]
    (total,) = workspace.rows("select count(*) from call")
    assert begun == total[0] - 2 * SCENARIOS
    spent = "select distinct cost from call where entrant in ('null', 'padding')"
    assert workspace.rows(spent) == [(0,)]


def test_decoys_never_meet_and_are_never_ranked(decoyed):
    _, workspace, _, _ = decoyed
    board = board_of(workspace)
    real = {"alpha", "bravo", "carol"}
    assert {s["agent"] for s in board["agents"]} == real
    assert {a for p in board["pairs"] for a in (p["a"], p["b"])} == real
    assert {a["agent"] for part in board["slices"] for a in part["agents"]} <= real
    met = workspace.rows("select distinct agent_a, agent_b from verdict")
    assert ("null", "padding") not in met
    assert len(met) == 3 + 2 * 3


def test_a_board_with_decoys_has_the_ratings_of_the_board_without(decoyed):
    _, workspace, _, _ = decoyed
    kept = board_of(workspace)
    workspace.configure(workspace.config["agents"], workspace.config["judges"])
    ran = workspace.run("rank", "--json")
    workspace.configure(
        workspace.config["agents"], workspace.config["judges"], decoys=["null", "padding"]
    )
    assert workspace.run("rank").code == 0
    (bare,) = ran.document["boards"]
    assert bare["agents"] == kept["agents"]
    assert bare["pairs"] == kept["pairs"]
    assert "audit" not in bare["diagnostics"]
    assert bare["data_digest"] != kept["data_digest"]


def test_a_judge_that_likes_a_decoy_is_called_broken_everywhere(decoyed):
    likes, workspace, ran, _ = decoyed
    found = {d["decoy"]: d for d in board_of(workspace)["diagnostics"]["audit"]["decoys"]}
    assert set(found) == {"null", "padding"}
    for decoy in found.values():
        assert decoy["comparisons"] == decoy["planned"] == 3 * SCENARIOS
        assert decoy["finding"] == ("fooled" if likes else "held")
        assert decoy["share"] == (1.0 if likes else 0.0)
        everybody = ["alpha", "bravo", "carol"] if likes else []
        assert decoy["unbeaten"] == decoy["outscored"] == everybody
    shown = pages(workspace)
    assert ("A judge is fooled" in ran.err) is likes
    assert ("A judge is fooled" in shown["en"]) is likes
    assert ("评审被骗：" in shown["zh"]) is likes
    assert all('id="decoys"' in text for text in shown.values())
    assert ("seen through" in shown["en"]) is not likes
    keys = [note["key"] for note in board_of(workspace)["notes"]]
    assert keys.count("decoy_fooled") == (2 if likes else 0)


def test_a_decoy_stands_in_no_table_of_agents(decoyed):
    _, workspace, _, _ = decoyed
    shown = pages(workspace)["en"]
    ranking = shown[shown.index('id="rank"') : shown.index('id="decoys"')]
    assert "Decoy" not in ranking.partition("</table>")[0]
    assert workspace.run("status").code == 0


# --- Who is blocked, and who stands in ------------------------------------------------------------


def blocked(workspace, server, judges, **more):
    workspace.configure(three(server.url)[:2], judges, **more)
    ran = workspace.run("run", "--yes")
    count = "select judge, status, count(*) from current_verdict group by all order by all"
    return ran, workspace.rows(count)


def strict(server, **more):
    return judge("strict", server.url, model="strict--policy", limits=LIMITS, **more)


def test_what_is_blocked_is_asked_of_the_stand_in(workspace, server):
    judges = [strict(server), judge("spare", server.url, stand_in=True)]
    ran, counts = blocked(workspace, server, judges)
    assert ran.code == 3, str(ran)
    assert counts == [("spare", "ok", 4), ("strict", "blocked", 4)]
    scored = "select judge, count(*) from current_sheet where status = 'ok' group by all"
    assert workspace.rows(scored) == [("spare", 4)]
    board = board_of(workspace)
    assert board["comparisons"] == 2
    assert board["diagnostics"]["rows"]["excluded"] == {"blocked": 4}


def test_a_stand_in_is_not_asked_twice_nor_where_nobody_was_blocked(workspace, server):
    judges = [judge("fine", server.url), judge("spare", server.url, stand_in=True)]
    blocked(workspace, server, judges)
    assert workspace.rows("select distinct judge from verdict") == [("fine",)]
    before = server.server.begun
    assert workspace.run("run", "--yes").code == 0
    assert server.server.begun == before


def test_with_a_panel_that_judges_everything_the_others_judge_what_one_may_not(workspace, server):
    ran, counts = blocked(workspace, server, [strict(server), judge("fine", server.url)])
    assert counts == [("fine", "ok", 4), ("strict", "blocked", 4)]
    (pair,) = board_of(workspace)["diagnostics"]["audit"]["pairs"]
    assert (pair["judges"], pair["of"], pair["fewer"], pair["none"]) == (2, 2, 2, 0)
    assert "fewer than the 2 judges" in ran.err
    assert any(
        "1 of 2 judges" in p.read_text("utf-8") for p in workspace.leaderboard.rglob("*.html")
    )


def test_a_comparison_by_fewer_judges_than_asked_for_does_not_count(workspace, server):
    judges = [strict(server), judge("fine", server.url)]
    ran, _ = blocked(workspace, server, judges, panel={"min_judges": 2})
    board = board_of(workspace)
    assert board["comparisons"] == 0
    assert board["diagnostics"]["rows"]["excluded"] == {"blocked": 4, "few_judges": 4}
    assert "by too few judges" in ran.err


# --- Guard and configuration ----------------------------------------------------------------------


def test_a_family_is_asked_for_and_never_guessed(workspace, server):
    agents = three(server.url)
    del agents[1]["family"]
    workspace.configure(agents, [judge("j", server.url)])
    ran = workspace.run("run", "--yes")
    assert ran.code == 2
    assert "bravo: which family of models is it?" in ran.err
    assert "`family: unknown`" in ran.err
    assert server.server.begun == 0


@pytest.mark.parametrize("guard", ["exclude", "warn"])
def test_who_makes_a_judge_is_asked_for_as_it_could_be_anybodys_kin(workspace, server, guard):
    nameless = judge("j", server.url) | {"vendor": "Unknown"}
    workspace.configure(three(server.url), [nameless], vendor_guard=guard)
    ran = workspace.run("run", "--yes")
    assert ran.code == 2
    assert "j: who makes this judge?" in ran.err
    assert server.server.begun == 0
    workspace.configure(three(server.url), [nameless], vendor_guard="allow")
    assert workspace.run("run", "--dry-run").code == 0


def test_too_small_a_panel_is_refused_before_anything_is_asked(workspace, server):
    agents = three(server.url)
    agents[0]["family"] = "qwen"
    judges = [judge("j", server.url, family="qwen"), judge("k", server.url)]
    workspace.configure(agents, judges, panel={"min_judges": 2})
    ran = workspace.run("run", "--yes")
    assert ran.code == 2
    assert "alpha and bravo would be compared by 1 judges, and 2 are asked for" in ran.err
    assert server.server.begun == 0


def test_pairs_with_few_judges_are_marked_and_pairs_with_none_are_missing(workspace, server):
    agents = three(server.url)
    agents[0]["family"], agents[1]["family"] = "qwen", "glm"
    judges = [judge("j", server.url, family="qwen"), judge("k", server.url, family="glm")]
    workspace.configure(agents, judges)
    ran = workspace.run("run", "--yes")
    assert ran.code == 0, str(ran)
    board = board_of(workspace)
    left = {(p["a"], p["b"]): p for p in board["diagnostics"]["audit"]["pairs"]}
    assert {pair: p["judges"] for pair, p in left.items()} == {
        ("alpha", "bravo"): 0,
        ("alpha", "carol"): 1,
        ("bravo", "carol"): 1,
    }
    assert left["alpha", "bravo"]["none"] == 2
    assert board["diagnostics"]["rows"]["excluded"] == {"no_judge": 4}
    planned = {(p["a"], p["b"]): p["planned"] for p in board["pairs"]}
    assert planned["alpha", "bravo"] == 2
    shown = pages(workspace)
    assert "1 of 2 judges" in shown["en"]
    assert "2 个评审模型中 1 个" in shown["zh"]
    assert "no judge, by the vendor guard" in shown["en"]


def test_kin_that_may_judge_are_named_before_and_after(workspace, server):
    agents = three(server.url)
    agents[0]["family"] = "qwen"
    workspace.configure(agents, [judge("j", server.url, family="qwen")], vendor_guard="warn")
    ran = workspace.run("run", "--yes", "--dry-run", "--json")
    assert ran.document["forecast"]["marked"] == ["j × alpha"]
    assert ran.document["forecast"]["guarded"] == []
    assert "judged all the same: j × alpha" in ran.err


# --- Replicates, cuts, served models --------------------------------------------------------------


def test_a_judge_asked_twice_makes_one_comparison_and_its_steadiness_is_known(workspace, server):
    workspace.configure(three(server.url)[:2], [judge("j", server.url, replicates=2)])
    assert workspace.run("run", "--yes").code == 0
    assert workspace.rows("select count(*), max(judge_replicate) from verdict") == [(8, 2)]
    assert workspace.rows("select count(*), max(judge_replicate) from sheet") == [(8, 2)]
    board = board_of(workspace)
    assert board["comparisons"] == 2
    (repeat,) = board["diagnostics"]["audit"]["repeats"]
    assert (repeat["replicates"], repeat["transcripts"], repeat["presentations"]) == (2, 4, 4)
    assert repeat["sd"] is not None
    assert 0 <= repeat["same"] <= 1
    assert "asked again" in pages(workspace)["en"]


def test_replicates_of_all_judges_are_set_at_once(workspace, server):
    judges = [judge("j", server.url), judge("k", server.url, replicates=1)]
    workspace.configure(three(server.url)[:2], judges, judge_replicates=3)
    ran = workspace.run("run", "--dry-run", "--json")
    calls = {(x["stage"], x["who"]): x["calls"] for x in ran.document["forecast"]["lines"]}
    assert calls["compare", "judge:j"] == 12 == 3 * calls["compare", "judge:k"]


def test_the_forecast_says_how_much_will_be_cut_and_what_was_cut_says_so(workspace, server):
    long = {"scenario_1": {"turns": ["What now? " * 40]}}
    workspace.write_suite(turns=1, **long)
    agents = [agent(n, server.url, system="careful.md") for n in ("alpha", "bravo")]
    workspace.write("data/careful.md", "Be careful and kind, and take your time. " * 120)
    workspace.configure(agents, [judge("j", server.url, context=1400)])
    forecast = workspace.run("run", "--dry-run", "--json").document["forecast"]
    cuts = {c["stage"]: c for c in forecast["cuts"]}
    assert cuts["compare"]["prompts"] == cuts["compare"]["of"] == 4
    assert cuts["compare"]["who"] == "judge:j"
    assert forecast["cut"] == sum(c["prompts"] for c in forecast["cuts"])
    ran = workspace.run("run", "--yes")
    assert ran.code == 0, str(ran)
    assert "4 of 4 prompts (compare) are cut" in ran.err
    assert workspace.rows("select distinct flags from verdict") == [('["cut"]',)]


def test_a_served_model_that_changes_splits_the_board(workspace, server):
    """The first five answers are of one model, the rest of another."""
    drifting = judge("j", server.url, model="drift", limits={**LIMITS, "concurrency": 1})
    workspace.write_suite(scenarios=4, turns=1)
    workspace.configure(three(server.url)[:2], [drifting | {"uses": ["pairwise"]}])
    ran = workspace.run("run", "--yes")
    assert "served model changed during this run" in ran.err
    assert "drift-drifted" in ran.err
    board = board_of(workspace)
    parts = {p["model"]: p for p in board["diagnostics"]["audit"]["served"]}
    assert {model: p["verdicts"] for model, p in parts.items()} == {"drift": 5, "drift-drifted": 3}
    assert [p["model"] for p in parts.values() if p["used"]] == ["drift"]
    assert board["panel"] == ["j@drift"]
    excluded = board["diagnostics"]["rows"]["excluded"]
    assert excluded["other_model"] == 3
    assert "different judges" in ran.err
    assert "--allow-mixed-judges" in ran.err
    assert "视为不同评审" in pages(workspace)["zh"]
    mixed = workspace.run("rank", "--allow-mixed-judges", "--json")
    (whole,) = mixed.document["boards"]
    assert whole["comparisons"] == 4 > board["comparisons"]
    assert whole["panel"] == ["j"]
    assert whole["diagnostics"]["audit"]["mixed"] is True


def test_a_floating_alias_is_mentioned_once(workspace, server):
    judges = [judge("j", server.url), judge("k", server.url, model="k-2025-01-31")]
    workspace.configure(three(server.url)[:2], judges)
    ran = workspace.run("run", "--dry-run")
    assert ran.err.count("a model name without a date") == 1
    assert "j: a model name" in ran.err


def test_decoys_and_stand_ins_are_checked_where_they_are_written(workspace, server):
    agents = three(server.url)
    cases = [
        ({"decoys": ["nul"]}, "decoys"),
        ({"agents": [*agents, agent("null", server.url)], "decoys": [None]}, "name of a decoy"),
        ({"agents": [*agents, agent("x", server.url, kind="decoy")]}, "decoys are not agents"),
        ({"judges": [judge("j", server.url, stand_in=True)]}, "stands in for nobody"),
    ]
    for changes, said in cases:
        config = {"agents": agents, "judges": [judge("j", server.url)], **changes}
        workspace.configure(**config)
        ran = workspace.run("run", "--dry-run")
        assert ran.code == 2
        assert said in ran.err
