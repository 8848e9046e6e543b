"""Which answers a board rests on where a judge's served model string changed."""

from collections import defaultdict
from collections.abc import Iterable, Mapping

from arena.domain.audit import ServedPart
from arena.domain.call import Status
from arena.domain.score import Sheet
from arena.domain.served import Served, most_served
from arena.domain.verdict import Verdict
from arena.store.store import Store

OTHER_MODEL = "other_model"
"""Answered by another model string of the same judge, which is another judge."""


def find_served(
    sheets: Iterable[Sheet], verdicts: Iterable[Verdict], store: Store
) -> tuple[Served, ...]:
    """The answers that could be read, with the model string that served each."""
    read = [s for s in sheets if s.status is Status.OK]
    told = [v for v in verdicts if v.status is Status.OK]
    calls = [*(s.call for s in read), *(v.call for v in told)]
    models = store.calls.served([call for call in calls if call])
    return (
        *(
            Served(
                key=s.spec.key, judge=s.spec.judge, model=models.get(s.call), at=s.at, sheet=True
            )
            for s in read
        ),
        *(
            Served(
                key=v.presentation.key,
                judge=v.presentation.judge,
                model=models.get(v.call),
                at=v.at,
                sheet=False,
            )
            for v in told
        ),
    )


def describe_served(
    answers: tuple[Served, ...], *, mixed: bool, joined: Mapping[str, frozenset[str]]
) -> tuple[ServedPart, ...]:
    """The parts of every judge that several model strings served.

    `joined`: judge → the model strings whose verdicts a bridge lets stand together.
    """
    used: Mapping[str, str] = most_served(answers)
    parts: dict[tuple[str, str], list[Served]] = defaultdict(list)
    for answer in answers:
        if answer.judge in used and answer.model is not None:
            parts[answer.judge, answer.model].append(answer)
    return tuple(
        ServedPart(
            judge=judge,
            model=model,
            sheets=sum(a.sheet for a in own),
            verdicts=sum(not a.sheet for a in own),
            first=min(a.at for a in own),
            last=max(a.at for a in own),
            used=mixed or used[judge] == model or model in joined.get(judge, ()),
        )
        for (judge, model), own in sorted(parts.items())
    )
