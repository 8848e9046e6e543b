"""The 66 faults that users of other tools reported: what each is about, and its literal input.

A test claims a fault by its name (`test_r07_…`) or by `@pytest.mark.reported("R07")`. Tests use
inputs of their own words; the literal ones lie beside the clone, where there are any.
"""

import json

import pytest

from tests.support.shared import SHARED

ABOUT = {
    "R01": "a fence around the whole reply",
    "R02": "prose, then a fence; what cannot be read after a repair is counted and no score",
    "R03": "labels in the reasoning before the verdict",
    "R04": "an echoed example of the format",
    "R05": "free digits in prose",
    "R06": "a label inside its own denial",
    "R07": "a reply cut by its token limit",
    "R08": "unreadable replies counted as ties",
    "R09": "refusal as an outcome of its own",
    "R10": "raw line breaks in strings, and a number outside its scale",
    "R11": "invented criteria",
    "R12": "a reason that contradicts the verdict",
    "R13": "thinking, closed and unclosed",
    "R14": "empty content beside a reasoning field",
    "R15": "a policy error of the provider",
    "R16": "no content at all",
    "R17": "template marks in an answer",
    "R18": "delimiters and instructions in an answer",
    "R19": "the judge sees what the agent saw",
    "R20": "the whole dialogue is judged",
    "R21": "transcripts beyond the judge's context",
    "R22": "who won, mapped back from the order shown",
    "R23": "one order missing",
    "R24": "an unknown outcome label in a file",
    "R25": "an agent's name instead of a label",
    "R26": "ties in the share won",
    "R27": "ratings do not depend on the order of rows",
    "R28": "copies of an agent, and repeated runs, get the same intervals",
    "R29": "the rating is the fit and no median of resamples",
    "R30": "groups that never met",
    "R31": "an agent that won everything",
    "R32": "pairs that never met",
    "R33": "repeats of a scenario are not independent",
    "R34": "analytic and resampled errors agree",
    "R35": "agreement of a single judge",
    "R36": "what a judge favours is shown",
    "R37": "families by equality, never by prefix",
    "R38": "replicates are averaged, not picked",
    "R39": "failures never enter a mean",
    "R40": "an exception is an error and no zero",
    "R41": "no red flag by keyword",
    "R42": "a second run asks only what failed",
    "R43": "a failure is no answer kept",
    "R44": "another judge is another key",
    "R45": "the same verdict twice",
    "R46": "the served model changes in mid-run",
    "R47": "a second process at the database",
    "R48": "many workers, one writer",
    "R49": "importing LiteLLM asks no network",
    "R50": "importing LiteLLM loads no .env",
    "R51": "an empty variable does not hide .env",
    "R52": "an unknown price is no 0",
    "R53": "a provider that ignores its timeout",
    "R54": "calls at once are not serialised",
    "R55": "a parameter that a model refuses",
    "R56": "what is retried, and when",
    "R57": "names that are no file names",
    "R58": "Chinese names in figures",
    "R59": "files and consoles of any encoding",
    "R60": "a site that any host serves",
    "R61": "hostile text on a page",
    "R62": "secrets stay out of what is kept",
    "R63": "exit codes",
    "R64": "too few agents or judges",
    "R65": "a named output file is that file",
    "R66": "one judge of a panel fails",
}
FILE = SHARED / "user-report-cases.json"


def literal(case: str) -> str:
    """The input of a reported fault as it was written down; skips where it is absent."""
    if not FILE.is_file():
        pytest.skip("the reported inputs do not lie beside the clone")
    found = {one["id"]: one["inp"] for one in json.loads(FILE.read_text("utf-8"))}
    return found[case]
