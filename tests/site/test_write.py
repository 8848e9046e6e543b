"""Putting a site in place, whatever was left lying about."""

from arena.site.write import MARKER, marker, write_site

FILES = {"index.html": b"<p>new</p>", MARKER: marker(["index.html"])}


def test_what_a_killed_publish_left_behind_is_gone_after_the_next(tmp_path):
    out = tmp_path / "leaderboard"
    left = tmp_path / ".leaderboard.arena-k1lled"
    (left / "s").mkdir(parents=True)
    (left / "s" / "half.html").write_text("<p>")
    mine = tmp_path / ".leaderboard-mine"
    mine.mkdir()
    write_site(out, FILES)
    assert sorted(p.name for p in tmp_path.iterdir()) == [".leaderboard-mine", "leaderboard"]
    assert (out / "index.html").read_bytes() == b"<p>new</p>"


def test_a_failed_publish_leaves_no_folder_beside_the_site(tmp_path):
    out = tmp_path / "leaderboard"
    write_site(out, FILES)
    (out / "s").write_text("a file where a folder should be")
    try:
        write_site(out, {**FILES, "s/ev-01.html": b"<p>"})
    except OSError:
        pass
    else:
        raise AssertionError("a file was taken for a folder")
    assert [p.name for p in tmp_path.iterdir()] == ["leaderboard"]
    assert (out / "index.html").exists()
