"""The log of a campaign, the same on every store."""

import asyncio
import sqlite3

import msgspec
import pytest

from astragal.errors import BadInput
from astragal.table.log.events import LogEntry, MessageSent, TitleChanged
from astragal.table.store import (
    AlreadyExists,
    AppendConflict,
    CampaignSummary,
    NoCampaign,
    RepeatedCommand,
    SeatHolder,
    UnreadableEntry,
    open_store,
    statements,
)
from table.store.logs import AT, found, founding, said
from table.stores import PATIENCE, asynchronous


@asynchronous
async def test_what_was_appended_is_read_again_equal_and_in_order(store_url):
    async with await open_store(store_url) as store:
        first = await found(store)
        more = [said(2, "naïve ☂ \0 \U0001f3b2 'quoted' %s"), said(3, mark="m1"), said(4)]
        for entry in more:
            await store.append("c1", entry)
        assert await store.entries("c1") == first + more
    async with await open_store(store_url) as again:
        assert await again.entries("c1") == first + more
        assert await again.known("c1") == CampaignSummary("c1", "burning_wheel", "The Gift", AT, 4)


@asynchronous
async def test_parts_of_a_log(store_url):
    async with await open_store(store_url) as store:
        log = await found(store, upto=20)
        assert await store.entries("c1", after=5) == log[5:]
        assert await store.entries("c1", after=5, upto=9) == log[5:9]
        assert await store.entries("c1", after=5, upto=9, limit=2) == log[5:7]
        assert await store.entries("c1", limit=0) == []
        assert await store.entries("c1", limit=-1) == []
        assert await store.before("c1", 11, 4) == log[6:10]
        assert await store.before("c1", 3, 10) == log[:2]
        assert await store.before("c1", 1, 10) == []
        assert await store.entries("elsewhere") == []
        assert await store.before("c1", 10**30, 1) == log[-1:]
        assert await store.entries("c1", after=-(10**30), upto=10**30) == log


@asynchronous
async def test_the_entry_of_a_mark_is_found(store_url):
    async with await open_store(store_url) as store:
        await found(store, upto=3)
        await store.append("c1", said(4, mark="anna:m1"))
        await store.append("c1", said(5))
        assert await store.marked("c1", "anna:m1") == 4
        for campaign, mark in (("c1", "m1"), ("c1", ""), ("c2", "anna:m1")):
            assert await store.marked(campaign, mark) is None


@asynchronous
async def test_a_taken_number_and_a_hole_are_conflicts_and_leave_no_trace(store_url):
    async with await open_store(store_url) as store:
        log = await found(store, upto=3)
        for wrong in (-1, 0, 1, 3, 5, 10**30):
            with pytest.raises(AppendConflict) as refused:
                await store.append("c1", said(wrong))
            assert refused.value.last == 3
        assert await store.entries("c1") == log
        await store.append("c1", said(4))
        assert await store.entries("c1", after=3) == [said(4)]


@asynchronous
async def test_many_appended_at_once_to_one_campaign_in_their_order(store_url):
    async with await open_store(store_url) as store:
        log = await found(store)
        more = [said(seq) for seq in range(2, 700)]
        await asyncio.gather(*(store.append("c1", entry) for entry in more))
        assert await store.entries("c1") == log + more


@asynchronous
async def test_those_who_append_at_once_share_their_transactions(store_url, monkeypatch):
    async with await open_store(store_url) as store:
        names = [f"c{number}" for number in range(50)]
        for name in names:
            await found(store, name)
        transactions = []
        write = store._append_rows

        async def count(rows):
            transactions.append(rows)
            return await write(rows)

        monkeypatch.setattr(store._appending, "_write", count)

        def look_twice(*_args, **_named):
            raise AssertionError("what is next is appended without being looked at row by row")

        monkeypatch.setattr(statements, "append_rows", look_twice)

        async def append(name):
            for seq in range(2, 12):
                await store.append(name, said(seq))

        await asyncio.gather(*map(append, names))
        assert {known.last_seq for known in await store.campaigns()} == {11}
        assert 10 <= len(transactions) <= 20  # for 500 entries


