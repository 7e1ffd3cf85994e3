"""The server as its users start and stop it: real processes."""

import asyncio
import contextlib
import json
import os
import re
import signal
import socket
import subprocess
import sys
import time

import httpx
import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from astragal.client import Client, Refused, SeatClosed
from astragal.client.http import tls
from astragal.table.commands.commands import SendMessage
from astragal.table.store import open_store
from astragal.web.server import bind
from crashes.serving import workers_of
from forking import CommandLine
from ports import free_port
from table.stores import PATIENCE, eventually
from web.serving import bearer


class Process:
    """`astragal serve` on a free port, with what it prints."""

    def __init__(self, database, *options, port="0"):
        command = ["serve", "--no-browser", "--database", database, "--port", port, *options]
        if "--workers" in options:  # they are forked by a process that a new one alone starts
            self.process = subprocess.Popen(
                [sys.executable, "-m", "astragal", *command],
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
            )
        else:
            self.process = CommandLine(*command)
        first = self.process.stdout.readline()
        found = re.search(r"(http://\S+)", first)
        if found is None:
            self.process.wait(PATIENCE)
            raise AssertionError(first + self.process.stderr.read())
        self.url = found[1]
        self.printed = first + self.process.stdout.readline()
        self.wait_until_it_answers()

    def wait_until_it_answers(self):
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            with contextlib.suppress(httpx.TransportError):
                answer = httpx.get(f"{self.url}/health", timeout=PATIENCE, verify=tls())
                if answer.status_code == 200:
                    return
            time.sleep(0.05)
        raise AssertionError("it does not answer")

    def stop(self, how=signal.SIGTERM):
        self.process.send_signal(how)
        status = self.process.wait(PATIENCE)
        self.errors = self.process.stderr.read()
        return status

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        self.process.stdout.close()
        self.process.stderr.close()


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT])
def test_a_stopping_server_says_goodbye_and_keeps_what_it_acknowledged(store_url, how):
    async def play(server):
        acknowledged = []
        async with Client(server.url) as client:
            created = await client.create("cores", demo=True, name="Ann")
            headers = bearer(created.token)
            url = f"ws{server.url.removeprefix('http')}/ws/{created.campaign}"

            async def talk(who):
                async with connect(url, additional_headers=headers, proxy=None) as socket:
                    heard = []
                    with contextlib.suppress(ConnectionClosed):
                        for number in range(100_000):
                            command = {"do": "say", "text": f"{who} {number}"}
                            await socket.send(
                                json.dumps({"mark": f"{who}-{number}", "command": command})
                            )
                            while True:
                                heard.append(json.loads(await socket.recv()))
                                if heard[-1]["type"] in ("ack", "refused"):
                                    break
                            if heard[-1]["type"] == "ack":
                                acknowledged.append((heard[-1]["seq"], f"{who} {number}"))
                            await asyncio.sleep(0.03)
                    with contextlib.suppress(ConnectionClosed):
                        while True:
                            heard.append(json.loads(await socket.recv()))
                    return heard[-1], socket.close_code

            talking = [asyncio.create_task(talk(who)) for who in ("a", "b", "c")]
            await eventually(lambda: len(acknowledged) > 20)
            status = await asyncio.to_thread(server.stop, how)
            ends = await asyncio.gather(*talking)
        return created.campaign, status, ends, acknowledged

    with Process(store_url) as server:
        campaign, status, ends, acknowledged = asyncio.run(play(server))
    assert status == 0
    for last, code in ends:
        assert last["type"] == "bye"
        assert "restart" in last["why"]
        assert code == 1012
    assert len(acknowledged) > 10
    kept = asyncio.run(said_in(store_url, campaign))
    assert {seq: kept.get(seq) for seq, _ in acknowledged} == dict(acknowledged)
    assert "Traceback" not in server.errors


async def said_in(url, campaign):
    async with await open_store(url) as store:
        entries = await store.entries(campaign)
    return {entry.seq: getattr(entry.event, "text", None) for entry in entries}


def test_a_client_comes_back_by_itself_and_its_command_counts_once(store_url):
    port = str(free_port())

    async def play():
        with Process(store_url, port=port) as server:
            async with Client(server.url) as client:
                created = await client.create("cores", demo=True)
                seat = await client.join(created.token)
                await seat.open(PATIENCE)
                first = await seat.do(SendMessage("before"))
                server.process.kill()
                await asyncio.to_thread(server.process.wait)
                saying = asyncio.create_task(seat.do(SendMessage("after"), "once", PATIENCE))
                await eventually(lambda: seat._socket is None)
                assert not saying.done()
                with await asyncio.to_thread(lambda: Process(store_url, port=port)) as again:
                    assert await saying == first + 1
                    view = await seat.wait_until(lambda view: view.seq == first + 1)
                    assert view.log[-1].text.endswith("after")
                    assert seat.connections >= 2
                    assert await seat.do(SendMessage("after"), mark="once") == first + 1
                    await seat.close()
                    again.stop()

    asyncio.run(play())


def test_several_workers_share_a_port_and_the_fallen_are_replaced(new_url_of):
    async def play(server):
        async with Client(server.url) as client:
            created = [await client.create("cores", demo=True) for _ in range(4)]
            tables = [[client.sit(f.campaign, f.token) for _ in range(4)] for f in created]
            seats = [seat for table in tables for seat in table]
            await asyncio.gather(*(seat.open(PATIENCE) for seat in seats))
            await asyncio.gather(*(all_hear(table, "hello") for table in tables))
            fallen = workers_of(server.process.pid)[0]
            os.kill(fallen, signal.SIGKILL)
            await asyncio.gather(*(all_hear(table, "one has fallen") for table in tables))
            await eventually(
                lambda: (
                    len(workers_of(server.process.pid)) == 2
                    and fallen not in workers_of(server.process.pid)
                ),
            )
            await asyncio.gather(*(all_hear(table, "and another came") for table in tables))
            for seat in seats:
                await seat.close()

    with Process(new_url_of("postgresql"), "--workers", "2") as server:
        asyncio.run(eventually(lambda: len(workers_of(server.process.pid)) == 2))
        asyncio.run(play(server))
        workers = workers_of(server.process.pid)
        assert server.stop() == 0
        asyncio.run(eventually(lambda: not any(os.path.exists(f"/proc/{pid}") for pid in workers)))
        assert "Traceback" not in server.errors


