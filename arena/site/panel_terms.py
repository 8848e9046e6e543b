"""What is to be known of a board's judges, as pairs of word and value."""

from collections.abc import Iterable

from arena.domain.board import Board
from arena.site import formats
from arena.site.names import Names
from arena.site.text import plain
from arena.site.views import Term


def build_panel_terms(board: Board, names: Names) -> Iterable[Term]:
    """Model strings that served a judge, texts that may speak to it, how steady it is."""
    say, audit = names.say, board.diagnostics.audit
    if audit.served:
        parts = [
            say(
                "term.served.used" if part.used else "term.served.left",
                judge=names.judge(part.judge),
                model=plain(part.model),
                n=formats.count(part.sheets + part.verdicts, say),
            )
            for part in audit.served
        ]
        yield Term(label=say("term.served"), value=say("list.semicolon").join(parts))
    if audit.injections:
        found = audit.injections
        value = say(
            "term.injections.value",
            verdicts=formats.count(found.verdicts, say),
            sheets=formats.count(found.sheets, say),
        )
        value += "".join(
            say("term.injections.agent", name=names.agent(agent), n=formats.count(n, say))
            for agent, n in found.agents.items()
        )
        yield Term(label=say("term.injections"), value=value)
    for repeat in audit.repeats:
        value = say(
            "term.repeats.value",
            n=repeat.replicates,
            sd=formats.hundredth(repeat.sd),
            transcripts=formats.count(repeat.transcripts, say),
            same=formats.percent(repeat.same),
            presentations=formats.count(repeat.presentations, say),
        )
        yield Term(label=say("term.repeats", judge=names.judge(repeat.judge)), value=value)
