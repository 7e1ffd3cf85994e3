"""Nonsense over sockets and by HTTP: each piece gets an answer, and none is a failure."""

from __future__ import annotations

import asyncio
import tempfile
from typing import Any

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

from astragal.web import lobby_routes, table_routes
from proof.counts import Counts
from web.serving import People, RunningServer, a_table, bearer, serving
from web.test_fuzz import ANYTHING, MESSAGE, WORDS, still_alive, told

AT_ONCE = 20
FAILED = "Something went wrong"
PATHS = [
    (str(method), path.replace(":str", ""))
    for handler in (*lobby_routes.ROUTES, *table_routes.ROUTES)
    for path in handler.paths
    for method in handler.http_methods
]
REQUEST = st.tuples(st.sampled_from(PATHS), WORDS, st.none() | ANYTHING, st.booleans())
INPUTS = st.tuples(
    st.lists(MESSAGE, min_size=1, max_size=40), st.lists(REQUEST, min_size=1, max_size=40)
)


def some(counts: Counts) -> None:
    """A server, some nonsense, and somebody who still plays there afterwards."""
    number = counts.next_seed("inputs")
    try:
        counts.add("inputs", asyncio.run(_some(number)))
    except AssertionError as fault:
        counts.faults.append(f"inputs, seed {number}: {str(fault)[:500]}")


async def _some(number: int) -> int:
    drawn: list[tuple[list[Any], list[Any]]] = []

    @seed(number)
    @settings(
        max_examples=AT_ONCE,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(INPUTS)
    def draw(inputs: tuple[list[Any], list[Any]]) -> None:
        drawn.append(inputs)

    draw()
    with tempfile.TemporaryDirectory() as folder:
        async with serving(f"sqlite:///{folder}/proof.db") as server:
            people = await a_table(server)
            for messages, requests in drawn:
                await _send(server, people, messages)
                await _request(server, people, requests)
            await still_alive(server, people)
    return sum(len(messages) + len(requests) for messages, requests in drawn)


async def _send(server: RunningServer, people: People, messages: list[Any]) -> None:
    for said in await told(server, people.campaign, people.anna, messages):
        if said["type"] == "refused":
            assert said["error"]["line"], messages
            assert not said["error"]["line"].startswith(FAILED), messages


async def _request(server: RunningServer, people: People, requests: list[Any]) -> None:
    async with server.http() as http:
        for (method, path), word, body, known in requests:
            address = path.replace("{campaign}", people.campaign)
            while "{" in address:
                before, _, rest = address.partition("{")
                address = f"{before}{_safe(word)}{rest.partition('}')[2]}"
            headers = bearer(people.anna) if known else {}
            given_body = {} if body is None else {"json": body}
            answer = await http.request(method, address, headers=headers, **given_body)
            assert answer.status_code < 500, (method, address, body, answer.text)


def _safe(word: object) -> str:
    return str(word).encode().hex() if "\0" in str(word) else str(word)
