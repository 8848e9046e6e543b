"""For all tests: examples without a deadline; a test of a reported fault is found by `-k R07`."""

import pytest
from hypothesis import HealthCheck, settings

# Laws hold on a busy machine too: no example is timed.
settings.register_profile("patient", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("patient")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        for mark in item.iter_markers("reported"):
            item.extra_keyword_matches.update(mark.args)
