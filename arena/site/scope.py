"""What the results of a leaderboard can and cannot tell: the same words wherever they stand."""

from arena.domain.suite import Suite
from arena.site.words import Say

SENTENCES = ("scope_synthetic", "scope_public", "scope_judges")
OF_CHOICE = ("scope_key", "scope_public_key", "scope_other_questions")
"""Of multiple choice, where the answer key decides and no judge is asked."""


def say_scope(suite: Suite, say: Say) -> tuple[str, ...]:
    """The limits of what a suite shows, a sentence each; to be read before any number is used."""
    return tuple(say(key) for key in (OF_CHOICE if suite.choice else SENTENCES))
