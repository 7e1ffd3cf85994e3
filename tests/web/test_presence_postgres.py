"""Two servers on one database: what happens at one is seen at the other."""

import asyncio

import pytest

from astragal.client import Refused, SeatClosed
from astragal.table.commands.commands import ChangeSeat, SendMessage
from astragal.web import presence_postgres
from astragal.web.presence_postgres import PostgresPresence
from table.stores import PATIENCE
from web.serving import a_table, eventually, serving, sitting


def both(url):
    return serving(url), serving(url)


def test_a_command_at_one_arrives_at_a_socket_on_the_other(new_url_of):
    async def play():
        one, two = both(new_url_of("postgresql"))
        async with one as here, two as there:
            people = await a_table(here)
            async with (
                sitting(here, people, "gm") as (gm,),
                sitting(there, people, "anna") as (anna,),
            ):
                for number in range(20):
                    speaker = gm if number % 2 else anna
                    seq = await speaker.do(SendMessage(f"word {number}"))
                    for seat in (gm, anna):
                        view = await seat.wait_until(lambda view, seq=seq: view.seq >= seq)
                        assert view.log[-1].text.endswith(f"word {number}")
                words = [f"at once {number}" for number in range(30)]
                await asyncio.gather(
                    *((gm if n % 2 else anna).do(SendMessage(word)) for n, word in enumerate(words))
                )
                last = await here.app.store.known(people.campaign)
                logs = []
                for seat in (gm, anna):
                    view = await seat.wait_until(lambda view: view.seq == last.last_seq)
                    logs.append([e.text.partition(": ")[2] for e in view.log if e.kind == "said"])
                assert logs[0] == logs[1]
                assert set(words) <= set(logs[0])

    asyncio.run(play())


def test_presence_is_known_across_servers(new_url_of):
    async def play():
        one, two = both(new_url_of("postgresql"))
        async with one as here:
            people = await a_table(here)
            async with sitting(here, people, "gm") as (gm,), two as there:
                async with sitting(there, people, "anna") as (anna,):
                    await eventually(lambda: gm.present == anna.present == ("anna", "gm"))
                await eventually(lambda: gm.present == ("gm",))
                async with sitting(there, people, "watcher"):
                    await eventually(lambda: gm.present == ("gm", "walt"))
                    there.uvicorn.should_exit = True
                    await eventually(lambda: gm.present == ("gm",))

    asyncio.run(play())


@pytest.mark.parametrize("how", ["revoke", "new link", "gone"])
def test_a_revoked_seat_is_disconnected_on_every_server(new_url_of, how):
    async def play():
        one, two = both(new_url_of("postgresql"))
        async with one as here, two as there:
            people = await a_table(here)
            async with (
                sitting(here, people, "gm") as (gm,),
                sitting(there, people, "anna", "watcher") as (anna, walt),
            ):
                await eventually(lambda: len(gm.present) == 3)
                if how == "revoke":
                    await gm.revoke("anna")
                elif how == "new link":
                    await gm.new_link("anna")
                else:
                    await gm.do(ChangeSeat("anna", "Anna", gone=True))
                with pytest.raises((SeatClosed, Refused)):
                    await anna.wait_until(lambda _: False, timeout=PATIENCE)
                await walt.do(SendMessage("still here"))
                await eventually(lambda: gm.present == ("gm", "walt"))

    asyncio.run(play())


class Elsewhere:
    """A socket, as far as presence knows one."""

    def __init__(self, campaign, seat):
        self.campaign, self.seat = campaign, seat

    def send_present(self, seats):
        pass

    async def close(self, why, code):
        pass

    async def check_link(self):
        pass


def test_however_many_are_present_everybody_is_told_and_links_still_end(new_url_of):
    """All of it in one message would be more than PostgreSQL carries."""

    async def play():
        one, two = both(new_url_of("postgresql"))
        async with one as here, two as there:
            people = await a_table(here)
            crowd = [f"{number:060d}" for number in range(300)]
            for seat in crowd:
                here.app.presence.add(Elsewhere("crowded", seat))
            await eventually(lambda: there.app.presence.present("crowded") == tuple(crowd))
            async with (
                sitting(here, people, "gm") as (gm,),
                sitting(there, people, "anna") as (anna,),
            ):
                await eventually(lambda: len(gm.present) == 2)
                await gm.revoke("anna")
                with pytest.raises((SeatClosed, Refused)):
                    await anna.wait_until(lambda _: False, timeout=PATIENCE)

    asyncio.run(play())


def test_a_link_that_ended_while_the_line_was_lost_is_told_afterwards(new_url_of, monkeypatch):
    monkeypatch.setattr(presence_postgres, "RECHECK", 1000.0)
    monkeypatch.setattr(presence_postgres, "RECONNECT_PAUSE", 0.01)
    send, failures = PostgresPresence._send, 3

    async def failing(self, connection, message):
        nonlocal failures
        if message.ended and failures:
            failures -= 1
            raise ConnectionResetError("the line is lost")
        await send(self, connection, message)

    monkeypatch.setattr(PostgresPresence, "_send", failing)

    async def play():
        one, two = both(new_url_of("postgresql"))
        async with one as here, two as there:
            people = await a_table(here)
            async with (
                sitting(here, people, "gm") as (gm,),
                sitting(there, people, "anna") as (anna,),
            ):
                await eventually(lambda: len(gm.present) == 2)
                await gm.revoke("anna")
                with pytest.raises((SeatClosed, Refused)):
                    await anna.wait_until(lambda _: False, timeout=PATIENCE)
        assert failures == 0

    asyncio.run(play())


@pytest.mark.parametrize("how", ["at a command", "every few seconds"])
def test_without_a_line_an_ended_link_is_found_out(new_url_of, monkeypatch, how):
    monkeypatch.setattr(presence_postgres, "RECHECK", 0.1 if how != "at a command" else 1000.0)

    async def lost(self, connection, message):
        raise ConnectionResetError("the line is lost")

    monkeypatch.setattr(PostgresPresence, "_send", lost)

    async def play():
        one, two = both(new_url_of("postgresql"))
        async with one as here, two as there:
            people = await a_table(here)
            async with (
                sitting(here, people, "gm") as (gm,),
                sitting(there, people, "anna") as (anna,),
            ):
                await anna.do(SendMessage("here"))
                await gm.revoke("anna")
                before = (await here.app.store.known(people.campaign)).last_seq
                if how == "at a command":
                    with pytest.raises((SeatClosed, Refused)):
                        await anna.do(SendMessage("not any more"))
                else:
                    with pytest.raises((SeatClosed, Refused)):
                        await anna.wait_until(lambda _: False, timeout=PATIENCE)
                assert (await here.app.store.known(people.campaign)).last_seq == before

    asyncio.run(play())
