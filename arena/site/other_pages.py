"""The pages of a leaderboard beside its first and its scenarios: judges, method, agents."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from arena.site.agent_meetings import gather_meetings
from arena.site.agent_page import build_agent
from arena.site.facts import Edition
from arena.site.index_views import IndexView
from arena.site.judges_page import build_judges_page, has_judges
from arena.site.method_page import build_method_page
from arena.site.names import Names
from arena.site.render import render_agent, render_judges, render_method
from arena.site.text import plain
from arena.site.views import Frame, Link


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where pages are in one language: `at` gives a file's name, `frame` what is around a page.

    `pages`: the scenarios' files below s/. `duel` gives the file of two agents below v/, empty
    where there is none.
    """

    at: Callable[[str], str]
    frame: Callable[[str, str, Link | None], Frame]
    pages: Mapping[str, str]
    duel: Callable[[str, str], str] = lambda one, other: ""


def link_profiles(edition: Edition, names: Names, place: Place) -> dict[str, str]:
    """The file of every agent's page, below a/."""
    return {agent.id: place.at(names.slugs[agent.id]) for agent in edition.agents}


def link_others(edition: Edition, names: Names, place: Place) -> list[Link]:
    """Links from the first page to the others."""
    links = []
    if has_judges(edition):
        links.append(Link(href=place.at("judges"), label=names.say("judges.link")))
    links.append(Link(href=place.at("method"), label=names.say("method.link")))
    return links


def print_others(
    edition: Edition, names: Names, place: Place, index: IndexView
) -> dict[str, bytes]:
    """The files of these pages, by path; `index` is the first page, which they share parts with."""
    return {
        **_judges(edition, names, place),
        **_method(edition, names, place, index),
        **_agents(edition, names, place, index),
    }


def _judges(edition: Edition, names: Names, place: Place) -> dict[str, bytes]:
    if not has_judges(edition):
        return {}
    say = names.say
    title = say("judges.title", title=plain(say.of(edition.job.suite.name)))
    frame = place.frame(title, "judges", Link(href=place.at("index"), label=say("back")))
    view = build_judges_page(edition, names, frame)
    return {place.at("judges"): render_judges(view, say).encode()}


def _method(edition: Edition, names: Names, place: Place, index: IndexView) -> dict[str, bytes]:
    say = names.say
    title = say("method.page", title=plain(say.of(edition.job.suite.name)))
    frame = place.frame(title, "method", Link(href=place.at("index"), label=say("back")))
    view = build_method_page(edition, names, frame, index)
    return {place.at("method"): render_method(view, say).encode()}


def _agents(edition: Edition, names: Names, place: Place, index: IndexView) -> dict[str, bytes]:
    say, profiles = names.say, link_profiles(edition, names, place)
    back = Link(href="../" + place.at("index"), label=say("back"))
    meetings = gather_meetings(edition)
    pages = {scenario: f"../s/{page}" for scenario, page in place.pages.items()}
    files = {}
    # The ranking has its rows by eligibility, so they are found by name.
    rows = {row.slug: row for row in index.ranking.rows}
    for fact in edition.agents:
        row = rows[names.slugs[fact.id]]
        view = build_agent(
            edition,
            fact,
            row,
            names,
            place.frame(names.agent(fact.id), names.slugs[fact.id], back),
            meetings=meetings,
            pages=pages,
            profiles=profiles,
            duels=_duels(fact.id, edition, place),
        )
        files[f"a/{profiles[fact.id]}"] = render_agent(view, say).encode()
    return files


def _duels(agent: str, edition: Edition, place: Place) -> dict[str, str]:
    """By other agent, the way from an agent's page to that of the two."""
    pages = {other.id: place.duel(agent, other.id) for other in edition.agents}
    return {other: f"../v/{page}" for other, page in pages.items() if page}
