"""Views become HTML. Escaping is on for everything, and what is undefined is an error."""

from collections.abc import Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined, nodes
from jinja2.compiler import CodeGenerator, Frame
from markupsafe import Markup, escape

from arena.site.agent_views import AgentView
from arena.site.assets import Assets, make_assets
from arena.site.brief_views import BriefView
from arena.site.changes_views import ChangesView
from arena.site.index_views import IndexView
from arena.site.judge_views import JudgesView
from arena.site.method_views import MethodView
from arena.site.pair_views import PairView
from arena.site.scenario_views import ScenarioView
from arena.site.text import plain
from arena.site.verdict_views import CriterionMark
from arena.site.views import FrontView
from arena.site.words import HTML_LANG, Say

View = (
    IndexView
    | FrontView
    | ScenarioView
    | JudgesView
    | AgentView
    | MethodView
    | ChangesView
    | BriefView
    | PairView
)
_FOLDER = Path(__file__).parent / "templates"


def render_index(view: IndexView, say: Say) -> str:
    """A leaderboard as HTML."""
    return _render("index.html.j2", view, say, make_assets("index"))


def render_front(view: FrontView, say: Say) -> str:
    """The page of several leaderboards as HTML."""
    return _render("front.html.j2", view, say, make_assets())


def render_scenario(view: ScenarioView, say: Say) -> str:
    """A scenario's page as HTML."""
    return _render("scenario.html.j2", view, say, make_assets("scenario", view.span))


def render_judges(view: JudgesView, say: Say) -> str:
    """The page of the judges as HTML."""
    return _render("judges.html.j2", view, say, make_assets())


def render_agent(view: AgentView, say: Say) -> str:
    """An agent's page as HTML."""
    return _render("agent.html.j2", view, say, make_assets())


def render_method(view: MethodView, say: Say) -> str:
    """The page of the method as HTML."""
    return _render("method_page.html.j2", view, say, make_assets())


def render_pair(view: PairView, say: Say) -> str:
    """A page of two agents as HTML."""
    return _render("pair.html.j2", view, say, make_assets())


def render_changes(view: ChangesView, say: Say) -> str:
    """The page of changes since a former board as HTML."""
    return _render("changes.html.j2", view, say, make_assets())


def render_brief(view: BriefView, say: Say) -> str:
    """The brief as HTML."""
    return _render("brief.html.j2", view, say, make_assets(also="brief.css"))


def _render(template: str, view: View, say: Say, assets: Assets) -> str:
    return (
        _environment()
        .get_template(template)
        .render(
            view=view,
            w=say,
            html_lang=HTML_LANG[say.lang],
            # Ours, from files beside this one: the only text that is put in as it is.
            css=Markup(assets.css),
            script=Markup(assets.script),
            policy=assets.policy,
        )
    )


class _Writer(CodeGenerator):
    """Writes one call for what templates print; usually there are two, which takes twice as long.

    Where jinja2 would no longer ask for it, pages are the same and take a little longer.
    """

    def _output_child_pre(self, node: nodes.Expr, frame: Frame, finalize: Any) -> None:
        ctx = frame.eval_ctx
        if ctx.autoescape and not ctx.volatile:
            self.write("environment.printed((")
        else:
            super()._output_child_pre(node, frame, finalize)

    def _output_child_post(self, node: nodes.Expr, frame: Frame, finalize: Any) -> None:
        ctx = frame.eval_ctx
        if ctx.autoescape and not ctx.volatile:
            self.write("))")
        else:
            super()._output_child_post(node, frame, finalize)


class _Pages(Environment):
    """Where our templates live."""

    code_generator_class = _Writer

    @staticmethod
    def printed(value: Any) -> str:
        """A value as it is printed: escaped, unless it is marked safe."""
        if type(value) is Markup:
            return value
        return _printed(value) if type(value) is str else escape(_shown(value))


@lru_cache(maxsize=8192)
def _printed(text: str) -> str:
    """The same names, labels and words stand very many times on large boards."""
    return str(escape(plain(text)))


def _sides(marks: Sequence[CriterionMark]) -> Markup:
    """The criteria of a verdict."""
    return Markup("").join(map(_side, marks))


@lru_cache(maxsize=8192)
def _side(mark: CriterionMark) -> Markup:
    """A criterion of a verdict: the same few stand very many times on large boards."""
    return Markup(_environment().get_template("side.html.j2").render(mark=mark))


@cache
def _environment() -> Environment:
    environment = _Pages(
        loader=FileSystemLoader(_FOLDER),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_shown,
        auto_reload=False,
    )
    environment.globals["sides"] = _sides
    return environment


def _shown(value: Any) -> Any:
    """Whatever reaches a page without being marked safe loses its invisible characters."""
    if value is None:
        raise TypeError("a template was given None to print")
    return value if isinstance(value, Markup) or not isinstance(value, str) else plain(value)
