"""What `arena rank FILE` refuses: options, files, conditions that reach out."""

import gzip
import json

import pytest

import arena
from tests.support.outcome_files import (
    IN_SCENARIOS,
    arena_rank,
    board_of,
    even,
    ratings,
    write,
)

PQR = ["P", "Q", "R"]
QUICK = ("--resamples", "100")


# --- Errors --------------------------------------------------------------------------------------

WRONG = {
    "a level in per cent": ("--level", "95"),
    "a level of nothing": ("--level", "0"),
    "no resamples": ("--resamples", "0"),
    "a prior without width": ("--prior-sd", "0"),
    "a prior that is no number": ("--prior-sd", "nan"),
    "an anchor without points": ("--anchor", "P"),
    "an anchor nobody knows": ("--anchor", "nobody=1000"),
    "an anchor at infinity": ("--anchor", "P=inf"),
    "a control without columns": ("--control", "length"),
    "a control of no order": ("--control", "position"),
    "a control nobody knows": ("--control", "mood"),
    "a slice without a column": ("--by", "domain"),
    "a cluster without a column": ("--cluster", "worker"),
    "three clusters": ("--cluster", "scenario,agent_a,agent_b"),
    "a key without a column": ("--key", "id"),
    "a column that is not there": ("--columns", "a=nobody"),
    "a role that is not there": ("--columns", "mood=agent_a"),
    "columns that are no pairs": ("--columns", "agent_a"),
    "a condition on no column": ("--where", "mood = 'good'"),
    "a condition that is none": ("--where", "scenario"),
    "half a condition": ("--where", "scenario ="),
    "a condition for nobody": ("--where", "scenario = 'none'"),
    "judges of a file without": ("--judge", "gpt"),
    "margins of a file without": ("--outcome", "margin"),
    "criteria of a file without": ("--outcome", "criteria"),
    "a factor without Elo": ("--k", "4"),
    "a factor of nothing": ("--method", "elo", "--k", "0"),
    "a negative factor": ("--method", "elo", "--k", "-4"),
    "a factor that is no number": ("--method", "elo", "--k", "nan"),
    "people without a chance": ("--humans", "0"),
    "people more than always": ("--humans", "1.5"),
    "people of a file without": ("--humans", "0.2"),
    "ties with a prior": ("--ties", "davidson", "--prior-sd", "1"),
    "drawing what crosses": ("--cluster", "agent_a,agent_b", "--interval", "bootstrap"),
    "a folder that is not there": ("--draws", "no/such/folder/draws.parquet"),
    "a suite of a file": ("--suite", "small"),
}


@pytest.mark.parametrize("words", WRONG.values(), ids=WRONG)
def test_what_cannot_be_asked_for_ends_with_2_and_nothing_on_stdout(tmp_path, words):
    done = arena_rank(write(tmp_path, IN_SCENARIOS, even(PQR, 12)), *words)
    assert done.exit_code == 2, done.stderr
    assert done.stdout == ""
    assert 1 <= len(done.stderr.strip().splitlines()) <= 3
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("--ties", "win"),
        ("--interval", "normal"),
        ("--format", "xlsx"),
        ("--method", "glicko"),
        ("--like", "trueskill"),
        ("--single-order", "flip"),
        ("--outcome", "mood"),
        ("--min-comparisons", "0"),
        ("--resamples", "many"),
    ],
)
def test_a_value_that_an_option_does_not_have_ends_with_2(tmp_path, option, value):
    done = arena_rank(write(tmp_path, IN_SCENARIOS, even(PQR, 12)), option, value)
    assert (done.exit_code, done.stdout) == (2, "")
    assert option in done.stderr


BAD = {
    "empty.csv": b"",
    "blank.csv": b"\n \n",
    "header.csv": b"agent_a,agent_b,outcome\n",
    "other.csv": b"name,score\nP,1\n",
    "half.csv": b"agent_a,outcome\nP,a\n",
    "weight.csv": b"agent_a,agent_b,outcome,weight\nP,Q,a,1.5\n",
    "nothing.csv": b"agent_a,agent_b,outcome,weight\nP,Q,a,0\n",
    "order.csv": b"agent_a,agent_b,outcome,order\nP,Q,a,first\n",
    "labels.csv": b"agent_a,agent_b,outcome\nP,Q,1-0\n",
    "twice.csv": b"agent_a,agent_b,outcome,Outcome\nP,Q,a,b\n",
    "bytes.csv": b"agent_a,agent_b,outcome\n\xff\xff\xff,Q,a\n",
    "table.xlsx": b"PK\x03\x04rest",
    "cut.csv.gz": gzip.compress(b"agent_a,agent_b,outcome\nP,Q,a\n", mtime=0)[:-9],
    "not.parquet": b"PAR1 but nothing more",
    "not.jsonl": b"{not json\n",
}


