"""How a reader comes to what a judge was sent: the command that builds it again."""

from arena.site.facts import VerdictFact

DIGITS = 10
"""So much of a verdict's key names it, as in lists on the terminal; more might look like a number
of eleven digits, which is how telephones are recognised."""


def say_command(fact: VerdictFact) -> str:
    """The command for a verdict; empty where no model of the workspace was asked for it."""
    return f"arena show verdicts {fact.key[:DIGITS]} --input" if fact.key else ""
