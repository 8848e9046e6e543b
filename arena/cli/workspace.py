"""From options to jobs: the workspace, its configuration, suites, and what a command works on."""

import difflib
import os
import uuid
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from arena import __version__
from arena.cli.asked_design import merge
from arena.domain.agent import Agent, Judge
from arena.domain.config import Config, PlayedSuite
from arena.domain.decoy import decoy_agents
from arena.domain.job import Job
from arena.domain.key import KEY
from arena.domain.plan import Selection
from arena.domain.suite import Suite
from arena.errors import ConfigError, UsageError
from arena.suites.find import Workspace, find_workspace, suite_folders
from arena.suites.gates import gate_mistakes
from arena.suites.load import is_choice, load_suite
from arena.suites.reading import line_of
from arena.suites.roster import load_config

SOFTWARE = f"arena {__version__}"
NATURAL = "natural"
"""The mode of messages alone, which every agent can play."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Narrowed:
    """What the options of a command narrow down; `compare`: how comparisons are chosen."""

    project: Path | None = None
    suites: tuple[str, ...] = ()
    mode: str | None = None
    selection: Selection = Selection()  # noqa: RUF009 - frozen and empty
    retry_errors: bool = False
    seed: int | None = None
    compare: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Bench:
    """A workspace with its jobs, one for each suite and mode that is played."""

    workspace: Workspace
    config: Config
    jobs: tuple[Job, ...]
    run: str

    @property
    def agents(self) -> tuple[Agent, ...]:
        """Every agent that is listed, and the decoys that are played; each once."""
        listed = {a.agent: a for a in self.config.agents}
        return tuple((listed | {a.agent: a for job in self.jobs for a in job.agents}).values())

    @property
    def judges(self) -> tuple[Judge, ...]:
        """Every judge that is listed, and the answer key where it judges; each once."""
        listed = {j.judge: j for j in self.config.judges}
        return tuple((listed | {j.judge: j for job in self.jobs for j in job.judges}).values())

    def with_jobs(self, jobs: Iterable[Job]) -> "Bench":
        """The same with other jobs."""
        return replace(self, jobs=tuple(jobs))


def now() -> str:
    """The time, UTC, ISO 8601 with milliseconds."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def run_id() -> str:
    """A name for a command that may write."""
    return uuid.uuid4().hex[:12]


def workspace_of(asked: Narrowed) -> Workspace:
    """The workspace that a command works on; raises UsageError when there is none."""
    start = (asked.project or Path.cwd()).resolve()
    return find_workspace(start, asked=asked.project is not None)


