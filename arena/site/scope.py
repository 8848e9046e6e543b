"""What the results of a leaderboard can and cannot tell: the same words wherever they stand."""

from arena.domain.job import Job
from arena.site.words import Say

SENTENCES = ("scope_synthetic", "scope_public", "scope_judges")
OF_CHOICE = ("scope_key", "scope_public_key", "scope_other_questions")
"""Of multiple choice, where the answer key decides and no judge is asked."""
OF_IMPORT = ("scope_imported", "scope_public", "scope_judges")
"""Of somebody else's results, of which no more is known than their file says."""


def say_scope(job: Job, say: Say) -> tuple[str, ...]:
    """The limits of what a board shows, a sentence each; to be read before any number is used."""
    if job.held is not None:
        return tuple(say(key) for key in OF_IMPORT)
    return tuple(say(key) for key in (OF_CHOICE if job.suite.choice else SENTENCES))
