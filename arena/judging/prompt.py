"""Judge prompts, built from stored transcripts."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from arena.domain.agent import Judge
from arena.domain.call import Message
from arena.domain.simulated import CANNED
from arena.domain.suite import Scenario, Suite
from arena.domain.tokens import PER_MESSAGE, estimate_tokens
from arena.domain.transcript import Transcript
from arena.domain.words import Lang
from arena.judging.contracts import pairwise_contract, pairwise_template
from arena.judging.dialogue import Spoken, spoken, write_dialogue
from arena.judging.facts import compare_facts, rubric_facts, scenario_facts
from arena.judging.flags import dangers_of
from arena.judging.pairwise import PairwiseContract
from arena.judging.phrases import COMPLAIN, DIALOGUE
from arena.judging.render import Kind, render
from arena.judging.rubric import RubricContract
from arena.judging.sheet import SheetContract
from arena.judging.sheet_facts import sheet_facts, up_to_round
from arena.judging.sheet_phrases import SHEET
from arena.judging.shield import (
    Cut,
    Fenced,
    cut,
    draw_code,
    draw_codes,
    draw_nonce,
    fence,
    mark_lookalikes,
)

OVER_CONTEXT = "over_context"
"""Flag of a prompt that is too long for its judge even after cutting."""
LONGEST_REPLY = 4000
"""Characters of a reply that a repair call shows again."""

Sides = tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompt:
    """What is sent to a judge. `cut`: transcripts were shortened, and the prompt says where."""

    messages: tuple[Message, ...]
    schema: dict[str, Any]
    flags: tuple[str, ...]
    cut: bool


def rubric_prompt(
    *,
    suite: Suite,
    scenario: Scenario,
    mode: str,
    transcript: Transcript,
    judge: Judge,
    key: str,
    seed: int,
    round: int = 0,
    earlier: Sequence[Mapping[str, float] | None] = (),
) -> tuple[Prompt, RubricContract]:
    """The question for one scoring sheet, and the contract that reads its answer.

    `round` is 0 for the whole transcript; otherwise only what was said up to that round is shown,
    and `earlier` are this judge's scores of the rounds before, None for one that could not be
    read. Code and delimiters follow from the seed and the sheet's key. Raises ConfigError when a
    template of the suite cannot be used.
    """
    rubric = suite.rubric_of(scenario)
    kind: Kind = "rubric" if rubric.plain else "sheet"
    criteria, lang = rubric.criteria_for(scenario), suite.language
    contract = (
        RubricContract(rubric=rubric, criteria=criteria, lang=lang)
        if rubric.plain
        else SheetContract(
            rubric=rubric,
            criteria=criteria,
            lang=lang,
            scope="turn" if round else "transcript",
            round=round,
            dangers=dangers_of(suite, scenario, mode, upto=round),
        )
    )
    shown = up_to_round(transcript, round) if round else transcript
    instruction = contract.instruct()
    code = draw_code(seed, key)
    values = {
        "scenario": scenario_facts(suite, scenario, mode, upto=round),
        "mode": mode,
        "rubric": rubric_facts(suite, scenario, mode, "turn" if round else "transcript"),
        "code": code,
        "instruction": instruction,
    }
    if not rubric.plain:
        values |= sheet_facts(suite, scenario, shown, round=round, earlier=earlier)

    def show(fenced: tuple[Fenced, ...], cut: bool) -> str:
        told = {**values, "transcript": fenced[0].text, "cut": SHEET[lang]["cut"] if cut else ""}
        return render(suite, kind, told, shown_once=(fenced[0].text, instruction))

    fencing = Fencing(codes=(code,), nonce=draw_nonce(seed, key), lang=lang)
    return compose(fencing, (shown,), scenario, judge, contract.schema(), show), contract


def pairwise_prompt(
    *,
    suite: Suite,
    scenario: Scenario,
    mode: str,
    first: Transcript,
    second: Transcript,
    judge: Judge,
    key: str,
    seed: int,
    aliases: tuple[tuple[str, ...], tuple[str, ...]] = ((), ()),
) -> tuple[Prompt, PairwiseContract]:
    """The question for one presentation, and the contract that reads its answer.

    `first` is shown first. Codes and delimiters follow from the seed and the presentation's key;
    they are `contract.codes`, in the order shown. Raises ConfigError when a template of the suite
    cannot be used.
    """
    codes = draw_codes(seed, key)
    contract = pairwise_contract(suite, scenario, codes=codes, aliases=aliases)
    instruction = contract.instruct()

    def show(fenced: tuple[Fenced, ...], cut: bool) -> str:
        values = {
            "scenario": scenario_facts(suite, scenario, mode),
            "mode": mode,
            "criteria": compare_facts(suite, scenario)["criteria"],
            "codes": codes,
            "first": fenced[0].text,
            "second": fenced[1].text,
            "instruction": instruction,
        }
        texts = (fenced[0].text, fenced[1].text, instruction)
        return render(suite, pairwise_template(suite), values, shown_once=texts)

    fencing = Fencing(codes=codes, nonce=draw_nonce(seed, key), lang=suite.language)
    return compose(fencing, (first, second), scenario, judge, contract.schema(), show), contract


def repair_prompt(prompt: Prompt, reply: str, complaint: str, lang: Lang) -> Prompt:
    """The one repair call: the same question, the judge's own reply, and what is wrong with it."""
    shown = reply.encode("utf-8", "replace").decode("utf-8")
    if len(shown) > LONGEST_REPLY:
        mark = DIALOGUE[lang]["cut"].format(n=len(shown) - LONGEST_REPLY)
        shown = shown[:LONGEST_REPLY] + mark
    # Some providers refuse an empty message.
    said = Message("assistant", shown if shown.strip() else DIALOGUE[lang]["empty"])
    asked = Message("user", COMPLAIN[lang]["repair"].replace("{complaint}", complaint))
    return replace(prompt, messages=(*prompt.messages, said, asked))


