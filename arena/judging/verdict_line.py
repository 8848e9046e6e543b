"""A verdict in plain text: `Final verdict: K482`, `最终选择：K482`, `[[K482]]`."""

import re

from arena.judging.labels import Label, Labels

# A lead begins its line or sentence: "if the winner is K482, …" gives no verdict.
_LEAD = re.compile(
    r"(?:^|[.。!！?？;；])[\s#*_>-]{0,9}(?:the\s|my\s|overall\s|我的|因此|所以|综上[,，]?)?"
    r"(?:final\s+(?:verdict|choice|answer|decision)|verdict|winner"
    r"|最终(?:选择|结论|判定|裁决|判断|结果)|结论|获胜者|胜者|胜方)"
    r"[\s*_]{0,4}(?:[:：]|\bis\b|是|为)",
    re.IGNORECASE,
)
_BRACKETED = re.compile(r"\[\[([^\[\]]{1,80})\]\]")
_AFTER_LABEL = re.compile(r"[,，.。;；!！(（]")


def find_verdict_line(text: str, labels: Labels) -> Label | None:
    """The verdict that the last verdict line gives, None when there is none to trust.

    What stands in the line before its last "Final verdict:" is reasoning, and so are words around
    a label in double brackets. Two different labels, or a label and words that do not simply
    follow it ("Final verdict: not K482"), end the search: that is no verdict, and neither is a
    line above.
    """
    for line in reversed(text.splitlines()):
        *_, lead = (None, *_LEAD.finditer(line))
        rest = line[lead.end() :] if lead else ""
        said = rest if lead else line
        bracketed = _BRACKETED.findall(said)
        if lead is None and not bracketed:
            continue
        found = _stated(rest, bracketed, labels)
        if len(found) > 1 or (not bracketed and len(labels.mentioned(said)) > 1):
            return None
        if found:
            return found.pop()
        if labels.mentioned(rest):
            return None
    return None


def _stated(rest: str, bracketed: list[str], labels: Labels) -> set[Label]:
    """The labels of a verdict line: those in brackets, and what stands first after the lead."""
    first = labels.of(rest) or labels.of(_AFTER_LABEL.split(rest, maxsplit=1)[0])
    return {label for label in (first, *map(labels.of, bracketed)) if label is not None}
