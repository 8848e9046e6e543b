"""A product with a web API of its own: the block `http` of an agent.

Headers and secrets are never part of a digest, a description or a complaint: `${NAME}` names the
variable that holds them.
"""

from collections.abc import Mapping
from typing import Annotated, Any, Literal
from urllib.parse import urlsplit

from pydantic import (
    AfterValidator,
    BeforeValidator,
    Field,
    StringConstraints,
    field_serializer,
    field_validator,
    model_validator,
)

from arena.domain.condition import ConditionText, JsonPath, parse_condition
from arena.domain.placeholders import (
    BODY,
    OPENING,
    check_places,
    check_secrets,
    places_in,
    variables_in,
)
from arena.domain.words import Frozen

Variable = Annotated[str, StringConstraints(pattern=r"^[A-Za-z_][A-Za-z0-9_]*$")]
Method = Literal["GET", "POST", "PUT", "PATCH"]
Code = int | str
IN_URL = ("session", "user", "id")
SIGNED = (*BODY, "body", "method", "path")


def _is_address(url: str) -> str:
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ValueError("an address must begin with http:// or https://")
    if "@" in parts.netloc:
        raise ValueError("an address must not hold a user or password; use `headers`")
    if parts.query or parts.fragment or "?" in url:
        raise ValueError("an address must not hold a query; use `query`")
    if variables_in(url):
        raise ValueError("an address must not hold a variable; use `headers` or `query`")
    return url


def _as_list(value: Any) -> Any:
    return [value] if isinstance(value, str) else value


Address = Annotated[str, AfterValidator(_is_address)]
Conditions = Annotated[tuple[ConditionText, ...], BeforeValidator(_as_list)]


class Sending(Frozen):
    """What every request has: where it goes, and its headers, query and body."""

    method: Method = "POST"
    headers: Mapping[str, str] = {}
    query: Mapping[str, str] = {}
    request: Any = None

    @field_validator("headers", "query", "request")
    @classmethod
    def _names_its_secrets(cls, value: Any) -> Any:
        check_secrets(value)
        return value

    @field_validator("request")
    @classmethod
    def _is_an_object(cls, value: Any) -> Any:
        if value is not None and not isinstance(value, Mapping):
            raise ValueError("`request` is a mapping, like `text: $message`")
        return value

    @field_serializer("headers")
    def _names_alone(self, value: Mapping[str, str]) -> dict[str, str]:
        return dict.fromkeys(value, "…")

    @property
    def variables(self) -> frozenset[str]:
        """Variables that must be set."""
        return variables_in([dict(self.headers), dict(self.query), self.request])

    def sent(self) -> dict[str, Any]:
        """What is sent, without the headers: JSON-able, for digests."""
        return self.model_dump(mode="json", include={"method", "query", "request"})

    def check(self, known: tuple[str, ...]) -> None:
        """Raise ValueError for a placeholder that nothing fills here."""
        check_places([dict(self.headers), dict(self.query)], known, inside=True)
        check_places(self.request, known)


class Session(Frozen):
    """A dialogue that the product keeps: where its id stands in a reply.

    `first` is sent in the place of the id before there is one; without it the key is left out.
    """

    path: JsonPath
    first: str | int | None = None


class History(Frozen):
    """How earlier messages are written where the whole dialogue is sent each time."""

    role: str = "role"
    text: str = "content"
    user: str = "user"
    agent: str = "assistant"


class Stream(Frozen):
    """A reply that comes as server-sent events.

    `text`: where an event holds its piece; without it the data is the piece. `last` instead of
    `append`: every event holds all that was said so far. `ends`: the data after which nothing
    comes, or a condition on the last event; `close` where the product just ends the connection.
    """

    text: JsonPath | None = None
    join: Literal["append", "last"] = "append"
    ends: str = Field(default="[DONE]", min_length=1)

    @field_validator("ends")
    @classmethod
    def _is_a_condition(cls, value: str) -> str:
        if value.startswith("$"):
            parse_condition(value)
        return value


class Token(Sending):
    """A token that is asked for before, and again when it has expired.

    `expires`: where the reply says how many seconds it lasts; `expired_codes`: what the product
    answers when it no longer takes one, beside status 401.
    """

    url: Address
    reply: JsonPath
    expires: JsonPath | None = None
    ok: Conditions = ()
    expired_codes: tuple[Code, ...] = ()


class Sign(Frozen):
    """A signature: HMAC-SHA256 over a text, sent as a header or as a field of the request."""

    secret_env: Variable
    template: str = Field(min_length=1)
    header: str | None = None
    field: str | None = None
    encoding: Literal["hex", "base64"] = "hex"

    @model_validator(mode="after")
    def _goes_somewhere(self) -> "Sign":
        if (self.header is None) is (self.field is None):
            raise ValueError("`sign` needs one of `header` and `field`")
        check_places(self.template, SIGNED, inside=True)
        return self


