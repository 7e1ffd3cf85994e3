"""Processes that are forked from one that has read everything in, so that they begin at once.

There is one such process for each process of the tests, whoever needs it first.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from multiprocessing.connection import Connection
from multiprocessing.context import ForkServerContext
from multiprocessing.forkserver import ensure_running
from pathlib import Path
from typing import TextIO

from astragal.cli import main

PRELOADED = ["preloaded"]
HERE = Path(__file__).parent
PATH_BEFORE = "ASTRAGAL_TEST_PYTHONPATH"
"""Where `preloaded` finds what PYTHONPATH was, to set it back for all that are forked."""


def forking() -> ForkServerContext:
    """Where such processes are made."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(PRELOADED)
    with _tests_importable():
        ensure_running()
    return context


@contextmanager
def _tests_importable() -> Iterator[None]:
    """Have a new process find the modules of the tests."""
    before = os.environ.get("PYTHONPATH")
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [str(HERE), before]))
    os.environ[PATH_BEFORE] = before or ""
    try:
        yield
    finally:
        del os.environ["PYTHONPATH"], os.environ[PATH_BEFORE]
        if before is not None:
            os.environ["PYTHONPATH"] = before


class CommandLine:
    """The command line in a process of its own, and what it prints.

    Only what is about starting Python itself needs a new interpreter.
    """

    def __init__(self, *arguments: str, environment: Mapping[str, str] | None = None) -> None:
        read_out, out = multiprocessing.Pipe(duplex=False)
        read_err, err = multiprocessing.Pipe(duplex=False)
        self._process = forking().Process(
            target=_be, args=(arguments, dict(environment or {}), out, err)
        )
        self._process.start()
        for written in (out, err):  # here, so that what is read has an end
            written.close()
        self.stdout = _text(read_out)
        self.stderr = _text(read_err)

    @property
    def pid(self) -> int:
        assert self._process.pid is not None
        return self._process.pid

    def poll(self) -> int | None:
        return self._process.exitcode

    def wait(self, within: float | None = None) -> int:
        """The status with which it ends."""
        self._process.join(within)
        assert self._process.exitcode is not None, "it does not end"
        return self._process.exitcode

    def send_signal(self, which: signal.Signals) -> None:
        os.kill(self.pid, which)

    def kill(self) -> None:
        self._process.kill()


def _text(pipe: Connection) -> TextIO:
    text = open(os.dup(pipe.fileno()), encoding="utf-8")  # noqa: SIM115
    pipe.close()
    return text


def _be(
    arguments: Sequence[str], environment: Mapping[str, str], out: Connection, err: Connection
) -> None:
    os.setsid()
    os.dup2(out.fileno(), 1)
    os.dup2(err.fileno(), 2)
    for pipe in (out, err):
        pipe.close()
    sys.stdout = open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
    sys.stderr = open(2, "w", encoding="utf-8", closefd=False, buffering=1)  # noqa: SIM115
    os.environ.update(environment)
    sys.exit(main(list(arguments)))
