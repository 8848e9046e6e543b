"""A change of the plan asks exactly what it changes: named call by call, on both sides."""

import json
import shutil
from collections import Counter
from itertools import combinations

import pytest

from tests.e2e.conftest import SUITE, Workspace, agent, begun, fair, judge
from tests.support.answers import schema_of
from tests.support.server_thread import ServerThread

AGENTS = ("alpha", "bravo")
JUDGES = ("referee",)
SCENARIOS = ("S-1", "S-2")
ROUNDS = 2
TABLES = ("call", "transcript", "sheet", "score", "verdict", "verdict_criterion")
CALLS = """
select call.key, 'transcript', call.entrant, scenario, replicate, call.round::text
from call join transcript on transcript.key = serves
union all
select call.key, 'sheet', call.entrant, scenario, replicate, agent
from call join sheet on sheet.key = serves
join transcript on transcript.key = sheet.transcript
union all
select call.key, 'verdict', call.entrant, scenario, replicate, agent_a || agent_b || "order"
from call join verdict on verdict.key = serves
"""
"""Every call with what it serves: kind, who was asked, scenario, replicate, and which part."""


# --- What a plan consists of ----------------------------------------------------------------------


def replies(agents=AGENTS, scenarios=SCENARIOS, replicates=1, rounds=ROUNDS):
    return [
        ("transcript", name, scenario, replicate, str(number))
        for name in agents
        for scenario in scenarios
        for replicate in range(1, replicates + 1)
        for number in range(1, rounds + 1)
    ]


def sheets(judges=JUDGES, agents=AGENTS, scenarios=SCENARIOS, replicates=1):
    return [
        ("sheet", who, scenario, replicate, name)
        for who in judges
        for name in agents
        for scenario in scenarios
        for replicate in range(1, replicates + 1)
    ]


def verdicts(judges=JUDGES, pairs=(AGENTS,), scenarios=SCENARIOS, replicates=1):
    return [
        ("verdict", who, scenario, replicate, a + b + order)
        for who in judges
        for a, b in pairs
        for scenario in scenarios
        for replicate in range(1, replicates + 1)
        for order in ("ab", "ba")
    ]


def whole(agents=AGENTS, judges=JUDGES, scenarios=SCENARIOS, replicates=1, rounds=ROUNDS):
    return [
        *replies(agents, scenarios, replicates, rounds),
        *sheets(judges, agents, scenarios, replicates),
        *verdicts(judges, list(combinations(agents, 2)), scenarios, replicates),
    ]


# --- What was asked -------------------------------------------------------------------------------


class Ledger:
    """Runs commands and says which calls each made; nothing that was there may change."""

    def __init__(self, workspace, server):
        self.workspace, self.server = workspace, server

    def look(self):
        """Every row by table, and every call by what it serves; none before the first command."""
        if not self.workspace.results.exists():
            return {table: set() for table in TABLES}, {}
        with self.workspace.database() as database:
            rows = {table: set(database.rows(f"from {table}")) for table in TABLES}
            return rows, {key: tuple(what) for key, *what in database.rows(CALLS)}

    def asked(self, *words):
        """The calls of one command, by what they serve, as the store and the server tell them."""
        rows, calls = self.look()
        seen = Counter(begun(self.server))
        ran = self.workspace.run(*(words or ("run",)), "--yes")
        assert ran.code == 0, str(ran)
        rows_now, calls_now = self.look()
        for table, before in rows.items():
            assert before <= rows_now[table], table
        assert len(calls_now) == len(rows_now["call"])
        new = [what for key, what in calls_now.items() if key not in calls]
        assert Counter(who for _, who, *_ in new) == Counter(begun(self.server)) - seen
        return sorted(new)


def names(names, url, **more):
    return [agent(name, url, **more) for name in names]


@pytest.fixture(scope="module")
def host():
    """One server for all workspaces, so that a copy of one is complete as it stands."""
    with ServerThread(retry_after=0, answer=fair, answer_schemas=True) as thread:
        yield thread


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


def configure(ledger, agents, judges=JUDGES, **more):
    url = ledger.server.url
    ledger.workspace.configure(agents, [judge(name, url) for name in judges], **more)


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


# --- A part now, the rest later -------------------------------------------------------------------

TRIO = ("alpha", "bravo", "carol")
PANEL = ("referee", "umpire")
THREE = ("S-1", "S-2", "S-3")


def short(agents=TRIO, judges=PANEL, scenarios=THREE):
    return whole(agents, judges, scenarios, rounds=1)


