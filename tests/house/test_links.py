"""No guide points at a file that is not there."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
GUIDES = [*ROOT.glob("*.md"), *(ROOT / "data").rglob("*.md"), *ROOT.glob("tests/**/README.md")]
LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)")


def targets(guide):
    """What a guide links to or shows, but for addresses of the web and places on its own page."""
    found = LINK.findall(guide.read_text(encoding="utf-8"))
    return [t.split("#")[0] for t in found if not t.startswith(("http://", "https://", "#"))]


@pytest.mark.parametrize("guide", GUIDES, ids=lambda p: p.relative_to(ROOT).as_posix())
def test_what_a_guide_links_to_is_there(guide):
    lost = [t for t in targets(guide) if not (guide.parent / t).exists()]
    assert lost == []


def test_the_guides_do_link():
    assert sum(len(targets(g)) for g in GUIDES) > 10
