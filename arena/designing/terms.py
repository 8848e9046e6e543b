"""What is asked of a plan, with every default filled in."""

from arena.domain.design import USUAL_LOOKS, Terms
from arena.domain.job import Job
from arena.maths.designs.choosing import default_design


def settle_terms(job: Job) -> Terms:
    """The terms of a job's comparisons.

    Without a stated design the number of agents decides; a stated number of comparisons is never
    read as all of them. The answer key costs nothing, so it compares all. What does not bear on a
    plan (the seed of `all`) is no part of its terms.
    """
    asked = job.compare
    if job.suite.choice is not None:
        return Terms(design="all")
    design = asked.design or default_design(len(job.ranked))
    if asked.design is None and design == "all" and asked.comparisons is not None:
        design = "even"
    looks = 1 if asked.stop_width is None else asked.looks or USUAL_LOOKS
    return Terms(
        design=design,
        comparisons=asked.comparisons,
        baseline=asked.baseline,
        stop_width=asked.stop_width,
        looks=looks,
        seed=0 if design == "all" and looks == 1 else job.seed,
    )
