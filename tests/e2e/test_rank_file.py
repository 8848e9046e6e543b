"""`arena rank FILE`: every kind of file, what is printed where, and the same bytes."""

import codecs
import gzip
import json
import os
import subprocess
import sys
from pathlib import Path

import duckdb
import numpy as np
import pytest

import arena
from arena.domain.board import from_json, to_json
from tests.support.outcome_files import (
    IN_SCENARIOS,
    JUDGED,
    arena_rank,
    board_of,
    csv_text,
    even,
    json_lines,
    judged,
    names_of,
    ratings,
    standing,
    write,
)

PQR = ["P", "Q", "R"]
QUICK = ("--resamples", "100")


def process(*words, **more):
    """`python -m arena rank …` as a process of its own, in an empty folder."""
    env = {k: v for k, v in os.environ.items() if not k.startswith("ARENA")}
    return subprocess.run(
        [sys.executable, "-m", "arena", "rank", *map(str, words)],
        env=env | {"ARENA_LANG": "en", "PYTHONUTF8": "1", "OPENBLAS_NUM_THREADS": "1"},
        capture_output=True,
        check=False,
        timeout=120,
        **more,
    )


def same_but_for_the_file(board, wanted):
    """Equal agents and pairs: what the file is has no part in them."""
    assert board.agents == wanted.agents
    assert board.pairs == wanted.pairs
    assert board.data_digest == wanted.data_digest


# --- Kinds of files ------------------------------------------------------------------------------


def chinese():
    """Comparisons whose names are Chinese, so that an encoding shows."""
    new = {"P": "阿明", "Q": "小红", "R": "陪伴者"}
    return [(s, new[a], new[b], new[o]) for s, a, b, o in even(PQR, 12)]


def parquet(path, columns, rows):
    connection = duckdb.connect()
    names = ", ".join(f"{c} varchar" for c in columns)
    connection.execute(f"create table t ({names})")
    connection.executemany(f"insert into t values ({', '.join('?' * len(columns))})", rows)
    connection.execute(f"copy t to '{path}' (format parquet)")
    connection.close()
    return path.read_bytes()


def kinds():
    text = csv_text(IN_SCENARIOS, chinese())
    lines = json_lines(IN_SCENARIOS, chinese())
    return {
        "plain.csv": text.encode(),
        "tabs.tsv": csv_text(IN_SCENARIOS, chinese(), "\t").encode(),
        "semicolons.csv": csv_text(IN_SCENARIOS, chinese(), ";").encode(),
        "bom.csv": codecs.BOM_UTF8 + text.encode(),
        "crlf.csv": text.replace("\n", "\r\n").encode(),
        "crlf_and_bom.csv": codecs.BOM_UTF8 + text.replace("\n", "\r\n").encode(),
        "no_last_line_end.csv": text.rstrip("\n").encode(),
        "gb.csv": text.encode("gb18030"),
        "utf16.csv": text.encode("utf-16"),
        "lines.jsonl": lines.encode(),
        "array.json": json.dumps([json.loads(line) for line in lines.splitlines()]).encode(),
        "plain.csv.gz": gzip.compress(text.encode(), mtime=0),
        "lines.jsonl.gz": gzip.compress(lines.encode(), mtime=0),
        "gb.csv.gz": gzip.compress(text.encode("gb18030"), mtime=0),
        "no_ending": text.encode(),
        "空 格[1]*.csv": text.encode(),
    }


@pytest.mark.parametrize("name", list(kinds()))
def test_one_table_in_any_kind_of_file_gives_one_board(tmp_path, name):
    wanted = board_of(tmp_path, IN_SCENARIOS, chinese(), resamples=50)
    path = tmp_path / name
    path.write_bytes(kinds()[name])
    board = arena.rank(path, resamples=50)
    same_but_for_the_file(board, wanted)
    assert ("gb18030" in str(board.method.source)) == name.startswith("gb")
    assert path.read_bytes() == kinds()[name]


def test_parquet_gives_the_same_board(tmp_path):
    wanted = board_of(tmp_path, IN_SCENARIOS, chinese(), resamples=50)
    path = tmp_path / "votes.parquet"
    parquet(path, IN_SCENARIOS, chinese())
    same_but_for_the_file(arena.rank(path, resamples=50), wanted)


@pytest.mark.parametrize("name", ["plain.csv", "tabs.tsv", "lines.jsonl", "plain.csv.gz"])
def test_standard_input_gives_the_same_board(tmp_path, name):
    wanted = arena_rank(write(tmp_path, IN_SCENARIOS, chinese()), "--json", *QUICK)
    done = arena_rank("-", "--json", *QUICK, input=kinds()[name])
    assert done.exit_code == 0, done.stderr
    assert json.loads(done.stdout)["agents"] == json.loads(wanted.stdout)["agents"]
    assert done.stderr.startswith("stdin: 36 rows")


