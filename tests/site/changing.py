"""Changes since a former board: each way in which an agent can have changed, hostile text."""

from decimal import Decimal

from arena.domain.bridge import Bridge, Drift
from arena.domain.changes import AgentChange, Changes, Shift
from arena.domain.money import Money
from arena.domain.standing import State, Why
from tests.site.boards import gated, standing
from tests.site.hostile import AT, EVIL, EVIL_NAMES

WHYS = ("unrated", "reference", "not_here", "method", "few", "unscored", "coverage", "judges")


def change(agent, presence="both", **changes):
    values = {
        "agent": agent,
        "presence": presence,
        "altered": False,
        "then": None if presence == "new" else standing(agent, rank_low=1, rank_high=3),
        "now": None if presence == "gone" else standing(agent, rank_low=2, rank_high=2),
        "rating": Shift(difference=12.0, low=-5.0, high=29.0),
        "absolute": Shift(difference=0.0, same=True),
    }
    return AgentChange(**{**values, **changes})


def changes_of(job, agents, **changes):
    values = {
        "suite": job.suite.suite,
        "mode": job.mode,
        "source": "leaderboard",
        "at": AT,
        "at_now": AT,
        "software": "arena 0.1.0",
        "software_now": "arena 0.1.0",
        "level": 0.95,
        "reference": (),
        "settled": False,
        "agents": tuple(agents),
        "bridges": (),
        "caveats": (),
        "names": {},
    }
    return Changes(**{**values, **changes})


def every_change(job):
    """Each presence, each reason for no interval, both ways of moving, and everything beside it."""
    a, b, c, d, e, f = EVIL_NAMES
    whys = [
        change(
            f"{EVIL[:30]} {why}",
            altered=None,
            rating=Shift(difference=None if why == "unrated" else -4.4, why=why),
            absolute=Shift(difference=None if why == "unscored" else 1.25, why=why),
        )
        for why in WHYS
    ]
    agents = (
        change(
            a,
            altered=True,
            rating=Shift(difference=60.4, low=20.2, high=100.6, moved=True),
            absolute=Shift(difference=3.25, low=0.5, high=6.0, moved=True),
            cost_then=Money(Decimal("0.01"), "CNY"),
        ),
        change(b, rating=Shift(difference=-33.0, low=-60.0, high=-6.0, moved=True)),
        change(
            c,
            then=standing(c, eligibility=gated(0)),
            now=standing(c, State.PROVISIONAL, eligibility=gated(2)),
        ),
        *whys,
        change(d, "new", now=standing(d, State.UNBOUNDED, rating=None, open="above", low=1205.0)),
        change(e, "new", now=standing(e, absolute=None)),
        change(EVIL, "gone"),
        change(f, "gone", then=standing(f, State.DISCONNECTED, rating=None, low=None, high=None)),
    )
    drift = {"half": 0.08, "presentations": 120, "scenarios": 30}
    bridge = Bridge(
        judge="judge-a",
        old=EVIL[:50],
        new="model-2",
        asked=130,
        read=120,
        others=2,
        scenarios=30,
        level=0.95,
        drifts=(
            Drift(agent=None, mean=0.0, low=None, high=None, **drift),
            Drift(agent=a, mean=-0.0125, low=-0.09, high=0.065, **drift),
            Drift(agent=EVIL, mean=0.2, low=0.12, high=0.28, **drift),
        ),
        finding="drifts",
    )
    return changes_of(
        job,
        agents,
        source=EVIL,
        software=EVIL[:20],
        reference=(a, b),
        settled=True,
        bridges=(bridge,),
        caveats=(
            Why(key="unknown", facts={"what": ["scenarios", "prompts", "models", "agents"]}),
            Why(key="software", facts={"then": EVIL[:20], "now": "arena 0.1.0"}),
            Why(key="gates"),
            Why(key="rescored", facts={"judges": ["judge-a", EVIL[:20]]}),
        ),
        names={EVIL: (EVIL, EVIL)},
    )
