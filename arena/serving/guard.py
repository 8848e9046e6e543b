"""Around everything that is served: whom to answer at all, how much to read, and safe headers.

A page of another site can make a browser call this machine by a name of its own (DNS rebinding)
or post to it; so only known hosts are answered, and what changes something must come from a page
of ours, as JSON. Pure ASGI, so that streams go through it.
"""

import ipaddress
import json
from collections.abc import Awaitable, Callable, MutableMapping
from dataclasses import dataclass
from typing import Any

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Message, Receive, Send], Awaitable[None]]
MOST_BYTES = 64 * 1024
SAFE = ("GET", "HEAD", "OPTIONS")
NOTHING = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
HEADERS = {
    b"x-content-type-options": b"nosniff",
    b"x-frame-options": b"DENY",
    b"referrer-policy": b"no-referrer",
    b"cross-origin-opener-policy": b"same-origin",
    b"cross-origin-resource-policy": b"same-origin",
    b"permissions-policy": b"camera=(), geolocation=(), microphone=()",
    b"content-security-policy": NOTHING.encode(),
    b"cache-control": b"no-store",
}
"""What every reply has unless it says something of its own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hosts:
    """By which hosts the service may be called.

    `remote`: by any address as well, as no other site can have one for its name.
    """

    names: frozenset[str] = frozenset({"localhost"})
    remote: bool = False

    def known(self, host: str) -> bool:
        """Whether a Host header is one of ours."""
        name = _bare(host)
        if name in self.names:
            return True
        try:
            address = ipaddress.ip_address(name)
        except ValueError:
            return False
        return self.remote or address.is_loopback


def _bare(host: str) -> str:
    """A host without its port, and an IPv6 address without its brackets."""
    host = host.strip().lower()
    if host.startswith("["):
        return host[1:].partition("]")[0]
    name, _, port = host.rpartition(":")
    return name if name and port.isdigit() else host


class Guard:
    """Wraps the service."""

    def __init__(self, app: App, hosts: Hosts) -> None:
        self._app, self._hosts = app, hosts

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Answer a request, or refuse it."""
        if scope["type"] != "http":
            # The life of the process, which is no request; of web sockets there are none.
            if scope["type"] == "lifespan":
                await self._app(scope, receive, send)
            return
        guarded = _with_headers(send)
        status, why = self._refusal(scope)
        if status:
            await _refuse(guarded, status, why)
            return
        await self._app(scope, _Limited(receive), guarded)

    def _refusal(self, scope: Message) -> tuple[int, str]:
        """The status with which a request is refused, and why; 0: it is not."""
        given = {
            name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]
        }
        host = given.get("host", "")
        if not self._hosts.known(host):
            return 421, "unknown host"
        if scope["method"] in SAFE:
            return 0, ""
        if given.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
            return 403, "from another site"
        origin = given.get("origin")
        if origin is not None and origin.partition("://")[2].lower() != host.lower():
            return 403, "from another site"
        if given.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
            return 415, "application/json is expected"
        length = given.get("content-length", "0")
        if not length.isdigit() or int(length) > MOST_BYTES:
            return 413, "too large"
        return 0, ""


class _Limited:
    """Ends the reading of a body that turns out longer than it may be."""

    def __init__(self, receive: Receive) -> None:
        self._receive, self._read = receive, 0

    async def __call__(self) -> Message:
        message = await self._receive()
        self._read += len(message.get("body", b""))
        # A body cut short is no JSON, and is refused as such.
        return {"type": "http.disconnect"} if self._read > MOST_BYTES else message


def _with_headers(send: Send) -> Send:
    async def guarded(message: Message) -> None:
        if message["type"] == "http.response.start":
            own = [(name.lower(), value) for name, value in message.get("headers", ())]
            there = {name for name, _ in own}
            own += [(name, value) for name, value in HEADERS.items() if name not in there]
            message = {**message, "headers": own}
        await send(message)

    return guarded


async def _refuse(send: Send, status: int, why: str) -> None:
    body = json.dumps({"error": {"kind": "refused", "message": why}}).encode()
    headers = [(b"content-type", b"application/json"), (b"content-length", b"%d" % len(body))]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
