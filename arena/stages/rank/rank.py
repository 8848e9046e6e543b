"""rank: verdicts and scores of a job → its board.

Reads the plan, `verdict`, `sheet`, `score` and `call`; writes `board`. What is not planned any
more (an older note, another judge) does not enter; what is missing is counted by reason.
"""

from dataclasses import replace

from arena.domain.audit import Audit
from arena.domain.board import Board, BoardIdentity
from arena.domain.digest import digest
from arena.domain.job import Job
from arena.domain.method import Method
from arena.domain.score import Sheet, SheetSpec
from arena.domain.served import most_served, split_served
from arena.judging.planning import plan_presentations, plan_sheets
from arena.stages.rank.accuracy import measure_accuracy
from arena.stages.rank.auditing import audit_notes, count_injections, find_repeats, find_thin
from arena.stages.rank.board import build_board
from arena.stages.rank.choosing import choose_method
from arena.stages.rank.decoys import Met, decoy_rows, place_decoys
from arena.stages.rank.folding import Answers, fold_all
from arena.stages.rank.material import from_comparisons
from arena.stages.rank.presented import present
from arena.stages.rank.scoring import measure_sheets, score_transcripts
from arena.stages.rank.served import describe_served, find_served
from arena.stages.rank.table import tabulate
from arena.store.store import Store


def rank(
    job: Job,
    *,
    store: Store,
    software: str,
    at: str,
    method: Method | None = None,
    check: bool = False,
    mixed_judges: bool = False,
) -> Board:
    """Fit the board of a job and keep it; free, offline, and safe to repeat.

    `method`: options of the fit, by default those of `choose_method`. `check`: ask choix too.
    `mixed_judges`: take the answers of all model strings that served a judge; by default those of
    the one with most answers, because what another string serves is another judge.
    """
    method = method or choose_method(job)
    specs = job.all_transcripts()
    planned = plan_presentations(
        suite=job.suite,
        mode=job.mode,
        transcripts=specs,
        judges=job.judges,
        agents=job.agents,
        guard=job.guard,
    )
    presentations = planned.seated(store.verdicts.blocked(planned.contested))
    sheet_plan, sheets = _sheets(job, store)
    verdicts = {v.presentation.key: v for v in store.verdicts.all(presentations)}
    served = find_served(sheets.values(), verdicts.values(), store)
    split = split_served(served, {} if mixed_judges else most_served(served))
    sheets = {key: sheet for key, sheet in sheets.items() if key not in split.others}
    answers = Answers(
        verdicts=verdicts,
        todo=store.verdicts.todo(presentations),
        transcripts=frozenset({s.key for s in specs} - set(store.transcripts.todo(specs))),
        split=split,
        least=job.min_judges,
    )
    decoys = {a.agent for a in job.decoys}
    ranked = [p for p in presentations if not {p.agent_a, p.agent_b} & decoys]
    thin = [t for t in planned.thin if not {t.agent_a, t.agent_b} & decoys]
    folded = fold_all(ranked, answers, thin=thin)
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
    if job.suite.choice is not None:
        # The answer key shows nothing in any order, so that nothing can flip.
        material = replace(material, flipped=None)
    if method.controls:
        used = [p for p in ranked if p.key not in split.others]
        material = replace(material, presented=present(job, material, used, store))
    measured = measure_sheets(job, sheet_plan, sheets)
    scores = score_transcripts(job, measured, names=split.names)
    board = build_board(
        tabulate(material, method),
        BoardIdentity(
            suite=job.suite.suite,
            suite_version=job.suite.version,
            suite_digest=job.suite.digest(),
            mode=job.mode,
            panel=tuple(
                split.names.get(j.judge, j.judge) for j in job.judges if "pairwise" in j.uses
            ),
            software=software,
            at=at,
        ),
        scores=[s for s in scores if s.agent not in decoys],
        check=check,
    )
    accuracy = measure_accuracy(job, sheet_plan, sheets, level=method.level)
    board = replace(board, accuracy=accuracy)
    about = [p for p in presentations if {p.agent_a, p.agent_b} & decoys]
    apart = fold_all(about, answers)
    met = Met(comparisons=apart.comparisons, planned=apart.planned, scores=scores)
    if decoys:
        # The data of a board with decoys are what they met, too.
        board = replace(board, data_digest=digest([board.data_digest, decoy_rows(met)]))
    audit = Audit(
        decoys=place_decoys(job, board, folded.comparisons, met),
        pairs=find_thin(job, ranked, thin, folded.comparisons),
        served=describe_served(served, mixed=mixed_judges),
        mixed=mixed_judges,
        injections=count_injections(
            sheets.values(),
            (verdicts[p.key] for p in ranked if p.key in verdicts),
            frozenset(a.agent for a in job.ranked),
        ),
        repeats=find_repeats(job, measured, verdicts, ranked),
    )
    board = replace(
        board,
        notes=(*board.notes, *audit_notes(audit)),
        diagnostics=replace(board.diagnostics, audit=audit),
    )
    store.boards.add(board, run=job.run, domains=job.selection.domains)
    return board


def _facts(job: Job) -> dict[str, dict[str, tuple[str, ...]]]:
    """What is known of scenarios that boards are cut by: column → scenario → names."""
    scenarios = job.selection.scenarios_of(job.suite)
    return {
        "domain": {s.scenario: (s.domain,) for s in scenarios},
        "tag": {s.scenario: tuple(s.tags) for s in scenarios},
    }


def _sheets(job: Job, store: Store) -> tuple[tuple[SheetSpec, ...], dict[str, Sheet]]:
    """The sheets that are planned, and those that were answered, by key."""
    planned = plan_sheets(
        suite=job.suite,
        mode=job.mode,
        transcripts=job.all_transcripts(),
        judges=job.judges,
        agents=job.agents,
        guard=job.guard,
    )
    specs = planned.seated(store.sheets.blocked(planned.contested))
    return specs, {s.spec.key: s for s in store.sheets.all(specs)}
