"""What a product wants to be asked for beside the message: a token, and replies that come late."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from arena.domain.placeholders import Facts
from arena.domain.web import Http, Token
from arena.errors import ProviderFault
from arena.llm.adapters.blame import Blame
from arena.llm.adapters.bodies import check_ok, check_token, read_json
from arena.llm.adapters.signing import prepare
from arena.llm.adapters.wire import Wire
from arena.suites.paths import find, holds

MARGIN = 0.1
"""Share of its life before its end at which a token is asked for anew."""
Sleep = Callable[[float], Awaitable[Any]]


class Keeper:
    """Keeps the token of one product for every dialogue, and asks for another when it is old."""

    def __init__(
        self, token: Token, secrets: Mapping[str, str], clock: Callable[[], float]
    ) -> None:
        self._token = token
        self._secrets = secrets
        self._clock = clock
        self._lock = asyncio.Lock()
        self._value: str | None = None
        self._until: float | None = None

    @property
    def value(self) -> str:
        """The token now; empty where there is none."""
        return self._value or ""

    async def get(self, wire: Wire, facts: Facts) -> str:
        """The token; raises ProviderFault where none is given."""
        async with self._lock:
            if self._value is None or (self._until is not None and self._clock() >= self._until):
                await self._fetch(wire, facts)
            return self.value

    def forget(self, value: str) -> None:
        """A token that was refused; another dialogue may have asked for a new one already."""
        if self._value == value:
            self._value = None

    async def _fetch(self, wire: Wire, facts: Facts) -> None:
        token = self._token
        self._value = self._until = None
        asked = self._clock()
        plain = Wire(Blame(wire.blame.host, wire.blame.secrets), wire.timeout, wire.max_bytes)
        incoming = await plain.send(prepare(token, token.url, facts, self._secrets))
        answer = read_json(incoming, plain.blame, "token: url")
        check_token(token, answer, plain.blame)
        found = find(token.reply, answer)
        if not found or not isinstance(found[0], str) or not found[0]:
            raise plain.blame.fault("denied", f"no token at `token: reply` ({token.reply})")
        self._value = found[0]
        lasts = find(token.expires, answer) if token.expires else []
        if lasts:
            self._until = asked + (1 - MARGIN) * _seconds(lasts[0])


async def fetch_late(
    http: Http,
    submitted: Any,
    facts: dict[str, Any],
    secrets: Mapping[str, str],
    wire: Wire,
    sleep: Sleep,
) -> Any:
    """The answer of a product that replies later: asked for until it is there.

    What was submitted is paid for, so a poll that fails is only a poll. Raises ProviderFault.
    """
    poll = http.poll
    if poll is None:
        return submitted
    found = find(poll.id, submitted)
    if not found or found[0] in (None, ""):
        raise wire.blame.fault("rejected", f"nothing at `poll: id` ({poll.id})")
    try:
        async with asyncio.timeout(poll.deadline):
            while True:
                await sleep(poll.interval)
                answer = await _poll_once(http, {**facts, "id": found[0]}, secrets, wire)
                if answer is not None:
                    return answer
    except TimeoutError:
        said = f"not done within {poll.deadline:g} s (`poll: deadline`)"
        raise wire.blame.lost(said) from None


async def _poll_once(
    http: Http, facts: dict[str, Any], secrets: Mapping[str, str], wire: Wire
) -> Any:
    """The answer where it is there, else None; raises ProviderFault where there will be none."""
    poll = http.poll
    if poll is None:
        return None
    try:
        incoming = await wire.send(prepare(poll, poll.url, facts, secrets, http.sign))
        answer = read_json(incoming, wire.blame, "poll: url")
        check_ok(http, answer, wire.blame, strict=False)
    except ProviderFault as fault:
        if fault.fault != "retry":
            raise
        return None
    if poll.failed and holds(poll.failed, answer):
        raise wire.blame.fault("rejected", f"the reply failed (`poll: failed: {poll.failed}`)")
    return answer if holds(poll.until, answer) else None


def _seconds(value: Any) -> float:
    try:
        return max(0.0, float(value))
    except (TypeError, ValueError):
        return 0.0
