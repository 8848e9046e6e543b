"""The readable verdicts of a job before they are folded, with what may have swayed them."""

import re
from collections.abc import Sequence

import numpy as np

from arena.domain.call import Status
from arena.domain.job import Job
from arena.domain.verdict import POINT_OF_A, Outcome, Presentation
from arena.maths.tally import Rows
from arena.stages.rank.material import Material, Presented
from arena.store.store import Store

SIGN = {"ab": 1, "ba": -1, None: 0}
_MARKDOWN = re.compile(r"(?m)^#{1,6}\s|^\s*(?:[-*+]|\d+[.)])\s|\*\*[^*\n]+\*\*")


def present(
    job: Job, material: Material, presentations: Sequence[Presentation], store: Store
) -> Presented:
    """Verdicts with length (log ratio), markdown (marks a character) and vendor as controls."""
    index = {name: i for i, name in enumerate(material.agents)}
    place = {name: i for i, name in enumerate(material.scenarios or ())}
    verdicts = [
        (v.presentation, v.outcome)
        for v in sorted(store.verdicts.all(presentations), key=lambda v: v.presentation.key)
        if v.status is Status.OK and v.outcome is not None
    ]
    shown = [p for p, _ in verdicts]
    outcomes = [outcome for _, outcome in verdicts]
    judges = tuple(sorted({p.judge for p in shown}))
    share = np.array([POINT_OF_A[o] for o in outcomes], dtype=np.float64)
    texts = _texts(job, store)
    lengths = np.array([[len(texts.get(key, "")) for key in (p.a, p.b)] for p in shown])
    marks = np.array(
        [[len(_MARKDOWN.findall(texts.get(k, ""))) for k in (p.a, p.b)] for p in shown]
    )
    return Presented(
        rows=Rows(
            first=np.array([index[p.agent_a] for p in shown], dtype=np.int64),
            second=np.array([index[p.agent_b] for p in shown], dtype=np.int64),
            scenario=np.array([place[p.scenario] for p in shown], dtype=np.int64),
            share=share,
            agents=len(index),
            scenarios=len(place),
            tie=np.array([o is Outcome.TIE for o in outcomes], dtype=np.float64),
        ),
        sign=np.array([SIGN[p.order] for p in shown], dtype=np.int64),
        judge=np.array([judges.index(p.judge) for p in shown], dtype=np.int64),
        judges=judges,
        controls=_controls(job, shown, lengths, marks),
    )


def _controls(
    job: Job,
    shown: Sequence[Presentation],
    lengths: np.ndarray[tuple[int, int], np.dtype[np.int64]],
    marks: np.ndarray[tuple[int, int], np.dtype[np.int64]],
) -> dict[str, np.ndarray[tuple[int], np.dtype[np.float64]]]:
    if not shown:
        return {}
    vendors = {a.agent: a.vendor for a in job.agents}
    judges = {j.judge: j.vendor for j in job.judges}
    kin = [
        int(vendors[p.agent_a] == judges.get(p.judge))
        - int(vendors[p.agent_b] == judges.get(p.judge))
        for p in shown
    ]
    density = marks / (lengths + 1)
    # An empty side has no length to compare by.
    logs = np.log(np.where(lengths > 0, lengths, np.nan))
    return {
        "length": logs[:, 0] - logs[:, 1],
        "markdown": density[:, 0] - density[:, 1],
        "vendor": np.array(kin, dtype=np.float64),
    }


def _texts(job: Job, store: Store) -> dict[str, str]:
    """What the agent said in each finished transcript, by key."""
    return {
        t.spec.key: "\n".join(m.text for m in t.messages if m.role == "assistant")
        for t in store.transcripts.all(job.all_transcripts())
    }
