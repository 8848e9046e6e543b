"""What a file is, whatever its bytes."""

import gzip
import io
import os
import sys
import threading

import duckdb
import numpy as np
import pytest

from arena.errors import UsageError
from arena.store.outcomes.source import load_file, load_frame

CSV = b"agent_a,agent_b,winner\nx,y,a\n"
ROWS = [(1, "x", "y", "a")]


def loaded(tmp_path, data, name="f.csv"):
    path = tmp_path / name
    path.write_bytes(data)
    return table(load_file(path))


def table(source):
    with source:
        rows = source.connection.execute('select * from source order by "#row"').fetchall()
        return source, rows


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("f.csv", CSV),
        ("f.csv", b"\xef\xbb\xbf" + CSV),
        ("f.csv", CSV.replace(b"\n", b"\r\n")),
        ("f.csv", CSV.replace(b"\n", b"\r")),
        ("f.csv", CSV.rstrip()),
        ("f.csv", CSV + b"\n\n"),
        ("f.csv", CSV.replace(b",", b";")),
        ("f.tsv", CSV.replace(b",", b"\t")),
        ("f.csv.gz", gzip.compress(CSV, mtime=0)),
        ("f.csv", gzip.compress(CSV, mtime=0)),
        ("f.csv", CSV.decode().encode("utf-16")),
        ("f.csv", b'"agent_a","agent_b","winner"\n"x","y","a"\n'),
        ("f.jsonl", b'{"agent_a":"x","agent_b":"y","winner":"a"}\n'),
        ("f.ndjson", b'\xef\xbb\xbf\r\n{"agent_a":"x","agent_b":"y","winner":"a"}'),
        ("f.jsonl.gz", gzip.compress(b'{"agent_a":"x","agent_b":"y","winner":"a"}', mtime=0)),
        ("f.json", b'[{"agent_a":"x","agent_b":"y","winner":"a"}]'),
        ("votes", CSV),
        ("a*b'[x]?{z}~ .csv", CSV),
        ("-f.csv", CSV),
    ],
)
def test_one_row_is_read_the_same_from_every_kind_of_file(tmp_path, name, data):
    (tmp_path / "aXb.csv").write_bytes(CSV + CSV)
    source, rows = loaded(tmp_path, data, name)
    assert rows == ROWS
    assert list(source.columns) == ["agent_a", "agent_b", "winner"]
    assert source.malformed == 0


def test_parquet_keeps_its_types(tmp_path):
    path = str(tmp_path / "f.parquet")
    duckdb.sql("select 7 as agent_a, 'y' as agent_b, 'a' as winner, {'k': 1} as s").write_parquet(
        path
    )
    source, rows = table(load_file(path))
    assert rows == [(1, 7, "y", "a", {"k": 1})]
    assert source.columns["agent_a"] == "INTEGER"


@pytest.mark.parametrize(
    "data",
    [
        CSV,
        CSV.replace(b",", b"\t"),
        gzip.compress(CSV, mtime=0),
        b' {"agent_a":"x","agent_b":"y","winner":"a"}',
        CSV.decode().encode("utf-16-le"),
    ],
    ids=["csv", "tsv", "gzip", "json", "no mark"],
)
def test_standard_input_is_recognised_by_its_bytes(data):
    if data.startswith(b"a\0"):
        data = b"\xff\xfe" + data
    assert table(load_file("-", io.BytesIO(data)))[1] == ROWS


def test_a_named_pipe_is_read_once(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_bytes, args=(CSV,))
    writer.start()
    assert table(load_file(pipe))[1] == ROWS
    writer.join()


@pytest.mark.parametrize("encoding", ["gb18030", "gbk", "utf-16", "utf-16-le", "utf-32"])
def test_other_encodings_of_chinese_are_decoded_and_said(tmp_path, encoding):
    text = "agent_a,agent_b,winner\n康伴,护理通,a\n"
    mark = b"\xff\xfe" if encoding == "utf-16-le" else b""
    source, rows = loaded(tmp_path, mark + text.encode(encoding))
    assert rows == [(1, "康伴", "护理通", "a")]
    assert source.encoding == {"gbk": "gb18030", "utf-16-le": "utf-16"}.get(encoding, encoding)


