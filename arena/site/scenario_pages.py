"""The pages of all scenarios of a leaderboard, one after the other."""

from collections.abc import Iterator
from dataclasses import replace

from arena.domain.suite import Scenario
from arena.site.facts import Edition
from arena.site.names import Names
from arena.site.other_pages import Place
from arena.site.pair_page import PairPages, say_title
from arena.site.render import render_scenario
from arena.site.scenario_page import build_scenario
from arena.site.views import Link


def print_scenarios(
    edition: Edition, names: Names, place: Place, pairs: PairPages, *, notes: bool
) -> Iterator[tuple[str, bytes]]:
    """(path, content) of each; `notes`: what only judges are told is shown."""
    say, scenarios = names.say, edition.scenarios
    back = Link(href="../" + place.at("index"), label=say("back"))
    for n, scenario in enumerate(scenarios):
        page = place.pages[scenario.scenario]
        stem = page.removesuffix(place.at(""))
        frame = place.frame(say_title(scenario, say), stem, back)
        view = build_scenario(
            edition,
            scenario,
            names,
            replace(frame, here=scenario.scenario),
            (_link(scenarios, n - 1, place, names), _link(scenarios, n + 1, place, names)),
            duel=place.duel,
            elsewhere=tuple(pairs.lines(scenario.scenario)) if pairs.apart else None,
            notes=notes,
        )
        yield f"s/{page}", render_scenario(view, say).encode()


def _link(scenarios: tuple[Scenario, ...], n: int, place: Place, names: Names) -> Link | None:
    """The link to a scenario beside another; None before the first and after the last."""
    if not 0 <= n < len(scenarios):
        return None
    scenario = scenarios[n]
    return Link(href=place.pages[scenario.scenario], label=say_title(scenario, names.say))
