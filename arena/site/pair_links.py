"""Links to pairs: to their own pages below v/, and to the place where their verdicts stand."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from arena.site.names import Names
from arena.site.pair_places import Pair, PairPlaces
from arena.site.scenario_verdicts import pair_id


@dataclass(frozen=True, slots=True, kw_only=True)
class PairLinks:
    """Where pairs are in one language. `at` gives a file's name, `stems` scenarios' slugs."""

    places: PairPlaces
    names: Names
    at: Callable[[str], str]
    stems: Mapping[str, str]

    def stem(self, pair: Pair, part: int = 1) -> str:
        """What the page of a pair is called, without its ending; no slug holds a full stop."""
        slugs = ".".join(sorted(self.names.slugs[agent] for agent in pair))
        return slugs if part == 1 else f"{slugs}.{part}"

    def page(self, one: str, other: str) -> str:
        """The first page of two agents, below v/; empty where there is none."""
        pair = (min(one, other), max(one, other))
        return self.at(self.stem(pair)) if pair in self.places.parts else ""

    def below(self, one: str, other: str) -> str:
        """The first page of two agents, from the folder of the first page; empty for none."""
        page = self.page(one, other)
        return f"v/{page}" if page else ""

    def scenario(self, scenario: str, pair: Pair) -> str:
        """The pair on a scenario's page, from the folder above: beside both transcripts."""
        return f"s/{self.at(self.stems[scenario])}#{pair_id(*pair, self.names)}"

    def verdicts(self, scenario: str, pair: Pair) -> str:
        """The verdicts of a pair in a scenario, from the folder above."""
        if not self.places.apart:
            return self.scenario(scenario, pair)
        parts = self.places.parts[pair]
        part = next(n for n, part in enumerate(parts, start=1) if scenario in part)
        return f"v/{self.at(self.stem(pair, part))}#{self.section(scenario)}"

    def section(self, scenario: str) -> str:
        """What the verdicts of a scenario are called in links of a pair's page."""
        return f"s-{self.stems[scenario]}"
