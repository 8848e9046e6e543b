"""What `arena publish` does from its options: what is held back, where it goes, what comes next."""

import os
import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from arena.cli import output
from arena.cli.boards import publish_all, show_published
from arena.cli.changes import compare_all, describe_changes, show_changes
from arena.cli.words import Lang, say
from arena.cli.workspace import Bench
from arena.errors import UsageError
from arena.store.store import Store

if TYPE_CHECKING:
    from arena.site import Published, Release
    from arena.site.release import Texts

SCHEMA = "arena.published/1"
COMMAND = "arena run"


@dataclass(frozen=True, slots=True, kw_only=True)
class Done:
    """What was published, on what terms; `repo` and `branch` where it goes to GitHub Pages."""

    published: "Published"
    release: "Release"
    repo: Path | None = None
    branch: str | None = None


def publish_asked(bench: Bench, store: Store, given: Mapping[str, Any], lang: Lang) -> Done:
    """Publish as the options say; raises UsageError for those that do not go together."""
    _check(given)
    from arena.site import Release
    from arena.site.paper import need_browser

    chosen: Texts = "none" if given["to"] else "full"
    if given["transcripts"]:
        chosen = given["transcripts"].value
    release = Release(
        transcripts=chosen,
        anonymous=given["anonymise_vendors"],
        allowed=frozenset(given["allow_finding"] or ()),
        notes=given["show_notes"],
    )
    options = {
        "command": COMMAND,
        "lang": lang,
        "figures": given["figures"],
        "release": release,
        "browser": need_browser(os.environ) if given["pdf"] else None,
        "changes": compare_all(bench, store, given["compare"], lang),
    }
    if given["to"] is None:
        published = publish_all(bench, store, out=given["out"], **options)
        return Done(published=published, release=release)
    return _to_pages(bench, store, given, options)


def _check(given: Mapping[str, Any]) -> None:
    if given["to"] and given["out"]:
        raise UsageError("--out and --to are two places", fix="Leave one of them out.")
    if given["to"] is None and (given["repo"] or given["branch"]):
        raise UsageError(
            "--repo and --branch go with --to github-pages", fix="Add it, or use --out DIR."
        )
    if given["compare"] and given["anonymise_vendors"]:
        raise UsageError(
            "--compare and --anonymise-vendors do not go together",
            why="The former board names its agents.",
            fix="Leave one of them out.",
        )


def _to_pages(
    bench: Bench, store: Store, given: Mapping[str, Any], options: Mapping[str, Any]
) -> Done:
    from arena.site.github_pages import FOLDER, on_branch, top_of, workflow

    repo, branch = top_of(given["repo"] or bench.workspace.root), given["branch"]
    beside = workflow(branch)
    if branch is None:
        published = publish_all(bench, store, out=repo / FOLDER, beside=beside, **options)
    else:
        with on_branch(repo, branch) as place:
            published = publish_all(bench, store, out=place, beside=beside, **options)
    return Done(published=published, release=options["release"], repo=repo, branch=branch)


def show_done(done: Done, bench: Bench, lang: Lang) -> None:
    """What changed, where the site is, what it leaves out, and what to do next."""
    show_changes(done.published, bench, lang)
    if done.repo is None:
        show_published(done.published, lang)
    else:
        _show_pages(done, lang)
    output.tell(say(lang, f"published_texts_{done.release.transcripts}"))
    if done.release.anonymous:
        output.tell(say(lang, "published_anonymous"))


def _show_pages(done: Done, lang: Lang) -> None:
    for warning in done.published.warnings:
        output.tell(warning, style="yellow")
    facts = {"files": done.published.files, "kb": done.published.bytes // 1024}
    output.tell(say(lang, "published", **facts))
    key = "published_branch" if done.branch else "published_docs"
    output.tell(
        say(lang, key, repo=shlex.quote(str(done.repo)), branch=done.branch or ""), style="bold"
    )
    output.tell(say(lang, "published_pages"))


def describe_done(done: Done) -> dict[str, Any]:
    """What was published as JSON-able data; the index is on the branch where there is one."""
    published = done.published
    return {
        "schema": SCHEMA,
        "index": "index.html" if done.branch else str(published.index),
        "files": published.files,
        "bytes": published.bytes,
        "transcripts": done.release.transcripts,
        "anonymous": done.release.anonymous,
        "repo": str(done.repo) if done.repo else None,
        "branch": done.branch,
        "warnings": list(published.warnings),
        **describe_changes(published),
    }
