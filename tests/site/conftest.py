"""A store filled with hostile data, and what was published from it."""

from dataclasses import replace
from types import SimpleNamespace

import pytest

from arena.domain.changes import key_of
from arena.site import publish
from arena.store.store import Store
from tests.site import boards
from tests.site.changing import every_change
from tests.site.crowds import crowd
from tests.site.filling import fill
from tests.site.hostile import EVIL, EVIL_NAMES, make_agents, make_job, make_suite, words
from tests.site.publishing import publish_editions
from tests.site.states import stale_edition


def publish_to(out, store, jobs, lang="zh", **changes):
    values = {"command": "arena run && arena publish", "software": "arena 0.1.0"}
    return publish(jobs=jobs, store=store, out=out, lang=lang, **{**values, **changes})


@pytest.fixture(scope="session")
def make():
    return SimpleNamespace(
        agents=make_agents,
        board=boards.make_board,
        every_state=boards.every_state,
        evil=EVIL,
        evil_names=EVIL_NAMES,
        fill=fill,
        job=make_job,
        pair=boards.pair,
        publish=publish_to,
        standing=boards.standing,
        whole=boards.whole,
        suite=make_suite,
        words=words,
    )


@pytest.fixture(scope="session")
def world(tmp_path_factory):
    """A filled store with a board of every state and every part, and changes since; read only."""
    job = make_job()
    with Store(tmp_path_factory.mktemp("db") / "arena.duckdb") as store:
        fill(store, job)
        store.boards.add(boards.whole(job.suite), run="r1")
        changes = {key_of(job): every_change(job)}
        yield SimpleNamespace(store=store, job=job, changes=changes)


@pytest.fixture(scope="session")
def site(world, tmp_path_factory):
    """The folder of a published leaderboard; read only."""
    out = tmp_path_factory.mktemp("site") / "leaderboard"
    published = publish_to(out, world.store, [world.job], changes=world.changes)
    return SimpleNamespace(out=out, published=published)


@pytest.fixture(scope="session")
def crowded(tmp_path_factory):
    """The site of more agents than a scenario's page holds verdicts of; read only."""
    out = tmp_path_factory.mktemp("crowded") / "leaderboard"
    return publish_editions(out, crowd(13, 2))


@pytest.fixture(scope="session")
def stale(tmp_path_factory):
    """The site of a board of an older suite, with an agent that is gone; read only."""
    out = tmp_path_factory.mktemp("stale") / "leaderboard"
    return publish_editions(out, stale_edition())


@pytest.fixture(scope="session")
def empty(world, tmp_path_factory):
    """The site of a workspace in which nothing was run yet; read only."""
    home = tmp_path_factory.mktemp("empty")
    with Store(home / "arena.duckdb") as store:
        published = publish_to(home / "leaderboard", store, [world.job])
    return SimpleNamespace(out=home / "leaderboard", published=published)


@pytest.fixture(scope="session")
def front(tmp_path_factory):
    """A site with a page that lists two leaderboards; read only."""
    out = tmp_path_factory.mktemp("front") / "leaderboard"
    one, other = crowd(2, 1), crowd(3, 1)
    other = replace(other, job=replace(other.job, mode="lite"))
    return publish_editions(out, one, other)
