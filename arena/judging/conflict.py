"""Whether a reason praises the side that did not win.

Cautious: only plain statements that one side is better count, none that are negated, conditional,
a comparison the other way round, limited to one point, or taken back by a "but".
"""

import re

from arena.judging.labels import Labels, mention

_BETTER = re.compile(
    r"\s*(?:(?:is|was|are|seems)\s+(?:(?:clearly|much|far|overall|significantly|obviously"
    r"|slightly|simply|the)\s+){0,2}(?:better|stronger|superior|safer|winner)\b"
    r"|(?:clearly\s+)?wins\b"
    r"|(?:的(?:回答|回复|表现))?(?:明显|显然|整体|总体|全面|略|要|都)?"
    r"(?:更好|更优|更强|更胜一筹|胜出|获胜))"
)
_BEFORE = re.compile(
    r"\b(?:not|no|never|neither|nor|hardly|if|whether|although|though|while|than|except|think)\b"
    r"|n't|不|没|并非|未|虽|尽管|如果|若|假如|比|除了|难说|认为"
)
_AFTER = re.compile(
    r"\s*(?:at|on|for|when|if|in(?!\s+(?:every|all|each|general)\b)|regarding)\b"
    r"|[^.。!！?？\n]{0,80}(?:\bbut\b|\bhowever\b|\byet\b|但|不过|然而|可是)"
    r"|[^.。!！?？\n]{0,80}[.。]\s*(?:but|however|yet|但|不过|然而|可是)"
)
_SENTENCE_END = re.compile(r"[.。!！?？;；\n]")
_LOOK_BACK = 60


def contradicts(reason: str, winner: str, labels: Labels) -> bool:
    """Whether the reason calls exactly the other side better; for a tie, exactly one side."""
    better = {side for side in ("first", "second") if _praises(reason, side, labels)}
    return len(better) == 1 and winner not in better


def _praises(reason: str, side: str, labels: Labels) -> bool:
    folded = labels.folded(reason)
    pattern = mention(labels.names("first" if side == "first" else "second"))
    for named in pattern.finditer(folded):
        claim = _BETTER.match(folded, named.end())
        if claim is None or _AFTER.match(folded, claim.end()):
            continue
        before = folded[max(0, named.start() - _LOOK_BACK) : named.start()]
        if not _BEFORE.search(_SENTENCE_END.split(before)[-1]):
            return True
    return False
