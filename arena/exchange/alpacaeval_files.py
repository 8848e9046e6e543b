"""Where AlpacaEval's files lie, and whose they are.

`results/<model>/model_outputs.json`: what a model answered; `results/<model>/<judge>/
annotations.json`: what a judge prefers, its answer or the baseline's. `leaderboard.csv` or
`<judge>_leaderboard.csv`: the published figures. `preferences_<judge>.csv` beside `generators.csv`:
the preferences alone, without texts.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from arena.domain.digest import digest
from arena.exchange.fields import file_name, number_of

FORMAT = "alpacaeval"
OUTPUTS = "model_outputs.json"
BASELINE = "reference_outputs.json"
ANNOTATIONS = "annotations.json"
RESULTS = "results"
NOBODY = "unknown"
FAILED = -1
"""The preference of a judge that gave none."""


def find_results(path: Path) -> tuple[Path, ...]:
    """The files with texts that a path names: itself, or all below a folder."""
    if path.is_file():
        return (path,)
    names = (OUTPUTS, BASELINE, ANNOTATIONS)
    return tuple(sorted(found for name in names for found in path.rglob(name) if found.is_file()))


def name_in(path: Path, folder: Path) -> str:
    """A file's name for people: its path in the folder that was named."""
    return path.name if path == folder else path.relative_to(folder).as_posix()


def scenario_of_instruction(instruction: str) -> str:
    """An instruction has no id of its own: it is known by what it says."""
    return f"i{digest(instruction)[:12]}"


def published_name(path: Path) -> str:
    """The model that a file of a published run is of, after its folder; empty elsewhere."""
    parts = path.resolve().parts
    at = -4 if path.name == ANNOTATIONS else -3
    return parts[at + 1] if len(parts) >= -at and parts[at] == RESULTS else ""


def agent_of(generator: str, path: Path) -> str:
    """Who answered: the folder of a published run knows better than the file."""
    folder = published_name(path)
    return generator if not folder or folder == file_name(generator) else folder


def judge_of(row: Mapping[str, Any], path: Path, told: str) -> str:
    """Who judged: the file, then what was told beside it, then the folder."""
    said = row.get("annotator")
    folder = path.resolve().parent.name if published_name(path) else ""
    return said if isinstance(said, str) and said else told or folder or NOBODY


def preference_of(value: Any) -> float | None:
    """How far the second answer is preferred, 1 to 2, 1.5 a draw; None: no answer.

    An old draw is 0. Raises ValueError for what is no preference, a number as text included.
    """
    if value is None:
        return None
    number = number_of(value)
    if number is None or not (number in (0, FAILED) or 1 <= number <= 2):
        raise ValueError(value)
    return None if number == FAILED else number or 1.5
