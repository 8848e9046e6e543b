"""CSV, JSON and Parquet into a table of outcomes; rows malformed on their own are counted."""

from collections import Counter
from collections.abc import Sequence

import duckdb

from arena.errors import UsageError
from arena.store.outcomes.file import Prepared
from arena.store.outcomes.table import ROW, OutcomeSource, quoted

LONGEST_LINE = 1 << 26
LONGEST_BESIDE = 1 << 22
"""The same where memory is short: DuckDB reads sixteen such lines at once."""


def check_names(path: str, names: Sequence[str]) -> None:
    """Raise UsageError where two names differ by nothing or by capital letters only.

    DuckDB does not tell such names apart, and which of two was meant is unknown.
    """
    spellings: dict[str, str] = {}
    for name, count in Counter(n.casefold() for n in (*names, ROW)).items():
        if count > 1:
            spellings[name] = next(n for n in names if n.casefold() == name)
    if spellings:
        raise UsageError(
            "{path}: two columns are called {names}",
            why="Capital letters make no difference.",
            fix="Rename one of them in the file.",
            path=path,
            names=", ".join(spellings.values()),
        )


CSV = """
create or replace temp table source as
select (row_number() over ())::uinteger as {row}, {columns}
from read_csv(
    $path, auto_detect = false, header = true, columns = {types}, delim = '{delimiter}',
    quote = '"', escape = '"', compression = '{compression}', strict_mode = {strict},
    maximum_line_size = {longest}, store_rejects = true, rejects_table = 'rejected{strict}',
    rejects_scan = 'rejected_from{strict}', rejects_limit = 0
)
"""


def load_csv(source: OutcomeSource, prepared: Prepared) -> None:
    """Create the table from CSV, every column as text."""
    fields = range(len(prepared.header))
    facts = {
        "row": quoted(ROW),
        "columns": ", ".join(f"c{k} as {quoted(prepared.header[k])}" for k in fields),
        "types": "{" + ", ".join(f"'c{k}': 'VARCHAR'" for k in fields) + "}",
        "delimiter": prepared.delimiter,
        "compression": "gzip" if prepared.gzipped else "none",
        "longest": LONGEST_BESIDE if source.borrowed else LONGEST_LINE,
    }
    path = {"path": str(prepared.path)}
    strict = "true"
    try:
        source.connection.execute(CSV.format(strict=strict, **facts), path)
    except duckdb.InvalidInputException:
        # Line ends of two kinds in one file are a fault only to the strict reader.
        strict = "false"
        source.connection.execute(CSV.format(strict=strict, **facts), path)
    _count_rejected(source, f"rejected{strict}")


def _count_rejected(source: OutcomeSource, rejected: str) -> None:
    """Count the rows left out, and number the others as in the file."""
    swallowed = source.connection.execute(
        f"select min(line) from {rejected} where error_type = 'UNQUOTED VALUE' "
        "and contains(trim(csv_line, E'\\r\\n'), E'\\n')"
    ).fetchone()
    if swallowed and swallowed[0] is not None:
        raise UsageError(
            '{path}: row {row}: a quotation mark (") opens and never closes',
            why="All that follows would be taken for one value.",
            path=source.name,
            row=swallowed[0] - 1,
        )
    lines = f"select distinct line - 1 as place from {rejected}"
    count, first = source.connection.execute(
        f"select count(*), min(place) from ({lines})"
    ).fetchall()[0]
    if not count:
        return
    source.malformed, source.first_malformed = int(count), int(first)
    # The n-th row that was read stands after every rejected one whose place, less the rejected
    # ones up to it, is below n.
    source.connection.execute(f"""
        update source set {quoted(ROW)} = {quoted(ROW)} + shift.passed
        from (
            select min(read.row) as begins, max(read.row) as ends, passed
            from (select {quoted(ROW)} as row from source) as read
            asof join (
                select place - place_of as after, max(place_of) as passed
                from (select place, row_number() over (order by place) as place_of from ({lines}))
                group by after
            ) as gap on read.row > gap.after
            group by passed
        ) as shift
        where {quoted(ROW)} between shift.begins and shift.ends
    """)


OBJECTS = """
select (row_number() over ())::uinteger as {row}, json
from read_json_objects($path, format = '{format}', compression = '{compression}'{lenient})
"""


def load_json(source: OutcomeSource, prepared: Prepared) -> None:
    """Create the table from JSON objects: the keys of any are columns, their values text.

    What is nested stays JSON text. Raises UsageError where no object is found.
    """
    lines = prepared.kind == "jsonl"
    facts = {
        "row": quoted(ROW),
        "format": "newline_delimited" if lines else "array",
        "compression": "gzip" if prepared.gzipped else "none",
        "lenient": ", ignore_errors = true" if lines else "",
    }
    connection, path = source.connection, {"path": str(prepared.path)}
    connection.execute(f"create temp table object as {OBJECTS.format(**facts)}", path)
    whole = "coalesce(json_type(json) = 'OBJECT', false)"
    found = connection.execute(
        f"select key from (select {quoted(ROW)} as row, unnest(json_keys(json)) as key "
        f"from object where {whole}) group by key order by min(row), min(key)"
    ).fetchall()
    keys = [str(key) for (key,) in found]
    check_names(source.name, keys)
    if not keys:
        raise UsageError("{path}: there is no JSON object in it", path=source.name)
    count, first = connection.execute(
        f"select count(*), min({quoted(ROW)}) from object where not {whole}"
    ).fetchall()[0]
    source.malformed, source.first_malformed = int(count), first
    pointers = ["/" + key.replace("~", "~0").replace("/", "~1") for key in keys]
    columns = ", ".join(f"found[{k}] as {quoted(key)}" for k, key in enumerate(keys, start=1))
    connection.execute(
        f"create or replace temp table source as select {quoted(ROW)}, {columns} "
        f"from (select {quoted(ROW)}, json_extract_string(json, $pointers::varchar[]) as found "
        f"from object where {whole})",
        {"pointers": pointers},
    )
    connection.execute("drop table object")


def load_parquet(source: OutcomeSource, prepared: Prepared) -> None:
    """Create the table from Parquet, every column of its own type."""
    source.connection.execute(
        "create or replace temp table source as "
        f"select (row_number() over ())::uinteger as {quoted(ROW)}, * "
        "from read_parquet($path, hive_partitioning = false)",
        {"path": str(prepared.path)},
    )
