"""What only a browser can tell of the controls of pages."""

import pytest

from tests.site.browsing import launched, watch

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def browser():
    with launched() as opened:
        yield opened


@pytest.fixture
def visit(browser, site):
    """Opens a page of the site; what it asked of the network, its console and its dialogs."""
    contexts = []

    def open_page(name, *, place="", width=1280, **options):
        context = browser.new_context(viewport={"width": width, "height": 900}, **options)
        contexts.append(context)
        page = watch(context.new_page())
        page.goto(f"{(site.out / name).as_uri()}{place}")
        return page

    yield open_page
    for context in contexts:
        context.close()


@pytest.fixture
def scenario(site):
    return next(
        str(p.relative_to(site.out))
        for p in sorted(site.out.glob("s/com1-*.html"))
        if ".en." not in p.name
    )


def test_without_script_everything_can_be_read(visit, scenario):
    page = visit("index.html", java_script_enabled=False, width=390)
    assert page.locator("#rank tbody tr").count() == 6
    more = page.locator("#rank tbody .more")
    assert not more.first.is_visible()
    page.locator("#wide").check()
    assert all(more.nth(n).is_visible() for n in range(more.count()))
    assert not page.locator("#theme").is_visible()
    page = visit(scenario, java_script_enabled=False)
    cards = page.locator(".card")
    assert cards.count() == 6
    assert all(cards.nth(n).is_visible() for n in range(6))
    pairs = page.locator(".comparison")
    assert pairs.count() > 20
    assert all(pairs.nth(n).is_visible() for n in range(pairs.count()))
    assert not page.locator("#left").is_visible()


def test_rows_sort_by_button_with_the_missing_last(visit):
    page = visit("index.html")
    head = page.locator("th[data-first]").nth(3)
    ratings = "[...document.querySelectorAll('#rank tbody tr')].map(r => r.cells[3].dataset.value)"
    for way in ("descending", "ascending"):
        head.locator("button").press("Enter")
        assert head.get_attribute("aria-sort") == way
        assert page.locator("[aria-sort]").count() == 1
        values = page.evaluate(ratings)
        there = [float(v) for v in values if v]
        assert there == sorted(there, reverse=way == "descending")
        assert values[-2:] == ["", ""]
        assert page.locator("#live").inner_text()
    assert page.locator("a[data-keep]").get_attribute("href") == "index.en.html#sort=3.asc"
    again = visit("index.html", place="#sort=3.asc")
    assert again.evaluate(ratings) == values


def test_only_ranked_agents_can_be_shown(visit):
    page = visit("index.html")
    page.locator("#only").check()
    assert page.locator("#rank tbody tr:visible").count() == 2
    page.locator("#only").uncheck()
    assert page.locator("#rank tbody tr:visible").count() == 6


def test_the_ranking_is_cards_on_a_phone_each_number_under_its_own_label(visit):
    page = visit("index.html", width=390)
    assert not page.locator("#rank thead").is_visible()
    shown = page.locator("#rank tbody td:visible")
    assert shown.count() > 20
    cut = (
        "[...document.querySelectorAll('#rank td, #rank tbody th, .cards-rows td')]"
        ".filter(c => c.offsetParent && c.scrollWidth > c.clientWidth + 1).length"
    )
    assert page.evaluate(cut) == 0
    named = "[...document.querySelectorAll('#rank td, .cards-rows td')].every(c => c.dataset.label)"
    assert page.evaluate(named)


def test_blocks_are_marked_only_in_the_order_of_the_ranking(visit):
    page = visit("index.html")
    line = "getComputedStyle(document.querySelector('#rank .shared .rank')).backgroundColor"
    marked = page.evaluate(line)
    page.locator("th[data-first] button").nth(2).click()
    assert page.evaluate(line) != marked


