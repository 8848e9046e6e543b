"""The files of the page of changes, and the one link to it."""

import json
from collections.abc import Mapping

from arena.domain.changes import Changes, key_of, to_json
from arena.site import formats
from arena.site.changes_page import build_changes, with_costs
from arena.site.facts import Edition
from arena.site.names import Names
from arena.site.other_pages import Place, link_profiles
from arena.site.render import render_changes
from arena.site.text import plain
from arena.site.views import Link

SCHEMA = "arena.changes/1"
DATA = "data/changes.json"


def changes_of(edition: Edition, changes: Mapping[str, Changes]) -> Changes | None:
    """The changes of an edition with its costs; None where no former board was named."""
    found = changes.get(key_of(edition.job))
    return None if found is None else with_costs(found, edition)


def changes_data(changes: Changes | None) -> dict[str, bytes]:
    """The changes for machines."""
    if changes is None:
        return {}
    document = {"schema": SCHEMA, **to_json(changes)}
    text = json.dumps(document, ensure_ascii=False, indent=1, sort_keys=True, allow_nan=False)
    return {DATA: (text + "\n").encode("utf-8", "backslashreplace")}


def link_changes(changes: Changes | None, names: Names, place: Place) -> Link | None:
    """The link from the first page."""
    if changes is None:
        return None
    date = formats.moment(changes.at or "")
    return Link(href=place.at("changes"), label=names.say("changes.link", date=date))


def print_changes(
    edition: Edition, changes: Changes | None, names: Names, place: Place
) -> dict[str, bytes]:
    """The page in one language, by path."""
    if changes is None:
        return {}
    say = names.say
    title = say("changes.title", title=plain(say.of(edition.job.suite.name)))
    frame = place.frame(title, "changes", Link(href=place.at("index"), label=say("back")))
    pages = {a: f"a/{page}" for a, page in link_profiles(edition, names, place).items()}
    view = build_changes(changes, names, frame, pages)
    return {place.at("changes"): render_changes(view, say).encode()}
