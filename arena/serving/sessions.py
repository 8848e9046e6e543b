"""Who is at the other end: the owner, a voter, or nobody yet. Sessions end with the process.

A session is a cookie that scripts cannot read and other sites cannot send, and a second secret
that must come with everything that changes something.
"""

import hmac
import secrets
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

Role = Literal["owner", "voter"]
COOKIE = "arena_session"
MOST = 10_000
"""Sessions that are kept; the oldest go first."""


@dataclass(frozen=True, slots=True)
class Session:
    """One browser: what it may do, as whom (`human:ID`; an owner has no person), and its secret."""

    role: Role
    person: str
    proof: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Access:
    """Who may come in. `token`: the owner's, None where this machine alone is served.

    `voters`: person by token; empty: whoever may come in votes under the name they give.
    """

    token: str | None = None
    voters: Mapping[str, str] = field(default_factory=dict)

    def is_owner(self, given: str) -> bool:
        """Whether this is the owner's token."""
        return self.token is not None and same(given, self.token)

    def voter(self, given: str) -> str | None:
        """Whose token this is."""
        # Every token is compared, so that the time tells nothing.
        found = [person for token, person in self.voters.items() if same(given, token)]
        return found[0] if found else None


class Sessions:
    """The sessions of one service."""

    def __init__(self) -> None:
        self._open: OrderedDict[str, Session] = OrderedDict()

    def begin(self, role: Role, person: str = "") -> tuple[str, Session]:
        """A new session and what its cookie holds."""
        cookie = secrets.token_urlsafe(32)
        session = Session(role, person, secrets.token_urlsafe(32))
        self._open[cookie] = session
        while len(self._open) > MOST:
            self._open.popitem(last=False)
        return cookie, session

    def of(self, cookie: str | None) -> Session | None:
        """The session of a cookie."""
        return self._open.get(cookie) if cookie else None

    def end(self, cookie: str | None) -> None:
        """Forget a session."""
        if cookie:
            self._open.pop(cookie, None)


def same(given: str, wanted: str) -> bool:
    """Whether two secrets are equal, in a time that tells nothing of either."""
    return hmac.compare_digest(given.encode("utf-8", "replace"), wanted.encode("utf-8", "replace"))
