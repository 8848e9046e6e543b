"""Completion of ids in the shell: read from the workspace's files as text, so that it is fast.

Nothing is parsed or loaded. What does not look like a plain id is not offered: a shell would have
to be told how to take it.
"""

import re
from pathlib import Path

from arena.suites.find import Workspace, shipped_suites

_ID = r"[\"']?(?P<id>[A-Za-z0-9][\w.-]{0,79})[\"']?"
_LISTED = r"^\s*-?\s*\{?\s*"
MOST = 4_000_000
"""Bytes of a file that are looked at."""


def agents(incomplete: str) -> list[str]:
    """Ids of agents that begin so."""
    return _begin(incomplete, _in_config("agent"))


def judges(incomplete: str) -> list[str]:
    """Ids of judges that begin so."""
    return _begin(incomplete, _in_config("judge"))


def suites(incomplete: str) -> list[str]:
    """Names of suites that begin so."""
    return _begin(incomplete, [f.name for root in _roots() for f in _below(root)])


def scenarios(incomplete: str) -> list[str]:
    """Ids of scenarios that begin so, of the suites that are played."""
    played = set(_in_config("suite"))
    folders = {f.name: f for root in _roots() for f in _below(root) if f.name in played}
    pattern = re.compile(r'["\']?scenario["\']?\s*:\s*' + _ID)
    found = []
    for folder in folders.values():
        for file in sorted(folder.rglob("*")):
            if file.suffix in (".jsonl", ".yaml", ".yml"):
                found += [m["id"] for m in pattern.finditer(_text(file))]
    return _begin(incomplete, found)


def transcripts(incomplete: str) -> list[str]:
    """`SCENARIO:AGENT`: scenarios first, then agents."""
    scenario, colon, agent = incomplete.partition(":")
    if not colon:
        return [f"{one}:" for one in scenarios(scenario)]
    return [f"{scenario}:{one}" for one in agents(agent)]


def _begin(incomplete: str, ids: list[str]) -> list[str]:
    return sorted({one for one in ids if one.startswith(incomplete)})


def _in_config(key: str) -> list[str]:
    workspace = _workspace()
    if workspace is None:
        return []
    listed = re.compile(_LISTED + key + r":\s*" + _ID + r"\s*(?:[,}#]|$)", re.MULTILINE)
    inline = re.compile(r"\{[^{}\n]*\b" + key + r":\s*" + _ID + r"\s*[,}]")
    text = _text(workspace.config)
    return [m["id"] for pattern in (listed, inline) for m in pattern.finditer(text)]


def _workspace() -> Workspace | None:
    start = Path.cwd()
    for folder in (start, *start.parents):
        if (folder / "data" / "arena.yaml").is_file():
            return Workspace(folder)
    return None


def _roots() -> list[Path]:
    workspace = _workspace()
    own = [workspace.root / "data" / "suites"] if workspace else []
    return [shipped_suites(), *own]


def _below(root: Path) -> list[Path]:
    if not root.is_dir():
        return []
    return [f for f in sorted(root.iterdir()) if (f / "suite.yaml").is_file()]


def _text(file: Path) -> str:
    try:
        with file.open("rb") as opened:
            return opened.read(MOST).decode("utf-8", "replace")
    except OSError:
        return ""
