"""What is written to a socket: whole messages, in their order, an answer after what came of it."""

from __future__ import annotations

import asyncio
import itertools
import json
from collections.abc import Callable

import pytest
from websockets.asyncio.client import connect
from websockets.frames import Frame, Opcode
from websockets.streams import StreamReader

from astragal.web.connections import SocketConnection, _head
from table.stores import PATIENCE
from web.serving import a_table, bearer, serving

WORDS = 12


@pytest.mark.parametrize("size", [0, 1, 125, 126, 127, 65_535, 65_536, 200_000])
def test_a_text_of_any_length_is_read_by_another_library_as_it_was_written(size):
    text = b"x" * size
    reader = StreamReader()
    reader.feed_data(_head(text) + text)
    parsing = Frame.parse(reader.read_exact, mask=False)
    with pytest.raises(StopIteration) as read:
        next(parsing)
    frame = read.value.value
    assert (frame.opcode, frame.fin, bytes(frame.data)) == (Opcode.TEXT, True, text)
    assert not reader.buffer


ROOM: dict[str, Callable[[int], bool]] = {
    "always": lambda _: True,
    "never": lambda _: False,
    "for every second": lambda number: number % 2 == 0,
    "for every third": lambda number: number % 3 == 0,
}


@pytest.mark.parametrize("room", ROOM)
def test_whether_there_is_room_or_not_all_arrives_in_order(new_url_of, monkeypatch, room):
    write_now, counted = SocketConnection.write_now, itertools.count()

    def sometimes(connection, texts):
        return ROOM[room](next(counted)) and write_now(connection, texts)

    monkeypatch.setattr(SocketConnection, "write_now", sometimes)

    async def heard(socket):
        """Send everything at once, and read until everything is answered and known."""
        view = json.loads(await socket.recv())
        assert view["type"] == "view"
        for number in range(WORDS):
            command = {"do": "say", "text": f"word {number}"}
            await socket.send(json.dumps({"mark": f"m{number}", "command": command}))
        seen, answered = view["seq"], []
        while len(answered) < WORDS or seen < view["seq"] + 2 * WORDS:
            said = json.loads(await socket.recv())
            if said["type"] == "update":
                assert said["seq"] == seen + 1
                seen += 1
            elif said["type"] == "ack":
                assert said["seq"] <= seen  # what came of it was there before its answer
                answered.append(said["mark"])
            else:
                assert said["type"] == "present"
        return answered

    async def play():
        async with serving(new_url_of("sqlite")) as server:
            people = await a_table(server)
            url = f"{server.socket_url}/ws/{people.campaign}"
            gm, anna = (
                connect(url, additional_headers=bearer(token), proxy=None)
                for token in (people.gm, people.anna)
            )
            async with gm as first, anna as second, asyncio.timeout(PATIENCE):
                for answers in await asyncio.gather(heard(first), heard(second)):
                    assert answers == [f"m{number}" for number in range(WORDS)]

    asyncio.run(play())


def test_nothing_new_overtakes_what_the_reader_has_not_dealt_with(new_url_of):
    async def listen():
        async with serving(new_url_of("sqlite")) as server:
            people = await a_table(server)
            subscription = await server.app.tables.subscribe(people.campaign, "gm")
            taken, has_room = [], False

            def take(message):
                if has_room:
                    taken.append(message)
                return has_room

            subscription.takes_now = take
            await subscription.next()  # the view
            reading = asyncio.create_task(subscription.next())
            await asyncio.sleep(0)
            assert subscription.is_idle
            subscription.put(b"first")
            has_room = True
            subscription.put(b"second")  # the reader has been woken, and not come to it yet
            assert await reading == b"first"
            subscription.put(b"third")  # the reader is busy with the first
            assert [await subscription.next() for _ in range(2)] == [b"second", b"third"]
            assert not taken
            reading = asyncio.create_task(subscription.next())
            await asyncio.sleep(0)
            subscription.put(b"fourth")
            assert taken == [b"fourth"]
            reading.cancel()

    asyncio.run(listen())
