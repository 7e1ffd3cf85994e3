"""Connections that keep others waiting: frames without end, half a request, nothing read."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import struct

import pytest
from uvicorn.server import ServerState
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from astragal.table.commands.commands import SendMessage
from astragal.web.connections import Connections, SocketConnection
from astragal.web.server import config_for
from astragal.web.settings import Limits, Rate, Settings
from table.stores import PATIENCE, eventually
from web.serving import a_table, bearer, run, serving, sitting
from web.test_rate_limits import limited

TEXT, CONTINUED, PING, PONG = 1, 0, 9, 10


def frame(opcode: int, payload: bytes = b"", *, is_last: bool = True) -> bytes:
    """One small frame of a client, masked with zeros."""
    assert len(payload) < 126
    first = opcode | (0x80 if is_last else 0)
    return struct.pack("!BB4x", first, 0x80 | len(payload)) + payload


async def opened(server, path: str, token: str = ""):
    """A connection that speaks WebSocket byte by byte, after its handshake."""
    host, _, port = server.url.removeprefix("http://").partition(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    key = f"Authorization: Bearer {token}\r\n" if token else ""
    writer.write(
        f"GET {path} HTTP/1.1\r\nHost: {host}\r\n{key}Connection: Upgrade\r\n"
        f"Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
        f"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n".encode()
    )
    head = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), PATIENCE)
    return reader, writer, int(head.split()[1])


async def rest_of(reader) -> bytes:
    with contextlib.suppress(ConnectionError):
        return await asyncio.wait_for(reader.read(), PATIENCE)
    return b""


def test_between_the_messages_of_one_socket_everybody_else_has_a_turn(new_url_of):
    """Turns are counted, not time: while a hundred pings are answered, another task runs on."""

    async def test() -> None:
        async with serving(new_url_of("sqlite")) as server:
            people = await a_table(server)
            turns, answered = 0, []
            is_over = False

            async def other() -> None:
                nonlocal turns
                while not is_over:
                    turns += 1
                    await asyncio.sleep(0)

            _reader, writer, status = await opened(server, f"/ws/{people.campaign}", people.anna)
            assert status == 101
            await eventually(server.app.presence._all)
            (at,) = [each for each in server.app.presence._all() if each.seat == "anna"]
            write = at._writer.write

            async def counted(ready: bytes) -> None:
                if b'"pong"' in ready:
                    answered.append(turns)
                await write(ready)

            at._writer.write = counted
            beside = asyncio.create_task(other())
            writer.write(b"".join(frame(TEXT, b'{"ping":%d}' % n) for n in range(100)))
            await eventually(lambda: len(answered) == 100)
            is_over = True
            await beside
            writer.close()
            # Without a turn in between, all hundred would be answered within one.
            assert len(set(answered)) == 100

    run(test)


def test_frames_are_parsed_a_few_at_a_time(new_url_of):
    """Ten thousand control frames that arrive at once are no single piece of work."""

    async def test() -> None:
        async with serving(new_url_of("sqlite")) as server:
            people = await a_table(server)
            _reader, writer, _ = await opened(server, f"/ws/{people.campaign}", people.anna)
            (protocol,) = server.uvicorn.server_state.connections
            turns, seen = 0, []
            count = protocol._count

            def counted() -> bool:
                seen.append(turns)
                return count()

            protocol._count = counted

            async def other() -> None:
                nonlocal turns
                while len(seen) < 10_000:
                    turns += 1
                    await asyncio.sleep(0)

            beside = asyncio.create_task(other())
            writer.write(frame(PONG) * 10_000)
            await eventually(lambda: len(seen) == 10_000)
            await beside
            writer.close()
            assert max(seen.count(turn) for turn in set(seen)) < 200

    run(test)


class _Told(asyncio.Transport):
    """A transport that notes what it is told, and sends nothing."""

    def __init__(self) -> None:
        super().__init__({"peername": ("127.0.0.1", 1)})
        self.told: list[str] = []

    def write(self, data: bytes) -> None:
        pass

    def is_closing(self) -> bool:
        return False

    def pause_reading(self) -> None:
        self.told.append("pause")

    def resume_reading(self) -> None:
        self.told.append("resume")


def test_what_is_sent_while_a_message_waits_stays_with_the_system() -> None:
    """Nothing is parsed before the message is taken; what was in one piece with it comes after."""

    class Reader:
        """An application that takes a message when it is told to."""

        settings = Settings(database="", port=0)
        connections = Connections(settings)

        def __init__(self) -> None:
            self.taken: list[str] = []
            self.may_take = asyncio.Semaphore(0)

        async def __call__(self, scope, receive, send) -> None:
            assert (await receive())["type"] == "websocket.connect"
            await send({"type": "websocket.accept"})
            while True:
                await self.may_take.acquire()
                self.taken.append((await receive())["text"])

    async def test() -> None:
        app = Reader()
        config = config_for(app, app.settings)
        config.load()
        transport = _Told()
        socket = SocketConnection(config, ServerState(), {})
        socket.connection_made(transport)
        socket.data_received(
            b"GET /ws/x HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
            b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
        )
        await eventually(lambda: socket.handshake_complete)
        transport.told.clear()

        pieces = (frame(TEXT, b"first"), b"".join(frame(TEXT, b"%d" % n * 100) for n in range(9)))
        for piece in pieces:
            socket.data_received(piece)
        assert transport.told[-1] == "pause"
        unread = len(socket._unread)
        assert unread == len(pieces[1])
        await asyncio.sleep(0)
        assert (len(socket._unread), app.taken) == (unread, [])

        for _ in range(10):
            app.may_take.release()
        await eventually(lambda: len(app.taken) == 10)
        assert app.taken == ["first", *(f"{n}" * 100 for n in range(9))]
        await eventually(lambda: transport.told[-1] == "resume")

    run(test)


def test_pings_count_like_everything_else_and_end_a_socket_that_abuses_them(store_url):
    async def test() -> None:
        rates = limited(seat=Rate(0.01, 5), abuses=Rate(0.01, 2))
        async with serving(store_url, rates=rates) as server:
            people = await a_table(server)
            url = f"{server.socket_url}/ws/{people.campaign}"
            with_token = {"additional_headers": bearer(people.anna), "proxy": None}
            for _ in range(2):
                async with connect(url, **with_token) as socket:
                    heard = []
                    with contextlib.suppress(ConnectionClosed):
                        for n in range(80):
                            await socket.send(json.dumps({"ping": n}))
                        while True:
                            heard.append(json.loads(await socket.recv()))
                    assert socket.close_code == 4429
                    assert sum(each["type"] == "pong" for each in heard) <= 5
            # A seat that was closed twice cannot just open the next one; others can.
            with pytest.raises(InvalidStatus) as refused:
                await connect(url, **with_token)
            assert refused.value.response.status_code == 429
            async with sitting(server, people, "gm") as (gm,):
                assert await gm.do(SendMessage("not held up"))

    run(test)


def test_frames_without_end_close_their_socket(store_url):
    async def test() -> None:
        rates = limited(frames=Rate(0.01, 50), abuses=Rate(0.01, 1))
        async with serving(store_url, rates=rates) as server:
            people = await a_table(server)
            endless = frame(TEXT, is_last=False) + frame(CONTINUED, is_last=False) * 60
            for frames in (frame(PING) * 60, frame(PONG) * 60, endless):
                reader, writer, status = await opened(server, f"/ws/{people.campaign}", people.anna)
                assert status == 101
                writer.write(frames)
                ended = await rest_of(reader)
                assert struct.pack("!H", 1008) in ended
                writer.close()
                abuses = server.app.routes.state.authentication.abuses
                await eventually(lambda: abuses._left)  # noqa: B023
                abuses._left.clear()
            async with sitting(server, people, "gm") as (gm,):
                assert await gm.do(SendMessage("still here"))

    run(test)


def test_a_long_message_in_many_pieces_still_arrives(store_url):
    async def test() -> None:
        async with serving(store_url) as server:
            people = await a_table(server)
            _reader, writer, _ = await opened(server, f"/ws/{people.campaign}", people.anna)
            note = {"do": "note", "id": "n", "text": "é" * 9000}
            text = json.dumps({"mark": "m", "command": note}, ensure_ascii=False).encode()
            size = len(text)
            whole = struct.pack("!BBH4x", 0x81, 0x80 | 126, size) + text
            for start in range(0, len(whole), 1000):
                writer.write(whole[start : start + 1000])
                await writer.drain()
            tables = server.app.tables
            here = await tables.campaign(people.campaign)
            hosted = await tables.open_campaigns.open(people.campaign)
            await eventually(lambda: "n" in hosted.campaign.notes)
            assert hosted.campaign.notes["n"].text == "é" * 9000
            assert hosted.campaign.seq == here.seq + 1
            writer.close()

    run(test)


def test_a_socket_needs_its_token_at_the_handshake(store_url):
    async def test() -> None:
        async with serving(store_url) as server:
            people = await a_table(server)
            _reader, writer, status = await opened(server, f"/ws/{people.campaign}")
            assert status == 401
            writer.close()

    run(test)


def test_half_a_request_is_closed_in_time(new_url_of):
    async def test() -> None:
        # Long enough for a whole head, however busy the machine is.
        limits = Limits(head_seconds=2)
        async with serving(new_url_of("sqlite"), limits=limits) as server:
            host, _, port = server.url.removeprefix("http://").partition(":")

            async def half(sent: bytes) -> None:
                reader, writer = await asyncio.open_connection(host, int(port))
                writer.write(sent)
                assert await rest_of(reader) == b""
                writer.close()

            async def whole_and_half() -> None:
                """The second request of a connection has no more time than the first."""
                reader, writer = await asyncio.open_connection(host, int(port))
                writer.write(f"GET /health HTTP/1.1\r\nHost: {host}\r\n\r\n".encode())
                head = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), PATIENCE)
                assert head.startswith(b"HTTP/1.1 200")
                writer.write(b"GET /health HTTP/1.1\r\nX-Slow: ")
                await rest_of(reader)
                writer.close()

            slow = (b"", b"GET / HTTP/1.1\r\nHost: x\r\nX-Slow: ", b"GET / HT")
            await asyncio.gather(*map(half, slow), whole_and_half())
            async with server.http() as http:
                assert (await http.get("/health")).status_code == 200

    run(test)


def test_half_a_body_is_refused_in_time(new_url_of):
    async def test() -> None:
        limits = Limits(body_seconds=0.3)
        async with serving(new_url_of("sqlite"), limits=limits) as server:
            host, _, port = server.url.removeprefix("http://").partition(":")
            reader, writer = await asyncio.open_connection(host, int(port))
            writer.write(
                f"POST /api/join HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\n"
                f"Content-Length: 30\r\n\r\n{{".encode()
            )
            answer = await rest_of(reader)
            assert answer.startswith(b"HTTP/1.1 408")
            writer.close()

    run(test)


def test_an_address_has_a_number_of_connections_and_not_more(new_url_of):
    async def test() -> None:
        async with serving(new_url_of("sqlite"), limits=Limits(connections=5)) as server:
            people = await a_table(server)
            host, _, port = server.url.removeprefix("http://").partition(":")
            held = [await opened(server, f"/ws/{people.campaign}", people.anna) for _ in range(2)]
            idle = [await asyncio.open_connection(host, int(port)) for _ in range(3)]
            await eventually(lambda: len(server.uvicorn.server_state.connections) == 5)
            reader, writer = await asyncio.open_connection(host, int(port))
            answer = await rest_of(reader)
            assert answer.startswith(b"HTTP/1.1 429")
            assert b"Too many connections" in answer
            writer.close()
            for _, each in idle:
                each.close()
            held[0][1].close()
            await eventually(lambda: len(server.uvicorn.server_state.connections) == 1)
            async with server.http() as http:
                assert (await http.get("/health")).status_code == 200
            held[1][1].close()
            await eventually(lambda: not server.app.connections._open)

    run(test)


def test_somebody_who_reads_nothing_is_closed(new_url_of):
    async def test() -> None:
        limits = Limits(stuck_seconds=0.3)
        async with serving(new_url_of("sqlite"), limits=limits) as server:
            host, _, port = server.url.removeprefix("http://").partition(":")
            _reader, writer = await asyncio.open_connection(host, int(port), limit=1)
            ask = f"GET /api/games HTTP/1.1\r\nHost: {host}\r\n\r\n".encode()
            writer.transport.pause_reading()
            writer.write(ask * 30)
            await eventually(lambda: len(server.uvicorn.server_state.connections) == 1)
            await eventually(lambda: not server.uvicorn.server_state.connections)
            writer.transport.abort()

    run(test)


def test_wrong_links_do_not_keep_out_the_right_ones_of_the_same_address(store_url):
    async def test() -> None:
        rates = limited(guesses=Rate(0.001, 3), joins=Rate(0.001, 2))
        async with serving(store_url, rates=rates, host="0.0.0.0") as server, server.http() as http:
            people = await a_table(server)
            wrong = [
                (await http.post("/api/join", json={"token": os.urandom(8).hex()})).status_code
                for _ in range(6)
            ]
            assert wrong == [401] * 3 + [429] * 3
            right = await http.post("/api/join", json={"token": people.anna})
            assert right.status_code == 200
            view = await http.get(f"/api/t/{people.campaign}/view", headers=bearer(people.anna))
            assert view.status_code == 200
            async with sitting(server, people, "anna") as (anna,):
                assert await anna.do(SendMessage("in"))

    run(test)