def test_a_table_in_memory_gives_the_same_board(tmp_path):
    rows = chinese()
    wanted = board_of(tmp_path, IN_SCENARIOS, rows, resamples=50)
    frame = {c: np.array([row[n] for row in rows]) for n, c in enumerate(IN_SCENARIOS)}
    same_but_for_the_file(arena.rank(frame, resamples=50), wanted)


@pytest.mark.parametrize(
    ("columns", "given"),
    [
        (("scenario_id", "agent_a", "agent_b", "winner"), None),
        (("question_id", "left", "right", "winner"), None),
        (("prompt", "model_a", "model_b", "winner"), None),
        (("Scenario", " Agent_A", "AGENT_B", "Outcome"), None),
        (("q", "one", "two", "who"), "a=one,b=two,outcome=who,scenario=q"),
    ],
)
def test_columns_of_other_names_give_the_same_board(tmp_path, columns, given):
    rows = even(PQR, 12)
    wanted = board_of(tmp_path, IN_SCENARIOS, rows, resamples=100)
    path = write(tmp_path, columns, rows, "other.csv")
    words = () if given is None else ("--columns", given)
    done = arena_rank(path, "--json", *QUICK, *words)
    assert done.exit_code == 0, done.stderr
    assert json.loads(done.stdout)["agents"] == to_json(wanted)["agents"]


# --- What is printed -----------------------------------------------------------------------------


def everything():
    """A file with two judges, both orders, domains, lengths and rows that cannot be used."""
    rng = np.random.default_rng(4)
    rows = []
    for judge in ("j1", "j2"):
        for row in judged([-0.6, 0, 0.7], 14, rng, bias=0.3, nu=0.4, judge=judge):
            domain = "day" if int(row[0][1:]) < 8 else "night"
            rows.append((*row, domain, str(rng.integers(50, 400)), str(rng.integers(50, 400))))
    rows.append(("s0", "m0", "m0", "a", "ab", "j1", "day", "10", "10"))
    rows.append(("s0", "m0", "m1", "?", "", "j3", "day", "10", "10"))
    return (*JUDGED, "domain", "length_a", "length_b"), rows


AGENT = {
    *("agent", "rating", "low", "high", "se", "se_clustered", "rank_low", "rank_high"),
    *("resample_rank_low", "resample_rank_high", "p_best", "wins", "ties", "losses", "share"),
    *("comparisons", "scenarios", "excluded", "state"),
}
PAIR = {"a", "b", "n", "share", "p_a_above_b", "difference", "low", "high", "decision"}


def test_json_is_one_document_that_says_everything(tmp_path):
    path = write(tmp_path, *everything())
    done = arena_rank(
        path,
        "--json",
        *QUICK,
        "--by",
        "domain,judge",
        "--control",
        "position,length",
        "--seed",
        "9",
    )
    assert done.exit_code == 0, done.stderr
    board = json.loads(done.stdout, parse_constant=lambda word: pytest.fail(word))
    assert board["schema"] == "arena.board/1"
    assert {"method", "agents", "pairs", "diagnostics"} <= board.keys()
    assert all(agent.keys() >= AGENT for agent in board["agents"])
    assert all(pair.keys() >= PAIR for pair in board["pairs"])
    assert len(board["pairs"]) == 3
    method = board["method"]
    assert (method["seed"], method["resamples"]) == (9, 100)
    assert (method["by"], method["controls"]) == (["domain", "judge"], ["position", "length"])
    assert method["cluster"] == ["scenario"]
    assert {"arena", "numpy", "scipy", "duckdb"} <= method["versions"].keys()
    assert board["diagnostics"]["rows"]["excluded"] == {"self_pair": 1, "unknown_outcome": 1}
    assert to_json(from_json(board)) == board
    ranks = [a["rank_low"] for a in board["agents"]]
    assert ranks == sorted(ranks)
    assert {a["state"] for a in board["agents"]} == {"ranked"}
    # The interval holds the rating, and shares are counted from comparisons.
    for agent in board["agents"]:
        assert agent["low"] < agent["rating"] < agent["high"]
        count = agent["wins"] + agent["ties"] + agent["losses"]
        assert count == agent["comparisons"] == 2 * 14 * 2


def test_format_json_and_json_are_the_same(tmp_path):
    path = write(tmp_path, IN_SCENARIOS, even(PQR, 12))
    one, other = (arena_rank(path, *QUICK, *w) for w in (("--json",), ("--format", "json")))
    assert one.stdout == other.stdout


