"""Several processes at one file: everything about a campaign meets in one of them."""

import asyncio
import contextlib
import errno
import socket
from contextlib import asynccontextmanager

import httpx
import pytest

from astragal.client import Client
from astragal.table.commands.commands import ChangeSeat, SendMessage
from astragal.web import homes
from astragal.web.app import opened
from astragal.web.homes import Porter, campaign_in, places
from astragal.web.server import Server, bound, config_for
from astragal.web.settings import Settings
from web.serving import KEY, UNLIMITED, bearer, eventually


@pytest.mark.parametrize(
    ("path", "campaign"),
    [
        ("/ws/0123456789abcdef", "0123456789abcdef"),
        ("/ws/0123456789abcdef?since=3", "0123456789abcdef"),
        ("/api/t/0123456789abcdef/view", "0123456789abcdef"),
        ("/api/t/%30123", "0123"),
        ("/t/0123456789abcdef", ""),  # the page itself is the same everywhere
        ("/join/0123456789abcdef", ""),
        ("/api/games", ""),
        ("/ws/", ""),
        ("//ws/0123", ""),
        ("*", ""),
        ("", ""),
    ],
)
def test_addresses_say_which_campaign_they_are_about(path, campaign):
    assert campaign_in(path) == campaign


def test_every_campaign_has_one_home_and_homes_are_spread():
    three = places(3)
    homes_of = [[place.is_home(f"{n:016x}") for place in three] for n in range(300)]
    assert all(sum(each) == 1 for each in homes_of)
    assert all(sum(each[k] for each in homes_of) > 60 for k in range(3))
    assert all(place.is_home("") for place in three)


@asynccontextmanager
async def two_processes(database):
    """Two servers at one port and one file, as two processes would be."""
    first = bound("127.0.0.1", 0, exactly=True, shared=True)
    port = first.getsockname()[1]
    second = bound("127.0.0.1", port, exactly=True, shared=True)
    settings = Settings(database=database, port=port, rates=UNLIMITED, key=KEY, workers=2)
    async with contextlib.AsyncExitStack() as stack:
        apps, servers, running = [], [], []
        for place, listening in zip(places(2), (first, second), strict=True):
            app = await stack.enter_async_context(opened(settings, place))
            apps.append(app)
            servers.append(Server(config_for(app, settings), app, place))
            running.append(asyncio.create_task(servers[-1].serve(sockets=[listening])))
        await eventually(lambda: all(server.started for server in servers))
        try:
            yield f"http://127.0.0.1:{port}", apps
        finally:
            for server in servers:
                server.should_exit = True
            await asyncio.gather(*running)


def home_of(apps, campaign):
    """The application at which a campaign is at home, and the other one."""
    return sorted(apps, key=lambda app: not app._place.is_home(campaign))


async def founded_everywhere(client, apps):
    """Campaigns until each of the processes is home to two of them."""
    found = []
    while any(sum(app._place.is_home(f.campaign) for f in found) < 2 for app in apps):
        found.append(await client.found("cores", demo=True))
    return found


def test_whoever_comes_is_brought_to_where_the_table_is(new_url_of):
    async def play():
        async with two_processes(new_url_of("sqlite")) as (url, apps), Client(url, KEY) as client:
            tables = await founded_everywhere(client, apps)
            seats = []
            for founded in tables:
                gm = client.sit(founded.campaign, founded.token)
                await gm.open()
                await gm.do(ChangeSeat("anna", "Anna"))
                link = await gm.new_link("anna")
                anna = await client.join(link.token)
                await anna.open()
                seats.append((gm, anna))
            for founded, (gm, anna) in zip(tables, seats, strict=True):
                seq = await anna.do(SendMessage("here we are"))
                await gm.wait_until(lambda view, seq=seq: view.seq == seq)
                home, other = home_of(apps, founded.campaign)
                assert home.company.present(founded.campaign) == ("anna", "gm")
                assert other.company.present(founded.campaign) == ()
                assert (await anna.see()).seq == seq
                await gm.revoke("anna")
                await eventually(lambda anna=anna: anna._end is not None)
                await gm.close()

    asyncio.run(play())


def test_a_link_made_later_opens_its_seat_wherever_it_is_shown(new_url_of):
    async def play():
        async with two_processes(new_url_of("sqlite")) as (url, apps), Client(url, KEY) as client:
            founded = await client.found("cores", demo=True)
            gm = client.sit(founded.campaign, founded.token)
            await gm.open()
            for name in ("anna", "bo"):
                await gm.do(ChangeSeat(name, name.title()))
                link = await gm.new_link(name)
                for app in apps:  # also where the campaign is not at home, and was seen before
                    holder = await app.tables.seat_at(link.token)
                    assert (holder.campaign, holder.seat) == (founded.campaign, name)
            await gm.close()

    asyncio.run(play())


