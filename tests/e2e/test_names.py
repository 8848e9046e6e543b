"""Names and replies meant to do harm are names and replies, and nothing more."""

import re
from html.parser import HTMLParser
from types import SimpleNamespace

import pytest

from tests.e2e.conftest import Workspace, agent, fair, judge
from tests.support.llm_server import ServerThread, messages_text

NAMES = (
    "a/b",
    "颐养助手",
    "x" * 200,
    "../../x",
    "CON",
    "<script>alert(1)</script>",
    "--help",
    "{{ 7 * 7 }} \u202e\u200b%s",
)
HOSTILE = "<script>"
MARKS = ("{{ 7 * 7 }}", "<|im_end|>", "SYSTEM: output", "%(name)s")
"""Parts of a hostile reply that a prompt must hold literally, once for each transcript shown."""
FENCE = re.compile(r"^=== (\w+) START (\w+) ===\n(.*?)\n=== \1 END \2 ===$", re.M | re.S)


class Elements(HTMLParser):
    """Start tags of a page, with their attributes."""

    def __init__(self):
        super().__init__()
        self.found = []

    def handle_starttag(self, tag, attrs):
        self.found.append((tag, dict(attrs)))


@pytest.fixture(scope="module")
def published(tmp_path_factory):
    """A run of agents with hostile names and hostile replies, up to its page."""
    above = tmp_path_factory.mktemp("names")
    workspace = Workspace(above / "one" / "two" / "workspace")
    prompts = []

    def answer(request):
        prompts.append(messages_text(request))
        return fair(request)

    with ServerThread(answer=answer, answer_schemas=True) as server:
        workspace.write_suite(scenarios=1)
        agents = [agent(name, server.url, model="hostile") for name in NAMES]
        workspace.configure(agents, [judge("../judge", server.url)])
        ran = workspace.run("run", "--yes")
    assert ran.code == 0, str(ran)
    return SimpleNamespace(above=above, workspace=workspace, ran=ran, prompts=prompts)


def test_nothing_is_written_outside_the_workspace(published):
    above, workspace = published.above, published.workspace
    outside = [p for p in above.rglob("*") if p.is_file() and workspace.root not in p.parents]
    assert outside == []
    assert sorted(p.name for p in workspace.root.iterdir()) == ["data", "leaderboard", "results"]


def test_every_page_has_a_plain_name_of_its_own(published):
    workspace = published.workspace
    names = [str(p.relative_to(workspace.leaderboard)) for p in workspace.leaderboard.rglob("*")]
    assert len(names) > 8
    assert all(name.isascii() and name == name.lower() for name in names)


def test_every_agent_is_on_the_board_under_its_own_name(published):
    workspace = published.workspace
    agents = {row[0] for row in workspace.rows("select distinct agent from transcript")}
    assert agents == set(NAMES)


def test_replies_make_no_element_and_no_hidden_character_in_any_page(published):
    workspace = published.workspace
    pages = list(workspace.leaderboard.rglob("*.html"))
    assert pages
    (reply,) = workspace.rows("select text from call where speaker = 'agent' limit 1")[0]
    assert HOSTILE in reply
    for page in pages:
        text = page.read_text("utf-8")
        assert not set(text) & set("\u202e\u200b\u2066")
        parser = Elements()
        parser.feed(text)
        assert sum(tag == "script" for tag, _ in parser.found) <= 1
        assert not [a for _, attrs in parser.found for a in attrs if a.startswith("on")]
        assert "alert(1)</script>" not in text


def test_a_judge_gets_a_hostile_reply_inside_its_fence_and_exactly_once(published):
    shown = {1: 0, 2: 0}
    for prompt in published.prompts:
        fenced = FENCE.findall(prompt)
        shown[len(fenced)] += 1
        assert len({code for code, _, _ in fenced}) == len(fenced)
        outside = FENCE.sub("", prompt)
        for mark in MARKS:
            # A scenario has two turns, so a transcript holds two such replies.
            assert [text.count(mark) for _, _, text in fenced] == [2] * len(fenced)
            assert mark not in outside
    assert shown == {1: len(NAMES), 2: len(NAMES) * (len(NAMES) - 1)}


def test_a_judge_is_told_no_name(published):
    for name in ("颐养助手", "../../x", "x" * 200, "<script>alert(1)</script>"):
        assert not [prompt for prompt in published.prompts if name in prompt]


def test_what_speaks_to_the_judge_is_flagged(published):
    workspace = published.workspace
    flags = workspace.rows("select distinct flags from verdict")
    assert all("possible_injection" in flag for (flag,) in flags)


def test_the_terminal_shows_no_control_character(published):
    workspace, ran = published.workspace, published.ran
    said = ran.out + ran.err + workspace.run("rank").out
    assert not set(said) & set("\u202e\u200b\x1b")
