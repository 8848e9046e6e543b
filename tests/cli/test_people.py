"""People vote on the demo's conversations; diagnose, rank and the page say what that shows."""

import json
import shutil

import pytest
from openpyxl import load_workbook

from arena.cli.voting import vote_here
from arena.domain.verdict import Outcome
from arena.store.store import Store
from tests.site.browsing import launched, watch
from tests.site.reading import Page

SUITE, MODE = "everyday-en", "natural"
ORDER = ("scripted-attentive", "scripted-steady", "scripted-hasty", "scripted-careless")
"""The demo's agents, from best to worst, as a person who knows them has them."""


def better(draw):
    """Who is better; in every fourth scenario by mood, for nobody loses always."""
    a, b = ORDER.index(draw.agent_a), ORDER.index(draw.agent_b)
    moody = int(draw.scenario.rsplit("-", 1)[-1]) % 4 == 0
    return Outcome.A if (a < b) != moody else Outcome.B


def shown_first(draw, outcome):
    return (outcome is Outcome.A) == (draw.order == "ab")


def plan_of(place):
    with Store(place / "results" / "arena.duckdb") as store:
        return store.voting.plans(SUITE, MODE)[0]


def criteria_of(place, draw):
    from arena.cli.workspace import Narrowed, open_bench

    job = next(j for j in open_bench(Narrowed(project=place)).jobs if j.suite.suite == SUITE)
    rubric = job.suite.rubric_of(job.scenario(draw.scenario))
    return len(rubric.compare_criteria())


def fill_in(path, plan):
    """The first person fills in the table: everything, by the truth."""
    book = load_workbook(path)
    table = book.active
    heads = [str(cell.value) for cell in table[1]]
    overall = next(n for n, head in enumerate(heads) if head.startswith("总体"))
    for row in table.iter_rows(min_row=2):
        draw = plan.draws[plan.places[row[0].value]]
        said = "first" if shown_first(draw, better(draw)) else "second"
        row[overall].value = said
        for cell in row[4:overall]:
            cell.value = None if cell.value == "—" else said
    book.save(path)


def keys_of(place, plan, person, most):
    """The keys that the second person presses: some skips, ties now and then, then the end."""
    for n, at in enumerate(plan.order_for(person)[:most]):
        draw = plan.draws[at]
        if n % 9 == 8:
            yield "s"
            continue
        said = "0" if n % 7 == 6 else "1" if shown_first(draw, better(draw)) else "2"
        yield from [said] * (criteria_of(place, draw) + 1)
    yield "q"


@pytest.fixture(scope="module")
def voted(arena, walk, tmp_path_factory):
    place = tmp_path_factory.mktemp("voted") / "walk"
    shutil.copytree(walk[0], place)
    sheet = place / "votes.xlsx"
    assert arena("export", "votes", sheet, "-C", place).exit_code == 0
    plan = plan_of(place)
    fill_in(sheet, plan)
    back = arena("import", "votes", sheet, "--judged-by", "li", "-C", place, "--json")
    assert json.loads(back.stdout)["new"] == len(plan.draws)
    pressed = keys_of(place, plan, "human:wu", 30)
    vote_here({"name": "wu", "project": place}, "en", key=lambda: next(pressed))
    ranked = arena("rank", "-C", place, "--json")
    assert ranked.exit_code == 0, ranked.stderr
    return place, json.loads(ranked.stdout)["boards"][0]


def test_the_board_has_ratings_by_people_beside_the_plain_ones(arena, voted):
    place, board = voted
    told = board["calibration"]
    assert (told["people"], told["why"]) == (2, None)
    assert 0 < told["probability"] <= 1
    assert told["answered"] == 1.0
    assert 0 <= told["power"] <= 1
    assert told["left_out"].keys() <= {"picked", "skipped"}
    assert told["left_out"]["skipped"] == 3
    by_people = {s["agent"]: s["calibrated"] for s in board["agents"]}
    assert sorted(by_people, key=lambda a: -by_people[a]["rating"]) == list(ORDER)
    assert all(p["low"] < p["rating"] < p["high"] for p in by_people.values())
    said = arena("rank", "-C", place, "--lang", "en")
    assert "By people" in said.stdout
    assert "trust in these λ = " in said.stderr
    assert "picked because judges differ" in said.stderr
    assert "按人工校正" in arena("rank", "-C", place, "--lang", "zh").stdout


