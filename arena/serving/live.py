"""What a running command tells of itself, as events that a page can follow."""

import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import StreamingResponse

from arena.serving.doors import Doors
from arena.serving.keeper import Keeper

EVERY = 0.5
"""Seconds between two looks; a run renews its file twice a second."""
QUIET = 15.0
"""Seconds after which a word is sent anyway, so that nobody in between hangs up."""


def live_routes(keeper: Keeper, doors: Doors, state: Path) -> APIRouter:
    """The route of events: `progress` of the command that runs, `board` when one was read."""

    async def live(request: Request) -> Any:
        """Server-sent events; `progress` is what `arena status --json` reads of a run."""
        doors.owner(request)
        return StreamingResponse(_events(keeper, state), media_type="text/event-stream")

    router = APIRouter(prefix="/api", tags=["results"])
    told = {200: {"content": {"text/event-stream": {"example": 'event: progress\ndata: {"…"}'}}}}
    router.add_api_route(
        "/live", live, methods=["GET"], summary="Progress and boards as they come", responses=told
    )
    return router


async def _events(keeper: Keeper, state: Path) -> AsyncIterator[str]:
    """Events without end; whoever listens hangs up, or the service ends."""
    sent, shown, waited = "", "", 0.0
    while not keeper.closing:
        await keeper.look_again()
        text = await asyncio.to_thread(_read, state)
        if text and text != sent:
            sent, waited = text, 0.0
            yield f"event: progress\ndata: {text}\n\n"
        boards = _boards(keeper)
        if boards != shown:
            shown, waited = boards, 0.0
            yield f"event: board\ndata: {boards}\n\n"
        if waited >= QUIET:
            waited = 0.0
            yield ": still here\n\n"
        await asyncio.sleep(EVERY)
        waited += EVERY


def _read(state: Path) -> str:
    """The file of a run in one line; empty where there is nothing readable."""
    try:
        return json.dumps(json.loads(state.read_text(encoding="utf-8")), ensure_ascii=True)
    except (OSError, ValueError, RecursionError):
        return ""


def _boards(keeper: Keeper) -> str:
    """Who stands where on the latest boards."""
    told = [
        {
            "suite": room.job.suite.suite,
            "mode": room.job.mode,
            "at": room.board.at,
            "transcripts": len(room.transcripts),
            "agents": [
                {"agent": s.agent, "rating": s.rating, "low": s.low, "high": s.high}
                for s in room.board.agents
            ],
        }
        for room in keeper.snapshot.rooms
        if room.board is not None
    ]
    return json.dumps(told, ensure_ascii=True)
