"""Status over and over while a run goes on, and once more when it has ended."""

import time
from collections.abc import Callable

from arena.cli import output
from arena.cli.imported_boards import looking
from arena.cli.looking import look, look_on
from arena.cli.words import Lang
from arena.cli.workspace import Narrowed, open_bench
from arena.errors import StoreHeld, UsageError

EVERY = 2.0
"""Seconds between two looks; a run renews its file twice a second."""


def show_status(asked: Narrowed, lang: Lang, *, as_json: bool) -> bool:
    """Status once, from the store or beside a run; whether a run goes on.

    Raises StoreHeld where whoever holds the store tells nothing.
    """
    try:
        with looking(asked, patience=0) as (bench, store):
            look(bench, store, lang, as_json=as_json)
    except StoreHeld as held:
        look_on(open_bench(asked), held, lang, as_json=as_json)
        return True
    return False


def watch_status(
    asked: Narrowed, lang: Lang, *, as_json: bool, sleep: Callable[[float], None] = time.sleep
) -> None:
    """Status anew every two seconds until no run goes on; Ctrl-C ends it, too.

    Raises UsageError with --json, which is one document, and as `show_status` does.
    """
    if as_json:
        raise UsageError(
            "--watch shows status many times, and --json is one document",
            fix="Leave one of them away.",
        )
    while show_status(asked, lang, as_json=False):
        sleep(EVERY)
        output.clear()
