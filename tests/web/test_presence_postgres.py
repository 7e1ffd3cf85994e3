"""Two servers on one database: what happens at one is seen at the other."""

import asyncio

import pytest

from astragal.client import Refused, SeatClosed
from astragal.table.commands.commands import ChangeSeat, SendMessage
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
