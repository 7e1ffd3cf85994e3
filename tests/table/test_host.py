"""The host: links, listeners, what is durable, and two hosts of one campaign, on every store."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from astragal.errors import NotAllowed, Refusal
from astragal.games import game_named
from astragal.play import GM
from astragal.table import open_campaigns
from astragal.table.command_handler import InternalFailure, NoSeat
from astragal.table.commands import commands as do
from astragal.table.commands.decide import CommandDecider
from astragal.table.host import Tables
from astragal.table.hosted import BACKLOG, LATEST
from astragal.table.store import open_store
from astragal.table.store.interface import NoCampaign, StoreDown
from table.company import Company, decode, played, table
from table.stores import PATIENCE, asynchronous, eventually

TEST = game_named("burning_wheel").demo.suggestions[0]


async def answered(at: Company, procedure: str, many: int) -> None:
    for _ in range(many):
        asked = await at.asked(procedure)
        default = asked.question.default
        await at.do(
            asked.seat, do.AnswerQuestion(procedure, asked.step, 2 if default is None else default)
        )


@asynchronous
async def test_a_campaign_outlives_the_process_that_hosts_it(store_url: str):
    async with await open_store(store_url) as store, table(store=store) as at:
        await at.sit("anna", plays="mara")
        test = await at.begin("anna", TEST.procedure, **{**TEST.arguments, "helpers": []})
        await answered(at, test, 4)
        link = await at.tables.new_link(at.id, "anna")
        left = {seat: await at.tables.view(at.id, seat) for seat in (GM, "anna")}
    async with await open_store(store_url) as store:
        tables = Tables(store)
        assert (await tables.seat_at(link)).seat == "anna"
        assert (await tables.seat_at(at.token)).seat == GM
        for seat, seen in left.items():
            assert await tables.view(at.id, seat) == seen
        at.tables = tables
        await at.play_on(test)
        assert not await at.is_open(test)
        await tables.close()


@pytest.mark.slow
@played
async def test_what_another_host_has_appended_is_known_when_it_is_asked_for(at: Company):
    """A seat or a test that was made elsewhere a moment ago is refused to nobody."""
    other = Tables(at.store)
    await other.view(at.id, GM)  # in memory there, without what follows
    await at.sit("cleo", plays="tam")
    link = await other.new_link(at.id, "cleo")
    await at.sit("dora")
    assert (await other.seat_at(await at.tables.new_link(at.id, "dora"))).seat == "dora"
    assert (await other.seat_at(link)).seat == "cleo"
    test = await at.begin(GM, TEST.procedure, **{**TEST.arguments, "helpers": []})
    assert (await other.foresee(at.id, GM, test)).procedure == test
    await at.gm(do.AddCharacter("guard", sketch="guard, 4s"))
    await other.check_edit(at.id, GM, "guard", "concept", "somebody")
    await other.close()


@played
async def test_what_arrives_while_it_is_asked_for_is_known_too(at: Company):
    """Between the first look and the second, the entry comes by itself: nothing is left to read."""
    other = Tables(at.store)
    hosted = await other.open_campaigns.open(at.id)
    await at.sit("cleo")
    async with hosted.lock:
        asking = asyncio.create_task(other.new_link(at.id, "cleo"))
        await eventually(lambda: hosted.lock._waiters)
        await other.open_campaigns.catch_up(at.id, hosted)
    assert (await other.seat_at(await asking)).seat == "cleo"
    await other.close()


@asynchronous
async def test_two_hosts_of_one_campaign_take_turns(store_url: str):
    """Both decide at once, again and again; every command is carried out once, in one order."""
    async with await open_store(store_url) as one, table(store=one) as at:
        await at.sit("anna", plays="mara")
        other = Tables(one)
        hosts = (at.tables, other)
        commands = [
            hosts[number % 2].do(at.id, GM, do.ThrowDice("1d6"), f"m{number}")
            for number in range(20)
        ]
        done = await asyncio.gather(*commands)
        assert sorted(done) == list(range(min(done), min(done) + 20))
        assert await other.do(at.id, GM, do.SendMessage("last"), "z") == max(done) + 1
        assert await at.tables.do(at.id, GM, do.SendMessage("last"), "z") == max(done) + 1
        throws = [e.event.rolled.index for e in await at.log() if hasattr(e.event, "rolled")]
        assert throws == list(range(20))
        assert await other.view(at.id, "anna") == await at.tables.view(at.id, "anna")
        await other.close()


@pytest.mark.slow
@asynchronous
async def test_what_another_process_does_is_heard_here(new_url_of: Any):
    url = new_url_of("postgresql")
    one, two = await open_store(url), await open_store(url)
    async with one, two, table(store=one) as at:
        other = Tables(two)
        await other.start()
        client = await other.subscribe(at.id, GM)
        await client.next()
        await at.gm(do.SendMessage("can you hear me?"))
        heard = decode(await asyncio.wait_for(client.next(), PATIENCE))
        assert "can you hear me?" in str(heard["log"])
        await other.close()


@played
async def test_a_host_that_is_behind_looks_again_before_it_refuses(at: Company):
    other = Tables(at.store)
    await other.view(at.id, GM)
    test = await at.begin("anna", TEST.procedure, **TEST.arguments)
    assert await other.do(at.id, GM, do.AnswerQuestion(test, 0, True)) == (await at.state()).seq + 1
    await other.close()


@pytest.mark.parametrize("fails", ["before", "after"])
@played
async def test_when_the_store_fails_nobody_is_forgotten(at: Company, fails: str):
    """Whether the entry is there or not: listeners hear the truth, and it goes on."""
    client = at.clients["ben"]
    await client.hear()
    at.store.fails = fails
    with pytest.raises(StoreDown):
        await at.do("anna", do.SendMessage("is this on?"), "m1")
    if fails == "after":
        await eventually(client.has_news)
    await asyncio.sleep(0.05)  # for whatever should not come
    there = await client.hear()
    assert len(there) == (fails == "after")
    seq = await at.do("anna", do.SendMessage("is this on?"), "m1")  # sent again
    said = [e for e in await at.log() if "is this on?" in str(e.event)]
    assert [entry.seq for entry in said] == [seq]
    await at.do("anna", do.SendMessage("yes"))
    assert "yes" in str(await client.hear())
    assert client.view["seq"] == (await at.state()).seq


@played
async def test_a_command_that_is_given_up_halfway_harms_nobody(at: Company):
    client = at.clients["ben"]
    await client.hear()
    real, gate, written = at.store.append, asyncio.Event(), asyncio.Event()

    async def slow(campaign: str, entry: Any, text: bytes) -> None:
        await real(campaign, entry, text)
        written.set()
        await gate.wait()

    at.store.append = slow
    doing = asyncio.create_task(at.do("anna", do.SendMessage("good bye")))
    await asyncio.wait_for(written.wait(), PATIENCE)
    doing.cancel()
    with pytest.raises(asyncio.CancelledError):
        await doing
    at.store.append = real
    await eventually(client.has_news)
    assert "good bye" in str(await client.hear())
    await at.do("anna", do.SendMessage("once more"))
    assert client.view["seq"] < (await at.state()).seq
    await client.hear()
    assert client.view["seq"] == (await at.state()).seq


@played
async def test_a_slow_reader_gets_a_fresh_view(at: Company):
    client = at.clients["ben"]
    await client.hear()
    for number in range(BACKLOG + 20):
        await at.do("anna", do.SendMessage(f"word {number}"))
    kinds, seqs = [], []
    while client.subscription.has_news:
        message = decode(await client.subscription.next())
        kinds.append(message["type"])
        seqs.append(message["seq"])
        if len(kinds) == 3:  # it goes on while he reads
            await at.do("anna", do.SendMessage("still talking"))
    assert kinds == ["update"] * BACKLOG + ["view"]
    assert seqs[:BACKLOG] == list(range(seqs[0], seqs[0] + BACKLOG))  # nothing left out between
    assert seqs[-1] == (await at.state()).seq
    await at.do("anna", do.SendMessage("and on"))
    assert decode(await client.subscription.next())["type"] == "update"


@played
async def test_links_open_a_seat_until_they_are_revoked(at: Company):
    link = await at.tables.new_link(at.id, "anna")
    assert (await at.tables.seat_at(link)).seat == "anna"
    for wrong in ("", "guess", link[:-1], link + "x"):
        with pytest.raises(NoSeat):
            await at.tables.seat_at(wrong)
    assert link.encode() not in b"".join(at.store.kept[at.id].log)
    client, ben = await at.listen("anna"), at.clients["ben"]
    newer = await at.tables.new_link(at.id, "anna")
    await client.hear()
    assert client.turned_out
    with pytest.raises(NoSeat):
        await at.tables.seat_at(link)
    client = await at.listen("anna")
    assert await at.tables.revoke(at.id, "anna") == 1
    await client.hear()
    assert client.turned_out
    with pytest.raises(NoSeat):
        await at.tables.seat_at(newer)
    await ben.hear()
    assert not ben.turned_out


@played
async def test_who_is_gone_hears_no_more(at: Company):
    link = await at.tables.new_link(at.id, "anna")
    client = await at.listen("anna")
    await at.gm(do.ChangeSeat("anna", "Anna", gone=True))
    await at.gm(do.SendMessage("now that she is gone"))
    heard = await client.hear()
    assert client.turned_out
    assert not any(b"now that she is gone" in message for message in heard)
    with pytest.raises(NoSeat):
        await at.tables.seat_at(link)
    assert "anna" not in [chair["seat"] for chair in (await at.view("ben"))["chairs"]]
    await at.gm(do.ChangeSeat("anna", "Anna"))
    assert (await at.tables.seat_at(link)).seat == "anna"


@played
async def test_a_command_that_is_sent_again_very_late_still_counts_once(at: Company):
    """Long after it is forgotten in memory, its mark is still in the log."""
    vote = {"question": "?", "choices": ["a", "b"], "voters": ["anna"]}
    begun = await at.begin("anna", "vote", **vote)
    answer = do.AnswerQuestion(begun, 0, "a")
    seq = await at.tables.do(at.id, "anna", answer, "once")
    for number in range(70):
        await at.tables.do(at.id, "anna", do.SendMessage(f"{number}"), f"m{number}")
    assert "anna:once" not in (await at.state()).recent
    assert await at.tables.do(at.id, "anna", answer, "once") == seq
    # A new mark, or somebody else's, is a new command.
    for seat, mark in (("anna", "twice"), ("ben", "once"), ("anna", "")):
        with pytest.raises(Refusal):
            await at.tables.do(at.id, seat, answer, mark)
    assert (await at.state()).seq == seq + 70


@played
async def test_a_seat_that_is_given_to_somebody_else_is_not_opened_by_the_old_link(at: Company):
    link = await at.tables.new_link(at.id, "anna")
    await at.gm(do.ChangeSeat("anna", "Anna", gone=True))
    await at.gm(do.ChangeSeat("anna", "Zoe"))
    with pytest.raises(NoSeat):
        await at.tables.seat_at(link)
    await at.gm(do.ChangeSeat("anna", "Anna"))
    with pytest.raises(NoSeat):
        await at.tables.seat_at(link)
    # Whoever is only called differently stays.
    link = await at.tables.new_link(at.id, "anna")
    await at.gm(do.ChangeSeat("anna", "Ann"))
    assert (await at.tables.seat_at(link)).seat == "anna"


@played
async def test_what_breaks_down_inside_changes_nothing(at: Company, monkeypatch):
    def broken(*_: object) -> None:
        raise KeyError("inside")

    before = await at.state()
    monkeypatch.setattr(CommandDecider, "event", broken)
    with pytest.raises(InternalFailure, match="nothing was changed"):
        await at.gm(do.SendMessage("hello"))
    monkeypatch.undo()
    assert await at.state() == before
    await at.gm(do.SendMessage("hello"))


@played
async def test_nothing_is_appended_that_nobody_could_look_at(at: Company, monkeypatch):
    from astragal.table.log.events import RulingMade
    from astragal.table.log.items import ChangedItem

    before = await at.state()
    for wrong in (
        ChangedItem("mara", "artha.fate", 2, "many"),
        ChangedItem("scene", "series.3.title", "a", "b"),
        ChangedItem("mara", "no.such.place", 1, 2),
    ):
        event = RulingMade("so", (wrong,))
        monkeypatch.setattr(CommandDecider, "event", lambda self, _, event=event: event)
        with pytest.raises(InternalFailure):
            await at.gm(do.SendMessage("hello"))
        assert await at.state() == before
        assert len(at.store.kept[at.id].log) == before.seq


@played
async def test_earlier_entries_can_be_asked_for(at: Company):
    for number in range(LATEST + 30):
        await at.do("anna", do.SendMessage(f"word {number}."))
    view = await at.view("ben")
    assert view["older"]
    assert len(view["log"]) == LATEST
    older = await at.tables.older(at.id, "ben", view["log"][0]["seq"], 30)
    assert [entry.seq for entry in older] == list(
        range(view["log"][0]["seq"] - 30, view["log"][0]["seq"])
    )
    await at.do("anna", do.SendMessage("psst", (GM,)))
    unseen = (await at.state()).seq
    assert unseen not in [e.seq for e in await at.tables.older(at.id, "ben", unseen + 1, 5)]


def test_snapshots_change_nothing(monkeypatch):
    monkeypatch.setattr(open_campaigns, "SNAPSHOT_EVERY", 5)

    async def play() -> None:
        async with table() as at:
            await at.sit("anna", plays="mara")
            test = await at.begin("anna", TEST.procedure, **{**TEST.arguments, "helpers": []})
            await at.play_on(test)
            await eventually(lambda: len(at.store.kept[at.id].snapshots) > 2)
            again = Tables(at.store)
            assert await again.campaign(at.id) == await at.state()
            for upto in range(1, (await at.state()).seq):
                from_snapshot = await again.open_campaigns.at(at.id, upto)
                kept_now, at.store.kept[at.id].snapshots = at.store.kept[at.id].snapshots, {}
                assert await again.open_campaigns.at(at.id, upto) == from_snapshot
                at.store.kept[at.id].snapshots = kept_now
            await again.close()

    asyncio.run(play())


def test_where_there_is_no_campaign_there_is_none():
    async def play() -> None:
        async with table() as at:
            for number in range(5):
                with pytest.raises(NoCampaign):
                    await at.tables.view(f"nowhere{number}", GM)
            assert at.tables.open_campaigns._opening == {}

    asyncio.run(play())


@played
async def test_the_memory_of_a_host_has_its_bounds(at: Company, monkeypatch):
    monkeypatch.setattr(open_campaigns, "MOST_HOSTED", 2)
    others = [(await at.tables.create("signs", ""))[0] for _ in range(4)]
    for each in others:
        await at.tables.view(each, GM)
    assert len(at.tables.open_campaigns._hosted) == 2
    assert at.id in at.tables.open_campaigns._hosted  # somebody listens there
    await at.gm(do.SendMessage("still here"))
    assert "still here" in str(await at.clients["ben"].hear())


@played
async def test_what_is_in_memory_is_followed_and_nothing_else(at: Company, monkeypatch):
    followed: set[str] = set()

    async def follow(campaign: str) -> None:
        followed.add(campaign)

    async def unfollow(campaign: str) -> None:
        followed.discard(campaign)

    monkeypatch.setattr(at.store, "follow", follow)
    monkeypatch.setattr(at.store, "unfollow", unfollow)
    others = [(await at.tables.create("signs", ""))[0] for _ in range(5)]
    there = at.tables.open_campaigns._hosted
    for each in others[:3]:
        await at.tables.view(each, GM)
    assert followed == set(others[:3])
    monkeypatch.setattr(open_campaigns, "MOST_HOSTED", 2)
    await at.tables.view(others[3], GM)
    await eventually(lambda: followed == set(there) - {at.id})
    assert others[3] in followed
    assert others[0] not in followed
    with pytest.raises(NoCampaign):
        await at.tables.view("nowhere", GM)
    await eventually(lambda: "nowhere" not in followed)
    # Of two who open a campaign one gives up: the other hears of it all the same.
    reading, read = asyncio.Event(), at.store.snapshot

    async def slowly(*given: Any) -> Any:
        await reading.wait()
        return await read(*given)

    monkeypatch.setattr(at.store, "snapshot", slowly)
    first, second = (asyncio.create_task(at.tables.view(others[4], GM)) for _ in range(2))
    await asyncio.sleep(0.01)
    first.cancel()
    await asyncio.sleep(0.01)
    reading.set()
    await second
    await asyncio.sleep(0.01)
    assert others[4] in followed


@played
async def test_what_cannot_be_begun_is_refused_before_it_is(at: Company):
    before = await at.state()
    give = {"character": "mara", "receiver": "tam", "thing": "lantern"}
    await at.tables.check_begin(at.id, "anna", "give_gear", give)
    with pytest.raises(NotAllowed, match="Mara is not wounded"):
        await at.tables.check_begin(at.id, "anna", "recover", {"character": "mara"})
    with pytest.raises(Refusal, match="Only the GM"):
        await at.tables.check_begin(at.id, "anna", "steel_test", {"character": "mara"})
    # No dice are needed for it, and none are thrown: there is no session.
    fate = {"asker": "mara", "wish": "it rains", "matter": "detail"}
    await at.tables.check_begin(at.id, "anna", "die_of_fate", fate)
    assert await at.state() == before


@played
async def test_what_cannot_be_begun_tells_nothing_of_sheets_that_are_not_read(at: Company):
    of_gms = {"character": "serjeant_hale", "wound": 1}
    with pytest.raises(ValueError):
        await at.tables.check_begin(at.id, GM, "recover", of_gms)
    await at.tables.check_begin(at.id, "anna", "recover", of_gms)


@played
async def test_what_cannot_be_begun_tells_nothing_of_what_is_hidden(at: Company):
    """Somebody hidden is refused like somebody who is not there, and in no other way."""
    await at.gm(do.AddCharacter("ghost", sketch="Ghost, 4s", hidden=True))
    refused = []
    for name in ("ghost", "guest"):
        give = {"character": "mara", "receiver": name, "thing": "lantern"}
        with pytest.raises(Refusal, match="expected one of") as found:
            await at.tables.check_begin(at.id, "anna", "give_gear", give)
        refused.append(str(found.value).replace(name, ""))
    assert refused[0] == refused[1]


@played
async def test_what_cannot_be_begun_tells_nothing_of_what_the_gm_does_in_secret(at: Company):
    give = {"character": "mara", "receiver": "tam", "thing": "lantern"}
    fate = {"asker": "tam", "wish": "it rains", "matter": "detail"}
    await at.gm(do.BeginProcedure("die_of_fate", fate, secret=True))
    with pytest.raises(Refusal, match="busy"):
        await at.tables.check_begin(at.id, GM, "give_gear", give)
    await at.tables.check_begin(at.id, "anna", "give_gear", give)


@played
async def test_an_edit_can_be_tried_before_it_is_made(at: Company):
    before = await at.state()
    await at.tables.check_edit(at.id, "anna", "mara", "concept", "a captain")
    for seat, key, path, value in (
        ("anna", "mara", "artha.fate", "x"),
        ("anna", "tam", "concept", "x"),
        ("anna", "captain_orrin", "concept", "x"),
        ("anna", "nobody", "concept", "x"),
    ):
        with pytest.raises(ValueError, match="expected"):
            await at.tables.check_edit(at.id, seat, key, path, value)
    assert await at.state() == before
