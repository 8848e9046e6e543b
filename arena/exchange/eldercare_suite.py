"""A suite of ours made of the original folder: the same words, in our files."""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from arena.domain.suite import (
    MAIN_RUBRIC,
    CompareCriterion,
    Criterion,
    Persona,
    RedFlag,
    Rubric,
    Scenario,
    Source,
)
from arena.domain.words import Words
from arena.errors import ConfigError
from arena.exchange import prompts
from arena.exchange.eldercare import (
    ANALYSIS,
    FORMAT,
    JUDGES,
    SCENARIOS,
    Case,
    Line,
    LiteCase,
    Original,
    closing_of,
)
from arena.exchange.keys import Keys
from arena.exchange.original_folder import LITE, NATURAL, PROBE, Made

FLAG = "red_flag"
UNCHANGED = "无调整"
"""What the original writes where a mode changes nothing about a criterion."""
CODES = ("{code_a}", "{code_b}")
KNOWN = {
    "roleplay": Words(zh="角色对话", en="Role-play"),
    "mediation": Words(zh="居中调解", en="Mediation"),
    "drafting": Words(zh="代拟消息", en="Drafting"),
    ANALYSIS: Words(zh="对话分析", en="Analysis"),
}


def make(original: Original, folder: Path) -> Made:
    """The suite; raises ConfigError where our files cannot hold what the original says.

    That is an archetype with two formats in one mode, or a pairwise prompt whose list of criteria
    does not go with the reply that it wants. `folder` is the original's, for messages.
    """
    domains = Keys("domain")
    scenarios = [_scenario(c, original.lite[c.id], domains) for c in original.cases]
    archetypes = {
        name: (KNOWN.get(name, _both(name)), ANALYSIS if name == ANALYSIS else MAIN_RUBRIC)
        for name in dict.fromkeys(c.archetype for c in original.cases)
    }
    compared = prompts.comparison(original.judges["pairwise_zh"], CODES)
    if not compared.asked:
        raise ConfigError(
            "{path}: its numbered criteria do not go with the keys of its reply",
            path=folder / JUDGES / "pairwise_zh.txt",
        )
    judges = original.judges
    templates = {f"{name}.md": prompts.instruction(text) for name, text in original.shown.items()}
    templates["pairwise.j2"] = compared.template
    templates["rubric.j2"] = prompts.sheets(
        probe=judges["rubric_probe_zh"],
        natural=judges["rubric_natural_zh"],
        analysis=judges["rubric_analysis_zh"],
        only_analysis=_only_analysis(original),
    )
    n = len(scenarios)
    return Made(
        format=FORMAT,
        title=Words(zh="居家养老情商题集（原版）", en="Eldercare EQ (the original)"),
        about=Words(
            zh=f"由 eqbench-eldercare-zh 的文件夹导入，共 {n} 个情境。",
            en=f"Imported from a folder of eqbench-eldercare-zh: {n} scenarios.",
        ),
        language="zh",
        licence="MIT (eqbench-eldercare-zh; after EQ-Bench 3, MIT)",
        default_mode="natural",
        modes=_modes(original, folder / SCENARIOS),
        domains=domains.names,
        archetypes=archetypes,
        red_flags={FLAG: Words(zh="险情", en="Red flag")},
        rubrics=_rubrics(original, compared.asked),
        scenarios=scenarios,
        templates=templates,
        contract="marks",
    )


def _both(text: str) -> Words:
    return Words(zh=text, en=text)


def _only_analysis(original: Original) -> str:
    counted = {line.key for line in original.sheet.scored_criteria}
    own = [line.key for line in original.sheet.analysis_criteria]
    return next((key for key in own if key not in counted), own[0])