class Poll(Sending):
    """A reply that is fetched: asked for until a condition holds."""

    id: JsonPath
    url: Address
    method: Method = "GET"
    until: ConditionText
    failed: ConditionText | None = None
    interval: float = Field(default=1.0, gt=0, le=60)
    deadline: float = Field(default=120.0, gt=0, le=3600)


class Welcome(Sending):
    """What the product says before the first turn: stated in `say`, else fetched.

    Fetched without `url` and `request` it is the answer to the usual request with no message.
    """

    say: str | None = Field(default=None, min_length=1)
    url: Address | None = None
    reply: JsonPath | None = None


class Http(Sending):
    """A product that is reached by requests of its own shape."""

    url: Address
    reply: JsonPath | None = None
    history: History = History()
    session: Session | None = None
    stream: Stream | None = None
    ok: Conditions = ()
    code: JsonPath | None = None
    retry_codes: tuple[Code, ...] = ()
    token: Token | None = None
    sign: Sign | None = None
    poll: Poll | None = None
    welcome: Welcome | None = None
    max_bytes: int = Field(default=1_000_000, ge=1000)

    @field_validator("session", mode="before")
    @classmethod
    def _path_alone(cls, value: Any) -> Any:
        return {"path": value} if isinstance(value, str) else value

    @field_validator("welcome", mode="before")
    @classmethod
    def _said_or_fetched(cls, value: Any) -> Any:
        if isinstance(value, bool):
            return {} if value else None
        return {"say": value} if isinstance(value, str) else value

    @model_validator(mode="after")
    def _fits_together(self) -> "Http":
        if self.reply is None and self.stream is None:
            raise ValueError("`reply` is missing")
        if self.poll and self.stream:
            raise ValueError("`poll` and `stream` exclude each other")
        self.check(BODY)
        check_places(self.url, IN_URL[:2], inside=True)
        if not self.places & {"message", "messages"}:
            raise ValueError("`request` sends no $message")
        self._check_parts()
        return self

    def _check_parts(self) -> None:
        if self.token:
            self.token.check(("time", "time_ms", "nonce"))
        elif "token" in self.places:
            raise ValueError("`token` is missing: $token is used")
        if self.poll:
            self.poll.check((*OPENING, "id"))
            check_places(self.poll.url, IN_URL, inside=True)
        if self.welcome:
            self.welcome.check(OPENING)

    @property
    def places(self) -> frozenset[str]:
        """Names of the placeholders that are used."""
        text = [self.url, dict(self.headers), dict(self.query)]
        return places_in(text, inside=True) | places_in(self.request)

    @property
    def variables(self) -> frozenset[str]:
        """Variables that must be set."""
        parts: list[Sending] = [p for p in (self.token, self.poll, self.welcome) if p]
        found = super().variables.union(*(p.variables for p in parts))
        return found | ({self.sign.secret_env} if self.sign else set())

    @property
    def fetches_welcome(self) -> bool:
        """Whether the first message is asked for."""
        return self.welcome is not None and self.welcome.say is None

    @property
    def stateful(self) -> bool:
        """Whether the product keeps the dialogue, so that a broken one must begin anew."""
        sends_all = bool(self.places & {"history", "messages"})
        return self.session is not None or not sends_all or self.fetches_welcome

    def paths(self) -> dict[tuple[str, ...], str]:
        """Every JSON path of the block, by the keys that lead to it; conditions are left out."""
        found: dict[tuple[str, ...], str | None] = {
            ("reply",): self.reply,
            ("code",): self.code,
            ("session",): self.session.path if self.session else None,
            ("stream", "text"): self.stream.text if self.stream else None,
            ("poll", "id"): self.poll.id if self.poll else None,
            ("token", "reply"): self.token.reply if self.token else None,
            ("token", "expires"): self.token.expires if self.token else None,
        }
        if self.welcome:
            found["welcome", "reply"] = self.welcome.reply
        return {keys: path for keys, path in found.items() if path is not None}

    def conditions(self) -> dict[tuple[str, ...], tuple[str, ...]]:
        """Every condition of the block, by the keys that lead to it."""
        found: dict[tuple[str, ...], tuple[str, ...]] = {("ok",): self.ok}
        if self.token:
            found["token", "ok"] = self.token.ok
        if self.poll:
            found["poll", "until"] = (self.poll.until,)
            found["poll", "failed"] = (self.poll.failed,) if self.poll.failed else ()
        if self.stream and self.stream.ends.startswith("$"):
            found["stream", "ends"] = (self.stream.ends,)
        return found

    def to_digest(self) -> dict[str, Any]:
        """What bears on the answers: addresses and templates, no header, no secret, no limit."""
        kept = {"url", "method", "query", "request", "reply", "history", "session", "stream"}
        said = self.model_dump(mode="json", include=kept)
        if self.welcome:
            more = {"say": self.welcome.say, "url": self.welcome.url, "reply": self.welcome.reply}
            said["welcome"] = self.welcome.sent() | more
        if self.poll:
            said["poll"] = self.poll.sent() | {"url": self.poll.url, "id": self.poll.id}
        return {"http": said}
