"""Loading a suite of multiple choice: its suite.yaml, subjects.json, templates/ and tables.

The tables are the suite's own, or those of the user's download; worked examples come from the
split `dev`, questions from `val` or `test`.
"""

import difflib
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, get_args

from pydantic import Field, RootModel

from arena.domain.choice import DEV, MOST_SHOTS, Choice, ChoicePlay, Letter, Split
from arena.domain.key import ARCHETYPE, SHEET
from arena.domain.question import PARTS, Question, compose
from arena.domain.suite import (
    Archetype,
    Domain,
    Key,
    Mode,
    Persona,
    Scenario,
    Suite,
    SuiteId,
)
from arena.domain.words import Frozen, Words
from arena.errors import ConfigError
from arena.suites.questions import find_tables, read_questions
from arena.suites.reading import check, line_of, read_json, read_text

HARD = "hard"
TITLE = 40
OTHER = "Other"
SUBJECT_FILES = ("subjects.json", "subject_mapping.json", "ceval_subject_mapping.json")


class ChoiceFile(Frozen):
    """What the suite.yaml of a choice suite says.

    `categories` are those of subjects.json and of the tables; `hard` lists subjects.
    """

    suite: SuiteId
    kind: Literal["choice"]
    version: str = Field(pattern=r"^\d+\.\d+\.\d+$")
    name: Words
    about: Words
    language: Literal["zh", "en"]
    licence: str
    few_shot: int = Field(default=MOST_SHOTS, ge=0, le=MOST_SHOTS)
    split: Split = "val"
    categories: Mapping[str, Words] = {}
    hard: tuple[Key, ...] = ()


