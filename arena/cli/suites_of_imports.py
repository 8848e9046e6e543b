"""The suite that results of others are of: as its folder says, or as data/arena.yaml plays it."""

from dataclasses import replace
from pathlib import Path

from arena.cli.workspace import data_of
from arena.domain.choice import ChoicePlay
from arena.domain.handed_in import as_handed_in
from arena.domain.suite import Suite
from arena.suites.find import Workspace
from arena.suites.load import is_choice, load_suite
from arena.suites.roster import load_config


def load_for_import(workspace: Workspace, folder: Path) -> Suite:
    """The suite in a folder; of multiple choice the questions that the workspace plays.

    Letters that somebody handed in are of a mode of their own, without worked examples. Raises
    ConfigError for a suite that cannot be loaded, and for a configuration where that is read.
    """
    if not is_choice(folder):
        return load_suite(folder)
    config = load_config(workspace.config)
    played = next((p for p in config.suites if p.suite == folder.name), None)
    play = played.choice if played else ChoicePlay()
    data = data_of(workspace, config, played) if played else None
    return as_handed_in(load_suite(folder, replace(play, few_shot=0), data=data))