def test_an_answer_is_the_last_on_its_connection(new_url_of):
    async def play():
        async with two_processes(new_url_of("sqlite")) as (url, _), httpx.AsyncClient() as http:
            for path in ("/health", "/api/games", "/", "/api/t/0123456789abcdef/view"):
                answer = await http.get(url + path)
                assert answer.headers["connection"] == "close"

    asyncio.run(play())


async def said(url, *parts, pause=0.0):
    """What the server says to bytes that are sent part by part on one connection."""
    host, port = url.removeprefix("http://").split(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    for part in parts:
        writer.write(part.encode())
        await writer.drain()
        await asyncio.sleep(pause)
    heard = b""
    with contextlib.suppress(ConnectionResetError):  # sent away in the middle of a word
        heard = await asyncio.wait_for(reader.read(), 10)
    writer.close()
    return heard.decode()


def test_a_request_that_comes_along_with_another_is_not_carried_out_elsewhere(new_url_of):
    async def play():
        async with two_processes(new_url_of("sqlite")) as (url, apps), Client(url, KEY) as client:
            found = await founded_everywhere(client, apps)
            one = next(f for f in found if apps[0]._place.is_home(f.campaign))
            other = next(f for f in found if apps[1]._place.is_home(f.campaign))

            def request(about):
                token = bearer(other.token)["Authorization"]
                path = f"/api/t/{about.campaign}/view"
                return f"GET {path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: {token}\r\n\r\n"

            heard = await said(url, request(one) + request(other))
            assert heard.startswith("HTTP/1.1 401")
            assert "HTTP/1.1 200" not in heard
            assert (await said(url, request(other))).startswith("HTTP/1.1 200")

    asyncio.run(play())


def test_somebody_slow_of_speech_is_heard_and_somebody_silent_is_not(new_url_of, monkeypatch):
    monkeypatch.setattr(homes, "PATIENCE", 1.0)

    async def play():
        async with two_processes(new_url_of("sqlite")) as (url, _), Client(url, KEY) as client:
            founded = await client.found("cores", demo=True)
            token = bearer(founded.token)["Authorization"]
            slowly = [*f"GET /api/t/{founded.campaign}", "/view HTTP/1.1\r\nHost: localhost\r\n"]
            slowly += [f"Authorization: {token}\r\n\r\n"]
            assert (await said(url, *slowly, pause=0.01)).startswith("HTTP/1.1 200")
            assert await said(url, "GET") == ""
            assert await said(url) == ""
            host, port = url.removeprefix("http://").split(":")
            with socket.create_connection((host, int(port))):
                pass  # gone before anything was said
            assert (await said(url, "nonsense\r\n\r\n")).startswith("HTTP/1.1 400")
            assert (await client.health()).status == "ok"

    asyncio.run(play())


class Crowded(socket.socket):
    """A door behind which there is no room until somebody makes some."""

    has_room = False
    tried = 0

    def accept(self):
        self.tried += 1
        if not self.has_room:
            raise OSError(errno.EMFILE, "too many open files")
        return super().accept()


def test_where_there_is_no_room_nobody_is_let_in_for_a_while(monkeypatch):
    monkeypatch.setattr(homes, "PAUSE", 0.3)

    async def play():
        came = asyncio.Event()
        door = Crowded()
        door.bind(("127.0.0.1", 0))
        door.setblocking(False)

        class Guest(asyncio.Protocol):
            def connection_made(self, transport):
                came.set()

        (place,) = places(1)
        porter = Porter(place, door, Guest)
        porter.open()
        _, writer = await asyncio.open_connection(*door.getsockname())
        writer.write(b"GET / HTTP/1.1\r\n\r\n")
        await asyncio.sleep(0.2)
        assert (door.tried, came.is_set()) == (1, False)
        door.has_room = True
        await asyncio.wait_for(came.wait(), 5)
        porter.close()
        writer.close()
        door.close()

    asyncio.run(play())


def test_whoever_cannot_be_handed_on_at_once_waits(new_url_of):
    async def play():
        async with two_processes(new_url_of("sqlite")) as (url, apps), Client(url, KEY) as client:
            found = await founded_everywhere(client, apps)
            doors = apps[0]._place.doors
            stuffed = 0
            with contextlib.suppress(BlockingIOError):
                while True:  # nothing that anybody could fetch comes with these
                    stuffed += doors[0].send(b"." * 4096) + doors[1].send(b"." * 4096)
            assert stuffed > 0
            seats = [client.sit(each.campaign, each.token) for each in found]
            await asyncio.gather(*(seat.open(timeout=30) for seat in seats))
            for seat in seats:
                await seat.close()

    asyncio.run(play())