@dataclass(frozen=True, slots=True, kw_only=True)
class Fencing:
    """How the transcripts of one prompt are fenced: a code for each, and the nonce of all."""

    codes: tuple[str, ...]
    nonce: str
    lang: Lang

    def fence(
        self, turns: Sides, own: Sides, welcomes: tuple[str, ...], suspect: tuple[str, ...]
    ) -> tuple[Fenced, ...]:
        """`suspect`: of each side, what was not written by the suite as a turn of its user."""
        sides = zip(self.codes, turns, own, welcomes, suspect, strict=True)
        return tuple(
            fence(
                write_dialogue(asked, said, lang=self.lang, welcome=welcome),
                code=code,
                nonce=self.nonce,
                spoken=strange,
            )
            for code, asked, said, welcome, strange in sides
        )


def compose(
    fencing: Fencing,
    transcripts: tuple[Transcript, ...],
    scenario: Scenario,
    judge: Judge,
    schema: dict[str, Any],
    show: Callable[[tuple[Fenced, ...], bool], str],
) -> Prompt:
    """The prompt with the transcripts whole, or cut to what the judge may be sent."""
    said = [spoken(t) for t in transcripts]
    turns, own = tuple(s.turns for s in said), tuple(s.own for s in said)
    welcomes = tuple(s.welcome for s in said)
    suspect = tuple(_suspect(t, s, scenario) for t, s in zip(transcripts, said, strict=True))
    fenced = fencing.fence(turns, own, welcomes, suspect)
    # What was said is suspect whether or not the judge is shown all of it.
    flags = tuple(dict.fromkeys(flag for one in fenced for flag in one.flags))
    text = show(fenced, False)
    shortened = _shorten(text, own, judge, fencing.lang)
    if shortened.cut:
        # What is said of the cut takes room too.
        shortened = _shorten(show(fenced, True), own, judge, fencing.lang)
        text = show(fencing.fence(turns, shortened.sides, welcomes, suspect), True)
    if not shortened.fits:
        flags = (*flags, OVER_CONTEXT)
    return Prompt(messages=(Message("user", text),), schema=schema, flags=flags, cut=shortened.cut)


def _suspect(transcript: Transcript, said: Spoken, scenario: Scenario) -> str:
    """What may speak to the judge: a welcome, system prompt, replies, memories, simulated turns.

    Turns that the suite writes are not among them: a scenario may be about an injection.
    """
    simulated = said.turns[1:] if transcript.spec.user != CANNED else ()
    return "\n".join((said.welcome, *said.own, *simulated, *(m.text for m in scenario.memories)))


def _shorten(text: str, own: Sides, judge: Judge, lang: Lang) -> Cut:
    """The agents' sides, cut where the whole prompt is more than the judge may be sent."""
    total = estimate_tokens(text) + PER_MESSAGE
    if judge.context is None or total <= judge.context:
        return Cut(sides=own, cut=False, fits=True)
    whole = sum(_tokens(part) for side in own for part in side)
    # Estimates are rounded up part by part: one token of slack for each.
    slack = sum(len(side) for side in own)
    return cut(own, budget=judge.context - (total - whole) - slack, lang=lang, measure=_tokens)


def _tokens(text: str) -> int:
    """Tokens of a text as it stands inside its fence."""
    return estimate_tokens(mark_lookalikes(text))
