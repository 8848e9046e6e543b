"""Judge templates: the package's own, or a suite's, which win.

A suite's templates are other people's code, so they are rendered in Jinja's immutable sandbox.
Prompts are plain text, so nothing is escaped; agents' text comes in as a value and is never
evaluated.

A template may use `scenario` (see `facts`), `mode` (its key) and `instruction`; rubric.j2 also
`rubric`, `code` and `transcript`; sheet.j2 (rubrics that ask for more than a number a criterion)
besides `round`, `earlier`, `kept` and `cut`; commentary.j2 `rubric`, `code`, `transcript`, `scores`
and `cut`; pairwise.j2 also `criteria`, `codes`, `first` and `second`.
"""

import traceback
from functools import lru_cache
from importlib.resources import files
from typing import Any, Literal

from jinja2 import StrictUndefined, Template, TemplateError, TemplateSyntaxError
from jinja2.sandbox import ImmutableSandboxedEnvironment

from arena.domain.suite import Suite
from arena.domain.words import Lang
from arena.errors import ConfigError

Kind = Literal["rubric", "pairwise", "forced", "sheet", "commentary"]
"""The templates; `forced` is a comparison without ties, and a suite's pairwise.j2 serves it."""


def template_text(suite: Suite, use: Kind) -> str:
    """The text of the template that a suite's judges are asked with."""
    return suite.templates.get(_own(use)) or _packaged(suite.language, use)


def render(suite: Suite, use: Kind, values: dict[str, Any], *, shown_once: tuple[str, ...]) -> str:
    """The prompt that a template makes of the values.

    Raises ConfigError when the template is wrong, uses what does not exist, or does not show each
    text of `shown_once` literally and exactly once.
    """
    name = f"{suite.suite}: templates/{_own(use)}"
    try:
        text = _compiled(template_text(suite, use)).render(values).strip()
    except (TemplateError, ArithmeticError, LookupError, TypeError, ValueError) as error:
        raise ConfigError(
            "{template}:{line}: cannot be rendered",
            why="{reason}",
            template=name,
            line=_line_of(error),
            reason=str(error),
        ) from error
    if any(text.count(part) != 1 for part in shown_once):
        raise ConfigError(
            "{template}:{line}: must show each transcript and the instruction once, as they are",
            fix="Use {instruction} and {one}, or {first} and {second}.",
            template=name,
            line=1,
            instruction="{{ instruction }}",
            one="{{ transcript }}, {{ scores }}" if use == "commentary" else "{{ transcript }}",
            first="{{ first }}",
            second="{{ second }}",
        )
    return text


def _own(use: Kind) -> str:
    """The file of a suite's own template."""
    return f"{'pairwise' if use == 'forced' else use}.j2"


def _line_of(error: Exception) -> int:
    """The line of a template where it went wrong; 1 where that is not known."""
    if isinstance(error, TemplateSyntaxError):
        return error.lineno
    frames = [f for f in traceback.extract_tb(error.__traceback__) if f.filename == "<template>"]
    return (frames[-1].lineno if frames else None) or 1


@lru_cache(maxsize=64)
def _compiled(text: str) -> Template:
    environment = ImmutableSandboxedEnvironment(
        undefined=StrictUndefined, autoescape=False, trim_blocks=True, lstrip_blocks=True
    )
    return environment.from_string(text)


@lru_cache(maxsize=8)
def _packaged(lang: Lang, use: Kind) -> str:
    return (files("arena.judging") / "templates" / lang / f"{use}.j2").read_text("utf-8")
