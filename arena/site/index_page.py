"""The leaderboard of one suite and mode, as a view."""

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

from arena.domain.agent import Agent, Judge
from arena.domain.board import Board
from arena.domain.call import Status
from arena.domain.method import LEVEL
from arena.site import formats
from arena.site.accuracy import build_accuracy
from arena.site.bills import build_bills
from arena.site.claims import say_claims
from arena.site.contradictions import build_contradictions
from arena.site.decoys import build_decoys
from arena.site.effects import build_effects
from arena.site.facts import Edition
from arena.site.grids import build_grids
from arena.site.headline import say_beside
from arena.site.index_views import IndexView
from arena.site.method import build_judges, build_method, build_terms
from arena.site.names import Names
from arena.site.notes import say_notes
from arena.site.ranking import build_ranking
from arena.site.scatter import build_scatters
from arena.site.scope import say_scope
from arena.site.slices import build_slices
from arena.site.survival import say_chance
from arena.site.text import plain
from arena.site.two_by_two import build_two_by_two
from arena.site.views import Frame, Group, Link, Term
from arena.site.words import HTML_LANG, Say
from arena.site.worst import build_worst_moments


def build_index(
    edition: Edition,
    names: Names,
    frame: Frame,
    *,
    pages: dict[str, str],
    downloads: Sequence[Link],
    command: str,
    more: Sequence[Link] = (),
    profiles: Mapping[str, str] = MappingProxyType({}),
    changes: Link | None = None,
    duel: Callable[[str, str], str] = lambda one, other: "",
) -> IndexView:
    """The view of a leaderboard; `pages` gives each scenario's page, `changes` that of changes.

    `duel` gives the way to the page of two agents, empty where there is none.
    """
    say, suite = names.say, edition.job.suite
    return IndexView(
        frame=frame,
        subtitle=say(_subtitle(edition)),
        suite_lang=HTML_LANG[suite.language],
        headline=say_claims(edition, names),
        scope=say_scope(edition.job, say),
        beside=_beside(edition.board, names),
        notices=tuple(_notices(edition, names)),
        meta=tuple(build_meta(edition, names)),
        how=_how(edition, say),
        ranking=build_ranking(edition, names),
        decoys=build_decoys(edition, names),
        scatters=build_scatters(edition, names),
        two=build_two_by_two(edition.board, names, duel),
        slices=build_slices(edition, names),
        accuracy=build_accuracy(edition, names),
        grids=build_grids(edition, names),
        groups=tuple(_groups(edition, say, pages)),
        about=plain(say.of(suite.about)),
        method=build_method(edition, say),
        terms=build_terms(edition, names, frame.software),
        effects=build_effects(edition.board, names),
        judges=build_judges(edition, names),
        command=plain(command),
        downloads=tuple(downloads),
        more=tuple(more),
        profiles={names.slugs[agent]: f"a/{page}" for agent, page in profiles.items()},
        worst=build_worst_moments(edition, names, pages),
        against=build_contradictions(edition, names, pages),
        bills=build_bills(edition, names),
        changes=changes,
    )


def _beside(board: Board | None, names: Names) -> tuple[str, ...]:
    if board is None:
        return ()
    return (*say_beside(board, names.say, names.agent), *say_notes(board, names))


def _how(edition: Edition, say: Say) -> tuple[str, ...]:
    """How to read the page, in a few sentences; those of the answer key tell of no judge."""
    level = formats.level(edition.board.method.level if edition.board else LEVEL)
    keys: tuple[str, ...] = ("how.rank", "how.rating", "how.absolute", "how.modes", "how.missing")
    if edition.job.suite.choice:
        keys = ("how.rank", "how.rating.key", "how.absolute.key", "how.missing.key")
    return tuple(say(key, level=level) for key in keys)


def build_meta(edition: Edition, names: Names) -> list[Term]:
    """The line of facts under the headline."""
    say, job = names.say, edition.job
    terms = [
        Term(label=say("term.suite"), value=f"{job.suite.suite} {job.suite.version}"),
        Term(label=say("term.mode"), value=plain(say.of(job.suite.modes[job.mode].name))),
        Term(label=say("term.judges"), value=_panel(edition, names)),
        *_scorers(edition, names),
        Term(label=say("term.comparisons"), value=_comparisons(edition, say)),
    ]
    if told := say_imported(edition, say):
        terms.append(Term(label=say("term.origin"), value=told))
    if edition.at:
        terms.append(Term(label=say("term.date"), value=formats.moment(edition.at)))
    return terms


def _panel(edition: Edition, names: Names) -> str:
    say = names.say
    judges = [names.judge(name) for name in comparing_judges(edition)]
    if not judges:
        return formats.DASH
    return say("panel", n=len(judges), names=say.join(judges))


def _scorers(edition: Edition, names: Names) -> list[Term]:
    """Who gives the absolute scores, and by which model; nothing where the answer key does."""
    say = names.say
    scorers = [j for j in edition.judges if "rubric" in j.judge.uses and j.judge.model]
    told = [
        say("scorer", name=names.judge(j.id), model=plain(j.judge.model or formats.DASH))
        for j in scorers
    ]
    return [Term(label=say("term.scorers"), value=say.join(told))] if told else []


