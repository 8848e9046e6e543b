"""A change of the plan asks exactly what it changes: named call by call, on both sides."""

import json
import shutil
from collections import Counter
from pathlib import Path

import pytest

import arena.judging
from tests.e2e.conftest import SUITE, Workspace, agent, begun, fair, judge
from tests.e2e.ledger import (
    AGENTS,
    ROUNDS,
    SCENARIOS,
    Ledger,
    configure,
    names,
    replies,
    sheets,
    verdicts,
    whole,
)
from tests.support.answers import schema_of
from tests.support.server_thread import ServerThread


@pytest.fixture(scope="module")
def complete(host, tmp_path_factory):
    """A complete run of two agents and one judge over two scenarios of two turns."""
    workspace = Workspace(tmp_path_factory.mktemp("complete") / "workspace")
    workspace.write_suite()
    workspace.configure(names(AGENTS, host.url), [judge("referee", host.url)])
    assert Ledger(workspace, host).asked() == sorted(whole())
    return workspace


@pytest.fixture
def ledger(complete, host, tmp_path):
    """A copy of the complete run."""
    shutil.copytree(complete.root, tmp_path / "workspace")
    return Ledger(Workspace(tmp_path / "workspace"), host)


# --- One change, and exactly what it asks ---------------------------------------------------------


def test_the_same_command_again_asks_nothing(ledger):
    assert ledger.asked() == []
    assert ledger.asked("run", "--retry-errors") == []


def test_a_new_scenario_asks_only_about_itself(ledger):
    ledger.workspace.write_suite(scenarios=3)
    assert ledger.asked() == sorted(whole(scenarios=("S-3",)))
    assert ledger.asked() == []


def test_a_scenario_put_first_asks_only_about_itself(ledger):
    path = ledger.workspace.root / "data" / "suites" / SUITE / "scenarios.jsonl"
    lines = path.read_text("utf-8").splitlines()
    first = json.loads(lines[0]) | {"scenario": "S-0", "turns": ["Zero?", "Zero again?"]}
    path.write_text("\n".join([json.dumps(first), *reversed(lines)]), "utf-8")
    assert ledger.asked() == sorted(whole(scenarios=("S-0",)))


def test_a_mended_note_asks_only_the_judges_and_only_about_its_scenario(ledger):
    ledger.workspace.write_suite(scenario_2={"notes": {"natural": "Mended."}})
    only = ("S-2",)
    assert ledger.asked() == sorted([*sheets(scenarios=only), *verdicts(scenarios=only)])


def test_a_changed_turn_plays_its_scenario_again(ledger):
    ledger.workspace.write_suite(scenario_2={"turns": ["Something else?", "And then?"]})
    assert ledger.asked() == sorted(whole(scenarios=("S-2",)))


def criteria(warmth="Is it kind?", advice="Can it be followed?"):
    return [
        {"criterion": "warmth", "name": "Warmth", "question": warmth},
        {"criterion": "advice", "name": "Advice", "question": advice},
    ]


def test_a_changed_question_that_is_scored_and_compared_asks_the_judges_for_both(ledger):
    ledger.workspace.write_suite(criteria=criteria(warmth="Is it really kind?"))
    assert ledger.asked() == sorted([*sheets(), *verdicts()])


def test_a_changed_question_that_is_only_scored_asks_for_no_verdict(ledger):
    ledger.workspace.write_suite(criteria=criteria(advice="Can one really follow it?"))
    assert ledger.asked() == sorted(sheets())


TEMPLATES = Path(arena.judging.__file__).parent / "templates" / "en"


@pytest.mark.parametrize("use", ["pairwise", "rubric"])
def test_a_changed_sentence_of_a_judges_template_asks_the_judges_again_and_keeps_the_old(
    ledger, use
):
    again = {"pairwise": verdicts(), "rubric": sheets()}[use]
    table = {"pairwise": "verdict", "rubric": "sheet"}[use]
    ours = (TEMPLATES / f"{use}.j2").read_text("utf-8")
    own = f"data/suites/{SUITE}/templates/{use}.j2"
    before = set(ledger.workspace.rows(f"select key from {table}"))
    # The same words in the suite's own folder are the same question.
    ledger.workspace.write(own, ours)
    assert ledger.asked() == []
    ledger.workspace.write(
        own, ours.replace("Length is not quality.", "A long reply is no better.")
    )
    assert ledger.asked() == sorted(again)
    after = set(ledger.workspace.rows(f"select key from {table}"))
    assert before < after
    assert len(after) == 2 * len(before)
    # A board counts each comparison and each score once, by the wording that stands.
    (board,) = ledger.workspace.run("rank", "--json").document["boards"]
    assert board["comparisons"] == len(SCENARIOS)
    assert {a["absolute"]["scenarios"] for a in board["agents"]} == {len(SCENARIOS)}
    ledger.workspace.write(own, ours)
    assert ledger.asked() == []


