"""What a page prints for a terminal works there."""

import json

from tests.site.walking import COMMAND, Walk


def test_the_command_behind_a_verdict_of_each_pair_shows_what_the_judge_was_sent(walk, arena):
    place, _ = walk
    site = Walk(place / "leaderboard")
    pairs = site.pairs()
    assert len(pairs) == 6
    for pair in pairs:
        text = next(text for _, _, text in site.verdicts(pair) if COMMAND.search(text))
        _, *words = COMMAND.search(text)[1].split()
        done = arena(*words, "-C", place, "--json", "--lang", "en")
        assert done.exit_code == 0, done.stderr
        (verdict,) = json.loads(done.stdout)["verdicts"]
        assert verdict["input"]["same"]
        assert verdict["input"]["messages"]
        agents = {verdict["a"], verdict["b"]}
        assert set(pair.name.removesuffix(".html").split(".")) == agents


def test_notes_for_judges_are_published_only_when_asked_for(walk, arena, tmp_path):
    place, _ = walk
    for name, words in (("with", ["--show-notes"]), ("without", [])):
        out = tmp_path / name
        done = arena("publish", "-C", place, "--out", out, *words)
        assert done.exit_code == 0, done.stderr
        pages = [p.read_text(encoding="utf-8") for p in out.glob("s/*.html")]
        assert all(('id="notes"' in page) == bool(words) for page in pages)
        assert pages
