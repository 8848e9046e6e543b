"""Which use case brings in a file of which format."""

import sys
from collections.abc import Mapping
from typing import Any

from arena.cli.bringing import Return, import_script
from arena.cli.flagging import import_flags
from arena.cli.imported import check_format, import_table, make_template
from arena.cli.imported_suite import FORMATS, Wanted, import_folder
from arena.cli.words import Lang
from arena.cli.workspace import command_line
from arena.exchange import flags, script_columns


def bring_in(given: Mapping[str, Any], lang: Lang, *, as_json: bool) -> int:
    """Import what a command's options name; returns the exit code.

    Raises UsageError for an unknown format, or an option that is not of it.
    """
    name, path, project = given["format"], given["path"], given["project"]
    check_format(name, _options(given))
    argv = tuple(sys.argv[1:])
    if name in FORMATS:
        wanted = Wanted(
            format=name,
            source=path,
            name=given["name"],
            project=project,
            dry=given["dry_run"],
            makers=given["agents"],
            judge=given["judge"],
            command=command_line(argv),
        )
        return import_folder(wanted, lang, as_json=as_json)
    if name == flags.FORMAT:
        import_flags(path, project, given["judge"], lang, argv=argv, as_json=as_json)
        return 0
    if name == script_columns.FORMAT:
        back = Return(
            path=path,
            project=project,
            dry=given["dry_run"],
            skip=given["skip_bad"],
            replicate=given["replicate"],
            command=command_line(argv),
        )
        return import_script(back, lang, as_json=as_json)
    if given["template"] is not None:
        make_template(given["template"], path, lang, as_json=as_json)
        return 0
    return import_table(path, given["folder"], project, lang, as_json=as_json)


def _options(given: Mapping[str, Any]) -> dict[str, bool]:
    return {
        "DIR": given["folder"] is not None,
        "--template": given["template"] is not None,
        "--as": given["name"] is not None,
        "--agents": given["agents"] is not None,
        "--judged-by": given["judge"] is not None,
        "--dry-run": given["dry_run"],
        "--skip-bad": given["skip_bad"],
        "--replicate": given["replicate"] is not None,
    }
