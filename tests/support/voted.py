"""A workspace in a store in which judges and people say what a test tells them to."""

from collections.abc import Callable
from dataclasses import replace

from arena.cli.workspace import Narrowed, open_bench
from arena.designing.voting import draw_plan
from arena.domain.call import Message, Status
from arena.domain.transcript import Transcript
from arena.domain.verdict import CriterionVerdict, Outcome, Presentation, Verdict
from arena.domain.voting import HUMAN, Cast, Draw, VotePlan
from arena.judging.plans import presentations_of
from arena.judging.voting import Answer, verdict_of
from arena.stages.rank.choosing import choose_method
from arena.stages.rank.rank import rank
from arena.store.rows import transcript_row, verdict_rows
from arena.store.store import Store
from tests.e2e.conftest import Workspace, agent, judge

NOWHERE = "http://127.0.0.1:9"
RUN = "r"
TIMES = [f"2026-11-30T0{hour}:00:00.000Z" for hour in range(10)]
QUICK = {"resamples": 30, "interval": "clustered", "by": ()}
Says = Callable[[Presentation], Outcome | None]
Votes = Callable[[Draw], Outcome | None]


class Voted:
    """A job whose transcripts are there; nothing is asked of anybody."""

    def __init__(self, root, agents, *, scenarios, judges=("referee",), compare=("warmth",)):
        made = Workspace(root)
        made.write_suite(scenarios=scenarios, compare=list(compare))
        made.configure([agent(a, NOWHERE) for a in agents], [judge(j, NOWHERE) for j in judges])
        (self.job,) = open_bench(Narrowed(project=made.root)).jobs
        self.workspace = made
        self.store = Store(None)
        self._collect()

    def _collect(self):
        rows = []
        for n, spec in enumerate(self.job.all_transcripts()):
            said = [Message("user", "What now?"), Message("assistant", "Sit down.")]
            told = tuple(said * spec.rounds)
            found = Transcript(spec=spec, messages=told, calls=(f"c{n}",), at=TIMES[0])
            rows.append(transcript_row(found, RUN))
        self._append("transcript", rows)

    def judge(self, says: Says, *, at=TIMES[1], only=None):
        """Keep what judges say of presentations (in the scenarios `only`); None is unreadable."""
        kept = {}
        for shown in presentations_of(self.job).items:
            if only is not None and shown.scenario not in only:
                continue
            outcome = says(shown)
            sides = [CriterionVerdict(criterion="warmth", side=outcome, strength=3)]
            verdict = Verdict(
                presentation=shown,
                attempt=1,
                status=Status.OK if outcome else Status.UNPARSED,
                outcome=outcome,
                margin=None,
                reason="",
                criteria=tuple(sides) if outcome else (),
                flags=(),
                codes=("K1", "M2"),
                call=f"v{shown.key}",
                at=at,
            )
            for table, rows in verdict_rows(verdict, RUN):
                kept.setdefault(table, []).extend(rows)
        for table, rows in kept.items():
            self._append(table, rows)

    def draw(self, *, size, share=1.0, seed=1, whole=False) -> VotePlan:
        """Draw what people are asked, and keep it."""
        job = replace(self.job, seed=seed)
        plan, frame = draw_plan(job, self.store, size=size, share=share, whole=whole)
        self.store.voting.add_plan(plan, frame, run=RUN, at=TIMES[2])
        return plan

    def vote(self, plan, person, votes: Votes, *, most=None, criteria=(), attempt=1):
        """One person answers the plan in their own order, the first `most` of it."""
        casts = []
        for place in plan.order_for(person)[:most]:
            draw = plan.draws[place]
            side = side_of(votes(draw), draw)
            verdict = verdict_of(
                Answer(choice=side, criteria=dict.fromkeys(criteria if side else (), side)),
                draw,
                self.job,
                person,
                item=plan.item(place),
                attempt=attempt,
                at=TIMES[3],
            )
            casts.append(Cast(plan=plan.key, place=place, verdict=verdict, via="browser"))
        return self.store.voting.add(casts, run=RUN)

    def forget(self, *tables):
        """Empty some tables."""
        for table in tables:
            self.store._connection.execute(f"delete from {table}")

    def forget_votes(self):
        """As before anybody voted."""
        self.forget(
            "vote", "vote_draw", "vote_frame", "vote_plan", "vote_withdrawn", "board", "report"
        )
        for table, column in (("verdict_criterion", "verdict"), ("verdict", "key")):
            told = f"select key from verdict where starts_with(judge, '{HUMAN}')"
            self.store._connection.execute(f"delete from {table} where {column} in ({told})")

    def rank(self, *, job=None, **options):
        job = job or self.job
        method = choose_method(job, **{**QUICK, **options})
        return rank(job, store=self.store, software="arena", at=TIMES[4], method=method)

    def _append(self, table, rows):
        if rows:
            appender = self.store._connection.appender(table)
            appender.append_rows([list(row) for row in rows])
            appender.flush()


def side_of(outcome, draw):
    """How a person names who won, in the order that was shown."""
    if outcome is None:
        return None
    if outcome is Outcome.TIE:
        return "tie"
    return "first" if (outcome is Outcome.A) == (draw.order == "ab") else "second"