def test_a_byte_that_breaks_late_in_a_long_file_is_found_with_its_line(tmp_path):
    lines = CSV + b"x,y,a\n" * 400_000 + b"caf\xe9,y,a\n"
    with pytest.raises(UsageError, match="line 400003 is neither UTF-8 nor GB18030"):
        loaded(tmp_path, lines)


def test_nothing_is_guessed_about_the_type_of_a_text(tmp_path):
    rows = [["007", "1e5", "NULL"], ["nan", "true", "2024-01-01"], ["-0", "None", "NA"]]
    text = "agent_a,agent_b,winner\n" + "\n".join(",".join(row) for row in rows)
    assert [list(row[1:]) for row in loaded(tmp_path, text.encode())[1]] == rows
    objects = "\n".join('{{"a":"{}","b":"{}","c":"{}"}}'.format(*row) for row in rows)
    assert [list(r[1:]) for r in loaded(tmp_path, objects.encode(), "f.jsonl")[1]] == rows


def test_a_quoted_value_may_hold_line_ends_delimiters_and_quotes(tmp_path):
    data = b'a,b,w\r\n"x\r\n1","y,""2""",a\r\nz,y,b\r\n'
    assert loaded(tmp_path, data)[1] == [(1, "x\r\n1", 'y,"2"', "a"), (2, "z", "y", "b")]


def test_line_ends_of_two_kinds_are_read(tmp_path):
    rows = loaded(tmp_path, b"a,b,w\r\nx,y,a\nx,z,b\r\nx,w,b")[1]
    assert [row[2] for row in rows] == ["y", "z", "w"]


def test_rows_with_a_wrong_number_of_fields_are_left_out_and_counted(tmp_path):
    data = b"a,b,w\nx,y,a\nx,y\nx,y,b\nx,y,a,more\nx,z,tie\n"
    source, rows = loaded(tmp_path, data)
    assert (source.malformed, source.first_malformed) == (2, 2)
    # The others keep their numbers in the file.
    assert [row[0] for row in rows] == [1, 3, 5]


def test_numbers_of_rows_hold_in_a_file_that_is_read_in_parts(tmp_path):
    lines = [f"{k},y,a" if k % 997 else f"{k},y" for k in range(1, 300_001)]
    source, rows = loaded(tmp_path, ("a,b,w\n" + "\n".join(lines)).encode())
    assert source.malformed == 300_000 // 997
    assert all(str(row[0]) == row[1] for row in rows)
    assert len(rows) + source.malformed == 300_000


def test_lines_that_are_no_json_object_are_left_out_and_counted(tmp_path):
    data = b'{"a":"x"}\n{"a":bad}\n[1]\n"s"\n{"b":{"k":[1,2]},"c/d~e":null}\n{"a":"cut'
    source, rows = loaded(tmp_path, data, "f.jsonl")
    assert (source.malformed, source.first_malformed) == (4, 2)
    assert list(source.columns) == ["a", "b", "c/d~e"]
    assert rows == [(1, "x", None, None), (5, None, '{"k":[1,2]}', None)]


