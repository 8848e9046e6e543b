"""Who makes the agents of an import: a table that people fill in, agent · vendor · family."""

from pathlib import Path

from arena.domain.agent import UNKNOWN
from arena.domain.imported import Maker, Makers
from arena.errors import ConfigError
from arena.exchange.sheets import read_sheets

COLUMNS = ("agent", "vendor", "family")


def read_makers(path: Path) -> Makers:
    """Vendor and family by agent; an empty cell is unknown.

    Raises ConfigError for a table that cannot be read, lacks a column or lists an agent twice.
    """
    rows = read_sheets(path)[0].rows
    heads = [cell.casefold() for cell in rows[0][1]] if rows else []
    if not {"agent", "vendor"} <= set(heads):
        raise ConfigError(
            "{path}: no columns called agent and vendor",
            fix="Its first row: agent,vendor,family",
            path=path,
        )
    places = {name: heads.index(name) for name in COLUMNS if name in heads}
    found: dict[str, Maker] = {}
    for number, cells in rows[1:]:
        said = {n: cells[at] if at < len(cells) else "" for n, at in places.items()}
        if not said["agent"]:
            continue
        if said["agent"] in found:
            raise ConfigError(
                "{path}:{line}: {agent} is listed twice",
                path=path,
                line=number,
                agent=said["agent"],
            )
        found[said["agent"]] = Maker(
            vendor=said["vendor"] or UNKNOWN, family=said.get("family") or UNKNOWN
        )
    return found