class SubjectsFile(RootModel[dict[str, tuple[str, str, str]]]):
    """subjects.json as C-Eval publishes it: subject -> English name, Chinese name, category."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Subject:
    """A subject with its questions, and what may be shown before each."""

    subject: str
    name: Words
    category: str
    shots: tuple[Question, ...]
    questions: tuple[tuple[str, Question], ...]


def load_choice(folder: Path, head: ChoiceFile, play: ChoicePlay, data: Path | None) -> Suite:
    """The suite of some questions, as `play` wants it; `data`: the folder of other tables.

    Raises ConfigError for a table that cannot be read, a subject that is not there, a subject with
    fewer worked examples than `few_shot`, and one of `hard` that nothing knows.
    """
    named = _named(folder, data)
    _check_hard(folder, data, head, named)
    split = play.split or head.split
    few_shot = head.few_shot if play.few_shot is None else play.few_shot
    templates = {name: read_text(folder / "templates" / name) for name in PARTS}
    _check_templates(folder, templates)
    subjects = [
        _subject(tables, shots, split, few_shot, named)
        for tables, shots in _tables(data or folder, split, few_shot, play.subjects)
    ]
    known = [(of, place, question) for of in subjects for place, question in of.questions]
    mode = f"shots_{few_shot}" if split == "val" else f"shots_{few_shot}_{split}"
    return Suite(
        suite=head.suite,
        version=head.version,
        name=head.name,
        about=head.about,
        language=head.language,
        # The licence of a download is its owner's affair; ours covers our own questions.
        licence=head.licence if data is None else "unknown",
        default_mode=mode,
        modes={mode: Mode(name=_mode_name(few_shot, split))},
        domains=tuple(Domain(domain=of.subject, name=of.name) for of in subjects),
        archetypes=(Archetype(archetype=ARCHETYPE, name=Words(zh="单选题", en="Single choice")),),
        red_flags=(),
        rubrics={SHEET.rubric: SHEET},
        scenarios=tuple(
            _scenario(of, place, question, head, templates) for of, place, question in known
        ),
        templates=templates,
        commentary=False,
        choice=Choice(
            split=split,
            few_shot=few_shot,
            answers=_answers(known) if split == "val" else {},
            numbers={_id(of, question): question.id for of, _, question in known},
            categories={
                _id(of, question): question.category or of.category for of, _, question in known
            },
            names=head.categories,
            hard=frozenset(head.hard),
        ),
    )


_Known = tuple[_Subject, str, Question]


def _answers(known: Iterable[_Known]) -> dict[str, Letter]:
    return {_id(of, q): q.answer for of, _, q in known if q.answer is not None}


def _id(of: _Subject, question: Question) -> str:
    return f"{of.subject}-{question.id}"


def _scenario(
    of: _Subject, place: str, question: Question, head: ChoiceFile, templates: Mapping[str, str]
) -> Scenario:
    subject = of.name[head.language]
    shown = compose(templates, subject=subject, shots=of.shots, question=question)
    title = " ".join(question.question.split())
    category = question.category or of.category
    return check(
        {
            "scenario": _id(of, question),
            "archetype": ARCHETYPE,
            "domain": of.subject,
            "title": title if len(title) <= TITLE else title[: TITLE - 1] + "…",
            "persona": Persona(user=of.name[head.language]),
            "turns": (shown,),
            "notes": {},
            "tags": (category, HARD) if of.subject in head.hard else (category,),
        },
        Scenario,
        place=lambda _: place,
    )


def _mode_name(few_shot: int, split: Split) -> Words:
    zh, en = f"{few_shot} 个例题", f"{few_shot}-shot"
    if split == "test":
        return Words(zh=f"{zh} · 测试集", en=f"{en} · test split")
    return Words(zh=zh, en=en)


def _tables(
    folder: Path, split: Split, few_shot: int, wanted: Sequence[str] | None
) -> list[tuple[tuple[str, Path], Path | None]]:
    """((subject, its questions), its worked examples or None) of the subjects wanted."""
    tables = find_tables(folder, split)
    if not tables:
        raise ConfigError(
            "{folder}: no questions in it",
            why="Looked for SUBJECT_{split}.csv and .jsonl, here and in {split}/.",
            folder=folder,
            split=split,
        )
    for subject in wanted or ():
        if subject not in tables:
            near = next(iter(difflib.get_close_matches(subject, tables, n=1, cutoff=0.5)), "")
            raise ConfigError(
                "{folder}: no subject called {subject}",
                fix="Did you mean {near}?" if near else "There are: {near}.",
                folder=folder,
                subject=subject,
                near=near or ", ".join(tables)[:200],
            )
    chosen = [name for name in tables if wanted is None or name in wanted]
    shots = find_tables(folder, DEV) if few_shot else {}
    return [((name, tables[name]), shots.get(name)) for name in chosen]


def _subject(
    table: tuple[str, Path],
    shots: Path | None,
    split: Split,
    few_shot: int,
    names: Mapping[str, tuple[str, str, str]],
) -> _Subject:
    subject, path = table
    examples = read_questions(shots, answered=True) if shots else ()
    if len(examples) < few_shot:
        raise ConfigError(
            "{path}: {found} worked examples for {subject}, `few_shot` asks for {few_shot}",
            fix="Set `few_shot` to what is there, or add {subject}_dev.csv.",
            path=shots or path,
            found=len(examples),
            subject=subject,
            few_shot=few_shot,
        )
    en, zh, category = names.get(subject, (subject, subject, OTHER))
    return _Subject(
        subject=subject,
        name=Words(zh=zh, en=en),
        category=category,
        shots=tuple(question for _, question in examples[:few_shot]),
        questions=read_questions(path, answered=split == "val"),
    )


def _named(folder: Path, data: Path | None) -> dict[str, tuple[str, str, str]]:
    """Names and category of subjects: the suite's, and over them those of the user's download."""
    found: dict[str, tuple[str, str, str]] = {}
    for place in (folder, data):
        for name in SUBJECT_FILES:
            if place is not None and (place / name).is_file():
                found |= read_json(place / name, SubjectsFile).root
    return found


def _check_hard(folder: Path, data: Path | None, head: ChoiceFile, named: Collection[str]) -> None:
    """A subject of `hard` is one of subjects.json or has a table; the split played may lack it."""
    if set(head.hard) <= set(named):
        return
    splits = (DEV, *get_args(Split))
    places = [place for place in (folder, data) if place is not None]
    known = {
        *named,
        *(s for place in places for split in splits for s in find_tables(place, split)),
    }
    wrong = [(n, subject) for n, subject in enumerate(head.hard) if subject not in known]
    if wrong:
        first, *others = (
            _no_subject(folder / "suite.yaml", n, s, known, len(wrong)) for n, s in wrong
        )
        first.others = tuple(others)
        raise first


def _no_subject(
    path: Path, at: int, subject: str, known: Collection[str], mistakes: int
) -> ConfigError:
    near = next(iter(difflib.get_close_matches(subject, sorted(known), n=1, cutoff=0.5)), "")
    return ConfigError(
        "{path}:{line}: `hard` names no subject: {subject}",
        why="{more} more mistake(s) in this file." if mistakes > 1 else "",
        fix="Did you mean {near}?" if near else "There are: {near}.",
        path=path,
        line=line_of(path, ("hard", at)),
        subject=subject,
        near=near or ", ".join(sorted(known))[:200],
        more=mistakes - 1,
    )


def _check_templates(folder: Path, templates: Mapping[str, str]) -> None:
    marks = {
        "prompt.md": ("{shots}", "{question}", "{choices}"),
        "shots.md": ("{shots}",),
        "shot.md": ("{question}", "{choices}", "{answer}"),
    }
    for name, needed in marks.items():
        for mark in needed:
            if templates[name].count(mark) != 1:
                raise ConfigError(
                    "{path}:1: must hold {mark} exactly once",
                    path=folder / "templates" / name,
                    mark=mark,
                )
