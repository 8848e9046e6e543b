"""Every reported fault is claimed by a test: by its name or by the mark `reported`."""

import ast
import re
from pathlib import Path

from tests.support.reported import ABOUT

TESTS = Path(__file__).parents[1]
NAMED = re.compile(r"test_r(\d\d)_")


def claims():
    """(fault, place) of every claim."""
    for path in sorted(TESTS.rglob("test_*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                continue
            place = f"{path.relative_to(TESTS)}::{node.name}"
            if named := NAMED.match(node.name):
                yield f"R{named[1]}", place
            for mark in node.decorator_list:
                if ast.unparse(mark).startswith("pytest.mark.reported("):
                    yield from ((argument.value, place) for argument in mark.args)


def test_every_reported_fault_is_claimed_and_no_other():
    claimed = {fault for fault, _ in claims()}
    assert sorted(claimed) == sorted(ABOUT)
    assert len(ABOUT) == 66
