"""The PostgreSQL that is thrown away: the command around a command."""

import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from postgres import NoPostgres, find_binaries, throw_away
from table.stores import postgres_server

SCRIPT = Path(__file__).parent / "postgres.py"
ASK = """
import asyncio, asyncpg, os, sys
async def main():
    connection = await asyncpg.connect(os.environ["ASTRAGAL_DATABASE"])
    print(await connection.fetchval("SHOW fsync"), await connection.fetchval("SHOW data_directory"))
asyncio.run(main())
sys.exit(7)
"""


@pytest.fixture(autouse=True)
def _needs_postgres():
    postgres_server()


def test_a_command_runs_with_a_server_that_is_gone_afterwards():
    command = [sys.executable, SCRIPT, "--", sys.executable, "-c", ASK]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert done.returncode == 7, done.stderr
    fsync, folder = done.stdout.split()
    assert fsync == "on"
    assert Path(folder).parent.name.startswith("astragal-pg-")
    assert not Path(folder).parent.exists()


def test_no_command_is_a_question_of_usage():
    for arguments in ([], ["--"], ["pytest"]):
        done = subprocess.run([sys.executable, SCRIPT, *arguments], capture_output=True, text=True)
        assert done.returncode == 2
        assert done.stderr.startswith("usage:")


def test_a_server_is_gone_after_a_failure_too():
    seen = []

    def fail():
        with throw_away() as server:
            seen.append((server.folder, server.process))
            assert server.process.poll() is None
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    ((folder, process),) = seen
    assert not folder.exists()
    assert process.poll() is not None


@pytest.mark.skipif(os.geteuid() != 0, reason="only root starts it as somebody else")
def test_a_server_does_not_outlive_tests_that_are_killed():
    command = [
        sys.executable,
        SCRIPT,
        "--",
        sys.executable,
        "-c",
        "print('up', flush=True); input()",
    ]
    waiting = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert waiting.stdout.readline() == "up\n"
    (child,) = [
        int(pid)
        for pid in Path(f"/proc/{waiting.pid}/task/{waiting.pid}/children").read_text().split()
        if Path(f"/proc/{pid}/comm").read_text().strip() == "postgres"
    ]
    folder = Path(os.readlink(f"/proc/{child}/cwd"))
    waiting.send_signal(signal.SIGKILL)
    waiting.wait()
    waiting.stdin.close()
    for _ in range(600):
        if not (folder / "postmaster.pid").exists():
            break
        time.sleep(0.05)
    assert not (folder / "postmaster.pid").exists()
    shutil.rmtree(folder.parent, ignore_errors=True)


def test_where_there_is_none_it_is_said(monkeypatch):
    assert find_binaries() is not None
    monkeypatch.setattr("postgres.find_binaries", lambda: None)
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    with pytest.raises(NoPostgres, match="apt-get install postgresql"), throw_away():
        pass


def test_where_there_is_none_its_tests_are_skipped_loudly_and_fail_in_ci(monkeypatch):
    monkeypatch.setattr("table.stores.server_or_reason", lambda: "none here")
    monkeypatch.setenv("CI", "")
    with (
        pytest.warns(pytest.PytestWarning, match="NOT TESTED ON POSTGRESQL: none here"),
        pytest.raises(pytest.skip.Exception),
    ):
        postgres_server()
    monkeypatch.setenv("CI", "true")
    with pytest.raises(pytest.fail.Exception, match="none here"):
        postgres_server()
