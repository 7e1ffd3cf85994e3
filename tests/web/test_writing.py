"""What is written to a socket: whole messages, in their order, an answer after what came of it."""

from __future__ import annotations

import asyncio
import itertools
import json

import pytest
from websockets.asyncio.client import connect

from table.stores import PATIENCE
from web.serving import a_table, bearer, serving

WORDS = 12


@pytest.mark.parametrize("has_room", [True, False], ids=["always room", "room now and then"])
def test_all_arrives_in_order(new_url_of, has_room):
    async def stop_and_go(server):
        """No connection has room for more than a turn of every four."""
        for turn in itertools.count():
            for connection in tuple(server.uvicorn.server_state.connections):
                if turn % 4 == 0:
                    connection.resume_writing()
                elif turn % 4 == 1:
                    connection.pause_writing()
            await asyncio.sleep(0)

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
            going = None if has_room else asyncio.create_task(stop_and_go(server))
            url = f"{server.socket_url}/ws/{people.campaign}"
            gm, anna = (
                connect(url, additional_headers=bearer(token), proxy=None)
                for token in (people.gm, people.anna)
            )
            async with gm as first, anna as second, asyncio.timeout(PATIENCE):
                for answers in await asyncio.gather(heard(first), heard(second)):
                    assert answers == [f"m{number}" for number in range(WORDS)]
            if going is not None:
                going.cancel()

    asyncio.run(play())
