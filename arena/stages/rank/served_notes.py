"""What must be said of judges that several model strings served, and of bridges between these."""

from collections.abc import Iterator

from arena.domain.audit import Audit, ServedPart
from arena.domain.bridge import Bridge
from arena.domain.standing import Why


def served_notes(audit: Audit) -> Iterator[Why]:
    """A note a judge: split, mixed as asked, or joined by a bridge; and what bridges found."""
    for judge in dict.fromkeys(p.judge for p in audit.served):
        parts = [p for p in audit.served if p.judge == judge]
        facts = {
            "judge": judge,
            "parts": [f"{p.model} ({p.sheets + p.verdicts})" for p in parts],
            "used": _used(parts),
        }
        yield Why(key=_key(audit, parts), facts=facts)
    for bridge in audit.bridges:
        yield bridge_note(bridge)


def bridge_note(bridge: Bridge) -> Why:
    """What one bridge says."""
    strays = max(bridge.strays, key=lambda d: abs(d.mean), default=None)
    facts = {
        "judge": bridge.judge,
        "old": bridge.old,
        "new": bridge.new,
        "read": bridge.read,
        "asked": bridge.asked,
        "scenarios": bridge.scenarios,
        "seen": None if bridge.seen is None else round(bridge.seen, 3),
        "drift": None if strays is None else round(strays.mean, 3),
        "agent": None if strays is None else strays.agent,
    }
    return Why(key=f"bridge_{bridge.finding}", facts=facts)


def _key(audit: Audit, parts: list[ServedPart]) -> str:
    if audit.mixed:
        return "served_mixed"
    return "served_joined" if sum(p.used for p in parts) > 1 else "served_split"


def _used(parts: list[ServedPart]) -> str:
    return ", ".join(p.model for p in parts if p.used)
