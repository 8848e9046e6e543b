"""Money: what each call costs is known, and the cap can hold."""

from collections.abc import Iterator
from decimal import Decimal
from importlib.metadata import version

from arena.cli.checks.scene import Scene, Someone, way_of
from arena.domain.agent import Price
from arena.domain.finding import Finding
from arena.domain.money import Money


def check_prices(scene: Scene) -> Iterator[Finding]:
    """A row for each kind of price: own, LiteLLM's list, none; and currencies without a rate."""
    capped = scene.bench.config.cap is not None
    kinds: dict[str, list[str]] = {"own": [], "list": [], "unknown": [], "rateless": []}
    for who, entrant in scene.entrants.items():
        if way_of(entrant) in ("model", "http", "command"):
            kinds[_kind(scene, entrant, scene.prices.get(who))].append(who)
    for kind, whos in kinds.items():
        if not whos:
            continue
        fine = kind in ("own", "list")
        yield Finding(
            check="price",
            state="ok" if fine else "fail" if capped else "warn",
            who=tuple(whos),
            said=f"check_price_{kind}",
            todo="" if fine else f"check_do_{kind}",
            facts={
                "version": version("litellm"),
                "ours": scene.bench.config.currency,
                "currencies": ", ".join(sorted(_currencies(scene, whos))),
            },
        )


def check_rates(scene: Scene) -> Iterator[Finding]:
    """The exchange rates, which nothing fetches, with their date."""
    rates = scene.bench.config.money
    if not rates.rates:
        return
    yield Finding(
        check="rates",
        state="ok" if rates.as_of else "warn",
        said="check_rates" if rates.as_of else "check_rates_undated",
        todo="" if rates.as_of else "check_do_rates",
        facts={
            "rates": ", ".join(f"1 {c} = {r} {rates.currency}" for c, r in rates.rates.items()),
            "as_of": rates.as_of or "",
        },
    )


def check_cap(scene: Scene) -> Iterator[Finding]:
    """`max_cost`, in a currency that can be counted in."""
    config = scene.bench.config
    if config.cap is None:
        return
    known = config.money.convert(config.cap) is not None
    yield Finding(
        check="cap",
        state="ok" if known else "fail",
        said="check_cap" if known else "check_cap_rateless",
        todo="" if known else "check_do_rateless",
        facts={"cap": str(config.cap), "ours": config.currency, "currencies": config.cap.currency},
    )


def _kind(scene: Scene, entrant: Someone, price: Price | None) -> str:
    if price is None:
        return "unknown"
    if scene.bench.config.money.convert(Money(Decimal(1), price.currency)) is None:
        return "rateless"
    return "own" if entrant.price is not None else "list"


def _currencies(scene: Scene, whos: list[str]) -> set[str]:
    prices = (scene.prices.get(who) for who in whos)
    return {price.currency for price in prices if price is not None}
