"""An English suite of ours made of EQ-Bench 3's prompts: the same words, in our files."""

import re
from pathlib import Path
from typing import Any

from arena.domain.suite import (
    MAIN_RUBRIC,
    CompareCriterion,
    Criterion,
    Persona,
    Rubric,
    Scenario,
)
from arena.domain.words import Words
from arena.errors import ConfigError
from arena.exchange import prompts
from arena.exchange.eqbench3 import COMPARED, DEBRIEF, FORMAT, SCORED, SHOWN, Case, Prompts
from arena.exchange.keys import Keys
from arena.exchange.original_folder import NATURAL, PROBE, Made

CODES = ("A0493", "A0488")
"""How the pairwise prompts name the two sides."""
SCALE = (0.0, 20.0)
ANALYSED = re.compile(r"\[([^\]\n]*)\]\n\{transcript_being_analysed\}\n\[/\1\]\n*")
PERSON = "The other person in the scenario"
KINDS = {
    "roleplay": Words(zh="角色扮演", en="Role-play"),
    "mediation": Words(zh="居中调解", en="Mediation"),
    "drafting": Words(zh="代拟消息", en="Message drafting"),
    "analysis": Words(zh="对话分析", en="Analysis"),
}


def make(original: Prompts, folder: Path) -> Made:
    """The suite; raises ConfigError for a pairwise prompt whose list and reply do not go together.

    `folder` is the original's, for messages.
    """
    domains = Keys("domain")
    scenarios = [_scenario(case, original, domains) for case in original.cases]
    kinds = dict.fromkeys(case.kind for case in original.cases)
    compared = {sheet: _compared(original, sheet, folder) for sheet in COMPARED}
    n = len(scenarios)
    return Made(
        format=FORMAT,
        title=Words(zh="EQ-Bench 3（原版提示）", en="EQ-Bench 3 (its own prompts)"),
        about=Words(
            zh=f"由 EQ-Bench 3 的提示文件夹导入，共 {n} 个情境。",
            en=f"Imported from a folder of EQ-Bench 3's prompts: {n} scenarios.",
        ),
        language="en",
        licence="MIT (EQ-Bench 3)",
        default_mode="probe",
        modes=_modes(list(kinds)),
        domains=domains.names,
        archetypes={
            kind: (KINDS[kind], "analysis" if kind == "analysis" else MAIN_RUBRIC) for kind in kinds
        },
        red_flags={},
        rubrics=[_rubric(original, sheet, compared[sheet]) for sheet in COMPARED],
        scenarios=scenarios,
        templates=_templates(original, compared),
        contract="marks",
    )


def _scenario(case: Case, original: Prompts, domains: Keys) -> Scenario:
    note = original.notes.get(case.id)
    return Scenario(
        scenario=case.id,
        archetype=case.kind,
        domain=domains.of(case.category),
        title=Words(zh=case.title, en=case.title),
        persona=Persona(user=PERSON),
        turns=case.turns,
        notes={"probe": note, "natural": note} if note else {},
    )


def _modes(kinds: list[str]) -> dict[str, dict[str, Any]]:
    around = {kind: f"{'roleplay' if kind == 'mediation' else kind}.md" for kind in kinds}
    analysis = {kind: file for kind, file in around.items() if kind == "analysis"}
    back = {kind: "debrief.md" for kind in kinds if kind != "analysis"}
    modes: dict[str, dict[str, Any]] = {"probe": {**PROBE, "instructions": around}}
    if back:
        modes["probe"]["closing"] = back
    modes["natural"] = {**NATURAL, "instructions": analysis} if analysis else dict(NATURAL)
    return modes


def _compared(original: Prompts, sheet: str, folder: Path) -> prompts.Comparison:
    text = ANALYSED.sub("", original.texts[COMPARED[sheet]])
    for side in "AB":
        text = text.replace(f"{{response_{side}}}", f"{{conversation_history_{side}}}")
    found = prompts.comparison(text, CODES)
    if not found.asked:
        raise ConfigError(
            "{path}: its numbered criteria do not go with the keys of its reply",
            path=folder / COMPARED[sheet],
        )
    return found


def _rubric(original: Prompts, sheet: str, compared: prompts.Comparison) -> Rubric:
    main = sheet == MAIN_RUBRIC
    return Rubric(
        rubric=sheet,
        name=Words(zh="原版评分表", en="The original's scoring sheet"),
        scale=SCALE,
        criteria=tuple(
            _criterion(key, counts=not main or key in original.counts)
            for key in original.criteria[sheet]
        ),
        compare=tuple(
            CompareCriterion(criterion=key, name=_spelled(key), question=question)
            for key, question in compared.asked.items()
        ),
    )


def _criterion(key: str, *, counts: bool) -> Criterion:
    return Criterion(
        criterion=key,
        name=_spelled(key),
        question=_spelled(key).en,
        direction="higher" if counts else "neutral",
        counts=counts,
    )


def _spelled(key: str) -> Words:
    text = key.replace("_", " ").capitalize()
    return Words(zh=text, en=text)


def _templates(original: Prompts, compared: dict[str, prompts.Comparison]) -> dict[str, str]:
    shown = {f"{kind}.md": prompts.instruction(original.texts[f]) for kind, f in SHOWN.items()}
    main, analysis = (original.texts[SCORED[sheet]] for sheet in ("main", "analysis"))
    own = _own(original.criteria["analysis"], original.criteria["main"])
    asked = _own(tuple(compared["analysis"].asked), tuple(compared["main"].asked))
    return {
        **shown,
        "debrief.md": original.texts[DEBRIEF],
        "rubric.j2": prompts.sheets(probe=main, natural=main, analysis=analysis, only_analysis=own),
        "pairwise.j2": (
            f"{{% if '{asked}' in criteria | map(attribute='key') | list %}}\n"
            f"{compared['analysis'].template}"
            "{% else %}\n"
            f"{compared['main'].template}"
            "{% endif %}\n"
        ),
    }


def _own(keys: tuple[str, ...], others: tuple[str, ...]) -> str:
    """The first key that the other sheet does not have."""
    return next((key for key in keys if key not in others), keys[0])
