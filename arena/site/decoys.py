"""The decoys beside the ranking: where each stands, and whether a judge was fooled."""

from arena.domain.audit import DecoyStanding
from arena.site import formats
from arena.site.facts import Edition
from arena.site.names import Names
from arena.site.part_views import DecoyRow, DecoyTable


def build_decoys(edition: Edition, names: Names) -> DecoyTable | None:
    """The decoys of a board; None where there are none."""
    board = edition.board
    if board is None or not board.diagnostics.audit.decoys:
        return None
    return DecoyTable(
        level=formats.level(board.method.level),
        rows=tuple(_row(decoy, names) for decoy in board.diagnostics.audit.decoys),
    )


def _row(decoy: DecoyStanding, names: Names) -> DecoyRow:
    say = names.say
    score = decoy.absolute
    about = say(f"decoys.{decoy.finding}")
    if decoy.finding == "fooled":
        parts = []
        if decoy.unbeaten:
            agents = say.join([names.agent(a) for a in decoy.unbeaten])
            parts.append(say("decoys.unbeaten", agents=agents))
        if decoy.outscored:
            agents = say.join([names.agent(a) for a in decoy.outscored])
            parts.append(say("decoys.outscored", agents=agents))
        about = say("list.semicolon").join(parts)
    return DecoyRow(
        name=names.agent(decoy.decoy),
        finding=decoy.finding,
        label=say(f"decoys.label.{decoy.finding}"),
        about=about,
        rating=_rating(decoy, names),
        interval=_interval(decoy),
        absolute=formats.DASH if score is None else formats.tenth(score.mean),
        absolute_interval=""
        if score is None or score.low is None or score.high is None
        else formats.between(formats.tenth(score.low), formats.tenth(score.high)),
        won=formats.percent(decoy.share) if decoy.share is not None else formats.DASH,
        record=say("record", wins=decoy.wins, ties=decoy.ties, losses=decoy.losses),
        comparisons=formats.count(decoy.comparisons, say),
        planned=say("of_planned", n=decoy.planned),
    )


def _rating(decoy: DecoyStanding, names: Names) -> str:
    if decoy.open == "above" and decoy.low is not None:
        return names.say("rating.at_least", n=formats.whole(decoy.low))
    if decoy.open == "below" and decoy.high is not None:
        return names.say("rating.at_most", n=formats.whole(decoy.high))
    return formats.DASH if decoy.rating is None else formats.whole(decoy.rating)


def _interval(decoy: DecoyStanding) -> str:
    if decoy.open is not None or decoy.low is None or decoy.high is None:
        return ""
    return formats.between(formats.whole(decoy.low), formats.whole(decoy.high))
