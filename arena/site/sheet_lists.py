"""What stands behind the numbers of a sheet, as lists: rounds, evidence, what was left open."""

from markupsafe import Markup

from arena.domain.call import Status
from arena.domain.score import Evidence
from arena.site import formats
from arena.site.facts import SheetFact
from arena.site.names import Names
from arena.site.text import visible


def build_lists(sheet: SheetFact, names: Names) -> tuple[tuple[str, tuple[Markup, ...]], ...]:
    """Headings with their items, all escaped; those that have any."""
    say, backing = names.say, sheet.backing
    lists: dict[str, list[str]] = {
        "rounds": [_round(one, names) for one in sheet.rounds],
        "evidence": [_evidence(one, names) for s in sheet.answers for one in s.backing.evidence],
        "unjudged": [
            say("list.colon").join((str(s.round), _name(key, names)))
            for s in sheet.answers
            for key in s.backing.unjudged
        ],
        "insufficient": [_name(key, names) for key in backing.insufficient],
        "suggestions": list(backing.suggestions),
    }
    found = [
        (say(f"scores.{head}"), tuple(visible(item) for item in items))
        for head, items in lists.items()
        if items
    ]
    if backing.confidence is not None:
        found.append((say("scores.confidence", value=formats.number(backing.confidence)), ()))
    return tuple(found)


def _round(sheet: SheetFact, names: Names) -> str:
    say = names.say
    if sheet.status is not Status.OK:
        score = say(f"status.{sheet.status.value if sheet.status else 'missing'}")
    else:
        score = formats.tenth(sheet.absolute)
    line = say("rounds.one", n=sheet.round, score=score)
    return say("list.dot").join([line, sheet.summary]) if sheet.summary else line


def _evidence(one: Evidence, names: Names) -> str:
    say = names.say
    where = say("scores.anywhere") if one.round < 1 else str(one.round)
    parts = [_name(one.criterion, names), where, one.quote]
    return say("list.dot").join(parts if one.found else [*parts, say("scores.unfound")])


def _name(key: str, names: Names) -> str:
    return names.criterion(key)
