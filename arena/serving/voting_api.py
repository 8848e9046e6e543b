"""Blind voting: what comes next for a voter, votes, and votes taken back."""

from typing import Annotated, Any, Literal

from fastapi import APIRouter, HTTPException, Request, Response
from pydantic import BaseModel, ConfigDict, Field

from arena.domain.voting import Cast, Kept, VotePlan
from arena.exchange.flags import PERSON
from arena.judging.labels import Side
from arena.judging.voting import Answer, person_of, presentation_for, show_for, verdict_of
from arena.serving.ballots import Ballots
from arena.serving.doors import Doors
from arena.serving.keeper import Keeper
from arena.serving.sessions import Session
from arena.serving.snapshot import Room

Hex = Annotated[str, Field(pattern="^[0-9a-f]{1,32}$")]
EXAMPLE: dict[str, Any] = {
    "room": "3f2a91c0",
    "item": "9b1c4d3e5f60718293a4b5c6d7e8f901",
    "turn": 1,
}


class Closed(BaseModel):
    """What comes in: nothing beside what is known."""

    model_config = ConfigDict(extra="forbid", strict=True)


class Entering(Closed):
    """Who begins to vote: a name, or a token that stands for one."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"name": "li"}]})
    name: str = Field(default="", max_length=64)
    token: str = Field(default="", max_length=200)


class Place(Closed):
    """One answer: the room, the presentation, and which attempt of this voter it is."""

    model_config = ConfigDict(json_schema_extra={"examples": [EXAMPLE]})
    room: Hex
    item: Hex
    turn: int = Field(ge=1, le=10_000)


class Voting(Place):
    """A vote: the overall choice in the order shown, and by criterion; unanswered ones are left."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [{**EXAMPLE, "choice": "first", "criteria": {"warmth": "tie"}}]
        }
    )
    choice: Literal["first", "second", "tie", "skip"]
    criteria: dict[str, Literal["first", "second", "tie"]] = Field(
        default_factory=dict, max_length=50
    )


def voting_routes(keeper: Keeper, doors: Doors) -> APIRouter:
    """The routes below /api/vote."""
    booth = Booth(keeper, doors)
    router = APIRouter(prefix="/api/vote", tags=["voting"])
    add = router.add_api_route
    add("/enter", booth.enter, methods=["POST"], summary="Begin to vote")
    add("/leave", booth.leave, methods=["POST"], summary="End the voting session")
    add("/state", booth.state, methods=["GET"], summary="Who votes, on what, how far")
    add("/next", booth.next, methods=["GET"], summary="The next presentation of a room")
    add("", booth.vote, methods=["POST"], summary="Vote; replied once the vote is committed")
    add("/undo", booth.undo, methods=["POST"], summary="Take a vote back; its record is kept")
    return router


