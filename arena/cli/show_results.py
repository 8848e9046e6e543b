"""arena show scenario, transcript, scores, verdicts, duel: what was said and how it was judged."""

import typer

from arena.cli import options as o
from arena.cli import show_options as so
from arena.cli.words import choose_lang


def scenario(
    name: so.Scenario,
    project: o.Project = None,
    suite: o.SuiteOption = None,
    mode: o.ModeOption = None,
    domain: o.DomainOption = None,
    json: o.Json = False,
    lang: o.LangOption = None,
) -> None:
    """Show what a scenario asks and how each agent did in it."""
    from arena.cli.guard import guarded

    language = choose_lang(lang)
    with guarded(language, as_json=json):
        from arena.cli.course import asked_of
        from arena.cli.imported_boards import looking
        from arena.cli.showing.dialogue import show_scenario

        with looking(asked_of(locals())) as (bench, store):
            show_scenario(bench, store, name, language, as_json=json)
    raise typer.Exit(0)


def transcript(
    name: so.Transcript,
    project: o.Project = None,
    suite: o.SuiteOption = None,
    mode: o.ModeOption = None,
    domain: o.DomainOption = None,
    json: o.Json = False,
    lang: o.LangOption = None,
) -> None:
    """Show one transcript, round by round, with its scores."""
    from arena.cli.guard import guarded

    language = choose_lang(lang)
    with guarded(language, as_json=json):
        from arena.cli.course import asked_of
        from arena.cli.imported_boards import looking
        from arena.cli.showing.dialogue import show_transcript

        with looking(asked_of(locals())) as (bench, store):
            show_transcript(bench, store, name, language, as_json=json)
    raise typer.Exit(0)


def scores(
    key: so.Key = None,
    agents: so.Agents = None,
    scenarios: so.Scenarios = None,
    judges: so.Judges = None,
    project: o.Project = None,
    suite: o.SuiteOption = None,
    mode: o.ModeOption = None,
    domain: o.DomainOption = None,
    json: o.Json = False,
    lang: o.LangOption = None,
) -> None:
    """List scoring sheets, or show one with every criterion."""
    from arena.cli.guard import guarded

    language = choose_lang(lang)
    with guarded(language, as_json=json):
        from arena.cli.course import asked_of
        from arena.cli.imported_boards import looking
        from arena.cli.showing.judged import find_part
        from arena.cli.showing.scores import show_scores

        with looking(asked_of(locals())) as (bench, store):
            part = find_part(bench, agents, scenarios, judges)
            show_scores(bench, store, key, part, language, as_json=json)
    raise typer.Exit(0)


def verdicts(
    key: so.Key = None,
    input: so.Input = False,
    agents: so.Agents = None,
    scenarios: so.Scenarios = None,
    judges: so.Judges = None,
    project: o.Project = None,
    suite: o.SuiteOption = None,
    mode: o.ModeOption = None,
    domain: o.DomainOption = None,
    json: o.Json = False,
    lang: o.LangOption = None,
) -> None:
    """List verdicts, or show one with its reason; --input: what the judge was sent."""
    from arena.cli.guard import guarded

    language = choose_lang(lang)
    with guarded(language, as_json=json):
        from arena.cli.course import asked_of
        from arena.cli.imported_boards import looking
        from arena.cli.showing.judged import find_part
        from arena.cli.showing.verdicts import show_verdicts
        from arena.errors import UsageError

        if input and key is None:
            raise UsageError("--input needs a KEY", fix="`arena show verdicts` lists them.")
        with looking(asked_of(locals())) as (bench, store):
            part = find_part(bench, agents, scenarios, judges)
            show_verdicts(bench, store, key, part, language, whole_input=input, as_json=json)
    raise typer.Exit(0)


def duel(
    a: so.First,
    b: so.Second,
    most: so.Most = 3,
    project: o.Project = None,
    suite: o.SuiteOption = None,
    mode: o.ModeOption = None,
    domain: o.DomainOption = None,
    json: o.Json = False,
    lang: o.LangOption = None,
) -> None:
    """Show two agents against each other: by domain, how sure, the closest and clearest cases."""
    from arena.cli.guard import guarded

    language = choose_lang(lang)
    with guarded(language, as_json=json):
        from arena.cli.course import asked_of
        from arena.cli.imported_boards import looking
        from arena.cli.showing.duel import show_duel

        with looking(asked_of(locals())) as (bench, store):
            show_duel(bench, store, (a, b), most, language, as_json=json)
    raise typer.Exit(0)
