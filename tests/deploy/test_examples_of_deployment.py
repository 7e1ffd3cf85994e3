"""The examples in `deploy`: a proxy keeps a campaign at one server, and another can take over.

The examples are run as they are, with other ports and without a certificate.
"""

from __future__ import annotations

import asyncio
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from astragal.client import Client
from astragal.table.commands.commands import SendMessage
from crashes.serving import ServerProcess
from ports import free_port
from programs import needed
from table.stores import PATIENCE

DEPLOY = Path(__file__).parent.parent.parent / "deploy"
USUAL = ("127.0.0.1:8001", "127.0.0.1:8002", "127.0.0.1:8003", "127.0.0.1:8004")
KEY = "a key for the tests of crashes"
CAMPAIGNS = 8
MOST_CAMPAIGNS = 60


def with_servers(example: str, servers: list[str], line: str) -> str:
    """The example with these servers instead of its four; ``line`` is how it names one."""
    named = "".join(line.format(each) for each in USUAL)
    assert named in example
    return example.replace(named, "".join(line.format(each) for each in servers))


def nginx(folder: Path, port: int, servers: list[str]) -> list[str]:
    program = needed("nginx", "nginx-light")
    line = "    server {} max_fails=1 fail_timeout=5s;\n"
    site = with_servers((DEPLOY / "nginx.conf").read_text("utf-8"), servers, line)
    site = site.replace("listen 443 ssl;", f"listen 127.0.0.1:{port};")
    site = re.sub(r" +ssl_certificate.*\n", "", site)
    (folder / "site.conf").write_text(site, "utf-8")
    temporary = "".join(
        f"{kind}_temp_path {folder}/{kind};\n"
        for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    (folder / "nginx.conf").write_text(
        f"daemon off; pid {folder}/pid; error_log {folder}/error.log;\nevents {{}}\n"
        f"http {{ access_log off; {temporary} include {folder}/site.conf; }}\n",
        "utf-8",
    )
    return [program, "-c", str(folder / "nginx.conf"), "-e", str(folder / "error.log")]


def caddy(folder: Path, port: int, servers: list[str]) -> list[str]:
    program = needed("caddy", "caddy")
    site = with_servers((DEPLOY / "Caddyfile").read_text("utf-8"), servers, " {}")
    site = re.sub(r"^table\.example", f"http://127.0.0.1:{port}", site, flags=re.MULTILINE)
    (folder / "Caddyfile").write_text(f"{{\n\tadmin off\n}}\n{site}", "utf-8")
    return [program, "run", "--config", str(folder / "Caddyfile"), "--adapter", "caddyfile"]


Proxy = Callable[[Path, int, list[str]], list[str]]


@contextmanager
def behind(proxy: Proxy, folder: Path, servers: list[ServerProcess]) -> Iterator[str]:
    """The address of the proxy, as soon as a server answers there."""
    port = free_port()
    command = proxy(folder, port, [each.url.removeprefix("http://") for each in servers])
    with (folder / "proxy.log").open("wb") as log:
        running = subprocess.Popen(command, stdout=log, stderr=log)
    try:
        until = time.monotonic() + PATIENCE
        while not answers(f"http://127.0.0.1:{port}"):
            assert running.poll() is None, (folder / "proxy.log").read_text()
            assert time.monotonic() < until, [each.said() for each in servers]
            time.sleep(0.05)
        yield f"http://127.0.0.1:{port}"
    finally:
        running.terminate()
        running.wait(PATIENCE)


def answers(url: str) -> bool:
    try:
        return httpx.get(f"{url}/health", timeout=PATIENCE).is_success
    except httpx.TransportError:
        return False


def campaigns_at(server: ServerProcess) -> set[str]:
    """The campaigns whose sockets and requests reached this server."""
    return set(re.findall(r" /(?:ws|api/t)/([0-9a-f]{16})", server.log()))


@pytest.mark.parametrize("proxy", [nginx, caddy])
def test_a_campaign_stays_at_one_server_and_another_takes_over(
    proxy: Proxy, tmp_path: Path, new_url_of: Callable[[str], str]
) -> None:
    database = new_url_of("postgresql")
    servers = [ServerProcess(database, tmp_path / f"log{number}") for number in range(2)]

    async def play(url: str) -> None:
        async with Client(url, KEY) as client:
            made, one, other = [], set(), set()
            # By chance all of the first may come to the same server.
            while len(made) < CAMPAIGNS or not (one and other):
                assert len(made) < MOST_CAMPAIGNS, "all campaigns are at one server"
                made.append(await client.create("cores", "Gus", demo=True))
                for _ in range(2):  # a second device of the same seat
                    async with await client.join(made[-1].token) as seat:
                        await seat.do(SendMessage("Good evening."))
                        await seat.see()
                one, other = map(campaigns_at, servers)
            assert one | other == {each.campaign for each in made}
            assert not one & other

            home = servers[0] if made[0].campaign in one else servers[1]
            async with await client.join(made[0].token) as seat:
                before = seat.view.seq
                home.kill()
                assert await seat.do(SendMessage("Still there?")) == before + 1
                assert seat.connections == 2

    try:
        for server in servers:
            server.start()
        for server in servers:
            until = time.monotonic() + PATIENCE
            while not answers(server.url):
                assert time.monotonic() < until, server.said()
                time.sleep(0.05)
        with behind(proxy, tmp_path, servers) as url:
            asyncio.run(play(url))
    finally:
        for server in servers:
            server.stop()


@pytest.mark.parametrize("unit", ["astragal.service", "astragal@.service"])
def test_systemd_accepts_the_units(unit: str, tmp_path: Path) -> None:
    program = shutil.which("systemd-analyze")
    if program is None:
        pytest.skip("there is no systemd here")
    text = (DEPLOY / unit).read_text("utf-8")
    here = tmp_path / unit.replace("@.", "@8001.")
    here.write_text(text.replace("/opt/astragal/bin/astragal", sys.executable), "utf-8")
    done = subprocess.run([program, "verify", here], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_the_container_is_not_root_keeps_its_data_and_says_how_it_is() -> None:
    text = (DEPLOY / "Containerfile").read_text("utf-8").replace("\\\n", " ")
    steps = [line.split(" ", 1) for line in text.splitlines() if line and line[0] not in "# "]
    last = dict(steps)
    assert last["USER"] == "astragal"
    assert f"sqlite:///{last['VOLUME']}/" in last["ENV"]
    assert "/health" in last["HEALTHCHECK"]
    assert [word for word, _ in steps].index("USER") > [word for word, _ in steps].index("RUN")
