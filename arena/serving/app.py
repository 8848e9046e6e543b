"""The service put together: pages, the API, and the leaderboard's files behind one guard."""

import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from threading import Event
from typing import Annotated, Any, Literal

from fastapi import FastAPI, HTTPException, Query, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import HTMLResponse, JSONResponse
from pydantic import Field

from arena.domain.words import Lang
from arena.errors import ArenaError, StoreHeld
from arena.serving import pages
from arena.serving.board_api import board_routes
from arena.serving.doors import Doors
from arena.serving.files import add_leaderboard
from arena.serving.guard import App, Guard, Hosts
from arena.serving.keeper import Desk, Keeper
from arena.serving.live import live_routes
from arena.serving.review_api import review_routes
from arena.serving.sessions import Access
from arena.serving.voting_api import Closed, voting_routes

Asked = Annotated[Literal["zh", "en"] | None, Query()]


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """How the service is reached, and by whom. `secure`: cookies go over TLS alone.

    `ending` is set once the service ends: replies without an end come to theirs.
    """

    access: Access = Access()  # noqa: RUF009 - frozen and empty
    hosts: Hosts = Hosts()  # noqa: RUF009 - frozen
    lang: Lang = "en"
    version: str = ""
    secure: bool = False
    clock: Callable[[], float] = time.monotonic
    ending: Event = field(default_factory=Event)


class Owner(Closed):
    """The owner's token."""

    token: str = Field(max_length=200)


def make_app(desk: Desk, terms: Terms) -> App:
    """The service as an ASGI application; it reads the store when it starts."""
    keeper = Keeper(desk)
    doors = Doors(terms.access, secure=terms.secure, clock=terms.clock)

    @asynccontextmanager
    async def living(_: Any) -> AsyncIterator[None]:
        await keeper.refresh()
        yield
        await keeper.close()

    app = FastAPI(
        title="arena",
        version=terms.version,
        lifespan=living,
        # The pages of the documentation load scripts from elsewhere.
        docs_url=None,
        redoc_url=None,
        openapi_url="/api/openapi.json",
    )
    app.add_exception_handler(ArenaError, _failed)
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(HTTPException, _refused)
    app.include_router(voting_routes(keeper, doors))
    app.include_router(review_routes(keeper, doors))
    app.include_router(board_routes(keeper, doors))
    app.include_router(live_routes(keeper, doors, desk.state, terms.ending))
    app.add_api_route("/api/health", _health(keeper, terms), methods=["GET"], tags=["service"])
    app.add_api_route("/api/owner", _enter(doors), methods=["POST"], tags=["service"])
    for page in pages.PAGES:
        app.add_api_route(page.path, _page(page, terms), methods=["GET"], include_in_schema=False)
    app.add_api_route("/static/{name}", _static, methods=["GET"], include_in_schema=False)
    add_leaderboard(app, desk.published, doors)
    return Guard(app, terms.hosts)


def _health(keeper: Keeper, terms: Terms) -> Callable[[], Any]:
    async def health() -> dict[str, Any]:
        """Whether the service lives, and whether it can keep votes now."""
        held = keeper.held
        return {
            "schema": "arena.api.health/1",
            "version": terms.version,
            "at": keeper.snapshot.at,
            "read_only": held is not None,
            "held_by": held.pid if held is not None else None,
        }

    return health


def _enter(doors: Doors) -> Callable[..., Any]:
    async def owner(asked: Owner, request: Request, response: Response) -> dict[str, bool]:
        """Open the leaderboard and the API for this browser."""
        doors.trying(request)
        if doors.access.token is not None and not doors.access.is_owner(asked.token):
            doors.failed(request)
        doors.begin(request, response, "owner")
        return {"entered": True}

    return owner


def _page(page: pages.Page, terms: Terms) -> Callable[..., Any]:
    async def show(lang: Asked = None) -> Any:
        headers = {"content-security-policy": pages.policy(page)}
        return HTMLResponse(pages.render(page, lang or terms.lang), headers=headers)

    return show


async def _static(name: str) -> Any:
    try:
        body = pages.static(name)
    except KeyError:
        raise HTTPException(404, "there is no such file") from None
    # Scripts go by their hash: one of another version would not run.
    return Response(body, media_type=pages.STATIC[name], headers={"cache-control": "no-cache"})


async def _failed(_: Request, error: Any) -> Any:
    held = isinstance(error, StoreHeld)
    told = {"kind": error.kind, "message": str(error).split("\n")[0]}
    if held:
        told["message"] = "the database is in use; nothing was kept, try again"
    headers = {"Retry-After": "5"} if held else {}
    return JSONResponse({"error": told}, 503 if held else 500, headers=headers)


async def _invalid(_: Request, error: Any) -> Any:
    # What came in is not sent back: a secret may stand in it.
    told = [{"where": [str(p) for p in e["loc"]], "message": e["msg"]} for e in error.errors()]
    return JSONResponse(
        {"error": {"kind": "invalid", "message": "not understood", "at": told}}, 422
    )


async def _refused(_: Request, error: Any) -> Any:
    told = {"kind": "refused", "message": error.detail}
    return JSONResponse({"error": told}, error.status_code, headers=error.headers)
