"""What the template of the page of changes is given; text already chosen, as in views."""

from dataclasses import dataclass

from arena.site.views import Badge, Frame, Term


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeCell:
    """A cell under `label`: what is printed, what is under it; `moved` stands out."""

    label: str
    text: str
    note: str = ""
    moved: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeRow:
    """One agent, or one drift; `href`: its page, empty where it has none."""

    name: str
    href: str
    badges: tuple[Badge, ...]
    cells: tuple[ChangeCell, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeTable:
    """A table under a heading; the heads are the labels of its cells."""

    id: str
    title: str
    about: str
    corner: str
    heads: tuple[str, ...]
    rows: tuple[ChangeRow, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangesView:
    """What changed since a former board: what may be claimed, then the tables."""

    frame: Frame
    subtitle: str
    claim: str
    beside: tuple[str, ...]
    notices: tuple[str, ...]
    meta: tuple[Term, ...]
    how: tuple[str, ...]
    tables: tuple[ChangeTable, ...]