@dataclass(frozen=True, slots=True)
class Beside:
    """What may be named beside what is played: suites that there are imports of, their modes."""

    suites: tuple[Suite, ...] = ()
    modes: tuple[str, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """The suites' names."""
        return tuple(suite.suite for suite in self.suites)


def open_bench(asked: Narrowed, beside: Beside = Beside()) -> Bench:
    """Read the workspace; raises UsageError or ConfigError.

    `beside`: what can be selected although nothing is played of it.
    """
    workspace = workspace_of(asked)
    config = load_config(workspace.config)
    run = run_id()
    played = [p for p in config.suites if not asked.suites or p.suite in asked.suites]
    _known("suite", asked.suites, [*(p.suite for p in config.suites), *beside.names])
    suites = {p.suite: _load(workspace, config, p) for p in played}
    modes = {p.suite: p.mode or default_mode(suites[p.suite], config) for p in played}
    users = {p.suite: p.user or "" for p in played}
    for name, mode in modes.items():
        if mode not in suites[name].modes:
            near = _nearest(mode, list(suites[name].modes))
            raise ConfigError(
                "{place}: suite {suite} has no mode called {mode}",
                fix="Did you mean {near}?" if near else "Its modes: {modes}.",
                place=_place(workspace, config, name),
                suite=name,
                mode=mode,
                near=near,
                modes=", ".join(suites[name].modes),
            )
    for name in (n for n, user in users.items() if user):
        _check_records(_place(workspace, config, name), suites[name])
        _check_replays(_place(workspace, config, name, "user"), config)
    for name, suite in suites.items():
        for mistake in gate_mistakes(workspace.config, config.gates, suite, modes[name]):
            raise mistake
    if asked.mode is not None:
        _known("mode", [asked.mode], [*modes.values(), *beside.modes])
        suites = {n: s for n, s in suites.items() if modes[n] == asked.mode}
    _check_selection(asked.selection, config, [*suites.values(), *beside.suites])
    decoys = decoy_agents(config.decoys, currency=config.currency)
    _known("agent", [n for n in (asked.compare.get("against"),) if n], names_of(config))
    compare = merge(config.compare, asked.compare)
    return Bench(
        workspace=workspace,
        config=config,
        run=run,
        jobs=tuple(
            Job(
                suite=suite,
                mode=modes[name],
                agents=config.agents if suite.choice else (*config.agents, *decoys),
                judges=(KEY,) if suite.choice else config.panel_judges,
                replicates=config.replicates,
                guard="allow" if suite.choice else config.vendor_guard,
                seed=config.seed if asked.seed is None else asked.seed,
                rates=config.money,
                run=run,
                prices={
                    **{f"agent:{a.agent}": a.price for a in (*config.agents, *decoys)},
                    **{f"judge:{j.judge}": j.price for j in config.judges},
                    **{f"user:{name}": u.price for name, u in config.users.items()},
                },
                selection=asked.selection,
                retry_errors=asked.retry_errors,
                user=config.users[users[name]] if users[name] else None,
                min_judges=1 if suite.choice else config.panel.min_judges,
                gates=tuple(gate for gate in config.gates if gate.suite == name),
                compare=compare,
            )
            for name, suite in suites.items()
        ),
    )


def _load(workspace: Workspace, config: Config, played: PlayedSuite) -> Suite:
    """A suite that the configuration names; raises ConfigError with the line that names it."""
    folders, name = suite_folders(workspace), played.suite
    if name not in folders:
        near = _nearest(name, list(folders))
        raise ConfigError(
            "{place}: no suite called {name}",
            fix="Did you mean {near}?" if near else "Suites here: {suites}.",
            place=_place(workspace, config, name),
            name=name,
            near=near,
            suites=", ".join(sorted(folders)) or "none",
        )
    choice = is_choice(folders[name])
    _check_kind(workspace, config, played, choice)
    if not choice:
        return load_suite(folders[name])
    return load_suite(folders[name], played.choice, data=data_of(workspace, config, played))


def default_mode(suite: Suite, config: Config) -> str:
    """The mode of a suite for which none is named: with products, one that they can play."""
    usual = suite.default_mode
    if not any(a.product for a in config.agents) or not suite.modes[usual].models_only:
        return usual
    played = [name for name, mode in suite.modes.items() if not mode.models_only]
    return NATURAL if NATURAL in played else next(iter(played), usual)


def _check_replays(place: str, config: Config) -> None:
    """Raise ConfigError for dialogues with fixed turns beside a user that speaks freely."""
    for agent in config.agents:
        if agent.replay:
            raise ConfigError(
                "{place}: {agent} is replayed from a file, and `user` speaks anew each time",
                fix="Remove `user` here, or collect {agent} in another way.",
                place=place,
                agent=agent.agent,
            )
        if agent.by_hand:
            raise ConfigError(
                "{place}: {agent} is talked to by hand, and `user` speaks anew each time",
                fix="Remove `user` here, or list {agent} in a workspace without it.",
                place=place,
                agent=agent.agent,
            )


def _check_records(place: str, suite: Suite) -> None:
    """Raise ConfigError when a simulated user would have nothing to answer from."""
    for scenario in suite.scenarios:
        if not scenario.record:
            raise ConfigError(
                "{place}: scenario {scenario} of {suite} has no `record` for a simulated user",
                fix="Remove `user` here, or write the scenario's `record`.",
                place=place,
                scenario=scenario.scenario,
                suite=suite.suite,
            )


def _check_kind(workspace: Workspace, config: Config, played: PlayedSuite, choice: bool) -> None:
    """Raise ConfigError for what only multiple choice has, and for a suite that has no judge."""
    for key in ("few_shot", "subjects", "split", "data"):
        if not choice and getattr(played, key) is not None:
            raise ConfigError(
                "{place}: `{key}` is for multiple choice, which {suite} is not",
                place=_place(workspace, config, played.suite, key),
                key=key,
                suite=played.suite,
            )
    if not choice and not config.judges:
        raise ConfigError(
            "{place}: suite {suite} needs a judge, and `judges` lists none",
            place=_place(workspace, config, played.suite),
            suite=played.suite,
        )


def data_of(workspace: Workspace, config: Config, played: PlayedSuite) -> Path | None:
    """The folder of the user's own questions; raises ConfigError unless it is one below data/."""
    if played.data is None:
        return None
    place = _place(workspace, config, played.suite, "data")
    root = workspace.config.parent
    # A name with a NUL makes every call on the path raise ValueError.
    folder = root.parent if "\0" in played.data else (root / played.data).resolve()
    if not folder.is_relative_to(root.resolve()):
        raise ConfigError(
            "{place}: `data` leads out of {folder}: {file}",
            fix="Unpack the download below data/ and name that folder.",
            place=place,
            folder=root,
            file=played.data,
        )
    if not folder.is_dir():
        raise ConfigError(
            "{place}: no such folder: {folder}",
            fix="`data` names a folder below data/, for example ceval-exam.",
            place=place,
            folder=root / played.data,
        )
    return folder


def _place(workspace: Workspace, config: Config, suite: str, *at: str) -> str:
    index = [p.suite for p in config.suites].index(suite)
    return f"{workspace.config}:{line_of(workspace.config, ('suites', index, *at))}"


def _nearest(name: str, known: Sequence[str]) -> str:
    """The known name that is most like a wrong one; empty when none is."""
    return next(iter(difflib.get_close_matches(name, known, n=1, cutoff=0.5)), "")


def _check_selection(selection: Selection, config: Config, suites: Sequence[Suite]) -> None:
    _known("agent", selection.agents, [*names_of(config), *config.decoys])
    keys = [KEY.judge for suite in suites if suite.choice][:1]
    _known("judge", selection.judges, [*(j.judge for j in config.judges), *keys])
    scenarios = [s for suite in suites for s in suite.scenarios]
    _known("scenario", selection.scenarios, [s.scenario for s in scenarios])
    _known("domain", selection.domains, [d.domain for suite in suites for d in suite.domains])


def names_of(config: Config) -> list[str]:
    """Ids of the agents that are listed."""
    return [a.agent for a in config.agents]


def _known(kind: str, asked: Iterable[str], known: Sequence[str]) -> None:
    for name in asked:
        if name in known:
            continue
        close = _nearest(name, known)
        raise UsageError(
            "no {kind} called {name} in this workspace",
            fix="Did you mean {near}?" if close else "There are: {near}.",
            kind=kind,
            name=name,
            near=close or ", ".join(dict.fromkeys(known)) or "none",
        )


def command_line(argv: Sequence[str]) -> str:
    """The command as somebody would type it again, without the path of the program."""
    import shlex

    return shlex.join(["arena", *argv]) if os.name != "nt" else " ".join(["arena", *argv])
