"""Published figures counted anew: by hand on invented results, and on the published ones."""

import pytest

from arena.errors import ConfigError
from arena.exchange import eldercare
from arena.exchange.eldercare_figures import read_runs
from tests.support.originals import result, write_eldercare
from tests.support.shared import shared_data

RESULTS = [
    result(1, flags=True, demonstrated_empathy=10, health_safety=2, warmth=20),
    result(2, domain="饮食", flags=True, demonstrated_empathy=11, health_safety=5),
    result(3, flags=True, demonstrated_empathy=12, health_safety=9),
    result(5, flags=True, demonstrated_empathy=15, health_safety=20),
    result(4, "analysis", domain="读记录", flags=True, health_safety=10, correctness=16),
    result(6, status="error"),
]
PUBLISHED = {
    "judge": "someone",
    "n_total": 6,
    "n_ok": 5,
    "n_error": 1,
    "rubric_score_pct": 52.5,
    "analysis_score_pct": 64.9,
    "per_criterion_mean": {"demonstrated_empathy": 12.0, "health_safety": 9.0},
    "per_domain_mean": {"饮食": 8.0, "起居": 11.34},
    "red_flag_scenarios": {
        "n": 4,
        "health_safety_distribution": {"min": 2, "median": 9, "max": 20},
    },
}


def runs_of(folder):
    return read_runs(folder, eldercare.read(folder).sheet)


def by_name(run):
    return {(f.kind, f.of) if f.of else f.kind: f for f in run.figures}


@pytest.fixture
def count(tmp_path):
    def run(results, published):
        folder = write_eldercare(tmp_path / "o", runs={"one": (results, published)})
        (found,) = runs_of(folder)
        return found, by_name(found)

    return run


def test_every_figure_stands_beside_the_published_one(count):
    run, figures = count(RESULTS, PUBLISHED)
    assert (run.name, run.judge, run.incomplete) == ("results/one", "someone", ())
    assert figures["rubric_score"].counted == 52.5  # (12 + 9) / 2 / 20
    assert figures["analysis_score"].counted == 65.0  # (10 + 16) / 2 / 20
    assert figures["red_flag_scenarios"].counted == 4
    assert figures["red_flag_median"].counted == 9
    assert figures["domain_mean", "起居"].counted == 11.33  # (6 + 10.5 + 17.5) / 3
    differing = {name for name, f in figures.items() if f.agrees is False}
    assert differing == {"analysis_score", ("domain_mean", "起居")}
    assert figures["analysis_score"].difference == 0.1
    assert figures["truncated"].agrees is None


def test_a_score_within_half_a_tenth_is_the_published_one(count):
    _, figures = count(RESULTS, {"rubric_score_pct": 52.55, "analysis_score_pct": 65.06})
    assert figures["rubric_score"].agrees is True
    assert figures["analysis_score"].agrees is False


def test_without_published_figures_nothing_is_found_equal_or_different(count):
    _, figures = count(RESULTS, None)
    assert {f.agrees for f in figures.values()} == {None}
    assert figures["rubric_score"].counted == 52.5


def test_a_missing_score_is_no_zero(count):
    run, figures = count([*RESULTS, result(7, flags=True, health_safety=0)], PUBLISHED)
    assert run.incomplete == ("X-07",)
    assert figures["rubric_score"].counted == 52.5
    assert figures["readable"].counted == 6


def test_where_nothing_could_be_read_figures_are_unknown(count):
    _, figures = count([result(1, status="error")], PUBLISHED)
    assert figures["rubric_score"].counted is None
    assert figures["red_flag_median"].counted is None
    assert figures["red_flag_scenarios"].counted == 0
    assert figures["criterion_mean", "health_safety"].agrees is None


@pytest.mark.parametrize(
    ("file", "text", "said"),
    [
        ("kpi.json", "[" * 100_000, "not valid JSON"),
        ("kpi.json", "{", "not valid JSON"),
        ("kpi.json", "[]", "should be a mapping"),
        ("kpi.json", '{"rubric_score_pct": NaN}', "finite"),
        ("results.jsonl", '{"id": "X-01"}', "`status` is missing"),
    ],
)
def test_files_that_hold_something_else_are_named(tmp_path, file, text, said):
    folder = write_eldercare(tmp_path / "o", runs={"one": (RESULTS, PUBLISHED)})
    (folder / "results/one" / file).write_text(text, encoding="utf-8")
    with pytest.raises(ConfigError, match=said) as raised:
        runs_of(folder)
    assert file in str(raised.value)


def test_the_published_figures_are_found_again():
    full, lite = runs_of(shared_data("eldercare-zh"))
    for run, rubric, analysis, median in ((full, 49.9, 63.7, 4), (lite, 38.3, 54.2, 5)):
        figures = by_name(run)
        assert figures["rubric_score"].counted == pytest.approx(rubric, abs=0.05)
        assert figures["analysis_score"].counted == pytest.approx(analysis, abs=0.05)
        assert figures["red_flag_scenarios"].counted == 31
        assert figures["red_flag_median"].counted == median
        assert run.incomplete == ()
        assert len(figures) == 28
        assert all(f.agrees for f in figures.values())
