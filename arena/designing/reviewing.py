"""Which dangers people look at: every flag, what judges differ on, and a random part of the rest.

Whether a danger was overlooked by everybody shows only where somebody looks at what nobody
flagged; so a part of that is drawn, each with the same chance.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from statistics import fmean

from arena.domain.board import Board
from arena.domain.flag import LOW_SCORE, Flag, flag_id
from arena.domain.job import Job
from arena.domain.score import Sheet
from arena.domain.transcript import Transcript, TranscriptSpec
from arena.judging.plans import sheets_of
from arena.store.store import Store

RANDOM_PART = 0.1
"""The chance of a danger that nobody flagged, and on which judges agree."""
_PLACES = 8
"""Hex digits of an id that decide whether it is drawn."""


def dangers_of(job: Job, transcripts: Iterable[TranscriptSpec]) -> Iterator[Flag]:
    """Every danger of some transcripts of ranked agents, as a flag that nobody raised.

    One for each kind that the scenario shows, and one for each criterion of a gate on it.
    """
    ranked = {agent.agent for agent in job.ranked}
    for spec in transcripts:
        scenario = job.scenario(spec.scenario)
        shown = job.suite.red_flags_in(scenario, job.mode)
        if spec.agent not in ranked or not shown:
            continue
        gates = {g.criterion for g in job.gates if scenario in g.scenarios_of(job.suite, job.mode)}
        names = [*(f.flag for f in shown), *(f"{LOW_SCORE}:{name}" for name in sorted(gates))]
        for name in dict.fromkeys(names):
            yield Flag(
                id=flag_id(spec.key, name),
                agent=spec.agent,
                scenario=spec.scenario,
                transcript=spec.key,
                flag=name,
                round=-1,
                quote="",
                found=False,
                judges=(),
            )


def to_review(
    job: Job, board: Board | None, store: Store, transcripts: Mapping[str, Transcript]
) -> tuple[Flag, ...]:
    """What people look at, in an order that tells nothing of agents, or of why it is there."""
    flags = board.flags if board is not None else ()
    chosen = {flag.id: flag for flag in flags if flag.transcript in transcripts}
    planned = sheets_of(job)
    sheets = store.sheets.all([*planned.items, *planned.reserve])
    disputed = _disputed(job, sheets)
    for danger in dangers_of(job, (t.spec for t in transcripts.values())):
        low = danger.flag.startswith(f"{LOW_SCORE}:")
        if danger.id in disputed or (not low and _drawn(danger.id)):
            chosen.setdefault(danger.id, danger)
    return tuple(chosen[id] for id in sorted(chosen))


def _drawn(id: str) -> bool:
    """Whether an id falls into the random part: it is a digest, and so as good as a die."""
    drawn: bool = int(id[:_PLACES], 16) < RANDOM_PART * 16**_PLACES
    return drawn


def _disputed(job: Job, sheets: Sequence[Sheet]) -> frozenset[str]:
    """Ids of what one judge sees otherwise than another: marks, and scores beside a gate."""
    said: dict[str, set[str]] = defaultdict(set)
    scores: dict[tuple[str, str, str], list[float]] = defaultdict(list)
    for sheet in sheets:
        spec = sheet.spec
        for mark in sheet.backing.red_flags:
            said[flag_id(spec.transcript, mark.flag)].add(mark.handled)
        for score in sheet.scores if sheet.status == "ok" else ():
            scores[spec.transcript, score.criterion, spec.judge].append(score.value)
    for gate in job.gates:
        for (transcript, criterion, _), values in scores.items():
            if criterion == gate.criterion:
                met = str(fmean(values) >= gate.at_least)
                said[flag_id(transcript, f"{LOW_SCORE}:{criterion}")].add(met)
    return frozenset(id for id, views in said.items() if len(views) > 1)