def test_a_changed_system_prompt_plays_that_agent_again_and_judges_what_it_says(ledger):
    ledger.workspace.write("data/prompts/kind.md", "Be kind.")
    url = ledger.server.url
    configure(ledger, [agent("alpha", url, system="prompts/kind.md"), agent("bravo", url)])
    mine = ("alpha",)
    assert ledger.asked() == sorted([*replies(mine), *sheets(agents=mine), *verdicts()])
    ledger.workspace.write("data/prompts/kind.md", "Be kinder.")
    assert ledger.asked() == sorted([*replies(mine), *sheets(agents=mine), *verdicts()])


def test_a_change_that_is_taken_back_asks_nothing(ledger):
    ledger.workspace.write_suite(scenario_2={"notes": {"natural": "Mended."}})
    assert ledger.asked()
    ledger.workspace.write_suite()
    assert ledger.asked() == []


def test_a_new_agent_asks_only_its_own_replies_sheets_and_pairs(ledger):
    configure(ledger, names(("aaron", *AGENTS), ledger.server.url))
    new = ("aaron",)
    pairs = [("aaron", "alpha"), ("aaron", "bravo")]
    assert ledger.asked() == sorted(
        [*replies(new), *sheets(agents=new), *verdicts(pairs=pairs)],
    )


@pytest.mark.reported("R44")
def test_a_new_judge_asks_only_itself(ledger):
    configure(ledger, names(AGENTS, ledger.server.url), ("referee", "umpire"))
    new = ("umpire",)
    assert ledger.asked() == sorted([*sheets(new), *verdicts(new)])


def test_an_agent_that_leaves_and_comes_back_asks_nothing(ledger):
    configure(ledger, names(("alpha", "carol"), ledger.server.url))
    ledger.asked()
    configure(ledger, names(("alpha", "bravo", "carol"), ledger.server.url))
    assert ledger.asked() == sorted(verdicts(pairs=[("bravo", "carol")]))


@pytest.mark.parametrize(
    "change",
    [
        lambda a, b: ([b, a], {}),
        lambda a, b: ([a | {"name": "Alpha the Great"}, b | {"short": "B"}], {}),
        lambda a, b: ([a | {"family": "qwen", "region": "cn", "kind": "product"}, b], {}),
        lambda a, b: ([a | {"limits": {"concurrency": 1, "attempts": 2}}, b], {}),
        lambda a, b: ([a | {"price": {"per_call": 0, "currency": "CNY"}}, b], {}),
        lambda a, b: ([a, b], {"currency": "USD", "vendor_guard": "warn"}),
    ],
    ids=["order", "names", "descriptions", "limits", "prices", "workspace"],
)
def test_what_no_model_ever_sees_asks_nothing(ledger, change):
    agents, more = change(*names(AGENTS, ledger.server.url))
    configure(ledger, agents, **more)
    assert ledger.asked() == []


def test_more_replicates_ask_only_the_new_ones(ledger):
    configure(ledger, names(AGENTS, ledger.server.url), replicates=2)
    missing = Counter(whole(replicates=2)) - Counter(whole())
    assert ledger.asked() == sorted(missing.elements())
    configure(ledger, names(AGENTS, ledger.server.url), replicates=1)
    assert ledger.asked() == []


# --- The same model at two addresses --------------------------------------------------------------


def test_one_model_at_two_addresses_is_two_agents_with_transcripts_of_their_own(workspace):
    def saying(text):
        return lambda request: fair(request) if schema_of(request) else text

    with (
        ServerThread(answer=saying("from here"), answer_schemas=True) as here,
        ServerThread(answer=saying("from there"), answer_schemas=True) as there,
    ):
        agents = [agent(n, s.url, model="ok") for n, s in (("one", here), ("two", there))]
        workspace.configure(agents, [judge("referee", here.url)])
        ran = workspace.run("run", "--yes")
        assert ran.code == 0, str(ran)
        assert begun(there) == {"ok": ROUNDS * 2}
        assert begun(here) == {"ok": ROUNDS * 2, "referee": 4 + 4}
    said = {
        name: {text for role, text in json.loads(messages) if role == "assistant"}
        for name, messages in workspace.rows("select agent, messages from transcript")
    }
    assert said == {"one": {"from here"}, "two": {"from there"}}


def test_an_agent_that_moves_to_another_address_is_played_again(ledger):
    with ServerThread(answer=fair, answer_schemas=True) as other:
        moved = [agent("alpha", ledger.server.url), agent("bravo", other.url)]
        configure(ledger, moved)
        ran = ledger.workspace.run("collect", "--yes")
        assert ran.code == 0, str(ran)
        assert begun(other) == {"bravo": ROUNDS * len(SCENARIOS)}
