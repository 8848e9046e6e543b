"""The API over what was measured: boards, pairs, transcripts and verdicts, read from a snapshot."""

import json
from collections.abc import Iterator
from typing import Annotated, Any

from fastapi import APIRouter, HTTPException, Query, Request

from arena.domain.board import to_json
from arena.domain.verdict import Verdict
from arena.serving.doors import Doors
from arena.serving.keeper import Keeper
from arena.serving.snapshot import Room

MOST = 500
Offset = Annotated[int, Query(ge=0, le=10_000_000, description="How many to leave out first.")]
Limit = Annotated[int, Query(ge=1, le=MOST, description="How many at most.")]
Suite = Annotated[str | None, Query(max_length=64, description="Only of this suite.")]
Mode = Annotated[str | None, Query(max_length=64, description="Only in this mode.")]


def board_routes(keeper: Keeper, doors: Doors) -> APIRouter:
    """The routes below /api that the owner may read."""
    reader = Reader(keeper, doors)
    router = APIRouter(prefix="/api", tags=["results"])
    for path, does, summary, example in (
        ("/board", reader.board, "The latest board of every suite and mode", BOARDS),
        ("/pairs", reader.pairs, "How every two agents stand to each other", PAIRS),
        ("/transcripts", reader.transcripts, "Keys of the transcripts", LISTED),
        ("/transcripts/{key}", reader.transcript, "One transcript", TRANSCRIPT),
        ("/verdicts", reader.verdicts, "Verdicts of the judges, without people's votes", VERDICTS),
    ):
        told = {200: {"content": {"application/json": {"example": example}}}}
        router.add_api_route(path, does, methods=["GET"], summary=summary, responses=told)
    return router


class Reader:
    """What the routes do."""

    def __init__(self, keeper: Keeper, doors: Doors) -> None:
        self._keeper, self._doors = keeper, doors

    async def board(self, request: Request, suite: Suite = None, mode: Mode = None) -> Any:
        """Boards as `arena rank --json` has them."""
        rooms = await self._rooms(request, suite, mode)
        found = [to_json(r.board) for r in rooms if r.board is not None]
        if not self._keeper.snapshot.rooms and self._keeper.held is not None:
            found = [d for d in self._published() if suite in (None, d.get("suite"))]
        return self._page(found, "boards")

    def _published(self) -> list[Any]:
        """The boards that were published last, for as long as the store was never read."""
        paths = sorted(self._keeper.published.glob("**/data/leaderboard.json"))
        sample = self._keeper.published / "sample"
        own = [path for path in paths if sample not in path.parents]
        try:
            return [json.loads(path.read_text(encoding="utf-8")) for path in own]
        except (OSError, ValueError):
            return []

    async def pairs(
        self,
        request: Request,
        suite: Suite = None,
        mode: Mode = None,
        offset: Offset = 0,
        limit: Limit = 100,
    ) -> Any:
        """Pairs of the latest boards."""
        rooms = await self._rooms(request, suite, mode)
        found = [
            {"suite": r.job.suite.suite, "mode": r.job.mode, **pair}
            for r in rooms
            if r.board is not None
            for pair in to_json(r.board)["pairs"]
        ]
        return self._page(found, "pairs", offset, limit)

    async def transcripts(
        self,
        request: Request,
        suite: Suite = None,
        mode: Mode = None,
        offset: Offset = 0,
        limit: Limit = 100,
    ) -> Any:
        """Whose transcripts there are, by key."""
        rooms = await self._rooms(request, suite, mode)
        specs = [t.spec for room in rooms for t in room.transcripts.values()]
        found = [
            {
                "key": s.key,
                "suite": s.suite,
                "mode": s.mode,
                "agent": s.agent,
                "scenario": s.scenario,
                "replicate": s.replicate,
            }
            for s in specs
        ]
        return self._page(found, "transcripts", offset, limit)

    async def transcript(self, request: Request, key: str) -> Any:
        """What was said, round by round."""
        await self._rooms(request, None, None)
        found = self._keeper.snapshot.transcripts.get(key)
        if found is None:
            raise HTTPException(404, "there is no such transcript")
        spec, one = found[1].spec, found[1]
        return {
            "schema": "arena.api.transcript/1",
            "key": key,
            "suite": spec.suite,
            "mode": spec.mode,
            "agent": spec.agent,
            "scenario": spec.scenario,
            "replicate": spec.replicate,
            "at": one.at,
            "welcome": one.welcome,
            "rounds": [{"user": user, "agent": reply} for user, reply in one.rounds],
        }

    async def verdicts(
        self,
        request: Request,
        suite: Suite = None,
        mode: Mode = None,
        judge: Annotated[str | None, Query(max_length=200)] = None,
        offset: Offset = 0,
        limit: Limit = 100,
    ) -> Any:
        """Verdicts of the judges as they stand; an outcome of null was not given, and is no tie.

        What people voted is not here, nor anywhere else in this API: who is going to vote could
        read it first. An export of all tables holds it.
        """
        rooms = await self._rooms(request, suite, mode)
        found = [
            v
            for room in rooms
            for v in room.verdicts
            if judge is None or v.presentation.judge == judge
        ]
        page = self._page(found, "verdicts", offset, limit)
        return page | {"verdicts": [_verdict(v) for v in page["verdicts"]]}

    async def _rooms(self, request: Request, suite: str | None, mode: str | None) -> list[Room]:
        self._doors.owner(request)
        await self._keeper.look_again()
        return list(_chosen(self._keeper.snapshot.rooms, suite, mode))

    def _page(
        self, found: list[Any], what: str, offset: int = 0, limit: int = MOST
    ) -> dict[str, Any]:
        held = self._keeper.held
        return {
            "schema": f"arena.api.{what}/1",
            "at": self._keeper.snapshot.at,
            "read_only": held is not None,
            "total": len(found),
            "offset": offset,
            what: found[offset : offset + limit],
        }


