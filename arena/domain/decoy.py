"""Decoys: standing fake agents that show whether a judge can be fooled.

They answer in this process, without a model and without money, stand apart from the ranking and
are nobody's kin. On multiple choice there are none: an answer key cannot be fooled.
"""

from collections.abc import Sequence
from decimal import Decimal
from typing import Literal

from arena.domain.agent import Agent, Price
from arena.domain.words import Words

Decoy = Literal["null", "padding"]
PREFIX = "decoy"
"""Model strings of decoys: `decoy/null`."""
NAMES = {
    "null": Words(zh="诱饵 · 空答", en="Decoy · null"),
    "padding": Words(zh="诱饵 · 套话", en="Decoy · padding"),
}
SHORT = {"null": Words(zh="空答", en="null"), "padding": Words(zh="套话", en="padding")}


def decoy_agents(names: Sequence[Decoy], *, currency: str) -> tuple[Agent, ...]:
    """The agents that play these decoys; their price is 0 in a currency."""
    return tuple(
        Agent(
            agent=name,
            name=NAMES[name],
            short=SHORT[name],
            vendor="arena",
            family="arena",
            kind="decoy",
            model=f"{PREFIX}/{name}",
            price=Price(per_call=Decimal(0), currency=currency),
        )
        for name in names
    )
