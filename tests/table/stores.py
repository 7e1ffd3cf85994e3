"""The stores that tests run on: fixtures to import into a conftest.

    from table.stores import new_url, new_url_of, store_url  # noqa: F401

A test that takes ``store_url`` runs on each store, on an empty database of its own; one that
takes ``new_url`` can have several of the same kind. The PostgreSQL server is started once for
each process of the tests. Where there is none to be had, its tests are skipped with a warning
that stands in the summary; under CI=true they fail.
"""

from __future__ import annotations

import asyncio
import os
import warnings
from collections.abc import Callable, Coroutine, Iterator
from contextlib import ExitStack
from functools import cache, wraps
from pathlib import Path

import pytest

from postgres import VARIABLE, GivenServer, NoPostgres, OwnServer, Server, throw_away

KINDS = ("sqlite", "postgresql")
PATIENCE = 60.0
"""Seconds to wait for what should come at once, however busy the machine is."""
NewUrl = Callable[[], str]

_until_the_end = ExitStack()


@cache
def server_or_reason() -> Server | str:
    """The server of this process, or why there is none."""
    import atexit

    if given := os.environ.get(VARIABLE):
        server = GivenServer(given)
        atexit.register(server.drop_databases)
        return server
    try:
        server = _until_the_end.enter_context(throw_away())
    except NoPostgres as missing:
        return str(missing)
    atexit.register(_until_the_end.close)
    return server


def postgres_server() -> Server:
    """A server, or a loud skip."""
    found = server_or_reason()
    if isinstance(found, Server):
        return found
    if os.environ.get("CI", "").lower() == "true":
        pytest.fail(f"these tests need PostgreSQL: {found}")
    warnings.warn(pytest.PytestWarning(f"NOT TESTED ON POSTGRESQL: {found}"), stacklevel=2)
    pytest.skip(found)


@pytest.fixture
def own_postgres() -> Iterator[OwnServer]:
    """A server of the test's own, to stop and start."""
    postgres_server()  # skips, if need be
    with throw_away() as server:
        yield server


@pytest.fixture
def new_url_of(tmp_path: Path) -> Iterator[Callable[[str], str]]:
    """Makes addresses of empty databases of a kind."""
    used: list[str] = []

    def new(kind: str) -> str:
        if kind == "sqlite":
            used.append(f"sqlite:///{tmp_path}/{len(used)}.db")
        else:
            used.append(postgres_server().borrow_database())
        return used[-1]

    yield new
    for url in used:
        if url.startswith("postgresql:"):
            postgres_server().give_back(url)


@pytest.fixture(params=KINDS)
def new_url(request: pytest.FixtureRequest, new_url_of: Callable[[str], str]) -> NewUrl:
    """Makes addresses of empty databases, all of one kind."""
    return lambda: new_url_of(request.param)


@pytest.fixture
def store_url(new_url: NewUrl) -> str:
    """The address of an empty database."""
    return new_url()


async def eventually(holds: Callable[[], object], within: float = PATIENCE) -> None:
    """Wait until something is so."""
    async with asyncio.timeout(within):
        while not holds():
            await asyncio.sleep(0.01)


def asynchronous(test: Callable[..., Coroutine[None, None, None]]) -> Callable[..., None]:
    """A test that is a coroutine, run in a loop of its own."""

    @wraps(test)
    def run(*given: object, **named: object) -> None:
        asyncio.run(test(*given, **named))

    return run
