"""Finding a judge's answer in its reply.

A contract owns a reply's shape both ways: it writes the instruction and reads the answer. What
both contracts share is here: where an answer may stand, and how a reply without one is called.
"""

from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, TypeVar

from arena.domain.call import Status
from arena.domain.words import Lang
from arena.judging.lenient import Found, find_objects, whole_object
from arena.judging.phrases import COMPLAIN
from arena.judging.thinking import split_thinking

Result = TypeVar("Result")
LAST_OBJECTS = 64
"""How many objects of a reply, from its end, may be the answer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Complaint:
    """Why a reply holds no answer, in words that its judge can act on.

    `near`: an object was meant as the answer and is not valid, so nothing else in the reply is.
    """

    text: str
    status: Status = Status.UNPARSED
    near: bool = False


Accept = Callable[[dict[str, Any]], Result | Complaint]
"""Makes an answer of an object, or says what is wrong with it."""


def find_answer(text: str, accept: Accept[Result], *, lang: Lang = "en") -> Result | Complaint:
    """The answer in a reply: what `accept` makes of the object it accepts, or a complaint.

    Looked for, thinking taken out, in this order: the whole reply; the only fence in it; the last
    balanced object that is accepted, so that an answer wins over an echoed example. An object
    that only wraps another is opened. Linear in the length of the text; raises nothing.
    """
    # A reply that is one object has no thinking before it; a tag in its strings is a quotation.
    visible = text if whole_object(text) else split_thinking(text).visible
    complaint: Complaint | None = None
    for places in (_whole, _fenced, _anywhere):
        for found in places(visible):
            answer = _offer(found, accept, lang)
            if not isinstance(answer, Complaint):
                return answer
            if complaint is None or (answer.near and not complaint.near):
                complaint = answer
    return complaint or Complaint(text=COMPLAIN[lang]["no_object"])


def read_reply(
    text: str | None, accept: Accept[Result], *, finish_reason: str | None, lang: Lang
) -> Result | Complaint:
    """The answer in a reply, or a complaint with the status of the reply.

    `empty`: nothing but thinking. `blocked`: a content filter left no answer. `truncated`: cut
    off before the answer was complete. `unparsed`: the rest.
    """
    answer = find_answer(text or "", accept, lang=lang)
    if not isinstance(answer, Complaint):
        return answer
    if finish_reason == "content_filter":
        return Complaint(text=answer.text, status=Status.BLOCKED, near=answer.near)
    if not answer.near and not split_thinking(text or "").visible.strip():
        return Complaint(text=COMPLAIN[lang]["empty"], status=Status.EMPTY)
    if finish_reason == "length":
        return Complaint(
            text=COMPLAIN[lang]["truncated"], status=Status.TRUNCATED, near=answer.near
        )
    return answer


def is_placeholder(value: str) -> bool:
    """Whether a string is the `<…>` of an example that was echoed."""
    return value.startswith("<") and value.endswith(">")


def _offer(found: Found, accept: Accept[Result], lang: Lang) -> Result | Complaint:
    if found.twice is not None:
        return Complaint(text=COMPLAIN[lang]["twice"].format(key=found.twice), near=True)
    answer = accept(found.value)
    if isinstance(answer, Complaint) and len(found.value) == 1:
        (inner,) = found.value.values()
        if isinstance(inner, dict):
            opened = accept(inner)
            return answer if isinstance(opened, Complaint) and not opened.near else opened
    return answer


def _whole(text: str) -> Iterator[Found]:
    if found := whole_object(text):
        yield found


def _fenced(text: str) -> Iterator[Found]:
    """The object that the only fence of a text holds."""
    fences: list[list[str]] = []
    inside = False
    for line in text.split("\n"):
        if line.lstrip().startswith("```"):
            inside = not inside
            if inside:
                fences.append([])
        elif inside:
            fences[-1].append(line)
    if len(fences) == 1 and not inside:
        yield from _whole("\n".join(fences[0]))


def _anywhere(text: str) -> Iterator[Found]:
    """The last objects of a text, the very last first."""
    yield from reversed(deque(find_objects(text), maxlen=LAST_OBJECTS))
