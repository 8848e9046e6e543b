"""Which replies decided the scores: those that judges quote as evidence."""

from collections import defaultdict
from collections.abc import Sequence

from arena.site.facts import SheetFact
from arena.site.names import Names

MOST = 4
"""So many criteria are named of one judge and reply."""


def say_decided(sheets: Sequence[SheetFact], names: Names) -> dict[int, tuple[str, ...]]:
    """By round: a sentence a judge that quotes the reply, with the criteria it quotes it for.

    Quotations that do not occur in the reply count for nothing: they would mark the wrong one.
    """
    found: dict[int, dict[str, dict[str, None]]] = defaultdict(dict)
    for sheet in sheets:
        for answer in sheet.answers:
            for evidence in answer.backing.evidence:
                if evidence.found:
                    quoted = found[evidence.round].setdefault(names.judge(sheet.judge), {})
                    quoted[names.criterion(evidence.criterion)] = None
    return {
        number: tuple(_say(judge, list(criteria), names) for judge, criteria in judges.items())
        for number, judges in found.items()
    }


def _say(judge: str, criteria: list[str], names: Names) -> str:
    listed = names.say.join(criteria[:MOST])
    if len(criteria) > MOST:
        some = names.say("list.comma").join(criteria[:MOST])
        listed = names.say("list.more", names=some, n=len(criteria) - MOST)
    return names.say("round.quoted", judge=judge, criteria=listed)
