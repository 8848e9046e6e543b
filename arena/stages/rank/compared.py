"""What the presentations of a job have come to: answers, comparisons, and what is missing."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from arena.domain.bridge import Bridge, joined_models
from arena.domain.job import Job
from arena.domain.score import Sheet, SheetSpec
from arena.domain.served import Served, Split, most_served, split_served
from arena.domain.verdict import Presentation, Verdict
from arena.judging.panel import Planned, Thin
from arena.judging.plans import sheets_of
from arena.stages.rank.bridges import measure_bridges
from arena.stages.rank.folding import Answers, Folded, fold_all
from arena.stages.rank.material import Material, from_comparisons
from arena.stages.rank.served import find_served
from arena.store.store import Store


@dataclass(frozen=True, slots=True, kw_only=True)
class Compared:
    """What a board of a job is made of.

    `presentations`: all that are planned, stand-ins that were called among them; `ranked` and
    `thin`: without those that meet a decoy. `sheets`: those that were answered, by key, of the
    model strings that count; `split`: which those are. `bridges`: of judges that several strings
    served; `joined`: judge → the strings whose verdicts these let stand together.
    """

    presentations: tuple[Presentation, ...]
    ranked: tuple[Presentation, ...]
    thin: tuple[Thin, ...]
    verdicts: Mapping[str, Verdict]
    answers: Answers
    sheet_plan: tuple[SheetSpec, ...]
    sheets: Mapping[str, Sheet]
    served: tuple[Served, ...]
    split: Split
    bridges: tuple[Bridge, ...]
    joined: Mapping[str, frozenset[str]]
    folded: Folded
    material: Material


def read_compared(
    job: Job, store: Store, planned: Planned[Presentation], *, mixed_judges: bool = False
) -> Compared:
    """Read what was answered of a plan.

    `mixed_judges`: take the answers of all model strings that served a judge; by default those of
    the one with most answers, because what another string serves is another judge, and the
    verdicts of those that a bridge connects with it.
    """
    specs = job.all_transcripts()
    presentations = planned.seated(store.verdicts.blocked(planned.contested))
    sheet_plan, sheets = _sheets(job, store)
    verdicts = {v.presentation.key: v for v in store.verdicts.all(presentations)}
    served = find_served(sheets.values(), verdicts.values(), store)
    used = {} if mixed_judges else most_served(served)
    bridges = _bridges(verdicts.values(), served, used, store)
    joined = joined_models(used, bridges)
    split = split_served(served, used, joined)
    answers = Answers(
        verdicts=verdicts,
        todo=store.verdicts.todo(presentations),
        transcripts=frozenset({s.key for s in specs} - set(store.transcripts.todo(specs))),
        split=split,
        least=job.min_judges,
    )
    decoys = {a.agent for a in job.decoys}
    ranked = tuple(p for p in presentations if not {p.agent_a, p.agent_b} & decoys)
    thin = tuple(t for t in planned.thin if not {t.agent_a, t.agent_b} & decoys)
    folded = fold_all(ranked, answers, thin=thin)
    return Compared(
        presentations=presentations,
        ranked=ranked,
        thin=thin,
        verdicts=verdicts,
        answers=answers,
        sheet_plan=sheet_plan,
        sheets={key: sheet for key, sheet in sheets.items() if key not in split.others},
        served=served,
        split=split,
        bridges=bridges,
        joined=joined,
        folded=folded,
        material=_material(job, folded),
    )


def _bridges(
    verdicts: Collection[Verdict], served: Sequence[Served], used: Mapping[str, str], store: Store
) -> tuple[Bridge, ...]:
    """The bridges between the models of judges that several strings served."""
    if not used:
        return ()
    models = {s.key: s.model for s in served if s.model is not None}
    told = {v.call: models[v.presentation.key] for v in verdicts if v.presentation.key in models}
    return measure_bridges(verdicts, told, store, used)


def _material(job: Job, folded: Folded) -> Material:
    material = from_comparisons(
        folded.comparisons,
        agents=[a.agent for a in job.ranked],
        scenarios=[s.scenario for s in job.selection.scenarios_of(job.suite)],
        planned=folded.planned,
        excluded=folded.excluded,
        rows=folded.rows,
        judge_rows=folded.judge_rows,
        facts=_facts(job),
    )
    # The answer key shows nothing in any order, so that nothing can flip.
    return material if job.suite.choice is None else replace(material, flipped=None)


def _facts(job: Job) -> dict[str, dict[str, tuple[str, ...]]]:
    """What is known of scenarios that boards are cut by: column → scenario → names."""
    scenarios = job.selection.scenarios_of(job.suite)
    return {
        "domain": {s.scenario: (s.domain,) for s in scenarios},
        "tag": {s.scenario: tuple(s.tags) for s in scenarios},
    }


def _sheets(job: Job, store: Store) -> tuple[tuple[SheetSpec, ...], dict[str, Sheet]]:
    """The sheets that are planned, and those that were answered, by key."""
    planned = sheets_of(job)
    specs = planned.seated(store.sheets.blocked(planned.contested))
    return specs, {s.spec.key: s for s in store.sheets.all(specs)}