def test_diagnose_tells_of_people_where_that_is_asked_for(arena, voted):
    place, _ = voted
    told = arena("diagnose", "--humans", "-C", place, "--json")
    assert told.exit_code == 0, told.stderr
    (found,) = json.loads(told.stdout)["diagnoses"]
    assert "people_picked" in found["notes"]
    judges = {j["judge"]: j["figures"] for j in found["judges"]}
    assert {"human:li", "human:wu"} < set(judges)
    for name, figures in judges.items():
        sided = {f["figure"] for f in figures if f["figure"].startswith("criterion_")}
        # The scorer of sheets compares nothing.
        whole = {"criterion_raw", "criterion_kappa", "criterion_alpha"}
        assert sided == (set() if name == "scripted-scorer" else whole), name
    together = [f for f in judges["scripted-arbiter"] if f["of"] == "human:*"]
    assert [f["low"] <= f["value"] <= f["high"] for f in together] == [True] * 3
    assert {f["of"] for f in found["panel"] if f["figure"] == "people_alpha"} > {""}
    assert "people" in arena("diagnose", "--humans", "-C", place, "--lang", "en").stdout
    without = json.loads(arena("diagnose", "-C", place, "--json").stdout)["diagnoses"][0]
    assert "human:" not in json.dumps(without)
    assert "people_picked" not in without["notes"]


def test_without_votes_nothing_of_people_is_said(arena, walk):
    place, _ = walk
    done = arena("diagnose", "--humans", "-C", place, "--lang", "en")
    assert "nobody has voted yet" in done.stderr
    board = json.loads(arena("rank", "-C", place, "--json").stdout)["boards"][0]
    assert board["calibration"] is None


@pytest.fixture(scope="module")
def site(arena, voted):
    place, _ = voted
    assert arena("diagnose", "-C", place).exit_code == 0
    out = place / "site"
    done = arena("publish", "-C", place, "--lang", "en", "--out", out)
    assert done.exit_code == 0, done.stderr
    return out


def test_the_pages_tell_it_in_both_languages_and_name_nobody(site):
    for name, title, column in (
        ("", "By people's standard", "Calibrated rating"),
        (".zh", "以人为准的相对分", "人工校准的相对分"),
    ):
        judges = Page(site / f"judges{name}.html")
        first = (site / f"index{name}.html").read_text(encoding="utf-8")
        assert title in judges.text
        assert column in judges.text
        assert "λ" in judges.text
        assert column in first
        assert "human:" not in first + judges.text


@pytest.mark.browser
def test_the_pages_stand_in_a_browser(site, tmp_path):
    with launched() as browser:
        for name, width in (("index.html", 1200), ("judges.html", 390), ("judges.zh.html", 1200)):
            page = watch(browser.new_page(viewport={"width": width, "height": 900}))
            page.goto((site / name).as_uri())
            if name == "index.html":
                page.check("#wide", force=True)
                assert page.locator("#rank td[data-label='Calibrated rating']").count() == 4
            else:
                assert page.locator("#people").is_visible()
            wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
            assert wide <= 0, name
            assert page.trouble == []
            page.screenshot(path=tmp_path / f"{name}.png", full_page=True)
            page.close()


def test_votes_of_a_file_correct_nothing_as_nobody_knows_how_they_were_drawn(arena, started):
    rows = ["scenario,agent_a,agent_b,outcome,judge"]
    for n in range(12):
        rows += [f"s{n},x,y,{'ab'[n % 3 == 0]},robot", f"s{n},x,y,{'ab'[n % 4 == 0]},human:ann"]
    path = started / "votes.csv"
    path.write_text("\n".join(rows), encoding="utf-8")
    assert arena("import", "arena", path, "--as", "others", "-C", started).exit_code == 0
    done = arena("rank", "--import", "others", "-C", started, "--json")
    (board,) = json.loads(done.stdout)["boards"]
    assert (board["calibration"]["why"], board["calibration"]["labelled"]) == ("no_chance", 0)
    said = arena("rank", "--import", "others", "-C", started, "--lang", "en").stderr
    assert "People's votes correct no rating: it is not known with what chance" in said
    # Whoever knows the chance says so of the file itself.
    told = json.loads(arena("rank", path, "--humans", "0.9", "--json").stdout)["calibration"]
    assert (told["labelled"], told["why"]) == (12, None)
