"""The pages of all pairs of a leaderboard, one after the other."""

from collections.abc import Iterator, Mapping
from dataclasses import replace

from arena.site.names import Names
from arena.site.other_pages import Place
from arena.site.pair_links import PairLinks
from arena.site.pair_page import PairPages
from arena.site.render import render_pair
from arena.site.views import Link


def print_pairs(
    pairs: PairPages, links: PairLinks, names: Names, place: Place, profiles: Mapping[str, str]
) -> Iterator[tuple[str, bytes]]:
    """(path, content) of each; `profiles`: the agents' files below a/."""
    say = names.say
    back = Link(href="../" + place.at("index"), label=say("back"))
    for pair in pairs.pairs:
        first, _ = pairs.in_order(pair)
        title = pairs.title(pair)
        for n, _ in enumerate(links.places.parts[pair], start=1):
            stem = links.stem(pair, n)
            frame = place.frame(title, stem, back)
            if first in profiles:
                agent = Link(href=f"../a/{profiles[first]}", label=names.agent(first))
                frame = replace(frame, trail=(*frame.trail, agent))
            view = pairs.build(pair, n, frame, profiles)
            yield f"v/{place.at(stem)}", render_pair(view, say).encode()
