"""What strangers and players try in order to bring the table down, against a running server."""

from __future__ import annotations

import asyncio

import pytest
from websockets.asyncio.client import connect

from astragal.games import game_named
from astragal.table.commands.commands import BeginProcedure, GiveCharacter
from astragal.table.foresight.odds import foresee
from astragal.web.rulebook import search
from astragal.web.settings import Rate, Rates
from astragal.web.static_files import StaticFiles
from table.stores import PATIENCE, eventually
from unlimited import PLENTY, UNLIMITED
from web.serving import a_table, bearer, run, serving


async def got(url: str, path: str) -> tuple[int, bytes]:
    """The answer to an address exactly as it is written, dots and all."""
    host, _, port = url.removeprefix("http://").partition(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    try:
        head = f"GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n"
        writer.write(head.encode())
        answer = await asyncio.wait_for(reader.read(), PATIENCE)
    finally:
        writer.close()
    status, _, body = answer.partition(b"\r\n\r\n")
    return int(status.split()[1]), body


def test_a_file_of_the_page_is_kept_once_by_whatever_name_it_is_asked_for(store_url):
    async def test() -> None:
        async with serving(store_url) as server:
            files: StaticFiles = server.app.routes.state.files
            plain = await got(server.url, "/page/icon.svg")
            assert plain[0] == 200
            for number in range(20):
                for name in (f"/page/x{number}/../icon.svg", f"/page/{'/' * number}icon.svg"):
                    assert await got(server.url, name) == plain
            assert len(files._cached) == 1

    run(test)


@pytest.mark.parametrize("path", ["/page/../app.py", "/page/%2e%2e/app.py", "/page/..%2fapp.py"])
def test_nothing_beside_the_page_is_served(store_url, path):
    async def test() -> None:
        async with serving(store_url) as server:
            status, body = await got(server.url, path)
            assert status == 404
            assert b"import" not in body

    run(test)


def test_only_so_many_words_are_looked_for_at_once():
    """Each word is looked for in every entry, so their number is what a search costs."""
    some = "a b c d e f h i m o s t"
    found = search(some, "", 30)
    assert found.found > 20
    assert search(f"{some} nosuchword", "", 30) == found
    assert search("a nosuchword", "", 30).found == 0
    assert search("a." * 100, "", 30).found == search("a", "", 30).found


def test_whoever_searches_all_the_time_is_told_to_wait(store_url):
    kept = dict.fromkeys(UNLIMITED.__struct_fields__, PLENTY)
    rates = Rates(**{**kept, "searches": Rate(0.01, 3)})

    async def test() -> None:
        async with serving(store_url, rates=rates) as server, server.http() as http:
            said = [
                (await http.get("/api/rules/search", params={"q": f"ride{n}"})).status_code
                for n in range(4)
            ]
            assert said == [200, 200, 200, 429]
            assert (await http.get("/api/rules/tests.let_it_ride.one_roll")).status_code == 200

    run(test)


@pytest.mark.parametrize("path", ["traits.²", "traits.①", "traits/0/²", "²"])
def test_a_strange_path_is_refused_and_breaks_nothing(store_url, path):
    async def test() -> None:
        async with serving(store_url) as server, server.http() as http:
            people = await a_table(server)
            await server.app.tables.do(people.campaign, "gm", GiveCharacter("mara", "anna"))
            table = f"/api/t/{people.campaign}"
            edit = {"character": "mara", "path": path, "value": "Sly"}
            for address, body in (
                ("check-edit", edit),
                ("do", {"command": {"do": "edit", **edit}}),
            ):
                answer = await http.post(
                    f"{table}/{address}", json=body, headers=bearer(people.anna)
                )
                assert answer.status_code == 422, answer.text
                assert answer.json()["error"]["place"] in ("value", "path")

    run(test)


def test_a_refusal_is_one_line_however_much_was_sent(store_url):
    async def test() -> None:
        async with serving(store_url) as server, server.http() as http:
            people = await a_table(server)
            await server.app.tables.do(people.campaign, "gm", GiveCharacter("mara", "anna"))
            for arguments in (
                {"character": "mara", "intent": "x" * 20_000, "task": "b", "ability": "Will"},
                {"character": "y" * 20_000, "intent": "a", "task": "b", "ability": "Will"},
                {"z" * 20_000: 1},
            ):
                begin = {"do": "begin", "procedure": "standard_test", "arguments": arguments}
                answer = await http.post(
                    f"/api/t/{people.campaign}/do",
                    json={"command": begin},
                    headers=bearer(people.anna),
                )
                assert answer.status_code == 422
                assert len(answer.content) < 3000
                assert "expected" in answer.json()["error"]["line"]

    run(test)


def test_a_command_that_was_on_its_way_when_the_seat_was_lost_is_not_carried_out(store_url):
    async def test() -> None:
        async with serving(store_url) as server:
            people = await a_table(server)
            tables, campaign = server.app.tables, people.campaign
            body = b'{"command": {"do": "say", "text": "still here"}}'
            host, _, port = server.url.removeprefix("http://").partition(":")
            reader, writer = await asyncio.open_connection(host, int(port))
            head = (
                f"POST /api/t/{campaign}/do HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n"
                f"Authorization: Bearer {people.anna}\r\nContent-Type: application/json\r\n"
                f"Content-Length: {len(body)}\r\n\r\n"
            )
            writer.write(head.encode() + body[:10])
            await writer.drain()
            await eventually(lambda: server.uvicorn.server_state.tasks)
            await tables.revoke(campaign, "anna")
            before = (await tables.campaign(campaign)).seq
            writer.write(body[10:])
            answer = await asyncio.wait_for(reader.read(), PATIENCE)
            writer.close()
            assert answer.startswith(b"HTTP/1.1 401")
            assert (await tables.campaign(campaign)).seq == before

    run(test)


def test_odds_asked_for_by_somebody_who_left_are_not_told_to_others(store_url):
    """A socket that asks for odds and is gone at once leaves the next answer as it should be."""

    async def test() -> None:
        async with serving(store_url) as server:
            people = await a_table(server)
            tables, campaign = server.app.tables, people.campaign
            await tables.do(campaign, "gm", GiveCharacter("mara", "anna"))
            words = {"intent": "a", "task": "b"}
            mine = {"character": "mara", "ability": "Streetwise", **words}
            theirs = {"character": "captain_orrin", "ability": "Will", **words}
            first = await tables.do(
                campaign, "gm", BeginProcedure("standard_test", theirs, secret=True)
            )
            second = await tables.do(campaign, "anna", BeginProcedure("standard_test", mine))
            going_on = (await tables.campaign(campaign)).standing.open[f"p{second}"]
            *_, right = foresee(game_named("burning_wheel"), going_on, "anna")
            async with connect(
                f"{server.socket_url}/ws/{campaign}", additional_headers=bearer(people.gm)
            ) as leaving:
                await leaving.recv()
                await leaving.send(f'{{"odds": "p{first}"}}')
                await eventually(tables._odds._lock.locked)
            found = await asyncio.gather(
                *(tables.foresee(campaign, "anna", f"p{second}") for _ in range(3))
            )
            assert [each.procedure for each in found] == [f"p{second}"] * 3
            assert [each.chance for each in found] == [right.chance] * 3

    run(test)
