"""The leaderboard for machines and spreadsheets."""

import csv
import io
import json
from collections.abc import Iterable
from typing import Any

from arena.domain.board import to_json
from arena.domain.standing import Standing
from arena.site.facts import AgentFact, Edition
from arena.site.outlays import mean_tokens

SCHEMA = "arena.leaderboard/1"
COLUMNS = (
    *("agent", "name_zh", "name_en", "vendor", "family", "kind", "state"),
    *("rank_low", "rank_high", "rating", "low", "high", "se", "p_best"),
    *("worst", "best", "controlled", "controlled_low", "controlled_high"),
    *("calibrated", "calibrated_low", "calibrated_high"),
    *("absolute", "absolute_low", "absolute_high", "scenarios_scored"),
    *("wins", "ties", "losses", "share", "comparisons", "planned", "scenarios", "excluded"),
    "eligibility",
    *("transcripts", "cost_per_transcript", "currency", "median_latency_ms"),
)
SCORE_ENDS = ("mean", "low", "high", "scenarios")
"""What of an absolute score stands in a table."""
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")


def leaderboard_json(edition: Edition) -> bytes:
    """The board with names, costs and the make-up of the suite; null means unknown."""
    suite = edition.job.suite
    document = {
        "schema": SCHEMA,
        "suite": {
            "suite": suite.suite,
            "version": suite.version,
            "name": suite.name.model_dump(),
            "digest": suite.digest(),
            "mode": edition.job.mode,
            "scenarios": [s.scenario for s in edition.scenarios],
        },
        "at": edition.at or None,
        "stale": edition.stale,
        "agents": [{**_agent(a), **_tokens(a, edition)} for a in edition.agents],
        "judges": [
            {
                "judge": j.id,
                "name": j.judge.display.model_dump(),
                "vendor": j.judge.vendor,
                "models_returned": list(j.returned),
                "score_templates": list(j.score_templates),
                "compare_templates": list(j.compare_templates),
                "sheets": dict(j.sheets),
                "verdicts": dict(j.verdicts),
            }
            for j in edition.judges
        ],
        "spend": [
            {
                "speaker": s.speaker,
                "calls": s.calls,
                "amounts": {code: f"{amount:f}" for code, amount in s.amounts.items()},
                "unknown": s.unknown,
            }
            for s in edition.spend
        ],
        "board": to_json(edition.board) if edition.board else None,
    }
    text = json.dumps(document, ensure_ascii=False, indent=1, sort_keys=True, allow_nan=False)
    return (text + "\n").encode("utf-8", "backslashreplace")


def leaderboard_csv(edition: Edition) -> bytes:
    """The ranking table; an empty cell is unknown. With a byte order mark, for spreadsheets."""
    standings = {s.agent: s for s in edition.board.agents} if edition.board else {}
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerow(COLUMNS)
    for fact in edition.agents:
        cells = _cells(fact, standings.get(fact.id))
        writer.writerow([safe_cell(cells.get(column)) for column in COLUMNS])
    return text.getvalue().encode("utf-8-sig", "backslashreplace")


def safe_cell(value: Any) -> str:
    """A cell that no spreadsheet takes for a formula. Numbers of ours stay numbers."""
    if value is None:
        return ""
    if isinstance(value, str):
        return "'" + value if value.startswith(_FORMULA) else value
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def _agent(fact: AgentFact) -> dict[str, Any]:
    known = fact.agent
    return {
        "agent": fact.id,
        "name": known.display.model_dump() if known else None,
        "short": known.label.model_dump() if known else None,
        "vendor": known.vendor if known else None,
        "family": known.family if known else None,
        "kind": known.kind if known else None,
        "version": known.version if known else None,
        "transcripts": fact.finished,
        "transcripts_planned": fact.planned,
        "cost_per_transcript": None if fact.cost is None else f"{fact.cost.amount:f}",
        "currency": None if fact.cost is None else fact.cost.currency,
        "transcripts_priced": fact.priced,
        "median_latency_ms": fact.latency_ms,
        "judge_kin": list(fact.kin),
    }


def _tokens(fact: AgentFact, edition: Edition) -> dict[str, Any]:
    """Tokens of a finished dialogue, as means over scenarios."""
    found = mean_tokens(edition, fact.id)
    return {
        "tokens_in_per_transcript": None if found is None else round(found.read, 1),
        "tokens_out_per_transcript": None if found is None else round(found.written, 1),
        "transcripts_metered": 0 if found is None else found.known,
    }


def _cells(fact: AgentFact, standing: Standing | None) -> dict[str, Any]:
    agent = _agent(fact)
    name = agent["name"] or {"zh": fact.id, "en": fact.id}
    cells = {
        **{key: agent[key] for key in ("agent", "vendor", "family", "kind", "transcripts")},
        **{key: agent[key] for key in ("cost_per_transcript", "currency", "median_latency_ms")},
        "name_zh": name["zh"],
        "name_en": name["en"],
    }
    return {**cells, **dict(_standing(standing))} if standing else cells


def _standing(standing: Standing) -> Iterable[tuple[str, Any]]:
    for key in ("rank_low", "rank_high", "rating", "low", "high", "se", "p_best"):
        yield key, getattr(standing, key)
    yield from (("worst", standing.worst), ("best", standing.best))
    for key, points in (("controlled", standing.controlled), ("calibrated", standing.calibrated)):
        if points is not None:
            yield key, points.rating
            yield f"{key}_low", points.low
            yield f"{key}_high", points.high
    for key in ("wins", "ties", "losses", "share", "comparisons", "planned", "scenarios"):
        yield key, getattr(standing, key)
    yield "state", standing.state.value
    if standing.eligibility is not None:
        yield "eligibility", standing.eligibility.state.value
    yield "excluded", sum(standing.excluded.values())
    if score := standing.absolute:
        yield "absolute", score.mean
        yield "absolute_low", score.low
        yield "absolute_high", score.high
        yield "scenarios_scored", score.scenarios
