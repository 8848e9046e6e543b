"""What the answer to a tiny call, or the lack of one, tells: a row each, with the next step."""

import re
from collections.abc import Iterator

from arena.cli.checks.calls import UNLIMITED, Pinged
from arena.cli.checks.scene import Scene
from arena.domain.call import Status
from arena.domain.finding import Finding
from arena.llm.mainland import other_base
from arena.llm.working import Answer

UNAUTHORISED, PAYMENT, FORBIDDEN, NOT_FOUND, LATE, MANY = 401, 402, 403, 404, 408, 429
TIMED_OUT = re.compile(r"no answer within|\bTimeout\b|timed out", re.IGNORECASE)
PAGE = re.compile(r"<!doctype|<html|HTML page", re.IGNORECASE)
AWAY = re.compile(r"Connection error|cannot be reached|Connect|broke off", re.IGNORECASE)
WRAPPING = re.compile(r"^(?:(?:litellm\.)?\w+(?:Error|Timeout): )+(?:\w+Exception - )?")
"""What LiteLLM puts before the words of a provider."""
OURS = ("page", "late", "away")
"""Causes for which LiteLLM makes up a status, since the provider gave none."""
EXCERPT = 200


def read_answers(scene: Scene, pinged: Pinged) -> Iterator[Finding]:
    """A row for everybody who was asked, and one for each reason why others were not."""
    for who in scene.entrants:
        if who in pinged.answers:
            yield _read(scene, who, pinged.answers[who], denied=who in pinged.denied)
    for reason in dict.fromkeys(pinged.kept_from.values()):
        whos = tuple(who for who, why in pinged.kept_from.items() if why == reason)
        yield Finding(check="call", state="skipped", who=whos, said=reason)


def _read(scene: Scene, who: str, answer: Answer, *, denied: bool) -> Finding:
    last = answer.last
    facts = {
        "ms": f"{last.latency_ms or 0:,}",
        "model": last.model_returned or "–",
        "host": scene.host(who),
        "code": str(answer.code or "–"),
        "said": WRAPPING.sub("", scene.clean(last.error or ""))[:EXCERPT],
        "other": other_base(scene.host(who)) or "",
        "asked": last.model_asked,
    }
    if last.status is not Status.ERROR:
        blocked = last.status is Status.BLOCKED
        return Finding(
            check="call",
            state="warn" if blocked else "ok",
            who=(who,),
            said="check_call_policy" if blocked else "check_call_answered",
            facts=facts,
        )
    cause = _cause(answer, denied=denied)
    if cause == "denied" and facts["other"] and answer.code in (None, UNAUTHORISED):
        cause = "border"
    return Finding(
        check="call",
        state="warn" if cause == "unlimited" else "fail",
        who=(who,),
        said=_said(cause),
        todo=f"check_do_call_{cause}",
        facts=facts,
    )


def _said(cause: str) -> str:
    if cause == "unlimited":
        return "check_call_unlimited"
    return "check_call_broken" if cause in OURS else "check_call_failed"


def _cause(answer: Answer, *, denied: bool) -> str:
    """Why a call failed: a name for the next step."""
    said, code = answer.last.error or "", answer.code
    signs = (
        ("quota", code == PAYMENT),
        ("denied", denied or code in (UNAUTHORISED, FORBIDDEN)),
        ("model", code == NOT_FOUND),
        ("limited", code == MANY),
        ("unlimited", code == 400 and bool(UNLIMITED.search(said))),
        ("page", bool(PAGE.search(said))),
        ("late", code == LATE or bool(TIMED_OUT.search(said))),
        ("away", bool(AWAY.search(said))),
    )
    return next((cause for cause, applies in signs if applies), "other")
