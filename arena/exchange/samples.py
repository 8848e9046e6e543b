"""Scored samples, as evaluation tools log them: one agent, one input, a number a metric.

From them a suite is made, of which each set of samples is a kind of scenario and each metric a
criterion, and records of ours. A number that is not there is unknown, whatever the tool counts it
as.
"""

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from arena.domain.call import Status
from arena.domain.imported import ImportedSheet, ImportedTranscript, LeftOut
from arena.domain.score import Score
from arena.domain.suite import Applies, CompareCriterion, Criterion, Suite
from arena.domain.words import Words
from arena.exchange.dialogue import Dialogue
from arena.exchange.fields import scenario_of
from arena.exchange.keys import Keys
from arena.exchange.original_folder import Made
from arena.exchange.questions import MODE, QUALITY, Question, make_suite

SCALES = ((0.0, 1.0), (0.0, 10.0), (0.0, 100.0))
BETTER = CompareCriterion(criterion=QUALITY.criterion, name=QUALITY.name, question=QUALITY.question)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """One sample of a log. `values`: by metric, None where it has no number; `main`: what counts.

    `scored`: whether anybody scored it at all; `failed`: whether that went wrong.
    """

    id: str
    set: str
    agent: str
    dialogue: Dialogue
    reference: str = ""
    domain: str = ""
    values: Mapping[str, float | None] = field(default_factory=dict)
    main: str = ""
    judge: str = ""
    failed: bool = False
    explanation: str = ""
    replicate: int = 1
    at: str = ""
    place: str = ""
    raw: str | None = None
    raw_sheet: str | None = None

    @property
    def scored(self) -> bool:
        """Whether it was scored, readably or not."""
        return bool(self.values) or self.failed


def suite_of(format: str, title: str, samples: Iterable[Sample]) -> Made | None:
    """The suite of some samples, None where no sample asks anything; one pass goes over them.

    The first text of an id stands.
    """
    sets, metrics = Keys("set"), Keys("metric")
    questions: dict[str, Question] = {}
    where: dict[str, dict[str, None]] = {}
    seen: dict[str, list[float]] = {}
    main: set[str] = set()
    for sample in (s for s in samples if s.dialogue.turns):
        kind = sets.of(sample.set)
        if all(t.strip() for t in sample.dialogue.turns):
            question = Question(
                id=sample.id,
                turns=sample.dialogue.turns,
                domain=sample.domain or sample.set,
                reference=sample.reference,
                kind=kind,
            )
            questions.setdefault(question.scenario, question)
        for name, value in sample.values.items():
            key = metrics.of(name)
            where.setdefault(key, {})[kind] = None
            known = seen.get(key, [])
            values = known if value is None else [*known, value]
            seen[key] = [min(values), max(values)] if values else []
            if sample.main in ("", name):
                main.add(key)
    if not questions:
        return None
    criteria = [
        _criterion(key, name, tuple(where[key]), scale_of(seen[key]), counts=key in main)
        for key, name in metrics.names.items()
    ]
    bare = [kind for kind in sets.names if not any(kind in kinds for kinds in where.values())]
    if bare or not criteria:
        only = Applies(archetypes=tuple(bare)) if criteria else Applies()
        criteria.append(QUALITY.model_copy(update={"only": only, "scale": (1.0, 10.0)}))
    return make_suite(
        format,
        title,
        tuple(questions.values()),
        criteria=criteria,
        scale=SCALES[0],
        kinds=sets.names,
        compare=[BETTER],
    )


def scale_of(values: Iterable[float]) -> tuple[float, float]:
    """The scale of a metric, of which only numbers are known: a usual one, or what they span."""
    known = list(values)
    low, high = min(known, default=0.0), max(known, default=1.0)
    for scale in SCALES:
        if scale[0] <= low and high <= scale[1]:
            return scale
    return float(math.floor(low)), float(max(math.ceil(high), math.floor(low) + 1))


def _criterion(
    key: str, name: Words, kinds: tuple[str, ...], scale: tuple[float, float], *, counts: bool
) -> Criterion:
    return Criterion(
        criterion=key,
        name=name,
        question=f"{name.en}: how good is the reply, measured against the reference?",
        scale=scale,
        counts=counts,
        only=Applies(archetypes=kinds),
    )


def note_parts(sample: Sample, left_out: LeftOut) -> None:
    """Count what of a sample's messages has no place in a transcript."""
    if sample.dialogue.tools:
        left_out.note("tool_messages", sample.place)
    if sample.dialogue.others:
        left_out.note("no_texts", sample.place)


def transcripts_of(samples: Iterable[Sample]) -> Iterator[ImportedTranscript]:
    """The transcript of every sample."""
    for sample in samples:
        yield ImportedTranscript(
            agent=sample.agent,
            scenario=scenario_of(sample.id),
            mode=MODE,
            messages=sample.dialogue.messages,
            replicate=sample.replicate,
            at=sample.at,
            place=sample.place,
            raw=sample.raw,
        )


def sheets_of(samples: Iterable[Sample], suite: Suite) -> Iterator[ImportedSheet]:
    """The sheet of every sample that was scored; one without a number holds none."""
    keys = {c.name.en: c.criterion for rubric in suite.rubrics.values() for c in rubric.criteria}
    for sample in samples:
        if not sample.scored:
            continue
        missing = any(value is None for value in sample.values.values())
        sound = not sample.failed and not missing
        yield ImportedSheet(
            agent=sample.agent,
            scenario=scenario_of(sample.id),
            mode=MODE,
            judge=sample.judge,
            status=Status.OK if sound else Status.ERROR if sample.failed else Status.UNPARSED,
            scores=tuple(
                Score(criterion=keys.get(name, name), value=value)
                for name, value in sample.values.items()
                if value is not None and sound
            ),
            summary=sample.explanation,
            replicate=sample.replicate,
            at=sample.at,
            place=sample.place,
            raw=sample.raw_sheet,
        )


def metric_of(suite: Suite) -> dict[str, str]:
    """What the metrics of a suite are called in the files, by criterion."""
    return {c.criterion: c.name.en for rubric in suite.rubrics.values() for c in rubric.criteria}
