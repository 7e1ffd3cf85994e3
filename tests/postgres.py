"""A PostgreSQL server to throw away: for tests, benchmarks, and trying things out.

    python tests/postgres.py -- COMMAND ...

runs a command with the server's address in ASTRAGAL_DATABASE and ASTRAGAL_TEST_POSTGRES. The
server listens on loopback and on a socket in its own temporary folder, syncs to the disk as a
real one does, runs as an unprivileged user, and is gone afterwards.
"""

from __future__ import annotations

import asyncio
import os
import pwd
import secrets
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

from ports import free_port
from programs import installing, may_install

VARIABLE = "ASTRAGAL_TEST_POSTGRES"
UNPRIVILEGED = ("postgres", "nobody")
STARTS_WITHIN = 60.0
LONGEST_SOCKET_PATH = 90
EMPTY = "SET lock_timeout = '3s'; DROP SCHEMA public CASCADE; CREATE SCHEMA public"


class NoPostgres(Exception):
    """There is no PostgreSQL here, and none could be installed."""


class Server:
    """A running server; ``url`` is its own database, others can be borrowed."""

    url: str

    def __init__(self) -> None:
        self._free: list[str] = []

    def borrow_database(self) -> str:
        """An empty database: making one takes long, so those given back are emptied."""
        while self._free:
            url = self._free.pop()
            try:
                self.run(EMPTY, url)
            except Exception:  # somebody still holds on to it
                continue
            return url
        name = f"astragal_{secrets.token_hex(8)}"
        self.run(f"CREATE DATABASE {name}")
        return self.url.rpartition("/")[0] + f"/{name}"

    def give_back(self, url: str) -> None:
        self._free.append(url)

    def drop_databases(self) -> None:
        """Leave nothing behind on a server that goes on."""
        while self._free:
            name = self._free.pop().rpartition("/")[2]
            self.run(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")

    def run(self, statement: str, url: str = "") -> None:
        async def run() -> None:
            import asyncpg

            connection = await asyncpg.connect(url or self.url)
            try:
                await connection.execute(statement)
            finally:
                await connection.close()

        with ThreadPoolExecutor(1) as thread:  # the caller may have a loop of its own running
            thread.submit(asyncio.run, run()).result()


class GivenServer(Server):
    """A server that somebody else started."""

    def __init__(self, url: str) -> None:
        super().__init__()
        self.url = url


class OwnServer(Server):
    """A server that was started here; it can be stopped, killed and started again."""

    def __init__(self, binaries: Path, folder: Path) -> None:
        super().__init__()
        self.binaries = binaries
        self.folder = folder
        self.port = 0
        self.process: subprocess.Popen[bytes] | None = None
        self._password = secrets.token_hex(16)

    @property
    def url(self) -> str:
        return f"postgresql://tester:{self._password}@127.0.0.1:{self.port}/postgres"

    @property
    def socket_url(self) -> str:
        """The same server by its Unix socket."""
        where = f"host={self.folder}&port={self.port}"
        return f"postgresql://tester:{self._password}@/postgres?{where}"

    def initialise(self) -> None:
        password = self.folder / "password"
        password.write_text(self._password, encoding="ascii")
        if user := _user():
            for path in (self.folder, password):
                os.chown(path, user.pw_uid, user.pw_gid)
        done = subprocess.run(
            [
                *_unprivileged(),
                self.binaries / "initdb",
                *("--pgdata", self.folder / "data", "--username", "tester"),
                *("--auth", "scram-sha-256", "--pwfile", password),
                *("--encoding", "UTF8", "--locale", "C", "--no-sync"),
            ],
            capture_output=True,
            cwd=self.folder,
            check=False,
        )
        if done.returncode:
            raise NoPostgres(f"initdb failed: {done.stderr.decode(errors='replace').strip()}")

    def start(self) -> None:
        for _ in range(3):  # somebody else may take the port before the server does
            port = self.port or free_port()
            if self._started(port):
                self.port = port
                return
        raise NoPostgres(f"the server did not start: {self._log()}")

    def _started(self, port: int) -> bool:
        sockets = str(self.folder) if len(str(self.folder)) < LONGEST_SOCKET_PATH else ""
        with (self.folder / "log").open("ab") as log:
            self.process = subprocess.Popen(
                [
                    *_unprivileged(),
                    self.binaries / "postgres",
                    *("-D", self.folder / "data", "-h", "127.0.0.1", "-p", str(port)),
                    *("-k", sockets, "-c", "max_connections=100", "-c", "fsync=on"),
                ],
                stdout=log,
                stderr=log,
                cwd=self.folder,
                start_new_session=True,  # Ctrl-C is for the tests, which then stop the server
            )
        until = time.monotonic() + STARTS_WITHIN
        while time.monotonic() < until and self.process.poll() is None:
            if self._is_ready():
                return True
            time.sleep(0.02)
        self.crash()
        return False

    def _is_ready(self) -> bool:
        try:
            lines = (self.folder / "data" / "postmaster.pid").read_text().split("\n")
        except (OSError, UnicodeDecodeError):
            return False
        # The first line is whose file it is; the eighth says how far it has come.
        return len(lines) > 7 and lines[0] == str(self.process.pid) and "ready" in lines[7]

    def crash(self) -> None:
        """Stop as if the machine had failed: without a last word, to be recovered at the start."""
        self.stop(signal.SIGQUIT)

    def stop(self, how: signal.Signals = signal.SIGINT) -> None:
        """Stop at once, but in order."""
        if self.process is None:
            return
        if self.process.poll() is None:
            self.process.send_signal(how)
            try:
                self.process.wait(30)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        self.process = None

    def _log(self) -> str:
        return (self.folder / "log").read_text(errors="replace")[-2000:].strip()


@contextmanager
def throw_away() -> Iterator[OwnServer]:
    """Start a server, and stop and remove it afterwards, come what may."""
    binaries = find_binaries() or _install()
    folder = Path(tempfile.mkdtemp(prefix="astragal-pg-"))
    server = OwnServer(binaries, folder)
    try:
        server.initialise()
        server.start()
        yield server
    finally:
        server.stop()
        shutil.rmtree(folder, ignore_errors=True)


def find_binaries() -> Path | None:
    """The folder with PostgreSQL's programs; the newest, where there are several."""
    folders = []
    if found := shutil.which("postgres"):
        folders.append(Path(found).resolve().parent)
    if config := shutil.which("pg_config"):
        said = subprocess.run([config, "--bindir"], capture_output=True, text=True, check=False)
        folders.append(Path(said.stdout.strip()))
    versions = Path("/usr/lib/postgresql").glob("*/bin")
    folders += sorted(versions, key=lambda path: _number(path.parent.name), reverse=True)
    for folder in folders:
        if all((folder / program).is_file() for program in ("postgres", "initdb")):
            return folder
    return None


def _install() -> Path:
    if not may_install():
        raise NoPostgres("no PostgreSQL found; install it (on Debian: apt-get install postgresql)")
    with installing():
        return find_binaries() or _installed()


def _installed() -> Path:
    quiet = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    for arguments in (["update"], ["install", "--yes", "--no-install-recommends", "postgresql"]):
        done = subprocess.run(
            ["apt-get", "--quiet", *arguments], env=quiet, capture_output=True, check=False
        )
        if done.returncode:
            said = done.stderr.decode(errors="replace").strip()
            raise NoPostgres(f"apt-get {arguments[0]} failed: {said}")
    if found := find_binaries():
        return found
    raise NoPostgres("PostgreSQL was installed, but its programs are nowhere to be found")


def _user() -> pwd.struct_passwd | None:
    """Whom to run the server as: PostgreSQL refuses to be run by root."""
    if os.geteuid() != 0:
        return None
    known = {entry.pw_name: entry for entry in pwd.getpwall()}
    for name in UNPRIVILEGED:
        if name in known:
            return known[name]
    raise NoPostgres(f"root may not run PostgreSQL, and there is no user {UNPRIVILEGED[0]}")


def _unprivileged() -> list[str]:
    user = _user()
    if user is None:
        return []
    if not shutil.which("setpriv"):
        raise NoPostgres("root may not run PostgreSQL, and setpriv is missing")
    return [
        "setpriv",
        f"--reuid={user.pw_uid}",
        f"--regid={user.pw_gid}",
        "--clear-groups",
        "--pdeathsig=INT",  # killed tests leave no server behind
    ]


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return 0


def main(arguments: list[str]) -> int:
    if arguments[:1] != ["--"] or len(arguments) < 2:
        print("usage: python tests/postgres.py -- COMMAND ...", file=sys.stderr)
        return 2
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    try:
        with throw_away() as server:
            surroundings = {**os.environ, "ASTRAGAL_DATABASE": server.url, VARIABLE: server.url}
            return subprocess.call(arguments[1:], env=surroundings)
    except NoPostgres as missing:
        print(f"postgres.py: {missing}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
