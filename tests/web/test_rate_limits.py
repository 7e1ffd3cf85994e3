"""How much and how often: sizes, depths, rates."""

import asyncio
import contextlib

import pytest
from msgspec import to_builtins
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from astragal.client import Refused
from astragal.table.commands.commands import (
    AnswerQuestion,
    BeginProcedure,
    SendMessage,
    WriteNote,
)
from astragal.web.messages import DoCommand
from astragal.web.rate_limits import MAX_BUCKETS, Buckets, TooMany, network_of
from astragal.web.request_bodies import MAX_IMPORT_SIZE, parse_json
from astragal.web.settings import Rate, Rates
from unlimited import PLENTY, UNLIMITED
from web.serving import a_table, bearer, serving, sitting


def limited(**rates: Rate) -> Rates:
    kept = dict.fromkeys(UNLIMITED.__struct_fields__, PLENTY)
    return Rates(**{**kept, **rates})


def test_bodies_that_are_too_large_or_too_deep_are_refused(store_url):
    async def push():
        async with serving(store_url) as server:
            people = await a_table(server)
            before = (await server.app.tables.campaign(people.campaign)).seq
            headers = {**bearer(people.gm), "Content-Type": "application/json"}
            begin = b'{"command": {"do": "begin", "procedure": "standard_test", "arguments": '
            async with server.http(headers=headers) as http:
                path = f"/api/t/{people.campaign}/do"
                for body, status in (
                    (b'{"command": {"do": "say", "text": "' + b"x" * 70_000 + b'"}}', 413),
                    (b"[" * 60_000, 400),
                    (begin + b'{"a":' * 10_000 + b"1" + b"}" * 10_000 + b"}}", 400),
                    (begin + b'{"a":' * 61 + b"1" + b"}" * 61 + b"}}", 400),
                    (begin + b'{"a": 1' + b"0" * 5000 + b"}}}", 400),
                    (b'{"command": {"do": "say", "text": "\xff"}}', 400),
                    (b"", 400),
                    (b"null", 400),
                ):
                    answer = await http.post(path, content=body)
                    assert answer.status_code == status, body[:60]
                    assert "\n" not in answer.json()["error"]["line"]
                large = b'{"astragal": 1, "junk": "' + b"x" * 1_000_000 + b'"}'
                assert (await http.post("/api/import", content=large)).status_code == 422
                too_large = b" " * (MAX_IMPORT_SIZE + 1)
                assert (await http.post("/api/import", content=too_large)).status_code == 413
                deep = b'{"astragal": ' + b"[" * 500_000
                assert (await http.post("/api/import", content=deep)).status_code == 422
            assert (await server.app.tables.campaign(people.campaign)).seq == before

    asyncio.run(push())


def test_a_seat_that_hurries_is_told_to_wait(store_url):
    async def hurry():
        rates = limited(seat=Rate(0.01, 5))
        async with serving(store_url, rates=rates) as server:
            people = await a_table(server)
            async with server.http(headers=bearer(people.anna)) as http:
                path = f"/api/t/{people.campaign}/view"
                statuses = [(await http.get(path)).status_code for _ in range(5)]
                assert statuses == [200] * 5
                answer = await http.get(path)
                assert answer.status_code == 429
                assert 50 <= int(answer.headers["retry-after"]) <= 100
            async with sitting(server, people, "anna", "gm") as (anna, gm):
                with pytest.raises(Refused, match="Too many"):
                    await anna.do(SendMessage("all devices count together"))
                await gm.do(SendMessage("others are not held up"))

    asyncio.run(hurry())


def test_who_begins_one_thing_after_the_other_is_told_to_wait(store_url):
    async def hurry():
        rates = limited(begins=Rate(0.01, 3))
        async with serving(store_url, rates=rates) as server:
            people = await a_table(server)
            vote = BeginProcedure(
                "vote", {"question": "?", "choices": ["a", "b"], "voters": ["anna"]}
            )
            async with sitting(server, people, "anna", "gm") as (anna, gm):
                begun = [await anna.do(vote) for _ in range(2)]
                async with server.http(headers=bearer(people.anna)) as http:
                    path, body = f"/api/t/{people.campaign}/do", {"command": to_builtins(vote)}
                    statuses = [(await http.post(path, json=body)).status_code for _ in range(2)]
                assert statuses == [200, 429]  # over HTTP and over the socket together
                with pytest.raises(Refused, match="Too many"):
                    await anna.do(vote)
                # What is going on goes on, and others may begin something.
                for seq in begun:
                    await anna.do(AnswerQuestion(f"p{seq}", 0, "a"))
                await gm.do(vote)
            open_now = (await server.app.tables.campaign(people.campaign)).standing.open
            assert len(open_now) == 2

    asyncio.run(hurry())


