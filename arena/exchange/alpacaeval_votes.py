"""AlpacaEval's preferences without texts: preferences_<judge>.csv, one file or a folder of them.

A row is one judge's preference of a generator's answer over the baseline's: 2 the generator, 1 the
baseline, 1.5 or 0 a draw, in between the judge's probability, empty no answer. The winner is the
more probable one and the margin says by how much, so that `arena rank --import … --outcome margin`
counts the probability itself. `generators.csv` beside them says who the baseline was.
"""

import csv
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from io import StringIO
from pathlib import Path

from arena.domain.imported import LeftOut
from arena.domain.layout import Layout
from arena.errors import ConfigError
from arena.exchange.alpacaeval_figures import read_published, runs_of
from arena.exchange.alpacaeval_files import find_results, preference_of
from arena.exchange.columns import recognise as recognise_columns
from arena.exchange.eldercare_figures import Run
from arena.exchange.format import VoteColumn, VotesPart
from arena.exchange.result_files import read_file
from arena.exchange.votes import further_columns

PREFERENCES = "preferences"
GENERATORS = "generators.csv"
NEEDED = ("index", "generator", "preference")
BASELINE = "baseline"
LABELS = {"a": "2", "b": "1", "tie": "1.5"}
GIVEN = {"order", "replicate", "weight", "domain", "tag", "criterion"}
"""Further columns of ours, which exported preferences have."""


def is_votes(path: Path) -> bool:
    """Whether a path is a table of preferences, or a folder of such tables and no texts."""
    if path.is_dir():
        return bool(_tables(path)) and not find_results(path)
    return path.suffix.casefold() == ".csv"


def _tables(path: Path) -> list[Path]:
    return sorted(path.glob(f"{PREFERENCES}*.csv")) if path.is_dir() else [path]


def recognise(columns: Sequence[str], given: Mapping[str, str], labels: Iterable[str]) -> Layout:
    """What the columns of the converted rows serve as."""
    return recognise_columns(columns, given, labels)


def convert(path: Path, rows: Path) -> LeftOut:
    """Write the preferences as rows of ours; raises ConfigError for a table without its columns.

    A baseline that was judged against itself says nothing of anybody: it stays out, told.
    """
    left_out = LeftOut()
    with rows.open("w", encoding="utf-8", newline="\n") as stream:
        for table in _tables(path):
            beside = _beside(table)
            for number, row in enumerate(_read(table), start=1):
                vote = _vote(row, table, beside)
                if row and vote["agent_a"] and vote["agent_a"] == vote["agent_b"]:
                    left_out.note("self_pair", f"{table.name}:{number}")
                    continue
                stream.write(json.dumps(vote, ensure_ascii=False) + "\n")
    return left_out


def _read(table: Path) -> Iterator[dict[str, str]]:
    reader = csv.DictReader(StringIO(read_file(table, table.name).text, newline=""))
    heads = reader.fieldnames or []
    missing = [name for name in NEEDED if name not in heads]
    if missing:
        raise ConfigError("{path}:1: no column called {name}", path=table, name=", ".join(missing))
    if len(set(heads)) < len(heads):
        raise ConfigError("{path}:1: two columns of one name", path=table)
    try:
        for row in reader:
            # A row that is too long or too short has no sound place for anything.
            whole = None not in row and all(value is not None for value in row.values())
            yield {key: row[key] for key in heads} if whole else {}
    except csv.Error as error:
        raise ConfigError(
            "{path}:{line}: not valid CSV: {reason}",
            path=table,
            line=reader.line_num,
            reason=str(error),
        ) from None


def _vote(
    row: Mapping[str, str], table: Path, beside: Mapping[tuple[str, str], Sequence[str]]
) -> dict[str, object]:
    judge = row.get("annotator") or _judge(table)
    agent = row.get("generator", "")
    known = beside.get((judge, agent))
    outcome, margin = _outcome(row.get("preference", ""))
    if row.get("margin"):
        margin = row["margin"]
    return {
        "scenario": row.get("index", ""),
        "agent_a": agent,
        "agent_b": (row.get("baseline") or (known[0] if known else BASELINE)) if row else "",
        "outcome": outcome,
        "margin": margin,
        "judge": judge,
        # A judge prefers once in an instruction: a second row of it is wrong.
        "id": row.get("id") or (f"{judge} {agent} {row['index']}" if row else None),
        "length_a": row.get("len_output", ""),
        "length_b": row.get("len_baseline", ""),
        **{key: value for key, value in row.items() if key in GIVEN},
    }


def _outcome(said: str) -> tuple[str, str]:
    """Our label and the margin; what is no preference stays as it stands, so that it is refused."""
    if not said.strip():
        return "", ""
    try:
        preference = preference_of(float(said))
    except ValueError:
        return f"preference {said}", ""
    if preference is None:
        return "", ""
    lead = 2 * (preference - 1.5)
    return "tie" if lead == 0 else "a" if lead > 0 else "b", repr(abs(lead))


def _judge(table: Path) -> str:
    return table.stem.removeprefix(PREFERENCES).strip("_") or table.resolve().parent.name


def _beside(table: Path) -> dict[tuple[str, str], tuple[str, str, str]]:
    """(judge, generator) → the baseline, and the judge and generator that the file itself names."""
    path = table.parent / GENERATORS
    if not path.is_file():
        return {}
    found = {}
    for row in csv.reader(StringIO(read_file(path, path.name).text)):
        if len(row) >= 5:
            found[row[0], row[1]] = (row[2], row[3], row[4])
    return found


def figures(path: Path) -> tuple[Run, ...]:
    """The published win rates beside a folder of preferences, counted anew."""
    folder = path if path.is_dir() else path.parent
    published = read_published(folder)
    given: dict[tuple[str, str], list[float]] = {}
    otherwise = []
    for table in _tables(path):
        judge, beside = _judge(table), _beside(table)
        for row in _read(table):
            preference = _value(row)
            listed = given.setdefault((judge, row.get("generator", "")), [])
            listed += [] if preference is None else [preference]
        for (of, agent), (_, judge_said, agent_said) in beside.items():
            if of == judge and (judge, agent) in given:
                pairs = ((agent, agent_said), (judge, judge_said))
                where = f"{judge} · {agent}"
                otherwise += [(where, one, said) for one, said in pairs if one != said]
    return runs_of(given, published, otherwise) if published else ()


def _value(row: Mapping[str, str]) -> float | None:
    try:
        return preference_of(float(row["preference"]))
    except (KeyError, ValueError):
        return None


VOTES = VotesPart(
    recognise=recognise,
    is_votes=is_votes,
    convert=convert,
    columns=(
        VoteColumn(name="index", role="scenario"),
        VoteColumn(name="generator", role="agent_a"),
        VoteColumn(name="preference", role="outcome", labels=LABELS),
        VoteColumn(name="len_output", role="length_a"),
        VoteColumn(name="len_baseline", role="length_b"),
        VoteColumn(name="baseline", role="agent_b"),
        VoteColumn(name="annotator", role="judge"),
        *further_columns("scenario", "judge"),
    ),
    endings=(".csv",),
    holds_unanswered=True,
    figures=figures,
)
