"""Names and replies meant to do harm are names and replies, and nothing more."""

from html.parser import HTMLParser

import pytest

from tests.e2e.conftest import agent, fair, judge
from tests.support.llm_server import ServerThread

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
    from tests.e2e.conftest import Workspace

    above = tmp_path_factory.mktemp("names")
    workspace = Workspace(above / "one" / "two" / "workspace")
    with ServerThread(answer=fair, answer_schemas=True) as server:
        workspace.write_suite(scenarios=1)
        agents = [agent(name, server.url, model="hostile") for name in NAMES]
        workspace.configure(agents, [judge("../judge", server.url)])
        ran = workspace.run("run", "--yes")
    assert ran.code == 0, str(ran)
    return above, workspace, ran


def test_nothing_is_written_outside_the_workspace(published):
    above, workspace, _ = published
    outside = [p for p in above.rglob("*") if p.is_file() and workspace.root not in p.parents]
    assert outside == []
    assert sorted(p.name for p in workspace.root.iterdir()) == ["data", "leaderboard", "results"]


def test_every_page_has_a_plain_name_of_its_own(published):
    _, workspace, _ = published
    names = [str(p.relative_to(workspace.leaderboard)) for p in workspace.leaderboard.rglob("*")]
    assert len(names) > 8
    assert all(name.isascii() and name == name.lower() for name in names)


def test_every_agent_is_on_the_board_under_its_own_name(published):
    _, workspace, _ = published
    agents = {row[0] for row in workspace.rows("select distinct agent from transcript")}
    assert agents == set(NAMES)


def test_replies_make_no_element_and_no_hidden_character_in_any_page(published):
    _, workspace, _ = published
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


def test_what_speaks_to_the_judge_is_flagged(published):
    _, workspace, _ = published
    flags = workspace.rows("select distinct flags from verdict")
    assert all("possible_injection" in flag for (flag,) in flags)


def test_the_terminal_shows_no_control_character(published):
    _, workspace, ran = published
    said = ran.out + ran.err + workspace.run("rank").out
    assert not set(said) & set("\u202e\u200b\x1b")
