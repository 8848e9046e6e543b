"""doctor: a suite's folder, checked before anybody pays for it.

Reads the folder alone; writes nothing and asks nobody.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, get_args

from arena.domain.agent import Judge
from arena.domain.call import Message
from arena.domain.script import Script
from arena.domain.suite import Scenario, Suite
from arena.domain.tokens import USUAL_REPLY, estimate_prompt
from arena.domain.transcript import Transcript, TranscriptSpec
from arena.errors import ConfigError
from arena.judging.commentary import commentary_prompt
from arena.judging.prompt import Prompt, pairwise_prompt, rubric_prompt
from arena.maths.intervals import LEVEL
from arena.maths.means import wilson
from arena.suites.advice import advise, advise_script
from arena.suites.load import check_suite, load_script
from arena.suites.mistakes import Mistakes, every
from arena.suites.saving import saving_notes

READER = Judge(judge="doctor", vendor="arena", model="none")
"""Stands for a judge that may be sent a prompt of any length."""
Asked = Literal["rubric", "pairwise", "commentary"]
"""What judges of a suite are asked; commentary only where the suite takes it."""
Use = Literal["agent"] | Asked
"""Whom a prompt is for, or what for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Longest:
    """The longest prompt of a use: estimated tokens, and where it is asked.

    An agent's is counted without its system prompt.
    """

    use: Use
    tokens: int
    scenario: str
    mode: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Contents:
    """What is in a suite that can be loaded.

    `domains` and `archetypes` count scenarios by key; `flagged`: scenarios with a red flag, None
    where the suite lists no kind of them, and `interval` is Wilson's for their share, at `level`.
    """

    suite: str
    version: str
    scenarios: int
    turns: int
    domains: Mapping[str, int]
    archetypes: Mapping[str, int]
    flagged: int | None
    interval: tuple[float, float] | None
    level: float
    prompts: tuple[Longest, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """What a check found. `contents` is None where the suite cannot be loaded."""

    folder: Path
    errors: tuple[ConfigError, ...]
    warnings: tuple[ConfigError, ...]
    contents: Contents | None

    @property
    def sound(self) -> bool:
        """Whether the suite can be used."""
        return not self.errors


def examine(folder: Path) -> Report:
    """Everything that can be said of a suite's folder; raises nothing for what is wrong in it."""
    mistakes, warnings = Mistakes(), list(saving_notes(folder))
    checked = check_suite(folder)
    mistakes.add(checked.mistakes)
    script = None
    scripted = folder / "scripted.yaml"
    if scripted.is_file():
        script = mistakes.note(lambda: load_script(folder))
    else:
        warnings.append(
            ConfigError(
                "{path}: not there",
                fix="Without it the suite cannot be played offline by scripted agents.",
                path=scripted,
            )
        )
    contents = None
    if suite := checked.suite:
        # The answer key is no judge: nothing is asked of it, and no note is missing.
        judged = suite.choice is None
        if judged:
            warnings += advise(folder, suite, checked.lines, checked.files)
        if isinstance(script, Script):
            warnings += advise_script(scripted, script, suite)
        prompts = _longest_prompts(folder, suite, mistakes) if judged else ()
        contents = _contents(suite, (longest_turn(suite, suite.modes), *prompts))
    return Report(
        folder=folder,
        errors=every(mistakes.found),
        warnings=tuple(warnings),
        contents=contents,
    )


def _contents(suite: Suite, prompts: tuple[Longest, ...]) -> Contents:
    flagged = sum(bool(s.red_flags) for s in suite.scenarios) if suite.red_flags else None
    domains = Counter(s.domain for s in suite.scenarios)
    archetypes = Counter(s.archetype for s in suite.scenarios)
    return Contents(
        suite=suite.suite,
        version=suite.version,
        scenarios=len(suite.scenarios),
        turns=sum(len(s.turns) for s in suite.scenarios),
        domains={d.domain: domains[d.domain] for d in suite.domains},
        archetypes={a.archetype: archetypes[a.archetype] for a in suite.archetypes},
        flagged=flagged,
        interval=None if flagged is None else wilson(flagged, len(suite.scenarios)),
        level=LEVEL,
        prompts=prompts,
    )


def longest_turn(suite: Suite, modes: Iterable[str]) -> Longest:
    """The longest prompt that an agent is sent in some modes: all that was said, to the last turn.

    Its own system prompt comes on top.
    """
    return max(
        (
            Longest(
                use="agent",
                tokens=estimate_prompt(_played(suite, scenario, mode, "a").messages[:-1]),
                scenario=scenario.scenario,
                mode=mode,
            )
            for mode in modes
            for scenario in suite.scenarios
        ),
        key=lambda one: one.tokens,
    )


def _longest_prompts(folder: Path, suite: Suite, mistakes: Mistakes) -> tuple[Longest, ...]:
    """Render every prompt once; a template that cannot be rendered is noted once."""
    found = []
    uses = [use for use in get_args(Asked) if use != "commentary" or suite.commentary]
    for use in uses:
        longest = mistakes.note(lambda use=use: _longest(folder, suite, use))  # type: ignore[misc]
        if longest is not None:
            found.append(longest)
    return tuple(found)


def _longest(folder: Path, suite: Suite, use: Asked) -> Longest:
    try:
        return max(
            (
                Longest(
                    use=use,
                    tokens=estimate_prompt(_prompt(suite, scenario, mode, use).messages),
                    scenario=scenario.scenario,
                    mode=mode,
                )
                for mode in suite.modes
                for scenario in suite.scenarios
            ),
            key=lambda one: one.tokens,
        )
    except ConfigError as error:
        # A judge's prompt names the template by its suite; here it has a place on the disk.
        where = {"template": folder / "templates" / f"{use}.j2"}
        raise ConfigError(
            error.what, why=error.why, fix=error.fix, **{**error.facts, **where}
        ) from None


def _prompt(suite: Suite, scenario: Scenario, mode: str, use: Asked) -> Prompt:
    first, second = (_played(suite, scenario, mode, agent) for agent in "ab")
    if use == "rubric":
        return rubric_prompt(
            suite=suite,
            scenario=scenario,
            mode=mode,
            transcript=first,
            judge=READER,
            key=scenario.scenario,
            seed=0,
        )[0]
    if use == "commentary":
        return commentary_prompt(
            suite=suite,
            scenario=scenario,
            mode=mode,
            transcript=first,
            sheets=(),
            judge=READER,
            key=scenario.scenario,
            seed=0,
        )[0]
    return pairwise_prompt(
        suite=suite,
        scenario=scenario,
        mode=mode,
        first=first,
        second=second,
        judge=READER,
        key=scenario.scenario,
        seed=0,
    )[0]


def _played(suite: Suite, scenario: Scenario, mode: str, agent: str) -> Transcript:
    """A transcript with replies of usual length."""
    reply = f"{agent} " + ("字" if suite.language == "zh" else "word ") * USUAL_REPLY
    messages: list[Message] = []
    for turn in suite.user_turns(scenario, mode):
        messages += [Message("user", turn), Message("assistant", reply)]
    spec = TranscriptSpec(
        suite=suite.suite,
        shown="",
        mode=mode,
        agent=agent,
        agent_digest="",
        scenario=scenario.scenario,
    )
    return Transcript(spec=spec, messages=tuple(messages), calls=(), at="")
