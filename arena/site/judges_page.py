"""The page of the judges: what `arena diagnose` found, in words, judge by judge."""

from collections.abc import Mapping

from arena.domain.diagnosis import AGREEMENT, BY_CRITERION, Diagnosis, Figure, JudgeDiagnosis
from arena.domain.figure_words import FIGURES, NOTES
from arena.domain.method import LEVEL
from arena.site import formats
from arena.site.facts import Edition
from arena.site.figure_rows import Teller, name_people
from arena.site.judge_views import JudgeCard, JudgesView
from arena.site.method import build_judges
from arena.site.names import Names
from arena.site.people import build_people
from arena.site.slugs import slugs
from arena.site.survival import Survival, say_survival, survivals
from arena.site.views import Frame, JudgeRow, Term


def has_judges(edition: Edition) -> bool:
    """Whether there is anything to say of judges: an answer key is none."""
    return bool(edition.judges) and edition.job.suite.choice is None


def build_judges_page(edition: Edition, names: Names, frame: Frame) -> JudgesView:
    """The view of the judges, with the report beside the board or without it."""
    found = edition.diagnosis
    reports = {judge.judge: judge for judge in found.judges} if found else {}
    survived = {one.judge: one for one in survivals(edition)}
    rows = dict(zip((j.id for j in edition.judges), build_judges(edition, names), strict=True))
    teller = Teller(names, name_people(_all_judges(reports), names))
    # A person who judged is counted in the agreement of the others, and has no card.
    known = [*rows, *(n for n in reports if n not in rows and not reports[n].person)]
    ids = slugs(known)
    return JudgesView(
        frame=frame,
        notices=tuple(_notices(edition, names)),
        meta=_meta(found, names),
        level=formats.level(found.level if found else LEVEL),
        cards=tuple(
            _card(ids[name], name, rows.get(name), survived.get(name), reports.get(name), teller)
            for name in known
        ),
        panel=teller.rows(found.panel) if found else (),
        people=build_people(edition.board, names),
    )


def _all_judges(reports: Mapping[str, JudgeDiagnosis]) -> list[str]:
    return [*reports, *(f.of for judge in reports.values() for f in judge.figures if f.of)]


def _meta(found: Diagnosis | None, names: Names) -> tuple[Term, ...]:
    if found is None:
        return ()
    say = names.say
    return (
        Term(label=say("judges.report"), value=formats.moment(found.at or "")),
        Term(label=say("term.seed"), value=str(found.seed)),
    )


def _notices(edition: Edition, names: Names) -> list[str]:
    say, found = names.say, edition.diagnosis
    if found is None:
        return [say("judges.no_report")]
    said = [NOTES[note][say.lang] for note in found.notes if note in NOTES]
    if edition.board is None or found.board != edition.board.data_digest:
        said.append(say("judges.old_report"))
    return said


def _card(
    slug: str,
    name: str,
    row: JudgeRow | None,
    survival: Survival | None,
    report: JudgeDiagnosis | None,
    teller: Teller,
) -> JudgeCard:
    figures = report.figures if report else ()
    own: list[Figure] = [f for f in figures if f.figure not in (*AGREEMENT, *BY_CRITERION)]
    between = [f for f in figures if f.figure in AGREEMENT]
    sided = [f for f in figures if f.figure in BY_CRITERION]
    agreement, lang = teller.agreement(between), teller.names.say.lang
    reasons = dict.fromkeys(row.why for row in agreement)
    return JudgeCard(
        slug=slug,
        name=teller.judge(name),
        row=row,
        survived=say_survival(survival, teller.names) if survival else "",
        warned=bool(survival and survival.chance),
        findings=_findings(report, teller),
        figures=teller.rows(own),
        measures=tuple(FIGURES[m].name[lang] for m in AGREEMENT) if between or sided else (),
        agreement=agreement,
        by_criterion=teller.agreement(sided, BY_CRITERION),
        unmeasured="" if "" in reasons else teller.names.say("list.semicolon").join(reasons),
        unknown=teller.unknown(own),
    )


def _findings(report: JudgeDiagnosis | None, teller: Teller) -> tuple[str, ...]:
    """What is notable and what to do; that nothing is, where something was tested."""
    if report is None:
        return ()
    if notable := report.notable():
        return teller.advice(notable)
    tested = sum(f.notable is not None for f in report.figures)
    say = teller.names.say
    return (say("judges.clean", n=tested) if tested else say("judges.untested"),)
