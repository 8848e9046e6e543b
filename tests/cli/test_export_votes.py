"""arena export of votes and of tables: what goes out comes back, and what cannot go is named."""

import csv
import json

import pytest

from arena.store.store import Store
from arena.store.transfer import MANIFEST

FULL = [
    {
        "agent_a": ("ann", "ben", "c“c”, c")[n % 3],
        "agent_b": ("ben", "c“c”, c", "ann")[n % 3],
        "outcome": ("a", "b", "tie")[n % 3 if n % 7 else 2],
        "order": ("ab", "ba", "")[n % 3],
        "scenario": f"s{n // 2}",
        "judge": f"j{n % 2}",
        "replicate": str(1 + n % 2),
        "margin": ("", "2", "-0.5")[n % 3],
        "weight": ("1", "0.25")[n % 2],
        "domain": ("English", "中文")[n % 2],
        "tag": "x; y",
        "criterion": "overall",
        "id": f"i{n}",
        "tstamp": f"169{n:04d}.5",
        "judge_vendor": "v",
        "vendor_a": "u",
        "vendor_b": "w",
        "conv_metadata": json.dumps({"sum_assistant_a_tokens": n, "bold_count_a": {"**": n}}),
        "length_a": str(10 + n),
        "length_b": "12",
        "note, “too”": f"line one\nline two {n}",
    }
    for n in range(30)
]
PLACES = [
    ("arena", ".csv"),
    ("arena", ".jsonl"),
    ("arena", ".parquet"),
    ("evalica", ".csv"),
    ("lmarena", ".parquet"),
    ("lmarena", ".csv"),
    ("lmarena", ".jsonl"),
    ("autoarena", ".csv"),
    ("fastchat", ".json"),
    ("fastchat", ".jsonl"),
]


def write_csv(path, rows):
    with path.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    return path


def votes_of(workspace, name):
    with Store(workspace / "results" / "arena.duckdb") as store:
        query = store._connection.execute
        (origin,) = query("select origin from origin where suite = $n", {"n": name}).fetchone()
        # JSON that was a struct in between has its keys, and not its spaces.
        rows = query(
            "select * exclude (origin, metadata, rest), metadata::json, rest::json "
            "from imported_vote where origin = $o order by row",
            {"o": origin},
        ).fetchall()
    return [(*row[:-2], *(json.loads(text) if text else None for text in row[-2:])) for row in rows]


@pytest.fixture(scope="module")
def full(arena, tmp_path_factory):
    """A workspace with votes of which everything is known that can be."""
    folder = tmp_path_factory.mktemp("full")
    assert arena("init", folder / "w", "--lang", "en").exit_code == 0
    path = write_csv(folder / "full.csv", FULL)
    done = arena("import", "arena", path, "-C", folder / "w", "--lang", "en")
    assert done.exit_code == 0, done.stderr
    return folder / "w"


@pytest.mark.parametrize(("format", "ending"), PLACES)
def test_what_goes_out_comes_back_the_same(arena, full, tmp_path, format, ending):
    path = tmp_path / f"{format}{ending}"
    out = arena("export", format, path, "--import", "full", "-C", full, "--json")
    assert out.exit_code == 0, out.stderr
    told = json.loads(out.stdout)
    assert (told["records"], told["lost"]) == ({"vote": 30}, {})
    name = f"{format}-{ending[1:]}"
    back = arena("import", format, path, "--as", name, "-C", full, "--json")
    assert back.exit_code == 0, back.stderr + back.stdout
    assert votes_of(full, name) == votes_of(full, "full")
    again = arena("export", format, path, "--import", "full", "-C", full, "--lang", "en")
    assert again.exit_code == 2
    assert "nothing is overwritten" in again.stderr


