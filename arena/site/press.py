"""Printing editions: every file of a leaderboard, page by page, in both languages."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial

from arena.domain.changes import Changes
from arena.domain.words import Lang
from arena.site.brief_files import link_brief, link_pdf, print_brief
from arena.site.changes_files import changes_data, link_changes, print_changes
from arena.site.claims import say_claims
from arena.site.comparisons_file import comparisons_jsonl
from arena.site.downloads import leaderboard_csv, leaderboard_json
from arena.site.facts import Edition
from arena.site.figures.published import Illustrator, list_figures
from arena.site.frames import Frames
from arena.site.index_page import build_index, build_meta, say_imported
from arena.site.names import Names, make_names
from arena.site.other_pages import Place, link_others, link_profiles, print_others
from arena.site.pair_links import PairLinks
from arena.site.pair_page import PairPages
from arena.site.pair_pages import print_pairs
from arena.site.pair_places import place_verdicts
from arena.site.paper import Printer
from arena.site.release import Release
from arena.site.render import render_front, render_index
from arena.site.scenario_pages import print_scenarios
from arena.site.slugs import slugs
from arena.site.text import plain
from arena.site.views import BoardCard, FrontView, Link
from arena.site.withhold import hold_back
from arena.site.words import LANGS, Say, say_in
from arena.site.workbook_tables import leaderboard_xlsx

MANIFEST = "data/manifest.json"


class Press:
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
        """`lang` is the language without a suffix; `command` is what to run for the same again."""
        self._lang, self._command, self._software = lang, command, software
        self.illustrator, self._release, self._printer = illustrator, release, printer

    def print_edition(
        self, whole: Edition, *, listed: bool, changes: Changes | None = None
    ) -> Iterator[tuple[str, bytes]]:
        """(path, content) of the files of one leaderboard; `listed`: a front page lists it."""
        edition = hold_back(whole, self._release, say_in(self._lang))
        data = {
            "data/leaderboard.json": leaderboard_json(edition),
            "data/leaderboard.csv": leaderboard_csv(edition),
            "data/leaderboard.xlsx": leaderboard_xlsx(edition, self._software),
            "data/comparisons.jsonl": comparisons_jsonl(edition),
        }
        yield from data.items()
        yield from changes_data(changes).items()
        places = place_verdicts(edition)
        for lang in LANGS:
            say = say_in(lang)
            edition = hold_back(whole, self._release, say)
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
                downloads=[
                    *list_figures(drawn, say),
                    *([link_pdf(place, say)] if self._printer else ()),
                    *_downloads(data, say, listed=listed),
                ],
                command=_command(edition, self._command),
                more=[*link_others(edition, names, place), link_brief(place, say)],
                profiles=profiles,
                changes=link_changes(changes, names, place),
                duel=links.below,
            )
            yield self._at("index", lang), render_index(view, say).encode()
            pairs = PairPages(edition, names, links)
            yield from print_scenarios(edition, names, place, pairs, notes=self._release.notes)
            yield from print_pairs(pairs, links, names, place, profiles)
            # After the scenarios: what must not be published is named where it comes from.
            yield from print_others(edition, names, place, view).items()
            yield from print_changes(edition, changes, names, place).items()
            yield from print_brief(edition, names, place, view, self._printer).items()

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
        others = [*link_others(edition, names, place), link_brief(place, names.say)]
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
        headline=say_claims(edition, names),
        meta=tuple(build_meta(edition, names)),
    )
