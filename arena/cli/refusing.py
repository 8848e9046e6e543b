"""What is said of rows that are wrong, and the exit codes that go with them."""

from arena.cli import output
from arena.cli.words import Lang, say
from arena.domain.imported import LeftOut

REFUSED, SKIPPED = 2, 3
"""Exit codes: nothing came in; all but the bad rows came in."""


def show_bad(bad: LeftOut, lang: Lang, *, refused: bool) -> None:
    """A line on stderr for each kind of fault with its places, and what was done about it."""
    for reason, n in sorted(bad.counts.items()):
        why, places = say(lang, f"import_left_{reason}"), bad.places[reason]
        where = output.in_one_line(", ".join(places) + (" …" if n > len(places) else ""))
        line = say(lang, "import_bad", n=f"{n:,}", why=why, places=where)
        output.tell(line, style="red" if refused else "yellow")
    if bad.counts and refused:
        output.tell(say(lang, "import_refused"), style="red")
