"""Products with a web API of their own: one message in, one reply out.

A dialogue is kept by the product (a session, an id of the user, cookies) or sent whole each time.
What the product gave to be sent on travels with the dialogue and is never stored.
"""

import asyncio
import itertools
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from arena.domain.call import Message, Reply, Request
from arena.domain.digest import digest
from arena.domain.placeholders import ABSENT
from arena.domain.sitting import Sitting
from arena.domain.web import History, Http, Sending
from arena.errors import ProviderFault
from arena.llm.adapters.asking_again import Keeper, fetch_late
from arena.llm.adapters.blame import Blame
from arena.llm.adapters.bodies import SUCCESS, ExpiredToken, check_ok, read_json
from arena.llm.adapters.parts import join_parts
from arena.llm.adapters.signing import prepare
from arena.llm.adapters.stream import Events
from arena.llm.adapters.wire import Wire
from arena.llm.secrecy import hide_in_reply
from arena.suites.paths import find

UNAUTHORISED = 401
Sleep = Callable[[float], Awaitable[Any]]


class HttpProvider:
    """The provider of every `http` agent.

    `secrets`: for each agent, the variables of its block. `clock`: seconds since 1970.
    """

    def __init__(
        self,
        products: Mapping[str, Http],
        *,
        secrets: Mapping[str, Mapping[str, str]],
        clock: Callable[[], float],
        sleep: Sleep,
    ) -> None:
        self._products = products
        self._secrets = secrets
        self._clock = clock
        self._sleep = sleep
        self._keepers: dict[str, Keeper] = {}
        self._counter = itertools.count()

    async def __call__(self, request: Request) -> Reply:
        """One attempt; raises ProviderFault."""
        name = request.endpoint.id.removeprefix("agent:")
        http, sitting = self._products.get(name), request.sitting
        if http is None or sitting is None:
            raise ProviderFault("rejected", f"no product called {name}", status=404)
        secrets = self._secrets.get(name, {})
        blame = Blame(urlsplit(http.url).netloc, secrets.values())
        timeout = request.endpoint.timeout
        state = sitting.state or {}
        wire = Wire(
            blame,
            timeout - (http.poll.deadline if http.poll else 0),
            http.max_bytes,
            dict(state.get("cookies", {})),
        )
        talk = _Talk(
            http=http,
            wire=wire,
            secrets=secrets,
            keeper=self._keeper(name, http, secrets),
            sleep=self._sleep,
            facts=self._facts(http, sitting, request.messages),
        )
        try:
            async with asyncio.timeout(timeout):
                return await talk.run(first=not _begun(request.messages))
        except TimeoutError:
            said = f"no answer within {timeout:g} s (`limits: timeout`)"
            raise blame.lost(said) from None

    def _keeper(self, name: str, http: Http, secrets: Mapping[str, str]) -> Keeper | None:
        if http.token and name not in self._keepers:
            self._keepers[name] = Keeper(http.token, secrets, self._clock)
        return self._keepers.get(name)

    def _facts(self, http: Http, sitting: Sitting, messages: tuple[Message, ...]) -> dict[str, Any]:
        """What the places of a request are filled with."""
        spoken = [m for m in messages if m.role != "system"]
        now = self._clock()
        first = http.session.first if http.session else None
        absent = ABSENT if first is None else first
        return {
            "message": spoken[-1].text if spoken else "",
            "history": _history(spoken[:-1], http.history),
            "messages": _history(spoken, http.history),
            "session": (sitting.state or {}).get("session", absent),
            "user": sitting.user,
            "time": int(now),
            "time_ms": int(now * 1000),
            "nonce": digest(["nonce", sitting.user, now, next(self._counter)])[:16],
        }


