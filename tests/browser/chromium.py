"""Where Chromium is; on a machine where we may, it is installed if it is missing."""

from __future__ import annotations

import os
import shutil
import subprocess
from functools import cache

NAMES = (
    "chromium-headless-shell",  # the same engine without a window, for a third less work
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
)
INSTALL = ("apt-get", "install", "--yes", "--no-install-recommends")


@cache
def chromium() -> str | None:
    """The program, or None where there is none to be had."""
    return _found() or (_found() if _install() else None)


def _found() -> str | None:
    return next(filter(None, map(shutil.which, NAMES)), None)


def _install() -> bool:
    """Install the first of the packages that is to be had."""
    if os.geteuid() != 0 or not shutil.which("apt-get"):
        return False
    return _done("apt-get", "update") and any(_done(*INSTALL, name) for name in NAMES[:2])


def _done(*command: str) -> bool:
    quiet = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
    try:
        run = subprocess.run(command, env=quiet, capture_output=True, timeout=300)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return run.returncode == 0
