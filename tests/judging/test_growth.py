"""What a plain suite asks its judges keeps its keys, whatever suites may ask since."""

import pytest

from arena.domain.plan import plan_transcripts
from arena.judging.planning import plan_presentations, plan_sheets
from arena.judging.wording import wording

# Made before rubrics could ask for more than a number a criterion. They stand in people's
# databases: a change here asks every judge again for everything.
KNOWN = {
    "en": {
        "suite": "b743031cd64caf10e053fe5995f49f7f",
        "shown": "0700f799ff813b6dae05676aee0e5001",
        "template": "3a271f24ef1098e0cb2f166f0cbe79c5",
        "rubric": "d105cad135fac97a77b0818a60375e90",
        "notes": "469fded76d9700b0872e02a5ab7613fa",
        "sheet": "ce4743a4c5a4e70bc79c2c3e82a654fb",
        "verdict": "5507362e0a301eeede58a33e99415df6",
    },
    "zh": {
        "suite": "b743031cd64caf10e053fe5995f49f7f",
        "shown": "0700f799ff813b6dae05676aee0e5001",
        "template": "e21f47026a6a670e52cd0ef9e486085c",
        "rubric": "d105cad135fac97a77b0818a60375e90",
        "notes": "469fded76d9700b0872e02a5ab7613fa",
        "sheet": "b7b6fd423b5aaf4f31121d129a63d5f5",
        "verdict": "9a9f40122cd1ea0a63df84d0f1570a91",
    },
}


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_digests_and_keys_of_a_plain_suite_stay_what_they_were(make, lang):
    suite, judge = make.suite(language=lang), make.judge()
    scenario, agents = suite.scenarios[0], [make.agent("x"), make.agent("y")]
    told = wording(suite=suite, scenario=scenario, mode="natural", judge=judge, use="rubric")
    common = {
        "suite": suite,
        "mode": "natural",
        "transcripts": plan_transcripts(suite, "natural", agents, replicates=1),
        "judges": [judge],
        "agents": agents,
        "guard": "exclude",
    }
    assert {
        "suite": suite.digest(),
        "shown": suite.shown_digest(scenario, "natural"),
        "template": told.template,
        "rubric": told.rubric,
        "notes": told.notes,
        "sheet": plan_sheets(**common).items[0].key,
        "verdict": plan_presentations(**common).items[0].key,
    } == KNOWN[lang]
