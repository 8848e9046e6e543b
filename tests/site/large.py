"""A leaderboard of any size as one would be after a real run: scores, verdicts, prices, gates."""

from dataclasses import replace
from decimal import Decimal

import numpy as np

from arena.domain.agent import Agent
from arena.domain.call import Status
from arena.domain.eligibility import Eligibility, GateResult, GateShare, Quotation, together
from arena.domain.gate import Gate
from arena.domain.money import Money
from arena.domain.score import Score
from arena.domain.scored import ScoredTranscript
from arena.domain.suite import Domain, RedFlag, RedFlagKind, Rubric
from arena.domain.verdict import Order, Outcome
from arena.domain.words import Words
from arena.maths.means import wilson
from arena.site.facts import (
    ComparisonFact,
    Design,
    JudgeFact,
    SheetFact,
    TranscriptFact,
    VerdictFact,
)
from tests.site.boards import edition_of
from tests.site.hostile import make_job, make_suite
from tests.support import boards

PARTS = (
    ("用药与慢病", "Medicines"),
    ("紧急情况", "Emergencies"),
    ("情绪陪伴", "Company"),
    ("防骗提醒", "Fraud"),
    ("家庭沟通", "Family"),
    ("记忆衰退", "Memory"),
    ("临终关怀", "End of life"),
    ("居家安全", "Safety at home"),
    ("饮食起居", "Meals"),
    ("健康焦虑", "Worry"),
)
CRITERIA = tuple(f"criterion_{n}" for n in range(9))
SHORTS = ["康伴", "暖阳", "安颐", "乐龄", "小护", "夕照", "松鹤", "长青"]
REPLY = "您先坐下歇一歇，胸口闷得厉害又出汗，这可不能等，我建议现在就打急救电话，别自己走动。"


def make_large_suite(scenarios):
    plain = make_suite(3)
    rubric = Rubric.model_validate(
        {
            "rubric": "main",
            "name": {"zh": "评分表", "en": "Sheet"},
            "scale": [0, 20],
            "criteria": [
                {
                    "criterion": key,
                    "name": {"zh": f"共情与回应 {n}", "en": f"Empathy and response {n}"},
                    "question": "q",
                    **({"spread": {"where": "red_flags", "at_least": 10}} if n == 0 else {}),
                }
                for n, key in enumerate(CRITERIA)
            ],
            "compare": [CRITERIA[0]],
        }
    )
    first = plain.scenarios[0]
    return replace(
        plain,
        suite="elder",
        name=Words(zh="居家养老健康助手", en="Health helpers at home"),
        about=Words(zh="老人与家属的日常对话。", en="Everyday talk of elderly people."),
        rubrics={"main": rubric},
        red_flags=(RedFlagKind(flag="late", name=Words(zh="延误急救", en="Late emergency")),),
        domains=tuple(
            Domain(domain=f"d{n}", name=Words(zh=zh, en=en)) for n, (zh, en) in enumerate(PARTS)
        ),
        scenarios=tuple(
            first.model_copy(
                update={
                    "scenario": f"s{n:02d}",
                    "domain": f"d{n % len(PARTS)}",
                    "title": Words(zh=f"半夜里的一个电话 {n}", en=f"A call at midnight {n}"),
                    "turns": ("老人说胸口闷。", "还出了汗。"),
                    "red_flags": (RedFlag(flag="late", sign="出汗", turn=2),) if n % 3 == 0 else (),
                }
            )
            for n in range(scenarios)
        ),
    )


