"""Every format that can be imported: what is wrong is told by its place, and nothing comes in."""

import json
import re
import shutil

import pytest

from arena.exchange.formats import FORMATS
from arena.store.store import Store
from tests.support.every_format import CASES, FAULTS, ROUND_TRIPS, spoil

PLACE = re.compile(
    r":\d+|row \d|rows \d|cell [A-Z]+\d|[A-Z]\d+|›|samples/|\[\d+\]|line \d|: [xy]\b|byte \d"
)
"""How the place of a fault may be told."""


def ways(known):
    """How many ways a format has into the store."""
    texts = known.suite is not None or known.results is not None
    own = known.options is not None and not texts
    return texts + (known.votes is not None) + known.tables + own


def test_no_format_is_without_its_hostile_list():
    of = [key.partition("/")[0] for key in CASES]
    assert set(of) == {name for name, known in FORMATS.items() if known.imports}
    for name, known in FORMATS.items():
        assert of.count(name) >= ways(known), name
    for key, case in CASES.items():
        assert set(case.faults) | set(case.alike) == set(FAULTS), key


def test_no_way_out_is_without_its_way_back(root):
    out = {name for name, known in FORMATS.items() if known.exports}
    assert {key for key in CASES if key.partition("/")[0] in out} == set(ROUND_TRIPS)
    for key, (file, name) in ROUND_TRIPS.items():
        text = (root / "tests" / file).read_text("utf-8")
        assert f"def test_{name}(" in text, key


@pytest.fixture(scope="module")
def shared(arena, walk, tmp_path_factory):
    """A copy of the demo, into which nothing here is ever taken."""
    place = tmp_path_factory.mktemp("formats") / "w"
    shutil.copytree(walk[0], place)
    return place


def held(workspace):
    """How many rows each table has."""
    with Store(workspace / "results" / "arena.duckdb") as store:
        ask = store._connection.execute
        return {t: ask(f"select count(*) from {t}").fetchone() for t in store.transfer._tables()}


class Way:
    """One way in, tried with whole files and with spoilt ones."""

    def __init__(self, key, arena, shared, place):
        self.format, self.case = key.partition("/")[0], CASES[key]
        self._arena, self._place = arena, place
        self.sound, own = self.case.make(place / "sound", arena, shared)
        self.workspace = own or shared
        self.tries = 0

    def copy(self):
        """A copy of the sound files, and the file in it that is usually spoilt."""
        self.tries += 1
        place = self._place / f"try-{self.tries}"
        if self.sound.is_dir():
            shutil.copytree(self.sound, place)
            return place, place / self.case.file
        place.mkdir()
        path = place / self.sound.name
        shutil.copy(self.sound, path)
        return path, path

    def run(self, path, *more):
        words = ("import", self.format, path, *self.case.words, "-C", self.workspace, *more)
        return self._arena(*words, "--lang", "en")

    def brings(self, path):
        """What a dry run of sound files says, without the names of files."""
        done = self.run(path, "--dry-run", "--json")
        assert done.exit_code == 0, done.stderr + done.stdout
        said = json.loads(done.stdout)
        results = said.get("results") or said
        keys = ("records", "tables", "decisions", "votes", "whole", "scenarios", "left_out")
        return {key: results[key] for key in keys if key in results and key != "left_out"}


@pytest.fixture(scope="module")
def way(arena, shared, tmp_path_factory):
    made = {}

    def of(key):
        if key not in made:
            made[key] = Way(key, arena, shared, tmp_path_factory.mktemp("way"))
        return made[key]

    return of


@pytest.mark.slow
@pytest.mark.parametrize("key", CASES)
def test_marks_and_line_ends_change_nothing(way, key):
    one = way(key)
    expected = one.brings(one.sound)
    assert any(expected.values()), expected
    if one.case.file.endswith(".eval"):
        return
    for change in (
        lambda raw: b"\xef\xbb\xbf" + raw.removeprefix(b"\xef\xbb\xbf"),
        lambda raw: raw.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n"),
    ):
        path, file = one.copy()
        file.write_bytes(change(file.read_bytes()))
        assert one.brings(path) == expected


def spoilt(case):
    for name in FAULTS:
        how = case.faults.get(name, case.alike.get(name))
        if not isinstance(how, str):
            yield name, None if isinstance(how, bool) else how


@pytest.mark.slow
@pytest.mark.parametrize("key", CASES)
def test_what_is_wrong_is_told_by_its_place_and_nothing_comes_in(way, key):
    one = way(key)
    before = held(one.workspace)
    for name, how in spoilt(one.case):
        path, file = one.copy()
        file = path / how.file if how and how.file else file
        spoil(file, name, how)
        refused = one.run(path)
        told = refused.stderr + refused.stdout
        assert refused.exit_code == 2, (name, told)
        assert file.name in told, (name, told)
        beside = told.replace(str(path), "")
        whole = how is not None and not how.skip
        assert whole or PLACE.search(beside) or name in ("cut", "encoding"), (name, told)
        if one.case.skips and (how.skip if how else one.case.alike[name]):
            done = one.run(path, "--skip-bad", "--dry-run")
            assert done.exit_code == 3, (name, done.stderr + done.stdout)
    assert held(one.workspace) == before


@pytest.mark.slow
@pytest.mark.parametrize("key", CASES)
def test_a_folder_for_a_file_and_a_file_for_a_folder_are_named(way, key, tmp_path):
    one = way(key)
    before = held(one.workspace)
    empty, odd = tmp_path / "empty", tmp_path / f"odd{one.sound.suffix or '.txt'}"
    empty.mkdir()
    odd.write_text("nothing of the kind\n", "utf-8")
    for path in (empty, odd, tmp_path / "nowhere"):
        done = one.run(path)
        assert done.exit_code == 2, (path, done.stderr + done.stdout)
        assert path.name in done.stderr, (path, done.stderr)
    assert held(one.workspace) == before


@pytest.mark.slow
def test_an_archive_that_names_files_outside_itself_is_refused(way):
    import zipfile

    one = way("inspect/archive")
    path, file = one.copy()
    with zipfile.ZipFile(file, "a") as archive:
        archive.writestr("../../outside.json", "{}")
    done = one.run(path)
    assert done.exit_code == 2
    assert "outside itself" in done.stderr


@pytest.mark.slow
@pytest.mark.parametrize("key", ["flags", "votes"])
def test_a_row_that_is_there_twice_is_told(way, key):
    one = way(key)
    path, file = one.copy()
    lines = file.read_text("utf-8").splitlines(keepends=True)
    file.write_text("".join([*lines, lines[1]]), "utf-8")
    done = one.run(path)
    assert done.exit_code == 2
    assert f":{len(lines) + 1}: " in done.stderr
    assert one.run(path, "--skip-bad", "--dry-run").exit_code == 3
