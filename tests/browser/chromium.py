"""Where Chromium is."""

from __future__ import annotations

from functools import cache

from programs import find

NAMES = (
    "chromium-headless-shell",  # the same engine without a window, for a third less work
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
)


@cache
def chromium() -> str | None:
    """The program, or None where there is none to be had."""
    return find(NAMES, NAMES[:2])
