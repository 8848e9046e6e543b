"""The page of two agents against each other: what the board says, and each scenario."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from arena.domain.standing import PairStanding
from arena.domain.suite import Scenario
from arena.site import formats
from arena.site.agent_meetings import build_opponent
from arena.site.facts import ComparisonFact, Edition
from arena.site.names import Names
from arena.site.pair_links import PairLinks
from arena.site.pair_places import Pair
from arena.site.pair_views import PairView, ScenarioRow, ScenarioSection
from arena.site.scenario_verdicts import build_comparison, pair_id, say_result
from arena.site.text import plain
from arena.site.verdict_views import JudgedRow, PairLine
from arena.site.views import Frame, Link, Term
from arena.site.words import HTML_LANG, Say

Met = Mapping[Pair, Mapping[str, Sequence[ComparisonFact]]]


class PairPages:
    """The pages of all pairs of an edition, in one language."""

    def __init__(self, edition: Edition, names: Names, links: PairLinks) -> None:
        """Sort comparisons and scores by pair, once for all pages."""
        self._edition, self._names, self._links = edition, names, links
        self._order = {a.id: n for n, a in enumerate((*edition.agents, *edition.decoys))}
        self._titles = {s.scenario: say_title(s, names.say) for s in edition.scenarios}
        self._met = _by_pair(edition)
        self._scores = _scores(edition)
        self._many = any(t.replicate > 1 for facts in edition.transcripts.values() for t in facts)
        board = edition.board
        self._standings = {(p.a, p.b): p for p in board.pairs} if board else {}

    @property
    def apart(self) -> bool:
        """Whether the verdicts stand on these pages."""
        return self._links.places.apart

    @property
    def pairs(self) -> tuple[Pair, ...]:
        """The pairs that have a page, better placed agents first."""
        return tuple(sorted(self._links.places.parts, key=lambda p: sorted(map(self._place, p))))

    def _place(self, agent: str) -> int:
        return self._order[agent]

    def in_order(self, pair: Pair) -> Pair:
        """The better placed agent first."""
        first, second = sorted(pair, key=self._place)
        return first, second

    def title(self, pair: Pair) -> str:
        """What the page is called."""
        first, second = self.in_order(pair)
        return self._names.say("pair", a=self._names.agent(first), b=self._names.agent(second))

    def build(self, pair: Pair, part: int, frame: Frame, profiles: Mapping[str, str]) -> PairView:
        """The view of one page of a pair; `profiles`: the agents' files below a/."""
        names, say = self._names, self._names.say
        first, second = self.in_order(pair)
        parts = self._links.places.parts[pair]
        suite = self._edition.job.suite
        standing = self._standings.get(pair)
        sections = tuple(self._sections(pair, parts[part - 1])) if self.apart else ()
        return PairView(
            frame=frame,
            text_lang=HTML_LANG[suite.language],
            first=names.agent(first),
            second=names.agent(second),
            profiles=tuple(
                Link(href=f"../a/{profiles[agent]}", label=names.agent(agent))
                for agent in (first, second)
                if agent in profiles
            ),
            lead=tuple(_lead(standing, names)),
            terms=_terms(standing, first, second, names),
            rows=tuple(self._rows(pair, first, second)) if part == 1 else (),
            about_rows=say("pair.rows.apart" if self.apart else "pair.rows.there"),
            about_verdicts=say("verdicts.about.key" if suite.choice else "verdicts.about"),
            traced=any(v.command for s in sections for c in s.comparisons for v in c.verdicts),
            sections=sections,
            parts=tuple(self._parts(pair)) if len(parts) > 1 else (),
            part=part,
        )

    def lines(self, scenario: str) -> Iterator[PairLine]:
        """The pairs of a scenario's page, with the way to their verdicts."""
        for pair in self.pairs:
            facts = self._met[pair].get(scenario, ())
            if facts:
                yield PairLine(
                    id=pair_id(*pair, self._names),
                    pair="|".join(self._names.slugs[agent] for agent in pair),
                    title=self.title(pair),
                    href=f"../{self._links.verdicts(scenario, pair)}",
                    results=self._judged(facts),
                )

    def _rows(self, pair: Pair, first: str, second: str) -> Iterator[ScenarioRow]:
        for scenario, facts in self._met[pair].items():
            yield ScenarioRow(
                href=f"../{self._links.verdicts(scenario, pair)}",
                title=self._titles[scenario],
                first=formats.tenth(self._scores.get((scenario, first))),
                second=formats.tenth(self._scores.get((scenario, second))),
                results=self._judged(facts),
            )

    def _judged(self, facts: Sequence[ComparisonFact]) -> tuple[JudgedRow, ...]:
        alone = len({f.judge for f in facts}) == 1
        found = []
        for fact in facts:
            result, tone = say_result(fact, self._names)
            judge = "" if alone else self._names.judge(fact.judge)
            found.append(JudgedRow(judge=judge, result=result, tone=tone))
        return tuple(found)

    def _sections(self, pair: Pair, scenarios: Sequence[str]) -> Iterator[ScenarioSection]:
        for scenario in scenarios:
            cards = (
                build_comparison(fact, self._order, self._names, many=self._many)
                for fact in self._met[pair][scenario]
            )
            yield ScenarioSection(
                id=self._links.section(scenario),
                title=self._titles[scenario],
                href=f"../{self._links.scenario(scenario, pair)}",
                # A pair is its page's own, so nothing on it is picked by pair.
                comparisons=tuple(replace(card, pair="") for card in cards),
            )

    def _parts(self, pair: Pair) -> Iterator[Link]:
        for n, scenarios in enumerate(self._links.places.parts[pair], start=1):
            span = formats.between(scenarios[0], scenarios[-1])
            yield Link(href=self._links.at(self._links.stem(pair, n)), label=plain(span))


