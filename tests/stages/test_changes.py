"""Two boards of one store: found again, compared where that is right, and refused where not."""

import json
from dataclasses import replace
from decimal import Decimal
from types import SimpleNamespace

import pytest

from arena.domain.board import to_json
from arena.domain.bridge import Bridge, Drift
from arena.domain.changes import Shift
from arena.domain.former import Former
from arena.domain.method import Method
from arena.errors import UsageError
from arena.exchange.former import read_former
from arena.stages.rank.changes import Weighed, compare_boards, decide
from arena.stages.rank.comparable import check_comparable
from arena.stages.rank.rank import rank
from arena.stages.rank.sides import find_side
from arena.store.store import Store
from tests.site.filling import fill
from tests.site.hostile import AT, make_job, make_suite

LATER = "2026-12-01T00:00:00+00:00"


@pytest.fixture(scope="module")
def world(tmp_path_factory):
    """A store with a board of six scenarios; read only."""
    job = make_job(suite=make_suite(6))
    with Store(tmp_path_factory.mktemp("db") / "arena.duckdb") as store:
        fill(store, job, text="some words")
        board = rank(
            job, store=store, software="arena 0.1.0", at=LATER, method=Method(resamples=50)
        )
        yield SimpleNamespace(store=store, job=job, board=board)


def former(board, **more):
    return Former(board=board, basis=board.basis, source="old", **more)


def altered(job, *, without=0):
    """The same job with a newer version of its first agent, and without its last ones."""
    first, *rest = job.agents
    kept = rest[: len(rest) - without]
    return replace(job, agents=(first.model_copy(update={"version": "2"}), *kept))


def test_a_board_is_found_again_as_it_was(world):
    found = find_side(world.job, world.board, world.board.basis, world.store)
    assert len(found.comparisons) == world.board.comparisons > 10
    told = {s.agent: s.absolute for s in world.board.agents if s.absolute}
    assert found.scores.keys() == told.keys()


def test_also_where_an_agent_is_another_or_gone_by_now(world):
    job = altered(world.job, without=1)
    assert find_side(job, world.board, world.board.basis, world.store) is not None


@pytest.mark.parametrize(
    "changes",
    [
        {"at": "2020-01-01T00:00:00+00:00"},
        {"at": None},
        {"pairs": "fewer"},
    ],
)
def test_what_the_store_does_not_hold_is_not_found(world, changes):
    board = world.board
    if "pairs" in changes:
        met = next(p for p in board.pairs if p.n)
        changes = {"pairs": tuple(replace(p, n=p.n + (p is met)) for p in board.pairs)}
    assert find_side(world.job, replace(board, **changes), board.basis, world.store) is None


def test_nothing_is_guessed_of_agents_that_are_known_by_name_alone(world):
    basis = replace(world.board.basis, agents=dict.fromkeys(world.board.basis.agents, ""))
    assert find_side(world.job, world.board, basis, world.store) is None


def test_the_same_board_has_not_changed(world):
    found = compare_boards(former(world.board), world.job, world.store)
    both = found.of("both")
    assert len(both) == len(world.board.agents)
    rated = [c for c in both if c.rating.why != "unrated"]
    assert rated
    assert all(c.rating.same and c.rating.difference == 0 for c in rated)
    assert found.moved == ()
    assert found.settled


def test_where_the_answers_are_elsewhere_the_interval_is_not_known(world):
    elsewhere = replace(world.board, at="2020-01-01T00:00:00+00:00")
    found = compare_boards(former(elsewhere), world.job, world.store)
    whys = {c.rating.why for c in found.agents}
    assert whys <= {"not_here", "unrated"}
    assert "not_here" in whys
    assert {c.absolute.why for c in found.agents} <= {"not_here", "unscored"}


def test_that_somebody_moved_must_hold_for_all_agents_together():
    shift = Shift(difference=50.0, low=1.0, high=99.0)
    alone = decide({"a": Weighed(shift, 0.04)}, 0.95)
    assert alone["a"].moved
    many = {name: Weighed(shift, 0.04) for name in "abc"} | {"d": Weighed(shift, 0.01)}
    found = decide({**many, "e": Weighed(Shift(difference=9.0, why="few"))}, 0.95)
    assert [name for name, of in found.items() if of.moved] == ["d"]


def refused(world, board=None, basis=None):
    old = board or world.board
    told = Former(board=old, basis=basis or old.basis, source="old")
    with pytest.raises(UsageError) as caught:
        check_comparable(told, world.board, world.board.basis)
    assert caught.value.exit_code == 2
    return str(caught.value)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"suite": "other"}, "another suite\nthen: other; now: tiny"),
        ({"mode": "lite"}, "another mode\nthen: lite; now: natural"),
        ({"suite_digest": "d" * 32}, "other contents of the suite\nthen: 1.0.0 (dddddddddddd)"),
        ({"method": Method(ties="davidson")}, "another method: ties\nthen: davidson; now: half"),
        ({"method": Method(prior_sd=3.0)}, "another method: prior_sd\nthen: 3.0; now: —"),
    ],
)
def test_boards_of_something_else_are_refused_with_both_values(world, changes, said):
    assert said in refused(world, replace(world.board, **changes))


