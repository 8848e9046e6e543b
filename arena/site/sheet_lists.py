"""What stands behind the numbers of a sheet, as lists: rounds, evidence, what was left open."""

from markupsafe import Markup

from arena.domain.call import Status
from arena.site import formats
from arena.site.facts import SheetFact
from arena.site.names import Names
from arena.site.text import visible


def build_lists(sheet: SheetFact, names: Names) -> tuple[tuple[str, tuple[Markup, ...]], ...]:
    """Headings with their items, all escaped; those that have any."""
    say, backing = names.say, sheet.backing
    lists: dict[str, list[str]] = {
        "rounds": [_round(one, names) for one in sheet.rounds],
        "evidence": _evidence(sheet, names),
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


def _evidence(sheet: SheetFact, names: Names) -> list[str]:
    """Each quotation once, with all criteria that it is quoted for."""
    found: dict[tuple[int, str, bool], list[str]] = {}
    for answer in sheet.answers:
        for one in answer.backing.evidence:
            criteria = found.setdefault((one.round, one.quote, one.found), [])
            criteria.append(_name(one.criterion, names))
    return [_quoted(*place, criteria, names) for place, criteria in found.items()]


def _quoted(at: int, quote: str, found: bool, criteria: list[str], names: Names) -> str:
    say = names.say
    where = say("scores.anywhere") if at < 1 else say("scores.round", n=at)
    parts = [say("list.comma").join(dict.fromkeys(criteria)), where, quote]
    return say("list.dot").join(parts if found else [*parts, say("scores.unfound")])


def _name(key: str, names: Names) -> str:
    return names.criterion(key)
