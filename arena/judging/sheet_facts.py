"""What the judge of a round is told beside the dialogue: earlier scores, the record kept so far."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from arena.domain.suite import Scenario, Suite
from arena.domain.transcript import Transcript
from arena.judging.running import read_sections
from arena.judging.sheet_phrases import SHEET
from arena.judging.thinking import split_thinking


def up_to_round(transcript: Transcript, round: int) -> Transcript:
    """The transcript as it stood when a round was over."""
    system = [m for m in transcript.messages if m.role == "system"]
    spoken = [m for m in transcript.messages if m.role != "system"]
    shown = 2 * round + bool(transcript.welcome)
    return replace(transcript, messages=(*system, *spoken[:shown]))


def sheet_facts(
    suite: Suite,
    scenario: Scenario,
    shown: Transcript,
    *,
    round: int,
    earlier: Sequence[Mapping[str, float] | None],
) -> dict[str, Any]:
    """Facts for sheet.j2, none of them in the agent's words.

    round (0: the whole), earlier [{round, scores: text}], kept [{round, said: text}]: which
    sections of the record a reply gives.
    """
    say, rubric = SHEET[suite.language], suite.rubric_of(scenario)
    told = []
    for number, scores in enumerate(earlier, start=1):
        given = None if scores is None else [f"{k} {v:g}" for k, v in scores.items()]
        told.append(
            {"round": number, "scores": say["missing"] if given is None else ", ".join(given)}
        )
    return {
        "round": round,
        "earlier": told if rubric.earlier_scores and round else [],
        "kept": _kept(suite, shown),
    }


def _kept(suite: Suite, shown: Transcript) -> list[dict[str, Any]]:
    if not suite.sections:
        return []
    say, kept = SHEET[suite.language], []
    for number, (_, reply) in enumerate(shown.rounds, start=1):
        found = read_sections(split_thinking(reply).visible, suite.sections)
        said = [
            f"{s.name[suite.language]}: {say['there'] if found.texts[s.section] else say['empty']}"
            for s in suite.sections
        ]
        kept.append({"round": number, "said": say["whole"] if found.whole else ", ".join(said)})
    return kept
