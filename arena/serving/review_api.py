"""Red flags before people: what stands where, and what each person decides about it."""

from typing import Annotated, Any, Literal

from fastapi import APIRouter, HTTPException, Query, Request
from pydantic import ConfigDict, Field

from arena.domain.flag import FlagDecision
from arena.judging.shield import reveal
from arena.serving.doors import Doors
from arena.serving.keeper import Keeper
from arena.serving.voting_api import Closed, Hex

MOST_NOTE = 2000
EXAMPLE = {"flag": "0f1e2d3c4b5a69788796a5b4c3d2e1f0", "decided": "confirm", "note": ""}


class Deciding(Closed):
    """What a person decides about a danger: it is handled badly, it is not, or unsure."""

    model_config = ConfigDict(json_schema_extra={"examples": [dict(EXAMPLE)]})
    flag: Hex
    decided: Literal["confirm", "reject", "unsure"]
    note: str = Field(default="", max_length=MOST_NOTE)


def review_routes(keeper: Keeper, doors: Doors) -> APIRouter:
    """The routes below /api/review."""
    reviewer = Reviewer(keeper, doors)
    router = APIRouter(prefix="/api/review", tags=["red flags"])
    add = router.add_api_route
    add("", reviewer.listed, methods=["GET"], summary="What to look at, with one's own decisions")
    add("", reviewer.decide, methods=["POST"], summary="Decide; the latest decision counts")
    return router


class Reviewer:
    """What the routes do."""

    def __init__(self, keeper: Keeper, doors: Doors) -> None:
        self._keeper, self._doors = keeper, doors
        self._own: dict[tuple[str, str], FlagDecision] = {}

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
                    "decided": own[row.flag].decided if row.flag in own else None,
                    "note": own[row.flag].note if row.flag in own else "",
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
        new = await self._keeper.write(
            lambda store: store.decisions.add([made], run=self._keeper.run)
        )
        self._own[made.person, made.flag] = made
        return {"kept": "new" if new else "same"}

    def _decisions(self, person: str) -> dict[str, FlagDecision]:
        """The person's latest decision by flag: of the store, and those that came in since."""
        found = {d.flag: d for d in self._keeper.snapshot.decisions if d.person == person}
        for (who, flag), made in self._own.items():
            if who == person and (flag not in found or found[flag].at < made.at):
                found[flag] = made
        return found
