"""Who may do what: every route of a table, and everybody who might try."""

import asyncio
import secrets

import pytest

from astragal.client import Refused, SeatClient, SeatClosed
from astragal.table.commands.commands import (
    AddCharacter,
    ChangeSeat,
    GiveCharacter,
    MakeRuling,
    RuledValue,
    SendMessage,
    ThrowDice,
    UndoEntries,
)
from astragal.web.errors import NO_SEAT
from astragal.web.openapi import document
from table.stores import PATIENCE
from web.serving import KEY, a_table, bearer, eventually, serving, sitting

GMS_OWN = {
    ("get", "/api/t/{campaign}/links"),
    ("post", "/api/t/{campaign}/links/{seat}"),
    ("delete", "/api/t/{campaign}/links/{seat}"),
    ("get", "/api/t/{campaign}/export.json"),
    ("get", "/api/t/{campaign}/view-as/{seat}"),
    ("get", "/api/t/{campaign}/view-as/{seat}/card/{procedure}"),
    ("get", "/api/t/{campaign}/view-as/{seat}/log"),
    ("get", "/api/t/{campaign}/view-as/{seat}/pictures/{number}"),
    ("get", "/api/t/{campaign}/view-as/{seat}/review"),
}
FILLED = {
    "seat": "anna",
    "file": "mara.json",
    "procedure": "nothing",
    "image": "nothing",
    "number": 1,
}
BODIES = {
    "/api/t/{campaign}/do": {"command": {"do": "say", "text": "hello"}},
    "/api/t/{campaign}/check-edit": {"character": "mara", "path": "name", "value": "Mara"},
    "/api/t/{campaign}/check-begin": {"procedure": "die_of_fate"},
}


def routes_of(server):
    """Every operation of the API that needs a seat."""
    paths = document(server.app.routes)["paths"]
    return [
        (method, path)
        for path, operations in paths.items()
        for method in operations
        if path.startswith("/api/t/")
    ]


async def ask(http, method, path, campaign, headers):
    url = path.format(campaign=campaign, **FILLED)
    return await http.request(method, url, headers=headers, json=BODIES.get(path))


def test_strangers_get_the_same_words_everywhere(store_url):
    async def play():
        async with serving(store_url) as server:
            people = await a_table(server)
            other = await a_table(server)
            tables = server.app.tables
            stale = people.anna
            people.anna = await tables.new_link(people.campaign, "anna")
            await tables.revoke(people.campaign, "walt")
            await tables.do(people.campaign, "gm", ChangeSeat("bo", "Bo"))
            gone = await tables.new_link(people.campaign, "bo")
            await tables.do(people.campaign, "gm", ChangeSeat("bo", "Bo", gone=True))
            strangers = {
                "nobody": {},
                "guessed": bearer(secrets.token_urlsafe(32)),
                "no token at all": bearer("\x7f" * 3),
                "stale": bearer(stale),
                "revoked": bearer(people.watcher),
                "gone": bearer(gone),
                "of another campaign": bearer(other.gm),
                "the creation key": bearer(KEY),
                "another scheme": {"Authorization": f"Basic {people.gm}"},
                "a cookie of another campaign": {"Cookie": f"astragal_{other.campaign}={other.gm}"},
                "a cookie under a wrong name": {"Cookie": f"astragal_x={people.gm}"},
            }
            routes = routes_of(server)
            assert len(routes) >= 12
            before = (await tables.campaign(people.campaign)).seq
            async with server.http() as http:
                for method, path in routes:
                    for who, headers in strangers.items():
                        answer = await ask(http, method, path, people.campaign, headers)
                        assert answer.status_code == 401, (who, method, path)
                        assert answer.json()["error"]["line"] == NO_SEAT, (who, method, path)
                        missing = await ask(http, method, path, "nowhere", headers)
                        assert missing.status_code == 401, (who, method, path)
                        assert missing.content == answer.content
            assert (await tables.campaign(people.campaign)).seq == before

    asyncio.run(play())


def test_only_the_gm_gets_at_what_is_the_gms(store_url):
    async def play():
        async with serving(store_url) as server:
            people = await a_table(server)
            async with server.http() as http:
                for method, path in routes_of(server):
                    if (method, path) in GMS_OWN:
                        for token in (people.anna, people.watcher):
                            answer = await ask(http, method, path, people.campaign, bearer(token))
                            assert answer.status_code == 403, (method, path)
                            assert "GM" in answer.json()["error"]["line"]
                    else:
                        for token in (people.gm, people.anna, people.watcher):
                            answer = await ask(http, method, path, people.campaign, bearer(token))
                            assert answer.status_code not in (401, 403), (method, path)
                            assert answer.status_code < 500
                for method, path in sorted(GMS_OWN, reverse=True):
                    answer = await ask(http, method, path, people.campaign, bearer(people.gm))
                    found = (422,) if "{procedure}" in path else (200, 201)  # nothing is open
                    assert answer.status_code in found, (method, path, answer.text)

    asyncio.run(play())


