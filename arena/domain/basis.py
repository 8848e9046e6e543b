"""What a board rests on: who was compared, in which scenarios, by whom, asked in which words.

A later board tells by it whether the two may be compared at all, and finds the same answers again.
"""

from collections.abc import Mapping
from dataclasses import dataclass

Strings = tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeBasis:
    """One judge of a board.

    `digest`: of its model, place, sampling and reply format; empty where only its name is known.
    `compare_templates`, `score_templates`: digests of what it was told beside transcripts and
    rubric, sorted. `compared_by`, `scored_by`: model strings that served the answers that count,
    sorted; empty where the provider named none, or where it was not asked.
    """

    judge: str
    digest: str
    compare_templates: Strings
    score_templates: Strings
    compared_by: Strings
    scored_by: Strings


@dataclass(frozen=True, slots=True, kw_only=True)
class Basis:
    """Agents by id with their digests (empty: not known), scenarios in order, and the judges.

    `replicates`: transcripts of each agent in a scenario, 0 where that is not known.
    """

    agents: Mapping[str, str]
    scenarios: Strings
    judges: tuple[JudgeBasis, ...]
    replicates: int

    def judge(self, name: str) -> JudgeBasis | None:
        """What is known of one judge; None where the board has no such judge."""
        return next((judge for judge in self.judges if judge.judge == name), None)
