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
INSTALLING = ("apt-get", "install", "--yes", "--no-install-recommends", "chromium")


@cache
def chromium() -> str | None:
    """The program, or None where there is none to be had."""
    return _found() or (_found() if _installed() else None)


def _found() -> str | None:
    return next(filter(None, map(shutil.which, NAMES)), None)


def _installed() -> bool:
    if os.geteuid() != 0 or not shutil.which("apt-get"):
        return False
    quiet = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
    steps = (("apt-get", "update"), INSTALLING)
    try:
        return all(
            subprocess.run(step, env=quiet, capture_output=True, timeout=300).returncode == 0
            for step in steps
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
