"""A command line that cannot be read is told as every other error is: in at most three lines."""

import re
import sys
from collections.abc import Sequence
from difflib import get_close_matches
from typing import Any

import typer
from typer.core import TyperGroup

from arena.cli import output
from arena.cli.guard import print_error
from arena.cli.words import choose_lang, say
from arena.errors import UsageError

HELP = "{command} --help lists what it takes."
NEAR = "Did you mean {near}?"
NO_OPTION = "there is no option {name}"
NO_COMMAND = "there is no command {name}"
MISSING = "{name} is missing"
UNREADABLE = "{name} cannot be read"
REASONS = (
    (r"Input should be a valid integer.*", "It takes a whole number."),
    (r"Input should be a valid number.*", "It takes a number."),
    (r"Input should be greater than or equal to (?P<bound>.*)", "It takes {bound} or more."),
    (r"Input should be greater than (?P<bound>.*)", "It takes more than {bound}."),
    (r"Input should be less than or equal to (?P<bound>.*)", "It takes {bound} or less."),
    (r"Input should be less than (?P<bound>.*)", "It takes less than {bound}."),
    (r"Value error, .* is not one of (?P<choices>.*?)\.?", "It takes one of {choices}."),
)
"""What typer says of a value, and the same in words that need no programmer."""
LINES = (
    (r"Got unexpected extra argument\(s\) \((?P<extra>.*)\)", "nothing can be done with {extra}"),
    (r"Option '(?P<name>.*)' requires an argument", "{name} needs a value"),
    (r"Option '(?P<name>.*)' does not take a value\.?", "{name} takes no value"),
)
"""The same of a whole command line."""
UNKNOWN_VALUE = "{message}"
UNKNOWN_LINE = "the command line cannot be read: {message}"
TEMPLATES = (
    *(HELP, NEAR, NO_OPTION, NO_COMMAND, MISSING, UNREADABLE, UNKNOWN_VALUE, UNKNOWN_LINE),
    *(template for _, template in (*REASONS, *LINES)),
)
"""All that may be said here."""


class Commands(TyperGroup):
    """The commands, whose misuse is told in our words, in the language asked for, also as JSON."""

    def main(self, *args: Any, standalone_mode: bool = True, **more: Any) -> Any:
        """Run a command line (default: the process's) and end with its exit code."""
        more["standalone_mode"] = False
        if not standalone_mode:
            return super().main(*args, **more)
        given = args[0] if args else more.get("args")
        words = list(sys.argv[1:] if given is None else given)
        lang = choose_lang(_value_of("--lang", words))
        try:
            code = super().main(*args, **more)
        except typer.TyperException as error:
            if not _is_help(error):
                print_error(_in_our_words(error), lang, as_json="--json" in words)
            sys.exit(error.exit_code)
        except typer.Abort:
            output.tell(say(lang, "interrupted_early"))
            sys.exit(1)
        sys.exit(code if isinstance(code, int) else 0)


def _is_help(error: typer.TyperException) -> bool:
    """No words at all: typer has printed the help already."""
    return type(error).__name__ == "NoArgsIsHelpError"


def _value_of(option: str, words: Sequence[str]) -> str | None:
    """What a command line that nobody could read says of one option, or None."""
    for number, word in enumerate(words):
        if word == option and number + 1 < len(words):
            return words[number + 1]
        if word.startswith(f"{option}="):
            return word.partition("=")[2]
    return None


def _in_our_words(error: typer.TyperException) -> UsageError:
    """The same misuse as an error of ours; what typer says in other words is kept as it says it."""
    context = getattr(error, "ctx", None)
    command = context.command_path if context is not None else "arena"
    what, why, facts = _read(error, context)
    return UsageError(what, why=why, fix=HELP, **facts, command=command)


def _read(error: typer.TyperException, context: Any) -> tuple[str, str, dict[str, str]]:
    """What happened and why, as templates, and their facts."""
    kind = type(error).__name__
    if kind == "NoSuchOption":
        near = getattr(error, "possibilities", None) or ()
        return NO_OPTION, *_guess(getattr(error, "option_name", "?"), near)
    if kind == "MissingParameter":
        return MISSING, "", {"name": _name_of(error)}
    if kind == "BadParameter" and getattr(error, "param", None) is not None:
        why, facts = _said(error.message, REASONS) or (UNKNOWN_VALUE, {"message": error.message})
        return UNREADABLE, why, {**facts, "name": _name_of(error)}
    unknown = re.match(r"No such command '(.*?)'\.", error.message)
    if unknown is not None and context is not None:
        return NO_COMMAND, *_guess(unknown[1], _commands_like(unknown[1], context))
    message = error.message.strip().rstrip(".")
    what, facts = _said(message, LINES) or (UNKNOWN_LINE, {"message": message})
    return what, "", facts


def _guess(name: str, near: Sequence[str]) -> tuple[str, dict[str, str]]:
    """What may have been meant by `name`, if anything comes near."""
    return NEAR if near else "", {"name": name, "near": ", ".join(sorted(near))}


def _said(message: str, known: Sequence[tuple[str, str]]) -> tuple[str, dict[str, str]] | None:
    """What typer says in one of our templates with its facts, or None."""
    for pattern, template in known:
        found = re.fullmatch(pattern, message.strip(), re.DOTALL)
        if found is not None:
            return template, found.groupdict()
    return None


def _commands_like(name: str, context: Any) -> list[str]:

    return get_close_matches(name, context.command.list_commands(context))


def _name_of(error: typer.TyperException) -> str:
    """`--as` of an option, `FILE` of an argument."""
    param = getattr(error, "param", None)
    if param is None:
        return str(getattr(error, "param_hint", None) or "?")
    hint: str = param.get_error_hint()
    return hint.replace("'", "")
