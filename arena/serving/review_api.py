"""Red flags before people: what stands where, and what each person decides about it."""

from typing import Annotated, Any, Literal

from fastapi import APIRouter, HTTPException, Query, Request
from pydantic import ConfigDict, Field

from arena.domain.flag import FlagDecision
from arena.judging.shield import reveal
from arena.serving.doors import Doors
from arena.serving.keeper import Keeper
from arena.serving.voting_api import Closed, Hex
from arena.store.store import Store

MOST_NOTE = 2000
EXAMPLE = {"flag": "0f1e2d3c4b5a69788796a5b4c3d2e1f0", "decided": "confirm", "note": ""}


class Deciding(Closed):
    """What a person decides about a danger: it is handled badly, it is not, or unsure."""

    model_config = ConfigDict(json_schema_extra={"examples": [dict(EXAMPLE)]})
    flag: Hex
    decided: Literal["confirm", "reject", "unsure"]
    note: str = Field(default="", max_length=MOST_NOTE)


class TakingBack(Closed):
    """Which of one's own decisions is taken back: the flag, and when it was decided."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [{"flag": EXAMPLE["flag"], "at": "2026-11-30T04:00:00.000Z"}]
        }
    )
    flag: Hex
    at: str = Field(min_length=1, max_length=40)


def review_routes(keeper: Keeper, doors: Doors) -> APIRouter:
    """The routes below /api/review."""
    reviewer = Reviewer(keeper, doors)
    router = APIRouter(prefix="/api/review", tags=["red flags"])
    add = router.add_api_route
    add("", reviewer.listed, methods=["GET"], summary="What to look at, with one's own decisions")
    add("", reviewer.decide, methods=["POST"], summary="Decide; the latest decision counts")
    add("/undo", reviewer.undo, methods=["POST"], summary="Take a decision back; it stays kept")
    return router


class Reviewer:
    """What the routes do."""

    def __init__(self, keeper: Keeper, doors: Doors) -> None:
        self._keeper, self._doors = keeper, doors
        self._own: dict[tuple[str, str], tuple[str, FlagDecision | None]] = {}
        """By person and flag: what stands since something came in, and when that was known."""

    async def listed(
        self,
        request: Request,
        offset: Annotated[int, Query(ge=0, le=1_000_000)] = 0,
        limit: Annotated[int, Query(ge=1, le=200)] = 100,
    ) -> dict[str, Any]:
        """Every flag, what judges differ on and a random part of the rest, blind and mixed."""
        person = self._doors.voter(request).person
        await self._keeper.look_again()
        rows = [row for room in self._keeper.snapshot.rooms for row in room.reviews]
        own = self._decisions(person)
        page = rows[offset : offset + limit]
        return {
            "total": len(rows),
            "done": sum(row.flag in own for row in rows),
            "offset": offset,
            "items": [
                {
                    "flag": row.flag,
                    "title": reveal(row.title),
                    "danger": reveal(row.danger),
                    "round": row.round,
                    "quote": reveal(row.quote),
                    "verified": row.verified,
                    "user": reveal(row.user),
                    "reply": reveal(row.reply),
                    **_said(own.get(row.flag)),
                }
                for row in page
            ],
        }

    async def decide(self, asked: Deciding, request: Request) -> dict[str, Any]:
        """Keep a decision; replied once it is committed."""
        person = self._doors.acting(request).person
        rooms = self._keeper.snapshot.rooms
        if not any(row.flag == asked.flag for room in rooms for row in room.reviews):
            raise HTTPException(404, "there is no such flag")
        made = FlagDecision(
            flag=asked.flag,
            person=person,
            decided=asked.decided,
            at=self._keeper.now,
            note=asked.note,
        )

        def keep(store: Store) -> tuple[int, FlagDecision | None]:
            new = store.decisions.add([made], run=self._keeper.run)
            return new, store.decisions.latest(made.flag, person)

        new, stands = await self._keeper.write(keep)
        return {"kept": "new" if new else "same", **self._note(person, made.flag, stands)}

    async def undo(self, asked: TakingBack, request: Request) -> dict[str, Any]:
        """Take a decision back: what one had decided before it counts again, if anything."""
        person = self._doors.acting(request).person
        at = self._keeper.now

        def take_back(store: Store) -> tuple[bool, FlagDecision | None]:
            decisions, run = store.decisions, self._keeper.run
            there = decisions.withdraw(asked.flag, person, asked.at, run=run, at=at)
            return there, decisions.latest(asked.flag, person)

        there, stands = await self._keeper.write(take_back)
        if not there:
            raise HTTPException(404, "there is no such decision of yours")
        return {"undone": True, **self._note(person, asked.flag, stands)}

    def _note(self, person: str, flag: str, stands: FlagDecision | None) -> dict[str, Any]:
        """Remember what stands until the store is read anew; gives what is said of it."""
        self._own[person, flag] = (self._keeper.now, stands)
        return _said(stands)

    def _decisions(self, person: str) -> dict[str, FlagDecision]:
        """The person's latest decision by flag: of the store, and what came in since."""
        snapshot = self._keeper.snapshot
        found = {d.flag: d for d in snapshot.decisions if d.person == person}
        for (who, flag), (known, stands) in self._own.items():
            if who != person or snapshot.at > known:
                continue
            found.pop(flag, None)
            if stands is not None:
                found[flag] = stands
        return found


def _said(one: FlagDecision | None) -> dict[str, Any]:
    """What a person decided of a flag, as it is told; nothing yet is null."""
    if one is None:
        return {"decided": None, "note": "", "at": None}
    return {"decided": one.decided, "note": one.note, "at": one.at}
