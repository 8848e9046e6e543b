"""From jobs and store to a folder of pages."""

import hashlib
import json
from collections.abc import Iterator, MutableMapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from arena.domain.job import Job
from arena.domain.words import Lang
from arena.errors import UsageError
from arena.site.checks import check_files
from arena.site.downloads import leaderboard_csv, leaderboard_json
from arena.site.facts import Edition
from arena.site.figures.published import Illustrator, list_figures
from arena.site.frames import Frames
from arena.site.gather import gather
from arena.site.index_page import build_index, build_meta, headline_of, say_imported, say_waiting
from arena.site.look import look_digest
from arena.site.names import Names, make_names
from arena.site.other_pages import Place, link_others, link_profiles, print_others
from arena.site.pair_links import PairLinks
from arena.site.pair_page import PairPages
from arena.site.pair_pages import print_pairs
from arena.site.pair_places import place_verdicts
from arena.site.render import render_front, render_index
from arena.site.scenario_pages import print_scenarios
from arena.site.slugs import slugs
from arena.site.spool import Spool
from arena.site.text import plain
from arena.site.views import BoardCard, FrontView, Link
from arena.site.words import LANGS, Say, say_in
from arena.site.write import MARKER, marker, refuse_foreign, write_site
from arena.store.store import Store

MANIFEST = "data/manifest.json"


@dataclass(frozen=True, slots=True, kw_only=True)
class PublishedBoard:
    """One leaderboard of a site; `ranked` says whether it has a board."""

    suite: str
    mode: str
    index: Path
    ranked: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Published:
    """What was written: the first page, how many files and bytes, and what to know of them."""

    index: Path
    files: int
    bytes: int
    boards: tuple[PublishedBoard, ...]
    warnings: tuple[str, ...]


def publish(
    *,
    jobs: Sequence[Job],
    store: Store,
    out: Path,
    lang: Lang = "zh",
    command: str,
    software: str,
    figures: bool = False,
    show_notes: bool = False,
) -> Published:
    """Write the leaderboards of some jobs into a folder; the same input gives the same bytes.

    One job goes straight into `out`, several into a folder each with a page that lists them.
    `lang` is the language without a suffix in its file names; the other is always there too.
    `command` is what to run to get the same again. `figures`: also files for reports and slides.
    `show_notes`: also what only judges are told of a scenario, which spoils it for the next time.
    Raises CheckFailed for a folder that is not
    ours, or a page that must not be published; then nothing was written.
    """
    if not jobs:
        raise UsageError("there is nothing to publish", fix="Name a suite in data/arena.yaml.")
    refuse_foreign(out)
    editions = [gather(job, store) for job in jobs]
    press = _Press(lang, command, software, Illustrator(figures), show_notes=show_notes)
    folders = [""] if len(jobs) == 1 else [_folder(e) for e in editions]
    with Spool() as files:
        for edition, folder in zip(editions, folders, strict=True):
            for path, content in press.print_edition(edition, listed=bool(folder)):
                files[folder + path] = content
        if len(jobs) > 1:
            files.update(press.print_front(editions, folders))
        _seal(files)
        check_files(files)
        write_site(out, files)
        count, size = len(files), sum(len(content) for content in files.values())
    return Published(
        index=out / "index.html",
        files=count,
        bytes=size,
        boards=tuple(
            PublishedBoard(
                suite=e.job.suite.suite,
                mode=e.job.mode,
                index=out / f"{folder}index.html",
                ranked=e.board is not None,
            )
            for e, folder in zip(editions, folders, strict=True)
        ),
        warnings=(
            *(w for e in editions for w in _warnings(e, say_in(lang))),
            *press.illustrator.warnings(say_in(lang)),
        ),
    )


def _folder(edition: Edition) -> str:
    job = edition.job
    name = f"{job.suite.suite}-{job.mode}"
    if job.held is not None:
        name += f"-import-{job.origin[:8]}"
    return slugs([name])[name] + "/"


def _seal(files: MutableMapping[str, bytes]) -> None:
    """Add the marker, and the list of digests of all other files."""
    files[".nojekyll"] = b""
    files[MARKER] = marker([*files, MARKER, MANIFEST])
    digests = {path: hashlib.sha256(content).hexdigest() for path, content in files.items()}
    document = {
        "schema": "arena.manifest/1",
        "look": look_digest(),
        "sha256": dict(sorted(digests.items())),
    }
    files[MANIFEST] = (json.dumps(document, indent=1) + "\n").encode()


def _warnings(edition: Edition, say: Say) -> list[str]:
    """What whoever publishes should know."""
    name = f"{edition.job.suite.suite} {edition.job.mode}"
    found = []
    if edition.board is None:
        found.append(f"{name}: {say_waiting(edition, say)}")
    if edition.board and edition.stale:
        found.append(f"{name}: {say('notice.stale', version=edition.board.suite_version)}")
    return found


