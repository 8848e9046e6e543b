"""Digests of what a judge is told beside the transcripts: part of the keys of scores and verdicts.

Each digest covers one kind of change, so that mending the note of one scenario asks again only
about that scenario.
"""

from arena.domain.agent import Judge, Use
from arena.domain.digest import digest
from arena.domain.sheet_parts import Scope
from arena.domain.suite import Scenario, Suite
from arena.domain.verdict import Wording
from arena.judging import rubric, sheet
from arena.judging.contracts import CONTRACTS, pairwise_template
from arena.judging.cutting import cut_rule
from arena.judging.facts import compare_facts, rubric_facts, scenario_facts
from arena.judging.flag_phrases import FLAGS
from arena.judging.phrases import DIALOGUE, RUBRIC
from arena.judging.render import Kind, template_text
from arena.judging.sheet_phrases import SHEET


def wording(
    *,
    suite: Suite,
    scenario: Scenario,
    mode: str,
    judge: Judge,
    use: Use,
    scope: Scope = "transcript",
) -> Wording:
    """What a judge is told of a scenario in a mode, as digests; `scope` is of a scoring sheet.

    `template`: the template, the shape of the reply, the words of its instruction. `rubric`: the
    criteria that apply, with scale and anchors. `notes`: all that is told of the scenario.
    `cut`: the name of the rule for transcripts that are too long.
    """
    lang = suite.language
    template: Kind
    if use == "rubric":
        shape, say, template = rubric.SHAPE, RUBRIC[lang], "rubric"
        asked = rubric_facts(suite, scenario, mode, scope)
        if not suite.rubric_of(scenario).plain:
            # The shape of a plain sheet must not change with what other sheets may hold.
            shape, say, template = sheet.SHAPE, {**say, **SHEET[lang]}, "sheet"
        if suite.rubric_of(scenario).red_flags:
            # Only sheets that ask for red flags are worded by these.
            say = {**say, **FLAGS[lang]}
    else:
        contract = CONTRACTS[suite.contract]
        shape, say, template = contract.shape, contract.words(lang), pairwise_template(suite)
        asked = compare_facts(suite, scenario)
    return Wording(
        template=digest([shape, template_text(suite, template), dict(say), dict(DIALOGUE[lang])]),
        rubric=digest(asked),
        notes=digest(scenario_facts(suite, scenario, mode)),
        cut=cut_rule(judge),
    )
