"""Boards for pages: every state of a standing, and every part that a board may have."""

from dataclasses import replace

from arena.domain.board import (
    SCHEMA,
    Agreement,
    Board,
    Calibration,
    Diagnostics,
    Effect,
    JudgeCount,
    Residual,
    RowCount,
    Slice,
    SliceStanding,
)
from arena.domain.eligibility import Eligibility, GateResult, GateShare, Quotation, together
from arena.domain.flag import Accuser, Flag
from arena.domain.gate import Gate
from arena.domain.method import Method
from arena.domain.standing import AbsoluteScore, PairStanding, Points, Standing, State, Why
from arena.site.facts import AgentFact, Design, Edition
from tests.site.hostile import AT, EVIL, EVIL_NAMES


def standing(agent, state=State.RANKED, **changes):
    score = AbsoluteScore(mean=70.25, low=60.0, high=80.0, scenarios=3, planned=3)
    few = AbsoluteScore(mean=6.5, low=None, high=None, scenarios=2, planned=3)
    values = {
        "agent": agent,
        "state": state,
        "why": None,
        "rating": 1000.0,
        "low": 960.0,
        "high": 1040.0,
        "open": None,
        "se": 20.0,
        "se_clustered": 20.0,
        "rank_low": None,
        "rank_high": None,
        "resample_rank_low": None,
        "resample_rank_high": None,
        "p_best": None,
        "wins": 10,
        "ties": 5,
        "losses": 15,
        "share": 0.4167,
        "comparisons": 30,
        "scenarios": 3,
        "planned": 36,
        "excluded": {"unparsed": 3, "no_transcript": 2, "brand_new_reason": 1},
        "worst": None,
        "best": None,
        "controlled": None,
        "calibrated": None,
        "figure": None,
        "absolute": score,
        "criteria": {"care": few, "harm": few, "chatty": few},
        "domains": {"alpha": few, "beta": score},
    }
    return Standing(**{**values, **changes})


def pair(a, b, decision=None, **changes):
    values = {
        "a": a,
        "b": b,
        "n": 6,
        "scenarios": 3,
        "planned": 6,
        "missing": 0.0,
        "share": 0.75,
        "wins": 4,
        "ties": 1,
        "losses": 1,
        "flips": 1,
        "p_a_above_b": 0.99,
        "se": 35.0,
        "difference": 80.0,
        "low": 10.0,
        "high": 150.0,
        "p": 0.01,
        "p_holm": 0.03,
        "decision": decision,
        "expected": 0.6,
        "residual": 0.15,
        "z": 0.9,
    }
    return PairStanding(**{**values, **changes})


def make_board(
    standings, pairs=(), *, suite="tiny", mode="natural", digest="", notes=(), **changes
):
    values = {
        "schema": SCHEMA,
        "suite": suite,
        "suite_version": "1.0.0",
        "suite_digest": digest,
        "mode": mode,
        "panel": ("judge-a", "judge-b"),
        "method": Method(seed=7),
        "scenarios": 3,
        "scenarios_planned": 3,
        "comparisons": 90,
        "notes": tuple(Why(key=key) for key in notes),
        "agents": tuple(standings),
        "pairs": tuple(pairs),
        "slices": (),
        "effects": (),
        "calibration": None,
        "diagnostics": Diagnostics(
            flips=4,
            flip_rate=0.12,
            ties=9,
            tie_share=0.2,
            cycles=1,
            triads=20,
            cycle_examples=((standings[0].agent,) * 3,) if standings else (),
            residuals=(),
            spearman=0.5,
            misfit=1.1,
            tie_parameter=None,
            second_opinion=None,
            orders={},
            rows=RowCount(read=200, used=180, excluded={"unparsed": 20}),
            judges=(
                JudgeCount(judge="judge-a", comparisons=45, flips=2, ties=5, rows={"ok": 90}),
                JudgeCount(judge="judge-b", comparisons=45, flips=2, ties=4, rows={"ok": 90}),
            ),
        ),
        "software": "arena 0.1.0",
        "data_digest": "d" * 32,
        "at": AT,
    }
    return Board(**{**values, **changes})


