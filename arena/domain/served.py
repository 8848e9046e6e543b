"""Model strings: what a provider says that it served, and names that may change their meaning."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from arena.domain.agent import Judge

_DATED = re.compile(
    # 2025-08-06, 20250806, 250806, or a month and day like 0806.
    r"(?<!\d)(?:20\d\d-?(?:0[1-9]|1[0-2])-?(?:0[1-9]|[12]\d|3[01])"
    r"|[2-9]\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])"
    r"|(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01]))(?!\d)"
)
_OURS = ("scripted/", "decoy/")


@dataclass(frozen=True, slots=True, kw_only=True)
class Served:
    """One answer of a judge that counts: its key, what served it (None: not said), and when."""

    key: str
    judge: str
    model: str | None
    at: str
    sheet: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Split:
    """Which answers of judges whose served model string changed a board rests on.

    `names`: judge → what it is called with the part that is used (`judge@model`); `others`: key of
    each answer of another part → what that judge is called.
    """

    names: Mapping[str, str]
    others: Mapping[str, str]


def split_served(
    answers: Iterable[Served],
    used: Mapping[str, str],
    joined: Mapping[str, frozenset[str]] = MappingProxyType({}),
) -> Split:
    """The answers apart by model string; `used`: judge → the model string that a board takes.

    An answer of which the provider did not say what served it stays with the part that is used.
    `joined`: judge → the model strings whose verdicts stand together, by a bridge; its scores, of
    which no bridge tells, stay apart all the same.
    """
    others = {
        a.key: f"{a.judge}@{a.model}"
        for a in answers
        if a.judge in used
        and a.model is not None
        and a.model != used[a.judge]
        and (a.sheet or a.model not in joined.get(a.judge, ()))
    }
    names = {judge: f"{judge}@{model}" for judge, model in used.items() if judge not in joined}
    return Split(names=names, others=others)


def most_served(answers: Sequence[Served]) -> dict[str, str]:
    """Of every judge that several model strings served: the one with most answers, then the latest.

    Judges that one string served, as far as it is known, are left out.
    """
    found: dict[str, dict[str, list[str]]] = {}
    for answer in answers:
        if answer.model is not None:
            times = found.setdefault(answer.judge, {}).setdefault(answer.model, [])
            times.append(answer.at)
    return {
        judge: max(parts, key=lambda model: (len(parts[model]), max(parts[model]), model))
        for judge, parts in sorted(found.items())
        if len(parts) > 1
    }


def floating_aliases(judges: Iterable[Judge]) -> tuple[Judge, ...]:
    """Judges whose model string holds no date, so that its provider may change what it serves.

    Not those whose `version` is stated, nor what is played in this process.
    """
    return tuple(
        j
        for j in judges
        if j.model
        and not j.model.startswith(_OURS)
        and not j.version
        and not _DATED.search(j.model)
    )