def with_judge(board, **changes):
    first, *rest = board.basis.judges
    return replace(board.basis, judges=(replace(first, **changes), *rest))


def test_other_judges_prompts_models_and_scenarios_are_refused(world):
    basis = world.board.basis
    name = basis.judges[0].judge
    fewer = replace(basis, scenarios=basis.scenarios[:-1])
    assert "other scenarios\nthen: 5 (—); now: 6 (" in refused(world, basis=fewer)
    assert f"then: {name}; now: " in refused(world, basis=replace(basis, judges=basis.judges[:1]))
    words = with_judge(world.board, compare_templates=("f" * 32,))
    assert f"{name} was asked in other words\nthen: ffffffffffff; now: " in refused(
        world, basis=words
    )
    other = with_judge(world.board, digest="e" * 32)
    assert "which is another judge\nthen: eeeeeeeeeeee; now: " in refused(world, basis=other)


def test_another_served_model_is_refused_unless_a_bridge_holds(world):
    board = world.board
    name = board.basis.judges[0].judge
    now = with_judge(board, compared_by=("m-2",))
    then = with_judge(board, compared_by=("m-1",))
    told = Former(board=board, basis=then, source="old")
    with pytest.raises(UsageError, match="then: m-1; now: m-2"):
        check_comparable(told, board, now)
    drift = Drift(agent=None, mean=0, low=-0.1, high=0.1, half=0.1, presentations=99, scenarios=20)
    bridge = Bridge(
        judge=name,
        old="m-1",
        new="m-2",
        asked=99,
        read=99,
        others=0,
        scenarios=20,
        level=0.95,
        drifts=(drift,),
        finding="holds",
    )
    audit = replace(board.diagnostics.audit, bridges=(bridge,))
    joined = replace(board, diagnostics=replace(board.diagnostics, audit=audit))
    check_comparable(told, joined, now)
    small = replace(audit, bridges=(replace(bridge, finding="small"),))
    apart = replace(board, diagnostics=replace(board.diagnostics, audit=small))
    with pytest.raises(UsageError, match="no bridge shows"):
        check_comparable(told, apart, now)


def test_what_an_older_board_does_not_tell_is_said_and_not_taken_for_granted(world, tmp_path):
    document = to_json(world.board)
    del document["basis"]
    path = tmp_path / "board.json"
    path.write_text(json.dumps(document), "utf-8")
    (old,) = read_former(path)
    (caveat,) = check_comparable(old, world.board, world.board.basis)
    assert caveat.key == "unknown"
    assert caveat.facts["what"] == ["scenarios", "prompts", "models", "agents"]


def test_without_a_board_of_now_there_is_nothing_to_compare(world):
    job = replace(world.job, mode="lite")
    with pytest.raises(UsageError, match="no board of tiny yet"):
        compare_boards(former(world.board), job, world.store)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{}",
        '{"schema": "arena.board/1"}',
        '{"schema": "arena.boards/1", "boards": 3}',
        '{"schema": "arena.leaderboard/1", "board": {"schema": "arena.board/1", "x": NaN}}',
        '{"schema": "arena.leaderboard/1", "board": {"schema": "arena.board/9"}}',
        "[" * 100_000,
    ],
)
def test_what_is_no_board_of_ours_is_refused(tmp_path, text):
    path = tmp_path / "old.json"
    path.write_text(text, "utf-8")
    with pytest.raises(UsageError, match=r"old\.json"):
        read_former(path)


def test_costs_and_names_that_cannot_be_read_are_unknown(world, tmp_path):
    agents = [
        {"agent": "a", "cost_per_transcript": "0.5", "currency": "CNY", "name": {"zh": "甲"}},
        {"agent": "b", "cost_per_transcript": "NaN", "currency": "CNY"},
        {"agent": "c", "cost_per_transcript": "-1", "currency": "CNY"},
        {"agent": "d", "cost_per_transcript": 3, "currency": "CNY"},
        {"agent": "e", "cost_per_transcript": "x", "currency": "CNY"},
        {"agent": "f", "name": {"zh": "己", "en": "F"}},
    ]
    document = {"schema": "arena.leaderboard/1", "agents": agents, "board": to_json(world.board)}
    folder = tmp_path / "site"
    (folder / "data").mkdir(parents=True)
    (folder / "data/leaderboard.json").write_text(json.dumps(document), "utf-8")
    (old,) = read_former(folder)
    assert {name: cost.amount for name, cost in old.costs.items()} == {"a": Decimal("0.5")}
    assert {name: words.en for name, words in old.names.items()} == {"f": "F"}
    assert old.basis == world.board.basis
    assert old.board.at == LATER > AT
