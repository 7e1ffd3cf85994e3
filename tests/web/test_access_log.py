"""The log: what went on, and never a secret."""

import asyncio
import io
import json
import logging

import pytest
from sqlalchemy import text
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from astragal.table.commands.decide import CommandDecider
from astragal.table.hosted import HostedCampaign
from astragal.table.store import direct_line, statements
from astragal.web import access_log
from web.serving import KEY, a_table, bearer, serving, sitting


@pytest.fixture
def written():
    """What is written to the log, line by line."""
    stream = io.StringIO()
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    yield stream
    root.handlers[:] = handlers
    root.setLevel(level)


@pytest.mark.parametrize("kind", ["json", "text"])
def test_links_and_keys_are_never_written_down(store_url, written, kind):
    async def play():
        async with serving(store_url, host="192.0.2.1") as server, server.http() as http:
            access_log.set_up(kind, written)
            people = await a_table(server)
            await http.get(f"/join/{people.anna}")
            await http.get(f"/?key={KEY}")
            await http.get("/?key=a-wrong-secret")
            await http.post("/api/join", json={"token": people.anna})
            await http.post("/api/join", json={"token": "x" * 300})
            await http.get(f"/api/t/{people.campaign}/view", headers=bearer(people.gm))
            await http.get(f"/api/t/{people.campaign}/view?token={people.gm}")
            await http.get(f"/join/{people.gm}/x%0aforged line")
            async with sitting(server, people, "anna"):
                pass
            return people

    people = asyncio.run(play())
    text = written.getvalue()
    for secret in (people.gm, people.anna, people.watcher, KEY, "a-wrong-secret", "x" * 100):
        assert secret not in text
    assert "/join/*" in text
    assert "\nforged" not in text
    assert "SOCKET" in text


def test_json_lines_can_be_read_by_programs(store_url, written):
    async def play():
        async with serving(store_url) as server, server.http() as http:
            access_log.set_up("json", written)
            answer = await http.get("/api/t/nowhere/view")
            await http.get("/health")
            return answer.headers["x-request-id"]

    request_id = asyncio.run(play())
    lines = [json.loads(line) for line in written.getvalue().splitlines()]
    (line,) = [line for line in lines if line.get("request") == request_id]
    assert (line["status"], line["method"], line["path"]) == (401, "GET", "/api/t/nowhere/view")
    assert line["level"] == "info"
    assert line["ms"] >= 0
    assert not any(line.get("path") == "/health" for line in lines)


def test_a_failure_inside_is_a_line_for_people_and_a_trace_for_the_log(
    store_url, written, monkeypatch
):
    async def play():
        async with serving(store_url) as server, server.http() as http:
            access_log.set_up("json", written)
            people = await a_table(server)

            async def broken(*_):
                raise ZeroDivisionError("inside")

            monkeypatch.setattr(server.app.tables, "view", broken)
            return await http.get(f"/api/t/{people.campaign}/view", headers=bearer(people.gm))

    answer = asyncio.run(play())
    assert answer.status_code == 500
    assert "inside" not in answer.text
    assert "Traceback" not in answer.text
    (line,) = [line for line in map(json.loads, written.getvalue().splitlines()) if "trace" in line]
    assert line["trace"].endswith("ZeroDivisionError")
    assert "test_access_log.py" in line["trace"]


QUOTES_WHAT_IS_WRONG = """
SELECT campaign, event::int FROM unnest(
    $1::text[], $2::int[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[]
) AS row (campaign, seq, at, seat, mark, event, channel, payload)
"""
"""PostgreSQL refuses it, with the whole of what somebody has written."""


@pytest.mark.parametrize("kind", ["json", "text"])
def test_what_people_write_is_in_no_trace(store_url, written, monkeypatch, kind):
    """A procedure that fails, a state that cannot be seen, a database that refuses a row."""
    secret = "the heir is a changeling"

    def broken(*_):
        raise KeyError(secret)

    async def play():
        async with serving(store_url) as server, server.http() as http:
            access_log.set_up(kind, written)
            people = await a_table(server)
            headers = bearer(people.gm)
            path = f"/api/t/{people.campaign}/do"
            say = {"command": {"do": "say", "text": secret}}
            with monkeypatch.context() as patched:
                patched.setattr(CommandDecider, "event", broken)
                assert (await http.post(path, json=say, headers=headers)).status_code == 409
            with monkeypatch.context() as patched:
                patched.setattr(HostedCampaign, "ahead", broken)
                assert (await http.post(path, json=say, headers=headers)).status_code == 409

            def wrong(connection, rows):
                connection.execute(text("INSERT INTO nowhere VALUES (:it)"), {"it": rows[0].event})

            with monkeypatch.context() as patched:
                patched.setattr(direct_line, "_APPEND", QUOTES_WHAT_IS_WRONG)
                patched.setattr(statements, "append_nexts", wrong)
                patched.setattr(statements, "append_rows", wrong)
                assert (await http.post(path, json=say, headers=headers)).status_code == 503

    asyncio.run(play())
    assert "SendMessage" in written.getvalue()
    assert "MessageSent" in written.getvalue()
    assert "nowhere" in written.getvalue()
    assert "changeling" not in written.getvalue()


def test_a_socket_that_is_refused_is_one_line_and_no_error(store_url, written):
    async def play():
        async with serving(store_url) as server:
            access_log.set_up("text", written)
            url = f"{server.socket_url}/ws/0123456789abcdef"
            with pytest.raises(InvalidStatus):
                await connect(url, additional_headers=bearer("no such link"), proxy=None)

    asyncio.run(play())
    (line,) = written.getvalue().splitlines()
    assert " 401 SOCKET /ws/0123456789abcdef" in line
