"""What each agent cost, how fast it was and how often it failed, side by side."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from decimal import Decimal

from arena.domain.call import Status
from arena.site import formats
from arena.site.board_terms import say_counts
from arena.site.facts import Edition, TranscriptFact
from arena.site.names import Names
from arena.site.outlays import estimate_cost, estimate_latency, mean_tokens
from arena.site.part_views import BillRow
from arena.site.words import Say


def build_bills(edition: Edition, names: Names) -> tuple[BillRow, ...]:
    """A row for every agent that was asked anything, in the order of the edition."""
    own: dict[str, list[TranscriptFact]] = defaultdict(list)
    for facts in edition.transcripts.values():
        for fact in facts:
            own[fact.agent].append(fact)
    return tuple(
        _row(agent.id, edition, own[agent.id], names)
        for agent in edition.agents
        if any(fact.status is not None for fact in own[agent.id])
    )


def _row(
    agent: str,
    edition: Edition,
    facts: Sequence[TranscriptFact],
    names: Names,
) -> BillRow:
    say = names.say
    done = sum(fact.status is Status.OK for fact in facts)
    failed = Counter(f.status.value for f in facts if f.broken and f.status is not None)
    cost, cost_note = _cost(agent, edition, facts, say)
    tokens, tokens_note = say_tokens(agent, edition, say)
    latency, latency_note = _latency(agent, edition, say)
    return BillRow(
        name=names.agent(agent),
        cost=cost,
        cost_note=cost_note,
        tokens=tokens,
        tokens_note=tokens_note,
        spent=_spent(facts, say),
        latency=latency,
        latency_note=latency_note,
        slow=_slow(facts, say),
        dialogues=f"{done}/{len(facts)}",
        failed=say_counts(failed, "status", say) if failed else "0",
    )


def _cost(
    agent: str, edition: Edition, facts: Sequence[TranscriptFact], say: Say
) -> tuple[str, str]:
    found = estimate_cost(edition, agent)
    currency = next((f.cost.currency for f in facts if f.cost is not None), "")
    if found is None:
        return say("unknown"), ""
    amount = formats.money(Decimal(repr(found.mean)), currency)
    if found.low is None or found.high is None:
        return amount, ""
    return amount, formats.half(found.low, found.high)


def say_tokens(agent: str, edition: Edition, say: Say) -> tuple[str, str]:
    """Tokens read and written in a dialogue, and of how many dialogues, where not of each."""
    found = mean_tokens(edition, agent)
    if found is None:
        return say("unknown"), ""
    read, written = (formats.count(round(n), say) for n in (found.read, found.written))
    note = ""
    if found.known < found.finished:
        note = say("cost.part", done=found.known, planned=found.finished)
    return f"{read} + {written}", note


def _spent(facts: Sequence[TranscriptFact], say: Say) -> str:
    """The sum of what is known, by currency; dialogues of unknown cost are counted beside it."""
    sums: dict[str, Decimal] = defaultdict(Decimal)
    unknown = 0
    for fact in facts:
        if fact.cost is not None:
            sums[fact.cost.currency] += fact.cost.amount
        elif fact.status is not None:
            unknown += 1
    if not sums:
        return say("unknown")
    told = say("list.plus").join(formats.money(a, c) for c, a in sorted(sums.items()))
    return say("bills.part", sum=told, n=unknown) if unknown else told


def _latency(agent: str, edition: Edition, say: Say) -> tuple[str, str]:
    found = estimate_latency(edition, agent)
    if found is None:
        return say("unknown"), ""
    said = formats.seconds(found.mean, say)
    if found.low is None or found.high is None:
        return said, ""
    return said, formats.half(found.low / 1000, found.high / 1000)


def _slow(facts: Sequence[TranscriptFact], say: Say) -> str:
    """What nine of ten replies take at most: the smallest time that so many do not exceed."""
    times = sorted(ms for fact in facts for ms in fact.latencies)
    if not times:
        return say("unknown")
    at = -(-len(times) * 9 // 10) - 1
    return formats.seconds(times[at], say)
