"""Sentences for people: the same keys and places in both languages."""

import ast
import inspect
import json
import re
import string
import unicodedata
from pathlib import Path

import pytest

from arena import errors
from arena.cli.words import LANGS, choose_lang, say, translate, words

PACKAGE = Path(__file__).parents[2] / "arena"
FOLDERS = ["cli", "serving", "site"]
MODULES = sorted(PACKAGE.rglob("*.py"))
ERRORS = {
    name
    for name, found in inspect.getmembers(errors, inspect.isclass)
    if issubclass(found, errors.ArenaError)
}


def table(folder, lang):
    def once(pairs):
        keys = [key for key, _ in pairs]
        assert len(keys) == len(set(keys)), [k for k in keys if keys.count(k) > 1]
        return dict(pairs)

    path = PACKAGE / folder / "words" / f"{lang}.json"
    return json.loads(path.read_text(encoding="utf-8"), object_pairs_hook=once)


def chinese_errors():
    path = PACKAGE / "cli" / "words" / "errors.zh.json"
    return json.loads(path.read_text(encoding="utf-8"))


def templates_in(node):
    """The texts that an expression may be: None for one that is put together in the code."""
    if isinstance(node, ast.Constant):
        yield node.value
    elif isinstance(node, ast.IfExp):
        yield from templates_in(node.body)
        yield from templates_in(node.orelse)
    elif isinstance(node, ast.JoinedStr):
        yield None


def raised():
    """(place, template) of every line of every error of ours that is made somewhere."""
    found = []
    for path in MODULES:
        for call in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not (isinstance(call, ast.Call) and getattr(call.func, "id", "") in ERRORS):
                continue
            lines = [*call.args[:1], *(k.value for k in call.keywords if k.arg in ("why", "fix"))]
            place = f"{path.relative_to(PACKAGE).as_posix()}:{call.lineno}"
            found += [(place, text) for line in lines for text in templates_in(line)]
    assert len(found) > 50
    return found


def places(text):
    """Names of the places in a sentence."""
    return {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}


@pytest.mark.parametrize("folder", FOLDERS)
def test_both_languages_have_the_same_keys(folder):
    zh, en = (set(table(folder, lang)) for lang in LANGS)
    assert zh ^ en == set()
    assert zh


@pytest.mark.parametrize("folder", FOLDERS)
def test_both_languages_fill_in_the_same_facts(folder):
    zh, en = (table(folder, lang) for lang in LANGS)
    assert {k: (places(zh[k]), places(en[k])) for k in en if places(zh[k]) != places(en[k])} == {}


@pytest.mark.parametrize("folder", FOLDERS)
@pytest.mark.parametrize("lang", LANGS)
def test_a_sentence_says_something_in_both_languages_or_in_none(folder, lang):
    other = table(folder, "en" if lang == "zh" else "zh")
    for key, text in table(folder, lang).items():
        assert bool(text) == bool(other.get(key)), key
        assert unicodedata.is_normalized("NFC", text), key
        assert not re.search(r"[\x00-\x09\x0b-\x1f\ufeff\ufffd]", text), key


@pytest.mark.parametrize("folder", FOLDERS)
def test_chinese_is_chinese(folder):
    zh = table(folder, "zh")
    chinese = [k for k, text in zh.items() if re.search(r"[\u4e00-\u9fff]", text)]
    assert len(chinese) > 0.8 * len(zh)
    en = table(folder, "en")
    names = r"[\u4e00-\u9fff]"
    stray = {k: t for k, t in en.items() if re.search(names, t) and "中文" not in t}
    assert stray == {}


def test_a_translated_error_keeps_the_facts_of_its_template():
    for template, chinese in chinese_errors().items():
        assert places(chinese) <= places(template), template
        assert chinese, template


def test_every_translated_error_is_one_that_is_raised():
    said = {text for _, text in raised() if text is not None}
    code = "".join(re.sub(r'"\s*\n\s*f?"', "", p.read_text(encoding="utf-8")) for p in MODULES)
    # A complaint about a value is put behind its place.
    tails = {t: t.removeprefix("{place}: ") for t in chinese_errors()}
    unused = [t for t, tail in tails.items() if t not in said and f'"{tail}"' not in code]
    assert unused == []


def test_every_error_can_be_said_in_chinese():
    missing = {text for _, text in raised() if text and text not in chinese_errors()}
    assert missing == set()


def test_every_error_is_a_template_with_facts_and_no_ready_made_sentence():
    # A sentence that is put together in the code has no Chinese to be found by it.
    assert [place for place, text in raised() if text is None] == []


def test_every_key_of_the_command_line_that_is_said_exists():
    code = "".join(p.read_text(encoding="utf-8") for p in sorted((PACKAGE / "cli").rglob("*.py")))
    said = set(re.findall(r'\bsay\(\s*[\w.]+,\s*"([\w.]+)"', code))
    assert said
    assert said - set(words("en")) == set()


@pytest.mark.parametrize("lang", LANGS)
def test_an_unknown_key_is_an_error_and_not_an_empty_sentence(lang):
    with pytest.raises(KeyError):
        say(lang, "no such key")


def test_an_untranslated_error_is_said_in_english():
    assert translate("zh", "no such {thing}", {"thing": "x"}) == "no such x"
    assert translate("en", "{literal}", {}) == "{literal}"


@pytest.mark.parametrize(
    ("asked", "environ", "lang"),
    [
        ("zh", {}, "zh"),
        ("en", {"ARENA_LANG": "zh"}, "en"),
        (None, {"ARENA_LANG": "zh-CN"}, "zh"),
        (None, {"LANG": "zh_CN.UTF-8"}, "zh"),
        (None, {"LC_ALL": "C", "LANG": "zh_CN.UTF-8"}, "en"),
        (None, {"LANG": "de_DE.UTF-8"}, "en"),
        (None, {"LANG": "C"}, "en"),
    ],
)
def test_the_language_is_asked_for_or_that_of_the_machine(monkeypatch, asked, environ, lang):
    for name in ("ARENA_LANG", "LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environ.items():
        monkeypatch.setenv(name, value)
    assert choose_lang(asked) == lang
