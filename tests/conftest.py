"""Reported faults: a test that covers some names them, and `-k R07` finds it."""

import pytest


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        for mark in item.iter_markers("reported"):
            item.extra_keyword_matches.update(mark.args)
