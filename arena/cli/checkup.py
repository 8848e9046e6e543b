"""arena doctor for a workspace: everything is looked at, then everybody is asked once."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from arena.cli import output
from arena.cli.checks.answers import read_answers
from arena.cli.checks.calls import Leave, Pinged, ping
from arena.cli.checks.listed import look
from arena.cli.checks.scene import Scene, way_of
from arena.cli.checkup_view import describe, show
from arena.cli.products import open_products
from arena.cli.wiring import entrants_of
from arena.cli.words import Lang, say
from arena.cli.workspace import Bench, Narrowed, now, open_bench, run_id, workspace_of
from arena.domain.config import Config
from arena.domain.finding import Finding
from arena.errors import ProvidersRefused
from arena.llm.remote import Remote
from arena.stages.doctor import Report, examine
from arena.suites.environment import apply_environment, read_dotenv, read_environment
from arena.suites.find import Workspace, suite_folders
from arena.suites.roster import load_config


@dataclass(frozen=True, slots=True, kw_only=True)
class Checkup:
    """What was found of a workspace, row by row, and what came of the calls."""

    scene: Scene
    findings: tuple[Finding, ...]
    pinged: Pinged

    @property
    def exit_code(self) -> int:
        """4: refused to spend; 6: every provider refused; 5: a check failed; else 0."""
        if self.pinged.refusal is not None:
            return self.pinged.refusal.exit_code
        if self.pinged.all_denied:
            return ProvidersRefused.exit_code
        return 5 if any(f.state == "fail" for f in self.findings) else 0


def check_workspace(given: Mapping[str, Any], lang: Lang) -> int:
    """Check, show, and give the exit code.

    Raises UsageError where there is no workspace, ConfigError for a mistake in its configuration,
    Interrupted after keeping what was answered.
    """
    quiet = bool(given["json"])
    scene = open_scene(given, lang, quiet=quiet)
    found = look(scene)
    leave = Leave(yes=given["yes"], max_cost=given["max_cost"])
    pinged = ping(scene, found, leave, lang)
    findings = (*found, *read_answers(scene, pinged))
    checkup = Checkup(scene=scene, findings=findings, pinged=pinged)
    if quiet:
        output.print_json(describe(scene, findings, pinged, lang))
    else:
        show(scene, findings, pinged, lang)
    return checkup.exit_code


def open_scene(given: Mapping[str, Any], lang: Lang, *, quiet: bool) -> Scene:
    """Everything that the checks look at; suites that cannot be loaded are reports, no errors."""
    asked = Narrowed(project=given["project"])
    workspace = workspace_of(asked)
    config = load_config(workspace.config)
    reports = _reports(workspace, config)
    if all(report.sound for report in reports.values()):
        bench = open_bench(asked)
    else:
        bench = Bench(workspace=workspace, config=config, jobs=(), run=run_id())
    environ = dict(os.environ)
    secrets = read_environment(workspace.root, environ)
    return Scene(
        bench=bench,
        reports=reports,
        environ=environ,
        dotenv=read_dotenv(workspace.root),
        secrets=secrets,
        remote=_remote(bench, secrets, given, lang, quiet=quiet),
        offline=given["offline"],
        now=now(),
        call_products=given["call_products"],
    )


def _reports(workspace: Workspace, config: Config) -> dict[str, Report]:
    folders = suite_folders(workspace)
    return {
        played.suite: examine(folders[played.suite])
        for played in config.suites
        if played.suite in folders
    }


def _remote(
    bench: Bench, secrets: Mapping[str, str], given: Mapping[str, Any], lang: Lang, *, quiet: bool
) -> Remote | None:
    """LiteLLM, which takes seconds to load, where anybody is asked through it."""
    ways = {way_of(entrant) for entrant in entrants_of(bench).values()}
    greeted = given["call_products"] and not given["offline"] and "http" in ways
    if "model" not in ways and not greeted:
        return None
    if not quiet:
        output.tell(say(lang, "loading"))
    apply_environment(bench.workspace.root)
    return Remote(
        secrets=secrets,
        custom=open_products(bench.config.agents, bench.workspace.root, secrets),
        now=now,
    )
