"""The schema is frozen, its tables say their grain, and its statements can be prepared."""

import re
from importlib.resources import files
from pathlib import Path

import duckdb
import pytest

import arena
from arena.errors import StoreBroken
from arena.store.connection import connect
from arena.store.migrate import migrate
from arena.store.statements import sql, statements
from arena.store.store import Store

PACKAGE = Path(arena.__file__).parent
FOLDER = files("arena.store").joinpath("sql/schema")

# Every column after all migrations; "?" may be null. A change here is a new migration.
COLUMNS = {
    "schema_version": "version integer, file varchar?",
    "origin": "origin varchar, makers varchar, format varchar, source varchar, suite varchar,"
    " orders varchar, counts varchar, left_out varchar, run varchar, imported_at varchar",
    "imported": "kind varchar, key varchar, origin varchar, mode varchar, place varchar,"
    " raw varchar?, run varchar",
    "run": "run varchar, command varchar, version varchar, seed bigint, note varchar,"
    " started_at varchar",
    "entrant": "kind varchar, entrant varchar, entrant_digest varchar, vendor varchar,"
    " family varchar, version varchar, model varchar?, api_base varchar?, region varchar,"
    " description varchar, first_run varchar",
    "call": "key varchar, serves varchar, serves_kind varchar, speaker varchar, entrant varchar,"
    " entrant_digest varchar, round integer, attempt integer, status varchar, text varchar?,"
    " thinking varchar?, finish_reason varchar?, model_asked varchar, model_returned varchar?,"
    " host varchar?, params_sent varchar, params_dropped varchar, prompt_digest varchar,"
    " tokens_in bigint?, tokens_out bigint?, cost decimal(18,9)?, currency varchar?,"
    " latency_ms bigint?, error varchar?, complaint varchar?, run varchar, ended_at varchar,"
    " held decimal(18,9)?",
    "transcript": "key varchar, suite varchar, shown varchar, mode varchar, agent varchar,"
    " agent_digest varchar, scenario varchar, user_kind varchar, replicate integer,"
    " origin varchar, rounds integer, messages varchar, calls varchar, reply_chars bigint,"
    " run varchar, ended_at varchar",
    "sheet": "key varchar, attempt integer, transcript varchar, judge varchar,"
    " judge_digest varchar, template varchar, rubric varchar, notes varchar, cut varchar,"
    " scope varchar, round integer, judge_replicate integer, status varchar, summary varchar,"
    " remarks varchar, flags varchar, call varchar, run varchar, ended_at varchar",
    "score": "sheet varchar, attempt integer, criterion varchar, value double, comment varchar",
    "verdict": "key varchar, attempt integer, transcript_a varchar, transcript_b varchar,"
    " agent_a varchar, agent_b varchar, scenario varchar, replicate integer, judge varchar,"
    " judge_digest varchar, template varchar, rubric varchar, notes varchar, cut varchar,"
    " order varchar?, judge_replicate integer, status varchar, outcome varchar?, margin integer?,"
    " reason varchar, flags varchar, code_a varchar, code_b varchar, call varchar, run varchar,"
    " ended_at varchar",
    "verdict_criterion": "verdict varchar, attempt integer, criterion varchar, side varchar,"
    " strength integer?",
    "commentary": "key varchar, attempt integer, transcript varchar, judge varchar,"
    " judge_digest varchar, template varchar, rubric varchar, notes varchar, cut varchar,"
    " scores varchar, status varchar, text varchar, flags varchar, call varchar, run varchar,"
    " ended_at varchar",
    "board": "key varchar, suite varchar, suite_version varchar, suite_digest varchar,"
    " mode varchar, panel varchar, data_cut varchar, data_digest varchar, document varchar,"
    " run varchar, ended_at varchar",
    "report": "key varchar, kind varchar, suite varchar, suite_version varchar, mode varchar,"
    " data_cut varchar, board_digest varchar?, document varchar, run varchar, ended_at varchar",
    "ping": "key varchar, speaker varchar, entrant varchar, entrant_digest varchar,"
    " attempt integer, status varchar, model_asked varchar, model_returned varchar?,"
    " host varchar?, tokens_in bigint?, tokens_out bigint?, cost decimal(18,9)?,"
    " currency varchar?, latency_ms bigint?, error varchar?, run varchar, ended_at varchar",
    "plan": "key varchar, place bigint, suite varchar, mode varchar, design varchar,"
    " options varchar, seed bigint, agents varchar, places varchar, comparisons varchar?,"
    " parts varchar, scores varchar?, unscored varchar, evened integer, history varchar,"
    " follows varchar?, run varchar",
    "look": "plan varchar, number integer, looks integer, level double, pairs integer,"
    " undecided integer, widest double?, stopped boolean, run varchar",
    "imported_vote": "origin varchar, row integer, agent_a varchar, agent_b varchar,"
    " outcome varchar?, said varchar?, order varchar?, scenario varchar?, judge varchar?,"
    " replicate varchar?, margin double?, weight double?, domain varchar?, tag varchar?,"
    " criterion varchar?, id varchar?, time varchar?, judge_vendor varchar?, vendor_a varchar?,"
    " vendor_b varchar?, metadata varchar?, rest varchar?",
    "vote_file": "origin varchar, layout varchar, columns varchar, rest varchar, agents varchar,"
    " judges bigint, rows_read bigint, run varchar",
    "flag_decision": "flag varchar, person varchar, decided varchar, note varchar, run varchar,"
    " decided_at varchar",
    "flag_withdrawn": "flag varchar, person varchar, decided_at varchar, run varchar,"
    " withdrawn_at varchar",
    "vote_plan": "key varchar, place bigint, suite varchar, mode varchar, seed bigint,"
    " share double, frame integer, frame_digest varchar, made_from varchar, run varchar,"
    " made_at varchar",
    "vote_frame": "plan varchar, transcript_a varchar, transcript_b varchar",
    "vote_draw": "plan varchar, place integer, transcript_a varchar, transcript_b varchar,"
    " agent_a varchar, agent_b varchar, scenario varchar, replicate integer, order varchar,"
    " why varchar, probability double?",
    "vote": "verdict varchar, attempt integer, plan varchar, place integer, person varchar,"
    " via varchar, run varchar, cast_at varchar",
    "vote_withdrawn": "verdict varchar, attempt integer, run varchar, withdrawn_at varchar",
}
KEYS = {
    "schema_version": ["version"],
    "run": ["run"],
    "entrant": ["kind", "entrant", "entrant_digest"],
    "call": ["key"],
    "transcript": ["key"],
    "sheet": ["key", "attempt"],
    "score": ["sheet", "attempt", "criterion"],
    "verdict": ["key", "attempt"],
    "verdict_criterion": ["verdict", "attempt", "criterion"],
    "commentary": ["key", "attempt"],
    "board": ["key"],
    "origin": ["origin", "makers"],
    "imported": ["kind", "key"],
    "report": ["key"],
    "ping": ["key"],
    "plan": ["key"],
    "look": ["plan", "number"],
    "flag_decision": ["flag", "person", "decided_at"],
    "flag_withdrawn": ["flag", "person", "decided_at"],
    "imported_vote": ["origin", "row"],
    "vote_file": ["origin"],
    "vote_plan": ["key"],
    "vote_frame": ["plan", "transcript_a", "transcript_b"],
    "vote_draw": ["plan", "place"],
    "vote": ["verdict", "attempt"],
    "vote_withdrawn": ["verdict", "attempt"],
}
VIEWS = ["current_commentary", "current_sheet", "current_verdict", "latest_call"]
NAMES = list(statements())


