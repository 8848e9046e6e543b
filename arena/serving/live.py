"""What a running command tells of itself, as events that a page can follow."""

import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path
from threading import Event
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import StreamingResponse

from arena.domain.words import Words
from arena.judging.shield import reveal
from arena.serving.doors import Doors
from arena.serving.keeper import Keeper
from arena.serving.snapshot import Room

EVERY = 0.5
"""Seconds between two looks; a run renews its file twice a second."""
QUIET = 15.0
"""Seconds after which a word is sent anyway, so that nobody in between hangs up."""


def live_routes(keeper: Keeper, doors: Doors, state: Path, ending: Event) -> APIRouter:
    """The route of events: `progress` of the command that runs, `board` when one was read."""

    async def live(request: Request) -> Any:
        """Server-sent events; `progress` is what `arena status --json` reads of a run.

        `board` has an entry for every suite and mode that is served, with or without a board.
        """
        doors.owner(request)
        return StreamingResponse(_events(keeper, state, ending), media_type="text/event-stream")

    router = APIRouter(prefix="/api", tags=["results"])
    told = {200: {"content": {"text/event-stream": {"example": 'event: progress\ndata: {"…"}'}}}}
    router.add_api_route(
        "/live", live, methods=["GET"], summary="Progress and boards as they come", responses=told
    )
    return router


async def _events(keeper: Keeper, state: Path, ending: Event) -> AsyncIterator[str]:
    """Events without end; whoever listens hangs up, or the service ends."""
    sent, shown, waited = "", "", 0.0
    while not ending.is_set():
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
    """Who stands where on the latest board of each suite and mode; `at` null: there is none yet."""
    return json.dumps([_board(room) for room in keeper.snapshot.rooms], ensure_ascii=True)


def _board(room: Room) -> dict[str, Any]:
    job, board = room.job, room.board
    names = {agent.agent: _told(agent.display) for agent in job.agents}
    mode = job.suite.modes.get(job.mode)
    return {
        "suite": job.suite.suite,
        "mode": job.mode,
        "title": _told(job.suite.name),
        "mode_name": _told(mode.name) if mode else None,
        "at": board.at if board else None,
        "comparisons": board.comparisons if board else 0,
        "transcripts": len(room.transcripts),
        "agents": [
            {
                "agent": s.agent,
                "name": names.get(s.agent),
                "rating": s.rating,
                "low": s.low,
                "high": s.high,
                "ranks": [s.rank_low, s.rank_high],
            }
            for s in (board.agents if board else ())
        ],
    }


def _told(words: Words) -> dict[str, str]:
    """A name in both languages, with what cannot be seen made visible."""
    return {lang: reveal(text) for lang, text in words.model_dump().items()}
