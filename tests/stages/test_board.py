import itertools
import json
import math
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.domain.board import RowCount, from_json, to_json
from arena.domain.method import Method
from arena.domain.standing import State
from arena.errors import ArenaError
from arena.stages.rank.board import ScoredTranscript, make_board
from tests.support.boards import AGENTS, IDENTITY, board, compare, pair, play, standing, states


@pytest.fixture(scope="module")
def full():
    return board(play(AGENTS, 20), AGENTS, planned=dict.fromkeys(AGENTS, 80))


# ---- a plain board


def test_a_full_board_ranks_everybody_with_contained_estimates(full):
    assert set(states(full).values()) == {"ranked"}
    for s in full.agents:
        assert s.why is None
        assert s.low < s.rating < s.high
        assert 1 <= s.rank_low <= s.rank_high <= 5
        assert s.wins + s.ties + s.losses == s.comparisons == s.planned == 80
        assert s.scenarios == 20
        assert 0.7 < s.se / s.se_clustered < 1.4
    assert [s.rating for s in full.agents] == sorted((s.rating for s in full.agents), reverse=True)
    assert math.fsum(s.rating for s in full.agents) == pytest.approx(5000)
    assert math.fsum(s.p_best for s in full.agents) == pytest.approx(1)
    assert full.comparisons == 200
    assert full.scenarios == full.scenarios_planned == 20
    assert full.notes == ()


def test_two_agents_by_hand():
    # a earns 1, 1, 1, 0 over and over: odds 3, 400·log10 3 = 190.85 points apart about 1000;
    # SE of the difference: √(S/(S−1) · Σ(y−p)²) / (n·p·q) = √(40/39 · 7.5) / 7.5 log-odds
    made = board([compare("a", "b", s, float(s % 4 != 0)) for s in range(40)], "ab", scenarios=40)
    a, b, both = standing(made, "a"), standing(made, "b"), pair(made, "a", "b")
    assert a.rating == pytest.approx(1095.424, abs=1e-3)
    assert b.rating == pytest.approx(904.576, abs=1e-3)
    assert both.difference == pytest.approx(190.849, abs=1e-3)
    se = math.sqrt(40 / 39 * 7.5) / 7.5 * 400 / math.log(10)
    assert a.se_clustered == pytest.approx(se / 2, rel=1e-9)
    assert a.se == pytest.approx(se / 2, rel=0.2)
    assert (both.share, both.wins, both.ties, both.losses) == (0.75, 30, 0, 10)
    assert both.expected == pytest.approx(0.75)
    assert both.residual == pytest.approx(0, abs=1e-9)
    assert both.decision == "a"
    assert both.p == both.p_holm < 0.05
    assert both.low > 0
    assert (a.rank_low, a.rank_high, b.rank_low, b.rank_high) == (1, 1, 2, 2)


def test_decisions_lie_inside_both_rank_ranges(full):
    ranges = {s.agent: (s.rank_low, s.rank_high) for s in full.agents}
    decided = [p for p in full.pairs if p.decision]
    assert decided
    for p in decided:
        better, worse = (p.a, p.b) if p.decision == "a" else (p.b, p.a)
        assert ranges[better][1] < 5
        assert ranges[worse][0] > 1


def test_the_anchor_shifts_every_rating_and_nothing_else(full):
    moved = board(play(AGENTS, 20), AGENTS, planned=dict.fromkeys(AGENTS, 80), anchor=0.0)
    for before, after in zip(full.agents, moved.agents, strict=True):
        assert after.rating == pytest.approx(before.rating - 1000, abs=1e-9)
        assert after.se == before.se
    assert moved.pairs == full.pairs


def test_two_judges_both_enter():
    one = play("abc", 20, seed=1)
    two = [replace(c, judge="j2") for c in play("abc", 20, seed=2)]
    made = board(
        one + two, "abc", judge_rows={"j2": {"ok": 118, "unparsed": 2}, "j3": {"error": 4}}
    )
    assert made.comparisons == 120
    counts = {j.judge: (j.comparisons, dict(j.rows)) for j in made.diagnostics.judges}
    assert counts == {
        "j1": (60, {}),
        "j2": (60, {"ok": 118, "unparsed": 2}),
        "j3": (0, {"error": 4}),
    }


# ---- the same bytes


