"""Playing over the wire: commands, updates, odds, files, presence."""

import asyncio
import tomllib

import msgspec
import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from astragal.client import Refused
from astragal.games import game_named, games
from astragal.games.ready import ready_sheets
from astragal.table.commands.commands import (
    BeginProcedure,
    GiveCharacter,
    PauseGame,
    SendMessage,
    ThrowDice,
)
from astragal.table.store import StoreDown
from astragal.web.sheet_files import as_toml
from astragal.web.websocket import MAX_DEVICES
from web.serving import a_table, bearer, eventually, serving, sitting

TEST = {
    "character": "mara",
    "intent": "find the smugglers' door",
    "task": "asks the night porters",
    "ability": "Streetwise",
}


def test_what_one_says_is_seen_by_all_after_it_is_in_the_log(store_url):
    async def play():
        async with serving(store_url) as server:
            people = await a_table(server)
            async with sitting(server, people, "gm", "anna", "watcher") as (gm, anna, watcher):
                seq = await anna.do(SendMessage("Is the door <b>locked</b>?"))
                stored = await server.app.store.entries(people.campaign, after=seq - 1)
                assert [entry.event.text for entry in stored] == ["Is the door <b>locked</b>?"]
                for seat in (gm, anna, watcher):
                    view = await seat.wait_until(lambda view: view.seq == seq)
                    assert view.log[-1].text == "Anna: Is the door <b>locked</b>?"
                    assert msgspec.json.encode(view) == msgspec.json.encode(await seat.see())

    asyncio.run(play())


def test_a_whole_test_is_played_over_sockets_and_views_agree_with_the_server(store_url):
    async def play():
        async with serving(store_url) as server:
            people = await a_table(server)
            async with sitting(server, people, "gm", "anna") as (gm, anna):
                await gm.do(GiveCharacter("mara", "anna"))
                seq = await anna.do(BeginProcedure("standard_test", TEST))
                await asyncio.gather(*(s.wait_until(lambda v: v.seq >= seq) for s in (gm, anna)))
                steps = 0
                while gm.view.open:
                    asked = [(seat, each) for seat in (gm, anna) for each in seat.asked]
                    assert asked, "somebody has to be asked while a test goes on"
                    seat, first = asked[0]
                    default = msgspec.to_builtins(first.question.question).get("default")
                    wanted = {"obstacle": 3, "on_success": "found", "on_failure": "caught"}
                    answer = wanted.get(first.question.key, default)
                    answer = "" if answer is None else answer
                    seq = await seat.answer(first, answer)
                    for each in (gm, anna):
                        view = await each.wait_until(lambda v, s=seq: v.seq >= s)
                        assert view == await each.see()
                    steps += 1
                    assert steps < 60
                assert any(
                    item.kind for e in anna.view.log for item in e.items if hasattr(item, "kind")
                )
                assert "rolls" in await anna.markdown()
                assert (await anna.evidence()).sessions[0].keys

    asyncio.run(play())


def test_a_command_sent_twice_under_one_mark_counts_once(store_url):
    async def play():
        async with serving(store_url) as server:
            people = await a_table(server)
            body = {"command": {"do": "say", "text": "once"}, "mark": "m1"}
            async with server.http(headers=bearer(people.anna)) as http:
                path = f"/api/t/{people.campaign}/do"
                answers = [(await http.post(path, json=body)).json() for _ in range(3)]
            assert answers[0] == answers[1] == answers[2]
            said = await server.app.store.entries(people.campaign, after=answers[0]["seq"] - 1)
            assert len(said) == 1

    asyncio.run(play())


def test_odds_come_over_http_and_over_the_socket(store_url):
    async def play():
        async with serving(store_url) as server:
            people = await a_table(server)
            async with sitting(server, people, "gm") as (gm,):
                await gm.do(BeginProcedure("standard_test", TEST))
                await gm.wait_until(lambda view: view.open)
                procedure = gm.view.open[0].id
                seen = await gm.foresee(procedure)
                assert seen.procedure == procedure
                await gm._send({"odds": procedure})
                await eventually(lambda: procedure in gm.odds)
                with pytest.raises(Refused) as refused:
                    await gm.foresee("nothing")
                assert refused.value.status == 422

    asyncio.run(play())


def test_who_is_present_is_told_when_somebody_comes_or_goes(store_url):
    async def play():
        async with serving(store_url) as server:
            people = await a_table(server)
            async with sitting(server, people, "gm") as (gm,):
                await eventually(lambda: gm.present == ("gm",))
                async with sitting(server, people, "anna", "anna"):
                    await eventually(lambda: gm.present == ("anna", "gm"))
                await eventually(lambda: gm.present == ("gm",))
            await eventually(lambda: len(server.app.presence) == 0)

    asyncio.run(play())


