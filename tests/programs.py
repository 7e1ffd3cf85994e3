"""Programs that tests need beside Python; where we may, they are installed if they are missing."""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
import tempfile
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest

INSTALL = ("apt-get", "install", "--yes", "--no-install-recommends")


def find(names: Sequence[str], packages: Sequence[str]) -> str | None:
    """The first of these programs, if need be from the first of the packages to be had."""
    if (found := _found(names)) or not may_install():
        return found
    with installing():
        return _found(names) or (_found(names) if _install(packages) else None)


def may_install() -> bool:
    return os.geteuid() == 0 and shutil.which("apt-get") is not None


@contextmanager
def installing() -> Iterator[None]:
    """One process at a time: several may miss the same, and apt-get serves only one."""
    with (Path(tempfile.gettempdir()) / "astragal-tests-install.lock").open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def needed(name: str, package: str) -> str:
    """The program, or a loud skip; under CI=true a failure."""
    program = find([name], [package])
    if program is None:
        missing = f"NOT TESTED WITH {name}, which is missing (on Debian: apt-get install {package})"
        if os.environ.get("CI", "").lower() == "true":
            pytest.fail(missing)
        warnings.warn(pytest.PytestWarning(missing), stacklevel=2)
        pytest.skip(missing)
    return program


def _found(names: Sequence[str]) -> str | None:
    return next(filter(None, map(shutil.which, names)), None)


def _install(packages: Sequence[str]) -> bool:
    return _done("apt-get", "update") and any(_done(*INSTALL, name) for name in packages)


def _done(*command: str) -> bool:
    # A package that is a service is not to start one here.
    quiet = os.environ | {"DEBIAN_FRONTEND": "noninteractive", "RUNLEVEL": "1"}
    try:
        run = subprocess.run(command, env=quiet, capture_output=True, timeout=300)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return run.returncode == 0
