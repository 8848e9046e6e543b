"""Keys and personal data stop a site; what they are is told without telling them."""

import pytest

from arena.errors import MustNotPublish
from arena.site.release import Release
from arena.site.safety.finding import masked
from arena.site.safety.kinds import find_hits
from arena.site.safety.scan import refuse_findings, scan_files
from arena.store.store import Store

ID_NUMBER = "11010519491231002X"
FOUND = [
    ("sk-" + "abcDEF0123456789abcDEF", "api_key"),
    ("Bearer " + "eyJhbGciOi.J9x-y_z0123456789", "bearer"),
    ("AKIA" + "ABCDEFGHIJ234567", "access_key"),
    ("li.ming+care@mail.example.cn", "email"),
    ("13812345678", "mobile"),
    ("138 1234 5678", "mobile"),
    ("+86-138-1234-5678", "mobile"),
    ("１３８１２３４５６７８", "mobile"),
    ("008613812345678", "mobile"),
    ("8613812345678", "mobile"),
    ("+44 20 7946 0958", "phone"),
    ("+1 (415) 555-0132", "phone"),
    (ID_NUMBER, "id_number"),
    (ID_NUMBER.lower(), "id_number"),
]
NOT_FOUND = [
    "110105194912310021",  # a wrong check digit
    "110105194913310023",  # no thirteenth month
    "0.13812345678901",
    "99998613812345678",
    "138123456789",
    "rated +71 (-40 … +182), 1571-1630, 2026-11-29T08:12:00",
    "0f13812345678a",
    "sk-learn, task-oriented-conversations, bearer responsibilities-matter",
    "risk-abcDEF0123456789abcDEF, 9AKIAABCDEFGHIJ234567, .+44 20 7946 0958",
    "12320 or 120, version 1.2.3, 400-820-8820",
    "not@home, @everyone, a@b",
]


@pytest.mark.parametrize(("value", "kind"), FOUND)
def test_a_value_is_found_wherever_it_stands(value, kind):
    for around in ("{}", "请打{}找我", "call {}, please", '"{}"', "<td>{}</td>", "（{}）"):
        assert [h.kind for h in find_hits(around.format(value))] == [kind], around


@pytest.mark.parametrize("text", NOT_FOUND)
def test_what_only_looks_like_it_is_left_alone(text):
    assert find_hits(text) == []


def test_a_value_however_written_is_one_finding():
    files = {
        "s/a.html": '<title>EV-01 · Fall</title><p id="hasty-2">+86 138 1234 5678</p>',
        "data/comparisons.jsonl": "{}\n{'reason': '138-1234-5678, 13812345678'}\n",
    }
    (found,) = scan_files({p: t.encode() for p, t in files.items()}, secrets={}, salt=b"s")
    told = [(s.path, s.at, s.scenario, s.round) for s in found.spots]
    assert told[0] == ("s/a.html", "hasty-2", "EV-01", 2)
    assert told[1:] == [("data/comparisons.jsonl", "2", "", 0)] * 2


def test_the_value_of_a_variable_is_found_and_short_ones_are_in_any_text():
    secrets = {"OWN_KEY": "correct-horse", "SHORT": "yes"}
    files = {"data/x.json": b"yes, correct-horse battery"}
    (found,) = scan_files(files, secrets=secrets, salt=b"")
    assert (found.kind, found.shown) == ("variable", "co…se")


def test_a_hash_is_of_the_value_and_of_a_secret_of_the_workspace():
    files = {"index.html": b"13812345678"}
    one, other = (scan_files(files, secrets={}, salt=salt)[0].hash for salt in (b"1", b"2"))
    assert one != other
    assert scan_files(files, secrets={}, salt=b"1")[0].hash == one


@pytest.mark.parametrize(("value", "_"), FOUND)
def test_nothing_tells_a_value_whole(value, _):
    shown = masked(value)
    assert value not in shown
    assert len(shown) <= 5
    with pytest.raises(MustNotPublish) as stopped:
        refuse_findings({"index.html": value.encode()})
    assert value not in str(stopped.value)
    assert value not in repr(stopped.value.findings)


def test_only_what_was_looked_at_passes():
    files = {"index.html": b"13812345678 a@b.org"}
    with pytest.raises(MustNotPublish) as stopped:
        refuse_findings(files, salt=b"s")
    hashes = [f.hash for f in stopped.value.findings]
    assert len(hashes) == 2
    with pytest.raises(MustNotPublish) as stopped:
        refuse_findings(files, salt=b"s", allowed=frozenset(hashes[:1]))
    assert [f.hash for f in stopped.value.findings] == hashes[1:]
    refuse_findings(files, salt=b"s", allowed=frozenset(hashes))


def test_an_invisible_character_hides_no_value():
    files = {"s/a.html": b'<p>138<span class="cp">U+200B</span>12345678</p>'}
    assert [f.kind for f in scan_files(files, secrets={}, salt=b"")] == ["mobile"]


def test_every_file_of_a_site_is_searched(make, tmp_path):
    job = make.job()
    with Store(tmp_path / "a.duckdb") as store:
        make.fill(store, job, text="打 13812345678")
        with pytest.raises(MustNotPublish) as stopped:
            make.publish(tmp_path / "site", store, [job], release=Release(salt=b"s"))
        (found,) = stopped.value.findings
        assert {s.path.rpartition(".")[2] for s in found.spots} >= {"html", "jsonl"}
        assert {s.scenario for s in found.spots if s.scenario} == {"EC-13", "ec-13", "COM1"}
        assert any(s.round for s in found.spots)
        assert not (tmp_path / "site").exists()
        terms = Release(salt=b"s", allowed=frozenset([found.hash]))
        make.publish(tmp_path / "site", store, [job], release=terms)
    assert (tmp_path / "site" / "index.html").exists()


def test_a_site_without_any_has_no_findings(site):
    from tests.site.reading import tree

    assert scan_files(tree(site.out), secrets={}, salt=b"") == ()
