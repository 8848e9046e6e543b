"""What must hold of every page in a browser, whoever reads it and however: seen in one session.

Each page is opened once; what is found is kept and the tests look at that.
"""

import io
import re
import unicodedata
from collections import Counter
from types import SimpleNamespace

import pytest

from tests.site.browsing import launched, watch

pytestmark = pytest.mark.browser

KINDS = ("index*", "judges*", "method*", "s/com1-*", "a/con-*", "v/*con-*")
"""The hostile leaderboard's pages that are looked at closely: one of each kind and language."""
LARGE = ("s/s-000*", "v/agent-00.agent-01*")
"""The kinds that only a board of many agents has."""
TABS = 40
AXE = """only => axe.run(document, {resultTypes: ['violations'],
  ...(only ? {runOnly: only} : {})}).then(found => found.violations.map(
  v => [v.id, v.nodes[0].html.slice(0, 160)]))"""
OPEN = "document.querySelectorAll('details').forEach(d => { d.open = true; })"
OVERFLOW = "document.documentElement.scrollWidth - innerWidth"
STUCK = """[...document.querySelectorAll('*')].filter(e => e.scrollWidth > e.clientWidth + 1
  && /auto|scroll/.test(getComputedStyle(e).overflowX) && e.tabIndex < 0).map(e => e.outerHTML
  .slice(0, 160))"""
FOCUS = """() => { const e = document.activeElement, s = getComputedStyle(e);
  const all = [...document.querySelectorAll('*')];
  return {at: all.indexOf(e), what: e.outerHTML.slice(0, 160), skip: e.matches('.skip'),
    seen: s.outlineStyle !== 'none' && parseFloat(s.outlineWidth) > 0}; }"""
CONTROLS = """[...document.querySelectorAll('a[href], select, summary, input, button, '
  + '[tabindex="0"]')].filter(e => e.checkVisibility()).length"""
SOURCES = "document.querySelectorAll('[src]').length"


def of_kinds(out, kinds):
    """The first page of each kind in each language."""
    found = []
    for kind in kinds:
        folder, _, name = kind.rpartition("/")
        paths = sorted((out / folder).glob(f"{name}.html"))
        for english in (False, True):
            found += [p for p in paths if p.name.endswith(".en.html") == english][:1]
    return found


@pytest.fixture(scope="module")
def shelves(site, crowded, front):
    """(where, page, whether it is looked at closely) of every page."""
    near = {*of_kinds(site.out, KINDS), *of_kinds(crowded.out, LARGE)}
    near |= {*front.out.glob("index*.html")}
    every = [
        *site.out.rglob("*.html"),
        *crowded.out.glob("[sv]/*0.*html"),
        *front.out.glob("*.html"),
    ]
    assert len(near) == 2 * (len(KINDS) + len(LARGE) + 1)
    return [(path, path in near) for path in sorted({*every, *near})]


@pytest.fixture(scope="module")
def seen(shelves):
    """What was seen of every page, by path."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    found = {}
    with launched() as browser:
        page = watch(browser.new_page(viewport={"width": 390, "height": 900}))
        for path, close in shelves:
            page.trouble.clear()
            page.set_viewport_size({"width": 390, "height": 900})
            page.goto(path.as_uri())
            one = SimpleNamespace(wide=page.evaluate(OVERFLOW), sources=page.evaluate(SOURCES))
            if close:
                look_closely(page, axe, one)
            one.trouble = list(page.trouble)
            found[path] = one
    return found


def look_closely(page, axe, one):
    def ask(scheme, width, only=None):
        page.emulate_media(color_scheme=scheme)
        page.set_viewport_size({"width": width, "height": 900})
        return page.evaluate(AXE, only)

    page.evaluate(OPEN)
    page.evaluate(axe.axe_script)
    contrast = ["color-contrast"]
    # Colours are all that a theme changes, and light and dark differ at no width.
    one.violations = {
        "390 dark": ask("dark", 390),
        "390 light": ask("light", 390, contrast),
        "1280 light": ask("light", 1280),
        "1280 dark": ask("dark", 1280, contrast),
    }
    page.emulate_media(forced_colors="active")
    one.violations["forced colours"] = ask("light", 1280, contrast)
    page.emulate_media(forced_colors="none")
    one.stuck = page.evaluate(STUCK)
    one.controls = page.evaluate(CONTROLS)
    one.focus = []
    page.evaluate("document.activeElement.blur(); scrollTo(0, 0)")
    for _ in range(TABS):
        page.keyboard.press("Tab")
        one.focus.append(page.evaluate(FOCUS))
    look_at_paper(page, one)


def look_at_paper(page, one):
    reader = pytest.importorskip("pypdf").PdfReader
    page.reload()
    paper = reader(io.BytesIO(page.pdf(prefer_css_page_size=True)))
    one.paper = "".join(sheet.extract_text() for sheet in paper.pages)
    page.emulate_media(media="print")
    page.evaluate("window.dispatchEvent(new Event('beforeprint'))")
    one.text = page.evaluate("document.body.innerText")
    page.emulate_media(media="null")


def close(seen):
    return {path: one for path, one in seen.items() if hasattr(one, "violations")}


def test_no_page_asks_the_network_complains_or_opens_a_dialog(seen):
    assert {path: one.trouble for path, one in seen.items() if one.trouble} == {}
    assert {path: one.sources for path, one in seen.items() if one.sources} == {}


def test_no_page_overflows_a_phone(seen):
    assert {path: one.wide for path, one in seen.items() if one.wide > 0} == {}


def test_axe_finds_no_violation_in_any_light_at_any_width(seen):
    found = [
        (str(path), how, violations)
        for path, one in close(seen).items()
        for how, violations in one.violations.items()
        if violations
    ]
    assert found == []


def test_the_keyboard_reaches_everything_in_order_and_shows_where_it_is(seen):
    for path, one in close(seen).items():
        assert one.focus[0]["skip"], path
        places = [f["at"] for f in one.focus]
        # Past the last one the focus comes to the first again.
        end = next((n for n in range(1, len(places)) if places[n] < places[n - 1]), len(places))
        assert places[:end] == sorted(places[:end]), path
        assert end == min(TABS, one.controls), path
        hidden = [f["what"] for f in one.focus[:end] if not f["seen"]]
        assert hidden == [], path
        assert one.stuck == [], path


def letters(text):
    return Counter(re.sub(r"\s", "", unicodedata.normalize("NFKC", text)))


def test_printed_pages_lose_no_text(seen):
    for path, one in close(seen).items():
        assert len(one.text) > 200, path
        lost = letters(one.text) - letters(one.paper)
        assert not lost, (path, lost)