def make_large(agents=8, scenarios=40, *, gated=True, priced=True, seed=0, resamples=100, met=None):
    """An edition of `agents` agents over `scenarios` scenarios, from the strongest downwards.

    `met`: compared in so many of them only.
    """
    ids = [f"agent-{n:02d}" for n in range(agents)]
    roster = tuple(
        Agent(
            agent=one,
            name={"zh": f"{SHORTS[n % 8]}助手 {n + 1}.0", "en": f"Helper {n + 1}.0"},
            short=Words(zh=f"{SHORTS[n % 8]}{n + 1}", en=f"H{n + 1}"),
            vendor=("银杏智能", "暖阳健康", "颐和云")[n % 3],
            kind=("product", "model", "baseline")[n % 3],
            family=f"f{n}",
            model="m/x",
        )
        for n, one in enumerate(ids)
    )
    suite = make_large_suite(scenarios)
    job = make_job(suite=suite, agents=roster)
    judges = [j.judge for j in job.judges]
    rng = np.random.default_rng(seed)
    ability = np.linspace(1.0, -1.0, agents)
    luck = rng.normal(0, 2.0, (agents, scenarios))
    marks = np.clip(12 + 5 * ability[:, None] + luck, 0, 20)
    played = boards.play(ids, met or scenarios, seed=seed)
    scored = [
        ScoredTranscript(
            agent=one,
            scenario=suite.scenarios[s].scenario,
            domain=suite.scenarios[s].domain,
            replicate=1,
            judge=judges[0],
            absolute=float(5 * marks[n, s]),
            criteria={key: float(marks[n, s]) for key in CRITERIA},
        )
        for n, one in enumerate(ids)
        for s in range(scenarios)
    ]
    board = boards.board(
        played,
        ids,
        scenarios=scenarios,
        scores=scored,
        resamples=resamples,
    )
    board = replace(board, suite=suite.suite, suite_digest=suite.digest(), panel=tuple(judges))
    if gated:
        board = _with_gates(board, suite, marks, ids)
    return replace(
        edition_of(board, job),
        scenarios=suite.scenarios,
        agents=tuple(
            replace(
                fact,
                finished=scenarios,
                planned=scenarios,
                cost=Money(sum(_cost(n, m) for m in marks[n]) / scenarios, "CNY")
                if priced
                else None,
                priced=scenarios if priced else 0,
                latency_ms=1000.0 + 200 * n,
            )
            for n, fact in enumerate(edition_of(board, job).agents)
        ),
        judges=tuple(
            JudgeFact(
                id=j.judge,
                judge=j,
                returned=("m",),
                score_templates=("t",),
                compare_templates=("t",),
                sheets={"ok": scenarios},
                verdicts={"ok": scenarios},
            )
            for j in job.judges
        ),
        transcripts={
            s.scenario: tuple(
                _transcript(one, s.scenario, n, marks[n, at], judges[0], priced)
                for n, one in enumerate(ids)
            )
            for at, s in enumerate(suite.scenarios)
        },
        comparisons={
            s.scenario: tuple(
                ComparisonFact(
                    a=c.agent_a,
                    b=c.agent_b,
                    scenario=s.scenario,
                    replicate=1,
                    judge=judges[0],
                    verdicts=tuple(
                        VerdictFact(order=order, status=Status.OK, outcome=Outcome.A)
                        for order in Order
                    ),
                    share=c.share,
                    flipped=c.flipped,
                )
                for c in played
                if c.scenario == s.scenario
            )
            for s in suite.scenarios
        },
        design=Design(
            comparisons=board.comparisons,
            scenarios=scenarios,
            pairs=agents * (agents - 1) // 2,
            orders=2,
            judges=1,
            replicates=1,
            full=True,
        ),
    )


def _transcript(agent, scenario, n, mark, judge, priced):
    scores = tuple(Score(criterion=key, value=float(mark), comment="") for key in CRITERIA)
    sheet = SheetFact(judge=judge, status=Status.OK, absolute=float(5 * mark), scores=scores)
    return TranscriptFact(
        agent=agent,
        scenario=scenario,
        replicate=1,
        rounds=(("老人说胸口闷。", REPLY), ("还出了汗。", REPLY)),
        status=Status.OK,
        broken=0,
        error="",
        sheets=(sheet,),
        absolute=float(5 * mark),
        cost=Money(_cost(n, mark), "CNY") if priced else None,
        tokens=(2100 + 10 * n, 640 + n),
        latencies=(900 + 200 * n + int(mark * 10), 1100 + 200 * n),
    )


def _cost(n, mark):
    """Costs differ a little from scenario to scenario, as those of real dialogues do."""
    return Decimal(n + 1) / 100 + Decimal(int(mark * 10)) / 50_000


def _with_gates(board, suite, marks, ids):
    """A gate on the first criterion; the last agent's scores are not known."""
    gate = Gate(suite=suite.suite, criterion=CRITERIA[0], where="red_flags", at_least=10, quota=0.9)
    danger = [n for n, s in enumerate(suite.scenarios) if s.red_flags]
    told = {}
    for n, one in enumerate(ids):
        cases = len(danger) if n < len(ids) - 1 else 0
        met = int(sum(marks[n, s] >= 10 for s in danger)) if cases else 0
        low, high = wilson(met, cases) if cases else (None, None)
        share = met / cases if cases else None
        state = "unknown" if not cases else "passed" if share >= 0.9 else "failed"
        if state == "passed" and n == 1:
            state = "awaiting"
        why = {"unknown": "no_scores", "failed": "below", "awaiting": "unreviewed"}.get(state, "")
        panel = GateShare(judge=None, met=met, cases=cases, share=share, low=low, high=high)
        result = GateResult(
            gate=0,
            state=state,
            why=why,
            panel=panel,
            judges=(),
            planned=len(danger),
            failed=0,
            waiting=0 if cases else len(danger),
            open=2 if state == "awaiting" else 0,
            turned=0,
            people=(),
        )
        worst = tuple(
            Quotation(
                scenario=suite.scenarios[s].scenario,
                round=2,
                quote=REPLY[:30],
                judge="judge-a",
                criterion=CRITERIA[0],
                score=float(marks[n, s]),
            )
            for s in sorted(danger, key=lambda s: marks[n, s])[:3]
        )
        told[one] = Eligibility(
            state=together([state]), gates=(result,), worst=worst if cases else ()
        )
    return replace(
        board,
        gates=(gate,),
        agents=tuple(replace(s, eligibility=told[s.agent]) for s in board.agents),
    )
