"""The figures of a diagnosis on a few verdicts, derived by hand; what is unknown says why."""

from dataclasses import replace

import numpy as np
import pytest

from arena.domain.diagnosis import from_json, to_json
from arena.domain.figure_words import FIGURES, NOTES, REASONS
from arena.stages.diagnose.evidence import NO_MARKS, Evidence, Marks, Tries, Verdicts, fold
from arena.stages.diagnose.figures import Options
from arena.stages.diagnose.report import make_diagnosis
from tests.support.judging import World, draw

OPTIONS = Options(level=0.95, resamples=50, seed=1)
A, TIE, B = 1.0, 0.5, 0.0


def verdicts(*rows):
    """Rows of judge, scenario, first, second, shown, share and, perhaps, repeat."""
    table = np.array([(*row, 1)[:7] for row in rows], dtype=float)
    whole = table.astype(np.int64)
    judge, scenario, first, second, shown = whole[:, :5].T
    nothing = np.full(len(table), -1)
    return Verdicts(
        judge=judge,
        first=first,
        second=second,
        scenario=scenario,
        unit=scenario * 100 + first * 10 + second,
        repeat=whole[:, 6],
        share=table[:, 5],
        shown=shown,
        length=np.full(len(table), np.nan),
        of_first=nothing,
        of_second=nothing,
        kin=np.zeros(len(table), dtype=np.int64),
    )


def evidence(rows, *, judges=("j",), agents=("x", "y"), marks=NO_MARKS, **more):
    values = {"decoys": (), "criteria": (), "tries": {}, "counted": {}, **more}
    return Evidence(
        agents=agents, judges=judges, scenarios=20, verdicts=rows, marks=marks, **values
    )


def figures(found, judge=0, **more):
    told = make_diagnosis(found, OPTIONS, software="arena", **more).judges[judge]
    return {(f.figure, f.of) if f.of else f.figure: f for f in told.figures}


def both_orders(scenario, ahead, behind, judge=0):
    return (judge, scenario, 0, 1, 1, ahead), (judge, scenario, 0, 1, -1, behind)


def test_flips_ties_and_first_shown_by_hand():
    rows = [
        *both_orders(0, A, A),
        *both_orders(1, A, B),
        *both_orders(2, A, TIE),
        *both_orders(3, B, A),
        *both_orders(4, TIE, TIE),
        *both_orders(5, A, B),
    ]
    found = figures(evidence(verdicts(*rows)))
    assert (found["flips"].value, found["flips"].n) == (pytest.approx(3 / 6), 6)
    assert (found["ties"].value, found["ties"].n) == (pytest.approx(3 / 12), 12)
    # Decided: 1 of 2, 2 of 2, 1 of 1, 0 of 2, none, 2 of 2.
    assert (found["first_shown"].value, found["first_shown"].n) == (pytest.approx(6 / 9), 9)


def test_folding_keeps_half_pairs_apart():
    rows = verdicts(*both_orders(0, A, B), (0, 1, 0, 1, 1, A), (1, 0, 0, 1, 1, B))
    folded = fold(rows)
    assert folded.share.tolist() == [0.5, 0.0, 1.0]
    assert folded.both.tolist() == [True, False, False]
    assert folded.flipped.tolist() == [True, False, False]
    # Judge 0 gives both orders, so its half pair is none; judge 1 never does.
    assert folded.of(0).tolist() == [True, False, False]
    assert folded.of(1).tolist() == [False, True, False]


def test_a_judge_without_noise_has_an_interval_about_one_half():
    rows = [row for s in range(10) for row in both_orders(s, A, A)]
    found = figures(evidence(verdicts(*rows)))
    first = found["first_shown"]
    assert (first.value, first.reading) == (0.5, "neutral")
    assert first.low < 0.5 < first.high
    assert found["flips"].low == 0.0
    assert found["flips"].high == pytest.approx(1 - 0.025 ** (1 / 10))


def test_orders_that_are_not_balanced_move_the_rule_to_the_effect():
    draw_of = np.random.default_rng(1)
    # The better agent is always shown first: winning there is no bias.
    rows = [(0, s, 0, 1, 1, A if draw_of.random() < 0.8 else B) for s in range(40)]
    rows += [(0, s, 1, 2, 1 - 2 * (s % 2), A if draw_of.random() < 0.5 else B) for s in range(40)]
    found = figures(evidence(verdicts(*rows), agents=("x", "y", "z")))
    assert found["first_shown"].value > 0.6
    assert (found["first_shown"].notable, found["first_shown"].reading) == (None, "plain")
    assert found["position_effect"].neutral == 0.0
    assert not found["position_effect"].notable


