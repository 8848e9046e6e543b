"""A board as CSV and as Markdown."""

import csv
import io

from arena.cli.board_view import Names, columns, percent, remarks, sentences
from arena.cli.output import plain
from arena.cli.words import Lang, say
from arena.domain.board import Board
from arena.site.downloads import safe_cell

COLUMNS = (
    *("agent", "state", "rank_low", "rank_high", "rating", "low", "high", "se", "se_clustered"),
    *("resample_rank_low", "resample_rank_high", "p_best", "share", "wins", "ties", "losses"),
    *("comparisons", "scenarios", "worst", "best", "figure"),
    *("controlled", "controlled_low", "controlled_high"),
    *("calibrated", "calibrated_low", "calibrated_high"),
)


def to_csv(board: Board) -> str:
    """One row an agent; an empty cell is unknown. No cell is a formula to a spreadsheet."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    for s in board.agents:
        cells = {name: getattr(s, name, None) for name in COLUMNS} | {"state": s.state.value}
        for name in ("controlled", "calibrated"):
            points = getattr(s, name)
            cells[name] = points and points.rating
            cells[f"{name}_low"] = points and points.low
            cells[f"{name}_high"] = points and points.high
        writer.writerow([safe_cell(cells[name]) for name in COLUMNS])
    return text.getvalue()


def to_markdown(board: Board, names: Names, lang: Lang) -> str:
    """The table and what may be said of it, for a report."""
    shown = columns(board, names, lang)
    level, like = percent(board.method.level), board.method.like or ""
    heads = [say(lang, f"column_{c.key}", level=level, like=like) for c in shown]
    rows = [
        f"| {' | '.join(heads)} |",
        f"| {' | '.join('---:' if c.number else '---' for c in shown)} |",
        *(f"| {' | '.join(_cell(c.cell(s)) for c in shown)} |" for s in board.agents),
    ]
    said = [*remarks(board, names, lang), *sentences(board, names, lang)]
    return "\n".join([*rows, "", *(f"- {_cell(line)}" for line in said), ""])


def _cell(text: str) -> str:
    # Names come from files: nothing in them may end the cell or begin markup.
    shown = plain(text).replace("\n", " ").replace("\\", "\\\\")
    for sign in "|`*_<>[]":
        shown = shown.replace(sign, f"\\{sign}")
    return shown
