"""The command `arena`: commands in panels, each in a module of its own."""

from typing import Annotated

import typer

from arena import __version__
from arena.cli import (
    demo,
    diagnose,
    doctor,
    export,
    importing,
    init,
    plan,
    publish,
    rank,
    run,
    serve,
    show,
    status,
    vote,
)
from arena.cli.misuse import Commands
from arena.cli.options import LOOK, PUBLISH, RUN, SETUP

app = typer.Typer(
    name="arena",
    cls=Commands,
    help="Which agent is better, how sure are we, where does it fail, and what does it cost?",
    no_args_is_help=True,
    add_completion=True,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(asked: bool) -> None:
    if asked:
        typer.echo(f"arena {__version__}")
        raise typer.Exit


@app.callback()
def _root(
    version: Annotated[
        bool,
        typer.Option("--version", help="Print the version.", callback=_version, is_eager=True),
    ] = False,
) -> None:
    """The workspace is this folder, or one above it, that holds data/arena.yaml."""


app.command(rich_help_panel=SETUP)(init.init)
app.command(rich_help_panel=SETUP)(demo.demo)
app.command(rich_help_panel=SETUP)(doctor.doctor)
app.command(rich_help_panel=SETUP, name="import")(importing.import_)
app.command(rich_help_panel=RUN)(run.run)
app.command(rich_help_panel=RUN)(run.collect)
app.command(rich_help_panel=RUN)(run.score)
app.command(rich_help_panel=RUN)(run.compare)
app.command(rich_help_panel=LOOK)(rank.rank)
app.command(rich_help_panel=LOOK)(diagnose.diagnose)
app.command(rich_help_panel=LOOK)(status.status)
app.add_typer(show.app, rich_help_panel=LOOK)
app.command(rich_help_panel=LOOK)(plan.plan)
app.command(rich_help_panel=PUBLISH)(publish.publish)
app.command(rich_help_panel=PUBLISH)(export.export)
app.command(rich_help_panel=PUBLISH)(serve.serve)
app.command(rich_help_panel=PUBLISH)(vote.vote)


def main() -> None:
    """What the console script calls."""
    from arena.cli.output import open_streams

    open_streams()
    app()