def every_state(suite):
    """A board on which each state of a standing occurs."""
    a, b, c, d, e, f = EVIL_NAMES
    none = {"rating": None, "low": None, "high": None, "se": None, "se_clustered": None}
    short = {
        "comparisons": 12,
        "min_comparisons": 30,
        "scenarios": 3,
        "min_scenarios": 10,
        "readable": 0.5,
        "min_readable": 0.8,
        "also": [],
    }
    standings = (
        standing(a, rank_low=1, rank_high=2, rating=1100.0, low=1050.0, high=1160.0),
        standing(b, rank_low=1, rank_high=2, rating=1010.0, low=970.0, high=1050.0),
        standing(c, State.PROVISIONAL, why=Why(key="few_scenarios", facts=short)),
        standing(
            d,
            State.UNBOUNDED,
            why=Why(key="undefeated", facts={"comparisons": 20, "scenarios": 3}),
            open="above",
            **{**none, "low": 1205.0},
        ),
        standing(e, State.DISCONNECTED, why=Why(key="separate", facts={"connect": [a, e]}), **none),
        standing(
            f,
            State.DISCONNECTED,
            why=Why(key="no_comparisons", facts={}),
            **{**none, "comparisons": 0, "share": None, "absolute": None, "excluded": {}},
        ),
    )
    pairs = (pair(*sorted((a, b)), None), pair(*sorted((a, e)), n=0, share=None))
    return make_board(standings, pairs, digest=suite.digest())


def slice_of(by, value, *agents, comparisons=40, scenarios=12):
    return Slice(
        by=by, value=value, comparisons=comparisons, scenarios=scenarios, agents=tuple(agents)
    )


def part(agent, state=State.RANKED, rating=1000.0, ranks=(1, 2), **changes):
    """A standing in a slice; no rank, interval or rating where its state allows none."""
    ranked, rated = state is State.RANKED, state in (State.RANKED, State.PROVISIONAL)
    values = {
        "agent": agent,
        "state": state,
        "rating": rating if rated else None,
        "low": rating - 60 if ranked else None,
        "high": rating + 60 if ranked else None,
        "rank_low": ranks[0] if ranked else None,
        "rank_high": ranks[1] if ranked else None,
        "share": 0.5,
        "comparisons": 20,
        "scenarios": 12,
    }
    return SliceStanding(**{**values, **changes})


