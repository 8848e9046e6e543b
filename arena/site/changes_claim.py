"""What may be claimed of two boards: only what an interval supports."""

from collections.abc import Callable, Iterable

from arena.domain.changes import AgentChange, Changes
from arena.site.words import Say

Name = Callable[[str], str]


def say_claim(changes: Changes, say: Say, name: Name) -> str:
    """Whose rating moved by more than chance explains, or that nobody's did, or that none knows."""
    moved = changes.moved
    if moved:
        ways = (
            ("up", [c for c in moved if _rose(c)]),
            ("down", [c for c in moved if not _rose(c)]),
        )
        told = [say(f"changes.claim.{way}", names=_named(of, say, name)) for way, of in ways if of]
        return say("changes.claim.moved", said=say("list.semicolon").join(told))
    both = changes.of("both")
    if both and all(c.rating.same for c in both):
        return say("changes.claim.same")
    if any(c.rating.low is not None for c in both):
        return say("changes.claim.none")
    return say("changes.claim.unknown")


def say_beside(changes: Changes, say: Say, name: Name) -> tuple[str, ...]:
    """Who is new and gone, whose eligibility changed, and of whom nothing can be told."""
    still = [c for c in changes.of("both") if c.rating.low is not None and not c.rating.moved]
    turned = [c for c in changes.of("both") if c.eligibility[0] != c.eligibility[1]]
    said = []
    if changes.moved and still:
        said.append(say("changes.claim.rest", names=_named(still, say, name)))
    for key, of in (("new", changes.of("new")), ("gone", changes.of("gone")), ("turned", turned)):
        if of:
            said.append(say(f"changes.claim.{key}", names=_named(of, say, name)))
    return tuple(said)


def _rose(change: AgentChange) -> bool:
    return change.rating.difference is not None and change.rating.difference > 0


def _named(changes: Iterable[AgentChange], say: Say, name: Name) -> str:
    return say.join([name(c.agent) for c in changes])
