"""The OpenAPI document, and whether the server keeps to it."""

import asyncio
import re
import socket
import threading

import hypothesis
import msgspec
import pytest

from astragal.web.openapi import document
from table.stores import PATIENCE
from unlimited import UNLIMITED
from web.serving import a_table, serving

EXAMPLES = 40
"""For each operation; with a fixed seed, so that a run does not depend on luck."""


ACCEPTED = ["2xx", "401", "403", "404", "409", "422"]
"""What is of the right form may still not fit the table (422) or its rules (409)."""


class Running:
    """A server in another thread, with a table at it."""

    def __init__(self, database):
        self.started = threading.Event()
        self.stop = None
        self.thread = threading.Thread(target=lambda: asyncio.run(self.serve(database)))
        self.thread.start()
        assert self.started.wait(PATIENCE)

    async def serve(self, database):
        self.stop, self.loop = asyncio.Event(), asyncio.get_running_loop()
        async with serving(database, rates=UNLIMITED) as server:
            self.server, self.people = server, await a_table(server)
            self.schema = document(server.app.routes)
            self.started.set()
            await self.stop.wait()

    def end(self):
        self.loop.call_soon_threadsafe(self.stop.set)
        self.thread.join(PATIENCE)


@pytest.fixture(scope="module")
def running(tmp_path_factory):
    running = Running(f"sqlite:///{tmp_path_factory.mktemp('schema')}/a.db")
    yield running
    running.end()


def test_the_document_names_every_refusal_and_resolves_every_reference(running):
    schema = running.schema
    text = msgspec.json.encode(schema).decode()
    named = set(schema["components"]["schemas"])
    for part in text.split('"#/components/schemas/')[1:]:
        assert part.partition('"')[0] in named
    for path, operations in schema["paths"].items():
        for method, operation in operations.items():
            statuses = set(operation["responses"])
            assert {"421", "429"} <= statuses, (method, path)
            assert not {"500"} & statuses
            if path.startswith("/api/t/"):
                assert "401" in statuses
            assert operation["summary"]
            if method == "post" and "requestBody" in operation:
                assert {"413", "415"} <= statuses, path
                assert {"400", "422"} & statuses, path


def test_the_document_is_served(running):
    import httpx

    answer = httpx.get(f"{running.server.url}/schema/openapi.json", timeout=PATIENCE)
    assert answer.json() == running.schema


def operations():
    """Every operation, by name, as the routes declare them."""
    from astragal.web.app import API_ROUTES

    for handler in API_ROUTES:
        (path,) = handler.paths
        (method,) = handler.http_methods
        yield pytest.param(str(method), re.sub(r":\w+}", "}", path), id=f"{method} {path}")


@pytest.mark.parametrize(("method", "path"), list(operations()))
def test_the_server_keeps_to_its_document(running, method, path):
    import schemathesis  # takes long to import
    from schemathesis.checks import CHECKS

    raw = {**running.schema, "paths": {path: running.schema["paths"][path]}}
    schema = schemathesis.openapi.from_dict(raw)
    schema.config.update(base_url=running.server.url)
    schema.config.checks.positive_data_acceptance.expected_statuses = ACCEPTED
    operation = schema[path][method.upper()]
    token, campaign = running.people.gm, running.people.campaign
    left_out = [CHECKS.get_one("ignored_auth")]  # test_rights does that for every route

    @hypothesis.settings(
        max_examples=EXAMPLES // 4 if path == "/api/import" else EXAMPLES,
        deadline=None,
        derandomize=True,
        suppress_health_check=list(hypothesis.HealthCheck),
        database=None,
    )
    @hypothesis.given(case=operation.as_strategy(), ours=hypothesis.strategies.integers(0, 9))
    def keeps_to_it(case, ours):
        if "campaign" in case.path_parameters and ours:
            case.path_parameters["campaign"] = campaign
        headers = {"Authorization": f"Bearer {token}"} if path.startswith("/api/t/") else {}
        if "/links/" in path and method == "POST" and case.path_parameters["seat"] == "gm":
            return
        case.call_and_validate(headers=headers, excluded_checks=left_out, timeout=PATIENCE)

    keeps_to_it()


def test_what_violates_the_schema_is_never_a_failure_of_the_server(running):
    """Raw garbage at every path and method, known or not: always an answer, never a 5xx."""
    port = int(running.server.url.rpartition(":")[2])
    lines = [
        b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
        b"GET /api/t/\xff\xfe/view HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
        b"GET /api/t/%ff%fe/view HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
        b"GET /api/rules/%00 HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
        b"GET /api/rules/search?q=%ff HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
        b"GET /api/rules/search?q=a&q=b&limit=1&limit=2 HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
        b"POST /api/join HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: -1\r\n\r\n",
        b"POST /api/join HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: x\r\n\r\n",
        b"GET /ws/x HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\n\r\n",
        b"GET //// HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
        b"GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\nCookie: " + b"=;" * 2000 + b"\r\n\r\n",
        b"GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer\r\n\r\n",
        b"PROPFIND /health HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
    ]
    for line in lines:
        with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE) as raw:
            raw.sendall(line)
            answer = raw.recv(4000)
        assert answer.startswith(b"HTTP/1.1 "), line
        assert answer[9:10] in b"1234", (line, answer[:200])