def test_repeated_askings_are_compared_in_the_same_order_only():
    rows = [
        (0, 0, 0, 1, 1, A, 1),
        (0, 0, 0, 1, 1, A, 2),
        (0, 0, 0, 1, 1, B, 3),
        (0, 1, 0, 1, 1, A, 1),
        (0, 1, 0, 1, -1, B, 2),
        (0, 2, 0, 1, 1, TIE, 1),
        (0, 2, 0, 1, 1, TIE, 2),
    ]
    found = figures(evidence(verdicts(*rows)))["repeats"]
    assert found.value == pytest.approx((1 / 3 + 1) / 2)
    assert (found.n, found.low, found.why) == (2, None, "few_scenarios")


def test_a_single_judge_has_no_agreement_rather_than_a_perfect_one():
    rows = [row for s in range(10) for row in both_orders(s, A, A)]
    told = make_diagnosis(evidence(verdicts(*rows)), OPTIONS, software="arena")
    found = {f.figure: f for f in told.judges[0].figures}
    for name in ("agreement_raw", "agreement_kappa", "agreement_alpha"):
        assert (found[name].value, found[name].why) == (None, "single_judge")
    assert told.panel[0].value is None
    assert "single_judge" in told.notes


def test_people_are_judges_and_stand_apart():
    rows = [row for s in range(8) for row in both_orders(s, A, A)]
    rows += [(1, s, 0, 1, 1, A if s < 6 else B) for s in range(8)]
    rows += [(2, s, 0, 1, -1, A if s < 4 else B) for s in range(8)]
    names = ("j", "human:ann", "human:bo")
    told = make_diagnosis(evidence(verdicts(*rows), judges=names), OPTIONS, software="arena")
    assert [j.person for j in told.judges] == [False, True, True]
    found = {(f.figure, f.of): f for f in told.judges[0].figures}
    assert found["agreement_raw", "human:ann"].value == pytest.approx(6 / 8)
    assert found["agreement_raw", "human:bo"].value == pytest.approx(4 / 8)
    # Together they tie where they differ.
    assert found["agreement_raw", "human:*"].value == pytest.approx(4 / 8)
    # People are no panel: one judge is still a single judge.
    assert "single_judge" in told.notes
    assert told.panel[0].value is None


def with_decoy(share):
    rows = []
    for s in range(12):
        rows += both_orders(s, A, B if s % 2 else A)
        for agent in (0, 1):
            rows += [(0, s, agent, 2, sign, share) for sign in (1, -1)]
    return evidence(verdicts(*rows), agents=("x", "y", "null"), decoys=("null",))


def test_a_decoy_that_loses_is_seen_through_and_enters_nothing_else():
    found = figures(with_decoy(A))
    decoy = found["decoy", "null"]
    assert (decoy.value, decoy.n, decoy.reading, decoy.notable) == (0.0, 24, "below", False)
    assert (decoy.facts["rank"], decoy.facts["agents"]) == (3, 3)
    assert found["flips"].n == 12
    assert found["ties"].n == 24


def test_a_judge_that_is_fooled_by_a_decoy_is_found_out():
    decoy = figures(with_decoy(B))["decoy", "null"]
    assert (decoy.value, decoy.reading, decoy.notable) == (1.0, "above", True)
    assert decoy.facts["rank"] == 1


def test_unread_answers_are_told_by_kind():
    statuses = ("ok", "unparsed", "refused")
    tries = Tries(
        statuses=statuses,
        judge=np.zeros(20, dtype=np.int64),
        scenario=np.arange(20) // 2,
        status=np.array([0] * 15 + [1] * 4 + [2]),
    )
    rows = [row for s in range(10) for row in both_orders(s, A, A)]
    found = evidence(verdicts(*rows), tries={"verdict": tries})
    told = figures(found)
    assert told["unread_verdict"].value == pytest.approx(5 / 20)
    assert told["unread_verdict", "unparsed"].value == pytest.approx(4 / 20)
    assert told["unread_verdict", "refused"].value == pytest.approx(1 / 20)
    statuses = make_diagnosis(found, OPTIONS, software="arena").judges[0].statuses
    assert statuses == {"verdict": {"ok": 15, "unparsed": 4, "refused": 1}}


def test_severity_and_alpha_are_of_shared_units_only():
    # Two judges, eight transcripts; the second scores one point more, and one transcript alone.
    unit = np.r_[np.arange(8), np.arange(9)]
    judge = np.r_[np.zeros(8), np.ones(9)].astype(np.int64)
    marks = Marks(
        judge=judge,
        scenario=unit,
        unit=unit,
        transcript=unit,
        criterion=np.zeros(17, dtype=np.int64),
        value=unit % 4 + judge + 0.1 * (unit == 3) * judge,
    )
    found = evidence(verdicts(*both_orders(0, A, A)), judges=("j", "k"), marks=marks)
    found = replace(found, criteria=("care",))
    told = figures(found, judge=1)["severity", "care"]
    assert (told.n, told.unit) == (8, "scale")
    assert told.value == pytest.approx(1 + 0.1 / 8)
    panel = make_diagnosis(found, OPTIONS, software="arena").panel
    alpha = next(f for f in panel if f.figure == "score_alpha")
    assert (alpha.of, alpha.n) == ("care", 8)
    assert 0.2 < alpha.value < 1


