"""One server for each SQLite file: a lock that ends with the process, however it ends.

Two servers at one file would tell each other nothing, so people at one would not see what happens
at the other. Reading the file (a backup) needs no lock.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from astragal.errors import BadInput
from astragal.table.store.private_files import make_private_folder, open_private

PATIENCE = 3.0
"""Seconds to wait for a server that is just stopping."""


def lock_of(database: Path) -> Path:
    """The file beside a database that its server locks."""
    return database.with_name(f"{database.name}.lock")


@contextmanager
def serving_alone(database: Path) -> Iterator[None]:
    """Be the one server at this file, or refuse."""
    lock = lock_of(database)
    try:
        make_private_folder(lock.parent)
        handle = open_private(lock)
    except OSError as error:
        expected = f"a file in a folder that can be written ({error.strerror})"
        raise BadInput("database", str(database), expected) from None
    try:
        until = time.monotonic() + PATIENCE
        while not _locked(handle):
            if time.monotonic() > until:
                raise BadInput(
                    "database",
                    str(database),
                    f"a file that no other server uses{_by_whom(lock)}; stop that one first, "
                    "or use PostgreSQL for several servers",
                )
            time.sleep(0.05)
        os.ftruncate(handle, 0)
        os.pwrite(handle, f"{os.getpid()}\n".encode(), 0)
        yield
    finally:
        os.close(handle)


def _by_whom(lock: Path) -> str:
    try:
        return f" (process {int(lock.read_text(encoding='ascii'))} does)"
    except (OSError, ValueError):
        return ""


def _locked(handle: int) -> bool:
    try:
        import fcntl
    except ImportError:
        return _locked_on_windows(handle)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _locked_on_windows(handle: int) -> bool:
    import importlib

    msvcrt = importlib.import_module("msvcrt")
    try:
        msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
    except OSError:
        return False
    return True
