"""Transcripts that were made elsewhere, played again: what a file holds, and nothing else.

A turn that differs from the scenario's is named and its transcript refused: judges would be told
of a dialogue that did not take place.
"""

from collections.abc import Mapping

from arena.domain.call import Reply, Request
from arena.domain.product import Replay, Tape
from arena.errors import ProviderFault

SHOWN = 60


class ReplayProvider:
    """The provider of every `replay` agent."""

    def __init__(self, replays: Mapping[str, Replay]) -> None:
        self._replays = replays

    async def __call__(self, request: Request) -> Reply:
        """The reply to the last turn; raises ProviderFault where the file has none."""
        name = request.endpoint.id.removeprefix("agent:")
        replay, sitting = self._replays.get(name), request.sitting
        if replay is None or sitting is None:
            raise ProviderFault("rejected", f"no product called {name}", status=404)
        tape = replay.tapes.get((sitting.scenario, sitting.replicate))
        if tape is None:
            more = "" if sitting.replicate == 1 else f", replicate {sitting.replicate}"
            said = f"{replay.file}: no transcript of {sitting.scenario}{more}"
            raise ProviderFault("rejected", said, status=404)
        turns = [m.text for m in request.messages if m.role == "user"]
        _check(tape, turns)
        reply = tape.rounds[len(turns) - 1][1]
        return Reply(
            text=reply,
            finish_reason="stop",
            note=None if reply.strip() else f"{tape.place}: an empty reply",
            elsewhere=True,
        )


def _check(tape: Tape, turns: list[str]) -> None:
    """Raise ProviderFault where the file's turns are not the scenario's."""
    if len(tape.rounds) < len(turns):
        said = f"{tape.place}: {len(tape.rounds)} rounds, and the scenario goes on"
        raise ProviderFault("rejected", said)
    for number, (turn, (other, _)) in enumerate(zip(turns, tape.rounds, strict=False), start=1):
        if _folded(turn) != _folded(other):
            said = f"{tape.place}: turn {number} is not the scenario's: {other.strip()[:SHOWN]!r}"
            raise ProviderFault("rejected", f"{said} instead of {turn.strip()[:SHOWN]!r}")


def _folded(text: str) -> str:
    """A turn without what files change of a text: spaces and ends of lines."""
    return " ".join(text.split())
