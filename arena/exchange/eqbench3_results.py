"""Results of EQ-Bench 3: files of runs and of Elo, .json or .json.gz, taken in together.

From documentation: the fields are those that its code writes; no published file was at hand.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from arena.domain.imported import (
    Import,
    ImportedSheet,
    ImportedTranscript,
    ImportedVerdict,
    LeftOut,
)
from arena.domain.suite import Suite
from arena.errors import ConfigError
from arena.exchange.eqbench3 import FORMAT
from arena.exchange.eqbench3_elo import COMPARED, META, read_comparisons
from arena.exchange.eqbench3_runs import is_run, read_runs
from arena.exchange.result_files import ResultFile, content_of, read_file, read_object

ENDINGS = (".json", ".json.gz")
NOBODY = "unknown"


def find_results(path: Path) -> tuple[Path, ...]:
    """The files that may hold results: the one that is named, or those that lie in a folder."""
    if path.is_file():
        return (path,)
    return tuple(sorted(p for p in path.iterdir() if p.name.endswith(ENDINGS) and p.is_file()))


def read_results(path: Path, suite: Suite, *, judge: str = "") -> Import:
    """The results of a file or a folder; files of a folder that hold none are passed over.

    `judge`: who compared, which the files of Elo do not say. Raises ConfigError for a file that
    cannot be read, and where one that was named holds no results.
    """
    files: list[ResultFile] = []
    transcripts: list[ImportedTranscript] = []
    sheets: list[ImportedSheet] = []
    verdicts: list[ImportedVerdict] = []
    left_out, bad = LeftOut(), LeftOut()
    for place in find_results(path):
        file = read_file(place, place.name)
        document = read_object(file, place)
        if is_elo(document):
            verdicts += read_comparisons(document, file.name, suite, judge or NOBODY, left_out, bad)
        elif any(is_run(value) for value in document.values()):
            for transcript, sheet in read_runs(document, file.name, suite, left_out, bad):
                transcripts.append(transcript)
                sheets += [sheet] if sheet else []
        elif path.is_file():
            raise ConfigError(
                "{path}: neither the runs nor the Elo results of EQ-Bench 3",
                fix="Name eqbench3_runs.json or elo_results_eqbench3.json, packed or not.",
                path=path,
            )
        else:
            continue
        files.append(file)
    return Import(
        format=FORMAT,
        source=path.resolve().name,
        content=content_of(_named(files, judge if verdicts else "")),
        suite=suite.suite,
        transcripts=tuple(transcripts),
        sheets=tuple(sheets),
        verdicts=tuple(verdicts),
        left_out=left_out,
        bad=bad,
    )


def is_elo(document: dict[str, Any]) -> bool:
    """Whether a document holds comparisons."""
    meta = document.get(META)
    return isinstance(meta, dict) and isinstance(meta.get(COMPARED), list)


def _named(files: Sequence[ResultFile], judge: str) -> Sequence[ResultFile]:
    """The files, and who is said to have compared: verdicts of another judge are another import."""
    return [*files, *([ResultFile("judge", judge, "")] if judge else ())]
