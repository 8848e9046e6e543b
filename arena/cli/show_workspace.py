"""arena show agents, suites, spend, todo: what a workspace holds, cost and still wants."""

import typer

from arena.cli import options as o
from arena.cli import show_options as so
from arena.cli.words import choose_lang


def agents(
    project: o.Project = None,
    suite: o.SuiteOption = None,
    mode: o.ModeOption = None,
    domain: o.DomainOption = None,
    json: o.Json = False,
    lang: o.LangOption = None,
) -> None:
    """List the agents and the judges, and how far each agent has come."""
    from arena.cli.guard import guarded

    language = choose_lang(lang)
    with guarded(language, as_json=json):
        from arena.cli.course import asked_of
        from arena.cli.imported_boards import looking
        from arena.cli.showing.who import show_agents

        with looking(asked_of(locals())) as (bench, store):
            show_agents(bench, store, language, as_json=json)
    raise typer.Exit(0)


def suites(
    name: so.Suite = None,
    project: o.Project = None,
    json: o.Json = False,
    lang: o.LangOption = None,
) -> None:
    """List the suites, or the scenarios of one."""
    from arena.cli.guard import guarded

    language = choose_lang(lang)
    with guarded(language, as_json=json):
        from arena.cli.course import asked_of
        from arena.cli.showing.suites import show_suites
        from arena.cli.workspace import open_bench

        show_suites(open_bench(asked_of({"project": project})), name, language, as_json=json)
    raise typer.Exit(0)


def spend(
    project: o.Project = None,
    suite: o.SuiteOption = None,
    mode: o.ModeOption = None,
    domain: o.DomainOption = None,
    json: o.Json = False,
    lang: o.LangOption = None,
) -> None:
    """Show where the money went: by stage, who was asked, and currency."""
    from arena.cli.guard import guarded

    language = choose_lang(lang)
    with guarded(language, as_json=json):
        from arena.cli.course import asked_of
        from arena.cli.imported_boards import looking
        from arena.cli.showing.spend import show_spend

        asked = asked_of(locals())
        with looking(asked) as (bench, store):
            show_spend(bench, store, asked, language, as_json=json)
    raise typer.Exit(0)


def todo(
    first: so.FirstKeys = 5,
    project: o.Project = None,
    suite: o.SuiteOption = None,
    mode: o.ModeOption = None,
    domain: o.DomainOption = None,
    json: o.Json = False,
    lang: o.LangOption = None,
) -> None:
    """Show what is wanted and not there yet: how much, why, and the first of it."""
    from arena.cli.guard import guarded

    language = choose_lang(lang)
    with guarded(language, as_json=json):
        from arena.cli.course import asked_of
        from arena.cli.imported_boards import looking
        from arena.cli.showing.todo import show_todo

        with looking(asked_of(locals())) as (bench, store):
            show_todo(bench, store, first, language, as_json=json)
    raise typer.Exit(0)