@pytest.mark.parametrize("name", list(BAD))
def test_a_file_that_cannot_be_ranked_ends_with_2_and_is_named(tmp_path, name):
    path = tmp_path / name
    path.write_bytes(BAD[name])
    done = arena_rank(path)
    assert done.exit_code == 2, done.stderr
    assert done.stdout == ""
    assert len(done.stderr.strip().splitlines()) <= 3
    said = json.loads(arena_rank(path, "--json").stdout)
    assert said["schema"] == "arena.error/1"
    assert said["error"]["kind"] == "usage"
    chinese = arena_rank(path, "--lang", "zh").stderr
    assert chinese.startswith("错误：")


def test_a_missing_file_is_named_in_both_languages_and_as_json(tmp_path):
    path = tmp_path / "nothing.csv"
    for lang in ("en", "zh"):
        done = arena_rank(path, "--lang", lang)
        assert (done.exit_code, done.stdout) == (2, "")
        assert str(path) in done.stderr
    said = json.loads(arena_rank(path, "--json").stdout)
    assert str(path) in said["error"]["message"]


def test_a_wrong_weight_is_named_with_its_row(tmp_path):
    rows = [*even(PQR, 12), ("s1", "P", "Q", "a")]
    weighed = [(*row, "1.5" if n == 36 else "0.5") for n, row in enumerate(rows)]
    done = arena_rank(write(tmp_path, (*IN_SCENARIOS, "weight"), weighed))
    assert done.exit_code == 2
    assert "37" in done.stderr
    assert "1.5" in done.stderr


# --- A condition touches nothing else ------------------------------------------------------------

REACHING = [
    "exists (select * from read_csv('{secret}'))",
    "exists (select * from read_text('{secret}'))",
    "exists (select * from '{secret}')",
    "(select count(*) from glob('{folder}/*')) > 0",
    "getenv('HOME') <> ''",
    "1=1); copy source to '{target}'; --",
    "1=1) to '{target}' --",
    "exists (copy source to '{target}')",
    "1=1; attach '{target}' as other",
    "exists (from duckdb_secrets())) or (1=1); install httpfs; --",
    "exists (select * from read_parquet('https://example.org/x.parquet'))",
    "(select set_config('enable_external_access', 'true')) is null",
]


@pytest.mark.parametrize("condition", REACHING)
def test_a_condition_reads_and_writes_nothing_but_its_rows(tmp_path, condition):
    secret, target = tmp_path / "secret.csv", tmp_path / "target.db"
    secret.write_text("word\nhush\n")
    path = write(tmp_path, IN_SCENARIOS, even(PQR, 12))
    before = {p.name: p.read_bytes() for p in tmp_path.iterdir()}
    text = condition.format(secret=secret, target=target, folder=tmp_path)
    done = arena_rank(path, "--where", text)
    assert (done.exit_code, done.stdout) == (2, "")
    assert "hush" not in done.stderr
    assert {p.name: p.read_bytes() for p in tmp_path.iterdir()} == before


def test_a_condition_selects_rows(tmp_path):
    rows = even(PQR, 20)
    path = write(tmp_path, IN_SCENARIOS, rows)
    board = arena.rank(path, where="substr(scenario, 2)::int < 12 and agent_b <> 'R'", resamples=50)
    kept = [row for row in rows if int(row[0][1:]) < 12 and row[2] != "R"]
    wanted = board_of(tmp_path, IN_SCENARIOS, kept, resamples=50)
    assert board.pairs == wanted.pairs
    assert ratings(board) == ratings(wanted)
    assert board.diagnostics.rows.excluded == {"filtered": 60 - len(kept)}
    assert board.method.source["where"] == "substr(scenario, 2)::int < 12 and agent_b <> 'R'"


def test_draws_never_replace_the_votes_they_were_made_of(tmp_path):
    path = write(tmp_path, IN_SCENARIOS, even(PQR, 12))
    before = path.read_bytes()
    done = arena_rank(path, *QUICK, "--draws", path)
    assert path.read_bytes() == before
    assert done.exit_code == 2