def test_a_long_list_of_slices_is_folded_and_opens(visit):
    page = visit("index.en.html")
    shown = page.locator("#slices-1 tbody tr")
    assert shown.first.is_visible()
    long = page.locator("details", has=page.locator("#slices-2"))
    assert not page.locator("#slices-2 tbody tr").first.is_visible()
    long.locator("summary").click()
    assert page.locator("#slices-2 tbody tr:visible").count() == 9


def test_a_pair_can_be_read_on_a_phone_without_the_heads_of_the_columns(visit):
    page = visit("index.en.html", width=390)
    table = page.locator("section:has(#two) table.few-rows").first
    assert not table.locator("thead").is_visible()
    label = "getComputedStyle(document.querySelector('.few-rows.two td'), '::before').content"
    assert "Difference" in page.evaluate(label)
    wide = "[...document.querySelectorAll('.few-rows')].every(t => t.scrollWidth <= innerWidth)"
    assert page.evaluate(wide)


def test_pictures_fit_their_place(visit):
    for width in (1280, 390):
        page = visit("index.en.html", width=width)
        box = page.locator("svg.scatter").first.bounding_box()
        assert box["width"] >= 300
        assert box["x"] + box["width"] <= width


def test_any_two_agents_stand_side_by_side(visit, scenario):
    page = visit(scenario)
    slugs = page.evaluate("[...document.querySelectorAll('#left option')].map(o => o.value)")
    assert page.locator(".card:visible").count() == 2
    page.locator("#left").select_option(slugs[3])
    page.locator("#right").select_option(slugs[2])
    shown = "[...document.querySelectorAll('.card:not([hidden])')].map(c => c.dataset.slug)"
    assert page.evaluate(shown) == [slugs[3], slugs[2]]
    pairs = page.evaluate(
        "[...document.querySelectorAll('.comparison:not([hidden])')].map(c => c.dataset.pair)"
    )
    assert pairs
    assert all(set(p.split("|")) == {slugs[3], slugs[2]} for p in pairs)
    assert page.locator("#live").inner_text()
    page.locator("#right").select_option(slugs[3])
    assert page.evaluate(shown) == [slugs[2], slugs[3]]
    page.locator("#all").check()
    assert page.locator(".card:visible").count() == len(slugs)
    assert page.locator("a[data-keep]").get_attribute("href").endswith("&all=1")


def test_rounds_of_two_agents_start_on_the_same_line(visit, scenario):
    page = visit(scenario)
    tops = page.evaluate(
        "[...document.querySelectorAll('.card:not([hidden])')].map(c =>"
        " [...c.querySelectorAll('.turn.user')].map(t => Math.round(t.getBoundingClientRect().y)))"
    )
    assert len(tops) == 2
    assert tops[0] == tops[1]


def test_a_link_to_a_round_shows_its_card(visit, scenario):
    page = visit(scenario)
    last = page.evaluate("[...document.querySelectorAll('#left option')].at(-1).value")
    again = visit(scenario, place=f"#t-{last}")
    assert again.locator(f"[id='t-{last}']").is_visible()
    assert again.locator(".card:visible").count() == 2


def test_the_theme_can_be_chosen(visit):
    page = visit("index.html", color_scheme="light")
    colour = "getComputedStyle(document.body).backgroundColor"
    light = page.evaluate(colour)
    page.locator("#theme").select_option("dark")
    assert page.evaluate(colour) != light
    assert page.evaluate(colour) == visit("index.html", color_scheme="dark").evaluate(colour)


def test_printing_opens_what_is_folded(visit, scenario):
    page = visit(scenario)
    page.evaluate("window.dispatchEvent(new Event('beforeprint'))")
    assert page.locator("details:not([open])").count() == 0


def test_on_paper_every_column_is_there_and_none_runs_off_the_sheet(visit):
    page = visit("index.en.html", width=1031)  # A4 landscape within its margins
    page.emulate_media(media="print")
    page.evaluate("document.querySelectorAll('details').forEach(d => { d.open = true; })")
    more = page.locator("#rank tbody .more")
    assert all(more.nth(n).is_visible() for n in range(more.count()))
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
