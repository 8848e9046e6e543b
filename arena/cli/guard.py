"""Errors become exit codes here, and nowhere else."""

import os
import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict

import typer

from arena.cli import output
from arena.cli.signals import Terminated, terminable
from arena.cli.words import Lang, say, translate
from arena.errors import ArenaError


@contextmanager
def guarded(lang: Lang, *, as_json: bool) -> Iterator[None]:
    """Within the block, an error of ours is printed in at most three lines and ends the command.

    Exit codes are the error's own; anything unexpected is 1, with a traceback only where
    ARENA_DEBUG is set.
    """
    try:
        with terminable():
            yield
    except ArenaError as error:
        print_error(error, lang, as_json)
        raise typer.Exit(error.exit_code) from None
    except KeyboardInterrupt as error:
        output.tell(say(lang, "interrupted_early"))
        raise typer.Exit(143 if isinstance(error, Terminated) else 130) from None
    except BrokenPipeError:
        # Whoever read us has gone; nothing more can be said on stdout.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise typer.Exit(1) from None
    except typer.Exit:
        raise
    except Exception as error:
        if os.environ.get("ARENA_DEBUG"):
            traceback.print_exc()
        unexpected = ArenaError(
            "unexpected error: {error}",
            fix="Set ARENA_DEBUG=1 to see where it comes from.",
            error=f"{type(error).__name__}: {error}"[:300],
        )
        print_error(unexpected, lang, as_json)
        raise typer.Exit(1) from None


def print_error(error: ArenaError, lang: Lang, as_json: bool) -> None:
    """What happened, why and what to do on stderr; with `as_json` also a document on stdout."""
    what, why, fix = (
        translate(lang, part, error.facts) for part in (error.what, error.why, error.fix)
    )
    if as_json:
        told = {"kind": error.kind, "message": what, "why": why, "hint": fix}
        found = [asdict(finding) for finding in getattr(error, "findings", ())]
        listed = {"findings": found} if found else {}
        output.print_json({"schema": "arena.error/1", "error": {**told, **listed}})
    lines = [f"{say(lang, 'error')}{what}", why, fix]
    for line in lines:
        if line:
            output.tell(line, style="red" if line is lines[0] else "")