async def all_hear(table, words):
    """Somebody says something, and everybody at the table hears of it."""
    seq = await table[0].do(SendMessage(words), timeout=PATIENCE)
    await asyncio.gather(
        *(seat.wait_until(lambda view: view.seq >= seq, PATIENCE) for seat in table)
    )


def test_a_taken_port_is_stepped_over_unless_it_was_asked_for(tmp_path):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        refused = astragal("serve", "--port", str(port), "--database", f"sqlite:///{tmp_path}/a.db")
        assert refused.returncode == 2
        assert refused.stderr.count("\n") == 1
        assert f"--port: found {port}, expected a free port" in refused.stderr
        with bind("127.0.0.1", port, exactly=False) as beside:
            assert port < beside.getsockname()[1] < port + 20


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--log", "xml"], "--log"),
        (["--host", "no.such.host.invalid"], "--host"),
        (["--public-url", "table.example"], "--public-url"),
        (["--workers", "2"], "--workers: found 2, expected 1 with SQLite; for several processes"),
        (["--database", "mongo://x"], "database"),
        (["--database", "mysql://ann:s3cret@host/name"], "mysql://ann:***@host/name"),
        (["--database", "postgresql://nobody@127.0.0.1:1/none"], "database"),
    ],
)
def test_settings_that_cannot_work_are_refused_in_one_line(tmp_path, options, words):
    usual = ["--database", f"sqlite:///{tmp_path}/a.db", "--port", "0", "--no-browser"]
    refused = astragal("serve", *usual, *options, XDG_DATA_HOME=str(tmp_path))
    assert refused.returncode == 2, refused.stderr
    assert words in refused.stderr
    assert refused.stderr.count("\n") == 1


def test_a_second_server_at_one_file_is_refused_in_words(tmp_path):
    database = f"sqlite:///{tmp_path}/a.db"
    with Process(database) as server:
        refused = astragal("serve", "--no-browser", "--port", "0", "--database", database)
        assert refused.returncode == 2, refused.stderr
        assert "no other server uses" in refused.stderr
        assert f"process {server.process.pid}" in refused.stderr
        assert refused.stderr.count("\n") == 1
        # The first one is none the worse for it; a backup only reads.
        assert httpx.get(f"{server.url}/health", timeout=PATIENCE, verify=tls()).status_code == 200
        saved = astragal("backup", str(tmp_path / "b.jsonl.gz"), "--database", database)
        assert saved.returncode == 0, saved.stderr
        assert server.stop() == 0


def test_another_server_cannot_have_the_port_of_several_workers(new_url_of):
    url = new_url_of("postgresql")
    with Process(url, "--workers", "2") as server:
        port = server.url.rpartition(":")[2]
        for workers in ("1", "2"):
            refused = astragal(
                "serve", "--no-browser", "--database", url, "--port", port, "--workers", workers
            )
            assert refused.returncode == 2, refused.stderr
            assert f"--port: found {port}, expected a free port" in refused.stderr
        with socket.socket() as other:
            other.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
            with pytest.raises(OSError, match="in use"):
                other.bind(("127.0.0.1", int(port)))
        assert server.stop() == 0


@pytest.mark.parametrize("key", ["abc", "short", " " * 40])
def test_a_key_of_a_few_letters_is_refused_and_not_repeated(tmp_path, key):
    database = f"sqlite:///{tmp_path}/a.db"
    usual = ["serve", "--no-browser", "--port", "0", "--database", database]
    refused = astragal(*usual, ASTRAGAL_KEY=key)
    assert refused.returncode == 2
    assert "at least 16 characters" in refused.stderr
    assert key not in refused.stderr
    (tmp_path / "a.key").write_text("tiny")
    refused = astragal(*usual, ASTRAGAL_KEY="")
    assert refused.returncode == 2
    assert "at least 16 characters" in refused.stderr


def astragal(*arguments, **environment):
    """Run a command to its end; its status, and what it said."""
    run = CommandLine(*arguments, environment=environment)
    with run.stdout as out, run.stderr as err:
        stdout, stderr = out.read(), err.read()  # less than a pipe holds
    return subprocess.CompletedProcess(arguments, run.wait(PATIENCE), stdout, stderr)


def test_away_from_this_machine_the_link_for_creating_is_printed_once(tmp_path):
    database = f"sqlite:///{tmp_path}/a.db"
    with Process(database, "--host", "0.0.0.0") as server:
        key = (tmp_path / "a.key").read_text().strip()
        assert f"/?key={key}" in server.printed
        assert server.stop() == 0
        assert key not in server.errors
    with Process(database, "--host", "0.0.0.0") as server:
        assert key not in server.printed
        assert str(tmp_path / "a.key") in server.printed
        assert server.stop() == 0


def test_a_dismissed_seat_stays_out_when_the_server_comes_back(store_url):
    async def play():
        with Process(store_url) as server:
            async with Client(server.url) as client:
                created = await client.create("cores", demo=True)
                seat = client.sit(created.campaign, "not a link")
                with pytest.raises((SeatClosed, Refused)):
                    await seat.open()
            server.stop()

    asyncio.run(play())
