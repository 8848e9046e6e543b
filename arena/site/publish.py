"""From jobs and store to a folder of pages."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from arena.domain.changes import Changes
from arena.domain.job import Job
from arena.domain.words import Lang
from arena.errors import UsageError
from arena.site import formats
from arena.site.anonymise import anonymise, anonymise_changes, refuse_names
from arena.site.brief_files import link_brief, link_pdf, print_brief, warn_of_pages
from arena.site.changes_files import changes_data, changes_of, link_changes, print_changes
from arena.site.checks import check_files
from arena.site.claims import say_claims
from arena.site.comparisons_file import comparisons_jsonl
from arena.site.downloads import leaderboard_csv, leaderboard_json
from arena.site.facts import Edition
from arena.site.figures.published import Illustrator, list_figures
from arena.site.gather import gather
from arena.site.index_page import build_index, build_meta, say_imported, say_waiting
from arena.site.names import make_names
from arena.site.neutral_names import make_cast
from arena.site.other_pages import Place, link_others, link_profiles, print_others
from arena.site.paper import Printer
from arena.site.release import Release
from arena.site.render import render_front, render_index, render_scenario
from arena.site.safety.scan import refuse_findings
from arena.site.scenario_page import build_scenario
from arena.site.slugs import slugs
from arena.site.text import plain
from arena.site.views import BoardCard, Frame, FrontView, Link
from arena.site.withhold import hold_back
from arena.site.words import HTML_LANG, LANGS, Say, say_in
from arena.site.workbook_tables import leaderboard_xlsx
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
    changes: Changes | None = None
    """What changed since a former board, where one was named."""


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
    release: Release = Release(),
    browser: str | None = None,
    beside: Mapping[str, bytes] = MappingProxyType({}),
    changes: Mapping[str, Changes] = MappingProxyType({}),
) -> Published:
    """Write the leaderboards of some jobs into a folder; the same input gives the same bytes.

    One job goes straight into `out`, several into a folder each with a page that lists them.
    `lang` is the language without a suffix in its file names; the other is always there too.
    `command` is what to run to get the same again. `figures`: also files for reports and slides.
    `release`: what is held back. `browser`: prints the brief as PDF. `beside`: further files.
    `changes`: since a former board, by `key_of` a job.
    Raises CheckFailed for a folder that is not ours or a page that breaks a rule, MustNotPublish
    for keys and personal data; then nothing was written.
    """
    if not jobs:
        raise UsageError("there is nothing to publish", fix="Name a suite in data/arena.yaml.")
    refuse_foreign(out)
    editions = [gather(job, store) for job in jobs]
    since = [changes_of(edition, changes) for edition in editions]
    cast = None
    if release.anonymous:
        known = [moved for moved in since if moved]
        cast = make_cast(editions, jobs[0].seed, release.salt, known)
        editions = [anonymise(e, cast, release.salt) for e in editions]
        since = [moved and anonymise_changes(moved, cast) for moved in since]
    printer = Printer(browser) if browser else None
    press = _Press(lang, command, software, Illustrator(figures), release, printer)
    folders = [""] if len(jobs) == 1 else [_folder(e) for e in editions]
    files: dict[str, bytes] = dict(beside)
    for edition, folder, moved in zip(editions, folders, since, strict=True):
        made = press.print_edition(edition, listed=bool(folder), changes=moved)
        files |= {folder + path: content for path, content in made.items()}
    if len(jobs) > 1:
        files |= press.print_front(editions, folders)
    files = _sealed(files)
    check_files(files)
    if cast:
        refuse_names(files, cast)
    refuse_findings(files, secrets=release.secrets, salt=release.salt, allowed=release.allowed)
    write_site(out, files)
    return Published(
        index=out / "index.html",
        files=len(files),
        bytes=sum(len(content) for content in files.values()),
        boards=tuple(
            PublishedBoard(
                suite=e.job.suite.suite,
                mode=e.job.mode,
                index=out / f"{folder}index.html",
                ranked=e.board is not None,
                changes=moved,
            )
            for e, folder, moved in zip(editions, folders, since, strict=True)
        ),
        warnings=(
            *(w for e in editions for w in _warnings(e, say_in(lang))),
            *press.illustrator.warnings(say_in(lang)),
            *warn_of_pages(files, say_in(lang)),
        ),
    )


def _folder(edition: Edition) -> str:
    job = edition.job
    name = f"{job.suite.suite}-{job.mode}"
    if job.held is not None:
        name += f"-import-{job.origin[:8]}"
    return slugs([name])[name] + "/"


def _sealed(files: dict[str, bytes]) -> dict[str, bytes]:
    """The files with the marker and the list of digests of all others."""
    files = {**files, ".nojekyll": b""}
    files[MARKER] = marker([*files, MARKER, MANIFEST])
    digests = {path: hashlib.sha256(content).hexdigest() for path, content in files.items()}
    document = {
        "schema": "arena.manifest/1",
        "sha256": dict(sorted(digests.items())),
        "bytes": {path: len(files[path]) for path in sorted(files)},
    }
    return {**files, MANIFEST: (json.dumps(document, indent=1) + "\n").encode()}


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
        release: Release,
        printer: Printer | None,
    ) -> None:
        self._lang, self._command, self._software = lang, command, software
        self.illustrator, self._release, self._printer = illustrator, release, printer

    def print_edition(
        self, whole: Edition, *, listed: bool, changes: Changes | None = None
    ) -> dict[str, bytes]:
        """The files of one leaderboard, by path; `listed`: a front page lists it."""
        edition = hold_back(whole, self._release, say_in(self._lang))
        data = {
            "data/leaderboard.json": leaderboard_json(edition),
            "data/leaderboard.csv": leaderboard_csv(edition),
            "data/leaderboard.xlsx": leaderboard_xlsx(edition, self._software),
            "data/comparisons.jsonl": comparisons_jsonl(edition),
        }
        files = {**data, **changes_data(changes)}
        for lang in LANGS:
            say = say_in(lang)
            edition = hold_back(whole, self._release, say)
            names = make_names(edition, say)
            drawn = self.illustrator.draw(edition, lang, suffix=self._at("", lang)[: -len(".html")])
            files |= drawn
            pages = self._pages(edition, lang)
            title = say("board.title", suite=plain(say.of(edition.job.suite.name)))
            place = self._place(edition, say, pages)
            home = Link(href=self._at("../index", lang), label=say("home")) if listed else None
            view = build_index(
                edition,
                names,
                self._frame(edition, say, title, "index", home),
                pages={scenario: f"s/{page}" for scenario, page in pages.items()},
                downloads=[
                    *list_figures(drawn, say),
                    *([link_pdf(place, say)] if self._printer else ()),
                    *_downloads(data, say, listed=listed),
                ],
                command=_command(edition, self._command),
                more=[*link_others(edition, names, place), link_brief(place, say)],
                profiles=link_profiles(edition, names, place),
                changes=link_changes(changes, names, place),
            )
            files[self._at("index", lang)] = render_index(view, say).encode()
            for n, scenario in enumerate(edition.scenarios):
                page = pages[scenario.scenario]
                stem = page.removesuffix(self._at("", lang))
                title = f"{scenario.scenario} · {plain(say.of(scenario.title))}"
                back = Link(href=self._at("../index", lang), label=say("back"))
                around = (
                    _neighbour(edition, n - 1, pages, say),
                    _neighbour(edition, n + 1, pages, say),
                )
                frame = self._frame(edition, say, title, stem, back)
                shown = build_scenario(edition, scenario, names, frame, around)
                files[f"s/{page}"] = render_scenario(shown, say).encode()
            # After the scenarios: what must not be published is named where it comes from.
            files |= print_others(edition, names, place, view)
            files |= print_changes(edition, changes, names, place)
            files |= print_brief(edition, names, place, view, self._printer)
        return files

    def print_front(self, editions: Sequence[Edition], folders: Sequence[str]) -> dict[str, bytes]:
        """The page that lists several leaderboards."""
        files = {}
        for lang in LANGS:
            say = say_in(lang)
            latest = max(editions, key=lambda e: e.at)
            frame = self._frame(latest, say, say("front.title"), "index", None)
            cards = tuple(
                _card(edition, self._at(f"{folder}index", lang), say)
                for edition, folder in zip(editions, folders, strict=True)
            )
            view = FrontView(frame=frame, cards=cards)
            files[self._at("index", lang)] = render_front(view, say).encode()
        return files

    def _place(self, edition: Edition, say: Say, pages: dict[str, str]) -> Place:
        def frame(title: str, stem: str, home: Link | None) -> Frame:
            return self._frame(edition, say, title, stem, home)

        return Place(at=lambda stem: self._at(stem, say.lang), frame=frame, pages=pages)

    def _at(self, stem: str, lang: Lang) -> str:
        return f"{stem}.html" if lang == self._lang else f"{stem}.{lang}.html"

    def _pages(self, edition: Edition, lang: Lang) -> dict[str, str]:
        made = slugs(s.scenario for s in edition.scenarios)
        return {scenario: self._at(slug, lang) for scenario, slug in made.items()}

    def _frame(self, edition: Edition, say: Say, title: str, stem: str, home: Link | None) -> Frame:
        other: Lang = "en" if say.lang == "zh" else "zh"
        return Frame(
            lang=say.lang,
            title=title,
            other=Link(href=self._at(stem, other), label=say("language.other")),
            other_lang=HTML_LANG[other],
            home=home,
            software=plain(self._software),
            date=formats.moment(edition.at),
        )


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


def _neighbour(edition: Edition, place: int, pages: dict[str, str], say: Say) -> Link | None:
    if not 0 <= place < len(edition.scenarios):
        return None
    scenario = edition.scenarios[place]
    label = f"{scenario.scenario} · {plain(say.of(scenario.title))}"
    return Link(href=pages[scenario.scenario], label=label)


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
        headline=say_claims(edition, names),
        meta=tuple(build_meta(edition, names)),
    )
