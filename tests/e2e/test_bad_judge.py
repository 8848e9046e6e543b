"""Judges that misbehave: one repair, everything kept, nothing counted that cannot be read."""

import json
import re
from types import SimpleNamespace

import pytest

from tests.e2e.conftest import LIMITS, Workspace, agent, begun, board_of, fair, judge, recover
from tests.support.answers import messages_text
from tests.support.server_thread import ServerThread

SCENARIOS = 2
JUDGES = {"prose": "unparsed", "length": "truncated", "content_filter": "blocked"}
ITEMS = 2 * SCENARIOS
"""Sheets, and verdicts as well, that each judge is asked for: two agents, two scenarios."""


class Bench:
    """A server whose judge `prose` writes prose until it is told to write JSON."""

    def __init__(self):
        self.sober = False
        self.asked = []

    def __call__(self, request):
        self.asked.append(request)
        if request["model"] != "prose":
            return fair(request)
        if not self.sober:
            return "Both have their points; on the whole 5 out of 5."
        codes = re.findall(r"^=== (\w+) START", messages_text(request), re.MULTILINE)
        if len(codes) == 1:
            return json.dumps({"scores": {"warmth": 3, "advice": 4}, "summary": "Fine."})
        sides = {"warmth": {"side": codes[0], "strength": 2}}
        return json.dumps(
            {"winner": codes[0], "strength": 2, "criteria": sides, "reason": "Kinder."}
        )


@pytest.fixture(scope="module")
def judged(tmp_path_factory):
    """Two good agents before judges that misbehave, and one that does not; then all recover."""
    workspace = Workspace(tmp_path_factory.mktemp("judged"))
    workspace.write_suite(scenarios=SCENARIOS, turns=1)
    bench, phases = Bench(), []
    with (
        pytest.MonkeyPatch.context() as monkeypatch,
        ServerThread(retry_after=0, answer=bench, answer_schemas=True) as server,
    ):
        judges = [judge(name, server.url, limits=LIMITS) for name in ("fine", *JUDGES)]
        judges[1]["response_format"] = "text"
        agents = [agent(name, server.url) for name in ("alpha", "bravo")]
        workspace.configure(agents, judges)

        def phase(*args):
            ran = workspace.run("run", "--yes", *args)
            with workspace.database() as database:
                rows = {t: database.rows(f"from {t}") for t in ("call", "sheet", "verdict")}
                current = {
                    table: database.rows(
                        f"select judge, status, count(*), count(outcome) from {view} group by all"
                        if table == "verdict"
                        else f"select judge, status, count(*) from {view} group by all"
                    )
                    for table, view in (("sheet", "current_sheet"), ("verdict", "current_verdict"))
                }
            phases.append(
                SimpleNamespace(
                    ran=ran,
                    begun=begun(server),
                    rows=rows,
                    current=current,
                    board=board_of(workspace),
                    asked=list(bench.asked),
                )
            )

        phase()
        phase()
        bench.sober = True
        recover(monkeypatch, "length", "content_filter")
        phase("--retry-errors")
    return SimpleNamespace(workspace=workspace, phases=phases)


@pytest.mark.reported("R02")
def test_prose_is_repaired_exactly_once_and_then_kept_as_unparsed(judged):
    first = judged.phases[0]
    assert first.ran.code == 3
    assert first.begun["prose"] == 2 * 2 * ITEMS
    kept = judged.workspace.rows(
        "select attempt, status, text, complaint is null from call "
        "where entrant = 'prose' and run = (select min_by(run, started_at) from run) order by all"
    )
    assert [row[:2] for row in kept] == [(n, "unparsed") for n in (1, 2) for _ in range(2 * ITEMS)]
    assert {row[2:] for row in kept} == {(Bench()({"model": "prose"}), False)}
    asked = [r["messages"] for r in first.asked if r["model"] == "prose"]
    repairs = [messages for messages in asked if len(messages) > 1]
    assert len(repairs) == 2 * ITEMS
    for messages in repairs:
        assert [m["role"] for m in messages] == ["user", "assistant", "user"]
        assert messages[1]["content"] == Bench()({"model": "prose"})
        assert [messages[0]] in asked


@pytest.mark.reported("R07", "R16")
def test_an_answer_that_cannot_be_read_is_kept_under_its_status_and_counts_for_nothing(judged):
    current = judged.phases[0].current
    assert set(current["sheet"]) == {
        ("fine", "ok", ITEMS),
        *((name, status, ITEMS) for name, status in JUDGES.items()),
    }
    # What a truncated answer still named is kept and shown; under this status it does not count.
    assert set(current["verdict"]) == {
        ("fine", "ok", ITEMS, ITEMS),
        ("prose", "unparsed", ITEMS, 0),
        ("length", "truncated", ITEMS, ITEMS),
        ("content_filter", "blocked", ITEMS, 0),
    }
    scored = judged.workspace.rows(
        "select distinct judge from score join sheet on sheet.key = score.sheet "
        "and sheet.attempt = score.attempt where sheet.status <> 'ok'"
    )
    assert scored == []


@pytest.mark.reported("R15")
def test_a_filter_is_not_asked_to_think_again(judged):
    first = judged.phases[0]
    assert first.begun["content_filter"] == 2 * ITEMS
    assert first.begun["length"] == 2 * ITEMS


@pytest.mark.reported("R08", "R66")
def test_the_board_counts_only_readable_verdicts_and_names_the_others(judged):
    first = judged.phases[0].board
    rows = first["diagnostics"]["rows"]
    assert rows["used"] == ITEMS
    assert rows["excluded"] == {status: ITEMS for status in JUDGES.values()}
    assert first["comparisons"] == SCENARIOS
    by_judge = {j["judge"]: j for j in first["diagnostics"]["judges"]}
    for name, status in JUDGES.items():
        assert by_judge[name]["comparisons"] == 0
        assert by_judge[name]["rows"] == {status: ITEMS}


def test_a_plain_run_asks_no_judge_again(judged):
    first, second = judged.phases[:2]
    assert second.begun == first.begun
    assert second.ran.code == 3


@pytest.mark.reported("R43")
def test_with_retry_errors_recovered_judges_complete_the_board_and_old_rows_stay(judged):
    second, third = judged.phases[1:]
    assert third.ran.code == 0, str(third.ran)
    for name in JUDGES:
        assert third.begun[name] == second.begun[name] + 2 * ITEMS
    assert third.begun["fine"] == second.begun["fine"]
    assert {row[1] for table in third.current.values() for row in table} == {"ok"}
    assert third.board["diagnostics"]["rows"]["used"] == 4 * ITEMS
    assert not any(third.board["diagnostics"]["rows"]["excluded"].values())
    for table, rows in second.rows.items():
        assert set(rows) <= set(third.rows[table])
        assert len(third.rows[table]) == len(rows) + len(JUDGES) * (
            2 * ITEMS if table == "call" else ITEMS
        )