def _chosen(rooms: tuple[Room, ...], suite: str | None, mode: str | None) -> Iterator[Room]:
    for room in rooms:
        if suite in (None, room.job.suite.suite) and mode in (None, room.job.mode):
            yield room


def _verdict(verdict: Verdict) -> dict[str, Any]:
    shown = verdict.presentation
    counts = verdict.status == "ok"
    return {
        "key": shown.key,
        "judge": shown.judge,
        "scenario": shown.scenario,
        "replicate": shown.replicate,
        "a": shown.agent_a,
        "b": shown.agent_b,
        "transcripts": [shown.a, shown.b],
        "order": shown.order,
        "status": verdict.status.value,
        "outcome": verdict.outcome.value if counts and verdict.outcome else None,
        "margin": verdict.margin if counts else None,
        "reason": verdict.reason,
        "criteria": {c.criterion: c.side.value for c in verdict.criteria},
        "at": verdict.at,
    }


_HEAD = {"at": "2026-11-30T04:00:00.000Z", "read_only": False, "total": 1, "offset": 0}
BOARDS = {"schema": "arena.api.boards/1", **_HEAD, "boards": [{"suite": "eldercare-zh"}]}
PAIRS = {
    "schema": "arena.api.pairs/1",
    **_HEAD,
    "pairs": [{"suite": "eldercare-zh", "mode": "natural", "a": "careline-2", "b": "homebot"}],
}
LISTED = {
    "schema": "arena.api.transcripts/1",
    **_HEAD,
    "transcripts": [{"key": "0f…", "agent": "homebot", "scenario": "S-1", "replicate": 1}],
}
TRANSCRIPT = {
    "schema": "arena.api.transcript/1",
    "key": "0f…",
    "agent": "homebot",
    "scenario": "S-1",
    "rounds": [{"user": "I feel dizzy.", "agent": "Please sit down first."}],
}
VERDICTS = {
    "schema": "arena.api.verdicts/1",
    **_HEAD,
    "verdicts": [
        {"key": "1a…", "judge": "referee-a", "a": "careline-2", "b": "homebot", "outcome": "a"}
    ],
}