def test_a_seat_writes_so_much_and_the_gm_more(store_url):
    async def write():
        rates = limited(written=Rate(1, 50_000))
        async with serving(store_url, rates=rates) as server:
            people = await a_table(server)
            note = WriteNote("n", "x" * 20_000)
            async with sitting(server, people, "watcher", "gm") as (walt, gm):
                for _ in range(2):
                    await walt.do(note)
                with pytest.raises(Refused, match="Too many"):
                    await walt.do(note)
                async with server.http(headers=bearer(people.watcher)) as http:
                    path, body = f"/api/t/{people.campaign}/do", {"command": to_builtins(note)}
                    answer = await http.post(path, json=body)
                    assert answer.status_code == 429
                await walt.do(SendMessage("a few words are no matter"))
                for number in range(8):
                    await gm.do(WriteNote(f"g{number}", "x" * 20_000))

    asyncio.run(write())


def test_wrong_links_are_slowed_down_by_address(store_url):
    async def guess():
        rates = limited(guesses=Rate(0.01, 5))
        async with serving(store_url, rates=rates) as server, server.http() as http:
            people = await a_table(server)
            path = f"/api/t/{people.campaign}/view"
            statuses = [
                (await http.get(path, headers=bearer(f"guess{n}"))).status_code for n in range(7)
            ]
            assert statuses == [401] * 5 + [429] * 2
            joining = await http.post("/api/join", json={"token": "guess"})
            assert joining.status_code == 429
            assert int(joining.headers["retry-after"]) > 10

    asyncio.run(guess())


def test_creating_and_joining_are_limited_by_address(store_url):
    async def hurry():
        rates = limited(creations=Rate(0.01, 2), joins=Rate(0.01, 3))
        async with serving(store_url, rates=rates) as server, server.http() as http:
            people = await a_table(server)
            body = {"game": "cores"}
            created = [(await http.post("/api/campaigns", json=body)).status_code for _ in range(3)]
            assert created == [201, 201, 429]
            token = {"token": people.anna}
            joined = [(await http.post("/api/join", json=token)).status_code for _ in range(4)]
            assert joined == [200, 200, 200, 429]

    asyncio.run(hurry())


def test_an_address_that_storms_in_is_told_to_wait(store_url):
    async def storm():
        rates = limited(address=Rate(0.01, 10), sockets=Rate(0.01, 2))
        async with serving(store_url, rates=rates) as server, server.http() as http:
            statuses = [(await http.get("/health")).status_code for _ in range(12)]
            assert statuses[:9] == [200] * 9
            assert statuses[-1] == 429

    asyncio.run(storm())


def test_a_socket_that_talks_nonsense_is_closed_with_a_reason(store_url):
    async def babble():
        async with serving(store_url) as server:
            people = await a_table(server)
            url = f"{server.socket_url}/ws/{people.campaign}"
            async with connect(url, additional_headers=bearer(people.anna), proxy=None) as socket:
                heard = []
                with contextlib.suppress(ConnectionClosed):
                    for _ in range(100):
                        await socket.send("nonsense")
                        heard.append(await socket.recv())
                with contextlib.suppress(ConnectionClosed):
                    while True:
                        heard.append(await socket.recv())
                assert sum('"refused"' in message for message in heard) >= 40
                assert '"type":"bye"' in heard[-1]
                assert socket.close_code == 4429

    asyncio.run(babble())


def test_buckets_fill_and_are_forgotten():
    now = 0.0
    buckets = Buckets(Rate(each_second=1, at_once=2), lambda: now)
    for key in range(MAX_BUCKETS + 10):
        assert buckets.takes(key)
    assert len(buckets._left) <= MAX_BUCKETS
    buckets.take("ann")
    buckets.take("ann")
    with pytest.raises(TooMany) as late:
        buckets.take("ann")
    assert late.value.wait == pytest.approx(1)
    now = 100.0
    assert [buckets.takes("ann") for _ in range(3)] == [True, True, False]


def test_addresses_that_belong_together():
    assert network_of("::ffff:192.0.2.1") == "192.0.2.1"
    assert network_of("2001:db8::1") == network_of("2001:db8::ffff")
    assert network_of("2001:db8::1") != network_of("2001:db8:0:1::1")
    assert network_of("unix") == "unix"


@pytest.mark.parametrize(
    ("raw", "place"),
    [
        (b'{"command": {"do": "answer", "procedure": "p", "answer": 1}}', "command.step"),
        (b'{"command": {"do": "say", "text": 4}}', "command.text"),
        (b'{"command": {"do": "dance"}}', "command.do"),
        (b'{"command": {"do": "say", "text": "x", "loud": 1}}', "command.loud"),
        (b'{"mark": "m"}', "command"),
        (b"{", "body"),
    ],
)
def test_what_does_not_fit_is_refused_by_its_place(raw, place):
    from astragal.errors import BadInput

    with pytest.raises(BadInput) as bad:
        parse_json(raw, DoCommand)
    assert bad.value.place == place
    assert bad.value.expected
