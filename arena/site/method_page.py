"""The page of the method: what was done and counted, and who was sent which text."""

from collections import Counter
from collections.abc import Mapping

from arena.domain.call import Status
from arena.site import formats
from arena.site.board_terms import say_counts
from arena.site.facts import Edition
from arena.site.index_views import IndexView
from arena.site.method_views import CountRow, MethodView
from arena.site.names import Names
from arena.site.readers import build_readers
from arena.site.views import Frame


def build_method_page(edition: Edition, names: Names, frame: Frame, index: IndexView) -> MethodView:
    """The view of the method; `index` is the first page, whose lower parts it shares."""
    return MethodView(
        frame=frame,
        counts=_counts(edition, names),
        readers=build_readers(edition, names),
        about=index.about,
        method=index.method,
        command=index.command,
        terms=index.terms,
        effects=index.effects,
        judges=index.judges,
        ranking=index.ranking,
    )


def _counts(edition: Edition, names: Names) -> tuple[CountRow, ...]:
    """Transcripts, sheets and verdicts; what was never planned has no row."""
    ended: dict[str, Counter[str]] = {
        "transcripts": Counter(
            _ended(one.status) for facts in edition.transcripts.values() for one in facts
        ),
        "sheets": Counter(),
        "verdicts": Counter(),
    }
    for judge in edition.judges:
        ended["sheets"].update(judge.sheets)
        ended["verdicts"].update(judge.verdicts)
    return tuple(_row(kind, found, names) for kind, found in ended.items() if found)


def _ended(status: Status | None) -> str:
    return "missing" if status is None else status.value


def _row(kind: str, ended: Mapping[str, int], names: Names) -> CountRow:
    say, ok = names.say, Status.OK.value
    rest = {status: n for status, n in ended.items() if status != ok}
    return CountRow(
        name=say(f"method.count.{kind}"),
        planned=formats.count(sum(ended.values()), say),
        done=formats.count(ended.get(ok, 0), say),
        rest=say_counts(rest, "status", say) or formats.DASH,
    )