def test_what_a_format_cannot_hold_is_said_once_by_name(arena, started, tmp_path):
    rows = [
        {"model_a": "x", "model_b": "y", "winner": who}
        for who in ("model_a", "tie (bothbad)", "both_bad", "tie", "", "")
    ]
    path = write_csv(tmp_path / "few.csv", rows)
    assert arena("import", "lmarena", path, "-C", started).exit_code == 0
    words = ("--import", "few", "-C", started)
    out = json.loads(arena("export", "evalica", tmp_path / "e.csv", *words, "--json").stdout)
    assert out["records"] == {"vote": 4}
    assert out["lost"] == {"both_bad": 2, "unanswered": 2}
    for lang, said in (("en", "votes without a winner (2)"), ("zh", "没有胜者的票 (2)")):
        told = arena("export", "evalica", tmp_path / f"{lang}.csv", *words, "--lang", lang)
        assert told.stderr.count(said) == 1
    out = json.loads(arena("export", "lmarena", tmp_path / "l.csv", *words, "--json").stdout)
    assert out["lost"] == {"unanswered": 2}
    with (tmp_path / "l.csv").open(encoding="utf-8") as stream:
        labels = [row["winner"] for row in csv.DictReader(stream)]
    assert labels == ["model_a", "tie (bothbad)", "both_bad", "tie"]
    out = json.loads(arena("export", "arena", tmp_path / "a.jsonl", *words, "--json").stdout)
    assert (out["records"], out["lost"]) == ({"vote": 6}, {})