@dataclass(slots=True, kw_only=True)
class _Talk:
    """One message to one product, from the token to the reply."""

    http: Http
    wire: Wire
    secrets: Mapping[str, str]
    keeper: Keeper | None
    sleep: Sleep
    facts: dict[str, Any]
    welcome: str = ""
    session: Any = field(default=None)

    async def run(self, *, first: bool) -> Reply:
        """Send the message; before the first one, fetch what the product says by itself."""
        if self.facts["session"] is not ABSENT:
            self.session = self.facts["session"]
        if first and self.http.fetches_welcome:
            await self._fetch_welcome()
        found, events = await self._ask(self.http, self.http.url)
        text, count = (events.text(), 1) if events else self._read(found)
        self._keep_session(events.events if events else [found])
        if self.http.session and self.session in (None, "", self.http.session.first):
            said = f"no session id at `session` ({self.http.session.path})"
            raise self.wire.blame.fault("rejected", said)
        return Reply(
            text=hide_in_reply(text, self.wire.blame.secrets),
            finish_reason="stop" if count <= 1 else f"messages:{count}",
            state={"session": self.session, "cookies": self.wire.cookies},
            welcome=self.welcome,
            note=None if text.strip() else f"{self.wire.blame.host}: an empty reply at `reply`",
        )

    async def _fetch_welcome(self) -> None:
        """What the product says before anybody spoke, and the session that it begins with it."""
        sending: Sending = self.http
        url, path = self.http.url, self.http.reply
        welcome = self.http.welcome
        if welcome and (welcome.url or welcome.request):
            sending, url = welcome, welcome.url or url
        if welcome and welcome.reply:
            path = welcome.reply
        spoken = self.facts["message"], self.facts["messages"]
        self.facts |= {"message": "", "messages": []}
        found, events = await self._ask(sending, url)
        self.facts["message"], self.facts["messages"] = spoken
        said = events.text() if events else join_parts(find(path or "$", found))[0]
        self.welcome = hide_in_reply(said, self.wire.blame.secrets).strip()
        self._keep_session(events.events if events else [found])
        if self.session is not None:
            self.facts["session"] = self.session

    async def _ask(self, sending: Sending, url: str) -> tuple[Any, Events | None]:
        """The JSON of the answer, or its events; a token that is refused is renewed once."""
        try:
            return await self._ask_once(sending, url)
        except ExpiredToken:
            if self.keeper is None:
                raise
            self.keeper.forget(self.facts["token"])
        try:
            return await self._ask_once(sending, url)
        except ExpiredToken as still:
            raise still.fault from None

    async def _ask_once(self, sending: Sending, url: str) -> tuple[Any, Events | None]:
        blame = self.wire.blame
        if self.keeper:
            self.facts["token"] = await self.keeper.get(self.wire, self.facts)
            blame.secrets.append(self.facts["token"])
        events = Events(self.http.stream) if self.http.stream else None
        outgoing = prepare(sending, url, self.facts, self.secrets, self.http.sign)
        incoming = await self.wire.send(outgoing, events.push if events else None)
        if incoming.status == UNAUTHORISED and self.keeper:
            fault = blame.of_status(incoming.status, incoming.text, None)
            raise ExpiredToken(fault)
        if events and incoming.status in SUCCESS and "event-stream" in incoming.content_type:
            return None, self._ended(events)
        answer = read_json(incoming, blame, "url")
        check_ok(self.http, answer, blame)
        if events and not self.http.reply:
            raise blame.fault("rejected", "no event stream (`stream`)")
        late = await fetch_late(self.http, answer, self.facts, self.secrets, self.wire, self.sleep)
        if late is not answer:
            self._keep_session([answer])
        return late, None

    def _ended(self, events: Events) -> Events:
        """The events of a stream that came to its end; raises ProviderFault for any other."""
        events.finish()
        for event in events.events:
            check_ok(self.http, event, self.wire.blame, strict=False)
        if not events.whole:
            raise self.wire.blame.lost("the stream broke off before its end (`stream: ends`)")
        return events

    def _read(self, answer: Any) -> tuple[str, int]:
        path = self.http.reply or "$"
        found = find(path, answer)
        if not found:
            raise self.wire.blame.fault("rejected", f"nothing at `reply` ({path})")
        return join_parts(found)

    def _keep_session(self, answers: list[Any]) -> None:
        """The session's id, wherever it is found first."""
        if self.http.session is None:
            return
        for answer in answers:
            found = [one for one in find(self.http.session.path, answer) if one not in (None, "")]
            if found:
                self.session = found[0]
                return


def _begun(messages: tuple[Message, ...]) -> bool:
    """Whether a user turn was answered before."""
    return any(m.role == "user" for m in messages[:-1])


def _history(messages: list[Message], shape: History) -> list[dict[str, str]]:
    """Messages as the product writes them."""
    names = {"user": shape.user, "assistant": shape.agent}
    return [{shape.role: names.get(m.role, m.role), shape.text: m.text} for m in messages]
