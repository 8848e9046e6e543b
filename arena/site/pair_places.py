"""Where the verdicts of each pair stand: on the scenarios' pages, or on pages of their own.

What decides is their number and weight, which are the same in both languages.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from arena.site.facts import ComparisonFact, Edition, SheetFact, TranscriptFact, VerdictFact

MOST_TOGETHER = 12
"""With more agents than this the verdicts of a scenario have pages of their own."""
HEAVIEST = 280_000
"""So many bytes a page of verdicts may come to, as far as they can be told beforehand."""
_PAGE, _VERDICT, _MARK, _CARD, _SHEET, _SCORE, _ROUND = 32_000, 420, 75, 420, 900, 130, 420
_ROW = 500
"""What a page weighs without its texts, and what markup each of its parts needs."""
Pair = tuple[str, str]
"""Two agents, the alphabetically first before the other."""


@dataclass(frozen=True, slots=True)
class PairPlaces:
    """The scenarios in which each pair was to be compared, by the pages of the pair.

    `apart`: the verdicts stand on these pages, else on those of the scenarios; then every pair
    has a single page, which leads there.
    """

    apart: bool
    parts: Mapping[Pair, tuple[tuple[str, ...], ...]]


def place_verdicts(edition: Edition) -> PairPlaces:
    """The places for the verdicts of an edition."""
    met: dict[Pair, dict[str, int]] = defaultdict(dict)
    for scenario in edition.scenarios:
        key = scenario.scenario
        for fact in edition.comparisons.get(key, ()):
            known = met[fact.a, fact.b]
            known[key] = known.get(key, 0) + _of_comparison(fact)
    apart = _too_heavy(edition)
    return PairPlaces(
        apart,
        {
            pair: tuple(_in_parts(weights)) if apart else (tuple(weights),)
            for pair, weights in met.items()
        },
    )


def _too_heavy(edition: Edition) -> bool:
    if len(edition.agents) + len(edition.decoys) > MOST_TOGETHER:
        return True
    weights: Iterable[int] = (
        _PAGE
        + sum(_of_transcript(t) for t in edition.transcripts.get(scenario, ()))
        + sum(_of_comparison(c) for c in comparisons)
        for scenario, comparisons in edition.comparisons.items()
    )
    return max(weights, default=0) > HEAVIEST


def _in_parts(weights: Mapping[str, int]) -> Iterable[tuple[str, ...]]:
    """The scenarios in their order, as many on a page as it may hold; the first lists them all."""
    part: list[str] = []
    weight = _PAGE + _ROW * len(weights)
    for scenario, more in weights.items():
        if part and weight + more > HEAVIEST:
            yield tuple(part)
            part, weight = [], _PAGE
        part.append(scenario)
        weight += more
    yield tuple(part)


def _of_comparison(fact: ComparisonFact) -> int:
    return _CARD + sum(_of_verdict(v) for v in fact.verdicts)


def _of_verdict(fact: VerdictFact) -> int:
    return _VERDICT + _MARK * len(fact.criteria) + _bytes(fact.reason, fact.raw, fact.complaint)


def _of_transcript(fact: TranscriptFact) -> int:
    said = (text or "" for round in fact.rounds for text in round)
    return _ROUND * len(fact.rounds) + _bytes(*said) + sum(_of_sheet(s) for s in fact.sheets)


def _of_sheet(fact: SheetFact) -> int:
    scores = sum(_SCORE + _bytes(s.comment) for s in fact.scores)
    lists: Sequence[str] = (*fact.strengths, *fact.issues)
    return _SHEET + scores + _bytes(fact.summary, fact.raw, fact.complaint, *lists)


def _bytes(*texts: str) -> int:
    return sum(len(text.encode("utf-8", "surrogatepass")) for text in texts)
