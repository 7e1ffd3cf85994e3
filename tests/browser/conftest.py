"""A server and a browser for all tests of a process, and people who open pages there.

Whatever page a test opens is watched: a script error, a breach of the content policy, a request
to another place or a box that nobody expected fails the test, whatever else it was about.
"""

from __future__ import annotations

import asyncio
import os
import re
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from playwright.sync_api import Browser, sync_playwright

from browser.chromium import chromium
from browser.pages import Pages
from browser.people import People
from browser.server import Server

MISSING = "There is no Chromium and none could be installed: NOTHING of the page was tested."


class Launched(NamedTuple):
    """A browser, and the event loop through which Playwright talks to it."""

    browser: Browser
    pages: Pages
    loop: asyncio.AbstractEventLoop


@pytest.fixture(scope="session")
def launched() -> Iterator[Launched]:
    """One browser for each process of the tests, and its pages."""
    program = chromium()
    if program is None:
        if os.environ.get("CI") == "true":
            pytest.fail(MISSING)
        warnings.warn(pytest.PytestWarning(MISSING), stacklevel=1)
        pytest.skip(MISSING)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=program, args=["--no-sandbox", "--disable-dev-shm-usage"]
        )
        launched = Launched(browser, Pages(browser), asyncio.get_running_loop())
        asyncio._set_running_loop(None)
        yield launched
        asyncio._set_running_loop(launched.loop)
        browser.close()


@pytest.fixture(scope="module")
def browser(launched: Launched) -> Iterator[Browser]:
    """The browser; its loop counts as running in these modules only.

    Tests of other folders that come between them run loops of their own.
    """
    asyncio._set_running_loop(launched.loop)
    yield launched.browser
    asyncio._set_running_loop(None)


@pytest.fixture
def pages(launched: Launched, browser: Browser) -> Pages:
    """The pages of the browser, new ones and those that others have left."""
    return launched.pages


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One for each process of the tests; whoever kills it has one of their own."""
    server = Server(tmp_path_factory.mktemp("server"))
    yield server
    server.stop()


@pytest.fixture
def people(pages: Pages, server: Server, request: pytest.FixtureRequest) -> Iterator[People]:
    """Whoever opens a page in this test; at its end, what went wrong on any of them."""
    people = People(pages, server, _shots(request))
    failed = request.session.testsfailed
    yield people
    troubles = people.leave(for_others=request.session.testsfailed == failed)
    print("The server said last:", *server.said[-20:], sep="\n")
    assert not troubles, "\n".join(troubles)


def _shots(request: pytest.FixtureRequest) -> Path | None:
    """Where the pictures of a test go: ``ASTRAGAL_SHOTS=build/screenshots``."""
    folder = os.environ.get("ASTRAGAL_SHOTS")
    name = re.sub(r"\W+", "_", request.node.name.removeprefix("test_")).strip("_")
    return Path(folder) / name if folder else None
