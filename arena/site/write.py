"""Putting a site in place: written beside its folder, then moved in file by file.

A folder is ours if it is empty or holds our marker. Files go in one by one by `Path.replace`, which
needs no folder to be renamed, so a server or a browser may have the old ones open.
"""

import glob
import json
import re
import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path, PurePosixPath

from arena.errors import CheckFailed

MARKER = ".arena-site.json"
SCHEMA = "arena.site/1"
LEFT_ALONE = frozenset(
    {"sample", "README.md", "README.zh.md", ".gitignore", ".gitkeep", ".git", "CNAME"}
)
"""What may lie in the folder of a site without being ours; the last two on a branch for pages."""
_OURS = re.compile(r"(?:[a-z0-9][a-z0-9._-]*/)*\.?[a-z0-9][a-z0-9._-]*")


def scratch_of(out: Path) -> tuple[Path, str]:
    """Where something may lie while a site is made, and how its name begins.

    The next publish removes whatever is left there.
    """
    home = out.resolve()
    return home.parent, f".{home.name}.arena-"


def clear_scratch(out: Path) -> None:
    """Remove what a publish that was killed has left beside a site."""
    folder, prefix = scratch_of(out)
    for left in folder.glob(f"{glob.escape(prefix)}*"):
        shutil.rmtree(left, ignore_errors=True)


def refuse_foreign(out: Path) -> None:
    """Raises CheckFailed if `out` holds what we did not write, or is no folder."""
    if not out.exists():
        return
    if not out.is_dir():
        raise CheckFailed("{out} is not a folder", fix="Choose another place with --out.", out=out)
    if (out / MARKER).is_file():
        return
    foreign = sorted(p.name for p in out.iterdir() if p.name not in LEFT_ALONE)
    if foreign:
        raise CheckFailed(
            "{out} is not empty and was not made by arena: {foreign}",
            why="it has no {marker}, so nothing in it was touched",
            fix="Choose another folder with --out, or empty this one.",
            out=out,
            foreign=foreign[0],
            marker=MARKER,
        )


def marker(files: list[str]) -> bytes:
    """The marker of a site with these files."""
    document = {"schema": SCHEMA, "files": sorted({*files, MARKER})}
    return (json.dumps(document, indent=1) + "\n").encode()


def write_site(out: Path, files: Mapping[str, bytes]) -> None:
    """Put checked files in place and remove those of the last time that are no longer there."""
    refuse_foreign(out)
    out.mkdir(parents=True, exist_ok=True)
    old = _files_of(out)
    clear_scratch(out)
    folder, prefix = scratch_of(out)
    beside = Path(tempfile.mkdtemp(prefix=prefix, dir=folder))
    try:
        for path, content in files.items():
            _put(beside / path, content)
        # Until all is in place the marker names old and new files, so that a publish that is
        # interrupted here is tidied up by the next.
        _put(beside / "both", marker([*old, *files]))
        (beside / "both").replace(out / MARKER)
        pages = [path for path in files if path != MARKER]
        for path in pages:
            (out / path).parent.mkdir(parents=True, exist_ok=True)
            (beside / path).replace(out / path)
        _remove(out, [path for path in old if path not in files and path != MARKER])
        _put(beside / MARKER, files.get(MARKER, marker(pages)))
        (beside / MARKER).replace(out / MARKER)
    finally:
        shutil.rmtree(beside, ignore_errors=True)


def _put(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)


def _files_of(out: Path) -> list[str]:
    """The files we wrote last time. A marker that was tampered with never leads outside."""
    try:
        document = json.loads((out / MARKER).read_text(encoding="utf-8"))
        listed = [str(path) for path in document["files"]]
    except (OSError, ValueError, KeyError, TypeError):
        return []
    return [p for p in listed if _OURS.fullmatch(p) and PurePosixPath(p).parts[0] not in LEFT_ALONE]


def _remove(out: Path, paths: list[str]) -> None:
    home = out.resolve()
    for path in paths:
        target = out / path
        if not target.parent.resolve().is_relative_to(home):
            continue
        target.unlink(missing_ok=True)
        for folder in PurePosixPath(path).parents:
            if folder == PurePosixPath("."):
                break
            try:
                (out / folder).rmdir()
            except OSError:
                break  # it still holds something
