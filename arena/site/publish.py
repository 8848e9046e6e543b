"""From jobs and store to a folder of pages."""

import hashlib
import json
from collections.abc import Mapping, MutableMapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from arena.domain.changes import Changes
from arena.domain.job import Job
from arena.domain.words import Lang
from arena.errors import UsageError
from arena.site.anonymise import anonymise, anonymise_changes, refuse_names
from arena.site.brief_files import warn_of_pages
from arena.site.changes_files import changes_of
from arena.site.checks import check_files
from arena.site.facts import Edition
from arena.site.figures.published import Illustrator
from arena.site.gather import gather
from arena.site.index_page import say_waiting
from arena.site.look import look_digest
from arena.site.neutral_names import make_cast
from arena.site.paper import Printer
from arena.site.press import MANIFEST, Press
from arena.site.release import Release
from arena.site.safety.scan import refuse_findings
from arena.site.slugs import slugs
from arena.site.spool import Spool
from arena.site.words import Say, say_in
from arena.site.write import MARKER, marker, refuse_foreign, write_site
from arena.store.store import Store


@dataclass(frozen=True, slots=True, kw_only=True)
class PublishedBoard:
    """One leaderboard of a site; `ranked` says whether it has a board."""

    suite: str
    mode: str
    index: Path
    ranked: bool
    changes: Changes | None = None
    """What changed since a former board, where one was named."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Published:
    """What was written: the first page, how many files and bytes, and what to know of them."""

    index: Path
    files: int
    bytes: int
    boards: tuple[PublishedBoard, ...]
    warnings: tuple[str, ...]


def publish(
    *,
    jobs: Sequence[Job],
    store: Store,
    out: Path,
    lang: Lang = "zh",
    command: str,
    software: str,
    figures: bool = False,
    release: Release = Release(),
    browser: str | None = None,
    beside: Mapping[str, bytes] = MappingProxyType({}),
    changes: Mapping[str, Changes] = MappingProxyType({}),
) -> Published:
    """Write the leaderboards of some jobs into a folder; the same input gives the same bytes.

    One job goes straight into `out`, several into a folder each with a page that lists them.
    `lang` is the language without a suffix in its file names; the other is always there too.
    `command` is what to run to get the same again. `figures`: also files for reports and slides.
    `release`: what is held back. `browser`: prints the brief as PDF. `beside`: further files.
    `changes`: since a former board, by `key_of` a job.
    Raises CheckFailed for a folder that is not ours or a page that breaks a rule, MustNotPublish
    for keys and personal data; then nothing was written.
    """
    if not jobs:
        raise UsageError("there is nothing to publish", fix="Name a suite in data/arena.yaml.")
    refuse_foreign(out)
    editions = [gather(job, store) for job in jobs]
    since = [changes_of(edition, changes) for edition in editions]
    cast = None
    if release.anonymous:
        known = [moved for moved in since if moved]
        cast = make_cast(editions, jobs[0].seed, release.salt, known)
        editions = [anonymise(e, cast, release.salt) for e in editions]
        since = [moved and anonymise_changes(moved, cast) for moved in since]
    printer = Printer(browser) if browser else None
    press = Press(lang, command, software, Illustrator(figures), release, printer)
    folders = [""] if len(jobs) == 1 else [_folder(e) for e in editions]
    with Spool(beside) as files:
        for edition, folder, moved in zip(editions, folders, since, strict=True):
            for path, content in press.print_edition(edition, listed=bool(folder), changes=moved):
                files[folder + path] = content
        if len(jobs) > 1:
            files.update(press.print_front(editions, folders))
        _seal(files)
        check_files(files)
        if cast:
            refuse_names(files, cast)
        refuse_findings(files, secrets=release.secrets, salt=release.salt, allowed=release.allowed)
        write_site(out, files)
        count, size = len(files), sum(len(content) for content in files.values())
        warned = tuple(warn_of_pages(files, say_in(lang)))
    return Published(
        index=out / "index.html",
        files=count,
        bytes=size,
        boards=tuple(
            PublishedBoard(
                suite=e.job.suite.suite,
                mode=e.job.mode,
                index=out / f"{folder}index.html",
                ranked=e.board is not None,
                changes=moved,
            )
            for e, folder, moved in zip(editions, folders, since, strict=True)
        ),
        warnings=(
            *(w for e in editions for w in _warnings(e, say_in(lang))),
            *press.illustrator.warnings(say_in(lang)),
            *warned,
        ),
    )


def _folder(edition: Edition) -> str:
    job = edition.job
    name = f"{job.suite.suite}-{job.mode}"
    if job.held is not None:
        name += f"-import-{job.origin[:8]}"
    return slugs([name])[name] + "/"


def _seal(files: MutableMapping[str, bytes]) -> None:
    """Add the marker, and the list of digests of all other files."""
    files[".nojekyll"] = b""
    files[MARKER] = marker([*files, MARKER, MANIFEST])
    digests = {path: hashlib.sha256(content).hexdigest() for path, content in files.items()}
    document = {
        "schema": "arena.manifest/1",
        "look": look_digest(),
        "sha256": dict(sorted(digests.items())),
        "bytes": {path: len(files[path]) for path in sorted(files)},
    }
    files[MANIFEST] = (json.dumps(document, indent=1) + "\n").encode()


def _warnings(edition: Edition, say: Say) -> list[str]:
    """What whoever publishes should know."""
    name = f"{edition.job.suite.suite} {edition.job.mode}"
    found = []
    if edition.board is None:
        found.append(f"{name}: {say_waiting(edition, say)}")
    if edition.board and edition.stale:
        found.append(f"{name}: {say('notice.stale', version=edition.board.suite_version)}")
    return found