def test_every_format_holds_the_same_figures_and_stdout_only_the_result(tmp_path):
    path = write(tmp_path, IN_SCENARIOS, even(PQR, 20))
    board = arena.rank(path, resamples=100)
    said = {how: arena_rank(path, *QUICK, "--format", how) for how in ("table", "csv", "md")}
    for how, done in said.items():
        assert done.exit_code == 0
        assert "rows read" not in done.stdout, how
        assert "Next:" not in done.stdout, how
        assert done.stderr.startswith(f"{path}: 60 rows read"), how
        for s in board.agents:
            figure = f"{s.rating:.6g}" if how == "csv" else f"{s.rating:.0f}"
            assert figure in done.stdout, how
    lines = said["csv"].stdout.splitlines()
    assert lines[0].startswith("agent,state,")
    assert len(lines) == 1 + 3
    table = [line for line in said["md"].stdout.splitlines() if line.startswith("|")]
    assert len(table) == 2 + 3
    assert len({line.count("|") for line in table}) == 1


def test_the_first_line_follows_the_language(tmp_path):
    path = write(tmp_path, IN_SCENARIOS, [*even(PQR, 12), ("s1", "P", "Q", "")])
    done = arena_rank(path, *QUICK, "--lang", "zh")
    line = done.stderr.splitlines()[0]
    assert "37" in line
    assert "没有结果" in line
    assert "智能体" in done.stdout
    assert all(any(ord(c) > 0x4E00 for c in said) for said in done.stderr.splitlines())


def test_without_scenarios_rows_are_drawn_and_both_say_so(tmp_path):
    path = write(tmp_path, IN_SCENARIOS[1:], [row[1:] for row in even(PQR, 20)])
    done = arena_rank(path, "--json", *QUICK)
    board = json.loads(done.stdout)
    assert board["method"]["cluster"] == []
    assert board["scenarios"] is None
    assert "rows_drawn" in {note["key"] for note in board["notes"]}
    assert "independent" in arena_rank(path, *QUICK).stderr


# --- The same bytes ------------------------------------------------------------------------------

WAYS = {
    "plain": {},
    "percentile": {"interval": "percentile"},
    "prior": {"prior_sd": 2.0},
    "ties": {"ties": "davidson", "resamples": 60},
    "controls": {"control": ["position", "length"], "resamples": 60},
    "slices": {"by": ["domain", "judge"], "resamples": 60},
    "crossed": {"cluster": ["scenario", "judge"]},
}


@pytest.mark.parametrize("options", WAYS.values(), ids=WAYS)
@pytest.mark.reported("R27")
def test_neither_the_order_of_rows_nor_threads_change_a_byte(tmp_path, options):
    columns, rows = everything()
    used = rows[:-2]
    shuffled = [used[n] for n in np.random.default_rng(8).permutation(len(used))]
    one = board_of(tmp_path, columns, used, threads=1, **options)
    other = board_of(tmp_path, columns, shuffled, threads=3, **options)
    assert json.dumps(to_json(one)) == json.dumps(to_json(other))


def test_rows_left_out_differ_by_the_place_of_the_first_only(tmp_path):
    columns, rows = everything()
    one, other = (to_json(board_of(tmp_path, columns, r, resamples=60)) for r in (rows, rows[::-1]))
    assert one["diagnostics"]["rows"].pop("first") != other["diagnostics"]["rows"].pop("first")
    assert json.dumps(one) == json.dumps(other)


@pytest.mark.reported("R28")
def test_two_processes_print_the_same_bytes_and_the_function_agrees(tmp_path):
    rows = even(PQR, 12)
    path = write(tmp_path, IN_SCENARIOS, rows)
    first = process(path, "--json", cwd=tmp_path)
    assert first.returncode == 0, first.stderr.decode()
    text = csv_text(IN_SCENARIOS, rows[::-1]).encode()
    second = process("-", "--json", cwd=tmp_path, input=text)
    assert first.stdout == second.stdout
    assert json.loads(first.stdout) == to_json(arena.rank(path))
    # No workspace is needed and none is made.
    assert [p.name for p in tmp_path.iterdir()] == [path.name]


def test_a_process_that_fails_ends_with_2(tmp_path):
    done = process(tmp_path / "nothing.csv", "--lang", "zh", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr.decode().startswith("错误：")


def test_ranking_a_file_loads_neither_choix_nor_litellm(tmp_path):
    path = write(tmp_path, IN_SCENARIOS, even(PQR, 12))
    code = (
        "import sys, arena; arena.rank(sys.argv[1]); "
        "print([m for m in ('choix', 'litellm', 'matplotlib') if m in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(path)], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"


def test_our_own_file_of_everything_ranks_by_strength(tmp_path):
    board = board_of(tmp_path, *everything(), resamples=60)
    assert sorted(ratings(board), key=ratings(board).get) == names_of(range(3))
    assert standing(board, "m0").excluded == {"self_pair": 1, "unknown_outcome": 1}
    assert Path(board.software.split()[0]).name == "arena"
