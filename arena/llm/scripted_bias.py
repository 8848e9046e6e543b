"""What sways a scripted judge beside quality and order: length, and a sign of its own family."""

import math
import re

from arena.domain.script import ScriptedJudge

_HEAD = re.compile(r"^\[\d{1,3}\] (user|agent|用户|智能体):\n", re.MULTILINE)
_AGENT = ("agent", "智能体")


def sway(judge: ScriptedJudge, first: str, second: str) -> float:
    """Log-odds for the first of two transcripts as they are shown, whatever their quality."""
    sizes = (spoken_length(first), spoken_length(second))
    longer = math.log(sizes[0] / sizes[1]) if all(sizes) else 0.0
    sign = judge.family_sign
    own = 0 if sign is None else int(sign in first) - int(sign in second)
    return judge.length_bonus * longer + judge.family_bonus * own


def spoken_length(shown: str) -> int:
    """Characters that the agent said in a dialogue; all of them where it is none."""
    _, *parts = _HEAD.split(shown)
    if not parts:
        return len(shown)
    said = zip(parts[::2], parts[1::2], strict=True)
    return sum(len(text.strip("\n")) for who, text in said if who in _AGENT)
