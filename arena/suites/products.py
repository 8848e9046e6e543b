"""What of a product's block is checked, and read, beside the file itself: paths and transcripts."""

from pathlib import Path

from arena.domain.agent import Agent
from arena.domain.condition import parse_condition
from arena.domain.product import Http
from arena.errors import ConfigError
from arena.suites.paths import compile_path
from arena.suites.reading import line_of
from arena.suites.tapes import load_tapes


def load_product(path: Path, index: int, agent: Agent) -> Agent:
    """The agent with its paths checked and its transcripts, if it has any, read.

    `index`: its place in the list. Raises ConfigError with file:line.
    """
    if agent.http:
        _check_paths(path, ("agents", index, "http"), agent.http)
    if agent.replay is None:
        return agent
    place = f"{path}:{line_of(path, ('agents', index, 'replay', 'file'))}"
    file = below(path.parent, agent.replay.file, place)
    tapes = load_tapes(file, agent.replay.agent or agent.agent)
    return agent.model_copy(update={"replay": agent.replay.with_tapes(tapes)})


def below(folder: Path, name: str, place: str) -> Path:
    """A file below data/; raises ConfigError for one that is elsewhere or nowhere."""
    root = folder.resolve()
    # A name with a NUL makes every call on the path raise ValueError.
    file = root.parent if "\0" in name else (root / name).resolve()
    if not file.is_relative_to(root):
        raise ConfigError(
            "{place}: `file` leads out of {folder}: {file}",
            fix="Put the transcripts below data/ and name them from there.",
            place=place,
            folder=folder,
            file=name,
        )
    if not file.is_file():
        raise ConfigError(
            "{place}: no such file: {file}",
            fix="`file` names transcripts below data/, for example replays/careline.jsonl.",
            place=place,
            file=folder / name,
        )
    return file


def _check_paths(path: Path, at: tuple[str | int, ...], http: Http) -> None:
    named = [(keys, text) for keys, text in http.paths().items()]
    named += [
        (keys, parse_condition(text).path)
        for keys, texts in http.conditions().items()
        for text in texts
    ]
    for keys, text in named:
        try:
            compile_path(text)
        except ValueError as error:
            raise ConfigError(
                "{place}: `{key}` is not a JSONPath: {text}",
                why="{reason}",
                fix="For example `$.data.reply`, or `$.messages[*].text` for several.",
                place=f"{path}:{line_of(path, (*at, *keys))}",
                key=".".join(keys),
                text=text,
                reason=str(error),
            ) from None
