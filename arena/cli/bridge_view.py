"""Bridges as a person reads them: how small a drift they could see, and what they saw."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from arena.cli import output
from arena.cli.words import Lang, say
from arena.domain.bridge import WITHIN, Bridge, Drift, expected_half

POINTS_A_SHARE = 695
"""Rating points that a whole share is worth between equals: 4 · 400 / ln 10."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reach:
    """What one job's bridge asks, and of how much.

    `fewest`: presentations of the agent that has fewest.
    """

    suite: str
    mode: str
    share: float
    comparisons: int
    of: int
    presentations: int
    scenarios: int
    agents: int
    fewest: int

    @property
    def half(self) -> float | None:
        """Half the width that every interval is expected to have at most."""
        return expected_half(self.fewest, self.agents)

    @property
    def needed(self) -> float | None:
        """The share that would be enough; None: more than there is, or nothing is known."""
        if self.half is None:
            return None
        part = self.share * (self.half / WITHIN) ** 2
        return part if part <= 1 else None


def show_reach(reaches: Sequence[Reach], lang: Lang) -> None:
    """A sentence a job on what could be seen, on stderr."""
    for reach in reaches:
        facts = {
            "board": f"{reach.suite} · {reach.mode}",
            "share": f"{reach.share:.0%}",
            "comparisons": f"{reach.comparisons:,}",
            "of": f"{reach.of:,}",
            "presentations": f"{reach.presentations:,}",
            "scenarios": reach.scenarios,
        }
        output.tell(say(lang, "bridge_asks", **facts))
        if reach.half is None:
            output.tell(say(lang, "bridge_nothing"), style="yellow")
            continue
        known = {"half": f"{reach.half:.2f}", "points": _points(reach.half), "least": WITHIN}
        output.tell(say(lang, "bridge_reach", **known))
        if reach.half > WITHIN:
            if reach.needed is None:
                output.tell(say(lang, "bridge_too_few"), style="yellow")
            else:
                needed = f"{min(reach.needed * 1.02, 1):.2f}"
                output.tell(say(lang, "bridge_needs", share=needed), style="yellow")


def show_bridge(bridges: Sequence[Bridge], lang: Lang) -> None:
    """The drifts as a table on stdout, and what follows on stderr."""
    if not bridges:
        output.tell(say(lang, "bridge_unanswered"), style="yellow")
    for bridge in bridges:
        heads = ["whose_share", "drift", "drift_interval", "presentations", "scenarios"]
        title = say(lang, "bridge_title", judge=bridge.judge, old=bridge.old, new=bridge.new)
        output.print_table(
            title,
            [say(lang, f"column_{head}") for head in heads],
            [_row(drift, lang) for drift in bridge.drifts],
            right=frozenset({1, 3, 4}),
        )
        style = {"holds": "bold", "drifts": "yellow", "small": "yellow"}[bridge.finding]
        output.tell(say_bridge(bridge, lang), style=style)
        output.tell(say(lang, "bridge_together"))


def say_bridge(bridge: Bridge, lang: Lang) -> str:
    """What one bridge says, in a sentence."""
    facts = {
        "judge": bridge.judge,
        "old": bridge.old,
        "new": bridge.new,
        "read": f"{bridge.read:,}",
        "asked": f"{bridge.asked:,}",
        "scenarios": bridge.scenarios,
        "seen": "—" if bridge.seen is None else f"±{bridge.seen:.2f}",
        "points": "—" if bridge.seen is None else _points(bridge.seen),
    }
    return output.in_one_line(say(lang, f"bridge_{bridge.finding}", **facts))


def describe_reach(reach: Reach) -> dict[str, Any]:
    """The same as JSON-able data; null: unknown, or (`needed`) more than there is."""
    return {**asdict(reach), "expected_half": reach.half, "within": WITHIN, "needed": reach.needed}


def describe_bridge(bridge: Bridge) -> dict[str, Any]:
    """A bridge as JSON-able data; null: unknown."""
    return {**asdict(bridge), "seen": bridge.seen, "within": WITHIN}


def _row(drift: Drift, lang: Lang) -> list[str]:
    name = say(lang, "bridge_first") if drift.agent is None else drift.agent
    within = "—" if drift.low is None else f"{drift.low:+.3f} … {drift.high:+.3f}"
    return [
        name,
        f"{drift.mean:+.3f}",
        within,
        f"{drift.presentations:,}",
        str(drift.scenarios),
    ]


def _points(share: float) -> str:
    return f"{POINTS_A_SHARE * share:.0f}"
