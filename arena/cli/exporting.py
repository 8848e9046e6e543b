"""What `arena export ceval` does: the letters of every agent, a file each."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from arena.cli import output
from arena.cli.words import Lang, say
from arena.domain.choice import Letter
from arena.domain.job import Job
from arena.errors import UsageError
from arena.exchange.ceval import Answers, write

if TYPE_CHECKING:
    from arena.store.store import Store


def export_answers(folder: Path, given: Mapping[str, Any], lang: Lang, *, as_json: bool) -> None:
    """Write the answers of every agent that has any, of the workspace or of an import.

    Raises UsageError for a file that exists, and as `only_import` does.
    """
    from arena.cli.chosen_import import only_import
    from arena.cli.course import asked_of
    from arena.cli.imported_boards import looking
    from arena.site.slugs import slugs

    if given["replicate"] is not None:
        raise UsageError("--replicate is for scripts; of answers the first repetition is written")
    told = []
    with looking(asked_of(given)) as (bench, store):
        if given["import_"]:
            bench = only_import(bench, given["import_"])
        mine = [job for job in bench.jobs if given["import_"] or job.held is None]
        jobs = [job for job in mine if job.suite.choice is not None]
        if not jobs:
            raise UsageError("no suite of multiple choice is played here")
        for job in jobs:
            names = slugs(agent.agent for agent in job.agents)
            for agent, answers in _answers(job, store).items():
                path = folder / f"{job.suite.suite}-{job.mode}-{names[agent]}.json"
                _save(path, answers.text)
                told.append((agent, path, answers))
    if as_json:
        output.print_json({"schema": "arena.export/1", "files": [_to_json(*one) for one in told]})
        return
    for agent, path, answers in told:
        facts = {"written": answers.written, "unparsed": answers.unparsed}
        output.tell(
            say(lang, "export_made", path=path, agent=agent, waiting=answers.waiting, **facts)
        )


def _answers(job: Job, store: "Store") -> dict[str, Answers]:
    """The answers of the first replicate, by agent; whoever has answered nothing is left out."""
    from arena.judging.key import letter_of

    letters: dict[str, dict[str, Letter | None]] = {}
    for transcript in store.transcripts.all(job.transcripts()):
        if transcript.spec.replicate == 1:
            own = letters.setdefault(transcript.spec.agent, {})
            own[transcript.spec.scenario] = letter_of(transcript)
    choice, scenarios = job.suite.choice, job.selection.scenarios_of(job.suite)
    if choice is None:
        return {}
    return {agent: write(choice, scenarios, own) for agent, own in letters.items()}


def _save(path: Path, text: str) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("x", encoding="utf-8", newline="\n") as stream:
            stream.write(text)
    except FileExistsError:
        raise UsageError(
            "{path} is there already",
            fix="Name another folder; nothing is overwritten.",
            path=path,
        ) from None
    except OSError as error:
        raise UsageError(
            "{path}: cannot be written: {reason}", path=path, reason=error.strerror
        ) from None


def _to_json(agent: str, path: Path, answers: Answers) -> dict[str, Any]:
    return {
        "agent": agent,
        "file": str(path),
        "written": answers.written,
        "unparsed": answers.unparsed,
        "waiting": answers.waiting,
    }