def say_title(scenario: Scenario, say: Say) -> str:
    """A scenario's id and title."""
    return f"{scenario.scenario} · {plain(say.of(scenario.title))}"


def _by_pair(edition: Edition) -> Met:
    met: dict[Pair, dict[str, list[ComparisonFact]]] = defaultdict(lambda: defaultdict(list))
    for scenario in edition.scenarios:
        for fact in edition.comparisons.get(scenario.scenario, ()):
            met[fact.a, fact.b][scenario.scenario].append(fact)
    return met


def _scores(edition: Edition) -> dict[tuple[str, str], float | None]:
    """The absolute score of the first transcript of every agent in every scenario."""
    found: dict[tuple[str, str], float | None] = {}
    for scenario, facts in edition.transcripts.items():
        for fact in facts:
            found.setdefault((scenario, fact.agent), fact.absolute)
    return found


def _lead(standing: PairStanding | None, names: Names) -> Iterable[str]:
    """What may be said of the two, in a sentence."""
    if standing is None or not standing.n:
        yield names.say("pair.lead.none")
    elif standing.decision is None:
        low, high = standing.low, standing.high
        alone = low is not None and high is not None and (low > 0 or high < 0)
        yield names.say("pair.lead.alone" if alone else "pair.lead.open")
    else:
        better = standing.a if standing.decision == "a" else standing.b
        yield names.say("pair.lead.better", name=names.agent(better))


def _terms(
    standing: PairStanding | None, first: str, second: str, names: Names
) -> tuple[Term, ...]:
    if standing is None or not standing.n:
        return ()
    say, seen = names.say, build_opponent(standing, first, second, names, "")
    values = (
        ("rank.comparisons", seen.n),
        ("agent.record", seen.record),
        ("rank.won", seen.share),
        ("agent.difference", f"{seen.difference} ({seen.interval})"),
    )
    return tuple(Term(label=say(key), value=value) for key, value in values)
