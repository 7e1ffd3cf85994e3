"""The real server as a process that can be killed at any moment, and started again."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path


class ServerProcess:
    """A server on a database, always at the same port; ``kill`` leaves it no last word."""

    def __init__(self, database: str, log: Path, workers: int = 1) -> None:
        self.database = database
        self.workers = workers
        self.kills = 0
        self._log = log
        self._port = _free_port()
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._port}"

    def start(self) -> None:
        options = ["--database", self.database, "--workers", str(self.workers)]
        options += ["--port", str(self._port), "--no-browser"]
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(
                [*_ends_with_us(), sys.executable, "-m", "astragal", "serve", *options],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                env={
                    **os.environ,
                    "ASTRAGAL_KEY": "a key for the tests of crashes",
                    "PYTHONFAULTHANDLER": "1",
                },
                start_new_session=True,
            )

    def kill(self) -> None:
        """Kill every process of it at once."""
        assert self._process is not None
        os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        self.kills += 1

    def kill_worker(self, which: int) -> None:
        """Kill one worker, if there is one just now; whoever started it starts another."""
        workers = self.worker_ids()
        if workers:
            os.kill(workers[which % len(workers)], signal.SIGKILL)
            self.kills += 1

    def kill_parent(self) -> None:
        """Kill the process that watches over the workers, and nothing else."""
        assert self._process is not None
        self._process.kill()
        self._process.wait()

    def worker_ids(self) -> list[int]:
        """The processes that serve, where there are several."""
        assert self._process is not None
        return workers_of(self._process.pid)

    def has_ended(self) -> bool:
        """Whether it came to its end by itself."""
        return self._process is None or self._process.poll() is not None

    def stop(self) -> None:
        """Stop it in order, as an operator would."""
        if self._process is None:
            return
        if self._process.poll() is None:
            self._process.terminate()
            try:
                self._process.wait(20)
            except subprocess.TimeoutExpired:
                os.killpg(self._process.pid, signal.SIGKILL)
                self._process.wait()
        self._process = None

    def said(self) -> str:
        """The end of what it wrote to its log."""
        return self._log.read_text(encoding="utf-8", errors="replace")[-3000:]

    def last_words(self) -> str:
        """End it, and have it say in its log where each of its threads was."""
        assert self._process is not None
        for each in self.worker_ids() or [self._process.pid]:
            os.kill(each, signal.SIGABRT)
        time.sleep(1)
        return self._log.read_text(encoding="utf-8", errors="replace")[-12_000:]


def workers_of(starter: int) -> list[int]:
    """The processes that serve; whoever was started has another process fork them."""
    forking = [each for each in _children(starter) if b"forkserver" in _command_line(each)]
    # Who has ended and is not yet taken note of has no command line any more.
    return [worker for each in forking for worker in _children(each) if _command_line(worker)]


def _children(process: int) -> list[int]:
    try:
        told = Path(f"/proc/{process}/task/{process}/children").read_text(encoding="ascii")
    except OSError:  # gone meanwhile
        return []
    return [int(each) for each in told.split()]


def _command_line(process: int) -> bytes:
    try:
        return Path(f"/proc/{process}/cmdline").read_bytes()
    except OSError:
        return b""


def _ends_with_us() -> list[str]:
    """Tests that are killed themselves leave no server behind, where the system can see to it."""
    return ["setpriv", "--pdeathsig=KILL"] if shutil.which("setpriv") else []


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
