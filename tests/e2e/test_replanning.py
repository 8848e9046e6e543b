"""What changes is asked again, and nothing else."""

import pytest

from tests.e2e.conftest import agent, fair, judge
from tests.support.llm_server import ServerThread

TABLES = ("call", "transcript", "sheet", "score", "verdict", "verdict_criterion")


@pytest.fixture
def played(workspace):
    """A finished run of two agents over two scenarios of two turns, on a server that judges."""
    with ServerThread(answer=fair, answer_schemas=True) as server:
        agents = [agent("alpha", server.url), agent("bravo", server.url)]
        workspace.configure(agents, [judge("referee", server.url)])
        assert workspace.run("run", "--yes").code == 0
        assert server.server.begun == 2 * 2 * 2 + 4 + 4
        yield workspace, server


def asked_by(workspace, server, *words):
    """Calls per kind of work that one more run makes; what was there stays as it was."""
    before = {table: set(workspace.rows(f"from {table}")) for table in TABLES}
    begun = server.server.begun
    ran = workspace.run("run", "--yes", *words)
    assert ran.code == 0, str(ran)
    for table, rows in before.items():
        assert rows <= set(workspace.rows(f"from {table}")), table
    calls = dict(workspace.rows("select serves_kind, count(*) from call group by all"))
    kept = [row for row in before["call"]]
    old = {kind: sum(row[2] == kind for row in kept) for kind in calls}
    new = {kind: calls[kind] - old[kind] for kind in sorted(calls)}
    assert sum(new.values()) == server.server.begun - begun
    return {kind: n for kind, n in new.items() if n}


def test_running_again_asks_nothing(played):
    assert asked_by(*played) == {}


def test_a_new_scenario_asks_only_itself(played):
    workspace, server = played
    workspace.write_suite(scenarios=3)
    assert asked_by(workspace, server) == {"transcript": 4, "sheet": 2, "verdict": 2}


def test_a_mended_note_asks_only_the_judges_of_its_scenario(played):
    workspace, server = played
    workspace.write_suite(scenario_2={"notes": {"natural": "Mended."}})
    assert asked_by(workspace, server) == {"sheet": 2, "verdict": 2}


def test_a_new_question_of_the_rubric_asks_the_judges_again_and_no_agent(played):
    workspace, server = played
    workspace.write_suite(
        criteria=[
            {"criterion": "warmth", "name": "Warmth", "question": "Is it really kind?"},
            {"criterion": "advice", "name": "Advice", "question": "Can it be followed?"},
        ]
    )
    assert asked_by(workspace, server) == {"sheet": 4, "verdict": 4}


def test_a_changed_system_prompt_plays_one_agent_again(played):
    workspace, server = played
    workspace.write("data/prompts/kind.md", "Be kind.")
    changed = [
        agent("alpha", server.url, system="prompts/kind.md"),
        agent("bravo", server.url),
    ]
    workspace.configure(changed, [judge("referee", server.url)])
    assert asked_by(workspace, server) == {"transcript": 4, "sheet": 2, "verdict": 4}


def test_a_new_agent_asks_only_its_own_and_its_pairs(played):
    workspace, server = played
    names = ("alpha", "bravo", "carol")
    workspace.configure([agent(n, server.url) for n in names], [judge("referee", server.url)])
    assert asked_by(workspace, server) == {"transcript": 4, "sheet": 2, "verdict": 8}


def test_a_second_judge_asks_only_itself(played):
    workspace, server = played
    agents = [agent("alpha", server.url), agent("bravo", server.url)]
    workspace.configure(agents, [judge("referee", server.url), judge("umpire", server.url)])
    assert asked_by(workspace, server) == {"sheet": 4, "verdict": 4}


def test_order_names_and_limits_in_the_file_ask_nothing(played):
    workspace, server = played
    agents = [
        agent("bravo", server.url, limits={"concurrency": 2}) | {"name": "Bravo!"},
        agent("alpha", server.url, short="al"),
    ]
    workspace.configure(agents, [judge("referee", server.url) | {"name": "Ref"}])
    assert asked_by(workspace, server) == {}


def test_the_same_model_at_two_addresses_is_two_agents(workspace):
    with ServerThread(answer=fair, answer_schemas=True) as one, ServerThread() as two:
        agents = [agent("here", one.url, model="ok"), agent("there", two.url, model="ok")]
        workspace.configure(agents, [judge("referee", one.url)])
        assert workspace.run("run", "--yes").code == 0
        assert two.server.begun == 4
        rows = workspace.rows("select agent, count(*) from transcript group by all order by all")
        assert rows == [("here", 2), ("there", 2)]
        digests = workspace.rows("select distinct agent_digest from transcript")
        assert len(digests) == 2


def test_a_part_is_asked_first_and_the_rest_later(workspace):
    with ServerThread(answer=fair, answer_schemas=True) as server:
        names = ("alpha", "bravo", "carol")
        workspace.configure([agent(n, server.url) for n in names], [judge("referee", server.url)])
        first = workspace.run("run", "--yes", "--scenario", "S-1", "--agent", "alpha")
        assert first.code == 0, str(first)
        assert workspace.rows("select agent, scenario from transcript") == [("alpha", "S-1")]
        for stage in ("collect", "score", "compare"):
            assert workspace.run(stage, "--yes").code == 0
        assert server.server.begun == 3 * 2 * 2 + 6 + 12
        assert workspace.run("run", "--yes").code == 0
        assert server.server.begun == 3 * 2 * 2 + 6 + 12


def test_replicates_are_transcripts_and_comparisons_of_their_own(workspace):
    with ServerThread(answer=fair, answer_schemas=True) as server:
        agents = [agent("alpha", server.url), agent("bravo", server.url)]
        workspace.configure(agents, [judge("referee", server.url)], replicates=2)
        assert workspace.run("run", "--yes").code == 0
        rows = workspace.rows("select replicate, count(*) from verdict group by all order by all")
        assert rows == [(1, 4), (2, 4)]
