"""What the checks of a workspace look at, gathered once."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Literal
from urllib.parse import urlsplit

from arena.cli.wiring import entrants_of, prices_of
from arena.cli.workspace import Bench
from arena.domain.agent import IMPORTED, Agent, Judge, Price
from arena.domain.simulated import SimulatedUser
from arena.llm.remote import Remote, host_of
from arena.llm.secrecy import SECRET_NAMES, hide
from arena.stages.doctor import Report

Way = Literal["model", "ours", "http", "command", "replay", "nobody"]
"""How somebody is reached: by LiteLLM, in this process, as a product, or not at all."""
OURS = ("scripted/", "decoy/")
SHORTEST_KEY = 8
"""Characters from which on a value is looked for in what is printed or published."""
Someone = Agent | Judge | SimulatedUser


@dataclass(frozen=True, kw_only=True)
class Scene:
    """A workspace as it is checked.

    `reports`: the checks of the suites that are played, by name. `bench` has no jobs where one of
    them cannot be loaded. `environ` is the environment as it was found, `dotenv` what .env says,
    `secrets` what counts of both. `remote` None: nobody is asked through LiteLLM.
    """

    bench: Bench
    reports: Mapping[str, Report]
    environ: Mapping[str, str]
    dotenv: Mapping[str, str]
    secrets: Mapping[str, str]
    remote: Remote | None
    offline: bool
    now: str
    call_products: bool = False

    @cached_property
    def entrants(self) -> Mapping[str, Someone]:
        """Everybody who takes part, by endpoint; decoys are no part of a configuration."""
        return {
            who: entrant
            for who, entrant in entrants_of(self.bench).items()
            if not (isinstance(entrant, Agent) and entrant.kind == "decoy")
        }

    @cached_property
    def models(self) -> Mapping[str, Someone]:
        """Those who are asked through LiteLLM."""
        return {who: e for who, e in self.entrants.items() if way_of(e) == "model"}

    @cached_property
    def prices(self) -> Mapping[str, Price | None]:
        """The price that applies to each; None: unknown."""
        if self.remote is None:
            return {who: e.price for who, e in self.entrants.items()}
        return prices_of(self.bench, self.remote)

    @cached_property
    def keys(self) -> tuple[str, ...]:
        """Values that must not be seen anywhere."""
        named = {n for e in self.entrants.values() for n in variables_of(e)}
        found = (v for n, v in self.secrets.items() if n in named or SECRET_NAMES.search(n))
        return tuple(v for v in found if len(v) >= SHORTEST_KEY)

    def clean(self, text: str) -> str:
        """A text in which no key stands."""
        return hide(text, self.keys)

    def address(self, who: str) -> str | None:
        """The URL that somebody is asked at; None where LiteLLM alone knows it."""
        entrant = self.entrants[who]
        if isinstance(entrant, Agent) and entrant.http:
            return entrant.http.url
        if entrant.api_base or self.remote is None or way_of(entrant) != "model":
            return entrant.api_base
        return self.remote.address(entrant.route)

    def host(self, who: str) -> str:
        """The host that somebody is asked at, or who LiteLLM will ask; never with a password."""
        address = self.address(who)
        if address is None:
            return host_of(self.entrants[who].route, None)
        return urlsplit(address).netloc.rpartition("@")[2]


def way_of(entrant: Someone) -> Way:
    """How somebody is reached."""
    if isinstance(entrant, Agent):
        if entrant.http or entrant.command or entrant.replay:
            return "http" if entrant.http else "command" if entrant.command else "replay"
        if entrant.kind == IMPORTED or entrant.product is not None:
            return "nobody"
    return "ours" if entrant.route.startswith(OURS) else "model"


def variables_of(entrant: Someone) -> tuple[str, ...]:
    """The variables that somebody's block names."""
    named = {entrant.api_key_env} if entrant.api_key_env else set()
    if isinstance(entrant, Agent) and entrant.product is not None:
        named |= entrant.product.variables
    return tuple(sorted(n for n in named if n))


def names(whos: Iterable[str]) -> str:
    """Endpoints as people call them."""
    return ", ".join(who.split(":", 1)[1] for who in whos)
