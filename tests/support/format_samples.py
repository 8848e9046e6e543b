"""Small sound files of every format, and the tables that people fill in; every text is our own."""

import csv
import io
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from openpyxl import load_workbook

from tests.support import foreign_texts as theirs
from tests.support.original_results import compared, elo, played, run, task
from tests.support.originals import CASES as ELDERCARE
from tests.support.originals import write_eldercare, write_eqbench3


def file_of(name: str, text: str) -> Callable[..., tuple[Path, None]]:
    def make(folder: Path, *_: object) -> tuple[Path, None]:
        folder.mkdir(parents=True)
        (folder / name).write_text(text, "utf-8")
        return folder / name, None

    return make


def folder_of(write: Callable[[Path], Path]) -> Callable[..., tuple[Path, None]]:
    return lambda folder, *_: (write(folder), None)


def to_csv(rows: list[list[Any]]) -> str:
    stream = io.StringIO()
    csv.writer(stream, lineterminator="\n").writerows(rows)
    return stream.getvalue()


VOTES = [("x", "y", 0), ("y", "z", 2), ("z", "x", 1)]


def votes_of(a: str, b: str, winner: str, labels: tuple[str, str, str], **more: str) -> list[dict]:  # type: ignore[type-arg]
    return [
        {a: first, b: second, winner: labels[won], "id": f"i{n}", "margin": n + 2, **more}
        for n, (first, second, won) in enumerate(VOTES)
    ]


def to_table(rows: list[dict[str, Any]]) -> str:
    return to_csv([list(rows[0]), *(list(row.values()) for row in rows)])


def to_lines(rows: list[dict[str, Any]]) -> str:
    return "".join(json.dumps(row) + "\n" for row in rows)


def eldercare(folder: Path) -> Path:
    lines = [played(case) for case in ELDERCARE[:2]]
    kpi = {"judge": "someone", "mode": "multi-turn probe + rubric"}
    return write_eldercare(folder, runs={"baselines/model-x/one": (lines, kpi)})


def eqbench3(folder: Path) -> Path:
    write_eqbench3(folder)
    tasks = {"1": task(["a", "b"], ["Reply."] * 2)}
    theirs.save(folder / "runs.json", {name: run(name, tasks) for name in ("x", "y")})
    good = {"empathy": "A0493++", "overall_eq": "A0493+"}
    pairs = [compared("x", "y", **good), compared("x", "y", scenario="131", **good)]
    theirs.save(folder / "elo.json", elo(*pairs))
    return folder


def preferences(folder: Path) -> Path:
    rows = [["index", "generator", "preference"], [0, "ann", 1.75], [1, "ann", 1], [2, "ann", 1.5]]
    folder.mkdir(parents=True)
    return written(folder / "preferences_weigher.csv", to_csv(rows))


def written(path: Path, text: str) -> Path:
    path.write_text(text, "utf-8")
    return path


def letters(folder: Path) -> Path:
    folder.mkdir(parents=True)
    text = '{\n "logic": {"1": "A", "2": "B"},\n "accountant": {"1": "C"}\n}\n'
    return written(folder / "x.json", text)


def tables(folder: Path, arena: Any, walk: Path) -> tuple[Path, Path]:
    """The tables of the demo, for a workspace that has none of them."""
    workspace = folder.parent / "new"
    assert arena("init", workspace, "--lang", "en").exit_code == 0
    done = arena("export", "arena", folder, "--files", "jsonl", "-C", walk)
    assert done.exit_code == 0, done.stderr
    return folder, workspace


HAND = '  - {agent: homebot, vendor: homebot, version: "3.2", family: unknown, by_hand: true}\n'


def script(folder: Path, arena: Any, walk: Path) -> tuple[Path, Path]:
    """The table of a script as .csv, filled in."""
    workspace = folder / "w"
    assert arena("init", workspace, "--lang", "en").exit_code == 0
    config = workspace / "data" / "arena.yaml"
    text = config.read_text("utf-8").replace("agents:\n", f"agents:\n{HAND}", 1)
    config.write_text(text, "utf-8")
    sheet = folder / "script.xlsx"
    done = arena("export", "script", sheet, "-C", workspace, "--limit", "3")
    assert done.exit_code == 0, done.stderr
    book = load_workbook(sheet)
    for table in book.worksheets:
        rows = [list(row) for row in table.iter_rows(values_only=True)]
        heads = [str(cell or "").rpartition(" / ")[2] for cell in rows[0]]
        if "answer" in heads:
            break
    for row in rows[1:]:
        if row[heads.index("round")]:
            row[heads.index("answer")] = "An answer."
    rows = [["" if cell is None else cell for cell in row] for row in rows]
    return written(folder / "script.csv", to_csv(rows)), workspace


def exported(
    format: str, filled: Mapping[str, list[str]]
) -> Callable[..., tuple[Path, Path | None]]:
    """A table that people fill in, from the demo; `filled`: what each column then holds."""

    def make(folder: Path, arena: Any, walk: Path) -> tuple[Path, Path]:
        folder.mkdir(parents=True)
        path = folder / f"{format}.csv"
        more = ("--wider",) if format == "flags" else ()
        done = arena("export", format, path, "-C", walk, *more)
        assert done.exit_code == 0, done.stderr
        rows = list(csv.reader(io.StringIO(path.read_text("utf-8-sig"), newline="")))[:4]
        heads = [head.rpartition(" / ")[2] for head in rows[0]]
        for name, values in filled.items():
            for row, value in zip(rows[1:], values, strict=True):
                row[heads.index(name)] = value
        # Short, so that a place in a row is a place in a line.
        rows = [[cell.split("\n")[0][:60] for cell in row] for row in rows]
        return written(path, to_csv(rows)), walk

    return make
