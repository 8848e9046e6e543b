"""The page of the judges, and the warning about those that chance may explain."""

from dataclasses import replace

import pytest

from arena.domain.call import Status
from arena.domain.diagnosis import SCHEMA, Diagnosis, Figure, JudgeDiagnosis
from arena.domain.verdict import Outcome
from arena.site.facts import ComparisonFact, VerdictFact
from arena.site.gather import gather
from arena.site.judges_page import build_judges_page
from arena.site.names import make_names
from arena.site.survival import say_chance, survivals
from arena.site.views import Frame, Link
from arena.site.words import say_in
from arena.store.store import Store
from tests.site import boards
from tests.site.hostile import AT, EVIL, EVIL_NAMES, make_job
from tests.site.reading import Page

FRAME = Frame(
    lang="en",
    title="t",
    other=Link(href="x.html", label="x"),
    other_lang="zh-Hans",
    trail=(),
    software="s",
    date="d",
)


def figure(name, **changes):
    values = {
        "figure": name,
        "value": 0.62,
        "low": 0.55,
        "high": 0.7,
        "level": 0.95,
        "n": 120,
        "scenarios": 30,
        "facts": {},
        "reading": "plain",
    }
    return Figure(**{**values, **changes})


def diagnosis(board="d" * 32):
    first = JudgeDiagnosis(
        judge="judge-a",
        statuses={"verdict": {"ok": 90}},
        figures=(
            figure("flips"),
            figure("first_shown", neutral=0.5, notable=True, p=0.001, reading="above"),
            figure("severity", value=-1.25, low=-2.0, high=-0.5, unit="points"),
            figure("repeats", value=None, low=None, high=None, reading="unknown", why="no_repeats"),
            figure("decoy", of=EVIL_NAMES[0], facts={"rank": 2, "agents": 6}, reading="neutral"),
            figure("unread_verdict", of="unparsed"),
            figure("agreement_raw", of="human:mei", value=0.7, unit="coefficient"),
            figure("agreement_kappa", of="human:mei", value=0.4, unit="coefficient"),
            figure("a_figure_of_tomorrow", of=EVIL),
        ),
    )
    return Diagnosis(
        schema=SCHEMA,
        suite="tiny",
        suite_version="1.0.0",
        mode="natural",
        domains=(),
        board=board,
        judges=(first, JudgeDiagnosis(judge="human:mei", statuses={}, figures=())),
        panel=(figure("panel_alpha", value=0.31, unit="coefficient"),),
        notes=("single_scorer", "a_note_of_tomorrow"),
        level=0.95,
        resamples=50,
        seed=7,
        software="arena 0.1.0",
        at=AT,
    )


def edition(found=None, **changes):
    job = make_job()
    made = boards.edition_of(boards.every_state(job.suite), job)
    return replace(made, diagnosis=found, **changes)


def judged(kept, flipped, *, tied=0, scenarios=10, judge="judge-a"):
    """So many comparisons of each kind, dealt over the scenarios."""
    kinds = [(Outcome.A, Outcome.A)] * kept + [(Outcome.A, Outcome.B)] * flipped
    kinds += [(Outcome.TIE, Outcome.A)] * tied
    found = {}
    for n, outcomes in enumerate(kinds):
        fact = ComparisonFact(
            a="a",
            b="b",
            scenario=f"s{n % scenarios}",
            replicate=1,
            judge=judge,
            verdicts=tuple(
                VerdictFact(order=order, status=Status.OK, outcome=outcome)
                for order, outcome in zip(("ab", "ba"), outcomes, strict=True)
            ),
            share=0.5,
            flipped=Outcome.B in outcomes,
        )
        found.setdefault(fact.scenario, []).append(fact)
    return edition(comparisons=found)


@pytest.mark.parametrize(
    ("kept", "flipped", "chance"),
    [(50, 50, "near"), (53, 47, "near"), (90, 10, ""), (10, 90, "place"), (0, 100, "place")],
)
def test_a_judge_is_near_chance_where_its_interval_reaches_a_coins(kept, flipped, chance):
    (found,) = survivals(judged(kept, flipped))
    assert (found.same, found.of, found.scenarios) == (kept, kept + flipped, 10)
    assert found.chance == chance


def test_ties_are_no_coin_and_few_scenarios_claim_nothing():
    (found,) = survivals(judged(90, 10, tied=400))
    assert found.of == 100
    (few,) = survivals(judged(10, 30, scenarios=4))
    assert (few.low, few.chance) == (None, "")
    assert survivals(judged(0, 0, tied=9)) == ()


def test_the_warning_names_judge_and_figure_in_both_languages():
    near = judged(50, 50)
    for lang in ("zh", "en"):
        (said,) = say_chance(near, make_names(near, say_in(lang)))
        assert "J <a>" in said
        assert "50%" in said
    assert say_chance(judged(90, 10), make_names(near, say_in("en"))) == []


def test_decoys_do_not_make_a_judge_look_steady(world):
    job = make_job()
    made = judged(90, 10)
    decoy = replace(boards.edition_of(boards.every_state(job.suite), job).agents[0], id="b")
    assert survivals(replace(made, decoys=(decoy,))) == ()


def build(found, lang="en", **changes):
    made = edition(found, **changes)
    return build_judges_page(made, make_names(made, say_in(lang)), FRAME)


def test_notable_figures_come_first_with_what_to_do_and_people_keep_their_names_to_themselves():
    view = build(diagnosis())
    (card,) = view.cards
    assert card.figures[0].tone == "note"
    assert "--control position" in card.findings[0]
    assert [r.other for r in card.agreement] == ["person 1"]
    assert "mei" not in repr(view)
    assert any("nothing was asked twice" in said for said in card.unknown)
    assert "−1.2" in {r.value for r in card.figures if r.name == "severity"}.pop()
    assert any("rank 2 of 6" in r.reading for r in card.figures)
    assert view.panel[0].value == "0.31"
    assert view.notices == (
        "Single judge of scores: severity and agreement of scores are not measured.",
    )


def test_a_report_on_other_results_and_no_report_are_told():
    assert any("other results" in said for said in build(diagnosis("e" * 32)).notices)
    assert any("arena diagnose" in said for said in build(None).notices)


def test_the_stored_report_is_published_in_both_languages(make, tmp_path):
    job = make_job()
    with Store(tmp_path / "arena.duckdb") as store:
        make.fill(store, job)
        store.boards.add(make.whole(job.suite), run="r1")
        store.reports.add(diagnosis(), run="r1")
        assert gather(job, store).diagnosis == diagnosis()
        make.publish(tmp_path / "out", store, [job])
    for name, word in (("judges.html", "先出示者获胜"), ("judges.en.html", "first shown wins")):
        page = Page(tmp_path / "out" / name)
        assert word in page.text
        assert "<script>alert(1)</script>" in page.text
        assert "mei" not in page.text.replace("measured", "")
    assert 'href="judges.html"' in (tmp_path / "out" / "index.html").read_text(encoding="utf-8")
