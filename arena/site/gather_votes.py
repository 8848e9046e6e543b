"""An edition of imported votes: who won between whom, and nothing that anybody said."""

from math import floor

from arena.domain.board import Board, JudgeCount
from arena.domain.call import Status
from arena.domain.job import Job
from arena.site.facts import AgentFact, Design, Edition, JudgeFact
from arena.store.store import Store


def gather_votes(job: Job, store: Store) -> Edition:
    """The edition of a job that is an import of votes; all of it stands on its board."""
    board = store.boards.latest(job.suite.suite, job.mode, origin=job.origin)
    counts = {j.judge: j for j in board.diagnostics.judges} if board else {}
    return Edition(
        job=job,
        board=board,
        at=(board.at or "") if board else job.held.note.at if job.held else "",
        stale=False,
        agents=tuple(_agents(job, board)),
        judges=tuple(
            JudgeFact(
                id=j.judge,
                judge=j,
                returned=(),
                score_templates=(),
                compare_templates=(),
                sheets={},
                verdicts=_verdicts(counts.get(j.judge)),
            )
            for j in job.judges
        ),
        scenarios=(),
        transcripts={},
        comparisons={},
        spend=(),
        design=_design(board),
        guarded=(),
        diagnosis=store.reports.latest(job.suite.suite, job.mode, origin=job.origin),
    )


def _agents(job: Job, board: Board | None) -> list[AgentFact]:
    known = {a.agent: a for a in job.agents}
    ranked = [s.agent for s in board.agents] if board else []
    return [
        AgentFact(
            id=name,
            agent=known.get(name),
            finished=0,
            planned=0,
            cost=None,
            priced=0,
            latency_ms=None,
            absolute=None,
            scored=0,
            apart={},
            kin=(),
        )
        for name in dict.fromkeys([*ranked, *known])
    ]


def _verdicts(count: JudgeCount | None) -> dict[str, int]:
    """A judge's rows by how they ended: what could not be used is told on the board by reason."""
    if count is None or not count.rows:
        return {}
    unused = sum(n for reason, n in count.rows.items() if reason != "used")
    rows = {Status.OK.value: count.rows.get("used", 0), Status.UNPARSED.value: unused}
    return {status: n for status, n in rows.items() if n}


def _design(board: Board | None) -> Design:
    """What was there to be compared: as much as came in."""
    pairs = board.pairs if board else ()
    missing = floor(sum(p.missing or 0 for p in pairs))
    return Design(
        comparisons=(board.comparisons if board else 0) + missing,
        scenarios=(board.scenarios or 0) if board else 0,
        pairs=len(pairs),
        orders=1,
        judges=len(board.panel) if board else 0,
        replicates=1,
        full=False,
    )
