"""The Elo results of EQ-Bench 3 (elo_results_eqbench3.json): verdicts of its pairwise judge.

From documentation. Who won is read anew from what the judge wrote and from the order: the counts
that stand beside it are cut for some scenarios. A side wins with more pluses over the criteria
that were asked, as there; but a criterion that is missing or names neither side, and a verdict
without any plus, is no answer rather than a tie.
"""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from arena.domain.call import Status
from arena.domain.imported import ImportedCriterion, ImportedVerdict, LeftOut, Shown
from arena.domain.suite import Suite
from arena.exchange.eqbench3_runs import MODE, replicate_of
from arena.judging.labels import Labels

META, COMPARED = "__metadata__", "global_pairwise_comparisons"
LABELS = Labels(codes=("A0493", "A0488"))
"""The first of both was shown first."""
TEST_FIRST = {"A0493:test / A0488:other": True, "A0493:other / A0488:test": False}
REASON = "chain_of_thought_reasoning"
MISSING = "missing_criteria"


def read_comparisons(
    document: Mapping[str, Any],
    name: str,
    suite: Suite,
    judge: str,
    left_out: LeftOut,
    bad: LeftOut,
) -> Iterator[ImportedVerdict]:
    """Every comparison with its pair and order; a judge's failures are counted in `left_out`."""
    asked = {
        s.scenario: [c.criterion for c in suite.rubric_of(s).compare_criteria()]
        for s in suite.scenarios
    }
    for number, one in enumerate(document[META][COMPARED]):
        place = f"{name}: {COMPARED}[{number}]"
        verdict = _verdict(one, place, asked, judge) if isinstance(one, dict) else None
        if verdict is None:
            failed = isinstance(one, dict) and one.get("error")
            if failed:
                left_out.note("judge_error", place)
            else:
                bad.note("not_a_result", place)
            continue
        yield verdict


def _verdict(
    one: Mapping[str, Any],
    place: str,
    asked: Mapping[str, list[str]],
    judge: str,
) -> ImportedVerdict | None:
    pair, order = one.get("pair"), one.get("order")
    pair = pair if isinstance(pair, dict) else {}
    replicate = replicate_of(pair.get("iteration_index"))
    tested, other = pair.get("test_model"), pair.get("neighbor_model")
    test_first = TEST_FIRST.get(order) if isinstance(order, str) else None
    if not isinstance(tested, str) or not isinstance(other, str) or replicate is None:
        return None
    if test_first is None:
        return None
    scenario = str(one.get("scenario_id"))
    said = one.get("judge_response")
    criteria, complete = _criteria(said, asked.get(scenario, []))
    winner = _winner(criteria) if complete else None
    return ImportedVerdict(
        first=tested if test_first else other,
        second=other if test_first else tested,
        scenario=scenario,
        mode=MODE,
        judge=judge,
        status=Status.OK if winner else Status.UNPARSED,
        winner=winner,
        reason=_text(said.get(REASON)) if isinstance(said, dict) else "",
        criteria=criteria if winner else (),
        flags=() if complete else (MISSING,),
        replicate=replicate,
        place=place,
        raw=json.dumps(one, ensure_ascii=False),
    )


def _criteria(said: Any, asked: list[str]) -> tuple[tuple[ImportedCriterion, ...], bool]:
    """The answers to what was asked, and whether all of it was answered."""
    found = []
    for key in asked:
        side, pluses = LABELS.stated(said.get(key) if isinstance(said, dict) else None)
        if side is not None and side != "refused":
            strength = None if side == "tie" else pluses
            found.append(ImportedCriterion(criterion=key, side=side, strength=strength))
    return tuple(found), len(found) == len(asked)


def _winner(criteria: tuple[ImportedCriterion, ...]) -> Shown | None:
    """The side with more pluses; None where there is not a single one."""
    pluses = {"first": 0, "second": 0, "tie": 0}
    for criterion in criteria:
        pluses[criterion.side] += criterion.strength or 0
    if not pluses["first"] and not pluses["second"]:
        return None
    if pluses["first"] == pluses["second"]:
        return "tie"
    return "first" if pluses["first"] > pluses["second"] else "second"


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""
