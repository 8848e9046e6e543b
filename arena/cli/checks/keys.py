"""Keys: each variable that somebody needs is there, or it is not; what it holds is never said."""

from collections.abc import Iterator

from arena.cli.checks.scene import Scene, variables_of
from arena.domain.finding import Finding, State


def check_keys(scene: Scene) -> Iterator[Finding]:
    """A row for each variable, with everybody who needs it."""
    for variable, whos in _needed(scene).items():
        yield _look(scene, variable, tuple(whos))


def check_providers(scene: Scene) -> Iterator[Finding]:
    """Model strings of which LiteLLM does not know who serves them."""
    for who, entrant in scene.models.items():
        if scene.remote is not None and not scene.remote.knows_provider(entrant.route):
            yield Finding(
                check="model",
                state="fail",
                who=(who,),
                said="check_provider_unknown",
                todo="check_do_provider",
                facts={"model": entrant.route},
            )


def _needed(scene: Scene) -> dict[str, list[str]]:
    needed: dict[str, list[str]] = {}
    for who, entrant in scene.entrants.items():
        named = list(variables_of(entrant))
        if who in scene.models and scene.remote and not (entrant.api_base or named):
            named += scene.remote.needed_variables(entrant.route)
        for variable in named:
            needed.setdefault(variable, []).append(who)
    return needed


def _look(scene: Scene, variable: str, whos: tuple[str, ...]) -> Finding:
    """Unset and empty are missing; that it is empty is said, since it is easily overlooked."""
    empty = scene.environ.get(variable) == ""
    state: State
    if scene.secrets.get(variable):
        state, said, todo = "ok", "check_key_there", ""
        if empty:
            state, said, todo = "warn", "check_key_from_file", "check_do_empty"
    else:
        empty = empty or scene.dotenv.get(variable) == ""
        said = "check_key_empty" if empty else "check_key_missing"
        state, todo = "fail", "check_do_key"
    return Finding(
        check="key", state=state, who=whos, said=said, todo=todo, facts={"variable": variable}
    )