@pytest.mark.parametrize(
    ("name", "data", "words"),
    [
        ("f.csv", b"", "the file is empty"),
        ("f.csv", b" \n\n", "the file is empty"),
        ("f.csv.gz", gzip.compress(b"", mtime=0), "the file is empty"),
        (
            "f.csv.gz",
            gzip.compress(CSV * 1000, mtime=0)[:60],
            "cannot be read: Compressed file ended",
        ),
        ("f.csv", b"\x1f\x8bnonsense", "cannot be read"),
        ("f.xlsx", b"PK\x03\x04..", "XLSX"),
        ("f.csv.zst", b"\x28\xb5\x2f\xfd..", "Zstandard"),
        ("f.parquet", b"PAR1 not really", "cannot be read"),
        ("f.csv", b"\xff\xfea,b,c", "not text in any encoding"),
        ("f.csv", b"a,A,w\nx,y,z\n", "two columns are called a"),
        ("f.csv", b"a,b,#ROW\nx,y,z\n", "two columns are called #ROW"),
        ("f.jsonl", b'{"a":1}\n{"A":2}\n', "two columns are called a"),
        ("f.jsonl", b"nothing\nhere\n", "no JSON object"),
        ("f.json", b'[{"a":"x"},{"a":', "cannot be read"),
        ("f.csv", b'a,b,w\nx,y,a\n"x,y,a\nx,z,b\n', "row 2: a quotation mark"),
    ],
)
def test_a_file_that_cannot_be_read_is_a_clear_error(tmp_path, name, data, words):
    with pytest.raises(UsageError) as raised:
        loaded(tmp_path, data, name)
    assert words in str(raised.value)
    assert str(tmp_path / name) in str(raised.value)
    assert raised.value.exit_code == 2
    assert len(str(raised.value).splitlines()) <= 3


def test_missing_files_and_folders_are_clear_errors(tmp_path):
    with pytest.raises(UsageError, match="No such file"):
        load_file(tmp_path / "none.csv")
    with pytest.raises(UsageError, match="Is a directory"):
        load_file(tmp_path)


def test_an_unnamed_column_gets_a_number(tmp_path):
    source, rows = loaded(tmp_path, b",agent_a,agent_b\n0,x,y\n")
    assert list(source.columns) == ["column 1", "agent_a", "agent_b"]
    assert rows == [(1, "0", "x", "y")]


def test_nothing_is_left_on_the_disk(tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "scratch"))
    (tmp_path / "scratch").mkdir()
    loaded(tmp_path, "a,b\n康,伴\n".encode("gb18030"))
    with pytest.raises(UsageError):
        loaded(tmp_path, b"")
    assert list((tmp_path / "scratch").iterdir()) == []


class Stream:
    """What Arrow tables of any library have in common."""

    def __init__(self, relation):
        self.relation = relation

    def __arrow_c_stream__(self, requested_schema=None):
        return self.relation.__arrow_c_stream__(requested_schema)


def test_arrow_streams_and_numpy_columns_are_tables_too():
    other = duckdb.connect()
    relation = other.sql("select 1 as agent_a, 'e'::enum('q', 'e') as agent_b")
    assert table(load_frame(Stream(relation)))[1] == [(1, 1, "e")]
    other.close()
    frame = {"agent_a": np.array(["x", "y"], dtype=object), "n": np.array([1, 2])}
    assert table(load_frame(frame))[1] == [(1, "x", 1), (2, "y", 2)]


@pytest.mark.parametrize("frame", [[1, 2], None, 3, object(), "text", {"a": [1]}])
def test_other_objects_are_refused_by_name(frame):
    with pytest.raises(UsageError, match=type(frame).__name__):
        load_frame(frame)


REACHES = [
    "copy source to '{path}'",
    "attach '{path}'",
    "select * from read_csv('{csv}')",
    "select * from '{csv}'",
    "install httpfs",
    "set threads = 1",
    "set enable_external_access = true",
    "select * from SECRET",
]


@pytest.mark.parametrize("statement", REACHES)
def test_once_loaded_the_connection_reaches_nothing(tmp_path, statement):
    SECRET = {"x": np.array([1])}
    (tmp_path / "f.csv").write_bytes(CSV)
    with load_file(tmp_path / "f.csv") as source, pytest.raises(duckdb.Error):
        source.connection.execute(
            statement.format(path=tmp_path / "out.db", csv=tmp_path / "f.csv")
        )
    assert not (tmp_path / "out.db").exists()
    assert SECRET is not None


def test_standard_input_is_the_process_own_by_default(monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(CSV)))
    assert table(load_file("-"))[1] == ROWS
