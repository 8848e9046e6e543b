"""Verdicts: a list of them, or one with its reason and its criteria."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from arena.cli import output
from arena.cli.boards import names_of
from arena.cli.showing.judged import Part, find_key
from arena.cli.showing.scores import MOST, NONE, say_status, tell_more
from arena.cli.showing.sent import Sent, rebuild
from arena.cli.showing.votes import describe_votes, show_votes
from arena.cli.words import Lang, say
from arena.cli.workspace import Bench
from arena.designing.current import plan_in_force, planned_presentations
from arena.domain.job import Job
from arena.domain.plan import Selection
from arena.domain.verdict import Outcome, Presentation, Verdict
from arena.store.store import Store
from arena.store.tables import CallRecord

SCHEMA = "arena.verdicts/1"


@dataclass(frozen=True, slots=True)
class VerdictLine:
    """A presentation that is wanted or was put to a judge, and the verdict, if there is one."""

    job: Job
    shown: Presentation
    verdict: Verdict | None


def show_verdicts(
    bench: Bench,
    store: Store,
    key: str | None,
    part: Part,
    lang: Lang,
    *,
    whole_input: bool,
    as_json: bool,
) -> None:
    """The verdicts of a part, or the one of a key; raises UsageError."""
    votes = [job for job in bench.jobs if job.held and job.held.votes]
    told = [job for job in bench.jobs if job not in votes]
    lines = [line for job in told for line in lines_of(job, store, part)]
    if key is None:
        if as_json:
            document = {"schema": SCHEMA, "verdicts": [_describe(line) for line in lines]}
            output.print_json(document | describe_votes(votes, store, part))
            return
        if told:
            _show_all(lines, lang)
        for job in votes:
            show_votes(job, store, part, lang)
        return
    line = _find(key, lines, bench, store)
    sent = rebuild(line.job, line.shown, line.verdict, store) if whole_input else None
    last = next(reversed(store.calls.all([line.shown.key])), None)
    if as_json:
        one = _describe(line) | _describe_reply(last) | {"codes": _in_order(line)}
        one |= {"input": sent.describe()} if sent else {}
        output.print_json({"schema": SCHEMA, "verdicts": [one]})
    elif sent is not None:
        _show_sent(sent, lang)
    else:
        _show_one(line, lang)
        _show_reply(last, line, lang)


def lines_of(job: Job, store: Store, part: Part) -> list[VerdictLine]:
    """The planned presentations of a part, whose transcripts are there or not."""
    if part.scenarios:
        # What is not looked at need not be read.
        here = tuple(s for s in part.scenarios if s in {x.scenario for x in job.suite.scenarios})
        if not here:
            return []
        job = replace(job, selection=Selection(scenarios=here, domains=job.selection.domains))
    planned = planned_presentations(job, plan_in_force(job, store))
    shown = [
        p
        for p in planned.seated(store.verdicts.blocked(planned.contested))
        if part.holds([p.agent_a, p.agent_b], p.scenario, p.judge)
    ]
    answered = {v.presentation.key: v for v in store.verdicts.all(shown)}
    return [VerdictLine(job, p, answered.get(p.key)) for p in shown]


def _find(key: str, lines: Sequence[VerdictLine], bench: Bench, store: Store) -> VerdictLine:
    """The line of a key: of the plan, else one that is stored and no longer planned."""
    by_key = {line.shown.key: line for line in lines}
    if not any(key and one.startswith(key.lower()) for one in by_key):
        for job in bench.jobs:
            for shown in store.verdicts.beginning(key.lower(), job.all_transcripts()):
                (verdict,) = store.verdicts.all([shown])
                by_key[shown.key] = VerdictLine(job, shown, verdict)
    chosen, _ = find_key(key, [(one, line.job) for one, line in by_key.items()])
    return by_key[chosen]


def _show_all(lines: Sequence[VerdictLine], lang: Lang) -> None:
    rows = []
    for line in lines[:MOST]:
        names, shown, verdict = names_of(line.job, lang), line.shown, line.verdict
        rows.append(
            [
                shown.key[:10],
                shown.scenario,
                names.get(shown.agent_a, shown.agent_a),
                names.get(shown.agent_b, shown.agent_b),
                shown.judge,
                shown.order or NONE,
                say_outcome(line, names, lang),
                str(verdict.margin) if verdict and verdict.margin else NONE,
                ", ".join(verdict.flags if verdict else ()) or NONE,
            ]
        )
    columns = ("key", "scenario", "a", "b", "judge", "order", "winner", "margin", "flags")
    heads = [say(lang, f"column_{c}") for c in columns]
    output.print_table(say(lang, "show_verdicts"), heads, rows, right=frozenset({7}))
    tell_more(len(lines), MOST, lang)
    output.tell(say(lang, "next_verdict"))


def say_outcome(line: VerdictLine, names: Mapping[str, str], lang: Lang) -> str:
    """Who won, in words; how it ended where nobody can be named."""
    verdict, shown = line.verdict, line.shown
    if verdict is None or verdict.status.value != "ok" or verdict.outcome is None:
        return say_status(verdict.status if verdict else None, lang)
    return _side(verdict.outcome, shown, names, lang)


def _side(side: Outcome, shown: Presentation, names: Mapping[str, str], lang: Lang) -> str:
    if side is Outcome.TIE:
        return say(lang, "tie")
    agent = shown.agent_a if side is Outcome.A else shown.agent_b
    return names.get(agent, agent)


def _show_one(line: VerdictLine, lang: Lang) -> None:
    shown, verdict, names = line.shown, line.verdict, names_of(line.job, lang)
    title = [shown.scenario, line.job.scenario(shown.scenario).title[lang], shown.judge]
    output.print_shown(output.in_one_line(" · ".join(title)), style="bold")
    first, second = (
        (shown.agent_b, shown.agent_a) if shown.order == "ba" else (shown.agent_a, shown.agent_b)
    )
    facts = {"first": names.get(first, first), "second": names.get(second, second)}
    output.print_shown(say(lang, "shown_first" if shown.order else "shown_none", **facts))
    margin = f" ({verdict.margin}/5)" if verdict and verdict.margin else ""
    winner = f"{say(lang, 'column_winner')}: {say_outcome(line, names, lang)}{margin}"
    output.print_shown(output.in_one_line(winner), style="bold")
    if verdict is None:
        return
    if verdict.criteria:
        called = {
            c.criterion: c.name[lang]
            for c in line.job.suite.rubric_of(line.job.scenario(shown.scenario)).compare_criteria()
        }
        rows = [
            [
                called.get(c.criterion, c.criterion),
                _side(c.side, shown, names, lang),
                str(c.strength) if c.strength else NONE,
            ]
            for c in verdict.criteria
        ]
        heads = [say(lang, f"column_{c}") for c in ("criterion", "winner", "margin")]
        output.print_table("", heads, rows, right=frozenset({2}))
    codes = [f"{c} = {names.get(a, a)}" for c, a in _codes(shown, verdict) if c]
    if codes:
        output.print_shown(output.in_one_line(", ".join(codes)))
    if verdict.reason:
        output.print_shown(verdict.reason)
    if verdict.flags:
        output.print_shown(say(lang, "flags_line", flags=", ".join(verdict.flags)))
    output.tell(say(lang, "next_input", verdict=shown.key[:10]))


def _describe_reply(last: CallRecord | None) -> dict[str, Any]:
    """The judge's latest reply as it came, and why it could not be read, where it could not."""
    return {"raw": last and last.text, "complaint": last and (last.complaint or last.error)}


