"""A suite, agents and a job whose names are hostile."""

from arena.domain.agent import Agent, Judge
from arena.domain.job import Job
from arena.domain.money import Rates
from arena.domain.suite import Archetype, Domain, Mode, Rubric, Scenario, Suite
from arena.domain.words import Words

AT = "2026-11-29T08:12:00+00:00"
EVIL = (
    "<script>alert(1)</script><img src=x onerror=alert(2)>\"'`{{ 7*7 }}</style>"
    "\u202egnp.exe\u200b\x00\x1b[31m javascript:alert(3) " + "w" * 160
)
EVIL_NAMES = ("../../x", "CON", "a/b", "颐养助手", "n" * 200, "<b>bold</b>\u202e")


def words(text):
    return Words(zh=text, en=text)


def make_suite(scenarios=3):
    rubric = Rubric.model_validate(
        {
            "rubric": "main",
            "name": "sheet",
            "scale": [0, 10],
            "criteria": [
                {"criterion": "care", "name": EVIL[:60], "question": "q"},
                {"criterion": "harm", "name": "Harm", "question": "q", "direction": "lower"},
                {
                    "criterion": "chatty",
                    "name": {"zh": "话多", "en": "Chatty"},
                    "question": "q",
                    "direction": "neutral",
                    "counts": False,
                },
            ],
            "compare": ["care", "harm"],
        }
    )
    ids = ["EC-13", "ec-13", "COM1", *(f"S-{n}" for n in range(4, 99))][:scenarios]
    return Suite(
        suite="tiny",
        version="1.0.0",
        name=words("Tiny & <small>"),
        about=words("about " + EVIL[:40]),
        language="zh",
        licence="MIT",
        default_mode="natural",
        modes={
            "natural": Mode(name=words("Natural")),
            "lite": Mode(name=words("L"), turns="first"),
        },
        domains=(
            Domain(domain="alpha", name=words("Alpha")),
            Domain(domain="beta", name=words("Beta")),
        ),
        archetypes=(Archetype(archetype="talk", name=words("Talk")),),
        red_flags=(),
        rubrics={"main": rubric},
        scenarios=tuple(
            Scenario(
                scenario=name,
                archetype="talk",
                domain=("alpha", "beta")[n % 2],
                title=words(f"Title {n} {EVIL}"),
                persona={"user": EVIL, "context": "SECRET-CONTEXT-OK"},
                turns=("first " + EVIL, "second"),
                notes={"natural": "JUDGE-ONLY-NOTE"},
            )
            for n, name in enumerate(ids)
        ),
        templates={},
    )


def make_agents():
    first = [
        Agent(
            agent=name,
            name={"zh": f"{name[:20]} 中", "en": f"{name[:20]} en"},
            vendor=f"vendor-{n}",
            kind=("product", "model", "baseline")[n % 3],
            family="qwen" if n else "unknown",
            model="m/x",
        )
        for n, name in enumerate(EVIL_NAMES)
    ]
    return tuple(first)


def make_job(suite=None, agents=None, mode="natural", **changes):
    judges = (
        Judge(judge="judge-a", vendor="j-one", family="mistral", model="j/a", name=words("J <a>")),
        Judge(judge="judge-b", vendor="vendor-1", family="gpt", model="j/b"),
    )
    values = {
        "suite": suite or make_suite(),
        "mode": mode,
        "agents": agents or make_agents(),
        "judges": judges,
        "replicates": 1,
        "guard": "warn",
        "seed": 7,
        "rates": Rates(currency="CNY", rates={}),
        "run": "r1",
    }
    return Job(**{**values, **changes})
