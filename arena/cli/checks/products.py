"""Products, and whoever is asked nothing over a network."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

from arena.cli.checks.scene import Scene, way_of
from arena.domain.agent import Agent
from arena.domain.finding import Finding


def check_programs(scene: Scene) -> Iterator[Finding]:
    """Programs are there and can be started; they are not."""
    for who, entrant in scene.entrants.items():
        if not isinstance(entrant, Agent) or entrant.command is None:
            continue
        program = entrant.command.run[0]
        found = find_program(program, scene.bench.workspace.root)
        yield Finding(
            check="program",
            state="ok" if found else "fail",
            who=(who,),
            said="check_program_there" if found else "check_program_missing",
            todo="" if found else "check_do_program",
            facts={"program": program, "found": str(found or "")},
        )


def check_replays(scene: Scene) -> Iterator[Finding]:
    """Files of transcripts were read with the configuration: how many they hold."""
    for who, entrant in scene.entrants.items():
        if isinstance(entrant, Agent) and entrant.replay is not None:
            yield Finding(
                check="replay",
                state="ok",
                who=(who,),
                said="check_replay",
                facts={"n": len(entrant.replay.tapes), "file": entrant.replay.file},
            )


def check_silent(scene: Scene) -> Iterator[Finding]:
    """Whoever answers in this process, and whoever is asked nothing at all."""
    for way, said in (("ours", "check_silent_ours"), ("nobody", "check_silent_nobody")):
        whos = tuple(who for who, e in scene.entrants.items() if way_of(e) == way)
        if whos:
            yield Finding(check="reached", state="ok", who=whos, said=said)


def find_program(program: str, root: Path) -> Path | None:
    """Where a program is that is named in a `command`, if it can be started.

    A name alone is looked for on PATH; a path is one from the workspace's folder.
    """
    if "\0" in program:
        return None
    if os.sep not in program and "/" not in program:
        found = shutil.which(program)
        return Path(found) if found else None
    path = root / program
    return path if path.is_file() and os.access(path, os.X_OK) else None