def test_a_campaign_taken_home_can_be_brought_in_again(store_url):
    async def play():
        async with serving(store_url) as server, server.client() as client:
            people = await a_table(server)
            async with sitting(server, people, "gm") as (gm,):
                await gm.do(ThrowDice("5B", "a handful"))
                exported = await gm.export()
                view = await gm.see()
            created = await client.import_(msgspec.json.encode(exported))
            assert created.campaign != people.campaign
            async with await client.join(created.token) as again:
                assert again.view.campaign.title == view.campaign.title
                assert again.view.characters.keys() == view.characters.keys()
                assert [e.text for e in again.view.log] == [e.text for e in view.log]

    asyncio.run(play())


def test_a_sheet_can_be_taken_home_by_those_who_may_see_it(store_url):
    async def play():
        async with serving(store_url) as server:
            people = await a_table(server)
            path = f"/api/t/{people.campaign}/characters"
            async with server.http(headers=bearer(people.gm)) as http:
                as_json = (await http.get(f"{path}/mara.json")).json()
                toml = await http.get(f"{path}/mara.toml")
                assert toml.headers["content-type"].startswith("application/toml")
                game = game_named("burning_wheel")
                assert game.read_sheet(tomllib.loads(toml.text), "x") == game.read_sheet(
                    as_json, "x"
                )
                for missing in ("mara.exe", "nobody.json", "mara", "..%2Fmara.json"):
                    assert (await http.get(f"{path}/{missing}")).status_code == 404
            async with server.http(headers=bearer(people.anna)) as http:
                assert (await http.get(f"{path}/mara.json")).status_code == 404
                await server.app.tables.do(people.campaign, "gm", GiveCharacter("mara", "anna"))
                assert (await http.get(f"{path}/mara.json")).status_code == 200

    asyncio.run(play())


@pytest.mark.parametrize("name", games())
def test_every_ready_sheet_survives_as_toml(name):
    game = game_named(name)
    for key, raw in ready_sheets(game).items():
        sheet = game.read_sheet(raw, key)
        assert game.read_sheet(tomllib.loads(as_toml(game.write(sheet))), key) == sheet


def test_a_slow_reader_gets_a_fresh_view_and_misses_nothing(store_url):
    async def play():
        async with serving(store_url) as server:
            people = await a_table(server)
            tables = server.app.tables
            async with sitting(server, people, "anna") as (anna,):
                for number in range(150):
                    await tables.do(people.campaign, "gm", SendMessage(f"word {number}"))
                view = await anna.wait_until(lambda view: view.log[-1].text.endswith("word 149"))
                assert view.seq == (await anna.see()).seq
                await tables.do(people.campaign, "gm", PauseGame("tea"))
                assert (await anna.wait_until(lambda v: v.campaign.paused)).campaign.paused == "tea"

    asyncio.run(play())


def test_when_the_database_is_away_nothing_is_lost_but_time(store_url):
    async def play():
        async with serving(store_url) as server:
            people = await a_table(server)
            store = server.app.store
            keep, failures = store.append, [StoreDown("gone"), StoreDown("gone")]

            async def append(campaign, entry, text):
                if failures:
                    raise failures.pop()
                await keep(campaign, entry, text)

            async with sitting(server, people, "gm", "anna") as (gm, anna):
                store.append = append
                with pytest.raises(Refused, match="database"):
                    await gm.do(SendMessage("lost"))
                path = f"/api/t/{people.campaign}/do"
                body = {"command": {"do": "say", "text": "lost"}}
                async with server.http(headers=bearer(people.anna)) as http:
                    answer = await http.post(path, json=body)
                    assert answer.status_code == 503
                    assert answer.headers["retry-after"]
                seq = await gm.do(SendMessage("kept"))
                for seat in (gm, anna):
                    view = await seat.wait_until(lambda view: view.seq >= seq)
                    assert view.log[-1].text.endswith("kept")
                    assert not any("lost" in entry.text for entry in view.log)

    asyncio.run(play())


def test_a_seat_may_be_open_on_many_devices_but_not_on_any_number(store_url):
    async def play():
        async with serving(store_url) as server:
            people = await a_table(server)
            async with sitting(server, people, *["anna"] * MAX_DEVICES):
                url = f"{server.socket_url}/ws/{people.campaign}"
                with pytest.raises(InvalidStatus) as refused:
                    await connect(url, additional_headers=bearer(people.anna), proxy=None)
                assert refused.value.response.status_code == 429
                async with sitting(server, people, "gm") as (gm,):
                    await gm.do(SendMessage("others come in"))

    asyncio.run(play())