class Booth:
    """What the routes do."""

    def __init__(self, keeper: Keeper, doors: Doors) -> None:
        self._keeper, self._doors = keeper, doors

    async def enter(self, asked: Entering, request: Request, response: Response) -> dict[str, Any]:
        """Open a session under a name, or under the one that a token stands for."""
        self._doors.trying(request)
        session = self._doors.begin(request, response, "voter", self._person(asked, request))
        await self._keeper.look_again()
        return self._told(session)

    async def leave(self, request: Request, response: Response) -> dict[str, bool]:
        """End the session."""
        self._doors.leave(request, response)
        return {"left": True}

    async def state(self, request: Request) -> dict[str, Any]:
        """The voter's own state; `person` null: nobody has begun to vote in this browser.

        `asks` is then what one begins with: a `name`, a `token`, or `both`.
        """
        session = self._doors.session(request)
        if session is None or session.role != "voter":
            held = self._keeper.held is not None
            return {"person": None, "asks": self._asks(), "read_only": held, "rooms": []}
        await self._keeper.look_again()
        return self._told(session)

    async def next(self, request: Request, room: Hex) -> dict[str, Any]:
        """The next presentation, in plain text under neutral codes; or that there is none."""
        session = self._doors.voter(request)
        await self._keeper.look_again()
        found, ballots = self._room(room)
        person = session.person
        place = ballots.next_place(person)
        shown = {"room": found.code, "progress": _progress(ballots, person), "item": None}
        if place is None:
            return shown
        return shown | self._shown(found, ballots, place, person)

    async def vote(self, asked: Voting, request: Request) -> dict[str, Any]:
        """Keep a vote. The same vote again changes nothing; another in its place is a 409."""
        session = self._doors.acting(request)
        room, ballots = self._room(asked.room)
        place = _place(ballots.plan, asked.item)
        cast = self._cast(room, ballots.plan, place, asked, session.person)
        kept: Kept = (
            await self._keeper.write(
                lambda store: store.voting.add([cast], run=self._keeper.run)  # committed on return
            )
        )[0]
        if kept == "other":
            await self._keeper.refresh()
            raise HTTPException(409, "another vote of yours stands here: take it back first")
        ballots.note(session.person, place, asked.turn, skipped=asked.choice == "skip")
        # A reading of the store may have taken the place of what was noted in.
        now = self._room(asked.room)[1]
        if kept == "new" and now.plan.key == ballots.plan.key:
            now.note(session.person, place, asked.turn, skipped=asked.choice == "skip")
        return {"kept": kept, "progress": _progress(now, session.person)}

    async def undo(self, asked: Place, request: Request) -> dict[str, Any]:
        """Take a vote back: it no longer counts, and its presentation comes up again."""
        session = self._doors.acting(request)
        room, ballots = self._room(asked.room)
        place = _place(ballots.plan, asked.item)
        shown = presentation_for(ballots.plan.draws[place], room.job, session.person)
        at = self._keeper.now
        there = await self._keeper.write(
            lambda store: store.voting.withdraw(shown.key, asked.turn, run=self._keeper.run, at=at)
        )
        if not there:
            raise HTTPException(404, "there is no such vote")
        ballots.take_back(session.person, place, asked.turn)
        now = self._room(asked.room)[1]
        now.take_back(session.person, place, asked.turn)
        return {"undone": True, "progress": _progress(now, session.person)}

    def _asks(self) -> Literal["name", "token", "both"]:
        if self._doors.access.voters:
            return "token"
        return "name" if self._doors.access.token is None else "both"

    def _person(self, asked: Entering, request: Request) -> str:
        access = self._doors.access
        if access.voters or asked.token:
            person = access.voter(asked.token)
            if person is None and not (asked.name and access.is_owner(asked.token)):
                self._doors.failed(request)
            if person is not None:
                return person
        elif access.token is not None:
            raise HTTPException(401, "a token is needed")
        if not PERSON.match(asked.name):
            raise HTTPException(422, "a name is of letters, digits, dot, - and _, at most 64")
        return person_of(asked.name)

    def _told(self, session: Session) -> dict[str, Any]:
        held = self._keeper.held
        rooms = [r for r in self._keeper.snapshot.rooms if r.ballots is not None]
        return {
            "person": session.person,
            "proof": session.proof,
            "read_only": held is not None,
            "rooms": [
                {
                    "room": room.code,
                    "title": room.job.suite.name.model_dump(),
                    "progress": _progress(room.ballots, session.person),
                }
                for room in rooms
                if room.ballots is not None
            ],
        }

    def _room(self, code: str) -> tuple[Room, Ballots]:
        room = self._keeper.snapshot.room(code)
        if room is None or room.ballots is None:
            raise HTTPException(404, "there is nothing to vote on under this name")
        return room, room.ballots

    def _shown(self, room: Room, ballots: Ballots, place: int, person: str) -> dict[str, Any]:
        item = ballots.plan.item(place)
        try:
            shown = show_for(ballots.plan.draws[place], room.job, room.transcripts, item)
        except KeyError:
            raise HTTPException(404, "a transcript of this presentation is not there") from None
        return {
            "item": item,
            "turn": ballots.turn(person, place),
            "title": shown.title,
            "user": shown.user,
            "context": shown.context,
            "codes": list(shown.codes),
            "dialogues": [[{"who": w, "text": t} for w, t in side] for side in shown.dialogues],
            "criteria": [{"key": k, "name": n, "question": q} for k, n, q in shown.criteria],
        }

    def _cast(self, room: Room, plan: VotePlan, place: int, asked: Voting, person: str) -> Cast:
        draw, job = plan.draws[place], room.job
        rubric = job.suite.rubric_of(job.scenario(draw.scenario))
        if set(asked.criteria) - {c.criterion for c in rubric.compare_criteria()}:
            raise HTTPException(422, "there is no such criterion")
        choice: Side | None = None if asked.choice == "skip" else asked.choice
        verdict = verdict_of(
            Answer(choice=choice, criteria=asked.criteria),
            draw,
            job,
            person,
            item=asked.item,
            attempt=asked.turn,
            at=self._keeper.now,
        )
        return Cast(plan=plan.key, place=place, verdict=verdict, via="browser")


def _place(plan: VotePlan, item: str) -> int:
    try:
        return plan.places[item]
    except KeyError:
        raise HTTPException(404, "there is no such presentation") from None


def _progress(ballots: Ballots | None, person: str) -> dict[str, Any]:
    if ballots is None:
        return {}
    how, last = ballots.progress(person), ballots.last(person)
    return {
        "done": how.done,
        "skipped": how.skipped,
        "total": how.total,
        "last": {"item": ballots.plan.item(last[0]), "turn": last[1]} if last else None,
    }
