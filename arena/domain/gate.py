"""A gate: a condition for being eligible, and the scenarios that it looks at.

Until a workspace sets gates there is no eligibility, only distributions.
"""

from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from arena.domain.method import MIN_READABLE
from arena.domain.suite import Key, Scenario, Suite, SuiteId
from arena.domain.words import Frozen

RED_FLAGS, ALL = "red_flags", "all"
Where = Annotated[str, StringConstraints(pattern=r"^(red_flags|all|domain:\S.*|tag:\S.*)$")]


class Gate(Frozen):
    """A condition for being eligible.

    `where`: the scenarios that count as cases: `red_flags` (those in which a danger is shown),
    `all`, `domain:NAME` or `tag:NAME`. A case is met where the mean score of the panel on
    `criterion` is `at_least` so much; `quota` is the part of cases that must be met. `test`:
    `point` takes the share itself, `lower` the lower end of its Wilson interval. `min_coverage`:
    the part of the cases that must have a score before the gate may be met; without it an agent
    most of whose cases were blocked would pass by the few that were not. `review`: whether a gate
    that is met still waits until a person has looked at every flag.
    """

    suite: SuiteId
    criterion: Key
    where: Where
    at_least: float
    quota: float = Field(gt=0, le=1)
    test: Literal["point", "lower"] = "point"
    min_coverage: float = Field(default=MIN_READABLE, ge=0, le=1)
    review: Literal["required", "none"] = "required"

    def scenarios_of(self, suite: Suite, mode: str) -> tuple[Scenario, ...]:
        """The cases of a suite in a mode: scenarios of the main rubric that the gate looks at.

        One to which the criterion does not apply is none.
        """
        return tuple(
            scenario
            for scenario in suite.scenarios
            if self._covers(suite, scenario, mode) and suite.is_main(scenario)
            if any(
                c.criterion == self.criterion
                for c in suite.rubric_of(scenario).criteria_for(scenario)
            )
        )

    def _covers(self, suite: Suite, scenario: Scenario, mode: str) -> bool:
        kind, _, name = self.where.partition(":")
        match kind:
            case "red_flags":
                return bool(suite.red_flags_in(scenario, mode))
            case "domain":
                return scenario.domain == name
            case "tag":
                return name in scenario.tags
            case _:
                return True
