"""The first page as a whole: what stands on it by default, its weight, its words."""

import json
import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest

import arena.site
from arena.domain.call import Status
from arena.domain.score import Backing, Evidence
from arena.site.assets import make_assets
from arena.site.bills import build_bills
from arena.site.downloads import leaderboard_json
from arena.site.index_page import build_index
from arena.site.lowest import MOST
from arena.site.names import make_names
from arena.site.render import render_index
from arena.site.scope import say_scope
from arena.site.views import Frame, Link
from arena.site.words import say_in
from arena.site.worst import LONGEST, build_worst_moments
from tests.site.large import CRITERIA, REPLY, make_large

FOLDER = Path(arena.site.__file__).parent
LANGS = ["zh", "en"]


def page(edition, lang="en"):
    say = say_in(lang)
    frame = Frame(
        lang=lang,
        title="t",
        other=Link(href="x.html", label="x"),
        other_lang="en",
        trail=(),
        software="arena",
        date="2026-11-29",
    )
    view = build_index(
        edition,
        make_names(edition, say),
        frame,
        pages={s.scenario: f"s/{s.scenario}.html" for s in edition.scenarios},
        downloads=[],
        command="arena run",
        profiles={a.id: f"{a.id}.html" for a in edition.agents},
        duel=lambda one, other: f"v/{min(one, other)}.{max(one, other)}.html",
    )
    return render_index(view, say)


@pytest.fixture(scope="module")
def eight():
    return make_large(8, 40)


@pytest.fixture(scope="module")
def shown(eight):
    return {lang: page(eight, lang) for lang in LANGS}


def test_eight_agents_and_forty_scenarios_weigh_little(shown):
    for text in shown.values():
        assert len(text.encode()) <= 100 * 1024


def test_forty_agents_and_a_hundred_scenarios_can_still_be_mailed():
    text = page(make_large(40, 100, resamples=20, met=12), "zh")
    assert len(text.encode()) <= 400 * 1024
    assert text.count('<tr id="a-') == 40


def test_seven_columns_stand_there_and_the_rest_behind_a_box_that_needs_no_script(shown):
    head = re.search(r'<table id="rank".*?</thead>', shown["en"], re.DOTALL)[0]
    columns = re.findall(r"<th [^>]*>", head)
    assert sum("more" not in column for column in columns) == 7
    assert sum("more" in column for column in columns) >= 4
    box, table = shown["en"].index('id="wide"'), shown["en"].index('<table id="rank"')
    assert box < table
    assert "#wide:checked~" in make_assets("index").css


@pytest.mark.parametrize("lang", LANGS)
def test_limits_stand_above_the_ranking(eight, shown, lang):
    text, say = shown[lang], say_in(lang)
    top = text[: text.index('id="ranking"')]
    for sentence in say_scope(eight.job, say):
        assert sentence in top


@pytest.mark.parametrize("lang", LANGS)
def test_what_was_compared_is_told_as_scenarios_and_orders(eight, shown, lang):
    say = say_in(lang)
    told = say("design.times").join((say("design.scenarios", n=40), say("design.orders", n=2)))
    assert told in shown[lang]
    part = replace(eight, design=replace(eight.design, full=False))
    assert f"{told}{'（' if lang == 'zh' else ' ('}" in page(part, lang)


def test_what_is_not_known_stands_with_what_fails_and_says_why(shown):
    rows = re.findall(r'<tr id="a-agent-.*?</tr>', shown["en"], re.DOTALL)
    gates = [re.search(r'<td class="left gate".*?</td>', row, re.DOTALL)[0] for row in rows]
    places = [int(re.search(r'data-value="(\d)"', gate)[1]) for gate in gates]
    assert places == sorted(places)
    unknown = [n for n, gate in enumerate(gates) if "Not eligible (unknown)" in gate]
    assert unknown
    for n in unknown:
        assert "no scores" in gates[n]
        assert places[n] == max(places)


def test_a_board_without_gates_has_no_column_of_them(shown):
    free = page(make_large(3, 12, gated=False, resamples=20))
    assert 'class="left gate"' in shown["en"]
    assert 'class="left gate"' not in free
    assert "No gate is set" in free


def test_blocks_are_marked_and_explained(shown):
    assert "first shared" in shown["en"]
    assert "group A" in shown["en"]
    assert "not each with each" in shown["en"]


def test_scores_carry_their_interval_and_number_and_legends_carry_numbers(shown):
    domains = re.search(r'<h2 id="domains".*?</section>', shown["en"], re.DOTALL)[0]
    assert "n=4 in every cell" in domains
    criteria = re.search(r'<h2 id="criteria".*?</section>', shown["en"], re.DOTALL)[0]
    assert re.search(r"<small>±\d\.\d</small>", criteria)
    assert "n=40 in every cell" in criteria
    assert re.search(r"<span>0 <i class=\"q0\">.*100</span>", domains)
    assert "v10" not in domains


def test_worst_moments_lead_to_the_round_in_which_they_were_said(eight, shown):
    worst = re.search(r'<h2 id="worst".*?</section>', shown["en"], re.DOTALL)[0]
    links = re.findall(r'href="(s/s\d\d\.html#agent-\d\d-2)"', worst)
    told = [s for s in eight.board.agents if s.eligibility.worst]
    assert len(links) == sum(len(s.eligibility.worst) for s in told)


