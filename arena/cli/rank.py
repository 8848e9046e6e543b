"""arena rank: ratings with intervals, from what the store holds."""

import typer

from arena.cli import options as o
from arena.cli.words import choose_lang


def rank(
    project: o.Project = None,
    suite: o.SuiteOption = None,
    mode: o.ModeOption = None,
    domain: o.DomainOption = None,
    seed: o.Seed = None,
    json: o.Json = False,
    lang: o.LangOption = None,
) -> None:
    """Fit the ratings, with intervals and rank ranges; free and offline."""
    from arena.cli.guard import guarded

    language = choose_lang(lang)
    with guarded(language, as_json=json):
        from arena.cli.boards import rank_all, show_board
        from arena.cli.course import asked_of
        from arena.cli.output import print_json, tell
        from arena.cli.words import say
        from arena.cli.workspace import open_bench
        from arena.domain.board import to_json
        from arena.store.store import Store

        bench = open_bench(asked_of(locals()))
        with Store(bench.workspace.database) as store:
            boards = rank_all(bench, store)
        if json:
            print_json({"schema": "arena.boards/1", "boards": [to_json(b) for b in boards]})
        else:
            for job, board in zip(bench.jobs, boards, strict=True):
                show_board(job, board, language)
            tell(say(language, "next_after_rank"))
    raise typer.Exit(0)
