"""The folder of eqbench-eldercare-zh, as its authors publish it.

Read are data/scenarios.jsonl, data/scenarios_lite.jsonl, data/rubric_criteria.yaml and the prompts
of data/candidate_prompts and data/judge_prompts. What else their records hold is passed over.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field

from arena.domain.suite import Key, ScenarioId, Text
from arena.errors import ConfigError
from arena.suites.reading import read_jsonl, read_text, read_yaml

FORMAT = "eldercare"
SCENARIOS = Path("data/scenarios.jsonl")
LITE = Path("data/scenarios_lite.jsonl")
RUBRIC = Path("data/rubric_criteria.yaml")
SHOWN = Path("data/candidate_prompts")
JUDGES = Path("data/judge_prompts")
JUDGE_PROMPTS = ("rubric_probe_zh", "rubric_natural_zh", "rubric_analysis_zh", "pairwise_zh")
ANALYSIS = "analysis"
"""The archetype that has a scoring sheet of its own and is reported apart."""


class Foreign(BaseModel):
    """A record of somebody else's: what is not known of it is passed over."""

    model_config = ConfigDict(frozen=True, extra="ignore", allow_inf_nan=False)


class Named(Foreign):
    """A line about one scenario."""

    id: ScenarioId


Record = TypeVar("Record", bound=Named)


class Person(Foreign):
    """Who speaks, and what lies behind it."""

    user_role: Text
    context: str = ""


class Origin(Foreign):
    """Where a case was taken from."""

    type: Literal["original", "adapted"] = "original"
    eqbench_id: int | str | None = None
    note: str = ""


class Formats(Foreign):
    """Which prompt file wraps the first turn, by mode; none where it is sent as it is."""

    probe: Key | None = None
    natural: Key | None = None


class Notes(Foreign):
    """What judges are told, by mode."""

    probe: Text
    natural: Text


class Case(Named):
    """One line of scenarios.jsonl."""

    archetype: Key
    domain: Text
    title: Text
    source: Origin = Origin()
    persona: Person
    turns: tuple[Text, ...] = Field(min_length=1)
    format_instruction: Formats = Formats()
    scenario_notes: Notes
    failure_mode: str = ""
    red_flags: tuple[Text, ...] = ()
    tags: tuple[str, ...] = ()


class LiteCase(Named):
    """One line of scenarios_lite.jsonl: the same case, its first turn alone."""

    prompt: Text
    format_instruction: Key | None = None
    scenario_notes_lite: Text


class Line(Foreign):
    """One criterion of the scoring sheet."""

    key: Key
    name_zh: Text
    definition: Text
    high_signal: str = ""
    low_signal: str = ""
    natural_mode_note: str = ""


class Meta(Foreign):
    """What the scoring sheet says of itself."""

    scale: tuple[float, float]


class Sheet(Foreign):
    """rubric_criteria.yaml: what counts, what only describes, and what counts for analyses."""

    meta: Meta
    generic_anchors: Mapping[int, str] = {}
    scored_criteria: Annotated[tuple[Line, ...], Field(min_length=1)]
    probe_criteria: tuple[Line, ...] = ()
    analysis_criteria: Annotated[tuple[Line, ...], Field(min_length=1)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Original:
    """The whole folder. `lite` by case; `shown` and `judges`: prompts by name."""

    cases: tuple[Case, ...]
    lite: Mapping[str, LiteCase]
    sheet: Sheet
    shown: Mapping[str, str]
    judges: Mapping[str, str]


def sniff(folder: Path) -> bool:
    """Whether a folder is laid out like the original; never raises."""
    return all((folder / part).is_file() for part in (SCENARIOS, LITE, RUBRIC))


def read(folder: Path) -> Original:
    """The original's cases, scoring sheet and prompts.

    Raises ConfigError for a folder that is laid out otherwise, for a file that cannot be read or
    holds something else (file:line), and for a short case that is not the first turn of its case.
    """
    if not sniff(folder):
        raise ConfigError(
            "{folder}: not laid out like eqbench-eldercare-zh",
            fix="Name the folder that holds {files}.",
            folder=folder,
            files=", ".join(part.as_posix() for part in (SCENARIOS, LITE, RUBRIC)),
        )
    cases = lines_of(folder / SCENARIOS, Case)
    lite = {case.id: case for case in lines_of(folder / LITE, LiteCase)}
    for case in cases:
        short = lite.get(case.id)
        if short is None or short.prompt != case.turns[0]:
            raise ConfigError(
                "{path}: {scenario} is not the first turn of the scenario of that name",
                path=folder / LITE,
                scenario=case.id,
            )
    names = {case.format_instruction.probe for case in cases}
    names |= {case.format_instruction.natural for case in cases}
    names |= {case.format_instruction for case in lite.values()}
    masters = sorted(name for name in names if name)
    closings = [closing_of(name) for name in masters]
    there = [name for name in closings if (folder / SHOWN / f"{name}.txt").is_file()]
    return Original(
        cases=cases,
        lite=lite,
        sheet=read_yaml(folder / RUBRIC, Sheet),
        shown={name: read_text(folder / SHOWN / f"{name}.txt") for name in (*masters, *there)},
        judges={name: read_text(folder / JUDGES / f"{name}.txt") for name in JUDGE_PROMPTS},
    )


def closing_of(master: str) -> str:
    """The name of the prompt that asks for a look back, beside a format's own prompt."""
    return master.replace("_master_prompt", "_debrief_prompt")


def lines_of(path: Path, model: type[Record]) -> tuple[Record, ...]:
    """The records of a file of JSON lines, each with an id of its own.

    Raises ConfigError for a file that is empty, and for the first line that is wrong or repeats
    an id.
    """
    records = read_jsonl(path, model)
    if not records:
        raise ConfigError("{path}: the file is empty", path=path)
    seen: dict[str, int] = {}
    for line, record in records:
        first = seen.setdefault(record.id.casefold(), line)
        if first != line:
            raise ConfigError(
                "{path}:{line}: scenario {scenario} is already on line {first}",
                path=path,
                line=line,
                scenario=record.id,
                first=first,
            )
    return tuple(record for _, record in records)