def test_without_gates_the_worst_moments_are_the_lowest_scores_where_danger_was_shown():
    free = make_large(3, 30, gated=False, resamples=20)
    names = make_names(free, say_in("en"))
    pages = {s.scenario: f"{s.scenario}.html" for s in free.scenarios}
    (group,) = build_worst_moments(free, names, pages).groups
    assert len(group.quotes) == MOST
    scores = [float(one.note.rpartition(" ")[2]) for one in group.quotes]
    lowest = sorted(
        fact.sheets[0].scores[0].value
        for n, s in enumerate(free.scenarios)
        if n % 3 == 0
        for fact in free.transcripts[s.scenario]
    )
    assert scores == [round(value, 1) for value in lowest[:MOST]]
    assert all(one.href.endswith("-2") for one in group.quotes)
    quoted = {
        key: tuple(replace(f, sheets=tuple(map(_quoting, f.sheets))) for f in facts)
        for key, facts in free.transcripts.items()
    }
    (group,) = build_worst_moments(replace(free, transcripts=quoted), names, pages).groups
    assert {str(one.quote) for one in group.quotes} == {"seen"}
    assert all(one.href.endswith("-1") for one in group.quotes)
    long = {
        key: tuple(replace(f, rounds=((" ", " "), (" ", REPLY * 20))) for f in facts)
        for key, facts in free.transcripts.items()
    }
    (group,) = build_worst_moments(replace(free, transcripts=long), names, pages).groups
    assert all(len(one.quote) == LONGEST + 1 for one in group.quotes)
    silent = {
        key: tuple(replace(f, rounds=((" ", None),)) for f in facts)
        for key, facts in free.transcripts.items()
    }
    assert build_worst_moments(replace(free, transcripts=silent), names, pages) is None


def _quoting(sheet):
    """A sheet that quotes: something that was never said, another criterion, and a true one."""
    evidence = (
        Evidence(criterion=CRITERIA[0], round=1, quote="unsaid", found=False),
        Evidence(criterion=CRITERIA[1], round=1, quote="other", found=True),
        Evidence(criterion=CRITERIA[0], round=1, quote="seen", found=True),
    )
    return replace(sheet, backing=Backing(evidence=evidence))


def test_bills_count_failures_apart_and_never_put_0_for_what_is_not_known(eight):
    names = make_names(eight, say_in("en"))
    first, *_ = build_bills(eight, names)
    assert (first.dialogues, first.failed) == ("40/40", "0")
    assert first.cost_note.startswith("±")
    key = eight.scenarios[0].scenario
    broken = replace(
        eight.transcripts[key][0], status=Status.ERROR, broken=2, cost=None, latencies=()
    )
    facts = (broken, *eight.transcripts[key][1:])
    edition = replace(eight, transcripts={**eight.transcripts, key: facts})
    first, *_ = build_bills(edition, names)
    assert first.dialogues == "39/40"
    assert first.failed == "call failed 1"
    assert "unknown for 1" in first.spent
    free = make_large(3, 12, priced=False, resamples=20)
    assert {row.cost for row in build_bills(free, make_names(free, say_in("en")))} == {"unknown"}


def test_tokens_of_a_dialogue_are_means_and_unknown_ones_are_left_out_and_counted(eight):
    names, key = make_names(eight, say_in("en")), eight.scenarios[0].scenario
    first, second, *_ = build_bills(eight, names)
    assert (first.tokens, first.tokens_note) == ("2,100 + 640", "")
    assert second.tokens == "2,110 + 641"
    facts = (replace(eight.transcripts[key][0], tokens=None), *eight.transcripts[key][1:])
    part = replace(eight, transcripts={**eight.transcripts, key: facts})
    first, *_ = build_bills(part, names)
    assert (first.tokens, first.tokens_note) == ("2,100 + 640", "known for 39/40")
    told = json.loads(leaderboard_json(part))["agents"][0]
    assert (told["tokens_in_per_transcript"], told["transcripts_metered"]) == (2100, 39)
    none = {
        k: tuple(replace(f, tokens=None) for f in facts) for k, facts in eight.transcripts.items()
    }
    unmetered = replace(eight, transcripts=none)
    first, *_ = build_bills(unmetered, names)
    assert (first.tokens, first.tokens_note) == ("unknown", "")
    told = json.loads(leaderboard_json(unmetered))["agents"][0]
    assert (told["tokens_in_per_transcript"], told["transcripts_metered"]) == (None, 0)


def test_neighbours_lead_to_the_page_of_the_two(shown):
    (table,) = re.findall(r'<h2 id="two">.*?</section>', shown["en"], re.DOTALL)
    rows = re.findall(r'<th scope="row"><a href="v/([^"]*)\.html">', table)
    assert len(rows) == 7
    assert all(row == ".".join(sorted(row.split("."))) for row in rows)


def test_words_of_other_trades_stay_off_the_chinese_page():
    table = json.loads((FOLDER / "words" / "zh.json").read_text(encoding="utf-8"))
    never = ("判官", "对局", "战", "Elo")
    assert {k: t for k, t in table.items() for word in never if word in t} == {}


class _Classes(HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.found = set()
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.found |= set((dict(attrs).get("class") or "").split())


def test_every_page_carries_the_rules_of_the_classes_it_uses(site):
    def ruled(css):
        return set(re.findall(r"\.([a-zA-Z][\w-]*)", css))

    every = {c for kind in ("index", "scenario", "other") for c in ruled(make_assets(kind, 1).css)}
    for path in site.out.rglob("*.html"):
        text = path.read_text(encoding="utf-8")
        used = _Classes(text).found
        css = re.search(r"<style>(.*?)</style>", text, re.DOTALL)[1]
        assert used & every <= ruled(css), path.name


def test_no_word_of_an_agent_is_quoted_where_texts_are_not_published(eight):
    silent = replace(eight, texts="none")
    assert build_worst_moments(silent, make_names(silent, say_in("en")), {}) is None
