"""What is said of the models that serve agents and judges, before a run and after it."""

from arena.cli import output
from arena.cli.words import Lang, say
from arena.cli.workspace import Bench
from arena.domain.forecast import Forecast
from arena.domain.served import floating_aliases
from arena.store.store import Store


def tell_aliases(bench: Bench, forecast: Forecast, lang: Lang) -> None:
    """Name the judges about to be asked whose model may change behind its name."""
    asked = {line.who for line in forecast.lines if line.calls}
    judges = [j for j in bench.config.judges if f"judge:{j.judge}" in asked]
    if names := ", ".join(j.judge for j in floating_aliases(judges)):
        output.tell(say(lang, "floating_alias", names=names))


def tell_changes(bench: Bench, store: Store, lang: Lang) -> None:
    """Name whoever several model strings served in this run."""
    for (_, entrant), models in store.calls.strings(bench.run).items():
        if len(models) > 1:
            told = say(lang, "served_changed", who=entrant, models=", ".join(models))
            output.tell(told, style="yellow")
