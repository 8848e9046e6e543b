"""What must hold of every kind of page in a browser, whoever reads it and however.

One session for all: each page is opened once, and looked at in every light, at both widths, by the
keyboard and on paper.
"""

import io
import re
import unicodedata
from collections import Counter

import pytest

from tests.site.browsing import launched, watch

pytestmark = pytest.mark.browser

KINDS = {
    "first page": ("site", "index*"),
    "judges": ("site", "judges*"),
    "method": ("site", "method*"),
    "changes": ("site", "changes*"),
    "brief": ("site", "brief*"),
    "scenario": ("site", "s/com1-*"),
    "agent": ("site", "a/con-*"),
    "pair": ("site", "v/*con-*"),
    "scenario of many agents": ("crowded", "s/s-000*"),
    "pair of many": ("crowded", "v/agent-00.agent-01*"),
    "list of leaderboards": ("front", "index*"),
    "first page of an older suite": ("stale", "index*"),
    "agent that is gone": ("stale", "a/left-*"),
    "first page with nothing on it": ("empty", "index*"),
}
"""Which site has a kind of page, and where; most are those of hostile agents."""
CONTRAST = ["color-contrast"]
LIGHTS = {
    "zh": (("light", 1280, None), ("dark", 390, None), ("dark", 1280, CONTRAST)),
    "en": (("light", 390, None), ("dark", 1280, CONTRAST)),
}
"""How each language is looked at. Colours are all that a theme changes."""
TABS = 30
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


@pytest.fixture(scope="module")
def page(site, crowded, front, stale, empty):
    # The sites first: they are filled by a loop, and the browser's own is running from here on.
    with launched() as browser:
        yield watch(browser.new_page(viewport={"width": 1280, "height": 900}))


@pytest.fixture
def both(request, kind):
    """The first page of a kind in each language."""
    name, pattern = KINDS[kind]
    folder, _, start = pattern.rpartition("/")
    paths = sorted((request.getfixturevalue(name).out / folder).glob(f"{start}.html"))
    english = [p.name.endswith(".en.html") for p in paths]
    return {"zh": paths[english.index(False)], "en": paths[english.index(True)]}


def visit(page, path, width):
    page.trouble.clear()
    page.emulate_media(color_scheme="light", forced_colors="none", media="null")
    page.set_viewport_size({"width": width, "height": 900})
    page.goto(path.as_uri())


@pytest.mark.parametrize("kind", KINDS)
def test_a_page_is_for_everybody(page, both, kind):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    for lang, path in both.items():
        visit(page, path, 390)
        assert page.evaluate(OVERFLOW) <= 0, path
        page.evaluate(OPEN)
        page.evaluate(axe.axe_script)
        for scheme, width, only in LIGHTS[lang]:
            page.emulate_media(color_scheme=scheme)
            page.set_viewport_size({"width": width, "height": 900})
            assert page.evaluate(AXE, only) == [], (path, scheme, width)
            assert page.evaluate(STUCK) == [], (path, width)
        page.emulate_media(forced_colors="active")
        assert page.evaluate(AXE, CONTRAST) == [], (path, "forced colours")
        assert page.trouble == [], path


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("lang", LIGHTS)
def test_the_keyboard_reaches_everything_in_order_and_shows_where_it_is(page, both, kind, lang):
    path = both[lang]
    visit(page, path, 1280)
    page.evaluate(OPEN)
    controls, focus = page.evaluate(CONTROLS), []
    for _ in range(TABS):
        page.keyboard.press("Tab")
        focus.append(page.evaluate(FOCUS))
    assert focus[0]["skip"], path
    places = [f["at"] for f in focus]
    # Past the last one the focus comes to the first again.
    end = next((n for n in range(1, len(places)) if places[n] < places[n - 1]), len(places))
    assert places[:end] == sorted(places[:end]), path
    assert end == min(TABS, controls), path
    assert [f["what"] for f in focus[:end] if not f["seen"]] == [], path


def letters(text):
    return Counter(re.sub(r"\s", "", unicodedata.normalize("NFKC", text)))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("lang", LIGHTS)
def test_a_printed_page_loses_no_text(page, both, kind, lang):
    reader, path = pytest.importorskip("pypdf").PdfReader, both[lang]
    visit(page, path, 1280)
    paper = reader(io.BytesIO(page.pdf(prefer_css_page_size=True)))
    printed = "".join(sheet.extract_text() for sheet in paper.pages)
    page.emulate_media(media="print")
    page.evaluate("window.dispatchEvent(new Event('beforeprint'))")
    # What is there for the ear alone stands on no paper.
    page.evaluate("document.querySelectorAll('.unseen').forEach(e => e.remove())")
    text = page.evaluate("document.body.innerText")
    assert len(text) > 200, path
    lost = letters(text) - letters(printed)
    assert not lost, (path, lost)


def test_no_page_asks_the_network_complains_opens_a_dialog_or_overflows(page, site):
    for path in sorted(site.out.rglob("*.html")):
        visit(page, path, 390)
        assert page.evaluate(OVERFLOW) <= 0, path
        assert page.evaluate(SOURCES) == 0, path
        assert page.trouble == [], path
