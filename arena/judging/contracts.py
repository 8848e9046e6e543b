"""Which contract reads the comparisons of a suite."""

from collections.abc import Mapping

from arena.domain.suite import Compared, Scenario, Suite
from arena.judging.forced import ForcedContract
from arena.judging.marks import MarksContract
from arena.judging.pairwise import PairwiseContract
from arena.judging.render import Kind

CONTRACTS: Mapping[Compared, type[PairwiseContract]] = {
    "pairwise": PairwiseContract,
    "forced": ForcedContract,
    "marks": MarksContract,
}


def pairwise_contract(
    suite: Suite,
    scenario: Scenario,
    *,
    codes: tuple[str, str],
    aliases: tuple[tuple[str, ...], tuple[str, ...]] = ((), ()),
) -> PairwiseContract:
    """The contract of one presentation; `codes` and `aliases` of the sides in the order shown."""
    return CONTRACTS[suite.contract](
        criteria=suite.rubric_of(scenario).compare_criteria(),
        codes=codes,
        lang=suite.language,
        aliases=aliases,
    )


def pairwise_template(suite: Suite) -> Kind:
    """The template that goes with it: where ties are not allowed, one that does not offer them."""
    return "pairwise" if suite.contract == "pairwise" else "forced"
