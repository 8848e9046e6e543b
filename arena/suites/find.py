"""Where a workspace and its suites are.

A workspace's own suite wins over the one of the same name that ships with the package.
"""

from dataclasses import dataclass
from pathlib import Path

from arena.errors import ConfigError, UsageError

PACKAGE = Path(__file__).resolve().parent.parent


@dataclass(frozen=True, slots=True)
class Workspace:
    """A folder with data/, results/ and leaderboard/."""

    root: Path

    @property
    def config(self) -> Path:
        """The configuration file."""
        return self.root / "data" / "arena.yaml"

    @property
    def database(self) -> Path:
        """The DuckDB file."""
        return self.root / "results" / "arena.duckdb"

    @property
    def state(self) -> Path:
        """The small file that a run renews for `arena status`."""
        return self.root / "results" / "status.json"

    @property
    def leaderboard(self) -> Path:
        """The folder of the generated site."""
        return self.root / "leaderboard"


def find_workspace(start: Path, *, asked: bool) -> Workspace:
    """The workspace at a folder, or (unless it was asked for by name) in one above it.

    Raises UsageError when there is none.
    """
    folders = [start] if asked else [start, *start.parents]
    for folder in folders:
        if (folder / "data" / "arena.yaml").is_file():
            return Workspace(folder)
    raise UsageError(
        "no workspace in {folder}" if asked else "no workspace in {folder} or above it",
        why="A workspace is a folder that holds data/arena.yaml.",
        fix="Make one with `arena init`, or name one with -C DIR.",
        folder=start,
    )


def shipped_suites() -> Path:
    """The folder of the suites that come with the package (in a checkout: data/suites)."""
    installed = PACKAGE / "data" / "suites"
    return installed if installed.is_dir() else PACKAGE.parent / "data" / "suites"


def suite_folders(workspace: Workspace | None) -> dict[str, Path]:
    """Every suite by name; the workspace's own win."""
    roots = [shipped_suites()] + ([workspace.root / "data" / "suites"] if workspace else [])
    return {
        folder.name: folder
        for root in roots
        if root.is_dir()
        for folder in sorted(root.iterdir())
        if (folder / "suite.yaml").is_file()
    }


def find_suite(workspace: Workspace | None, name: str) -> Path:
    """A suite's folder; raises ConfigError naming the suites there are."""
    folders = suite_folders(workspace)
    if name not in folders:
        raise ConfigError(
            "no suite called {name}",
            fix="Suites here: {suites}.",
            name=name,
            suites=", ".join(sorted(folders)) or "none",
        )
    return folders[name]
