"""The formats that there are: one line each. `exchange/format.py` says how to add one."""

from collections.abc import Mapping
from pathlib import Path

from arena.domain.imported import Import
from arena.domain.suite import Suite
from arena.exchange import (
    alpacaeval,
    arena_hard_write,
    autoarena,
    ballots,
    ceval_read,
    eldercare,
    eldercare_figures,
    eldercare_results,
    eldercare_suite,
    eqbench3,
    eqbench3_results,
    eqbench3_suite,
    evalica,
    evalscope,
    fastchat,
    flags,
    inspect,
    lmarena,
    own_votes,
    scenarios,
    script_columns,
)
from arena.exchange.format import Format, ReadHow, ResultsPart, SuitePart, SuiteRead


def _eldercare(folder: Path) -> SuiteRead:
    original = eldercare.read(folder)
    runs = eldercare_figures.read_runs(folder, original.sheet)
    return SuiteRead(eldercare_suite.make(original, folder), runs)


def _eldercare_results(path: Path, suite: Suite, how: ReadHow) -> Import:
    return eldercare_results.read_results(path, suite, judge=how.judge)


def _eqbench3(folder: Path) -> SuiteRead:
    return SuiteRead(eqbench3_suite.make(eqbench3.read(folder), folder))


def _eqbench3_results(path: Path, suite: Suite, how: ReadHow) -> Import:
    return eqbench3_results.read_results(path, suite, judge=how.judge)


FILLED_IN = frozenset({"--judged-by", "--dry-run", "--skip-bad"})
"""Options of a table that people fill in."""
_ALL = (
    Format(name=scenarios.FORMAT, options=frozenset({"DIR", "--template", "--dry-run"})),
    Format(
        name=script_columns.FORMAT,
        options=frozenset({"--dry-run", "--skip-bad", "--replicate"}),
        own_export=True,
    ),
    Format(name=flags.FORMAT, options=FILLED_IN, own_export=True),
    Format(name=ballots.FORMAT, options=FILLED_IN, own_export=True),
    ceval_read.FORM,
    Format(
        name=eldercare.FORMAT,
        suite=SuitePart(usual="eldercare-original", read=_eldercare),
        results=ResultsPart(find=eldercare_results.find_results, read=_eldercare_results),
    ),
    Format(
        name=eqbench3.FORMAT,
        suite=SuitePart(usual="eqbench3", read=_eqbench3),
        results=ResultsPart(find=eqbench3_results.find_results, read=_eqbench3_results),
    ),
    evalica.FORM,
    lmarena.FORM,
    autoarena.FORM,
    alpacaeval.FORM,
    arena_hard_write.FORM,
    fastchat.FORM,
    evalscope.FORM,
    inspect.FORM,
    Format(name="arena", votes=own_votes.VOTES, tables=True),
)
FORMATS: Mapping[str, Format] = {known.name: known for known in _ALL}
"""By name, in the order in which they are told to people."""
