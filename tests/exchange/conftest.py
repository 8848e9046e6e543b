"""What judges are asked about an imported suite, and what readers make of small folders."""

import pytest

from arena.domain.agent import Judge
from arena.domain.call import Message
from arena.domain.transcript import Transcript, TranscriptSpec
from arena.exchange.format import ReadHow
from arena.exchange.formats import FORMATS
from arena.exchange.original_folder import contents_of
from arena.exchange.suite_folder import write_folder
from arena.judging.prompt import pairwise_prompt, rubric_prompt
from arena.suites.load import load_suite
from tests.support import foreign_texts as theirs

READER = Judge(judge="reader", vendor="arena", model="none")


def played(suite, scenario, mode, agent):
    messages = []
    for n, turn in enumerate(suite.user_turns(scenario, mode)):
        messages += [Message("user", turn), Message("assistant", f"{agent} 第{n}次回话")]
    spec = TranscriptSpec(
        suite=suite.suite,
        shown="",
        mode=mode,
        agent=agent,
        agent_digest="",
        scenario=scenario.scenario,
    )
    return Transcript(spec=spec, messages=tuple(messages), calls=(), at="")


def asked(suite, scenario, mode, use):
    about = {"suite": suite, "scenario": scenario, "mode": mode, "judge": READER}
    first, second = (played(suite, scenario, mode, agent) for agent in "甲乙")
    if use == "rubric":
        prompt, contract = rubric_prompt(**about, transcript=first, key="k", seed=0)
    else:
        prompt, contract = pairwise_prompt(**about, first=first, second=second, key="k", seed=0)
    return prompt.messages[0].text, contract


@pytest.fixture(scope="session")
def ask():
    """ask(suite, scenario, mode, use) → the prompt's text and its contract."""
    return asked


@pytest.fixture(scope="module")
def suites(tmp_path_factory):
    """suites(format) → the suite of the small folder of it."""
    place = tmp_path_factory.mktemp("suites")
    made = {}

    def of(name, folder=None):
        key = str(folder or name)
        if key not in made:
            source = folder or theirs.WRITERS[name](place / name)
            target = place / f"made-{len(made)}"
            found = FORMATS[name].suite.read(source).made
            write_folder(target, contents_of(found, target.name, "x"))
            made[key] = load_suite(target)
        return made[key]

    return of


@pytest.fixture
def read(suites):
    """read(format, path) → what its reader makes of a file or folder."""

    def done(name, path, **how):
        return FORMATS[name].results.read(path, suites(name), ReadHow(**how))

    return done
