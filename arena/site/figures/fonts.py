"""Fonts that hold what a figure says, Chinese above all: from those that are there, best first."""

import fnmatch
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from arena.errors import UsageError

USUAL = "DejaVu Sans"
"""Comes with matplotlib, and holds no Chinese."""
INSTALLED = (
    "Noto Sans CJK SC", "Noto Sans SC", "Noto Sans CJK *", "Source Han Sans SC",
    "Source Han Sans *", "WenQuanYi Micro Hei", "WenQuanYi *", "Microsoft YaHei", "PingFang SC",
    "SimHei", "Droid Sans Fallback",
)  # fmt: skip
"""Families that hold Chinese, best first. Any face of a collection will do."""
FILES = (".ttf", ".otf", ".ttc")
EXTRA = "zh-fonts"
"""The extra that brings a font along."""


@dataclass(frozen=True, slots=True)
class Typeface:
    """Families to use, in order, and the characters that they hold."""

    families: tuple[str, ...]
    held: frozenset[int]

    def covers(self, text: str) -> bool:
        """Whether all of a text can be shown."""
        return all(ord(c) in self.held for c in text)


def choose_typeface(texts: Iterable[str], font: str | None = None) -> Typeface:
    """The fonts to use for some texts: the one asked for, installed ones, that of the extra.

    No more are taken than the texts need. Raises UsageError for a font that is not there.
    """
    from matplotlib import font_manager

    wanted = {ord(c) for text in texts for c in text}
    families, held = [USUAL], set(_characters(font_manager.findfont(USUAL)))
    if font is not None:
        name, file = _asked(font)
        # What was asked for goes first, and the usual one fills its gaps.
        families, held = [name, USUAL], held | _characters(file)
    for name, file in _more():
        if wanted <= held:
            break
        if name not in families:
            held |= _characters(file)
            families.append(name)
    return Typeface(tuple(families), frozenset(held))


def _more() -> Iterable[tuple[str, str]]:
    yield from _installed()
    if (found := _extra()) is not None:
        yield _add(found)


def _installed() -> list[tuple[str, str]]:
    """Families that hold Chinese and are there, with a file of each."""
    from matplotlib import font_manager

    files: dict[str, str] = {}
    for entry in sorted(font_manager.fontManager.ttflist, key=lambda e: (e.weight != 400, e.fname)):
        files.setdefault(entry.name, entry.fname)
    names = [n for like in INSTALLED for n in sorted(files) if fnmatch.fnmatchcase(n, like)]
    return [(name, files[name]) for name in dict.fromkeys(names)]


def _extra() -> Path | None:
    """The font of the extra, where it is installed."""
    try:
        from pylopdf_fonts_zh_cn import sans_path
    except ImportError:
        return None
    found = Path(sans_path())
    return found if found.is_file() else None


def _asked(font: str) -> tuple[str, str]:
    from matplotlib import font_manager

    path = Path(font)
    if path.suffix.lower() in FILES:
        if not path.is_file():
            raise UsageError("--font: no such file: {font}", font=font)
        return _add(path)
    files = {entry.name.casefold(): entry for entry in font_manager.fontManager.ttflist}
    if (entry := files.get(font.casefold())) is None:
        near = sorted(name for name, _ in _installed())
        raise UsageError(
            "--font: {font} is not installed",
            fix="Give a font file, or one of: {names}.",
            font=font,
            names=", ".join(near) or USUAL,
        )
    return entry.name, entry.fname


def _add(path: Path) -> tuple[str, str]:
    """Make a font file known to matplotlib; raises UsageError for what is none."""
    from matplotlib import font_manager

    try:
        name = font_manager.FontProperties(fname=str(path)).get_name()
        known = {entry.fname for entry in font_manager.fontManager.ttflist}
        if str(path) not in known:
            font_manager.fontManager.addfont(str(path))
    except (OSError, RuntimeError) as error:
        raise UsageError(
            "--font: {font} is no font: {reason}", font=path, reason=str(error)[:200]
        ) from None
    return name, str(path)


def _characters(file: str) -> set[int]:
    from matplotlib.font_manager import get_font

    return set(get_font(file).get_charmap())


def chinese_font(sample: str = "智能体，排行榜") -> str | None:
    """The family that figures take for Chinese; None where none here holds the sample."""
    face = choose_typeface([sample])
    return next((n for n in face.families if n != USUAL), None) if face.covers(sample) else None
