"""A site for GitHub Pages: in docs/ of a repository, or on a branch of its own; never pushed."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from arena.errors import CheckFailed, UsageError
from arena.site.slugs import slugs

FOLDER = "docs"
WORKFLOW = "data/github-pages.yml"
"""The file to copy, in the site."""
MESSAGE = "Publish the leaderboard"
_TEMPLATE = Path(__file__).parent / "static" / "github-pages.yml"


def top_of(repo: Path) -> Path:
    """The top folder of a repository; raises UsageError where there is none, or no git."""
    if shutil.which("git") is None:
        raise UsageError(
            "git is not installed, or not on the PATH",
            why="GitHub Pages shows what a repository holds",
            fix="Install git (https://git-scm.com), or write a folder with --out DIR.",
        )
    found = _git(repo, "rev-parse", "--show-toplevel") if repo.is_dir() else None
    if found is None:
        raise UsageError(
            "{repo} is no git repository",
            why="GitHub Pages shows what a repository holds",
            fix="Name one with --repo, or begin one: git init",
            repo=repo,
        )
    return Path(found)


def workflow(branch: str | None) -> dict[str, bytes]:
    """The workflow that publishes the site, as one of its files."""
    text = _TEMPLATE.read_text(encoding="utf-8")
    text = text.replace("%FOLDER%", "." if branch else FOLDER).replace("%REF%", branch or "")
    return {WORKFLOW: text.encode()}


@contextmanager
def on_branch(repo: Path, branch: str) -> Iterator[Path]:
    """A folder that holds a branch; what lies there at the end of the block is committed to it.

    The branch is begun where there is none, without files of any other. Raises UsageError for a
    branch that cannot be used, CheckFailed where git does not commit. Nothing is pushed, the
    repository's own folder is not touched, and after an error the branch is as it was.
    """
    place = _place(repo, branch)
    _forget(repo, place)
    begun = _begin(repo, branch)
    try:
        if _git(repo, "worktree", "add", "--quiet", str(place), branch) is None:
            raise UsageError(
                "branch {branch} cannot be written to",
                why="git does not check it out a second time: you may be on it",
                fix="Choose another with --branch, or leave it out for {folder}/.",
                branch=branch,
                folder=FOLDER,
            )
        yield place
        _commit(place, branch)
        begun = False
    finally:
        _forget(repo, place)
        if begun:
            _git(repo, "branch", "--quiet", "-D", branch)


def _place(repo: Path, branch: str) -> Path:
    """Where a branch is laid out: the same place each time, so that nothing is left behind."""
    if _git(repo, "check-ref-format", "--branch", branch) is None or branch.startswith("-"):
        raise UsageError("--branch {branch}: not the name of a branch", branch=branch)
    common = Path(_git(repo, "rev-parse", "--git-common-dir") or ".git")
    return (repo / common).resolve() / "arena-publish" / slugs([branch])[branch]


def _begin(repo: Path, branch: str) -> bool:
    """Whether the branch had to be begun: from that of its remote, else with an empty commit."""
    if _git(repo, "rev-parse", "--verify", "--quiet", f"refs/heads/{branch}") is not None:
        return False
    start = _git(repo, "rev-parse", "--verify", "--quiet", f"refs/remotes/origin/{branch}")
    if start is None:
        empty = _git(repo, "mktree") or ""
        start = _git(repo, "commit-tree", empty, "-m", "Begin the branch of the leaderboard")
    if start is None or _git(repo, "branch", "--quiet", "--no-track", branch, start) is None:
        raise _uncommitted(branch)
    return True


def _commit(place: Path, branch: str) -> None:
    done = _git(place, "add", "--all", "--force", ".") is not None
    if done and _git(place, "diff", "--cached", "--quiet") is not None:
        return
    if not done or _git(place, "commit", "--quiet", "--no-verify", "-m", MESSAGE) is None:
        raise _uncommitted(branch)


def _uncommitted(branch: str) -> CheckFailed:
    return CheckFailed(
        "git did not commit to {branch}",
        why="it may not know who you are",
        fix="Set user.name and user.email with git config, and publish again.",
        branch=branch,
    )


def _forget(repo: Path, place: Path) -> None:
    """Take away a branch that is laid out, also by a publish that was killed."""
    _git(repo, "worktree", "remove", "--force", "--force", str(place))
    shutil.rmtree(place, ignore_errors=True)
    _git(repo, "worktree", "prune")


def _git(folder: Path, *arguments: str) -> str | None:
    """What git says; None where it fails or is not there."""
    # Variables that git sets for hooks would lead it to another repository.
    environment = {k: v for k, v in os.environ.items() if not k.startswith("GIT_DIR")}
    for name in ("GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_COMMON_DIR", "GIT_PREFIX"):
        environment.pop(name, None)
    try:
        done = subprocess.run(
            ["git", "-C", str(folder), *arguments],
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            encoding="utf-8",
            errors="replace",
            check=False,
        )
    except OSError:
        return None
    return done.stdout.strip() if done.returncode == 0 else None
