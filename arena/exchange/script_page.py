"""A script as a page to read and to print: it stands alone and nothing in it runs.

Answers come back in the spreadsheet; the page says so.
"""

from collections.abc import Iterator, Sequence
from html import escape
from pathlib import Path

from arena.domain.by_hand import Errand
from arena.domain.words import Lang
from arena.exchange.new_file import save_new
from arena.exchange.script_words import ON_PAPER, ROUND, RULES, TITLE, both, heading

HTML_LANG = {"zh": "zh-CN", "en": "en"}
SAID = {
    "zh": {
        "new": "新对话",
        "paste": "粘贴这段话",
        "welcome": "产品先说的话",
        "answer": "产品的回答",
    },
    "en": {
        "new": "New chat",
        "paste": "Paste this",
        "welcome": "What it says first",
        "answer": "Answer",
    },
}
STYLE = """
body { font: 16px/1.6 system-ui, "PingFang SC", "Microsoft YaHei", "Noto Sans CJK SC", sans-serif;
  max-width: 46rem; margin: 2rem auto; padding: 0 1rem; color: #1a1a1a; background: #fff; }
h2 { border-top: 3px solid #1a1a1a; padding-top: .6rem; margin-top: 2.4rem; }
h2 small, h3 small { font-weight: normal; }
pre { font: inherit; white-space: pre-wrap; overflow-wrap: anywhere; border: 1px solid #595959;
  border-left-width: 6px; padding: .6rem .8rem; margin: .3rem 0; }
.answer { border: 1px dashed #595959; min-height: 5rem; padding: .2rem .6rem; color: #595959; }
.note { border: 2px solid #1a1a1a; padding: .6rem 1rem; }
@media print { body { max-width: none; margin: 0; } h2 { break-before: page; }
  h2.first { break-before: auto; } h3, pre, .answer { break-inside: avoid; } }
"""


def write_page(
    errands: Sequence[Errand], path: Path, *, agent: str, version: str, first: Lang
) -> None:
    """Write the page; `first` is the language that stands first.

    Raises UsageError for a file that is there or cannot be written.
    """
    text = "\n".join(_lines(errands, agent, version, first)) + "\n"
    save_new(path, text.encode("utf-8", errors="replace"))


def _lines(errands: Sequence[Errand], agent: str, version: str, first: Lang) -> Iterator[str]:
    titles = {lang: TITLE[lang].format(agent=agent, version=version) for lang in both(first)}
    policy = "default-src 'none'; style-src 'unsafe-inline'"
    yield "<!DOCTYPE html>"
    yield f'<html lang="{HTML_LANG[first]}">'
    yield '<head><meta charset="utf-8">'
    yield f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">'
    yield f"<title>{escape(titles[first])}</title><style>{STYLE}</style></head><body><main>"
    yield f"<h1>{escape(titles[first])}</h1>"
    for lang in both(first):
        if lang != first:
            yield f'<p lang="{HTML_LANG[lang]}"><strong>{escape(titles[lang])}</strong></p>'
        yield f'<p class="note" lang="{HTML_LANG[lang]}">{escape(ON_PAPER[lang])}</p>'
        yield f'<ol lang="{HTML_LANG[lang]}">'
        yield from (f"<li>{escape(rule)}</li>" for rule in RULES[lang])
        yield "</ol>"
    for n, errand in enumerate(errands):
        yield from _dialogue(errand, first, first_of_all=n == 0)
    yield "</main></body></html>"


def _dialogue(errand: Errand, first: Lang, *, first_of_all: bool) -> Iterator[str]:
    mark = ' class="first"' if first_of_all else ""
    yield f"<section><h2{mark}>{_said('new', first)}: {escape(heading(errand, first))}</h2>"
    yield f'<div class="answer">{_said("welcome", first)}</div>'
    for number, turn in enumerate(errand.turns, start=1):
        rounds = [_marked(lang, ROUND[lang].format(n=number), first) for lang in both(first)]
        yield f"<h3>{' · '.join(rounds)} — {_said('paste', first)}</h3>"
        yield f"<pre>{escape(turn)}</pre>"
        yield f'<div class="answer">{_said("answer", first)}</div>'
    yield "</section>"


def _said(key: str, first: Lang) -> str:
    return " / ".join(_marked(lang, SAID[lang][key], first) for lang in both(first))


def _marked(lang: Lang, text: str, first: Lang) -> str:
    """A text in its language, which is named where it is not that of the page."""
    said = escape(text)
    return said if lang == first else f'<span lang="{HTML_LANG[lang]}">{said}</span>'
