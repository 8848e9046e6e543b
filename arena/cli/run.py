"""arena run, collect, score, compare: the commands that ask models."""

import sys

import typer

from arena.cli import options as o
from arena.cli.words import choose_lang
from arena.errors import UsageError


def run(
    project: o.Project = None,
    suite: o.SuiteOption = None,
    mode: o.ModeOption = None,
    domain: o.DomainOption = None,
    agent: o.AgentOption = None,
    scenario: o.ScenarioOption = None,
    judge: o.JudgeOption = None,
    limit: o.Limit = None,
    design: o.DesignOption = None,
    comparisons: o.Comparisons = None,
    against: o.Against = None,
    stop_width: o.StopWidth = None,
    looks: o.Looks = None,
    concurrency: o.Concurrency = 64,
    executor: o.Executor = "local",
    dry_run: o.DryRun = False,
    yes: o.Yes = False,
    max_cost: o.MaxCost = None,
    allow_unpriced: o.AllowUnpriced = False,
    retry_errors: o.RetryErrors = False,
    seed: o.Seed = None,
    note: o.Note = "",
    serve: o.Serve = False,
    serve_port: o.ServePort = 8321,
    json: o.Json = False,
    lang: o.LangOption = None,
) -> None:
    """Collect, score, compare, rank and publish, with one forecast for all; run again to go on."""
    _spend(("collect", "score", "compare"), locals())


def collect(
    project: o.Project = None,
    suite: o.SuiteOption = None,
    mode: o.ModeOption = None,
    domain: o.DomainOption = None,
    agent: o.AgentOption = None,
    scenario: o.ScenarioOption = None,
    limit: o.Limit = None,
    concurrency: o.Concurrency = 64,
    executor: o.Executor = "local",
    dry_run: o.DryRun = False,
    yes: o.Yes = False,
    max_cost: o.MaxCost = None,
    allow_unpriced: o.AllowUnpriced = False,
    retry_errors: o.RetryErrors = False,
    seed: o.Seed = None,
    note: o.Note = "",
    json: o.Json = False,
    lang: o.LangOption = None,
) -> None:
    """Play the agents over the scenarios: transcripts."""
    _spend(("collect",), {"judge": None, **locals()})


def score(
    project: o.Project = None,
    suite: o.SuiteOption = None,
    mode: o.ModeOption = None,
    domain: o.DomainOption = None,
    agent: o.AgentOption = None,
    scenario: o.ScenarioOption = None,
    judge: o.JudgeOption = None,
    limit: o.Limit = None,
    commentary: o.Commentary = False,
    concurrency: o.Concurrency = 64,
    executor: o.Executor = "local",
    dry_run: o.DryRun = False,
    yes: o.Yes = False,
    max_cost: o.MaxCost = None,
    allow_unpriced: o.AllowUnpriced = False,
    retry_errors: o.RetryErrors = False,
    seed: o.Seed = None,
    note: o.Note = "",
    json: o.Json = False,
    lang: o.LangOption = None,
) -> None:
    """Let the judges score each transcript on the suite's rubric: absolute scores."""
    _spend(("score", "comment") if commentary else ("score",), locals())


def compare(
    project: o.Project = None,
    suite: o.SuiteOption = None,
    mode: o.ModeOption = None,
    domain: o.DomainOption = None,
    agent: o.AgentOption = None,
    scenario: o.ScenarioOption = None,
    judge: o.JudgeOption = None,
    limit: o.Limit = None,
    design: o.DesignOption = None,
    comparisons: o.Comparisons = None,
    against: o.Against = None,
    stop_width: o.StopWidth = None,
    looks: o.Looks = None,
    bridge: o.BridgeOption = None,
    share: o.BridgeShare = None,
    concurrency: o.Concurrency = 64,
    executor: o.Executor = "local",
    dry_run: o.DryRun = False,
    yes: o.Yes = False,
    max_cost: o.MaxCost = None,
    allow_unpriced: o.AllowUnpriced = False,
    retry_errors: o.RetryErrors = False,
    seed: o.Seed = None,
    note: o.Note = "",
    json: o.Json = False,
    lang: o.LangOption = None,
) -> None:
    """Let the judges compare pairs of agents on each scenario, in both orders: verdicts.

    --bridge OLD puts a random part of what OLD's judges answered to them once more, where another
    model serves a judge by now; boards join if no drift is seen that such a bridge would see.
    """
    _spend(("compare",), locals())


def _spend(stages: tuple[str, ...], given: dict[str, object]) -> None:
    """The course of all four: options in, exit code out. `given`: the command's parameters."""
    from arena.cli.guard import guarded

    language = choose_lang(str(given["lang"]) if given["lang"] else None)
    with guarded(language, as_json=bool(given["json"])):
        from arena.cli.bridging import follow_bridge
        from arena.cli.course import follow

        if given.get("share") is not None and not given.get("bridge"):
            raise UsageError("--share is for --bridge OLD")
        if given.get("bridge"):
            code = follow_bridge(given, language, argv=tuple(sys.argv[1:]))
            raise typer.Exit(code)
        code = follow(stages, given, language, argv=tuple(sys.argv[1:]))
    raise typer.Exit(code)
