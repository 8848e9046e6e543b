"""arena publish: the static leaderboard."""

import typer

from arena.cli import options as o
from arena.cli import publish_options as p
from arena.cli.words import choose_lang


def publish(
    project: o.Project = None,
    suite: o.SuiteOption = None,
    mode: o.ModeOption = None,
    domain: o.DomainOption = None,
    compare: p.Compare = None,
    out: p.Out = None,
    to: p.To = None,
    repo: p.Repo = None,
    branch: p.Branch = None,
    transcripts: p.TranscriptsOption = None,
    anonymise_vendors: p.Anonymise = False,
    allow_finding: p.AllowFinding = None,
    show_notes: p.ShowNotes = False,
    figures: p.Figures = False,
    pdf: p.Pdf = False,
    json: o.Json = False,
    lang: o.LangOption = None,
) -> None:
    """Write the leaderboard: static pages in both languages, no network needed."""
    from arena.cli.guard import guarded

    given, language = dict(locals()), choose_lang(lang)
    with guarded(language, as_json=json):
        from arena.cli.course import asked_of
        from arena.cli.imported_boards import looking
        from arena.cli.output import print_json
        from arena.cli.publishing import describe_done, publish_asked, show_done

        with looking(asked_of(given)) as (bench, store):
            done = publish_asked(bench, store, given, language)
        if json:
            print_json(describe_done(done))
        else:
            show_done(done, bench, language)
    raise typer.Exit(0)
