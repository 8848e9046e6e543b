"""Looking through all that would be published, whatever page or file it stands in."""

import io
import re
import zipfile
from collections.abc import Iterator, Mapping

from arena.errors import MustNotPublish
from arena.site.safety.finding import Finding, Spot, hash_of, masked
from arena.site.safety.kinds import find_hits

PICTURES = (".png", ".pdf")
"""Made from what is searched elsewhere, and no text."""
_HIDDEN = re.compile(r'<span class="cp">U\+[0-9A-F]{4,6}</span>')
_MARK = 'class="cp"'
_OURS = ("style", "script")
_TAG = re.compile(r"<[^>]*>")
_TITLE = re.compile(r"<title>([^<]*?) · ")
_ID = re.compile(r'\sid="([^"]*)"')
_ROUND = re.compile(r"-(\d+)(?:\.[a-z]+)?$")
"""A turn and its parts: agent, a hyphen and the round; parts have a letter after it."""


def refuse_findings(
    files: Mapping[str, bytes],
    *,
    secrets: Mapping[str, str] = {},
    salt: bytes = b"",
    allowed: frozenset[str] = frozenset(),
) -> None:
    """Raises MustNotPublish for keys and personal data, but for those whose hash is `allowed`."""
    found = scan_files(files, secrets=secrets, salt=salt)
    left = tuple(f for f in found if f.hash not in allowed)
    if not left:
        return
    first = left[0]
    raise MustNotPublish(
        "{path} holds what looks like a key or personal data ({shown})",
        why="what is published is public; nothing was written ({n} values were found)",
        fix="Leave it out (--transcripts redacted or none), or, if it may be seen: "
        "--allow-finding {hash}",
        findings=left,
        path=first.spots[0].path,
        shown=first.shown,
        n=len(left),
        hash=first.hash,
    )


def scan_files(
    files: Mapping[str, bytes], *, secrets: Mapping[str, str], salt: bytes
) -> tuple[Finding, ...]:
    """Every value once, with its places; pages come before data files."""
    places: dict[tuple[str, str], list[Spot]] = {}
    shown: dict[tuple[str, str], str] = {}
    for path in sorted(files, key=lambda p: (not p.startswith("s/"), "/s/" not in p, p)):
        for name, text in texts_of(path, files[path]):
            for hit in find_hits(text, secrets):
                key = (hit.kind, hash_of(hit, salt))
                places.setdefault(key, []).append(_spot(name, text, hit.start))
                shown.setdefault(key, masked(text[hit.start : hit.end]))
    return tuple(
        Finding(kind=kind, shown=shown[kind, digest], hash=digest, spots=tuple(spots))
        for (kind, digest), spots in places.items()
    )


def texts_of(path: str, content: bytes) -> Iterator[tuple[str, str]]:
    """The texts of a file, each with the file's path; a spreadsheet has several, a picture none."""
    if path.endswith(PICTURES):
        return
    if path.endswith(".xlsx"):
        with zipfile.ZipFile(io.BytesIO(content)) as parts:
            for part in sorted(n for n in parts.namelist() if n.startswith("xl/")):
                yield path, _TAG.sub(" ", parts.read(part).decode("utf-8", "replace"))
        return
    text = content.decode("utf-8", "replace")
    if path.endswith(".svg"):
        yield path, _TAG.sub(" ", text)  # what is drawn is made of numbers
    elif path.endswith(".html"):
        # A value with an invisible character in its middle is still that value; style and script
        # are ours, the same on every page.
        shown = _without_ours(text)
        yield path, _HIDDEN.sub("", shown) if _MARK in shown else shown
    else:
        yield path, text


def _without_ours(text: str) -> str:
    for tag in _OURS:
        start = 0
        while (start := text.find(f"<{tag}>", start)) >= 0:
            end = text.find(f"</{tag}>", start)
            if end < 0:
                break
            text = text[:start] + text[end + len(tag) + 3 :]
    return text


def _spot(path: str, text: str, at: int) -> Spot:
    if not path.endswith(".html"):
        return Spot(path=path, at=f"{text.count(chr(10), 0, at) + 1}")
    ids = _ID.findall(text, 0, at)
    last = ids[-1] if ids else ""
    number = _ROUND.search(last)
    on_page = path.startswith("s/") or "/s/" in path
    title = _TITLE.search(text) if on_page else None
    return Spot(
        path=path,
        at=last,
        scenario=title[1] if title else "",
        round=int(number[1]) if on_page and number and last[:2] not in ("c-", "t-") else 0,
    )
