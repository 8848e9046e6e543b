"""The record that an agent keeps beside what it says: by rounds, next to the true one."""

from collections.abc import Sequence

from markupsafe import Markup

from arena.domain.suite import Scenario, Suite
from arena.domain.telling import Section
from arena.judging.running import read_sections
from arena.site import formats
from arena.site.card_views import RecordRow, RecordTable
from arena.site.facts import TranscriptFact
from arena.site.names import Names
from arena.site.text import plain, visible
from arena.site.words import Say


def build_record(
    fact: TranscriptFact, scenario: Scenario, suite: Suite, names: Names
) -> RecordTable | None:
    """The record of a transcript; None where the suite asks for none or nothing is shown.

    An empty section shows as a dash; a reply in which no section was found says so, for there the
    whole of it stands for each.
    """
    say, sections = names.say, suite.sections
    replies = [(n, reply) for n, (_, reply) in enumerate(fact.rounds, start=1) if reply is not None]
    if not sections or not replies or fact.held:
        return None
    rows = [_round(n, reply, sections, say) for n, reply in replies]
    if scenario.reference:
        rows.insert(0, _reference(scenario, sections, say))
    heads = tuple(plain(say.of(section.name)) for section in sections)
    return RecordTable(heads=heads, rows=tuple(rows))


def _reference(scenario: Scenario, sections: Sequence[Section], say: Say) -> RecordRow:
    texts = ["\n".join(scenario.reference.get(s.section, ())) for s in sections]
    return RecordRow(label=say("record.reference"), cells=_cells(texts))


def _round(number: int, reply: str, sections: Sequence[Section], say: Say) -> RecordRow:
    label, found = say("record.round", n=number), read_sections(reply, sections)
    if found.whole:
        return RecordRow(label=label, cells=(), note=say("record.whole"))
    return RecordRow(label=label, cells=_cells([found.texts[s.section] for s in sections]))


def _cells(texts: Sequence[str]) -> tuple[Markup, ...]:
    return tuple(visible(text) if text else Markup(formats.DASH) for text in texts)