@asynchronous
async def test_one_refused_among_many_fails_alone(store_url):
    async with await open_store(store_url) as store:
        for name in ("a", "b", "c"):
            await found(store, name)
        await store.append("b", said(2, mark="again"))
        results = await asyncio.gather(
            store.append("a", said(2)),
            store.append("a", said(4)),  # a hole
            store.append("a", said(3)),
            store.append("b", said(3, "another", mark="again")),
            store.append("nowhere", said(2)),
            store.append("c", said(2, mark="twice")),
            store.append("c", said(3, mark="twice")),
            store.append("c", said(3)),
            return_exceptions=True,
        )
        kinds = [type(result) for result in results]
        nothing = type(None)
        assert kinds == [
            nothing,
            AppendConflict,
            nothing,
            RepeatedCommand,
            NoCampaign,
            nothing,
            RepeatedCommand,
            nothing,
        ]
        assert results[3].seq == results[6].seq == 2
        assert await store.entries("a", after=1) == [said(2), said(3)]
        assert await store.entries("b", after=1) == [said(2, mark="again")]
        assert await store.entries("c", after=1) == [said(2, mark="twice"), said(3)]
        ends = {known.id: known.last_seq for known in await store.campaigns()}
        assert ends == {"a": 3, "b": 2, "c": 3}


@asynchronous
async def test_a_mark_leads_to_one_entry_whatever_its_number_is_the_second_time(store_url):
    async with await open_store(store_url) as store:
        await found(store, "a", upto=2)
        await found(store, "b")
        await store.append("a", said(3, mark="m"))
        await store.append("a", said(4))
        for number in (3, 4, 5, 9):
            with pytest.raises(RepeatedCommand) as refused:
                await store.append("a", said(number, "again", mark="m"))
            assert refused.value.seq == 3
        await store.append("b", said(2, mark="m"))  # another campaign's marks are its own
        await store.append("a", said(5, mark=""))
        await store.append("a", said(6, mark=""))
        assert (await store.known("a")).last_seq == 6


@asynchronous
async def test_a_campaign_is_created_as_a_whole_or_not_at_all(store_url):
    async with await open_store(store_url) as store:
        gap = [founding(), said(3)]
        marks = [founding(), said(2, mark="m"), said(3, mark="m")]
        for entries, refusal in (
            (gap, AppendConflict),
            (marks, RepeatedCommand),
            ([said(2)], AppendConflict),
        ):
            with pytest.raises(refusal):
                await store.create("c1", "signs", "T", AT, entries)
        digest = b"d" * 32
        await store.create("c0", "signs", "T", AT, [founding()], {"gm": digest})
        with pytest.raises(AlreadyExists):  # the link is another's already
            await store.create("c1", "signs", "T", AT, [founding()], {"gm": digest})
        assert [known.id for known in await store.campaigns()] == ["c0"]
        assert await store.entries("c1") == []
        with pytest.raises(AlreadyExists):
            await store.create("c0", "cores", "Another", AT, [founding("Another")])
        assert await store.known("c0") == CampaignSummary("c0", "signs", "T", AT, 1)


@asynchronous
async def test_of_many_who_create_the_same_campaign_one_does(new_url):
    url = new_url()
    async with await open_store(url) as one, await open_store(url) as other:
        stores = [one, other] * 5
        attempts = (
            store.create("c1", "signs", f"by {number}", AT, [founding(f"by {number}")])
            for number, store in enumerate(stores)
        )
        results = await asyncio.gather(*attempts, return_exceptions=True)
        winners = [number for number, result in enumerate(results) if result is None]
        assert len(winners) == 1
        assert [type(result) for result in results if result is not None] == [AlreadyExists] * 9
        (known,) = await one.campaigns()
        assert known.title == f"by {winners[0]}"


@asynchronous
async def test_a_retitling_shows_in_the_list(store_url):
    async with await open_store(store_url) as store:
        await found(store)
        await found(store, "c2")
        await store.append("c1", LogEntry(2, AT, "gm", TitleChanged("The Sword", False)))
        with pytest.raises(AppendConflict):
            await store.append("c1", LogEntry(9, AT, "gm", TitleChanged("The Ring", False)))
        assert {k.id: k.title for k in await store.campaigns()} == {
            "c1": "The Sword",
            "c2": "The Gift",
        }


@asynchronous
async def test_the_list_has_the_oldest_first(store_url):
    async with await open_store(store_url) as store:
        for name, year in (("z", 2024), ("a", 2026), ("m", 2025)):
            await store.create(name, "signs", name, f"{year}-01-01T00:00:00Z", [founding()])
        assert [known.id for known in await store.campaigns()] == ["z", "m", "a"]


