"""Reports beside the boards, and what people said: kept whole, once, and found again."""

from dataclasses import replace

import numpy as np
import pytest

from arena.domain.diagnosis import from_json
from arena.domain.verdict import Outcome
from arena.errors import ArenaError, StoreError
from arena.stages.diagnose.figures import Options
from arena.stages.diagnose.report import make_diagnosis
from arena.store.store import Store
from tests.support.judging import World, draw


@pytest.fixture(scope="module")
def diagnosis():
    return make_diagnosis(
        draw(World(agents=3, scenarios=6), np.random.default_rng(1)),
        Options(level=0.9, resamples=20, seed=1),
        software="arena",
        suite="tiny",
        suite_version="1",
        mode="natural",
        board="digest",
        at="2026-11-30T04:00:00.000Z",
    )


def test_a_report_comes_back_as_it_went_in(tmp_path, diagnosis):
    with Store(tmp_path / "arena.duckdb") as store:
        store.reports.add(diagnosis, run="r")
    with Store(tmp_path / "arena.duckdb") as store:
        assert store.reports.latest("tiny", "natural") == diagnosis
        assert store.reports.latest("tiny", "lite") is None
        assert store.reports.latest("tiny", "natural", domains=("a",)) is None


def test_the_same_report_is_kept_once_and_a_new_one_beside_it(tmp_path, diagnosis):
    later = replace(diagnosis, at="2026-11-30T05:00:00.000Z")
    other = replace(later, notes=("single_judge",))
    with Store(tmp_path / "arena.duckdb") as store:
        for one in (diagnosis, later, other):
            store.reports.add(one, run="r")
        rows = store._connection.execute("select count(*) from report").fetchone()
        assert rows == (2,)
        assert store.reports.latest("tiny", "natural") == other


def test_the_report_of_a_file_belongs_to_no_store(diagnosis):
    with Store(None) as store, pytest.raises(StoreError):
        store.reports.add(replace(diagnosis, suite=None), run="r")


def test_what_is_no_report_is_refused_and_an_old_one_is_made_anew(diagnosis):
    with pytest.raises(ArenaError):
        from_json({"schema": "arena.diagnosis/2"})
    with pytest.raises(ArenaError):
        from_json({"schema": "arena.diagnosis/1", "judges": 3})
    with Store(None) as store:
        store.reports.add(diagnosis, run="r")
        store._connection.execute("""update report set document = '{"schema": "older"}'""")
        assert store.reports.latest("tiny", "natural") is None


async def test_people_are_found_among_the_transcripts_wanted(make, tmp_path):
    shown = {"a": "t-1", "b": "t-2"}
    kept = (
        make.verdict(make.presentation(**shown, judge="human:ann", order="ba")),
        make.verdict(make.presentation(**shown, judge="human:bo"), outcome=None),
        make.verdict(make.presentation(a="t-1", b="t-9", judge="human:ann")),
        make.verdict(make.presentation(**shown, judge="humanoid")),
        make.verdict(make.presentation(**shown, judge="humanoid", judge_replicate=3)),
    )
    with Store(tmp_path / "arena.duckdb") as store:
        assert store.people.most_repeats() == 1
        await make.keep(store, *kept)
        (found,) = store.people.verdicts(["t-1", "t-2"])
        assert store.people.most_repeats() == 3
        assert store.people.verdicts([]) == []
    assert (found.judge, found.order, found.outcome) == ("human:ann", "ba", Outcome.A)