@pytest.mark.parametrize("seat", ["anna", "watcher"])
def test_what_only_the_gm_may_do_is_refused_over_http_and_socket_alike(store_url, seat):
    forbidden = [
        GiveCharacter("mara", "anna"),
        AddCharacter("guard", sketch="guard, 4s"),
        MakeRuling("because", (RuledValue("mara", "name", "Marten"),)),
        UndoEntries(1),
        ChangeSeat("eve", "Eve"),
        ChangeSeat("gm", "Eve"),
    ]

    async def play():
        async with serving(store_url) as server:
            people = await a_table(server)
            before = (await server.app.tables.campaign(people.campaign)).seq
            async with sitting(server, people, seat) as (client,):
                for command in forbidden:
                    with pytest.raises(Refused):
                        await client.do(command)
            assert (await server.app.tables.campaign(people.campaign)).seq == before

    asyncio.run(play())


def test_spectators_talk_but_do_not_roll(store_url):
    async def watch():
        async with serving(store_url) as server:
            people = await a_table(server)
            async with sitting(server, people, "watcher") as (walt,):
                await walt.do(SendMessage("Nice."))
                with pytest.raises(Refused, match="Spectators can only watch"):
                    await walt.do(ThrowDice("3d6"))
            async with server.http(headers=bearer(people.watcher)) as http:
                body = {"command": {"do": "throw", "dice": "3d6"}}
                answer = await http.post(f"/api/t/{people.campaign}/do", json=body)
                assert answer.status_code == 403

    asyncio.run(watch())


@pytest.mark.parametrize("how", ["revoke", "new link", "gone"])
def test_a_revoked_seat_is_disconnected_at_once(store_url, how):
    async def play():
        async with serving(store_url) as server:
            people = await a_table(server)
            async with sitting(server, people, "gm", "anna", "anna") as (gm, one, two):
                if how == "revoke":
                    await gm.revoke("anna")
                elif how == "new link":
                    people.anna = (await gm.new_link("anna")).token
                else:
                    await gm.do(ChangeSeat("anna", "Anna", gone=True))
                for seat in (one, two):
                    with pytest.raises((SeatClosed, Refused)):
                        await seat.wait_until(lambda _: False, timeout=PATIENCE)
                    with pytest.raises((SeatClosed, Refused)):
                        await seat.do(SendMessage("still here"))
                await eventually(lambda: gm.present == ("gm",))
                again = SeatClient(server.url, people.campaign, one.token)
                with pytest.raises((SeatClosed, Refused)):
                    await again.open(PATIENCE)
                if how == "new link":
                    async with sitting(server, people, "anna") as (anna,):
                        await anna.do(SendMessage("back"))

    asyncio.run(play())


def test_a_hidden_sheet_is_in_no_answer_to_a_player(store_url):
    async def look():
        async with serving(store_url) as server:
            people = await a_table(server)
            tables = server.app.tables
            sketch = AddCharacter("shadow", sketch="Xyzzyx, 4s", hidden=True)
            await tables.do(people.campaign, "gm", sketch)
            await tables.do(people.campaign, "gm", ThrowDice("3d6", "plugh", secret=True))
            gms = await everything(server, people.campaign, people.gm)
            assert "Xyzzyx" in gms
            assert "plugh" in gms
            for token in (people.anna, people.watcher):
                seen = await everything(server, people.campaign, token)
                assert "Xyzzyx" not in seen
                assert "plugh" not in seen

    async def everything(server, campaign, token):
        """Everything that a seat can read, as one text."""
        async with server.http(headers=bearer(token)) as http:
            answers = [
                await http.get(f"/api/t/{campaign}/{path}")
                for path in (
                    "view",
                    "log",
                    "log.md",
                    "story.md",
                    "story.html",
                    "pictures/1",
                    "evidence.json",
                    "characters/shadow.json",
                )
            ]
        async with SeatClient(server.url, campaign, token) as seat:
            return "\n".join(answer.text for answer in answers) + repr(seat.view)

    asyncio.run(look())
