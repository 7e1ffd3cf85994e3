"""Snapshots of campaigns, and the links that open their seats."""

import asyncio

import pytest

from astragal.table.store import (
    AlreadyExists,
    AppendConflict,
    NoCampaign,
    SeatHolder,
    SeatLink,
    open_store,
    statements,
)
from table.store.logs import AT, found, founding
from table.stores import asynchronous

ONE, TWO, THREE = (bytes([number]) * 32 for number in (1, 2, 3))


@asynchronous
async def test_the_latest_snapshot_up_to_an_entry(store_url):
    async with await open_store(store_url) as store:
        await found(store, upto=30)
        await found(store, "c2", upto=30)
        assert await store.snapshot("c1") is None
        data = bytes(range(256)) * 1000
        for seq, kept in ((10, b"ten"), (20, data), (5, b"")):
            await store.keep_snapshot("c1", seq, kept)
        assert await store.snapshot("c1") == (20, data)
        assert await store.snapshot("c1", upto=20) == (20, data)
        assert await store.snapshot("c1", upto=19) == (10, b"ten")
        assert await store.snapshot("c1", upto=9) == (5, b"")
        assert await store.snapshot("c1", upto=4) is None
        assert await store.snapshot("c2") is None
        await store.keep_snapshot("c1", 20, b"anew")
        assert await store.snapshot("c1") == (20, b"anew")


@asynchronous
async def test_of_older_snapshots_few_are_kept(store_url, monkeypatch):
    monkeypatch.setattr(statements, "SPARSE_SNAPSHOTS", 10)
    async with await open_store(store_url) as store:
        await found(store, upto=40)
        await found(store, "c2", upto=40)
        await store.keep_snapshot("c2", 1, b"another campaign's")
        for seq in range(2, 32, 2):
            await store.keep_snapshot("c1", seq, str(seq).encode())
        kept = [await store.snapshot("c1", upto=at) for at in range(1, 41)]
        assert {seq for seq, _ in filter(None, kept)} == {10, 20, 24, 26, 28, 30}
        assert await store.snapshot("c2") == (1, b"another campaign's")


@asynchronous
async def test_there_is_no_snapshot_of_what_is_not_in_the_log(store_url):
    async with await open_store(store_url) as store:
        await found(store, upto=3)
        for seq in (0, -1, 4):
            with pytest.raises(AppendConflict):
                await store.keep_snapshot("c1", seq, b"")
        with pytest.raises(NoCampaign):
            await store.keep_snapshot("elsewhere", 1, b"")
        assert await store.snapshot("c1") is None


@asynchronous
async def test_a_link_opens_its_seat_until_it_is_revoked(store_url):
    async with await open_store(store_url) as store:
        await found(store)
        await store.add_link("c1", "gm", ONE, AT)
        await store.add_link("c1", "anna", TWO, AT)
        await store.add_link("c1", "anna", THREE, AT)
        assert await store.holder(ONE) == SeatHolder("c1", "gm")
        assert await store.holder(THREE) == SeatHolder("c1", "anna")
        assert await store.holder(b"never made") is None
        assert await store.revoke_links("c1", "anna") == 2
        assert await store.revoke_links("c1", "anna") == 0
        assert await store.holder(TWO) is None
        assert await store.holder(THREE) is None
        assert await store.holder(ONE) == SeatHolder("c1", "gm")
        assert await store.links("c1") == [SeatLink("gm", AT)]


@asynchronous
async def test_a_new_link_may_replace_the_older_ones_of_its_seat_alone(store_url):
    async with await open_store(store_url) as store:
        await store.create("c1", "signs", "T", AT, [founding()], {"gm": ONE, "anna": TWO})
        assert await store.links("c1") == [SeatLink("anna", AT), SeatLink("gm", AT)]
        await store.add_link("c1", "anna", THREE, AT, replace=True)
        assert await store.holder(TWO) is None
        assert await store.holder(THREE) == SeatHolder("c1", "anna")
        assert await store.holder(ONE) == SeatHolder("c1", "gm")


@asynchronous
async def test_a_link_is_made_once_even_after_it_was_revoked(store_url):
    async with await open_store(store_url) as store:
        await found(store)
        await store.add_link("c1", "gm", ONE, AT)
        await store.add_link("c1", "anna", TWO, AT)
        await store.revoke_links("c1", "gm")
        with pytest.raises(AlreadyExists):
            await store.add_link("c1", "anna", ONE, AT, replace=True)
        assert await store.holder(ONE) is None
        assert await store.holder(TWO) == SeatHolder("c1", "anna")  # nothing was replaced
        with pytest.raises(NoCampaign):
            await store.add_link("elsewhere", "gm", THREE, AT)


@asynchronous
async def test_links_and_snapshots_are_kept_while_entries_are_appended(store_url):
    from table.store.logs import said

    async with await open_store(store_url) as store:
        await found(store)
        digests = [number.to_bytes(32, "big") for number in range(20)]
        await asyncio.gather(
            *(store.append("c1", said(seq)) for seq in range(2, 102)),
            *(store.add_link("c1", f"seat{n}", digest, AT) for n, digest in enumerate(digests)),
        )
        assert len(await store.links("c1")) == 20
        assert (await store.known("c1")).last_seq == 101
