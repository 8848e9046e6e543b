"""arena status: coverage, money spent, errors by kind, what to run next."""

import typer

from arena.cli import options as o
from arena.cli.words import choose_lang


def status(
    project: o.Project = None,
    suite: o.SuiteOption = None,
    mode: o.ModeOption = None,
    domain: o.DomainOption = None,
    json: o.Json = False,
    lang: o.LangOption = None,
) -> None:
    """Show what is there, what is missing, what was spent; works beside a running `arena run`."""
    from arena.cli.guard import guarded

    language = choose_lang(lang)
    with guarded(language, as_json=json):
        from arena.cli.course import asked_of
        from arena.cli.imported_boards import looking
        from arena.cli.looking import look, look_on
        from arena.cli.workspace import open_bench
        from arena.errors import StoreHeld

        asked = asked_of(locals())
        try:
            with looking(asked, patience=0) as (bench, store):
                look(bench, store, language, as_json=json)
        except StoreHeld as held:
            look_on(open_bench(asked), held, language, as_json=json)
    raise typer.Exit(0)