class _Press:
    """Prints editions in both languages."""

    def __init__(
        self,
        lang: Lang,
        command: str,
        software: str,
        illustrator: Illustrator,
        *,
        show_notes: bool = False,
    ) -> None:
        self._lang, self._command, self._software = lang, command, software
        self._show_notes = show_notes
        self.illustrator = illustrator

    def print_edition(self, edition: Edition, *, listed: bool) -> Iterator[tuple[str, bytes]]:
        """(path, content) of the files of one leaderboard; `listed`: a front page lists it."""
        data = {
            "data/leaderboard.json": leaderboard_json(edition),
            "data/leaderboard.csv": leaderboard_csv(edition),
        }
        yield from data.items()
        places = place_verdicts(edition)
        for lang in LANGS:
            say = say_in(lang)
            names = make_names(edition, say)
            drawn = self.illustrator.draw(edition, lang, suffix=self._at("", lang)[: -len(".html")])
            yield from drawn.items()
            links = PairLinks(
                places=places,
                names=names,
                at=partial(self._at, lang=lang),
                stems=slugs(s.scenario for s in edition.scenarios),
            )
            place = self._place(edition, names, links, listed=listed)
            title = say("board.title", suite=plain(say.of(edition.job.suite.name)))
            profiles = link_profiles(edition, names, place)
            view = build_index(
                edition,
                names,
                place.frame(title, "index", None),
                pages={scenario: f"s/{page}" for scenario, page in place.pages.items()},
                downloads=[*list_figures(drawn, say), *_downloads(data, say, listed=listed)],
                command=_command(edition, self._command),
                more=link_others(edition, names, place),
                profiles=profiles,
            )
            yield self._at("index", lang), render_index(view, say).encode()
            pairs = PairPages(edition, names, links)
            yield from print_scenarios(edition, names, place, pairs, notes=self._show_notes)
            yield from print_pairs(pairs, links, names, place, profiles)
            # After the scenarios: what must not be published is named where it comes from.
            yield from print_others(edition, names, place, view).items()

    def print_front(self, editions: Sequence[Edition], folders: Sequence[str]) -> dict[str, bytes]:
        """The page that lists several leaderboards."""
        files = {}
        for lang in LANGS:
            say = say_in(lang)
            latest = max(editions, key=lambda e: e.at)
            frames = Frames(edition=latest, say=say, at=self._at, software=self._software)
            cards = tuple(
                _card(edition, self._at(f"{folder}index", lang), say)
                for edition, folder in zip(editions, folders, strict=True)
            )
            view = FrontView(frame=frames.front(say("front.title")), cards=cards)
            files[self._at("index", lang)] = render_front(view, say).encode()
        return files

    def _place(self, edition: Edition, names: Names, links: PairLinks, *, listed: bool) -> Place:
        frames = Frames(
            edition=edition, say=names.say, at=self._at, software=self._software, listed=listed
        )
        pages = {scenario: links.at(stem) for scenario, stem in links.stems.items()}
        place = Place(at=links.at, frame=frames.frame, pages=pages, duel=links.page)
        others = link_others(edition, names, place)
        return replace(place, frame=replace(frames, others=others).frame)

    def _at(self, stem: str, lang: Lang) -> str:
        return f"{stem}.html" if lang == self._lang else f"{stem}.{lang}.html"


def _command(edition: Edition, usual: str) -> str:
    """What to run to get the same again."""
    held = edition.job.held
    if held is None:
        return usual
    return f"arena import {held.origin.format} PATH; arena rank; arena publish"


def _downloads(data: dict[str, bytes], say: Say, *, listed: bool) -> list[Link]:
    links = []
    for path, content in data.items():
        kind = path.rpartition(".")[2]
        size = say("size", size=f"{len(content) / 1024:.0f}")
        note = say("list.dot").join((say(f"downloads.{kind}"), size))
        links.append(Link(href=path, label=path.rpartition("/")[2], note=note))
    manifest = f"../{MANIFEST}" if listed else MANIFEST
    links.append(Link(href=manifest, label="manifest.json", note=say("downloads.manifest")))
    return links


def _card(edition: Edition, href: str, say: Say) -> BoardCard:
    names = make_names(edition, say)
    suite = edition.job.suite
    title = f"{plain(say.of(suite.name))} · {plain(say.of(suite.modes[edition.job.mode].name))}"
    if told := say_imported(edition, say):
        title += f" · {told}"
    return BoardCard(
        href=href,
        title=title,
        about=plain(say.of(suite.about)),
        headline=headline_of(edition, names),
        meta=tuple(build_meta(edition, names)),
    )
