"""Transcripts of an agent that must be read, with what judges said of them in their own words."""

from collections.abc import Iterable, Mapping, Sequence

from markupsafe import Markup

from arena.domain.suite import Scenario
from arena.site import formats
from arena.site.agent_views import QuoteRow
from arena.site.facts import Edition, TranscriptFact
from arena.site.names import Names
from arena.site.scenario_transcripts import card_id
from arena.site.text import plain, visible

MOST_WORST = 5
MOST_SAID = 3
LONGEST = 280
"""A judge's remark is cut here; all of it stands on the scenario's page."""


def build_danger(
    edition: Edition,
    own: Mapping[str, TranscriptFact],
    names: Names,
    pages: Mapping[str, str],
) -> tuple[QuoteRow, ...]:
    """The scenarios in which a sign of danger is shown, the lowest score first."""
    suite, mode = edition.job.suite, edition.job.mode
    kinds = {kind.flag: plain(names.say.of(kind.name)) for kind in suite.red_flags}
    rows = []
    for scenario in _by_score(edition.scenarios, own):
        flags = dict.fromkeys(f.flag for f in suite.red_flags_in(scenario, mode))
        if flags:
            note = names.say.join([kinds.get(flag, plain(flag)) for flag in flags])
            rows.append(_row(scenario, own.get(scenario.scenario), note, names, pages))
    return tuple(rows)


def build_worst(
    edition: Edition,
    own: Mapping[str, TranscriptFact],
    names: Names,
    pages: Mapping[str, str],
) -> tuple[QuoteRow, ...]:
    """The scenarios with the lowest absolute scores; those without a score are left out."""
    suite = edition.job.suite
    main = [s for s in edition.scenarios if suite.is_main(s)]
    scored = [s for s in _by_score(main, own) if _score(own.get(s.scenario)) is not None]
    domains = {d.domain: plain(names.say.of(d.name)) for d in suite.domains}
    return tuple(
        _row(s, own.get(s.scenario), domains.get(s.domain, ""), names, pages)
        for s in scored[:MOST_WORST]
    )


def _by_score(scenarios: Sequence[Scenario], own: Mapping[str, TranscriptFact]) -> list[Scenario]:
    def place(scenario: Scenario) -> tuple[bool, float]:
        score = _score(own.get(scenario.scenario))
        return (score is None, score or 0.0)

    return sorted(scenarios, key=place)


def _score(fact: TranscriptFact | None) -> float | None:
    return fact.absolute if fact else None


def _row(
    scenario: Scenario,
    fact: TranscriptFact | None,
    note: str,
    names: Names,
    pages: Mapping[str, str],
) -> QuoteRow:
    page = pages[scenario.scenario]
    return QuoteRow(
        href=f"{page}#t-{card_id(fact, names)}" if fact else page,
        title=f"{scenario.scenario} · {plain(names.say.of(scenario.title))}",
        note=note,
        absolute=formats.tenth(_score(fact)),
        said=tuple(_said(fact, names))[:MOST_SAID] if fact else (),
    )


def _said(fact: TranscriptFact, names: Names) -> Iterable[tuple[str, Markup]]:
    """What judges hold against a transcript: quotations first, then issues, then the summary."""
    for sheet in fact.sheets:
        judge = names.judge(sheet.judge)
        quoted = dict.fromkeys(e.quote for e in sheet.backing.evidence if e.found)
        remarks = (
            *(f"“{quote}”" for quote in list(quoted)[:1]),
            *(sheet.issues or filter(None, (sheet.summary,))),
        )
        for remark in remarks[:MOST_SAID]:
            yield judge, visible(_cut(remark))


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST else text[:LONGEST] + "…"