def _in_order(line: VerdictLine) -> list[str] | None:
    """The blind names that the judge was given, first shown first."""
    if line.verdict is None or line.shown.order is None:
        return None
    codes = list(line.verdict.codes)
    return codes if line.shown.order == "ab" else codes[::-1]


def _show_reply(last: CallRecord | None, line: VerdictLine, lang: Lang) -> None:
    """What cannot be counted is shown as it came, with the reason; arena show reading explains."""
    if last is None or (line.verdict is not None and line.verdict.status.value == "ok"):
        return
    if why := last.complaint or last.error:
        output.print_shown(say(lang, "complaint_line", complaint=output.in_one_line(why)))
    if last.text:
        output.print_shown(say(lang, "raw_line"), style="bold")
        output.print_shown(last.text)


def _codes(shown: Presentation, verdict: Verdict) -> list[tuple[str, str]]:
    return list(zip(verdict.codes, (shown.agent_a, shown.agent_b), strict=True))


def _show_sent(sent: Sent, lang: Lang) -> None:
    for role, text in sent.messages:
        output.print_shown(f"── {role} ──", style="bold cyan")
        output.print_shown(text)
    if sent.same:
        output.tell(say(lang, "input_same"))
    elif sent.same is None:
        output.tell(say(lang, "input_unknown"), style="yellow")
    else:
        parts = ", ".join(say(lang, f"wording_{part}") for part in sent.changed)
        key = "input_changed" if parts else "input_differs"
        output.tell(say(lang, key, parts=parts), style="yellow")


def _describe(line: VerdictLine) -> dict[str, Any]:
    shown, verdict = line.shown, line.verdict
    return {
        "key": shown.key,
        "suite": line.job.suite.suite,
        "mode": line.job.mode,
        "scenario": shown.scenario,
        "a": shown.agent_a,
        "b": shown.agent_b,
        "replicate": shown.replicate,
        "judge": shown.judge,
        "judge_replicate": shown.judge_replicate,
        "order": shown.order,
        "status": verdict and verdict.status.value,
        "outcome": verdict and verdict.outcome and verdict.outcome.value,
        "margin": verdict and verdict.margin,
        "criteria": [
            {"criterion": c.criterion, "side": c.side.value, "strength": c.strength}
            for c in verdict.criteria
        ]
        if verdict
        else None,
        "reason": verdict and verdict.reason,
        "flags": list(verdict.flags) if verdict else None,
        "at": verdict and verdict.at,
    }