def test_rows_without_scenarios_are_said_to_be_taken_as_independent():
    rows = verdicts(*[(0, s, 0, 1, 1 - 2 * (s % 2), A if s % 3 else B) for s in range(30)])
    bare = replace(rows, scenario=None, unit=np.full(30, -1))
    told = make_diagnosis(evidence(bare), OPTIONS, software="arena")
    first = {f.figure: f for f in told.judges[0].figures}["first_shown"]
    assert (first.scenarios, first.n) == (None, 30)
    assert "rows_drawn" in told.notes


def test_nothing_at_all_is_unknown_with_reasons():
    told = make_diagnosis(
        evidence(verdicts(*both_orders(0, A, A)).only(np.zeros(2, dtype=bool))),
        OPTIONS,
        software="arena",
    )
    for figure in told.judges[0].figures:
        assert figure.value is None
        assert figure.why in REASONS
        assert figure.notable is None


def test_a_diagnosis_goes_through_json_and_all_it_says_has_words():
    told = make_diagnosis(draw(World(), np.random.default_rng(1)), OPTIONS, software="arena")
    assert from_json(to_json(told)) == told
    for figure in (*told.panel, *(f for j in told.judges for f in j.figures)):
        assert figure.figure in FIGURES
        assert figure.why is None or figure.why in REASONS
        if figure.notable is not None:
            assert FIGURES[figure.figure].above or FIGURES[figure.figure].below
    assert set(told.notes) <= set(NOTES)


def test_the_order_of_the_rows_changes_nothing():
    world, one = World(agents=4, scenarios=8), None
    found = draw(world, np.random.default_rng(2))
    order = np.random.default_rng(3).permutation(len(found.verdicts))
    turned = replace(found, verdicts=found.verdicts.only(order))
    one = make_diagnosis(found, OPTIONS, software="arena")
    other = make_diagnosis(turned, OPTIONS, software="arena")
    for a, b in zip(one.judges, other.judges, strict=True):
        for f, g in zip(a.figures, b.figures, strict=True):
            assert f.value == pytest.approx(g.value)
            assert f.low == pytest.approx(g.low)


def test_a_person_who_saw_both_orders_of_one_comparison_keeps_every_vote():
    rows = [row for s in range(8) for row in both_orders(s, A, A)]
    rows += [(1, s, 0, 1, 1, A if s < 6 else B) for s in range(8)]
    # Of the first comparison this person said the opposite when the order was turned: half each.
    rows += [(1, 0, 0, 1, -1, B)]
    found = figures(evidence(verdicts(*rows), judges=("j", "human:ann")))
    raw = found["agreement_raw", "human:ann"]
    assert (raw.n, raw.value) == (8, pytest.approx(5 / 8))


def test_agreement_with_people_is_told_by_criterion_and_people_among_each_other():
    rows = [row for s in range(8) for row in both_orders(s, A, A)]
    said = [(1, s, 0, 1, 1, A if s < 6 else TIE) for s in range(8)]
    said += [(2, s, 0, 1, -1, A if s < 4 else TIE) for s in range(7)]
    warm = [(1, s, 0, 1, 1, B) for s in range(6)] + [(2, s, 0, 1, -1, B) for s in range(3)]
    names = ("j", "human:ann", "human:bo")
    found = evidence(
        verdicts(*rows, *said),
        judges=names,
        sides={"warmth": verdicts(*rows, *warm), "tact": verdicts(*rows)},
        picked=frozenset({1, 101, 201}),
    )
    told = make_diagnosis(found, OPTIONS, software="arena")
    judge, ann, bo = ({(f.figure, f.of): f for f in j.figures} for j in told.judges)
    raw = judge["criterion_raw", "warmth"]
    assert (raw.value, raw.n, raw.facts) == (0.0, 6, {"picked": 3})
    assert ("criterion_raw", "tact") not in judge
    # A person is set against the other people alone.
    assert (ann["criterion_raw", "warmth"].value, ann["criterion_raw", "warmth"].n) == (1.0, 3)
    assert bo["criterion_kappa", "warmth"].value is None
    assert ann["agreement_raw", "human:bo"].value == pytest.approx(5 / 7)
    panel = {(f.figure, f.of): f for f in told.panel}
    assert panel["people_alpha", ""].n == 7
    assert 0 < panel["people_alpha", ""].value < 1
    assert panel["people_alpha", "warmth"].why == "one_code"
    assert "people_picked" in told.notes
    assert from_json(to_json(told)) == told
    for figure in (*told.panel, *(f for j in told.judges for f in j.figures)):
        assert figure.figure in FIGURES
