"""Hearing of what other workers append."""

import asyncio
import contextlib

import asyncpg
import pytest

from astragal.table.store import EVERYWHERE, StoreDown, open_store
from astragal.table.store.notifications import NewsQueue, channel_of, payload
from astragal.table.store.rows import LONGEST
from crashes.troubles import CUT
from table.store.logs import found, said
from table.stores import PATIENCE, asynchronous

SOON = PATIENCE


@contextlib.asynccontextmanager
async def listening(store, *campaigns):
    """An iterator over what a store hears of campaigns; it has begun to listen."""
    for campaign in campaigns:
        await store.follow(campaign)
    changes = store.changed()
    assert await asyncio.wait_for(anext(changes), SOON) == EVERYWHERE
    try:
        yield changes
    finally:
        await changes.aclose()


async def until(changes, wanted):
    """Everything told up to what is wanted."""
    told = []
    async with asyncio.timeout(SOON):
        while wanted not in told:
            told.append(await anext(changes))
    return told


@asynchronous
async def test_a_file_has_nobody_to_hear_from(tmp_path):
    async with await open_store(f"sqlite:///{tmp_path}/a.db") as store:
        assert [told async for told in store.changed()] == []


@asynchronous
async def test_workers_hear_of_each_other_and_not_of_themselves(new_url_of):
    url = new_url_of("postgresql")
    async with (
        await open_store(url) as one,
        await open_store(url) as other,
        listening(one, "a") as heard_by_one,
        listening(other, "a") as heard_by_other,
    ):
        await found(one, "a", upto=3)
        assert await until(heard_by_other, ("a", 3)) == [("a", 3)]
        await other.append("a", said(4))
        assert await until(heard_by_one, ("a", 4)) == [("a", 4)]
        assert (await one.entries("a", after=3)) == [said(4)]
        await one.append("a", said(5))
        await one.delete("a")
        told = await until(heard_by_other, ("a", 0))
        assert set(told) <= {("a", 5), ("a", 0)}


@asynchronous
async def test_many_campaigns_in_one_transaction_are_all_told(new_url_of):
    url = new_url_of("postgresql")
    names = [f"a campaign with a rather long name, number {n:04} of many" for n in range(300)]
    async with await open_store(url) as one, await open_store(url) as other:
        for name in names:
            await found(one, name)
        async with listening(other, *names) as heard:
            await asyncio.gather(*(one.append(name, said(2)) for name in names))
            told = set()
            async with asyncio.timeout(SOON):
                while len(told) < len(names):
                    told.add(await anext(heard))
            assert told == {(name, 2) for name in names}


@asynchronous
async def test_what_is_refused_is_not_told(new_url_of):
    url = new_url_of("postgresql")
    async with await open_store(url) as one, await open_store(url) as other:
        await found(one, "a")
        await found(one, "b")
        async with listening(other, "a", "b") as heard:
            with contextlib.suppress(Exception):
                await one.append("a", said(9))
            await one.append("b", said(2))
            assert await until(heard, ("b", 2)) == [("b", 2)]


@asynchronous
async def test_after_a_restart_of_the_server_everything_goes_on(own_postgres):
    async with await open_store(own_postgres.url) as one, await open_store(own_postgres.url) as two:
        await found(one, "a")
        async with listening(two, "a") as heard:
            await asyncio.to_thread(own_postgres.stop)
            with pytest.raises(StoreDown):
                await one.append("a", said(2))
            with pytest.raises(StoreDown):
                await one.ping()
            with pytest.raises(StoreDown):
                await two.entries("a")
            await asyncio.to_thread(own_postgres.start)
            await one.append("a", said(2))
            await until(heard, EVERYWHERE)
            assert await two.entries("a", after=1) == [said(2)]
            await one.append("a", said(3))
            await until(heard, ("a", 3))


@asynchronous
async def test_connections_that_are_cut_are_told_as_such_and_made_again(new_url_of):
    """The first statement meets the cut at any point between the server's word and the end."""
    url = new_url_of("postgresql")
    async with await open_store(url) as store:
        await found(store, "a")
        for turns in range(12):
            await store.holder(b"nobody")
            connection = await asyncpg.connect(url)
            await connection.execute(CUT)
            await connection.close()
            for _ in range(turns):
                await asyncio.sleep(0)
            with contextlib.suppress(StoreDown):
                assert await store.holder(b"nobody") is None
        assert await store.holder(b"nobody") is None


