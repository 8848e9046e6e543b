"""A suite of ours made of questions that have no scoring sheet: asked as they stand.

What such files hold is what users say and, at most, a reference answer. The sheet is one of ours,
of one criterion; a format may bring its own.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from arena.domain.suite import (
    MAIN_RUBRIC,
    CompareCriterion,
    Criterion,
    Persona,
    Rubric,
    Scenario,
    Source,
)
from arena.domain.words import Lang, Words
from arena.exchange.fields import scenario_of
from arena.exchange.keys import Keys
from arena.exchange.original_folder import NATURAL, Made

MODE = "natural"
QUESTION = "question"
ID = "id "
LONGEST_TITLE = 60
CHINESE = range(0x4E00, 0xA000)
QUALITY = Criterion(
    criterion="quality",
    name=Words(zh="回答质量", en="Quality of the reply"),
    question="How well does the reply answer what was asked: right, useful, complete and clear?",
    high="Right and complete, and no longer than it need be.",
    low="Wrong, beside the point, or hard to use.",
)
NO_REFERENCE: Mapping[Lang, str] = {
    "zh": "没有参考答案，请按所提的问题来评判。",
    "en": "There is no reference answer: judge by what was asked.",
}
"""What judges are told where the files tell nothing."""
KINDS: Mapping[str, Words] = {QUESTION: Words(zh="提问", en="Question")}


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """One scenario of a set of questions: its id as the files give it, whatever that is.

    `reference` is shown to judges alone.
    """

    id: str
    turns: tuple[str, ...]
    domain: str
    reference: str = ""
    kind: str = QUESTION

    @property
    def scenario(self) -> str:
        """What it is called here."""
        return scenario_of(self.id)


def make_suite(
    format: str,
    title: str,
    questions: Sequence[Question],
    *,
    criteria: Sequence[Criterion] = (QUALITY,),
    scale: tuple[float, float] = (1, 10),
    kinds: Mapping[str, Words] = KINDS,
    compare: Sequence[CompareCriterion] = (),
) -> Made:
    """The suite of some questions, of which there is at least one.

    `compare`: what two replies are compared by, where it is not what counts.
    """
    domains = Keys("domain")
    language = _language(questions)
    scenarios = [_scenario(question, domains, language) for question in questions]
    n = len(scenarios)
    used = dict.fromkeys(question.kind for question in questions)
    return Made(
        format=format,
        title=Words(zh=title, en=title),
        about=Words(
            zh=f"由 {title} 的文件导入，共 {n} 道题。",
            en=f"Imported from files of {title}: {n} questions.",
        ),
        language=language,
        licence="not stated",
        default_mode=MODE,
        modes={MODE: NATURAL},
        domains=domains.names,
        archetypes={kind: (kinds[kind], MAIN_RUBRIC) for kind in used},
        red_flags={},
        rubrics=[
            Rubric(
                rubric=MAIN_RUBRIC,
                name=Words(zh="评分表", en="Scoring sheet"),
                scale=scale,
                criteria=tuple(criteria),
                compare=tuple(compare) or tuple(c.criterion for c in criteria if c.counts),
            )
        ],
        scenarios=scenarios,
        templates={},
        readme="README.questions.md",
    )


def _scenario(question: Question, domains: Keys, language: Lang) -> Scenario:
    title = question.turns[0].strip().splitlines()[0]
    short = title if len(title) <= LONGEST_TITLE else title[: LONGEST_TITLE - 1] + "…"
    return Scenario(
        scenario=question.scenario,
        archetype=question.kind,
        domain=domains.of(question.domain),
        title=Words(zh=short, en=short),
        source=Source(note="" if question.id == question.scenario else f"{ID}{question.id}"),
        persona=Persona(user="Somebody who asks"),
        turns=question.turns,
        notes={MODE: question.reference.strip() or NO_REFERENCE[language]},
    )


def id_of(scenario: Scenario) -> str:
    """What a scenario is called in the files that it came from."""
    note = scenario.source.note
    return note.removeprefix(ID) if note.startswith(ID) else scenario.scenario


def reference_of(scenario: Scenario) -> str:
    """The reference answer of a scenario; empty where there is none."""
    note = scenario.notes.get(MODE, "")
    return "" if note in NO_REFERENCE.values() else note


def _language(questions: Sequence[Question]) -> Lang:
    """Chinese where most questions hold Chinese signs."""
    chinese = sum(any(ord(c) in CHINESE for t in q.turns for c in t) for q in questions)
    return "zh" if 2 * chinese > len(questions) else "en"