def test_the_order_of_the_input_changes_no_byte():
    comparisons = play(AGENTS, 12)
    scores = [scored(a, s, 50.0 + 3 * i + s) for i, a in enumerate(AGENTS) for s in range(12)]
    plan = {p: 12 for p in itertools.combinations(AGENTS, 2)}
    texts = set()
    for seed in range(3):
        rng = np.random.default_rng(seed)
        made = make_board(
            [comparisons[i] for i in rng.permutation(len(comparisons))],
            agents=[AGENTS[i] for i in rng.permutation(5)],
            scenarios=[f"s{i:02d}" for i in rng.permutation(12)],
            planned=dict(sorted(plan.items(), key=lambda _: rng.random())),
            excluded={"b": {"unparsed": 1}, "a": {"refused": 2}},
            scores=[scores[i] for i in rng.permutation(len(scores))],
            identity=IDENTITY,
            method=Method(resamples=100),
        )
        texts.add(json.dumps(to_json(made)))
    assert len(texts) == 1


def test_which_side_is_called_a_changes_nothing(full):
    turned = [
        replace(c, agent_a=c.agent_b, agent_b=c.agent_a, share=1 - c.share)
        for c in play(AGENTS, 20)
    ]
    assert board(turned, AGENTS, planned=dict.fromkeys(AGENTS, 80)) == full


@pytest.mark.reported("R29")
def test_another_seed_moves_intervals_but_no_rating(full):
    other = board(play(AGENTS, 20), AGENTS, planned=dict.fromkeys(AGENTS, 80), seed=5)
    assert [s.rating for s in other.agents] == [s.rating for s in full.agents]
    assert [s.low for s in other.agents] != [s.low for s in full.agents]


@settings(max_examples=15, deadline=None, derandomize=True, database=None)
@given(st.permutations(list("vwxyz")), st.integers(0, 20))
def test_renaming_agents_renames_the_board(names, seed):
    rename = dict(zip(AGENTS, names, strict=True))
    comparisons = play(AGENTS, 10, seed=seed)
    renamed = [
        replace(c, agent_a=rename[c.agent_a], agent_b=rename[c.agent_b]) for c in comparisons
    ]
    before = board(comparisons, AGENTS, resamples=20)
    after = board(renamed, names, resamples=20)
    for agent in AGENTS:
        old, new = standing(before, agent), standing(after, rename[agent])
        assert old.state == new.state
        assert (old.wins, old.ties, old.losses) == (new.wins, new.ties, new.losses)
        if old.rating is not None:
            assert new.rating == pytest.approx(old.rating, abs=1e-6)
            assert new.se == pytest.approx(old.se, rel=1e-4)


# ---- refusals


def test_unknown_agents_scenarios_and_shares_are_refused():
    for bad in (
        compare("a", "nobody", 0, 1.0),
        compare("a", "b", 77, 1.0),
        compare("a", "b", 0, 1.5),
        compare("a", "b", 0, math.nan),
    ):
        with pytest.raises(ArenaError):
            board([bad], "ab")


# ---- diagnostics


def test_flips_ties_and_cycles_are_counted():
    comparisons = [
        compare(a, b, s, share, flipped=share == 0.5 and s % 4 == 0)
        for a, b in (("a", "b"), ("b", "c"), ("c", "a"))
        for s in range(20)
        for share in [1.0 if s % 2 else 0.5]
    ]
    told = board(comparisons, "abc").diagnostics
    assert (told.flips, told.flip_rate) == (15, 0.25)
    assert (told.ties, told.tie_share) == (30, 0.5)
    assert (told.cycles, told.triads, told.cycle_examples) == (1, 1, (("a", "b", "c"),))
    # a cycle fits no order: expected ½, observed ¾; (y − ½)² is 0 or ¼ by turns, so the variance
    # of a share is ⅛ and z = ¼ / √(⅛/20)
    assert told.residuals[0].expected == pytest.approx(0.5)
    assert abs(told.residuals[0].z) == pytest.approx(0.25 / math.sqrt(0.125 / 20))


# ---- absolute scores


def scored(agent, scenario, absolute, *, judge="j1", replicate=1, domain=None, **criteria):
    return ScoredTranscript(
        agent=agent,
        scenario=f"s{scenario:02d}",
        domain=domain or f"d{scenario % 2}",
        replicate=replicate,
        judge=judge,
        absolute=absolute,
        criteria=criteria,
    )


def test_the_digest_of_the_data_covers_scores_and_flips():
    comparisons = play("abc", 12)
    turned = [replace(c, flipped=not c.flipped) if c.share == 0.5 else c for c in comparisons]
    digests = {
        board(which, "abc", scores=scores, resamples=20).data_digest
        for which in (comparisons, turned)
        for scores in ([], [scored("a", 0, 50.0)], [scored("a", 0, 51.0)])
    }
    assert len(digests) == 6