@pytest.mark.parametrize(
    "words",
    [
        ("nothing", "x.csv"),
        ("eldercare", "x"),
        ("evalica", "x.parquet", "--import", "full"),
        ("evalica", "x.csv", "--import", "none"),
        ("evalica", "x.csv", "--files", "csv"),
        ("flags", "x.xlsx", "--import", "full"),
        ("arena", "x", "--files", "xlsx"),
        ("arena", "x", "--import", "full"),
    ],
)
def test_what_cannot_be_exported_is_refused_and_nothing_made(
    arena, full, tmp_path, words, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    done = arena("export", *words, "-C", full, "--json", "--lang", "en")
    assert done.exit_code == 2
    assert json.loads(done.stdout)["error"]["kind"] == "usage"
    assert list(tmp_path.iterdir()) == []


def test_verdicts_made_here_go_out_as_votes_and_are_ranked_the_same(arena, walk, tmp_path):
    workspace, _ = walk
    words = ("-C", workspace, "--json", "--lang", "en")
    path = tmp_path / "own.csv"
    told = arena("export", "arena", path, *words)
    assert told.exit_code == 0, told.stderr
    assert json.loads(told.stdout)["records"] == {"vote": 240}
    own = json.loads(arena("rank", *words).stdout)["boards"][0]
    file = json.loads(arena("rank", path, "--json").stdout)
    for board in (own, file):
        board["ratings"] = {s["agent"]: round(s["rating"], 6) for s in board["agents"]}
    assert file["ratings"] == own["ratings"]


def contents(folder):
    return {p.name: p.read_bytes() for p in sorted(folder.iterdir())}


@pytest.mark.parametrize("kind", ["parquet", "csv", "jsonl"])
def test_all_tables_move_to_another_workspace(arena, walk, full, tmp_path, kind):
    workspace, _ = walk
    first, second = tmp_path / "first", tmp_path / "second"
    new = tmp_path / "new"
    assert arena("init", new, "--lang", "en").exit_code == 0
    for source in (workspace, full):
        place = first / source.name
        out = arena("export", "arena", place, "--files", kind, "-C", source, "--json")
        assert out.exit_code == 0, out.stderr
        dry = arena("import", "arena", place, "--dry-run", "-C", new, "--json")
        came = arena("import", "arena", place, "-C", new, "--json")
        assert came.exit_code == 0, came.stderr
        tables = json.loads(came.stdout)["tables"]
        assert json.loads(dry.stdout)["tables"] == tables
        assert all(told["rows"] == told["new"] for told in tables.values())
        again = json.loads(arena("import", "arena", place, "-C", new, "--json").stdout)["tables"]
        assert not any(told["new"] for told in again.values())
    # Nothing of it is wrong, so that there is nothing to be left out of any table.
    whole = tmp_path / "whole"
    assert arena("init", whole, "--lang", "en").exit_code == 0
    with_skip = ("import", "arena", first / workspace.name, "-C", whole, "--skip-bad", "--json")
    skipped = arena(*with_skip)
    assert skipped.exit_code == 0, skipped.stderr
    told = json.loads(skipped.stdout)["tables"]
    assert all(of["rows"] == of["new"] for of in told.values())
    assert sum(of["rows"] for of in told.values()) > 1000
    # What came in alone goes out again to the letter.
    alone = tmp_path / "alone"
    assert arena("init", alone, "--lang", "en").exit_code == 0
    assert arena("import", "arena", first / workspace.name, "-C", alone).exit_code == 0
    assert arena("export", "arena", second, "--files", kind, "-C", alone).exit_code == 0
    assert contents(second) == contents(first / workspace.name)
    assert votes_of(new, "full") == votes_of(full, "full")


def test_a_folder_of_tables_that_is_not_whole_changes_nothing(arena, full, tmp_path):
    whole = tmp_path / "whole"
    assert arena("export", "arena", whole, "--files", "jsonl", "-C", full).exit_code == 0
    new = tmp_path / "new"
    assert arena("init", new, "--lang", "en").exit_code == 0
    manifest = json.loads((whole / MANIFEST).read_text("utf-8"))
    votes = whole / "imported_vote.jsonl"
    good = votes.read_bytes()
    lines = good.splitlines(keepends=True)

    def refused(said, *more):
        done = arena("import", "arena", whole, "-C", new, "--lang", "en", *more)
        assert done.exit_code == 2
        assert said in done.stderr, done.stderr

    for content, said in (
        (b"".join(lines[:-1]), f"{len(lines) - 1} rows"),
        (good[:-9], "imported_vote.jsonl"),
        (good.replace(b'"outcome":"tie"', b'"outcome":"maybe"', 1), "imported_vote.jsonl"),
        (good.replace(b'"row":2,', b'"row":"two",', 1), "imported_vote.jsonl: row 2 "),
    ):
        votes.write_bytes(content)
        refused(said)
    votes.unlink()
    refused("imported_vote.jsonl")
    votes.write_bytes(good)
    for change, said in (
        ({"schema_version": 10_000}, "schema 10000"),
        ({"schema": "other/1"}, "no tables"),
        ({"kind": "../x"}, "damaged"),
        ({"tables": {}}, "rows, where"),
    ):
        (whole / MANIFEST).write_text(json.dumps(manifest | change), "utf-8")
        refused(said)
    (whole / MANIFEST).write_text('{"schema"', "utf-8")
    refused("no tables")
    (whole / MANIFEST).write_text(json.dumps(manifest), "utf-8")
    with Store(new / "results" / "arena.duckdb") as store:
        for table in ("imported_vote", "origin", "run"):
            found = store._connection.execute(f"select count(*) from {table}").fetchall()
            assert found == [(0,)]
    assert arena("import", "arena", whole, "-C", new).exit_code == 0


@pytest.mark.parametrize("kind", ["jsonl", "csv"])
def test_rows_of_tables_that_do_not_fit_are_left_out_and_listed(arena, full, tmp_path, kind):
    whole, new = tmp_path / "whole", tmp_path / "new"
    assert arena("export", "arena", whole, "--files", kind, "-C", full).exit_code == 0
    assert arena("init", new, "--lang", "en").exit_code == 0
    votes = whole / f"imported_vote.{kind}"
    lines = votes.read_bytes().splitlines(keepends=True)
    first = kind == "csv"
    n = len(lines) - first
    # Another label, something else than a number, and the last row cut off.
    label, number = ((b",tie,", b",maybe,"), (b",2,", b",two,"))
    if kind == "jsonl":
        label, number = ((b'"tie"', b'"maybe"'), (b'"row":2', b'"row":"two"'))
    lines[first] = lines[first].replace(*label, 1)
    lines[first + 1] = lines[first + 1].replace(*number, 1)
    votes.write_bytes(b"".join(lines[:-1]) + lines[-1][: 40 if first else -9])
    (whole / f"origin.{kind}").unlink()
    words = ("import", "arena", whole, "-C", new)
    refused = arena(*words, "--lang", "en")
    assert refused.exit_code == 2
    tried = arena(*words, "--skip-bad", "--dry-run", "--json")
    done = arena(*words, "--skip-bad", "--json")
    assert (tried.exit_code, done.exit_code) == (3, 3), done.stderr
    tables = json.loads(done.stdout)["tables"]
    assert json.loads(tried.stdout)["tables"] == tables
    assert (tables["imported_vote"]["new"], tables["imported_vote"]["bad"]) == (n - 3, 3)
    assert tables["imported_vote"]["places"][:2] == [f"{votes.name}:1", f"{votes.name}:2"]
    lost = json.loads((whole / MANIFEST).read_text("utf-8"))["tables"]["origin"]
    assert tables["origin"] == {"rows": 0, "new": 0, "bad": lost, "places": [f"origin.{kind}"]}
    told = arena(*words, "--skip-bad", "--lang", "zh")
    assert f"{votes.name}:1" in told.stderr