def _scenario(case: Case, short: LiteCase, domains: Keys) -> Scenario:
    origin = case.source
    from_id = f"EQ-Bench 3, {origin.eqbench_id}" if origin.eqbench_id is not None else ""
    return Scenario(
        scenario=case.id,
        archetype=case.archetype,
        domain=domains.of(case.domain),
        title=_both(case.title),
        source=Source(
            type=origin.type, note="; ".join(part for part in (from_id, origin.note) if part)
        ),
        persona=Persona(user=case.persona.user_role, context=case.persona.context),
        turns=case.turns,
        notes={
            "probe": case.scenario_notes.probe,
            "natural": case.scenario_notes.natural,
            "lite": short.scenario_notes_lite,
        },
        failure_mode=case.failure_mode,
        red_flags=tuple(RedFlag(flag=FLAG, sign=sign) for sign in case.red_flags),
        tags=case.tags,
    )


def _modes(original: Original, path: Path) -> dict[str, dict[str, Any]]:
    formats = {
        "natural": [(c.archetype, c.format_instruction.natural) for c in original.cases],
        "probe": [(c.archetype, c.format_instruction.probe) for c in original.cases],
        "lite": [(c.archetype, original.lite[c.id].format_instruction) for c in original.cases],
    }
    modes: dict[str, dict[str, Any]] = {}
    for mode, how in (("natural", NATURAL), ("probe", PROBE), ("lite", LITE)):
        used = dict(_one_each(mode, formats[mode], path))
        modes[mode] = dict(how)
        if used:
            modes[mode]["instructions"] = {kind: f"{name}.md" for kind, name in used.items()}
        closing = {
            kind: f"{closing_of(name)}.md"
            for kind, name in used.items()
            if mode == "probe" and closing_of(name) != name and closing_of(name) in original.shown
        }
        if closing:
            modes[mode]["closing"] = closing
    return modes


def _one_each(
    mode: str, formats: Iterable[tuple[str, str | None]], path: Path
) -> Iterator[tuple[str, str]]:
    """The format of each archetype in a mode, where it has one."""
    seen: dict[str, str | None] = {}
    for kind, name in formats:
        if seen.setdefault(kind, name) != name:
            raise ConfigError(
                "{path}: archetype {archetype} has two formats in mode {mode}",
                path=path,
                archetype=kind,
                mode=mode,
            )
    yield from ((kind, name) for kind, name in seen.items() if name)


def _rubrics(original: Original, asked: Mapping[str, str]) -> list[Rubric]:
    sheet = original.sheet
    names = {line.key: line.name_zh for line in sheet.scored_criteria}
    compare = tuple(
        CompareCriterion(
            criterion=key, name=_both(names.get(key) or _begins(question)), question=question
        )
        for key, question in asked.items()
    )
    main = Rubric(
        rubric=MAIN_RUBRIC,
        name=Words(zh="原版评分表", en="The original's scoring sheet"),
        scale=sheet.meta.scale,
        anchors=sheet.generic_anchors,
        criteria=(
            *(_criterion(line, counts=True) for line in sheet.scored_criteria),
            *(_criterion(line, counts=False) for line in sheet.probe_criteria),
        ),
        compare=compare,
    )
    analysis = Rubric(
        rubric=ANALYSIS,
        name=Words(zh="原版分析评分表", en="The original's scoring sheet for analyses"),
        scale=sheet.meta.scale,
        criteria=tuple(_criterion(line, counts=True) for line in sheet.analysis_criteria),
        compare=tuple(line.key for line in sheet.analysis_criteria),
    )
    return [main, analysis]


def _begins(question: str) -> str:
    """The words before the first colon or bracket."""
    return question.partition("：")[0].partition("（")[0].strip() or question


def _criterion(line: Line, *, counts: bool) -> Criterion:
    note = line.natural_mode_note
    told = {} if note in ("", UNCHANGED) else {"natural": note, "lite": note}
    return Criterion(
        criterion=line.key,
        name=_both(line.name_zh),
        question=line.definition.strip(),
        high=line.high_signal,
        low=line.low_signal,
        direction="higher" if counts else "neutral",
        counts=counts,
        notes=told,
    )
