"""The examples of the documentation can be used as they stand, in both languages."""

import io
import re
from pathlib import Path

import pytest
from ruamel.yaml import YAML

from arena.cli.words import LANGS
from arena.domain.agent import Agent

ROOT = Path(__file__).parents[2]
BLOCK = re.compile(r"```yaml\n(.*?)```", re.DOTALL)
PAGES = {"en": ROOT / "data" / "agents.md", "zh": ROOT / "data" / "agents.zh.md"}


def agents_in(text):
    found = YAML(typ="safe", pure=True).load(io.StringIO(text))["agents"]
    return [Agent.model_validate(one) for one in found]


def examples(lang):
    return [a for block in BLOCK.findall(PAGES[lang].read_text("utf-8")) for a in agents_in(block)]


@pytest.mark.parametrize("lang", LANGS)
def test_every_example_of_the_page_is_an_agent(lang):
    found = examples(lang)
    assert {a.route.split("/")[0] for a in found} == {"http", "command", "replay", "by_hand"}
    assert len(found) == 7


def test_both_pages_show_the_same_but_for_their_words():
    en, zh = examples("en"), examples("zh")
    for one, other in zip(en, zh, strict=True):
        said = [a.model_dump(mode="json", exclude={"name"}) for a in (one, other)]
        for block in (s["http"] or {} for s in said):
            (block.get("welcome") or {}).pop("say", None)
        assert said[0] == said[1]


@pytest.mark.parametrize("lang", LANGS)
def test_the_starter_s_comments_are_agents(lang):
    text = (ROOT / "arena" / "cli" / "starter" / lang / "arena.yaml").read_text("utf-8")
    part = re.split(r"A product with a web|有自己网址的产品", text)[1].split("\njudges:")[0]
    lines = [re.sub(r"^  # ?", "  ", line) for line in part.splitlines()[1:]]
    kept = [line for line in lines if re.match(r"  (- agent:|  )", line)]
    found = agents_in("agents:\n" + "\n".join(kept))
    assert [a.agent for a in found] == ["homebot", "mybot", "oldbot", "speaker"]