@asynchronous
async def test_a_crash_of_the_server_loses_nothing_acknowledged(own_postgres):
    async with await open_store(own_postgres.url) as store:
        await found(store, "a")
        acknowledged = [1]

        async def append():
            with contextlib.suppress(StoreDown):
                while True:
                    await store.append("a", said(acknowledged[-1] + 1))
                    acknowledged.append(acknowledged[-1] + 1)

        appending = asyncio.create_task(append())
        while len(acknowledged) < 50:
            await asyncio.sleep(0.01)
        await asyncio.to_thread(own_postgres.crash)
        await asyncio.wait_for(appending, SOON)
        await asyncio.to_thread(own_postgres.start)
        log = await store.entries("a")
        assert [entry.seq for entry in log] == list(range(1, len(log) + 1))
        # The one that was under way may be there or not.
        assert len(log) - acknowledged[-1] in (0, 1)


@asynchronous
async def test_the_iteration_ends_with_the_store(new_url_of):
    store = await open_store(new_url_of("postgresql"))
    async with listening(store) as changes:
        waiting = asyncio.create_task(anext(changes, "the end"))
        await asyncio.sleep(0.01)
        await store.close()
        assert await asyncio.wait_for(waiting, SOON) == "the end"


@asynchronous
async def test_a_slow_listener_is_told_the_latest_only():
    heard = NewsQueue("me")
    for seq in range(1, 1000):
        heard.hear(None, 0, "", payload("another", "a", seq))
        heard.hear(None, 0, "", payload("another", "b", 2 * seq))
    heard.hear(None, 0, "", payload("me", "a", 5000))
    assert [await heard.next(), await heard.next()] == [("a", 999), ("b", 1998)]
    heard.hear(None, 0, "", "what?")
    assert await heard.next() == EVERYWHERE


def test_messages_and_channels_stay_within_what_the_server_carries():
    longest = '"' * 100 + "ü" * (LONGEST - 100)
    said = payload("me", longest, 2**31 - 1)
    assert len(said.encode()) < 8000
    assert len(channel_of(longest).encode()) < 64
    heard = NewsQueue("another")
    heard.hear(None, 0, "", said)
    assert asyncio.run(heard.next()) == (longest, 2**31 - 1)


@asynchronous
async def test_nobody_is_woken_for_a_campaign_that_is_not_followed(new_url_of, monkeypatch):
    url = new_url_of("postgresql")
    woken: list[str] = []
    hear = NewsQueue.hear

    def counted(queue, connection, process, channel, said):
        woken.append(channel)
        hear(queue, connection, process, channel, said)

    monkeypatch.setattr(NewsQueue, "hear", counted)
    async with await open_store(url) as one, await open_store(url) as other:
        for name in ("a", "b", "c"):
            await found(one, name)
        async with listening(other, "a") as heard:
            await one.append("b", said(2))
            await one.append("a", said(2))
            assert await until(heard, ("a", 2)) == [("a", 2)]
            await other.follow("b")  # while it listens
            await one.append("b", said(3))
            assert await until(heard, ("b", 3)) == [("b", 3)]
            await other.unfollow("a")
            await one.append("a", said(3))
            await one.append("c", said(2))
            await one.append("b", said(4))
            assert await until(heard, ("b", 4)) == [("b", 4)]
        assert woken == [channel_of(name) for name in "abb"]


@asynchronous
async def test_what_is_followed_and_not_at_the_same_moment_ends_as_it_was_said_last(new_url_of):
    url = new_url_of("postgresql")
    async with await open_store(url) as one, await open_store(url) as other:
        await found(one, "a")
        async with listening(other) as heard:
            for _ in range(5):
                await asyncio.gather(other.follow("a"), other.unfollow("a"), other.follow("a"))
            await one.append("a", said(2))
            assert await until(heard, ("a", 2)) == [("a", 2)]


@asynchronous
async def test_after_a_lost_line_the_next_one_listens_to_all_that_is_followed(own_postgres):
    async with await open_store(own_postgres.url) as one, await open_store(own_postgres.url) as two:
        await found(one, "a")
        await found(one, "b")
        async with listening(two, "a") as heard:
            await asyncio.to_thread(own_postgres.stop)
            await two.follow("b")  # there is no line: nobody fails
            await asyncio.to_thread(own_postgres.start)
            await until(heard, EVERYWHERE)
            await one.append("a", said(2))
            await until(heard, ("a", 2))
            await one.append("b", said(2))
            await until(heard, ("b", 2))
