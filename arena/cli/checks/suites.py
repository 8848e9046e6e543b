"""What is configured: the file, the suites that are played, and modes that products cannot play."""

from collections.abc import Iterator

from arena.cli.checks.scene import Scene, way_of
from arena.domain.agent import Agent
from arena.domain.call import Message
from arena.domain.finding import Finding
from arena.domain.tokens import estimate_prompt
from arena.stages.doctor import longest_turn


def check_configuration(scene: Scene) -> Iterator[Finding]:
    """The file was read before anything else was looked at: how much it lists."""
    config = scene.bench.config
    yield Finding(
        check="configuration",
        state="ok",
        said="check_configuration",
        facts={
            "file": str(scene.bench.workspace.config),
            "agents": len(config.agents),
            "judges": len(config.judges),
            "suites": len(config.suites),
        },
    )


def check_suites(scene: Scene) -> Iterator[Finding]:
    """Every suite that is played: what `arena doctor --suite` says of it, in a row.

    Counted is what is played: of multiple choice that may be the user's own questions.
    """
    played = {job.suite.suite: len(job.suite.scenarios) for job in scene.bench.jobs}
    for name, report in scene.reports.items():
        facts = {"suite": name, "n": len(report.errors), "warnings": len(report.warnings)}
        if report.errors:
            facts["first"] = str(report.errors[0]).splitlines()[0]
            yield Finding(
                check="suite",
                state="fail",
                said="check_suite_broken",
                todo="check_do_suite",
                facts=facts,
            )
        elif report.warnings:
            yield Finding(
                check="suite",
                state="warn",
                said="check_suite_warned",
                todo="check_do_suite",
                facts=facts,
            )
        else:
            found = report.contents.scenarios if report.contents else 0
            facts["scenarios"] = played.get(name, found)
            yield Finding(check="suite", state="ok", said="check_suite_sound", facts=facts)


def check_prompts(scene: Scene) -> Iterator[Finding]:
    """What a model's context must hold: the longest prompt of what is played, by system prompt."""
    jobs = scene.bench.jobs
    longest = max(
        ((longest_turn(job.suite, [job.mode]), job.suite.suite) for job in jobs),
        key=lambda found: found[0].tokens,
        default=None,
    )
    if longest is None:
        return
    turn, suite = longest
    asked: dict[str | None, list[str]] = {}
    for who, entrant in scene.entrants.items():
        if isinstance(entrant, Agent) and way_of(entrant) in ("model", "ours"):
            asked.setdefault(entrant.system or None, []).append(who)
    for system, whos in asked.items():
        own = estimate_prompt([Message("system", system)]) if system else 0
        yield Finding(
            check="prompt",
            state="ok",
            who=tuple(whos),
            said="check_prompt_system" if system else "check_prompt",
            facts={
                "tokens": f"{turn.tokens + own:,}",
                "system": f"{own:,}",
                "suite": suite,
                "scenario": turn.scenario,
                "mode": turn.mode,
            },
        )


def check_modes(scene: Scene) -> Iterator[Finding]:
    """Modes that ask products for what only models can give."""
    for job in scene.bench.jobs:
        if job.misplaced:
            yield Finding(
                check="mode",
                state="warn",
                who=tuple(f"agent:{a.agent}" for a in job.misplaced),
                said="mode_for_models",
                todo="check_do_mode",
                facts={
                    "mode": job.mode,
                    "names": ", ".join(a.agent for a in job.misplaced),
                    "suite": job.suite.suite,
                },
            )