@pytest.fixture
def wide(workspace, host):
    """Nothing asked yet: three agents, two judges, three scenarios of one turn in two domains."""
    workspace.write_suite(scenarios=3, turns=1, scenario_3={"domain": "walk"})
    path = workspace.root / "data" / "suites" / SUITE / "suite.yaml"
    suite = json.loads(path.read_text("utf-8"))
    suite["domains"].append({"domain": "walk", "name": "Walk"})
    path.write_text(json.dumps(suite), "utf-8")
    made = Ledger(workspace, host)
    configure(made, names(TRIO, host.url), PANEL)
    return made


PARTS = {
    "scenarios": (
        ("--scenario", "S-3", "--scenario", "S-2"),
        short(scenarios=("S-2", "S-3")),
    ),
    "limit takes of each domain": (("--limit", "2"), short(scenarios=("S-1", "S-3"))),
    "domain": (("--domain", "walk"), short(scenarios=("S-3",))),
    "domain and limit": (("--domain", "talk", "--limit", "1"), short(scenarios=("S-1",))),
    "agent": (
        ("--agent", "bravo"),
        [*replies(("bravo",), THREE, rounds=1), *sheets(PANEL, ("bravo",), THREE)],
    ),
    "judge": (("--judge", "umpire"), short(judges=("umpire",))),
    "all at once": (
        ("--judge", "referee", "--scenario", "S-1", "--agent", "alpha", "--agent", "bravo"),
        short(AGENTS, ("referee",), ("S-1",)),
    ),
}


@pytest.mark.parametrize(("words", "part"), PARTS.values(), ids=PARTS)
def test_a_part_asks_only_that_part_and_a_full_run_asks_only_the_rest(wide, words, part):
    assert wide.asked("run", *words) == sorted(part)
    rest = Counter(short()) - Counter(part)
    assert wide.asked() == sorted(rest.elements())


def test_compare_of_one_agent_asks_for_its_pairs(wide):
    assert wide.asked("collect") == sorted(replies(TRIO, THREE, rounds=1))
    pairs = [("alpha", "bravo"), ("bravo", "carol")]
    assert wide.asked("compare", "--agent", "bravo") == sorted(verdicts(PANEL, pairs, THREE))
    assert wide.asked("compare") == sorted(verdicts(PANEL, [("alpha", "carol")], THREE))


# --- Stage by stage -------------------------------------------------------------------------------

JUDGED = {
    "transcript": "key, suite, mode, agent, scenario, replicate, messages",
    "sheet": "key, transcript, judge, status, summary, remarks, flags",
    "score": "*",
    "verdict": "key, judge, status, outcome, margin, reason, flags, code_a, code_b",
    "verdict_criterion": "*",
    "call": "key, serves, round, attempt, status, text, prompt_digest",
}
"""What does not depend on when, and in which command, it was asked."""


def shape(value):
    """A document without what tells when it was made and by which command."""
    if isinstance(value, dict):
        return {k: shape(v) for k, v in value.items() if k not in ("at", "run", "runs", "when")}
    return [shape(v) for v in value] if isinstance(value, list) else value


def test_the_stages_one_by_one_are_the_whole_run(tmp_path, host):
    stepwise, at_once = (Workspace(tmp_path / name) for name in ("stepwise", "at-once"))
    for workspace in (stepwise, at_once):
        workspace.write_suite()
        workspace.configure(names(AGENTS, host.url), [judge("referee", host.url)])
    ledger = Ledger(stepwise, host)
    assert ledger.asked("collect") == sorted(replies())
    assert ledger.asked("score") == sorted(sheets())
    assert ledger.asked("compare") == sorted(verdicts())
    asked = host.server.begun
    for command in ("rank", "publish"):
        ran = stepwise.run(command)
        assert ran.code == 0, str(ran)
    assert host.server.begun == asked
    assert Ledger(at_once, host).asked() == sorted(whole())
    for table, columns in JUDGED.items():
        found = [
            sorted(map(str, w.rows(f"select {columns} from {table}"))) for w in (stepwise, at_once)
        ]
        assert found[0], table
        assert found[0] == found[1], table
    boards = [w.run("rank", "--json").document for w in (stepwise, at_once)]
    assert shape(boards[0]) == shape(boards[1])
    pages = [
        sorted(p.relative_to(w.leaderboard).as_posix() for p in w.leaderboard.rglob("*"))
        for w in (stepwise, at_once)
    ]
    assert "index.html" in pages[0]
    assert pages[0] == pages[1]


@pytest.mark.parametrize("stage", ["score", "compare"])
def test_a_stage_whose_input_is_missing_asks_nothing(workspace, host, stage):
    workspace.configure(names(AGENTS, host.url), [judge("referee", host.url)])
    before = host.server.begun
    ran = workspace.run(stage, "--yes")
    assert ran.code in (0, 3), str(ran)
    assert host.server.begun == before