def comparing_judges(edition: Edition) -> tuple[str, ...]:
    """The judges whose comparisons make the ratings: the board's panel, else those to be asked."""
    if edition.board:
        counted = tuple(c.judge for c in edition.board.diagnostics.judges if c.comparisons)
        return counted or edition.board.panel
    return tuple(j.id for j in edition.judges if "pairwise" in j.judge.uses)


def _subtitle(edition: Edition) -> str:
    """What was compared, as a key."""
    if edition.job.held is not None and edition.job.held.votes:
        return "subtitle.votes"
    return "subtitle.key" if edition.job.suite.choice else "subtitle"


def _comparisons(edition: Edition, say: Say) -> str:
    """What was compared: scenarios and orders first, for they are what the results rest on.

    How many comparisons there are follows where some are missing, or where not every pair meets
    in every scenario.
    """
    design, board = edition.design, edition.board
    done = board.comparisons if board else 0
    planned = design.comparisons
    count = say(
        "comparisons.count", done=formats.count(done, say), planned=formats.count(planned, say)
    )
    if not planned:
        return count
    parts = [
        say("design.scenarios", n=design.scenarios),
        *([say("design.orders", n=design.orders)] if design.orders > 1 else ()),
    ]
    if design.full:
        parts.append(say("design.pairs", n=design.pairs))
        if design.judges > 1:
            parts.append(say("design.judges", n=design.judges))
        if design.replicates > 1:
            parts.append(say("design.replicates", n=design.replicates))
    said = say("design.times").join(parts)
    if design.full and done == planned:
        return said
    return say("comparisons.design", design=said, count=count)


def _unknown_kin(entrant: Agent | Judge) -> bool:
    """Whether somebody might be of the family of a judge, or of an agent, without anybody knowing.

    What is scripted is of no model's family.
    """
    return entrant.family == "unknown" and not (entrant.model or "").startswith("scripted/")


def _notices(edition: Edition, names: Names) -> list[str]:
    say = names.say
    found: list[str] = []
    if told := say_imported(edition, say):
        found.append(say("notice.imported", told=told))
    if edition.texts != "full":
        found.append(say(f"notice.texts.{edition.texts}"))
    if edition.board is None:
        found.append(say_waiting(edition, say))
    if edition.job.suite.choice and not edition.job.suite.choice.answers:
        found.append(say("notice.unscored"))
    if edition.stale and edition.board:
        found.append(say("notice.stale", version=edition.board.suite_version))
    return found + _about_models(edition, names)


def _about_models(edition: Edition, names: Names) -> list[str]:
    """What is to be known of the models behind agents and judges."""
    say = names.say
    found: list[str] = []
    found += say_chance(edition, names)
    if len(comparing_judges(edition)) == 1 and not edition.job.suite.choice:
        found.append(say("notice.single_judge"))
    unknown = [names.agent(a.id) for a in edition.agents if a.agent and _unknown_kin(a.agent)]
    if unknown and edition.job.suite.choice is None:
        found.append(say("notice.family", names=say.join(unknown)))
    if strange := [names.judge(j.id) for j in edition.judges if _unknown_kin(j.judge)]:
        found.append(say("notice.judge_family", names=say.join(strange)))
    for name, models in edition.changed:
        shown = say.join([plain(model) for model in models])
        found.append(say("notice.changed", name=names.agent(name), models=shown))
    return found


def say_imported(edition: Edition, say: Say) -> str:
    """Where the results come from that nobody made here; empty for our own."""
    if edition.job.held is None:
        return ""
    note = edition.job.held.note
    source = plain(note.source)
    return say("imported.from", source=source, format=note.format, date=formats.moment(note.at))


def say_waiting(edition: Edition, say: Say) -> str:
    """What to run when there is no board yet."""
    there = any(agent.finished for agent in edition.agents)
    return say("notice.waiting") if there else say("notice.empty")


def _groups(edition: Edition, say: Say, pages: dict[str, str]) -> list[Group]:
    groups = []
    for domain in edition.job.suite.domains:
        links = [
            Link(
                href=pages[s.scenario],
                label=f"{s.scenario} · {plain(say.of(s.title))}",
                note=_progress(edition, s.scenario, say),
            )
            for s in edition.scenarios
            if s.domain == domain.domain
        ]
        if links:
            groups.append(Group(label=plain(say.of(domain.name)), links=tuple(links)))
    return groups


def _progress(edition: Edition, scenario: str, say: Say) -> str:
    """What is missing of a scenario; empty when nothing is."""
    transcripts = edition.transcripts.get(scenario, ())
    done = sum(1 for t in transcripts if t.status is Status.OK)
    verdicts = [v for c in edition.comparisons.get(scenario, ()) for v in c.verdicts]
    read = sum(1 for v in verdicts if v.status is Status.OK)
    parts = []
    if done < len(transcripts):
        parts.append(say("progress.transcripts", done=done, planned=len(transcripts)))
    if read < len(verdicts):
        parts.append(say("progress.verdicts", done=read, planned=len(verdicts)))
    return say("list.dot").join(parts)
