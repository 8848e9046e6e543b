"""The sample in the README is what this version makes of its suite, and nobody edited it."""

import hashlib
import json
from pathlib import Path

import pytest

import arena
from arena.site.look import look_digest
from arena.suites.load import load_suite
from tests.site.reading import tree

ROOT = Path(__file__).parents[2]
SAMPLE = ROOT / "leaderboard" / "sample"
MANIFEST = "data/manifest.json"
ANEW = (
    "make the sample anew: arena demo --lang en --dir x; arena diagnose -C x; "
    "arena publish -C x --lang en --figures --out leaderboard/sample"
)

pytestmark = pytest.mark.skipif(
    not SAMPLE.is_dir(), reason="the sample is part of the repository and of no package"
)


@pytest.fixture(scope="module")
def manifest():
    return json.loads((SAMPLE / MANIFEST).read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def kept(manifest):
    """The look that the sample was made with."""
    if "look" not in manifest:
        pytest.skip(f"the sample was made before sites kept their look; {ANEW}")
    return manifest["look"]


def test_no_file_of_the_sample_was_edited_added_or_lost(manifest):
    files = tree(SAMPLE)
    found = {p: hashlib.sha256(c).hexdigest() for p, c in files.items() if p != MANIFEST}
    assert found == manifest["sha256"], ANEW


def test_the_sample_looks_as_pages_look_now(kept):
    assert kept == look_digest(), ANEW


@pytest.mark.usefixtures("kept")
def test_the_sample_is_of_this_version_and_of_the_suite_as_it_is():
    document = json.loads((SAMPLE / "data" / "leaderboard.json").read_text(encoding="utf-8"))
    board = document["board"]
    suite = load_suite(ROOT / "data" / "suites" / board["suite"])
    assert board["suite_digest"] == suite.digest(), ANEW
    assert board["suite_version"] == suite.version, ANEW
    assert board["software"] == f"arena {arena.__version__}", ANEW
