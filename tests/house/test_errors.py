"""Every error can be said in Chinese, with the same facts."""

import ast
import json
import re
from pathlib import Path

import arena
from arena import errors
from arena.cli import misuse
from arena.suites.complaints import KINDS, RULES, SPELLED

PACKAGE = Path(arena.__file__).parent
NAMES = {
    name
    for name, found in vars(errors).items()
    if isinstance(found, type) and issubclass(found, errors.ArenaError)
}
PLACE = re.compile(r"(?<!\{)\{(\w+)[^}]*\}")
# Complaints of the file reader are put together from a place and one of these.
COMPLAINTS = (
    "{place}: unknown key `{key}`",
    "{place}: `{key}` is missing",
    "{place}: `{key}`: should be a mapping, `key: value`",
    "{place}: `{key}`: {reason}",
    "{place}: {reason}",
    "{place}: `{key}`: {reason}, not {given}",
    *("{place}: " + said for said in (*SPELLED.values(), *KINDS.values(), *RULES)),
    "Did you mean `{near}`?",
    "Known keys here: {near}.",
    # What typer finds wrong is put into these.
    *misuse.TEMPLATES,
)


def spoken(node):
    if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value:
        yield node.value
    elif isinstance(node, ast.IfExp):
        yield from spoken(node.body)
        yield from spoken(node.orelse)
    elif isinstance(node, ast.JoinedStr):
        yield f"f-string: {ast.unparse(node)}"


def raised():
    for path in sorted(PACKAGE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", None) in NAMES:
                parts = node.args[:1] + [k.value for k in node.keywords if k.arg in ("why", "fix")]
                for part in parts:
                    yield from spoken(part)


TEMPLATES = sorted({*raised(), *COMPLAINTS})
CHINESE = json.loads((PACKAGE / "cli/words/errors.zh.json").read_text(encoding="utf-8"))


def test_every_template_of_an_error_has_a_chinese_sentence_and_none_is_left_over():
    assert len(TEMPLATES) > 60
    assert sorted(CHINESE) == TEMPLATES


def test_both_sentences_use_the_same_facts():
    for template, sentence in CHINESE.items():
        assert sorted(PLACE.findall(template)) == sorted(PLACE.findall(sentence)), template
