"""Nonsense over a socket: each message is refused by itself, nothing changes, nobody falls over."""

import asyncio
import json

import msgspec
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from astragal.client import SeatClient
from astragal.table.commands.commands import BeginProcedure, SendMessage
from table.stores import PATIENCE
from web.serving import a_table, bearer, serving

ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4)
    ),
    max_leaves=12,
)
DOES = st.sampled_from(
    (
        *("begin", "answer", "withdraw", "throw", "edit", "nod", "join", "give", "leave", "rule"),
        *("undo", "pause", "resume", "seat", "title", "read", "begin_session", "dance"),
    )
)
WORDS = st.sampled_from(
    ["", "mara", "gm", "anna", "p1", "standard_test", "name", "artha.fate", "\0", 1, -1, True]
)
FIELDS = st.sampled_from(
    (
        *("procedure", "arguments", "secret", "step", "answer", "seat", "reason", "dice", "label"),
        *("character", "path", "value", "why", "proposal", "yes", "sheet", "ready", "sketch"),
        *("hidden", "values", "name", "role", "gone", "title", "options", "to"),
    )
)
COMMAND = st.dictionaries(FIELDS, WORDS | ANYTHING, max_size=5).flatmap(
    lambda fields: DOES.map(lambda do: {**fields, "do": do})
)
MESSAGE = st.one_of(
    ANYTHING.map(json.dumps),
    st.text(max_size=60),
    st.binary(max_size=60),
    COMMAND.map(lambda command: json.dumps({"mark": "m", "command": command})),
    st.fixed_dictionaries({"odds": WORDS | ANYTHING}).map(json.dumps),
    st.fixed_dictionaries({"ping": ANYTHING}).map(json.dumps),
    st.fixed_dictionaries({"token": WORDS | ANYTHING}).map(json.dumps),
    st.fixed_dictionaries({"since": ANYTHING, "command": ANYTHING}).map(json.dumps),
    st.integers(50, 3000).map(lambda deep: '{"command":' + '{"a":' * deep),
    st.integers(50, 3000).map(lambda deep: "[" * deep + "]" * deep),
    st.just('{"mark":"m","command":{"do":"say","text":"' + "x" * 70_000 + '"}}'),
    st.just(
        json.dumps({"mark": "m", "command": {"do": "answer", "procedure": "p1", "step": 10**30}})
    ),
)
SETTLED = '{"ping": 4242}'


def test_nonsense_from_a_spectator_changes_nothing(new_url_of):
    """A spectator may only talk and take notes, so whatever else is sent has to be refused."""
    loop = asyncio.new_event_loop()
    url = new_url_of("sqlite")

    async def begin():
        manager = serving(url)
        server = await manager.__aenter__()
        return manager, server, await a_table(server)

    manager, server, people = loop.run_until_complete(begin())
    tables = server.app.tables

    @settings(max_examples=60, suppress_health_check=list(HealthCheck))
    @given(st.lists(MESSAGE, min_size=1, max_size=12))
    def nonsense(messages):
        async def send():
            before = msgspec.json.encode(await tables.campaign(people.campaign))
            heard = await told(server, people.campaign, people.watcher, messages)
            assert all(each["type"] in ("refused", "pong", "present", "odds") for each in heard)
            for each in heard:
                if each["type"] == "refused":
                    assert each["error"]["line"]
                    assert "\n" not in each["error"]["line"]
            assert msgspec.json.encode(await tables.campaign(people.campaign)) == before

        loop.run_until_complete(send())

    try:
        nonsense()
        loop.run_until_complete(still_alive(server, people))
    finally:
        loop.run_until_complete(manager.__aexit__(None, None, None))
        loop.close()


async def told(server, campaign, token, messages):
    """Send messages, and hear what comes of each until the line is settled again."""
    url = f"{server.socket_url}/ws/{campaign}"
    heard = []
    async with connect(url, additional_headers=bearer(token), proxy=None) as socket:
        assert json.loads(await socket.recv())["type"] == "view"
        for message in messages:
            await socket.send(message)
        await socket.send(SETTLED)
        while True:
            said = json.loads(await asyncio.wait_for(socket.recv(), PATIENCE))
            if said == {"type": "pong", "n": 4242}:
                return heard
            heard.append(said)


async def still_alive(server, people):
    async with SeatClient(server.url, people.campaign, people.anna) as anna:
        assert await anna.do(SendMessage("still here")) > 0


def test_stale_and_foreign_answers_are_refused_one_by_one(store_url):
    async def play():
        async with serving(store_url) as server:
            people = await a_table(server)
            tables = server.app.tables
            argued = {"character": "mara", "intent": "a", "task": "b", "ability": "Streetwise"}
            await tables.do(people.campaign, "gm", BeginProcedure("standard_test", argued))
            before = msgspec.json.encode(await tables.campaign(people.campaign))
            (open_,) = (await tables.view(people.campaign, "gm")).open
            question = open_.questions[0]

            def answer(**other):
                command = {
                    "do": "answer",
                    "procedure": open_.id,
                    "step": question.step,
                    "answer": "nothing that fits",
                    **other,
                }
                return json.dumps({"mark": "m", "command": command})

            wrong = [
                answer(),
                answer(step=question.step + 1),
                answer(step=-1),
                answer(procedure="p999"),
                answer(seat="nobody"),
                answer(answer=[[[]]]),
                answer(answer={"a": 1}),
            ]
            for token in (people.gm, people.anna, people.watcher):
                heard = await told(server, people.campaign, token, wrong)
                refused = [each for each in heard if each["type"] == "refused"]
                assert len(refused) == len(wrong)
                assert all(each["mark"] == "m" for each in refused)
            assert msgspec.json.encode(await tables.campaign(people.campaign)) == before

    asyncio.run(play())


def test_a_message_beyond_all_measure_closes_its_own_socket_only(store_url):
    async def push():
        async with serving(store_url) as server:
            people = await a_table(server)
            url = f"{server.socket_url}/ws/{people.campaign}"
            async with connect(url, additional_headers=bearer(people.anna), proxy=None) as socket:
                await socket.recv()
                try:
                    await socket.send("x" * 2_000_000)
                    while True:
                        await asyncio.wait_for(socket.recv(), PATIENCE)
                except ConnectionClosed:
                    pass
                assert socket.close_code == 1009
            await still_alive(server, people)

    asyncio.run(push())
