"""EvalScope's outputs read: reviews (a sample with its scores), predictions, and arena battles.

`reviews/<model>/<dataset>_<subset>.jsonl` is preferred to the predictions of the same name, which
hold the same messages without scores. `reviews/Arena/general_arena_<dataset>&<subset>@<model>&
<baseline>.jsonl` holds two games a sample. A sample has no id but its place in its file.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from arena.domain.call import Status
from arena.domain.imported import Import, ImportedVerdict, LeftOut
from arena.domain.suite import Suite
from arena.errors import ConfigError
from arena.exchange.arena_hard import read_label
from arena.exchange.dialogue import read_dialogue
from arena.exchange.evalscope_reports import figures
from arena.exchange.fields import kept, number_of, scenario_of, text_of
from arena.exchange.format import SuiteRead
from arena.exchange.lines import Line, Row, mark, read_lines
from arena.exchange.questions import MODE
from arena.exchange.remade import Remade, read_again
from arena.exchange.result_files import ResultFile, content_of
from arena.exchange.samples import Sample, note_parts, sheets_of, suite_of, transcripts_of

FORMAT = "evalscope"
REVIEWS, PREDICTIONS, ARENA = "reviews", "predictions", "Arena"
BATTLES = "general_arena_"
JUDGE = "evalscope"
NOBODY = "unknown"
SUCCESS = "success"
FAILED = frozenset({"transport_error", "invalid_session"})


@dataclass(slots=True)
class Checked:
    """What is wrong in some files, what stays out, and what was there already."""

    files: list[ResultFile] = field(default_factory=list)
    bad: LeftOut = field(default_factory=LeftOut)
    left_out: LeftOut = field(default_factory=LeftOut)
    seen: set[bytes] = field(default_factory=set)

    def is_new(self, place: str, *key: str) -> bool:
        """Whether something is there for the first time; else it is counted as wrong."""
        known = mark(*key)
        if known in self.seen:
            self.bad.note("repeated", place)
            return False
        self.seen.add(known)
        return True


def find_results(path: Path) -> tuple[Path, ...]:
    """The files of a folder that hold results: predictions only where there is no review."""
    if path.is_file():
        return (path,)
    reviews = [p for p in path.glob(f"**/{REVIEWS}/*/*.jsonl") if p.is_file()]
    there = {_where(p) for p in reviews}
    rest = [p for p in path.glob(f"**/{PREDICTIONS}/*/*.jsonl") if p.is_file()]
    return tuple(sorted([*reviews, *(p for p in rest if _where(p) not in there)]))


def _where(path: Path) -> tuple[Path, str, str]:
    return path.parent.parent.parent, path.parent.name, path.name


def read_suite(folder: Path) -> SuiteRead:
    """The suite of the samples of a folder; raises ConfigError where there is none."""
    made = suite_of(FORMAT, "EvalScope", _samples(folder, Checked()))
    if made is None:
        raise ConfigError(
            "{folder}: no questions in it",
            fix="Name a folder that holds {files}.",
            folder=folder,
            files="reviews, predictions",
        )
    return SuiteRead(made, figures(folder))


def read_results(path: Path, suite: Suite, *, judge: str = "") -> Import:
    """What the files of a folder, or one file, hold; `judge`: who compared, which they do not say.

    Lines are read one at a time, and anew whenever they are gone through. Raises ConfigError for a
    file that cannot be read.
    """
    found = Checked()
    count = scored = 0
    for sample in _samples(path, found):
        note_parts(sample, found.left_out)
        count += 1
        scored += sample.scored
    games = sum(1 for _ in _verdicts(path, judge, found))
    files = found.files

    def samples() -> Iterator[Sample]:
        return read_again(lambda now: _samples(path, Checked(now)), files)

    def verdicts() -> Iterator[ImportedVerdict]:
        return read_again(lambda now: _verdicts(path, judge, Checked(now)), files)

    silent = [ResultFile("judge", judge, "")] if judge else []
    return Import(
        format=FORMAT,
        source=path.resolve().name,
        content=content_of([*files, *silent]),
        suite=suite.suite,
        transcripts=Remade(lambda: transcripts_of(samples()), count),
        sheets=Remade(lambda: sheets_of(samples(), suite), scored),
        verdicts=Remade(verdicts, games),
        left_out=found.left_out,
        bad=found.bad,
    )


def _rows(path: Path, found: Checked, *, battles: bool) -> Iterator[tuple[Line, Row]]:
    """Every line of the files of battles, or of the others."""
    for place in find_results(path):
        if place.stem.startswith(BATTLES) == battles:
            name = place.name if place == path else place.relative_to(path).as_posix()
            yield from read_lines(place, name, found.bad, found.files)


def _samples(path: Path, found: Checked) -> Iterator[Sample]:
    """Every sound sample; what is wrong is counted."""
    for line, row in _rows(path, found, battles=False):
        sample = _sample(line, row)
        if isinstance(sample, str):
            found.bad.note(sample, line.place)
        elif found.is_new(line.place, sample.agent, sample.id, str(sample.replicate)):
            yield sample


def _verdicts(path: Path, judge: str, found: Checked) -> Iterator[ImportedVerdict]:
    """Every game of every battle; what is wrong is counted."""
    for line, row in _rows(path, found, battles=True):
        yield from _battle(line, row, judge, found)


def _sample(line: Line, row: Row) -> Sample | str:
    """The sample of a line, or what is wrong with it."""
    scored = row.get("sample_score")
    scored = scored if isinstance(scored, dict) else {}
    index = row.get("index")
    if not isinstance(index, int) or isinstance(index, bool):
        return "not_a_number" if "index" in row else "missing_field"
    group, turn = scored.get("group_id"), scored.get("generation_index")
    whose = group if isinstance(group, int) else index
    replicate = turn + 1 if isinstance(turn, int) and turn >= 0 else 1
    agent, stem = text_of(row, "model") or line.path.parent.name, line.path.stem
    score = scored.get("score")
    score = score if isinstance(score, dict) else {}
    values = _values(score)
    if values is None:
        return "not_a_number"
    status = text_of(score, "status") or SUCCESS
    target = row.get("target")
    said = [t for t in target if isinstance(t, str)] if isinstance(target, list) else []
    return Sample(
        id=f"{stem}-{whose}",
        set=stem,
        agent=agent,
        dialogue=read_dialogue(row.get("messages")),
        reference="\n\n".join(said),
        values=values if status == SUCCESS else dict.fromkeys(values),
        main=text_of(score, "main_score_name"),
        judge=JUDGE,
        failed=status in FAILED,
        explanation=text_of(score, "explanation"),
        replicate=replicate,
        place=line.place,
        raw=kept(row, "messages", "sample_score", "model_output", "agent_trace"),
        raw_sheet=kept(scored) if scored else None,
    )


def _values(score: Mapping[str, Any]) -> dict[str, float | None] | None:
    """The numbers of a score by metric; None where something else stands in their place."""
    given = score.get("value")
    found: dict[str, float | None] = {}
    for name, value in (given if isinstance(given, dict) else {}).items():
        number = float(value) if isinstance(value, bool) else number_of(value)
        if number is None and value is not None:
            return None
        found[str(name)] = number
    return found


def _battle(line: Line, row: Row, judge: str, found: Checked) -> Iterator[ImportedVerdict]:
    scored = row.get("sample_score")
    score = scored.get("score") if isinstance(scored, dict) else None
    about = score.get("metadata") if isinstance(score, dict) else None
    battle = about.get("battle_result") if isinstance(about, dict) else None
    games = battle.get("games") if isinstance(battle, dict) else None
    index = row.get("index")
    stem = line.path.stem.removeprefix(BATTLES).partition("@")[0].replace("&", "_")
    if not isinstance(index, int):
        found.bad.note("missing_field", line.place)
    elif not isinstance(games, list) or not games:
        found.left_out.note("judge_error", line.place)
    else:
        base = (line, kept(row, "messages", "agent_trace"), judge or NOBODY)
        for number, game in enumerate(games, start=1):
            yield from _game(game, number, f"{stem}-{index}", base, found)


def _game(
    game: Any, number: int, sample: str, base: tuple[Line, str, str], found: Checked
) -> Iterator[ImportedVerdict]:
    line, raw, judge = base
    place = f"{line.place} › {number}"
    game = game if isinstance(game, dict) else {}
    first, second = text_of(game, "model_a"), text_of(game, "model_b")
    said = read_label(game.get("judgment"))
    if not first or not second:
        found.bad.note("missing_field", place)
    elif first == second:
        found.bad.note("self_pair", place)
    elif said is None and game.get("judgment") is not None:
        found.bad.note("unknown_outcome", place)
    elif found.is_new(place, "battle", first, second, sample):
        yield ImportedVerdict(
            first=first,
            second=second,
            scenario=scenario_of(sample),
            mode=MODE,
            judge=judge,
            status=Status.UNPARSED if said is None else Status.OK,
            winner=said[0] if said else None,
            margin=said[1] if said else None,
            place=place,
            raw=raw,
        )
