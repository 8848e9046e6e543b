"""The page of one scenario: every transcript, every verdict, both orders."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace

from arena.domain.call import Status
from arena.domain.suite import Scenario
from arena.judging.facts import scenario_facts
from arena.site import charts, formats
from arena.site.facts import ComparisonFact, Edition, TranscriptFact
from arena.site.names import Names
from arena.site.scenario_transcripts import build_card, card_id
from arena.site.scenario_verdicts import build_comparison, pair_id
from arena.site.scenario_views import JudgeNotes, Pick, ScenarioView, TallyRow
from arena.site.text import plain, visible
from arena.site.verdict_views import ComparisonCard, PairLine
from arena.site.views import Frame, Link, Term
from arena.site.words import HTML_LANG

Duel = Callable[[str, str], str]
Neighbours = tuple[Link | None, Link | None]


def build_scenario(
    edition: Edition,
    scenario: Scenario,
    names: Names,
    frame: Frame,
    neighbours: Neighbours,
    *,
    duel: Duel = lambda one, other: "",
    elsewhere: tuple[PairLine, ...] | None = None,
    notes: bool = False,
) -> ScenarioView:
    """The view of a scenario.

    `duel` gives the page of two agents below v/. `elsewhere`: the ways to the verdicts, where they
    do not stand here. Notes for judges are shown only where `notes` asks for it: they give the
    trap away.
    """
    order = {a.id: n for n, a in enumerate((*edition.agents, *edition.decoys))}
    transcripts = sorted(
        edition.transcripts.get(scenario.scenario, ()),
        key=lambda t: (order[t.agent], t.replicate),
    )
    comparisons = edition.comparisons.get(scenario.scenario, ())
    many = any(t.replicate > 1 for t in transcripts)
    suite = edition.job.suite
    cards = tuple(build_card(t, scenario, suite, names, many=many) for t in transcripts)
    cards_here: tuple[ComparisonCard, ...] = ()
    if elsewhere is None:
        cards_here = tuple(_comparisons(comparisons, order, names, duel, many=many))
    return ScenarioView(
        frame=frame,
        code=scenario.scenario,
        text_lang=HTML_LANG[edition.job.suite.language],
        meta=_meta(edition, scenario, names),
        user=visible(scenario.persona.user),
        context=visible(scenario.persona.context),
        before=neighbours[0],
        after=neighbours[1],
        tally=_tally(transcripts, comparisons, names),
        picks=tuple(Pick(slug=c.slug, label=c.name) for c in cards),
        about_verdicts=names.say(
            "verdicts.about.key" if edition.job.suite.choice else "verdicts.about"
        ),
        comparisons=cards_here,
        traced=any(v.command for c in cards_here for v in c.verdicts),
        pairs=elsewhere or (),
        notes=_notes(edition, scenario) if notes else None,
        cards=cards,
        span=2 + 2 * max((len(t.rounds) for t in transcripts), default=0),
    )


def _comparisons(
    facts: Iterable[ComparisonFact],
    order: Mapping[str, int],
    names: Names,
    duel: Duel,
    *,
    many: bool,
) -> Iterable[ComparisonCard]:
    """The cards; the first of each pair can be linked to."""
    seen = set()
    for fact in facts:
        card, id = build_comparison(fact, order, names, many=many), pair_id(fact.a, fact.b, names)
        page = duel(fact.a, fact.b)
        card = replace(card, href=f"../v/{page}" if page else "")
        yield card if id in seen else replace(card, id=id)
        seen.add(id)


def _notes(edition: Edition, scenario: Scenario) -> JudgeNotes:
    """What judges are told of the scenario beside what everybody may read."""
    told = scenario_facts(edition.job.suite, scenario, edition.job.mode)
    return JudgeNotes(
        notes=visible(told["notes"].strip()),
        failure=visible(told["failure_mode"]),
        flags=tuple((plain(f["flag"]), visible(f["sign"])) for f in told["red_flags"]),
    )


def _meta(edition: Edition, scenario: Scenario, names: Names) -> tuple[Term, ...]:
    say, suite = names.say, edition.job.suite
    domain = next(d for d in suite.domains if d.domain == scenario.domain)
    archetype = next(a for a in suite.archetypes if a.archetype == scenario.archetype)
    return (
        Term(label=say("term.domain"), value=plain(say.of(domain.name))),
        Term(label=say("term.archetype"), value=plain(say.of(archetype.name))),
        Term(label=say("term.suite"), value=f"{suite.suite} {suite.version}"),
        Term(label=say("term.mode"), value=plain(say.of(suite.modes[edition.job.mode].name))),
    )


def _tally(
    transcripts: list[TranscriptFact], comparisons: tuple[ComparisonFact, ...], names: Names
) -> tuple[TallyRow, ...]:
    say = names.say
    shares: dict[tuple[str, int], list[float]] = defaultdict(list)
    for comparison in comparisons:
        if comparison.share is not None:
            shares[comparison.a, comparison.replicate].append(comparison.share)
            shares[comparison.b, comparison.replicate].append(1 - comparison.share)
    rows = []
    for fact in transcripts:
        own = shares[fact.agent, fact.replicate]
        wins, losses = own.count(1.0), own.count(0.0)
        record = say("record", wins=wins, ties=len(own) - wins - losses, losses=losses)
        rows.append(
            TallyRow(
                slug=card_id(fact, names),
                name=names.agent(fact.agent),
                absolute=formats.tenth(fact.absolute),
                bar=None if fact.absolute is None else charts.bar(fact.absolute / 100),
                record=record if own else formats.DASH,
                note="" if fact.status is Status.OK else say("tally.incomplete"),
            )
        )
    return tuple(rows)
