"""Eligibility in the terminal: a word in the table, and a line a gate and agent below it."""

from collections.abc import Iterator, Mapping

from arena.cli.words import Lang, say
from arena.domain.board import Board
from arena.domain.eligibility import GateResult, GateShare
from arena.domain.gate import Gate
from arena.domain.standing import Standing

Names = Mapping[str, str]


def say_eligible(standing: Standing, lang: Lang) -> str:
    """What an agent is, in a word or two."""
    if standing.eligibility is None:
        return "—"
    return say(lang, f"eligible_{standing.eligibility.state.value}")


def say_gates(board: Board, names: Names, lang: Lang) -> Iterator[str]:
    """Each gate for each agent, and how several judges are taken together."""
    if not board.gates:
        return
    for standing in board.agents:
        for result in standing.eligibility.gates if standing.eligibility else ():
            agent = names.get(standing.agent, standing.agent)
            yield _line(agent, board.gates[result.gate], result, lang)
    yield say(lang, "gate_panel")


def _line(agent: str, gate: Gate, result: GateResult, lang: Lang) -> str:
    panel = result.panel
    return say(
        lang,
        "gate_told",
        agent=agent,
        criterion=gate.criterion,
        at_least=f"{gate.at_least:g}",
        where=gate.where,
        met=panel.met,
        cases=panel.cases,
        share=_part(panel.share),
        low=_part(panel.low),
        high=_part(panel.high),
        quota=_part(gate.quota),
        test=say(lang, f"gate_test_{gate.test}"),
        state=say(lang, f"gate_state_{result.state}"),
        more="".join(f"; {part}" for part in _more(gate, result, lang)),
    )


def _more(gate: Gate, result: GateResult, lang: Lang) -> Iterator[str]:
    if result.why == "no_scores":
        yield say(lang, "gate_no_scores")
    if result.why == "few_scored":
        part = _part(result.panel.cases / result.planned)
        yield say(lang, "gate_few_scored", part=part, least=_part(gate.min_coverage))
    counts = {
        "gate_left_out": result.failed,
        "gate_waiting": result.waiting,
        "gate_open": result.open,
        "gate_turned": result.turned,
    }
    for key, n in counts.items():
        if n:
            yield say(lang, key, n=n)
    if result.people:
        yield say(lang, "gate_people", people=", ".join(result.people))
    if len(result.judges) > 1 or any(j.kin for j in result.judges):
        yield from (_judge(share, lang) for share in result.judges)


def _judge(share: GateShare, lang: Lang) -> str:
    key = "gate_judge_kin" if share.kin else "gate_judge"
    return say(lang, key, judge=share.judge or "", met=share.met, cases=share.cases)


def _part(value: float | None) -> str:
    return "—" if value is None else f"{value:.1%}"
