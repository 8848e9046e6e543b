"""arena demo: the whole walk, offline, in a workspace of its own."""

from pathlib import Path
from typing import Annotated

import typer

from arena.cli import options as o
from arena.cli.words import choose_lang, say

Folder = Annotated[
    Path | None,
    typer.Option("--dir", help="Where to put the workspace (default: a temporary folder)."),
]


def demo(folder: Folder = None, json: o.Json = False, lang: o.LangOption = None) -> None:
    """Play the whole walk with scripted agents and judges: offline, no key, nothing spent."""
    from arena.cli.guard import guarded

    language = choose_lang(lang)
    with guarded(language, as_json=json):
        import tempfile

        from arena.cli.course import follow
        from arena.cli.init import write_workspace
        from arena.cli.output import tell

        place = folder or Path(tempfile.mkdtemp(prefix="arena-demo-"))
        write_workspace(place, language)
        tell(say(language, "demo_place", folder=place))
        code = follow(
            ("collect", "score", "compare"),
            {
                "project": place,
                "dry_run": False,
                "yes": True,
                "max_cost": None,
                "allow_unpriced": False,
                "concurrency": 64,
                "note": "demo",
                "json": json,
            },
            language,
            argv=("run", "-C", str(place)),
        )
        if not json:
            tell(say(language, "next_after_demo", folder=place))
    raise typer.Exit(code)
