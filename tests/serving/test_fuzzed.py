"""Whatever is sent to the API, it never breaks: no reply is a fault of the server."""

import pytest
from hypothesis import HealthCheck, given, settings

from tests.serving.conftest import served

schemathesis = pytest.importorskip("schemathesis", reason="schemathesis is not installed")
pytest.importorskip("fastapi", reason="the service is an extra: serve")
FEW = settings(
    max_examples=15, derandomize=True, deadline=None, suppress_health_check=list(HealthCheck)
)


def test_nothing_that_is_sent_makes_the_service_fail(filled):
    with served(filled) as (url, _):
        schema = schemathesis.openapi.from_url(f"{url}/api/openapi.json")
        sent = set()
        for found in schema.get_all_operations():
            operation = found.ok()
            # Events have no end.
            if operation.path != "/api/live":
                _try(operation, sent)
        assert len(sent) > 10


def _try(operation, sent):
    @FEW
    @given(case=operation.as_strategy())
    def send(case):
        reply = case.call()
        sent.add((operation.method, operation.path))
        assert reply.status_code < 500, reply.text

    send()
