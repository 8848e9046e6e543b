"""Named SQL statements: each `-- name:` block of the .sql files, with its comment as purpose."""

import re
from functools import lru_cache
from importlib.resources import files
from typing import NamedTuple

NAME = re.compile(r"^-- name: (\w+)$", re.MULTILINE)


class Statement(NamedTuple):
    """One statement: its purpose (the comment under its name) and its SQL."""

    purpose: str
    sql: str


@lru_cache(maxsize=1)
def statements() -> dict[str, Statement]:
    """Every named statement of the files in sql/."""
    folder = files("arena.store").joinpath("sql")
    texts = sorted((p.name, p.read_text(encoding="utf-8")) for p in folder.iterdir() if p.is_file())
    parts = [part for _, text in texts for part in NAME.split(text)[1:]]
    found = {}
    for name, block in zip(parts[::2], parts[1::2], strict=True):
        lines = block.strip().splitlines()
        comment = [line.removeprefix("-- ") for line in lines if line.startswith("--")]
        body = [line for line in lines if not line.startswith("--")]
        found[name] = Statement(" ".join(comment), "\n".join(body).rstrip(";"))
    return found


def sql(name: str) -> str:
    """The SQL of a named statement."""
    return statements()[name].sql
