"""The test server and a client of it."""

import pytest

from tests.support.llm_client import Client
from tests.support.server_thread import ServerThread


@pytest.fixture
def server():
    with ServerThread(retry_after=0) as thread:
        yield thread


@pytest.fixture
def client(server):
    one = Client(server.server.port)
    yield one
    one.http.close()
