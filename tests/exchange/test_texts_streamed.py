"""Files with texts are read a line or a sample at a time, and never held whole."""

import json
import tracemalloc
import zipfile

import pytest

from arena.domain.imported import LeftOut
from arena.errors import ConfigError
from arena.exchange import inspect_files, lines
from arena.exchange.format import ReadHow
from arena.exchange.formats import FORMATS
from arena.exchange.lines import Reread, read_lines
from arena.stages.take_in.take_in import look_through
from tests.support import foreign_texts as theirs


def test_marks_and_line_ends_change_nothing(tmp_path):
    rows = [{"a": "é"}, {"b": [1]}]
    text = "\ufeff" + "\r\n".join(json.dumps(row) for row in rows) + "\r\n\r\n"
    path = tmp_path / "x.jsonl"
    path.write_text(text, "utf-8", newline="")
    bad, files = LeftOut(), []
    found = list(read_lines(path, "x", bad, files))
    assert [row for _, row in found] == rows
    assert not bad.counts
    again = Reread([(line,) for line, _ in found], lambda group: [row for _, row in group], 2)
    assert list(again) == list(again) == rows
    assert len(again) == 2
    assert rows[0] in again


@pytest.mark.parametrize(
    "text", ["[1]", "{", '{"a": NaN}', '{"a": 1, "a": 2}', '{"a": ' + "[" * 100_000]
)
def test_a_line_that_is_no_object_is_malformed(tmp_path, text):
    path = tmp_path / "x.jsonl"
    path.write_text(f"{text}\n{{}}\n", "utf-8")
    bad = LeftOut()
    assert [line.number for line, _ in read_lines(path, "x", bad, [])] == [2]
    assert bad.first == {"malformed": "x:1"}


def test_a_line_without_an_end_is_not_read_whole(tmp_path, monkeypatch):
    monkeypatch.setattr(lines, "LONGEST", 100)
    path = tmp_path / "x.jsonl"
    path.write_text("{}\n" + " " * 1000, "utf-8")
    with pytest.raises(ConfigError, match=r"x\.jsonl:2"):
        list(read_lines(path, "x", LeftOut(), []))


def test_a_file_that_changes_meanwhile_is_told(tmp_path):
    path = theirs.save_lines(tmp_path / "x.jsonl", [{"a": 1}])
    groups = [(line,) for line, _ in read_lines(path, "x", LeftOut(), [])]
    path.write_text("{broken}", "utf-8")
    with pytest.raises(ConfigError, match="changed"):
        list(Reread(groups, lambda group: group, 1))


LONG = "word " * 100_000


def long_answers(n):
    rows = [theirs.hard_answer(f"agent-{n}", k, LONG) for k in range(2)]
    return {f"model_answer/{n}.jsonl": rows}


def long_reviews(n):
    rows = [theirs.review("ann", k, 1.0) for k in range(2)]
    for row in rows:
        row["messages"][1]["content"] = LONG
    return {f"reviews/agent-{n}/little_qa.jsonl": rows}


def long_samples(n):
    rows = [theirs.inspect_sample("ann", k, match="C") for k in range(2)]
    for row in rows:
        row["messages"][-1]["content"] = LONG
    return {f"{n}.eval": theirs.inspect_log(f"agent-{n}", rows)}


@pytest.mark.parametrize(
    ("format", "longs"),
    [("arena-hard", long_answers), ("evalscope", long_reviews), ("inspect", long_samples)],
)
def test_a_large_folder_is_never_held_whole(suites, tmp_path, format, longs):
    suite, size = suites(format), 0
    for n in range(8):
        for name, rows in longs(n).items():
            path = tmp_path / name
            if path.suffix == ".eval":
                theirs.write_eval(path, rows, packing=zipfile.ZIP_STORED)
            else:
                theirs.save_lines(path, rows)
            size += path.stat().st_size
    tracemalloc.start()
    found = FORMATS[format].results.read(tmp_path, suite, ReadHow())
    seen = look_through(found, suite)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert seen.ready["transcript"] == len(found.transcripts) == 16
    assert peak < size


def test_a_folder_that_changes_while_it_is_read_is_told(suites, tmp_path):
    for format in ("evalscope", "inspect"):
        folder = theirs.WRITERS[format](tmp_path / format)
        found = FORMATS[format].results.read(folder, suites(format), ReadHow())
        for path in folder.rglob("*.json*"):
            path.write_bytes(path.read_bytes() + b"\n ")
        with pytest.raises(ConfigError, match="changed"):
            list(found.transcripts)


def test_a_document_that_would_be_held_whole_has_a_largest_size(read, tmp_path, monkeypatch):
    path = theirs.write_inspect(tmp_path) / "ann.json"
    monkeypatch.setattr(inspect_files, "MOST_DOCUMENT", 100)
    with pytest.raises(ConfigError, match="one JSON document") as told:
        read("inspect", path)
    assert "--to eval" in told.value.fix
