"""Red flags before people: flags, what judges differ on, a random part; decisions reach gates."""

import pytest
from openpyxl import load_workbook

from arena.designing.reviewing import RANDOM_PART, dangers_of
from arena.domain.flag import flag_id
from tests.serving.conftest import AGENTS, SECRET, Voter, dumped, served


def board(workspace):
    done = workspace.run("rank", "--json")
    assert done.code == 0, done
    found = done.document
    return found["boards"][0] if "boards" in found else found


@pytest.fixture
def ranked(workspace):
    return workspace, board(workspace)


def test_decisions_in_the_browser_s_api_feed_the_gates(ranked):
    workspace, before = ranked
    assert [f["human"] for f in before["flags"]] == ["unchecked"] * 2
    raised = {f["id"]: f for f in before["flags"]}
    transcripts = {t.key: t for t in workspace.job.all_transcripts()}
    dangers = {d.id: d for d in dangers_of(workspace.job, transcripts.values())}
    with served(workspace) as (url, _), Voter(url, "chen") as chen:
        told = chen.get("/api/review").json()
        shown = {one["flag"]: one for one in told["items"]}
        quiet = [id for id in shown if id not in raised]
        assert set(raised) <= set(shown) <= set(dangers)
        assert quiet, "a random part of what nobody flagged is shown, too"
        assert [name for name in SECRET if name in dumped(told)] == []
        first, second = sorted(raised)
        assert "█████" in shown[first]["quote"]
        for flag, decided in ((first, "confirm"), (second, "reject"), (quiet[0], "confirm")):
            body = {"flag": flag, "decided": decided, "note": "as seen"}
            first_time, again = (chen.post("/api/review", body).json() for _ in range(2))
            assert (first_time["kept"], again["kept"]) == ("new", "same")
            assert first_time["at"] == again["at"]
        unknown = {"flag": "0" * 32, "decided": "confirm"}
        assert chen.post("/api/review", unknown).status_code == 404
        undo = {"flag": quiet[0], "at": first_time["at"]}
        assert chen.post("/api/review/undo", undo).json()["decided"] is None
        assert chen.get("/api/review").json()["done"] == 2
        assert chen.post("/api/review", body).json()["kept"] == "new"
        assert chen.post("/api/review/undo", undo | {"at": "never"}).status_code == 404
        told = chen.get("/api/review").json()
        assert told["done"] == 3
        with Voter(url, "wu") as wu:
            assert wu.get("/api/review").json()["done"] == 0
            assert wu.post("/api/review/undo", undo).status_code == 404
    after = {f["id"]: f for f in board(workspace)["flags"]}
    assert {id: f["human"] for id, f in after.items()} == {
        first: "confirmed",
        second: "rejected",
        quiet[0]: "confirmed",
    }
    missed = after[quiet[0]]
    assert (missed["judges"], missed["people"]) == ([], ["human:chen"])
    assert missed["agent"] == dangers[quiet[0]].agent
    assert workspace.run("publish", "--out", str(workspace.root / "site")).code == 0


def test_the_wider_sheet_has_the_same_and_comes_back(ranked):
    workspace, before = ranked
    path = workspace.root / "wider.xlsx"
    assert workspace.run("export", "flags", str(path), "--wider").code == 0
    table = load_workbook(path).active
    rows = {row[0].value: row for row in table.iter_rows(min_row=2)}
    assert {f["id"] for f in before["flags"]} < set(rows)
    text = " ".join(str(c.value) for row in rows.values() for c in row)
    assert [name for name in (*AGENTS, "starchpole") if name in text.lower()] == []
    heads = [cell.value for cell in table[1]]
    at = next(n for n, head in enumerate(heads) if "decision" in head)
    for row in rows.values():
        row[at].value = "confirm"
    table.parent.save(path)
    told = workspace.run("import", "flags", str(path), "--judged-by", "chen", "--json").document
    assert (told["new"], told["left_out"]) == (len(rows), 0)
    assert {f["human"] for f in board(workspace)["flags"]} == {"confirmed"}
    assert len(board(workspace)["flags"]) == len(rows)


def test_the_random_part_is_what_is_told():
    ids = [flag_id(str(n), "fall") for n in range(20_000)]
    from arena.designing.reviewing import _drawn

    share = sum(map(_drawn, ids)) / len(ids)
    # Five standard errors of a share of one in ten.
    assert abs(share - RANDOM_PART) < 5 * (0.09 / len(ids)) ** 0.5