def gated(n):
    """Every state of eligibility in turn, with hostile quotations, people and judges."""
    state, *own = [("failed", "below"), ("unknown", "no_scores"), ("passed", "")][n % 3]
    if n == 3:
        state, own = "awaiting", ["unreviewed"]
    cases = 0 if state == "unknown" else 4
    share = {"met": cases // 2, "cases": cases, "low": None, "high": None, "share": None}
    if cases:
        share |= {"share": 0.5, "low": 0.15, "high": 0.85}
    result = GateResult(
        gate=0,
        state=state,
        why=own[0],
        panel=GateShare(judge=None, **share),
        judges=(GateShare(judge=EVIL[:30], kin=True, **share), GateShare(judge="judge-a", **share)),
        planned=6,
        failed=1,
        waiting=1,
        open=2,
        turned=1,
        people=(EVIL[:30],),
    )
    quotation = Quotation(
        scenario=EVIL[:20], round=-1, quote=EVIL, judge=EVIL[:20], criterion="care", score=1.0
    )
    return Eligibility(
        state=together([state]),
        gates=(result, replace(result, gate=1)),
        worst=(quotation,) * (n % 3),
    )


def whole(suite):
    """The board of every state with every other part that a board may have, hostile throughout."""
    board = every_state(suite)
    a, b, c, d, e, _ = EVIL_NAMES
    freed = {
        a: {"controlled": Points(rating=1090.0, low=1020.0, high=1160.0, se=35.0)},
        b: {
            "worst": 905.0,
            "best": 1075.0,
            "calibrated": Points(rating=1001.0, low=None, high=None, se=None),
        },
        c: {"worst": None, "best": 1190.0},
    }
    slices = (
        slice_of(
            "domain",
            "alpha",
            part(a, rating=1040.0),
            part(c, State.PROVISIONAL, 960.0),
            part(d, State.UNBOUNDED, low=1111.0),
            part(e, State.DISCONNECTED),
        ),
        slice_of("domain", "beta", part(b, State.UNBOUNDED, high=888.0), part(d, State.UNBOUNDED)),
        *(slice_of("tag", f"{EVIL[:40]} {n}", part(a, State.PROVISIONAL)) for n in range(9)),
        slice_of("judge", "judge-a", part(a), part(b)),
        slice_of("without_judge", "judge-a", part(b, rating=1100.0), part(a, rating=990.0)),
        slice_of("without_judge", "judge-b", part(a, rating=1100.0, ranks=(1, 1)), part(b)),
        slice_of(EVIL[:30], EVIL[:30], part(a)),
    )
    residual = Residual(a=a, b=b, n=6, share=0.75, expected=0.6, residual=0.15, z=0.9)
    effect = {"se": 0.1, "low": 0.2, "high": 0.6, "p": 0.0004, "rows": 160}
    return replace(
        board,
        method=replace(
            board.method,
            ties="davidson",
            prior_sd=10.0,
            cluster=("scenario", EVIL[:20]),
            controls=("position", "headers"),
            by=("domain", "tag", "judge"),
            versions={"numpy": "2.1", EVIL[:9]: EVIL[:20]},
        ),
        agents=tuple(
            replace(s, **freed.get(s.agent, {}), eligibility=gated(n))
            for n, s in enumerate(board.agents)
        ),
        gates=(
            Gate(suite="s", criterion="care", where="red_flags", at_least=10, quota=0.9),
            Gate(suite="s", criterion="harm", where=f"tag:{EVIL[:30]}", at_least=1, quota=1),
        ),
        flags=(
            Flag(
                id="f",
                agent=a,
                scenario=EVIL[:20],
                transcript="t",
                flag=EVIL[:20],
                round=-1,
                quote=EVIL,
                found=True,
                judges=(Accuser(judge=EVIL[:20], handled="no", score=None, kin=True),),
                human="confirmed",
                people=(EVIL[:20],),
            ),
        ),
        slices=slices,
        effects=(
            Effect(control="position", judge="judge-a", effect=0.4, **effect),
            Effect(control=EVIL[:30], judge=None, effect=-0.2, **effect),
            Effect(
                control="vendor",
                judge=None,
                effect=0.1,
                **{**effect, "se": None, "low": None, "high": None, "p": None},
            ),
        ),
        calibration=Calibration(
            labelled=40,
            scenarios=12,
            probability=0.2,
            power=0.8,
            agreement=(
                Agreement(measure="raw", value=0.81, low=0.7, high=0.9, n=40),
                Agreement(measure="kappa", value=None, low=None, high=None, n=40),
                Agreement(measure="alpha", value=0.6, low=None, high=None, n=40),
            ),
        ),
        notes=(
            Why(key="rows_drawn"),
            Why(key="narrow_interval", facts={"interval": "percentile", "scenarios": 12}),
            Why(key="many_missing", facts={"agents": [b, c]}),
            Why(key="order_matters"),
            Why(key="uncontrolled", facts={"rows": 5}),
            Why(key="a_note_of_tomorrow", facts={}),
        ),
        diagnostics=replace(
            board.diagnostics,
            residuals=(residual, replace(residual, z=-0.5)),
            tie_parameter=0.62,
            second_opinion=3e-9,
            orders={a: (910.0, 1130.0), b: (990.0, 1010.0)},
        ),
    )


def edition_of(board, job, **facts):
    """The edition of a board without a store; `facts` by agent id are those of the agent."""
    known = {a.agent: a for a in job.agents}
    return Edition(
        job=job,
        board=board,
        at=AT,
        stale=False,
        agents=tuple(
            AgentFact(
                **{
                    "id": s.agent,
                    "agent": known.get(s.agent),
                    "finished": 3,
                    "planned": 3,
                    "cost": None,
                    "priced": 0,
                    "latency_ms": None,
                    "absolute": None,
                    "scored": 0,
                    "apart": {},
                    "kin": (),
                    **facts.get(s.agent, {}),
                }
            )
            for s in board.agents
        ),
        judges=(),
        scenarios=(),
        transcripts={},
        comparisons={},
        spend=(),
        design=Design(
            comparisons=0, scenarios=0, pairs=0, orders=0, judges=0, replicates=0, full=False
        ),
        guarded=(),
    )
