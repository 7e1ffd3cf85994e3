"""A seat of the typed client: waiting, hearing, refusals, and the end."""

import asyncio

import pytest
from websockets.asyncio.server import serve

from astragal.client import Refused, SeatClient, SeatClosed
from astragal.table.commands.commands import BeginProcedure, SendMessage
from astragal.table.views.types import TableUpdate, TableView
from table.stores import PATIENCE
from web.serving import a_table, eventually, serving, sitting


async def listen(seat, heard):
    """Note everything that a seat hears."""
    async for new in seat.updates():
        heard.append(new)


def test_updates_are_heard_in_order(store_url):
    async def play():
        async with serving(store_url) as server:
            people = await a_table(server)
            async with sitting(server, people, "gm", "anna") as (gm, anna):
                heard = []
                listening = asyncio.create_task(listen(anna, heard))
                await asyncio.sleep(0)
                words = [await gm.do(SendMessage(f"word {number}")) for number in range(5)]
                await eventually(lambda: len(heard) == 5)
                assert [new.seq for new in heard] == words
                assert all(isinstance(new, TableUpdate) for new in heard)
                await anna.close()
                await asyncio.wait_for(listening, PATIENCE)

    asyncio.run(play())


def test_after_a_lost_line_the_view_is_whole_again(store_url):
    async def play():
        async with serving(store_url) as server:
            people = await a_table(server)
            async with sitting(server, people, "gm", "anna") as (gm, anna):
                heard = []
                listening = asyncio.create_task(listen(anna, heard))
                await anna._socket.close()
                seq = await gm.do(SendMessage("while the line was down"))
                await anna.wait_until(lambda view: view.seq >= seq)
                await eventually(lambda: any(isinstance(new, TableView) for new in heard))
                assert anna.connections == 2
                assert await anna.do(SendMessage("back")) == seq + 1
                listening.cancel()

    asyncio.run(play())


def test_refusals_name_the_place_and_leave_the_seat_as_it_was(store_url):
    async def play():
        async with serving(store_url) as server:
            people = await a_table(server)
            async with sitting(server, people, "gm") as (gm,):
                for command, where in (
                    (BeginProcedure("no_such_procedure"), "procedure"),
                    (BeginProcedure("standard_test", {"character": "nobody"}), "arguments"),
                ):
                    with pytest.raises(Refused) as refused:
                        await gm.do(command)
                    assert refused.value.place.startswith(where)
                    assert refused.value.expected
                before = gm.view.seq
                assert await gm.do(SendMessage("still here")) == before + 1

    asyncio.run(play())


def test_an_answer_goes_to_the_question_it_was_asked(store_url):
    async def play():
        async with serving(store_url) as server:
            people = await a_table(server)
            wanted = {"character": "mara", "intent": "in", "task": "asks", "ability": "Streetwise"}
            async with sitting(server, people, "gm") as (gm,):
                await gm.do(BeginProcedure("standard_test", wanted))
                await gm.wait_until(lambda view: view.open)
                first = gm.asked[0]
                answer = first.question.question.default
                seq = await gm.answer(first, 3 if answer is None else answer)
                await gm.wait_until(lambda view: view.seq >= seq)
                assert first not in gm.asked
                with pytest.raises(Refused):
                    await gm.answer(first, 3 if answer is None else answer)

    asyncio.run(play())


def test_waiting_ends_with_the_time_or_with_the_seat(store_url):
    async def play():
        async with serving(store_url) as server:
            people = await a_table(server)
            async with sitting(server, people, "gm", "anna") as (gm, anna):
                with pytest.raises(TimeoutError):
                    await anna.wait_until(lambda view: False, timeout=0.05)
                waiting = asyncio.create_task(anna.wait_until(lambda view: False, PATIENCE))
                await asyncio.sleep(0)
                await gm.revoke("anna")
                with pytest.raises((SeatClosed, Refused)):
                    await waiting

    asyncio.run(play())


def test_whoever_waits_hears_of_a_server_that_cannot_be_understood():
    async def mumble(socket):
        await socket.send('{"type": "mumbled"}')
        await socket.wait_closed()

    async def play():
        async with serve(mumble, "127.0.0.1", 0) as server:
            port = server.sockets[0].getsockname()[1]
            seat = SeatClient(f"http://127.0.0.1:{port}", "0123456789abcdef", "a token")
            with pytest.raises(SeatClosed, match=r"cannot be read: .*mumbled"):
                await seat.open(PATIENCE)

    asyncio.run(play())
