"""Who may pass where: the owner to the leaderboard and the API, a voter to what is blind.

Whoever votes sees no leaderboard as long as the voting goes on: it would not be blind.
"""

from collections.abc import Callable
from typing import Any, NoReturn

from fastapi import HTTPException, Request, Response

from arena.serving.rates import Rates
from arena.serving.sessions import COOKIE, Access, Role, Session, Sessions, same

PROOF = "x-arena-proof"
BEARER = "bearer "


class Doors:
    """Checks requests against sessions. Raises HTTPException 401, 403 or 429."""

    def __init__(self, access: Access, *, secure: bool, clock: Callable[[], float]) -> None:
        self.access = access
        self._secure = secure
        self._sessions = Sessions()
        self._votes = Rates(per_second=5, burst=30, clock=clock)
        self._tries = Rates(per_second=0.5, burst=10, clock=clock)

    def session(self, request: Request) -> Session | None:
        """The session of a request."""
        return self._sessions.of(request.cookies.get(COOKIE))

    def owner(self, request: Request) -> None:
        """Let the owner through, who on this machine alone needs no token."""
        session = self.session(request)
        if session is not None and session.role == "voter":
            raise HTTPException(403, "voting is blind: leave it to see the leaderboard")
        if session is not None or self.access.token is None:
            return
        given = request.headers.get("authorization", "")
        if not given.lower().startswith(BEARER):
            raise HTTPException(401, "a token is needed", headers={"WWW-Authenticate": "Bearer"})
        self.trying(request)
        if not self.access.is_owner(given[len(BEARER) :]):
            self.failed(request)

    def voter(self, request: Request) -> Session:
        """The voter of a request."""
        session = self.session(request)
        if session is None or session.role != "voter":
            raise HTTPException(401, "no voting session: begin one")
        return session

    def acting(self, request: Request) -> Session:
        """The voter of a request that changes something: it must carry the session's proof."""
        session = self.voter(request)
        if not same(request.headers.get(PROOF, ""), session.proof):
            raise HTTPException(403, "the session's proof is missing")
        self._pause(self._votes.wait(session.person))
        return session

    def begin(self, request: Request, response: Response, role: Role, person: str = "") -> Session:
        """Open a session in place of the one there was."""
        self._sessions.end(request.cookies.get(COOKIE))
        cookie, session = self._sessions.begin(role, person)
        how: dict[str, Any] = {"httponly": True, "samesite": "strict", "path": "/"}
        response.set_cookie(COOKIE, cookie, secure=self._secure, **how)
        return session

    def leave(self, request: Request, response: Response) -> None:
        """End a session."""
        self._sessions.end(request.cookies.get(COOKIE))
        response.delete_cookie(COOKIE, path="/")

    def trying(self, request: Request) -> None:
        """Refuse whoever guessed wrong too often just now."""
        self._pause(self._tries.closed(_from(request)))

    def failed(self, request: Request) -> NoReturn:
        """Note a wrong token, and refuse it."""
        self._tries.wait(_from(request))
        raise HTTPException(401, "no such token")

    def _pause(self, seconds: float) -> None:
        if seconds:
            after = str(int(seconds) + 1)
            raise HTTPException(429, "too many requests", headers={"Retry-After": after})


def _from(request: Request) -> str:
    return request.client.host if request.client else ""
