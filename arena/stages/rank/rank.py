"""rank: verdicts and scores of a job → its board.

Reads the plan, `verdict`, `sheet`, `score`, `call`, `vote` and `flag_decision`; writes `board`.
What is not planned any more (an older note, another judge) does not enter; what is missing is
counted by reason.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from arena.designing.current import plan_in_force, planned_presentations
from arena.domain.audit import Audit
from arena.domain.board import Board, BoardIdentity
from arena.domain.digest import digest
from arena.domain.job import Job
from arena.domain.method import Method
from arena.domain.rounds import Measured
from arena.domain.scored import ScoredTranscript
from arena.judging.plans import presentations_of
from arena.stages.rank.accuracy import measure_accuracy
from arena.stages.rank.apart import add_apart
from arena.stages.rank.auditing import audit_notes, count_injections, find_repeats, find_thin
from arena.stages.rank.basis import find_basis
from arena.stages.rank.board import build_board
from arena.stages.rank.by_people import add_people
from arena.stages.rank.choosing import choose_method
from arena.stages.rank.compared import Compared, read_compared
from arena.stages.rank.decoys import Met, decoy_rows, place_decoys
from arena.stages.rank.eligible import add_eligibility
from arena.stages.rank.folding import fold_all
from arena.stages.rank.planned import level_by, mark
from arena.stages.rank.presented import present
from arena.stages.rank.scoring import measure_sheets, score_transcripts
from arena.stages.rank.served import describe_served
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

    `method`: options of the fit, by default those of `choose_method`; its level is that of all
    looks together. `check`: ask choix too. `mixed_judges`: see `read_compared`.
    """
    method = method or choose_method(job)
    plan = None if job.held else plan_in_force(job, store)
    if plan is None:
        planned = presentations_of(job)
    else:
        planned, method = planned_presentations(job, plan), level_by(plan, method)
    found = read_compared(job, store, planned, mixed_judges=mixed_judges)
    material = found.material
    if method.controls:
        used = [p for p in found.ranked if p.key not in found.split.others]
        material = replace(material, presented=present(job, material, used, store))
    measured = measure_sheets(job, found.sheet_plan, found.sheets)
    scores = score_transcripts(job, measured, names=found.split.names)
    decoys = {a.agent for a in job.decoys}
    table = tabulate(material, method)
    board = build_board(
        table,
        _identity(job, found, software=software, at=at),
        scores=[s for s in scores if s.agent not in decoys],
        check=check,
    )
    board = replace(
        board,
        agents=add_apart(job, board.agents, found.sheet_plan, found.sheets, method),
        accuracy=measure_accuracy(job, found.sheet_plan, found.sheets, level=method.level),
        imported=None if job.held is None else job.held.note,
        basis=find_basis(job, found),
    )
    board = add_people(job, store, board, table, found)
    if plan is not None:
        board = mark(board, plan)
    board = _audited(job, board, found, scores, measured, mixed=mixed_judges)
    board = add_eligibility(job, board, found, measured, store)
    store.boards.add(board, run=job.run, domains=job.selection.domains, origin=job.origin)
    return board


def _identity(job: Job, found: Compared, *, software: str, at: str) -> BoardIdentity:
    return BoardIdentity(
        suite=job.suite.suite,
        suite_version=job.suite.version,
        suite_digest=job.suite.digest(),
        mode=job.mode,
        panel=tuple(
            found.split.names.get(j.judge, j.judge) for j in job.judges if "pairwise" in j.uses
        ),
        software=software,
        at=at,
    )


def _audited(
    job: Job,
    board: Board,
    found: Compared,
    scores: Sequence[ScoredTranscript],
    measured: Mapping[tuple[str, str], Sequence[Measured]],
    *,
    mixed: bool,
) -> Board:
    """The board with what is to be known of its judges: decoys, thin pairs, who served them."""
    decoys = {a.agent for a in job.decoys}
    about = [p for p in found.presentations if {p.agent_a, p.agent_b} & decoys]
    apart = fold_all(about, found.answers)
    met = Met(comparisons=apart.comparisons, planned=apart.planned, scores=scores)
    if decoys:
        # The data of a board with decoys are what they met, too.
        board = replace(board, data_digest=digest([board.data_digest, decoy_rows(met)]))
    audit = Audit(
        decoys=place_decoys(job, board, found.folded.comparisons, met),
        pairs=find_thin(job, found.ranked, found.thin, found.folded.comparisons),
        served=describe_served(found.served, mixed=mixed, joined=found.joined),
        bridges=found.bridges,
        mixed=mixed,
        injections=count_injections(
            found.sheets.values(),
            (found.verdicts[p.key] for p in found.ranked if p.key in found.verdicts),
            frozenset(a.agent for a in job.ranked),
        ),
        repeats=find_repeats(job, measured, found.verdicts, found.ranked),
    )
    return replace(
        board,
        notes=(*board.notes, *audit_notes(audit)),
        diagnostics=replace(board.diagnostics, audit=audit),
    )