@asynchronous
async def test_a_deleted_campaign_is_gone_with_all_its_things(store_url):
    async with await open_store(store_url) as store:
        await found(store, "a", upto=5)
        kept = await found(store, "b", upto=3)
        await store.keep_snapshot("a", 5, b"five")
        await store.add_link("a", "gm", b"1" * 32, AT)
        assert await store.delete("a")
        assert not await store.delete("a")
        assert await store.known("a") is None
        assert await store.entries("a") == []
        assert await store.snapshot("a") is None
        assert await store.holder(b"1" * 32) is None
        with pytest.raises(NoCampaign):
            await store.append("a", said(6))
        assert await store.entries("b") == kept
        await found(store, "a")  # the name is free again
        assert await store.snapshot("a") is None


@pytest.mark.parametrize(
    ("place", "entry"),
    [
        ("mark", said(2, mark="a\0b")),
        ("mark", said(2, mark="x" * 201)),
        ("mark", said(2, mark="\ud800")),
        ("seat", msgspec.structs.replace(said(2), seat="\0")),
        ("at", msgspec.structs.replace(said(2), at="\0")),
        ("event", LogEntry(2, AT, "anna", MessageSent("\ud800"))),
        ("title", LogEntry(2, AT, "gm", TitleChanged("\0", False))),
    ],
)
@asynchronous
async def test_what_no_database_can_keep_is_refused_by_name_and_alone(store_url, place, entry):
    async with await open_store(store_url) as store:
        await found(store, "a")
        await found(store, "b")
        bad, good = await asyncio.gather(
            store.append("a", entry), store.append("b", said(2)), return_exceptions=True
        )
        assert isinstance(bad, BadInput)
        assert bad.place == place
        assert good is None
        assert await store.entries("a", after=1) == []


@asynchronous
async def test_a_campaign_whose_name_no_database_can_keep_is_refused(store_url):
    name = "a\0b"
    async with await open_store(store_url) as store:
        for call in (
            store.known(name),
            store.delete(name),
            store.entries(name),
            store.before(name, 1, 1),
            store.snapshot(name),
            store.keep_snapshot(name, 1, b""),
            store.links(name),
            store.append(name, said(2)),
            store.add_link(name, "gm", b"", AT),
            store.revoke_links(name, "gm"),
            store.create(name, "signs", "T", AT, [founding()]),
        ):
            with pytest.raises(BadInput, match="campaign"):
                await call


@asynchronous
async def test_an_event_of_a_later_version_is_named(tmp_path):
    async with await open_store(f"sqlite:///{tmp_path}/a.db") as store:
        await found(store, upto=2)
        with sqlite3.connect(tmp_path / "a.db") as database:
            database.execute("""UPDATE entries SET event = '{"event":"sang"}' WHERE seq = 2""")
        with pytest.raises(UnreadableEntry, match=r"c1, entry 2.*sang"):
            await store.entries("c1")
        assert await store.entries("c1", upto=1) == [founding()]


@asynchronous
async def test_reading_does_not_wait_for_writing(tmp_path):
    async with await open_store(f"sqlite:///{tmp_path}/a.db") as store:
        log = await found(store, upto=3)
        other = sqlite3.connect(tmp_path / "a.db", isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        other.execute("UPDATE campaigns SET title = 'half done'")
        waiting = asyncio.create_task(store.append("c1", said(4)))
        assert await asyncio.wait_for(store.entries("c1"), PATIENCE) == log
        assert (await store.known("c1")).title == "The Gift"
        assert not waiting.done()
        other.execute("ROLLBACK")
        other.close()
        await waiting
        assert (await store.known("c1")).last_seq == 4


@asynchronous
async def test_what_was_appended_before_closing_is_there_and_nothing_after(store_url):
    store = await open_store(store_url)
    await found(store)
    appending = [asyncio.create_task(store.append("c1", said(seq))) for seq in range(2, 50)]
    await asyncio.sleep(0)
    await store.close()
    await asyncio.gather(*appending)
    async with await open_store(store_url) as again:
        assert (await again.known("c1")).last_seq == 49


@asynchronous
async def test_links_that_are_sought_at_once_are_each_found(store_url):
    async with await open_store(store_url) as store:
        await found(store)
        digests = [bytes([number]) * 32 for number in range(40)]
        for number, digest in enumerate(digests):
            await store.add_link("c1", f"seat {number}", digest, AT)
        await store.revoke_links("c1", "seat 7")
        sought = [*digests, b"unknown" * 4, *digests[:5]]
        holders = await asyncio.gather(*map(store.holder, sought))
        expected = [SeatHolder("c1", f"seat {number}") for number in range(40)]
        expected[7] = None
        assert holders == [*expected, None, *expected[:5]]
        assert await store.holder(digests[7]) is None
