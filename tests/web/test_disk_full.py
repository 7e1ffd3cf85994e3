"""A disk without room: people are told, the log says why, and /health notices."""

from __future__ import annotations

import logging
import shutil
from collections import namedtuple

import pytest
from sqlalchemy.exc import DBAPIError

from astragal.client import Refused
from astragal.table.commands.commands import SendMessage, WriteNote
from astragal.table.store import StoreDown, StoreFull, open_store
from astragal.table.store.postgres import _answering
from astragal.web import health
from table.stores import asynchronous
from web.serving import a_table, run, serving, sitting

NOTE = WriteNote("n", "x" * 20_000)


def allow_pages(store, most: int) -> None:
    """SQLite has its own way to be full, with the very same error as a full disk."""
    with store._writing.connect() as connection:
        connection.exec_driver_sql(f"PRAGMA max_page_count={most}")


def test_a_full_disk_is_said_in_words_and_found_by_the_health_check(
    new_url_of, monkeypatch, caplog
):
    monkeypatch.setattr(health, "EVERY", -1.0)

    async def test() -> None:
        async with serving(new_url_of("sqlite")) as server, server.http() as http:
            people = await a_table(server)
            async with sitting(server, people, "anna") as (anna,):
                before = (await server.app.tables.campaign(people.campaign)).seq
                allow_pages(server.app.store, 1)
                with caplog.at_level(logging.ERROR), pytest.raises(Refused, match="disk is full"):
                    await anna.do(NOTE)
                assert "database or disk is full" in caplog.text
                assert (await server.app.tables.campaign(people.campaign)).seq == before
                answer = await http.get("/health")
                assert answer.status_code == 503
                assert "disk is full" in answer.json()["error"]["line"]
                # Reading goes on, and so does everything else once there is room.
                view = await http.get(
                    f"/api/t/{people.campaign}/view",
                    headers={"Authorization": f"Bearer {people.anna}"},
                )
                assert view.status_code == 200
                allow_pages(server.app.store, 1_000_000)
                assert await anna.do(NOTE) == before + 1
                assert await anna.do(SendMessage("again")) == before + 2
                assert (await http.get("/health")).status_code == 200

    run(test)


def test_the_health_check_asks_how_much_room_is_left(new_url_of, monkeypatch):
    usage = namedtuple("usage", "total used free")

    async def test() -> None:
        async with serving(new_url_of("sqlite")) as server, server.http() as http:
            monkeypatch.setattr(shutil, "disk_usage", lambda _: usage(10**9, 10**9, 4096))
            answer = await http.get("/health")
            assert answer.status_code == 503
            assert "disk is full" in answer.json()["error"]["line"]

    run(test)


def test_the_health_check_writes_now_and_then_not_at_every_request(store_url, monkeypatch):
    async def test() -> None:
        async with serving(store_url) as server, server.http() as http:
            looks = 0
            probe = server.app.store.probe

            async def counted() -> None:
                nonlocal looks
                looks += 1
                await probe()

            monkeypatch.setattr(server.app.store, "probe", counted)
            for _ in range(20):
                assert (await http.get("/health")).status_code == 200
            assert looks == 1

    run(test)


@asynchronous
async def test_looking_leaves_nothing_behind(store_url):
    async with await open_store(store_url) as store:
        for _ in range(3):
            await store.probe()
        assert await store.campaigns() == []


def test_a_full_disk_of_postgresql_is_known_by_its_code():
    class Full(Exception):
        sqlstate = "53100"

    class Other(Exception):
        sqlstate = "08006"

    with pytest.raises(StoreFull, match="no space left"), _answering():
        raise DBAPIError("INSERT", {}, Full("no space left on device"))
    with pytest.raises(StoreDown) as other, _answering():
        raise DBAPIError("INSERT", {}, Other("connection lost"))
    assert not isinstance(other.value, StoreFull)
