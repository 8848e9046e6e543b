"""Jobs beside those of data/arena.yaml: one for each import and mode, and imported guests in ours.

An import is a board of its own: how its judges were asked is not known, so their answers never
stand on one board with those of our judges. Its transcripts can be judged here, by our judges and
beside our agents, once data/arena.yaml lists their agent with `kind: imported`.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace

from arena.cli.suites_of_imports import load_for_import
from arena.cli.workspace import Bench, Beside, Narrowed, open_bench, workspace_of
from arena.domain.agent import IMPORTED
from arena.domain.imported import VOTES, Origin, imported_judge
from arena.domain.job import Job
from arena.domain.suite import Suite
from arena.domain.transcript import TranscriptSpec
from arena.domain.voted import suite_of_votes
from arena.store.store import Store
from arena.suites.find import Workspace, suite_folders

MOST_JUDGES = 101
"""Judges of an import of votes that are listed by name: there may be one for every vote."""


@dataclass(frozen=True, slots=True)
class Shelf:
    """The imports of a workspace that can be shown: each with its suite."""

    imports: tuple[tuple[Origin, Suite], ...]

    @property
    def beside(self) -> Beside:
        """What a command may name because of them."""
        suites = {suite.suite: suite for _, suite in self.imports}
        modes = dict.fromkeys(m for origin, _ in self.imports for m in origin.modes)
        return Beside(tuple(suites.values()), tuple(modes))


@contextmanager
def looking(asked: Narrowed, *, patience: float | None = None) -> Iterator[tuple[Bench, Store]]:
    """The workspace with its imports, and its store. Raises as `open_bench` and `Store` do."""
    workspace = workspace_of(asked)
    if not workspace.database.is_file():
        # A mistake in the configuration is told before anything is made.
        open_bench(asked)
    with _opened(workspace, patience) as store:
        shelf = find_imports(workspace, store)
        bench = open_bench(asked, shelf.beside)
        yield with_imports(with_guests(bench, store), shelf, store, asked), store


def _opened(workspace: Workspace, patience: float | None) -> Store:
    if patience is None:
        return Store(workspace.database)
    return Store(workspace.database, patience=patience)


def find_imports(workspace: Workspace, store: Store) -> Shelf:
    """The imports whose suite is there, but for those that a later one replaces.

    Raises ConfigError for a suite that cannot be loaded.
    """
    folders = suite_folders(workspace)
    there = [o for o in store.imports.all() if o.suite in folders or is_votes(o)]
    there = [o for n, o in enumerate(there) if not any(p.replaces(o) for p in there[n + 1 :])]
    played = {o.suite for o in there if not is_votes(o)}
    suites = {name: load_for_import(workspace, folders[name]) for name in played}
    return Shelf(tuple((o, suite_of_votes(o) if is_votes(o) else suites[o.suite]) for o in there))


def is_votes(origin: Origin) -> bool:
    """Whether an import is votes without texts."""
    return origin.modes == (VOTES,)


def with_imports(bench: Bench, shelf: Shelf, store: Store, asked: Narrowed) -> Bench:
    """The bench with a job for each import and mode that anybody judged, after its own."""
    jobs = [
        _job(bench, suite, mode, store, origin, asked)
        for origin, suite in shelf.imports
        for mode in origin.modes
        if (not asked.suites or suite.suite in asked.suites)
        and asked.mode in (None, mode)
        and mode in suite.modes
    ]
    judged = [job for job in jobs if job.judges or (job.held and job.held.votes)]
    if asked.selection.domains:
        # Votes are of no suite's domains; `arena rank --import NAME --by domain` cuts them.
        judged = [job for job in judged if job.held and not job.held.votes]
    return bench.with_jobs([*bench.jobs, *judged])


def _job(
    bench: Bench, suite: Suite, mode: str, store: Store, origin: Origin, asked: Narrowed
) -> Job:
    held = store.imports.held(origin, mode)
    judges = held.judges()
    if held.votes:
        names = store.votes.judges(origin.origin, most=MOST_JUDGES)
        judges = tuple(imported_judge(name, rubric=False) for name in names)
    return Job(
        suite=suite,
        mode=mode,
        agents=held.agents(),
        judges=judges,
        replicates=max((t.replicate for t in held.transcripts), default=1),
        guard="allow",
        seed=bench.config.seed if asked.seed is None else asked.seed,
        rates=bench.config.money,
        run=bench.run,
        selection=asked.selection,
        held=held,
    )


def with_guests(bench: Bench, store: Store) -> Bench:
    """The bench with the transcripts of the imported agents that data/arena.yaml lists."""
    names = {a.agent for a in bench.config.agents if a.kind == IMPORTED}
    if not names:
        return bench
    origins = store.imports.all()
    return bench.with_jobs(
        replace(job, guests=_guests(job, names, origins, store)) for job in bench.jobs
    )


def _guests(
    job: Job, names: set[str], origins: list[Origin], store: Store
) -> tuple[TranscriptSpec, ...]:
    """Of each agent the transcripts of the import that came last."""
    found: dict[str, list[TranscriptSpec]] = {}
    for origin in origins:
        if origin.suite != job.suite.suite or job.mode not in origin.modes:
            continue
        mine: dict[str, list[TranscriptSpec]] = {}
        for spec in store.imports.held(origin, job.mode).transcripts:
            if spec.agent in names:
                mine.setdefault(spec.agent, []).append(spec)
        found |= mine
    return tuple(spec for specs in found.values() for spec in specs)
