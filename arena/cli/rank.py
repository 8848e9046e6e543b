"""arena rank: ratings with intervals, from what the store holds or from a file."""

import typer

from arena.cli import options as o
from arena.cli import rank_options as r
from arena.cli.words import choose_lang


def rank(
    file: r.File = None,
    import_: o.ImportOption = None,
    project: o.Project = None,
    suite: o.SuiteOption = None,
    mode: o.ModeOption = None,
    domain: o.DomainOption = None,
    ties: r.Ties = None,
    prior_sd: r.PriorSd = None,
    resamples: r.Resamples = None,
    seed: o.Seed = None,
    level: r.Level = None,
    interval: r.Interval = None,
    anchor: r.Anchor = None,
    min_comparisons: r.MinComparisons = None,
    control: r.Control = None,
    by: r.By = None,
    check: r.Check = False,
    allow_mixed_judges: r.MixedJudges = False,
    columns: r.Columns = None,
    cluster: r.Cluster = None,
    key: r.Key = None,
    where: r.Where = None,
    judge: r.Judge = None,
    outcome: r.Outcome = r.OutcomeKind.WINNER,
    single_order: r.Single = r.SingleOrder.DROP,
    method: r.Method = r.Estimator.BT,
    k: r.K = None,
    like: r.Like = None,
    humans: r.Humans = None,
    draws: r.Draws = None,
    format: r.FormatOption = r.Format.TABLE,
    json: o.Json = False,
    lang: o.LangOption = None,
) -> None:
    """Fit the ratings, with intervals and rank ranges; free and offline.

    arena rank ranks the workspace; arena rank FILE ranks a file of outcomes, without one;
    arena rank --import NAME ranks votes that were imported, with the options of files.
    """
    from arena.cli.guard import guarded

    language = choose_lang(lang)
    as_json = json or format is r.Format.JSON
    with guarded(language, as_json=as_json):
        from arena.cli.ranking import rank_file, rank_workspace

        if file is None or import_:
            rank_workspace(locals(), language, as_json=as_json)
        else:
            rank_file(file, locals(), language, as_json=as_json)
    raise typer.Exit(0)
