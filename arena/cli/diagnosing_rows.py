"""Rows of outcomes as a report on their judges: of a file, or of votes that were imported."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from arena.domain.diagnosis import Diagnosis
from arena.errors import UsageError

if TYPE_CHECKING:
    from arena.stages.diagnose.figures import Options
    from arena.store.outcomes.table import OutcomeSource


def diagnose_source(
    table: "OutcomeSource", how: Mapping[str, Any], options: "Options"
) -> Diagnosis:
    """The report of loaded verdicts. `how`: as `ranking.file_options` gives it.

    Raises UsageError as reading the outcomes does.
    """
    from arena.cli.workspace import SOFTWARE
    from arena.domain.layout import Reading
    from arena.exchange.columns import recognise
    from arena.ranking import labels_of
    from arena.stages.diagnose.from_file import from_presentations
    from arena.stages.diagnose.report import make_diagnosis
    from arena.store.outcomes.presentations import known_pairs, read_presentations
    from arena.store.outcomes.reading import read_outcomes

    layout = recognise(tuple(table.columns), how["columns"], labels_of(table))
    reading = Reading(
        key=how["key"],
        # A verdict whose other order is missing still says where it leans.
        single_order="keep",
        judges=("*",) if layout.judge else (),
        where=how["where"],
    )
    cluster = _cluster(how["cluster"], layout.scenario)
    counts = read_outcomes(table, layout, reading).counts
    pairs = tuple(name for name in known_pairs(layout) if name == "length")
    asked = () if cluster is None else (cluster,)
    shown = read_presentations(table, layout, reading, asked, pairs)
    evidence = from_presentations(shown, cluster=cluster, counted=counts.by_judge)
    return make_diagnosis(evidence, options, software=SOFTWARE)


def _cluster(asked: tuple[str, ...] | None, scenario: str | None) -> str | None:
    if asked is None:
        return "scenario" if scenario else None
    if len(asked) > 1:
        raise UsageError("--cluster: a diagnosis takes one column, not {count}", count=len(asked))
    return asked[0] if asked else None
