"""One call to a model: what is asked, what comes back, and how it ended."""

from dataclasses import asdict, dataclass, field, replace
from decimal import Decimal
from enum import StrEnum
from typing import Any, Literal

from arena.domain.digest import digest
from arena.domain.sitting import Sitting

Speaker = Literal["agent", "user", "judge"]
ServesKind = Literal["transcript", "sheet", "verdict", "commentary", "ping"]
"""What a call works for; a ping works for no row but its own and is kept apart."""
Role = Literal["system", "user", "assistant"]


class Status(StrEnum):
    """How a call ended, once its reply has been read.

    Only `ok` counts. `error` (transport, after our retries) is asked again by the next run, the
    others only with --retry-errors.
    """

    OK = "ok"
    UNPARSED = "unparsed"
    TRUNCATED = "truncated"
    EMPTY = "empty"
    REFUSED = "refused"
    BLOCKED = "blocked"
    ERROR = "error"


@dataclass(frozen=True, slots=True)
class Message:
    """One utterance as exchanged."""

    role: Role
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Endpoint:
    """Where a call goes. Keys are named by their variable and never held here."""

    id: str
    model: str
    host: str = ""
    api_base: str | None = None
    api_key_env: str | None = None
    concurrency: int = 8
    rpm: int | None = None
    tpm: int | None = None
    timeout: float = 60.0
    deadline: float = 600.0
    attempts: int = 5
    stateful: bool = False
    """Whether it keeps the dialogue itself, so that a lost message cannot be sent again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """One question to one endpoint. `schema` is a JSON schema for the reply, where it takes one.

    `sitting` is what a product is told beside the messages; models have none.
    """

    endpoint: Endpoint
    messages: tuple[Message, ...]
    sampling: dict[str, Any] = field(default_factory=dict)
    response_format: Literal["json_schema", "json_object", "text"] = "text"
    schema: dict[str, Any] | None = None
    sitting: Sitting | None = None

    def seated(self, attempt: int) -> "Request":
        """The request as it is sent at an attempt: somebody says a first message only once."""
        if self.sitting is None:
            return self
        return replace(self, sitting=self.sitting.seated(attempt))

    def to_item(self) -> dict[str, Any]:
        """The request as JSON-able data."""
        return asdict(self)

    @classmethod
    def from_item(cls, item: dict[str, Any]) -> "Request":
        """The request from JSON-able data."""
        return cls(
            endpoint=Endpoint(**item["endpoint"]),
            messages=tuple(Message(**m) for m in item["messages"]),
            sampling=item["sampling"],
            response_format=item["response_format"],
            schema=item["schema"],
            sitting=Sitting(**item["sitting"]) if item.get("sitting") else None,
        )

    def digest(self) -> str:
        """Digest of the messages, which identifies the prompt."""
        return digest([[m.role, m.text] for m in self.messages])


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """What a provider returned. Tokens are None when the provider did not say.

    Of products: `state` is to be sent on with the next message, `welcome` what it said before the
    first, `note` why a text is empty; `elsewhere`: made before, at a cost and speed nobody knows.
    """

    text: str | None
    thinking: str | None = None
    finish_reason: str | None = None
    model_returned: str | None = None
    tokens_in: int | None = None
    tokens_out: int | None = None
    params_dropped: tuple[str, ...] = ()
    state: dict[str, Any] | None = None
    welcome: str = ""
    note: str | None = None
    elsewhere: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """One attempt at a call: a row of the table `call`.

    `serves` is the key of the transcript, sheet, verdict or commentary it works for. `attempt`
    counts from 1 over all runs. Cost is in `currency`, None when unknown (never 0 for unknown);
    `held` is the most that it can have been then, None where not even that is known.
    """

    key: str
    serves: str
    serves_kind: ServesKind
    speaker: Speaker
    entrant: str
    """The agent or judge that was asked."""
    entrant_digest: str
    round: int
    attempt: int
    status: Status
    text: str | None = None
    thinking: str | None = None
    finish_reason: str | None = None
    model_asked: str = ""
    model_returned: str | None = None
    host: str | None = None
    params_sent: str = "{}"
    params_dropped: str = "[]"
    prompt_digest: str = ""
    tokens_in: int | None = None
    tokens_out: int | None = None
    cost: Decimal | None = None
    currency: str | None = None
    held: Decimal | None = None
    latency_ms: int | None = None
    error: str | None = None
    complaint: str | None = None
    run: str = ""
    at: str = ""
    """When it ended, UTC, ISO 8601."""