@pytest.fixture(scope="module")
def connection():
    opened = connect(None)
    yield opened
    opened.close()


def columns(connection):
    rows = connection.execute(
        "select table_name, column_name, data_type, is_nullable from duckdb_columns()"
        " where not internal and table_name in (select table_name from duckdb_tables())"
        " order by table_name, column_index"
    ).fetchall()
    found = {}
    for table, name, kind, nullable in rows:
        found.setdefault(table, []).append(f"{name} {kind.lower()}{'?' if nullable else ''}")
    return {table: ", ".join(parts) for table, parts in found.items()}


@pytest.fixture(scope="module")
def code():
    """All Python of the package in one text."""
    return "".join(p.read_text(encoding="utf-8") for p in sorted(PACKAGE.rglob("*.py")))


def test_the_columns_after_all_migrations_are_these(connection):
    assert columns(connection) == COLUMNS


def test_the_natural_keys_are_these(connection):
    found = connection.execute(
        "select table_name, constraint_column_names from duckdb_constraints()"
        " where constraint_type = 'PRIMARY KEY'"
    ).fetchall()
    assert dict(found) == KEYS


def test_the_views_are_these(connection):
    found = connection.execute(
        "select view_name from duckdb_views() where not internal order by all"
    ).fetchall()
    assert [row[0] for row in found] == VIEWS


def test_every_table_states_its_grain():
    text = "".join(
        p.read_text(encoding="utf-8") for p in sorted(FOLDER.iterdir(), key=lambda p: p.name)
    )
    tables = re.findall(r"create table (\w+) \(\n(.*)\n", text)
    assert {name for name, _ in tables} == set(COLUMNS) - {"schema_version"}
    for name, first in tables:
        assert re.match(r"\s+-- (A|One) row per ", first), name


def test_schema_files_have_numbers_of_their_own():
    numbers = [int(p.name.split("_")[0]) for p in FOLDER.iterdir() if p.name.endswith(".sql")]
    assert len(set(numbers)) == len(numbers)
    assert min(numbers) == 1


def test_migrating_twice_changes_nothing(connection):
    before = connection.execute("select * from schema_version").fetchall()
    migrate(connection)
    assert connection.execute("select * from schema_version").fetchall() == before
    assert columns(connection) == COLUMNS


def test_an_older_database_is_brought_up_to_date(tmp_path):
    path = tmp_path / "old.duckdb"
    old = duckdb.connect(str(path))
    old.execute("create table schema_version (version integer primary key, file text)")
    old.close()
    opened = connect(path)
    assert columns(opened) == COLUMNS
    opened.close()


