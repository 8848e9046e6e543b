"""arena init: a workspace to begin with."""

from pathlib import Path
from typing import Annotated

import typer

from arena.cli import options as o
from arena.cli.words import Lang, choose_lang, say

TEMPLATE = "data/templates/scenarios.xlsx"
"""The empty table from which `arena import scenarios` makes a suite."""


def init(
    folder: Annotated[Path, typer.Argument(help="Where (default: this folder).")] = Path(),
    json: o.Json = False,
    lang: o.LangOption = None,
) -> None:
    """Make a workspace: a commented data/arena.yaml, an example suite, .env.example."""
    from arena.cli.guard import guarded

    language = choose_lang(lang)
    with guarded(language, as_json=json):
        from arena.cli.output import print_json, tell

        made, kept = write_workspace(folder, language)
        if json:
            print_json(
                {
                    "schema": "arena.init/1",
                    "folder": str(folder.resolve()),
                    "made": made,
                    "kept": kept,
                }
            )
        else:
            for name in made:
                tell(say(language, "init_made", name=name))
            for name in kept:
                tell(say(language, "init_kept", name=name), style="yellow")
            where = "" if folder == Path() else f"-C {folder} "
            tell(say(language, "next_after_init", where=where), style="bold")
    raise typer.Exit(0)


def write_workspace(folder: Path, lang: Lang) -> tuple[list[str], list[str]]:
    """Write the files that are not there yet; returns what was made and what was kept as it is.

    Raises ConfigError when the folder cannot be written.
    """
    from importlib.resources import files

    from arena.errors import ConfigError
    from arena.exchange.template import write_template

    starter = files("arena.cli").joinpath("starter")
    own = starter.joinpath(lang)
    contents = {
        "data/arena.yaml": own.joinpath("arena.yaml").read_text(encoding="utf-8"),
        "data/prompts/careful.md": own.joinpath("careful.md").read_text(encoding="utf-8"),
        ".env.example": own.joinpath("env.example").read_text(encoding="utf-8"),
        ".gitignore": starter.joinpath("gitignore").read_text(encoding="utf-8"),
        **{
            f"data/suites/example/{part.name}": part.read_text(encoding="utf-8")
            for part in sorted(starter.joinpath("example").iterdir(), key=lambda p: p.name)
        },
    }
    made: list[str] = []
    kept: list[str] = []
    try:
        for name, text in contents.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            try:
                with path.open("x", encoding="utf-8", newline="\n") as stream:
                    stream.write(text)
            except FileExistsError:
                kept.append(name)
            else:
                made.append(name)
        (kept if (folder / TEMPLATE).exists() else made).append(TEMPLATE)
        if TEMPLATE in made:
            write_template(folder / TEMPLATE)
        for name in ("results", "leaderboard"):
            (folder / name).mkdir(exist_ok=True)
    except OSError as error:
        raise ConfigError(
            "{folder}: cannot be written: {reason}", folder=folder, reason=error.strerror
        ) from None
    return made, kept
