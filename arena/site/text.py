"""Text that others wrote, made safe to show: models, judges, vendors and error messages.

Everything here is hostile until shown otherwise. Escaping alone is not enough: a right-to-left
override or a zero-width character survives it and can make a page lie about what was said.
"""

import re
import unicodedata
from collections.abc import Iterable, Mapping

from markupsafe import Markup, escape

HIDDEN = frozenset({"Cc", "Cf", "Co", "Cs"})
"""Unicode categories without a glyph of their own: shown as code points."""
KEPT = frozenset("\n\t")


def _is_hidden(char: str) -> bool:
    return char not in KEPT and unicodedata.category(char) in HIDDEN


def _lines(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _code_points(text: str, shown: str) -> dict[int, str]:
    """What is written for each character of a text that has no glyph of its own."""
    # Almost every text is printable but for its lines, and this is asked of all of them.
    if text.replace("\n", "").replace("\t", "").isprintable():
        return {}
    return {ord(c): shown.format(ord(c)) for c in set(text) if _is_hidden(c)}


def plain(text: str) -> str:
    """Text for attributes and names: what has no glyph is written as U+XXXX."""
    # Almost every name and label is of this kind, and this is asked of all that reach a page.
    if text.isprintable():
        return text
    lines = _lines(text)
    points = _code_points(lines, "U+{:04X}")
    return lines.translate(points) if points else lines


def visible(text: str) -> Markup:
    """Escaped text in which what has no glyph stands out as its code point."""
    if text.isprintable():
        return escape(text)
    lines = _lines(text)
    points = _code_points(lines, '<span class="cp">U+{:04X}</span>')
    # Escaping makes and takes away none of them.
    return Markup(str(escape(lines)).translate(points)) if points else escape(lines)


def unblind(text: str, names: Mapping[str, str]) -> Markup:
    """Escaped text with the blind codes of a verdict replaced by the agents' names.

    Codes are replaced in the escaped text, never inside an entity or a tag, and only as whole
    words, so that neither a code nor a name can become markup.
    """
    shown = visible(text)
    by_code = {
        str(escape(c)): f'<b class="who">{escape(plain(n))}</b>'
        for c, n in names.items()
        if c and str(escape(c)) in shown
    }
    if not by_code:
        return shown
    pattern = _OF_RUNS if _are_runs(by_code) else _of_codes(by_code, r"<[^>]*>|&[#\w]+;|")
    return Markup(pattern.sub(lambda m: by_code.get(m[0], m[0]), str(shown)))


def unblind_text(text: str, names: Mapping[str, str]) -> str:
    """Text as it is, with the blind codes of a verdict replaced by names, as whole words."""
    by_code = {c: n for c, n in names.items() if c and c in text}
    if not by_code:
        return text
    pattern = _RUNS if _are_runs(by_code) else _of_codes(by_code)
    return pattern.sub(lambda m: by_code.get(m[0], m[0]), text)


_RUNS = re.compile("[A-Za-z0-9]+")
_OF_RUNS = re.compile(r"<[^>]*>|&[#\w]+;|[A-Za-z0-9]+")


def _are_runs(codes: Iterable[str]) -> bool:
    """Whether codes are plain runs of letters and digits, as ours are: one pattern is for all."""
    return all(_RUNS.fullmatch(code) for code in codes)


def _of_codes(codes: Iterable[str], before: str = "") -> re.Pattern[str]:
    either = "|".join(re.escape(c) for c in sorted(codes, key=len, reverse=True))
    return re.compile(rf"{before}(?<![A-Za-z0-9])(?:{either})(?![A-Za-z0-9])")