@pytest.mark.reported("R38")
def test_absolute_scores_are_means_over_scenarios_of_means_within():
    # s00: (60 + 80)/2 = 70; s01: 50; s02 unreadable: left out, never 0
    scores = [
        scored("a", 0, 60.0, warmth=3.0),
        scored("a", 0, 80.0, judge="j2", warmth=5.0),
        scored("a", 1, 50.0, warmth=2.0),
        scored("a", 2, None),
        scored("b", 2, 10.0),
    ]
    made = board(play("ab", 20), "ab", scores=scores)
    a = standing(made, "a")
    assert (a.absolute.mean, a.absolute.scenarios, a.absolute.planned) == (60, 2, 20)
    assert a.absolute.low is None
    assert (a.criteria["warmth"].mean, a.criteria["warmth"].scenarios) == (3, 2)
    assert (a.domains["d0"].mean, a.domains["d0"].scenarios, a.domains["d0"].planned) == (70, 1, 2)
    assert standing(made, "b").criteria == {}
    assert made.diagnostics.spearman is None


def test_absolute_scores_have_intervals_and_a_rank_correlation():
    scores = [
        scored(agent, s, 80.0 - 10 * i + (s * 7 + i * 3) % 11)
        for i, agent in enumerate(AGENTS)
        for s in range(20)
    ]
    made = board(play(AGENTS, 20, spread=2.0), AGENTS, scores=scores)
    for s in made.agents:
        assert 0 <= s.absolute.low < s.absolute.mean < s.absolute.high <= 100
    assert made.diagnostics.spearman == pytest.approx(1)


def test_scores_that_are_no_numbers_or_not_of_the_board_are_refused():
    for bad in (scored("a", 0, math.nan), scored("nobody", 0, 5.0), scored("a", 77, 5.0)):
        with pytest.raises(ArenaError):
            board([], "ab", scores=[bad])


# ---- JSON


def test_a_board_survives_json(full):
    scores = [scored("a", s, 50.0 + s, warmth=1.0 + s) for s in range(20)]
    unbeaten = [compare("a", "z", s, 0.0) for s in range(20)]
    rich = board(
        play(AGENTS, 20) + unbeaten,
        [*AGENTS, "z", "q"],
        planned={("a", "b"): 40},
        excluded={"a": {"unparsed": 3}},
        scores=scores,
        rows=RowCount(read=450, used=440, excluded={"unparsed": 10}),
    )
    for made in (full, rich):
        text = json.dumps(to_json(made), allow_nan=False)
        assert json.loads(text)["schema"] == "arena.board/1"
        assert from_json(json.loads(text)) == made


def test_foreign_json_is_refused(full):
    tree = to_json(full)
    for bad in ({}, {**tree, "schema": "arena.board/9"}, {**tree, "extra": 1}):
        with pytest.raises(ArenaError):
            from_json(bad)


def test_states_have_their_order_on_the_board():
    comparisons = play("abc", 20) + [compare("b", "u", s, 0.0) for s in range(20)]
    comparisons += [compare("d1", "d2", s, s % 2) for s in range(20)]
    made = board(comparisons, ["zero", "u", "d2", "d1", "c", "b", "a"])
    assert [s.agent for s in made.agents][3:] == ["u", "d1", "d2", "zero"]
    assert [str(s.state) for s in made.agents] == [
        "ranked", "ranked", "ranked", "unbounded", "disconnected", "disconnected", "disconnected",
    ]  # fmt: skip


@settings(max_examples=80, deadline=None, derandomize=True, database=None)
@given(
    st.lists(
        st.tuples(
            st.sampled_from("abcdef"),
            st.sampled_from("abcdef"),
            st.integers(0, 11),
            st.sampled_from([0.0, 0.25, 0.5, 1.0]),
        ),
        max_size=90,
    )
)
def test_no_pile_of_comparisons_breaks_a_promise(pile):
    made = board([compare(*one) for one in pile], "abcdef", min_comparisons=8, resamples=25)
    assert from_json(json.loads(json.dumps(to_json(made), allow_nan=False))) == made
    ranked = [s for s in made.agents if s.state == State.RANKED]
    for s in made.agents:
        assert (s.rating is not None) == (s.state in {State.RANKED, State.PROVISIONAL})
        assert (s.why is None) == (s.state == State.RANKED)
        assert (s.open is not None) == (s.state == State.UNBOUNDED)
        assert (s.rank_low is not None) == (s.state == State.RANKED)
        assert s.low is not None or s.state != State.RANKED
        if s.rating is not None and s.low is not None:
            assert s.low < s.rating < s.high
    if ranked:
        assert math.fsum(s.rating for s in ranked) == pytest.approx(1000 * len(ranked))
        assert all(1 <= s.rank_low <= s.rank_high <= len(ranked) for s in ranked)
    for p in made.pairs:
        assert (p.share is None) == (p.n == 0)
        assert p.decision is None or p.p_holm <= 0.05


def test_importing_the_stage_loads_neither_scipy_nor_choix():
    # both take seconds; commands that rate nobody must not wait for them
    code = "import sys, arena.stages.rank.board; print({'scipy', 'choix'} & set(sys.modules))"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "set()"
