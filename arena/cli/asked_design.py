"""How comparisons are chosen: what data/arena.yaml says, and over it what a command asks."""

from collections.abc import Mapping
from typing import Any

from arena.domain.config import Compare
from arena.errors import UsageError

COMPARE = ("design", "comparisons", "against", "stop_width", "looks")
"""The options by name."""


def merge(config: Compare, asked: Mapping[str, Any]) -> Compare:
    """The configuration's `compare` with a command's options over it.

    A design that the command names takes over only what it can use of the configuration. Raises
    UsageError for options that do not go together.
    """
    if not asked:
        return config
    design, against = asked.get("design"), asked.get("against")
    if against and design:
        raise UsageError("--against is a design of its own: it does not go with --design")
    terms = config.model_dump(exclude={"design", "baseline"})
    terms["design"] = "against" if against else str(design) if design else config.design
    terms["baseline"] = against or (config.baseline if not design else None)
    terms |= {name: asked[name] for name in ("comparisons", "stop_width", "looks") if name in asked}
    _check(terms, asked)
    return Compare.model_validate(terms)


def _check(terms: dict[str, Any], asked: Mapping[str, Any]) -> None:
    """Raise UsageError for options that do not go with a design; drop what it cannot use."""
    width = terms["stop_width"]
    if width is not None and not 0 < width < float("inf"):
        raise UsageError("--stop-width {width}: points, more than 0", width=width)
    for design, name in (("all", "comparisons"), ("adaptive", "stop_width")):
        if terms["design"] == design and terms[name] is not None:
            if name in asked:
                raise UsageError(
                    "--{option} does not go with the design {design}",
                    option=name.replace("_", "-"),
                    design=design,
                )
            terms[name] = None
    if terms["stop_width"] is None and terms["looks"] is not None:
        if "looks" in asked:
            raise UsageError("--looks needs --stop-width")
        terms["looks"] = None
