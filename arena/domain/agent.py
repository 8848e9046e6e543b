"""Agents and judges as data/arena.yaml describes them, and the digests that identify them."""

from collections.abc import Mapping
from decimal import Decimal
from typing import Annotated, Any, Literal

from pydantic import Field, StringConstraints, field_validator, model_validator

from arena.domain.digest import digest
from arena.domain.product import ByHand, Command, Http, Product, Replay, host_of_product
from arena.domain.words import Frozen, Words

EntrantId = Annotated[
    str,
    StringConstraints(
        min_length=1,
        max_length=200,
        pattern=r"^[^\x00-\x1f\x7f]*[^\s\x00-\x1f\x7f][^\x00-\x1f\x7f]*$",
    ),
]
"""Any printable text; it never becomes a path (pages are named by slugs)."""
VarName = Annotated[str, StringConstraints(pattern=r"^[A-Za-z_][A-Za-z0-9_]*$")]
Currency = Annotated[str, StringConstraints(pattern=r"^[A-Z]{3}$")]
Use = Literal["rubric", "pairwise"]
UNKNOWN = "unknown"
PRODUCTS = ("http", "command", "replay", "by_hand")
"""Ways to reach an agent that is no model."""
IMPORTED = "imported"
"""The kind of an agent that is asked nothing here: its transcripts came from elsewhere."""


class Price(Frozen):
    """What a call costs. A part that is not given is not charged; no price at all is unknown."""

    input_per_million: Decimal | None = Field(default=None, ge=0)
    output_per_million: Decimal | None = Field(default=None, ge=0)
    per_call: Decimal | None = Field(default=None, ge=0)
    per_session: Decimal | None = Field(default=None, ge=0)
    flat: Decimal | None = Field(default=None, ge=0)
    currency: Currency

    @model_validator(mode="after")
    def _charges_something(self) -> "Price":
        if self.input_per_million is None and self.output_per_million is None:
            if self.per_call is None and self.per_session is None and self.flat is None:
                raise ValueError("a price needs an amount; write 0 for a model that costs nothing")
        elif self.input_per_million is None or self.output_per_million is None:
            raise ValueError("give both `input_per_million` and `output_per_million`")
        return self


class Limits(Frozen):
    """What an endpoint may be asked: calls at once, per minute, seconds per attempt and in all."""

    concurrency: int = Field(default=8, ge=1, le=1000)
    rpm: int | None = Field(default=None, ge=1)
    tpm: int | None = Field(default=None, ge=1)
    timeout: float = Field(default=60, gt=0)
    deadline: float = Field(default=600, gt=0)
    attempts: int = Field(default=5, ge=1, le=20)


class Entrant(Frozen):
    """What an agent and a judge have in common: how they are reached and who makes them."""

    name: Words | None = None
    vendor: str = Field(min_length=1)
    family: str = UNKNOWN
    version: str = ""
    model: str | None = None
    api_base: str | None = None
    api_key_env: VarName | None = None
    region: str = UNKNOWN
    sampling: Mapping[str, Any] = {}
    limits: Limits = Limits()
    price: Price | None = None

    @property
    def route(self) -> str:
        """The LiteLLM model string; empty where there is none."""
        return self.model or ""

    @property
    def place(self) -> str | None:
        """Who is asked, where neither the model string nor `api_base` says so."""
        return None

    @property
    def stateful(self) -> bool:
        """Whether it keeps the dialogue itself; a model never does."""
        return False

    @property
    def patience(self) -> float:
        """Seconds that one attempt may take."""
        return self.limits.timeout

    @field_validator("api_base")
    @classmethod
    def _is_a_url(cls, value: str | None) -> str | None:
        if value is None:
            return None
        if not value.startswith(("http://", "https://")):
            raise ValueError("must begin with http:// or https://")
        if "@" in value.split("//", 1)[1].split("/", 1)[0]:
            raise ValueError("must not hold a user or password; name the key in `api_key_env`")
        if "?" in value or "#" in value:
            raise ValueError("must not hold a query; name the key in `api_key_env`")
        return value.rstrip("/")

    @field_validator("sampling")
    @classmethod
    def _holds_no_secret(cls, value: Mapping[str, Any]) -> Mapping[str, Any]:
        ours = {"messages", "model", "stream", "timeout", "response_format", "num_retries"}
        secret = {"api_key", "headers", "extra_headers", "default_headers", "api_base", "base_url"}
        for key in value:
            if key in secret:
                raise ValueError(f"`{key}` does not belong here; see `api_base` and `api_key_env`")
            if key in ours:
                raise ValueError(f"`{key}` is set by arena")
        return value


