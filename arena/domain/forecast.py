"""A forecast: how many calls, tokens and how much money, before any of it is spent.

Money is a range; what has no price or no rate is named and never counted as 0.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import NamedTuple

from arena.domain.agent import Price
from arena.domain.money import Money, Rates, cost_of_call

LESS = 0.7
MORE = 1.5
"""A reply is expected to be between these multiples of its estimate, before any was seen."""
SEEN = 0.2
"""Once replies were seen, it is expected to be so near to their mean, either way."""
DRIFT = 0.25
"""An outcome so far from the middle of its forecast is worth a warning."""


class Span(NamedTuple):
    """A low and a high end."""

    low: float
    high: float

    def __add__(self, other: object) -> "Span":
        if not isinstance(other, Span):
            return NotImplemented
        return Span(self.low + other.low, self.high + other.high)


@dataclass(frozen=True, slots=True, kw_only=True)
class ForecastLine:
    """What one agent or judge is expected to do in one stage.

    `cost` is in the workspace's currency, None when it cannot be known. `seconds` is how long its
    calls take at the endpoint's own limits. `job`: suite and mode, where there are several.
    """

    stage: str
    who: str
    calls: int
    tokens_in: Span
    tokens_out: Span
    cost: Span | None
    seconds: float = 0.0
    job: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cuts:
    """Prompts of one judge in one stage that will be cut to fit its context, and `of` how many.

    `unfit`: those that will be too long even so.
    """

    stage: str
    who: str
    prompts: int
    of: int
    unfit: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanFact:
    """A plan of comparisons in figures, as far as it is known before it is followed.

    `comparisons` of the selection, before every judge and in both orders; `withheld`: those that
    the vendor guard takes from a judge, each judge counted. `unscored`: agents of which an
    informed plan knows too few scores, `evened` pairs are planned evenly for it. `adaptive`:
    verdicts choose comparisons, or have chosen some.
    """

    suite: str
    mode: str
    design: str
    comparisons: int
    withheld: int
    unscored: tuple[str, ...]
    evened: int
    stop_width: float | None
    looks: int
    adaptive: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Forecast:
    """A stage's, or a whole run's, expected calls and what is there already."""

    lines: tuple[ForecastLine, ...] = ()
    present: int = 0
    """Transcripts, sheets and verdicts that are there already."""
    cuts: tuple[Cuts, ...] = ()
    """Sheets and presentations that will be cut to fit a judge's context, all sides alike."""
    guarded: tuple[str, ...] = ()
    """What the vendor guard leaves out, in words of ids: `judge × agent`."""
    marked: tuple[str, ...] = ()
    """Judges of an agent's own vendor or family that the guard lets judge all the same."""
    plans: tuple[PlanFact, ...] = ()
    """The plans of comparisons, one for each suite and mode that is compared."""
    by_hand: Mapping[str, int] = field(default_factory=dict)
    """Transcripts that a person is to bring, by agent; nothing is asked for them."""

    def __add__(self, other: "Forecast") -> "Forecast":
        return Forecast(
            lines=self.lines + other.lines,
            present=self.present + other.present,
            cuts=self.cuts + other.cuts,
            guarded=tuple(dict.fromkeys(self.guarded + other.guarded)),
            marked=tuple(dict.fromkeys(self.marked + other.marked)),
            plans=self.plans + other.plans,
            by_hand=dict(Counter(self.by_hand) + Counter(other.by_hand)),
        )

    @property
    def cut(self) -> int:
        """Prompts that will be cut, in all."""
        return sum(cut.prompts for cut in self.cuts)

    @property
    def calls(self) -> int:
        """Calls in all."""
        return sum(line.calls for line in self.lines)

    @property
    def tokens_in(self) -> Span:
        """Prompt tokens in all."""
        return _sum(line.tokens_in for line in self.lines)

    @property
    def tokens_out(self) -> Span:
        """Reply tokens in all."""
        return _sum(line.tokens_out for line in self.lines)

    @property
    def cost(self) -> Span | None:
        """Money in all, of what has a price; None when nothing that has calls to make has one."""
        known = [line.cost for line in self.lines if line.cost is not None]
        return None if self.lines and not known else _sum(known)

    @property
    def unpriced(self) -> tuple[str, ...]:
        """Who has calls to make and no known price."""
        return tuple(
            dict.fromkeys(line.who for line in self.lines if line.calls and line.cost is None)
        )

    @property
    def seconds(self) -> float:
        """Time: stages follow each other, endpoints of one stage work side by side."""
        longest: dict[str, float] = {}
        for line in self.lines:
            longest[line.stage] = max(longest.get(line.stage, 0.0), line.seconds)
        return sum(longest.values())


def drift_of(span: Span, actual: float) -> float | None:
    """How far something came out from the middle of its forecast, as a part of it.

    None where it did not come out further off than is worth a warning, or nothing was expected.
    """
    middle = (span.low + span.high) / 2
    if middle <= 0:
        return None
    drift = actual / middle - 1
    return drift if abs(drift) > DRIFT else None


def name_kin(guarded: Iterable[tuple[str, str]]) -> tuple[str, ...]:
    """Judges and agents that are kin, as a forecast names them."""
    return tuple(f"{judge} × {agent}" for judge, agent in guarded)


@dataclass(slots=True)
class Expected:
    """Calls of one agent or judge as they are counted up. Tokens are estimates per call."""

    calls: int = 0
    sessions: int = 0
    tokens_in: float = 0.0
    tokens_out: float = 0.0


def forecast_lines(
    stage: str,
    expected: Mapping[str, Expected],
    *,
    prices: Mapping[str, Price | None],
    rates: Rates,
    seconds_per_call: Mapping[str, float],
    concurrency: Mapping[str, int],
    seen: Collection[str] = (),
) -> tuple[ForecastLine, ...]:
    """Lines for everybody who has calls to make; `seen`: of whom there are replies already."""
    lines = []
    for who, sums in expected.items():
        if not sums.calls:
            continue
        less, more = (1 - SEEN, 1 + SEEN) if who in seen else (LESS, MORE)
        tokens_in = Span(sums.tokens_in * less, sums.tokens_in * more)
        tokens_out = Span(sums.tokens_out * less, sums.tokens_out * more)
        lines.append(
            ForecastLine(
                stage=stage,
                who=who,
                calls=sums.calls,
                tokens_in=tokens_in,
                tokens_out=tokens_out,
                cost=_cost(sums, tokens_in, tokens_out, prices.get(who), rates),
                seconds=sums.calls * seconds_per_call.get(who, 3.0) / concurrency.get(who, 1),
            )
        )
    return tuple(lines)


def _cost(
    sums: Expected, tokens_in: Span, tokens_out: Span, price: Price | None, rates: Rates
) -> Span | None:
    if price is None:
        return None
    ends = []
    for end in (0, 1):
        by_token = cost_of_call(
            price,
            tokens_in=round(tokens_in[end]),
            tokens_out=round(tokens_out[end]),
            first_of_session=False,
        )
        each = (price.per_call or Decimal(0)) * (sums.calls - 1)
        sessions = (price.per_session or Decimal(0)) * sums.sessions
        amount = rates.convert(Money((by_token or Decimal(0)) + each + sessions, price.currency))
        if amount is None:
            return None
        ends.append(float(amount))
    return Span(*ends)


def _sum(spans: Iterable[Span]) -> Span:
    total = Span(0.0, 0.0)
    for span in spans:
        total += span
    return total
