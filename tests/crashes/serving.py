"""The real server as a process that can be killed at any moment, and started again."""

from __future__ import annotations

import faulthandler
import multiprocessing
import os
import shutil
import signal
import sys
import threading
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from multiprocessing.context import ForkServerProcess
from pathlib import Path

from astragal.cli import main
from astragal.table.foresight import odds_process
from astragal.web import settings
from forking import forking
from ports import free_port
from unlimited import UNLIMITED

STOPS_WITHIN = 20
HERE = (sys.executable, "-m", "astragal")
"""The program that is tested, as it lies in the source."""


class ServerProcess:
    """A server on a database, always at the same port; ``kill`` leaves it no last word."""

    def __init__(
        self,
        database: str,
        log: Path,
        workers: int = 1,
        program: Sequence[str] = HERE,
        options: Sequence[str] = (),
    ) -> None:
        self.database = database
        self.workers = workers
        self._program = program
        self._options = options
        self.kills = 0
        self._log = log
        log.touch()
        self._port = free_port()
        self._process: ForkServerProcess | None = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._port}"

    def start(self) -> None:
        options = ["--database", self.database, "--workers", str(self.workers)]
        options += ["--port", str(self._port), "--no-browser", *self._options]
        # With hundreds of starts, most of the time would go into imports.
        self._process = forking().Process(
            target=_serve, args=(["serve", *options], self._log, self.workers, self._program)
        )
        self._process.start()

    def kill(self) -> None:
        """Kill every process of it at once."""
        self._kill_all()
        self.kills += 1

    def _kill_all(self) -> None:
        assert self._process is not None
        try:
            os.killpg(_pid(self._process), signal.SIGKILL)
        except ProcessLookupError:  # so soon that it has no group yet, and is alone
            self._process.kill()
        self._process.join()

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
        self._process.join()

    def worker_ids(self) -> list[int]:
        """The processes that serve, where there are several."""
        assert self._process is not None
        return workers_of(_pid(self._process))

    def has_ended(self) -> bool:
        """Whether it came to its end by itself."""
        return self._process is None or not self._process.is_alive()

    def stop(self) -> None:
        """Stop it in order, as an operator would."""
        if self._process is None:
            return
        self._process.terminate()
        self._process.join(STOPS_WITHIN)
        if self._process.is_alive():
            self._kill_all()
        self._process = None

    def log(self) -> str:
        """All that it wrote to its log."""
        return self._log.read_text(encoding="utf-8", errors="replace")

    def said(self) -> str:
        """The end of what it wrote to its log."""
        return self.log()[-3000:]

    def last_words(self) -> str:
        """End it, and have it say in its log where each of its threads was."""
        assert self._process is not None
        for each in self.worker_ids() or [_pid(self._process)]:
            with suppress(ProcessLookupError):
                os.kill(each, signal.SIGABRT)
        if self.workers == 1:
            self._process.join(STOPS_WITHIN)
        else:
            self.stop()
        return self.log()[-12_000:]


def _serve(arguments: Sequence[str], log: Path, workers: int, program: Sequence[str]) -> None:
    """Be the server, in a process of its own: one that has read everything in, or a new one.

    Several workers are forked by a process of theirs, which a new one alone would start, and a
    program that is installed somewhere else has to start from there.
    """
    os.setsid()
    with log.open("ab") as file:
        os.dup2(file.fileno(), 1)
        os.dup2(file.fileno(), 2)
    os.environ["ASTRAGAL_KEY"] = "a key for the tests of crashes"
    if workers > 1 or program != HERE:
        os.environ["PYTHONFAULTHANDLER"] = "1"
        command = [*_ends_with_us(), *program, *arguments]
        os.execvp(command[0], command)
    faulthandler.enable()
    odds_process.SECONDS = 60.0  # on a busy machine they take long
    settings.Settings = partial(settings.Settings, rates=UNLIMITED)
    threading.Thread(target=_end_with_us, daemon=True).start()
    sys.exit(main(arguments))


def _end_with_us() -> None:
    """Tests that are killed themselves leave no server behind."""
    tests = multiprocessing.parent_process()
    assert tests is not None
    tests.join()
    os.kill(os.getpid(), signal.SIGKILL)


def _ends_with_us() -> list[str]:
    """The same for a new process, where the system can see to it."""
    return ["setpriv", "--pdeathsig=KILL"] if shutil.which("setpriv") else []


def _pid(process: ForkServerProcess) -> int:
    assert process.pid is not None
    return process.pid


def workers_of(starter: int) -> list[int]:
    """The processes that serve; whoever was started has another process fork them."""
    forkers = [each for each in _children(starter) if b"forkserver" in _command_line(each)]
    # Who has ended and is not yet taken note of has no command line any more.
    return [worker for each in forkers for worker in _children(each) if _command_line(worker)]


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
