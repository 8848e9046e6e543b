"""Telling what a model thought from what it said.

Thinking is kept in the store and left out of what is judged and of the next turn's history.
"""

import re
from dataclasses import dataclass

# Code is matched first, so that a tag inside back-ticks is passed over as part of it.
_CODE_OR_TAG = re.compile(r"```.*?```|`[^`\n]+`|<(/?)think(?:ing)?\s*>", re.DOTALL | re.IGNORECASE)
_TAG = re.compile(r"<(/?)think(?:ing)?\s*>", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Split:
    """A reply, split. `thinking` is None when there was none.

    `unclosed`: a block was opened and never ended; what stood before it is visible, if anything.
    """

    visible: str
    thinking: str | None
    unclosed: bool


def split_thinking(text: str) -> Split:
    """Visible text and thinking of a reply.

    <think> and <thinking> blocks are taken out, in any case. A lone closing tag ends a block whose
    opening was eaten, so everything before it is thinking. A tag inside back-ticks is text. A text
    without blocks comes back as it is; otherwise what remains is stripped at both ends.
    """
    visible: list[str] = []
    thinking: list[str] = []
    tags, at = _CODE_OR_TAG, 0
    while tag := _next_tag(tags, text, at, either=True):
        if tag[1]:
            thinking += [*visible, text[at : tag.start()]]
            visible, at = [], tag.end()
            continue
        visible.append(text[at : tag.start()])
        closing = _next_tag(tags, text, tag.end(), either=False)
        if closing is None:
            # A stray back-tick in the thinking may have paired with one in the answer and hidden
            # the closing tag. From here on back-ticks prove nothing, which also keeps this linear.
            tags = _TAG
            closing = _next_tag(tags, text, tag.end(), either=False)
        if closing is None:
            thinking.append(text[tag.end() :])
            return _split(visible, thinking, unclosed=True)
        thinking.append(text[tag.end() : closing.start()])
        at = closing.end()
    return _split([*visible, text[at:]], thinking, unclosed=False)


def _next_tag(tags: re.Pattern[str], text: str, at: int, *, either: bool) -> re.Match[str] | None:
    """The next tag outside code: any, or only a closing one."""
    for found in tags.finditer(text, at):
        if found[1] or (either and found[1] is not None):
            return found
    return None


def _split(visible: list[str], thinking: list[str], *, unclosed: bool) -> Split:
    if not thinking:
        return Split(visible="".join(visible), thinking=None, unclosed=unclosed)
    return Split(
        visible="".join(visible).strip(),
        thinking="\n".join(filter(None, (part.strip() for part in thinking))),
        unclosed=unclosed,
    )
