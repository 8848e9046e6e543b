"""Which font here shows Chinese in the figures that are drawn for files."""

from arena.site.whiskers import FONTS

SAMPLE = "智能体，排行榜"


def chinese_font() -> str | None:
    """The name of the font that figures take for Chinese; None where none here holds it."""
    from matplotlib import font_manager

    installed = {font.name: font.fname for font in font_manager.fontManager.ttflist}
    for name in FONTS:
        if name in installed:
            held = font_manager.get_font(installed[name]).get_charmap()
            if all(ord(c) in held for c in SAMPLE):
                return name
    return None
