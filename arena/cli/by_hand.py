"""What is said of agents that only a person can talk to: how much is missing, and two commands."""

from collections.abc import Mapping

from arena.cli import output
from arena.cli.words import Lang, say
from arena.cli.workspace import command_line

FILE = "script.xlsx"
"""What a script is called where the user has not named one."""


def tell_by_hand(waiting: Mapping[str, int], lang: Lang) -> None:
    """A line for every agent whose transcripts a person is to bring. `waiting`: how many."""
    for agent, n in sorted(waiting.items()):
        export = command_line(("export", "script", FILE, "--agent", agent))
        back = command_line(("import", "script", FILE))
        output.tell(say(lang, "by_hand_waiting", agent=agent, n=f"{n:,}", export=export, back=back))
