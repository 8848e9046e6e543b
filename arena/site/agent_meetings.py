"""An agent against the others: two by two, and scenario by scenario."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from arena.domain.standing import PairStanding
from arena.site import formats
from arena.site.agent_views import MeetingCell, MeetingRow, OpponentRow
from arena.site.facts import Edition, TranscriptFact
from arena.site.names import Names
from arena.site.scenario_transcripts import card_id
from arena.site.scenario_verdicts import pair_id
from arena.site.text import plain

MOST_OPPONENTS = 12
"""With more of them the table of meetings has a record for each scenario and no cell a pair."""
WIDE_STEPS = 10
Met = Mapping[tuple[str, str], Sequence[float]]


@dataclass(frozen=True, slots=True)
class Meetings:
    """Every agent's points by scenario and opponent, and its transcripts by scenario."""

    shares: dict[str, dict[tuple[str, str], list[float]]] = field(default_factory=dict)
    transcripts: dict[str, dict[str, TranscriptFact]] = field(default_factory=dict)

    def met(self, agent: str) -> Met:
        """Points of an agent by (scenario, opponent)."""
        return self.shares.get(agent, {})

    def own(self, agent: str) -> Mapping[str, TranscriptFact]:
        """The first transcript of an agent in each scenario."""
        return self.transcripts.get(agent, {})


def gather_meetings(edition: Edition) -> Meetings:
    """Sort the comparisons and transcripts of an edition by agent, once for all pages."""
    shares: dict[str, dict[tuple[str, str], list[float]]] = defaultdict(lambda: defaultdict(list))
    transcripts: dict[str, dict[str, TranscriptFact]] = defaultdict(dict)
    for scenario, facts in edition.comparisons.items():
        for fact in facts:
            if fact.share is not None:
                shares[fact.a][scenario, fact.b].append(fact.share)
                shares[fact.b][scenario, fact.a].append(1 - fact.share)
    for scenario, found in edition.transcripts.items():
        for transcript in found:
            transcripts[transcript.agent].setdefault(scenario, transcript)
    return Meetings(dict(shares), dict(transcripts))


def build_opponents(
    agent: str,
    edition: Edition,
    names: Names,
    profiles: Mapping[str, str],
    meetings: Mapping[str, str] = MappingProxyType({}),
) -> tuple[OpponentRow, ...]:
    """A row for every other agent that it met or was to meet, in the board's order.

    `profiles` and `meetings`: by agent, the file of its page, and of its page with this one.
    """
    known = edition.board.pairs if edition.board else ()
    pairs = {(p.b if p.a == agent else p.a): p for p in known if agent in (p.a, p.b)}
    rows = []
    for other in (a.id for a in edition.agents):
        href, page = profiles.get(other, ""), meetings.get(other, "")
        if other in pairs:
            row = build_opponent(pairs[other], agent, other, names, href)
            rows.append(replace(row, meetings=page))
        elif page:
            rows.append(_not_counted(other, names, href, page))
    return tuple(rows)


def build_meetings(
    agent: str,
    others: Sequence[str],
    edition: Edition,
    meetings: Meetings,
    names: Names,
    pages: Mapping[str, str],
) -> tuple[MeetingRow, ...]:
    """A row for every scenario; a cell for each of `others`."""
    met, own = meetings.met(agent), meetings.own(agent)
    by_scenario: dict[str, list[float]] = defaultdict(list)
    for (met_in, _), shares in met.items():
        by_scenario[met_in] += shares
    rows = []
    for scenario in edition.scenarios:
        key = scenario.scenario
        page, fact = pages[key], own.get(key)
        rows.append(
            MeetingRow(
                href=f"{page}#t-{card_id(fact, names)}" if fact else page,
                title=f"{key} · {plain(names.say.of(scenario.title))}",
                absolute=formats.tenth(fact.absolute if fact else None),
                record=_record(by_scenario.get(key, ()), names),
                cells=tuple(
                    _cell(agent, other, met.get((key, other), ()), names, page) for other in others
                ),
            )
        )
    return tuple(rows)


def build_opponent(
    pair: PairStanding, agent: str, other: str, names: Names, href: str
) -> OpponentRow:
    """How an agent stands against another, from its side; `href` leads to the other."""
    say, first = names.say, pair.a == agent
    wins, losses = (pair.wins, pair.losses) if first else (pair.losses, pair.wins)
    share, difference, low, high = pair.share, pair.difference, pair.low, pair.high
    if not first:
        share = None if share is None else 1 - share
        difference, low, high = (None if v is None else -v for v in (difference, high, low))
    return OpponentRow(
        name=names.agent(other),
        href=href,
        record=say("record", wins=wins, ties=pair.ties, losses=losses) if pair.n else formats.DASH,
        share=formats.percent(share),
        n=formats.count(pair.n, say),
        difference=formats.change(difference),
        interval=formats.reach(low, high),
        decision=_decision(pair, first, names),
        decided=pair.decision is not None,
    )


def _not_counted(other: str, names: Names, href: str, page: str) -> OpponentRow:
    """Two that were to meet, and of whom the board says nothing."""
    dash = formats.DASH
    return OpponentRow(
        name=names.agent(other),
        href=href,
        record=names.say("agent.see"),
        share=dash,
        n=dash,
        difference=dash,
        interval="",
        decision=names.say("agent.not_counted"),
        decided=False,
        meetings=page,
    )


def _decision(pair: PairStanding, first: bool, names: Names) -> str:
    if pair.decision is None:
        return names.say("agent.never_met" if not pair.n else "agent.undecided")
    return names.say("agent.better" if (pair.decision == "a") == first else "agent.worse")


def _record(shares: Sequence[float], names: Names) -> str:
    wins, losses = list(shares).count(1.0), list(shares).count(0.0)
    ties = len(shares) - wins - losses
    if not shares:
        return formats.DASH
    return names.say("record", wins=wins, ties=ties, losses=losses)


def _cell(agent: str, other: str, shares: Sequence[float], names: Names, page: str) -> MeetingCell:
    if not shares:
        return MeetingCell(text=formats.DASH, href="", label="", tone="none")
    mean = sum(shares) / len(shares)
    how = "won" if mean > 0.5 else "lost" if mean < 0.5 else "even"
    record = _record(shares, names)
    return MeetingCell(
        text=names.say(f"meeting.{how}"),
        href=f"{page}#{pair_id(agent, other, names)}",
        label=names.say("meeting.label", name=names.agent(other), record=record),
        tone=f"v{round(mean * WIDE_STEPS)}",
    )