class Agent(Entrant):
    """What is ranked: a model or product with its system prompt and sampling."""

    agent: EntrantId
    short: Words | None = None
    kind: Literal["product", "model", "baseline", "decoy", "imported"] = "model"
    system: str | None = None
    """In the file: a path below data/. Once loaded: the text."""
    http: Http | None = None
    command: Command | None = None
    replay: Replay | None = None
    by_hand: ByHand | None = None
    """In the file: true or false."""

    @field_validator("by_hand", mode="before")
    @classmethod
    def _is_yes_or_no(cls, value: Any) -> Any:
        if isinstance(value, bool):
            return ByHand() if value else None
        if value is None or isinstance(value, ByHand):
            return value
        raise ValueError("`by_hand` is true or false")

    @model_validator(mode="before")
    @classmethod
    def _is_a_product(cls, value: Any) -> Any:
        if isinstance(value, dict) and any(value.get(name) for name in PRODUCTS):
            return {"kind": "product", **value}
        return value

    @model_validator(mode="after")
    def _is_reached_one_way(self) -> "Agent":
        ways = [n for n in ("model", *PRODUCTS) if getattr(self, n) is not None]
        if len(ways) > 1:
            raise ValueError(f"an agent is reached one way, not by: {', '.join(ways)}")
        if self.product is None:
            return self
        if not self.version.strip():
            raise ValueError("`version` is missing: what a product is changes without notice")
        if self.by_hand and self.price is not None:
            raise ValueError("`price` is for what is asked here, and nothing is asked by hand")
        unfit = [n for n in ("api_base", "api_key_env", "sampling", "system") if getattr(self, n)]
        if unfit:
            raise ValueError(f"this is for models, and the agent is a product: {', '.join(unfit)}")
        return self

    @field_validator("short")
    @classmethod
    def _short_is_short(cls, value: Words | None) -> Words | None:
        if value and max(len(value.zh), len(value.en)) > 10:
            raise ValueError("at most 10 characters")
        return value

    @property
    def id(self) -> str:
        """The agent's id."""
        return self.agent

    @property
    def product(self) -> Product | None:
        """How the agent is reached where it is no model."""
        return self.http or self.command or self.replay or self.by_hand

    @property
    def route(self) -> str:
        """The LiteLLM model string, or what stands for one: `http/ID`."""
        kind = next((name for name in PRODUCTS if getattr(self, name) is not None), None)
        return f"{kind}/{self.agent}" if kind else super().route

    @property
    def place(self) -> str | None:
        """Host of a product, or None where the model string says who is asked."""
        return host_of_product(self.product) if self.product else None

    @property
    def stateful(self) -> bool:
        """Whether it keeps the dialogue itself, so that a broken one must begin anew."""
        return self.product is not None and self.product.stateful

    @property
    def patience(self) -> float:
        """Seconds that one attempt may take, with the time to fetch a reply that is polled."""
        polled = self.http.poll.deadline if self.http and self.http.poll else 0.0
        return super().patience + polled

    @property
    def display(self) -> Words:
        """The name for people."""
        return self.name or Words(zh=self.agent, en=self.agent)

    @property
    def label(self) -> Words:
        """A name of at most 10 characters for axes and heads of columns."""
        if self.short:
            return self.short
        shown = self.display
        return Words(zh=_clip(shown.zh), en=_clip(shown.en))

    def digest(self) -> str:
        """Digest of all that bears on what the agent answers."""
        said: dict[str, Any] = {
            "model": self.model,
            "api_base": self.api_base,
            "system": self.system,
            "sampling": dict(self.sampling),
            "version": self.version,
        }
        if self.product:
            said["product"] = self.product.to_digest()
        return digest(said)


class Judge(Entrant):
    """An agent that reads transcripts.

    `response_format` says what the model takes: a JSON schema, JSON, or plain text.
    `context` is the largest prompt, in tokens, that it may be sent. `replicates`: how often it is
    asked each question, by default `judge_replicates` of the configuration. `stand_in`: it is
    asked only about what the content policy of another judge blocked.
    """

    judge: EntrantId
    uses: tuple[Use, ...] = Field(default=("rubric", "pairwise"), min_length=1)
    response_format: Literal["json_schema", "json_object", "text"] = "text"
    context: int | None = Field(default=None, ge=512)
    replicates: int | None = Field(default=None, ge=1, le=20)
    stand_in: bool = False

    @property
    def times(self) -> int:
        """How often it is asked each question."""
        return self.replicates or 1

    @property
    def id(self) -> str:
        """The judge's id."""
        return self.judge

    @property
    def display(self) -> Words:
        """The name for people."""
        return self.name or Words(zh=self.judge, en=self.judge)

    def digest(self) -> str:
        """Digest of the judge itself: model, place, sampling, reply format; not its wording."""
        return digest(
            {
                "model": self.model,
                "api_base": self.api_base,
                "sampling": dict(self.sampling),
                "version": self.version,
                "response_format": self.response_format,
            }
        )


def kin(judge: Entrant, agent: Entrant) -> bool:
    """Whether a judge is known to be of the agent's own vendor or family; of no decoy.

    What nobody stated is neither the same nor another: it makes nobody kin.
    """
    if isinstance(agent, Agent) and agent.kind == "decoy":
        return False
    return _same(judge.vendor, agent.vendor) or _same(judge.family, agent.family)


def _same(one: str, other: str) -> bool:
    return one.casefold() == other.casefold() != UNKNOWN


def _clip(text: str) -> str:
    return text if len(text) <= 10 else text[:9] + "…"
