"""Nonsense over sockets and by HTTP: each piece gets an answer, and none is a failure."""

from __future__ import annotations

import asyncio
import json
import tempfile
from typing import Any
from urllib.parse import quote, urlsplit

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st
from websockets.exceptions import WebSocketException

from astragal.web.app import API_ROUTES
from proof.counts import Counts
from proof.plain_http import Line
from web.serving import People, RunningServer, a_table, bearer, serving
from web.test_fuzz import ANYTHING, MESSAGE, WORDS, still_alive, told

EVENINGS = 150
"""Each with several messages and requests; all of them at one server, which takes long to start."""
AN_EVENING = 20
"""So many messages and requests at least."""
AT_ONCE = 4
"""People who send at the same time, so that nobody waits while the server writes."""
FAILED = "Something went wrong"
PATHS = [
    (str(method), path.replace(":str", ""))
    for handler in API_ROUTES
    for path in handler.paths
    for method in handler.http_methods
]
REQUEST = st.tuples(st.sampled_from(PATHS), WORDS, st.none() | ANYTHING, st.booleans())
INPUTS = st.tuples(
    st.lists(MESSAGE, min_size=10, max_size=40), st.lists(REQUEST, min_size=10, max_size=40)
)


def some(counts: Counts, wanted: int) -> None:
    """A server, some nonsense, and somebody who still plays there afterwards."""
    number = counts.next_seed("inputs")
    evenings = max(1, min(EVENINGS, (wanted - counts.of("inputs")) // AN_EVENING))
    try:
        counts.add("inputs", asyncio.run(_some(number, evenings)))
    except AssertionError as fault:
        counts.faults.append(f"inputs, seed {number}: {str(fault)[:500]}")


def _drawn(number: int, evenings: int) -> list[tuple[list[Any], list[Any]]]:
    drawn: list[tuple[list[Any], list[Any]]] = []

    @seed(number)
    @settings(
        max_examples=evenings,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(INPUTS)
    def draw(inputs: tuple[list[Any], list[Any]]) -> None:
        drawn.append(inputs)

    draw()
    return drawn


async def _some(number: int, evenings: int) -> int:
    drawn = _drawn(number, evenings)
    tried = sum(len(messages) + len(requests) for messages, requests in drawn)
    with tempfile.TemporaryDirectory() as folder:
        async with serving(f"sqlite:///{folder}/proof.db") as server:
            people = await a_table(server)
            try:
                async with asyncio.TaskGroup() as group:
                    for _ in range(AT_ONCE):
                        group.create_task(_sent(server, people, drawn))
                await still_alive(server, people)
            except (ExceptionGroup, OSError, EOFError, WebSocketException) as error:
                if server.uvicorn.should_exit:  # the server has heard Ctrl-C instead of us
                    raise KeyboardInterrupt from None
                raise (
                    error.exceptions[0] if isinstance(error, ExceptionGroup) else error
                ) from None
    return tried


async def _sent(
    server: RunningServer, people: People, drawn: list[tuple[list[Any], list[Any]]]
) -> None:
    """Send what is left, one evening after the other."""
    line = Line(urlsplit(server.url).port or 0)
    while drawn:
        messages, requests = drawn.pop()
        await _send(server, people, messages)
        for each in requests:
            await _request(line, people, *each)
    await line.close()


async def _send(server: RunningServer, people: People, messages: list[Any]) -> None:
    for said in await told(server, people.campaign, people.anna, messages):
        if said["type"] == "refused":
            assert said["error"]["line"], messages
            assert not said["error"]["line"].startswith(FAILED), messages


async def _request(
    line: Line, people: People, place: tuple[str, str], word: object, body: Any, known: bool
) -> None:
    method, path = place
    address = path.replace("{campaign}", people.campaign)
    while "{" in address:
        before, _, rest = address.partition("{")
        address = f"{before}{_safe(word)}{rest.partition('}')[2]}"
    headers = {"Content-Type": "application/json"} | (bearer(people.anna) if known else {})
    content = b"" if body is None else json.dumps(body).encode()
    status, said = await line.request(method, quote(address), headers, content)
    assert status < 500, (method, address, body, said[:300])


def _safe(word: object) -> str:
    return str(word).encode().hex() if "\0" in str(word) else str(word)