def test_a_database_of_the_first_schema_keeps_every_row(tmp_path):
    path = tmp_path / "old.duckdb"
    old = duckdb.connect(str(path))
    old.execute("create table schema_version (version integer primary key, file text)")
    old.execute(FOLDER.joinpath("001_first.sql").read_text(encoding="utf-8"))
    old.execute("insert into schema_version values (1, '001_first.sql')")
    row = "'k', 's', 'sheet', 'judge', 'j', 'd', 0, 1, 'ok', 'text', null, null, 'm', null, null,"
    row += " '{}', '[]', 'p', 1, 2, 0.5, 'USD', 3, null, null, 'r', 'at'"
    old.execute(f"insert into call values ({row})")
    entrant = (
        "insert into entrant values ('{}', 'x', 'd', 'v', 'f', '', 'm', null, '', '{{}}', 'r')"
    )
    old.execute(entrant.format("agent"))
    before = [old.execute(f"from {table}").fetchall() for table in ("call", "entrant")]
    before[0] = [(*kept, None) for kept in before[0]]
    row += ", null"
    old.close()
    opened = connect(path)
    assert columns(opened) == COLUMNS
    assert [opened.execute(f"from {table}").fetchall() for table in ("call", "entrant")] == before
    opened.execute(
        f"insert into call values ({row.replace('sheet', 'commentary', 1)})".replace("'k'", "'k2'")
    )
    opened.execute(entrant.format("user"))
    for wrong in (f"insert into call values ({row})", entrant.format("agent")):
        with pytest.raises(duckdb.ConstraintException, match=r"[Dd]uplicate"):
            opened.execute(wrong)
    with pytest.raises(duckdb.ConstraintException, match="CHECK"):
        opened.execute(entrant.format("stranger"))
    opened.close()


async def test_views_are_made_anew_over_rows_that_are_there(make, database):
    with Store(database) as store:
        await make.keep(store, make.verdict())
        store._connection.execute("drop view current_verdict")
    with Store(database) as store:
        assert store.verdicts.all([make.presentation()]) == [make.verdict()]


def test_a_newer_database_is_refused_with_what_to_do(tmp_path):
    path = tmp_path / "new.duckdb"
    opened = connect(path)
    opened.execute("insert into schema_version values (999, '999_later.sql')")
    opened.close()
    with pytest.raises(StoreBroken, match="schema 999") as caught:
        connect(path)
    assert "Install the version of arena that wrote it" in str(caught.value)


def test_a_refused_database_is_let_go_of(tmp_path):
    path = tmp_path / "new.duckdb"
    opened = connect(path)
    opened.execute("insert into schema_version values (999, '999_later.sql')")
    opened.close()
    with pytest.raises(StoreBroken) as caught:
        connect(path)
    # Opened with other settings, which DuckDB allows only when nobody here has it open.
    raw = duckdb.connect(str(path))
    assert columns(raw) == COLUMNS
    raw.close()
    assert caught.value.exit_code == 1


def test_a_database_of_somebody_else_is_refused_and_left_alone(tmp_path):
    path = tmp_path / "theirs.duckdb"
    theirs = duckdb.connect(str(path))
    theirs.execute("create table call (x integer)")
    theirs.close()
    with pytest.raises(StoreBroken):
        connect(path)
    theirs = duckdb.connect(str(path))
    found = theirs.execute("select table_name from duckdb_tables() order by all").fetchall()
    theirs.close()
    assert found == [("call",)]


@pytest.mark.parametrize("name", NAMES)
def test_every_statement_can_be_prepared(connection, name):
    text = sql(name)
    connection.execute("drop table if exists wanted")
    if name != "wanted_keys":
        connection.execute(sql("wanted_keys"))
    places = {place: None for place in re.findall(r"\$(\w+)", text)}
    explained = connection.execute(f"explain {text}", places or None).fetchall()
    assert explained


@pytest.mark.parametrize("name", NAMES)
def test_every_statement_is_used(code, name):
    assert re.search(rf'["\']{name}["\']', code)


@pytest.mark.parametrize("name", NAMES)
def test_every_statement_says_its_purpose_in_a_sentence(name):
    purpose = statements()[name].purpose
    assert purpose[0].isupper()
    assert purpose.endswith(".")


@pytest.mark.parametrize("name", NAMES)
def test_rows_leave_sql_in_a_stated_order(name):
    text = sql(name)
    single = "(select count(*)" in text
    assert not text.startswith(("select", "with")) or single or "order by" in text


def test_statements_are_found_with_their_names():
    assert len(NAMES) == len(set(NAMES)) > 10
    with pytest.raises(KeyError):
        sql("nobody")


@pytest.mark.parametrize("table", [t for t in COLUMNS if t != "schema_version"])
def test_no_statement_updates_or_deletes_what_was_measured(table):
    for name in NAMES:
        assert not re.search(rf"\b(update|delete from|drop table)\s+{table}\b", sql(name)), name
