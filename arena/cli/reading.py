"""A reply read from stdin, and how it is understood, as one document."""

import json
import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from arena.cli.doctoring import find_folder
from arena.cli.words import Lang
from arena.domain.suite import CompareCriterion, Criterion, Rubric, Suite
from arena.domain.words import Words
from arena.errors import UsageError
from arena.judging import neutral
from arena.judging.contracts import CONTRACTS
from arena.judging.explain import Explained, explain_choice, explain_pairwise, explain_rubric
from arena.judging.rubric import RubricContract
from arena.judging.sheet import SheetContract
from arena.suites.load import load_suite

SCHEMA = "arena.reading/1"
KINDS = ("pairwise", "rubric", "choice", "forced", "marks")
FINISHED = ("stop", "length", "content_filter")
USUAL = (1.0, 5.0)
"""The scale of a criterion that is given without one."""
_NUMBER = r"-?\d{1,9}(?:\.\d{1,9})?"
_CRITERION = re.compile(
    rf"(?P<key>[a-z][a-z0-9_]{{0,63}})(?::(?P<low>{_NUMBER})-(?P<high>{_NUMBER}))?"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What the options ask for."""

    contract: str
    suite: str | None
    criteria: tuple[str, ...]
    round: int
    finish_reason: str | None
    codes: tuple[str, ...]
    project: Path | None
    lang: Lang


def read_stdin() -> str:
    """The reply: UTF-8, whatever else it is; a byte that is not becomes U+FFFD."""
    return sys.stdin.buffer.read().decode("utf-8-sig", "replace")


def explain(asked: Asked, reply: str) -> dict[str, Any]:
    """The document; raises UsageError or ConfigError for what the options cannot mean."""
    known(asked.contract, KINDS, "--contract")
    if asked.finish_reason is not None:
        known(asked.finish_reason, FINISHED, "--finish-reason")
    suite = _suite(asked)
    contract = asked.contract
    if suite is not None and contract == "pairwise":
        contract = suite.contract
    found = _read(asked, contract, suite, reply)
    return {
        "schema": SCHEMA,
        "contract": contract,
        "suite": suite.suite if suite else None,
        "finish_reason": asked.finish_reason,
        **_document(found),
    }


def known(name: str, names: Sequence[str], option: str) -> None:
    """Raise UsageError for a name that is not one of some."""
    if name not in names:
        raise UsageError(
            "{option}: {name} is none of them",
            fix="There are: {names}.",
            option=option,
            name=name,
            names=", ".join(names),
        )


def _read(asked: Asked, contract: str, suite: Suite | None, reply: str) -> Explained:
    if contract == "choice":
        return explain_choice(reply, asked.finish_reason, asked.lang)
    if contract == "rubric":
        return explain_rubric(_sheet(asked, suite), reply, asked.finish_reason)
    kind = next(kind for name, kind in CONTRACTS.items() if name == contract)
    pair = kind(
        criteria=_compared(asked, suite),
        codes=_codes(asked.codes) or neutral.CODES,
        lang=asked.lang,
        aliases=((), ()) if asked.codes else neutral.ALIASES,
    )
    return explain_pairwise(pair, reply, asked.finish_reason)


def _codes(given: Sequence[str]) -> tuple[str, str] | None:
    """The blind names that a judge was given; raises UsageError unless there are two or none."""
    if not given:
        return None
    if len(given) != 2 or given[0] == given[1]:
        raise UsageError("--code: two different ones are needed, first shown first")
    return given[0], given[1]


def _document(found: Explained) -> dict[str, Any]:
    criteria = found.criteria
    return {
        "status": found.status.value,
        "outcome": found.outcome,
        "margin": found.margin,
        "criteria": criteria
        and {key: {"side": side, "strength": by} for key, (side, by) in criteria.items()},
        "scores": None if found.scores is None else dict(found.scores),
        "flags": list(found.flags),
        "complaint": found.complaint,
    }


def _suite(asked: Asked) -> Suite | None:
    """The suite that was named; raises UsageError where it does not go with the rest."""
    if asked.suite is None:
        return None
    suite = load_suite(find_folder(asked.suite, asked.project))
    if (suite.choice is not None) != (asked.contract == "choice"):
        raise UsageError(
            "suite {suite} is not read by the contract {contract}",
            fix="Multiple choice goes with --contract choice, and nothing else does.",
            suite=suite.suite,
            contract=asked.contract,
        )
    return suite


def _sheet(asked: Asked, suite: Suite | None) -> RubricContract:
    if suite is None:
        rubric = _own_rubric(asked)
        return RubricContract(rubric=rubric, criteria=rubric.criteria, lang=asked.lang)
    keys = [key for key, _ in _criteria(asked.criteria)]
    rubric, criteria = _rubric_with(suite, keys)
    if rubric.plain:
        return RubricContract(rubric=rubric, criteria=criteria, lang=asked.lang)
    return SheetContract(
        rubric=rubric,
        criteria=criteria,
        lang=asked.lang,
        scope="turn" if asked.round else "transcript",
        round=asked.round,
    )


def _rubric_with(suite: Suite, keys: Sequence[str]) -> tuple[Rubric, tuple[Criterion, ...]]:
    """The sheet `main`, or the first that has all the criteria named, and those."""
    main_first = sorted(suite.rubrics, key=lambda name: name != "main")
    for name in main_first:
        rubric = suite.rubrics[name]
        own = {c.criterion: c for c in rubric.criteria}
        if set(keys) <= set(own):
            return rubric, tuple(own[k] for k in keys) or rubric.criteria
    raise _no_sheet(suite, keys)


def _compared(asked: Asked, suite: Suite | None) -> tuple[CompareCriterion, ...]:
    keys = [key for key, _ in _criteria(asked.criteria)]
    if suite is None:
        return tuple(_plain(key) for key in keys)
    for name in sorted(suite.rubrics, key=lambda name: name != "main"):
        own = {c.criterion: c for c in suite.rubrics[name].compare_criteria()}
        if set(keys) <= set(own):
            return tuple(own[k] for k in keys) or tuple(own.values())
    raise _no_sheet(suite, keys)


def _no_sheet(suite: Suite, keys: Sequence[str]) -> UsageError:
    return UsageError(
        "no sheet of {suite} has all of: {keys}",
        fix="Leave --criterion away for the criteria of the suite.",
        suite=suite.suite,
        keys=", ".join(keys),
    )


def _plain(key: str) -> CompareCriterion:
    return CompareCriterion(criterion=key, name=Words(zh=key, en=key), question=key)


def _own_rubric(asked: Asked) -> Rubric:
    criteria = _criteria(asked.criteria)
    if not criteria:
        raise UsageError(
            "a scoring sheet needs its criteria",
            fix="Name them, like --criterion empathy:1-5, or a suite with --suite NAME.",
        )
    return Rubric(
        rubric="main",
        name=Words(zh="sheet", en="sheet"),
        scale=USUAL,
        criteria=tuple(
            Criterion(criterion=key, name=Words(zh=key, en=key), question=key, scale=scale)
            for key, scale in criteria
        ),
        compare=(criteria[0][0],),
    )


def _criteria(given: Sequence[str]) -> list[tuple[str, tuple[float, float]]]:
    """Key and scale of each criterion asked for; raises UsageError."""
    found: dict[str, tuple[float, float]] = {}
    for text in given:
        match = _CRITERION.fullmatch(text)
        scale = USUAL
        if match and match["low"]:
            scale = (float(match["low"]), float(match["high"]))
        if match is None or not scale[0] < scale[1] or match["key"] in found:
            raise UsageError(
                "--criterion: {text} is no criterion, or stands twice",
                fix="A key of small letters, digits and _, with its scale: empathy:1-5",
                text=json.dumps(text, ensure_ascii=False),
            )
        found[match["key"]] = scale
    return list(found.items())
