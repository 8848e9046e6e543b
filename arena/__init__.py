"""Which agent is better, how sure are we, where does it fail, and what does it cost.

The floors, from the top: cli, pipeline | ranking, stages | exchange | site, llm | store,
suites | judging, domain | maths, errors. Imports only go down; import-linter checks it (see
pyproject.toml).
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from arena.ranking import rank

__all__ = ["__version__", "rank"]
__version__ = "0.1.0"


def __getattr__(name: str) -> Any:
    # Whoever wants the version only must not wait for numpy.
    if name == "rank":
        from arena.ranking import rank

        return rank
    raise AttributeError(f"module 'arena' has no attribute {name!r}")
