"""What a judge was sent, built again from the stored transcripts and the wording of today.

Prompts are not stored, only their digests: the same text gives the same digest, and one that
differs says that what is told beside the transcripts has changed since.
"""

from dataclasses import dataclass
from typing import Any

from arena.domain.digest import digest
from arena.domain.job import Job
from arena.domain.verdict import Presentation, Verdict
from arena.errors import UsageError
from arena.judging.prompt import pairwise_prompt
from arena.judging.wording import wording
from arena.store.store import Store

PARTS = ("template", "rubric", "notes", "cut")


@dataclass(frozen=True, slots=True, kw_only=True)
class Sent:
    """The messages; `same`: whether a call with these was made, None where none was stored.

    `changed`: the parts of the wording that are no longer what they were.
    """

    messages: tuple[tuple[str, str], ...]
    digest: str
    stored: tuple[str, ...]
    changed: tuple[str, ...]

    @property
    def same(self) -> bool | None:
        """Whether this is what was sent."""
        return self.digest in self.stored if self.stored else None

    def describe(self) -> dict[str, Any]:
        """As JSON-able data."""
        return {
            "messages": [{"role": role, "text": text} for role, text in self.messages],
            "digest": self.digest,
            "stored": list(self.stored),
            "same": self.same,
            "changed": list(self.changed),
        }


def rebuild(job: Job, shown: Presentation, verdict: Verdict | None, store: Store) -> Sent:
    """The question of a presentation; raises UsageError where nothing is asked of a model."""
    judge = next((j for j in job.judges if j.judge == shown.judge), None)
    if judge is None or shown.order is None or job.held is not None:
        raise UsageError(
            "there is no input to show: {judge} is not asked by this workspace",
            why="It is the answer key, a person, an import, or no longer in data/arena.yaml.",
            judge=shown.judge,
        )
    there = {t.key: t for t in store.transcripts.all(job.all_transcripts())}
    if shown.a not in there or shown.b not in there:
        raise UsageError(
            "there is no input to show: a transcript of {a} and {b} in {scenario} is missing",
            fix="Run: arena collect",
            a=shown.agent_a,
            b=shown.agent_b,
            scenario=shown.scenario,
        )
    keys, who = (shown.a, shown.b), (shown.agent_a, shown.agent_b)
    if shown.order == "ba":
        keys, who = keys[::-1], who[::-1]
    names = {
        a.agent: tuple(dict.fromkeys((a.agent, a.display.zh, a.display.en))) for a in job.agents
    }
    scenario = job.scenario(shown.scenario)
    prompt, _ = pairwise_prompt(
        suite=job.suite,
        scenario=scenario,
        mode=job.mode,
        first=there[keys[0]],
        second=there[keys[1]],
        judge=judge,
        key=shown.key,
        seed=job.seed,
        aliases=(names[who[0]], names[who[1]]),
    )
    now = wording(suite=job.suite, scenario=scenario, mode=job.mode, judge=judge, use="pairwise")
    messages = tuple((m.role, m.text) for m in prompt.messages)
    return Sent(
        messages=messages,
        digest=digest([list(m) for m in messages]),
        stored=store.calls.prompts(shown.key) if verdict else (),
        changed=tuple(p for p in PARTS if getattr(now, p) != getattr(shown.wording, p)),
    )
