"""Files from strangers: what they may hold, what they cost, and whom they keep waiting."""

from __future__ import annotations

import asyncio
import sys
import threading
from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from astragal.errors import BadInput, Refusal
from astragal.games import game_named
from astragal.play import GM
from astragal.table import host, importing
from astragal.table.commands.creating import first_events
from astragal.table.commands.sessions import session_began
from astragal.table.export import CampaignExport, markdown
from astragal.table.host import Tables
from astragal.table.importing import TooManyImports, imported
from astragal.table.log import events as happened
from astragal.table.log.events import AnyEvent, LogEntry
from astragal.table.log.fold import after, fold
from astragal.table.log.state import Campaign, Chair, Character, Restorable, Role
from table.memory import MemoryStore

AT = "2024-05-31T19:30:00.000+00:00"
GAME = game_named("cores")
BEGINNING = (*first_events(GAME, "Bomb", None, "Gus", demo=False), session_began(1, bytes(32)))


def logged(*events: AnyEvent, at: str = AT, seat: str = GM) -> list[LogEntry]:
    return [LogEntry(seq, at, seat, event) for seq, event in enumerate(events, start=1)]


def file_of(*events: AnyEvent, entries: list[LogEntry] | None = None) -> bytes:
    log = entries if entries is not None else logged(*BEGINNING, *events)
    return msgspec.json.encode(CampaignExport(1, "cores", "Bomb", tuple(log)))


def undos(number: int, first: int) -> list[AnyEvent]:
    """Undos that all stay in force: each takes back one message."""
    said = happened.MessageSent("no")
    standing = folded(*BEGINNING).standing
    found: list[AnyEvent] = []
    for n in range(number):
        found += [said, happened.EntriesUndone(first + 2 * n, standing)]
    return found


def sessions(number: int) -> list[AnyEvent]:
    found: list[AnyEvent] = []
    for n in range(2, number + 2):
        found += [happened.SessionEnded(n - 1, ""), happened.SessionBegan(n, "ab" * 32)]
    return found


def folded(*events: AnyEvent) -> Campaign:
    return fold(Campaign("c", "cores", "Bomb"), logged(*events))


# --- What it costs -------------------------------------------------------------------------


@pytest.mark.parametrize(
    "many",
    [lambda n: undos(n, len(BEGINNING)), sessions],
    ids=["undos", "sessions"],
)
def test_folding_a_log_twice_as_long_is_twice_the_work(many: Callable[[int], list[AnyEvent]]):
    """Counted in what happens, not in time: each value that is copied counts."""
    small, large = logged(*BEGINNING, *many(150)), logged(*BEGINNING, *many(300))
    once, twice = work_of(small), work_of(large)
    assert twice < 2.3 * once


def work_of(entries: list[LogEntry]) -> int:
    """How many calls folding makes, and how many values of long fields it copies."""
    calls = copied = 0

    def called(frame: Any, event: str, arg: Any) -> None:
        nonlocal calls
        calls += 1

    def seen(campaign: Campaign, entry: LogEntry) -> None:
        nonlocal copied
        copied += len(campaign.undone) + len(campaign.past_sessions)

    sys.setprofile(called)
    try:
        fold(Campaign("c", "cores", "Bomb"), entries, seen)
    finally:
        sys.setprofile(None)
    return calls + copied


def test_folding_many_at_once_is_folding_them_one_by_one():
    events = [*BEGINNING, *undos(5, len(BEGINNING)), *sessions(3)]
    standing = folded(*BEGINNING).standing
    # One that undoes several undos, and one more after it.
    events += [happened.EntriesUndone(len(BEGINNING) + 3, standing), *sessions(2)]
    one_by_one = Campaign("c", "cores", "Bomb")
    for entry in logged(*events):
        one_by_one = after(one_by_one, entry)
    assert fold(Campaign("c", "cores", "Bomb"), logged(*events)) == one_by_one
    half = fold(Campaign("c", "cores", "Bomb"), logged(*events)[:9])
    assert fold(half, logged(*events)[9:]) == one_by_one


@pytest.mark.parametrize("how", ["import", "open"])
def test_while_a_long_log_is_followed_the_others_play_on(how: str, monkeypatch):
    """Folding waits until another task has had its turn; on the loop it would wait for ever."""
    has_turned = threading.Event()
    where: list[threading.Thread] = []

    def slow(*given: Any) -> Campaign:
        where.append(threading.current_thread())
        assert has_turned.wait(30)
        return fold(*given)

    async def play() -> None:
        store = MemoryStore()
        tables = Tables(store)
        entries = logged(*BEGINNING, *undos(400, len(BEGINNING)))
        await store.create("c", "cores", "Bomb", AT, entries)
        if how == "import":
            monkeypatch.setattr(importing, "fold", slow)
            long = asyncio.create_task(tables.import_(file_of(entries=entries)))
        else:
            monkeypatch.setattr("astragal.table.open_campaigns.fold", slow)
            long = asyncio.create_task(tables.view("c", GM))
        for _ in range(1000):
            await asyncio.sleep(0)
            if where:
                break
        has_turned.set()
        await asyncio.wait_for(long, 60)
        await tables.close()
        assert where[0] is not threading.main_thread()

    asyncio.run(play())


def test_an_imported_campaign_is_opened_from_a_snapshot(monkeypatch):
    async def play() -> None:
        store = MemoryStore()
        tables = Tables(store)
        entries = logged(*BEGINNING, *undos(300, len(BEGINNING)))
        campaign, token = await tables.import_(file_of(entries=entries))
        kept = await store.snapshot(campaign)
        assert kept is not None
        assert kept[0] == len(entries)
        monkeypatch.setattr("astragal.table.open_campaigns.fold", None)
        assert (await tables.view(campaign, GM)).seq == len(entries)
        assert (await tables.seat_at(token)).seat == GM
        straight = msgspec.json.encode(replace(folded(*(e.event for e in entries)), id=campaign))
        straight = msgspec.json.decode(straight, type=Campaign)
        known = await tables.campaign(campaign)
        # The seed of the open session is not taken over.
        assert replace(known, session=None) == replace(straight, session=None)
        await tables.close()

    asyncio.run(play())


def test_a_long_log_leaves_a_snapshot_when_it_is_opened():
    async def play() -> None:
        store = MemoryStore()
        tables = Tables(store)
        entries = logged(*BEGINNING, *undos(300, len(BEGINNING)))
        await store.create("c", "cores", "Bomb", AT, entries)
        await tables.view("c", GM)
        await tables.close()
        kept = await store.snapshot("c")
        assert kept is not None
        assert kept[0] == len(entries)

    asyncio.run(play())


def test_imports_wait_for_each_other_and_for_nobody_else(monkeypatch):
    """With eight files at once, the threads that everything else uses stay free."""
    goes_on = threading.Event()
    at_once = most = 0

    def slow(raw: bytes) -> Any:
        nonlocal at_once, most
        at_once += 1
        most = max(most, at_once)
        assert goes_on.wait(30)
        at_once -= 1
        return imported(raw)

    monkeypatch.setattr(host, "imported", slow)

    async def play() -> None:
        tables = Tables(MemoryStore())
        importing = [asyncio.create_task(tables.import_(file_of())) for _ in range(8)]
        await asyncio.sleep(0)
        assert await asyncio.wait_for(asyncio.to_thread(lambda: "answered"), 30) == "answered"
        goes_on.set()
        found = await asyncio.gather(*importing, return_exceptions=True)
        await tables.close()
        assert most == 1
        refused = [each for each in found if isinstance(each, TooManyImports)]
        assert len(refused) == 8 - host.MOST_IMPORTING
        assert all(isinstance(each, tuple) for each in found if each not in refused)

    asyncio.run(play())


# --- What it may hold ----------------------------------------------------------------------

CHAIRS = [happened.SeatChanged(Chair(f"s{n}", "X", Role.PLAYER)) for n in range(60)]
SHEET = next(
    event.sheet
    for event in first_events(GAME, "", None, "", demo=True)
    if isinstance(event, happened.CharacterJoined)
)
EMPTY = Restorable()


@pytest.mark.parametrize(
    ("events", "words"),
    [
        (CHAIRS, "'61 seats', expected at most 60"),
        (
            [happened.NoteWritten(f"n{n}", "x") for n in range(401)],
            "'401 notes', expected at most 400",
        ),
        (
            [happened.EditProposed(f"e{n}", "x", "name", "a", "b") for n in range(21)],
            "'21 edits of one seat', expected at most 20",
        ),
        (
            [happened.CharacterJoined(f"c{n}", SHEET) for n in range(201)],
            "'201 characters', expected at most 200",
        ),
        ([happened.SeatChanged(Chair("<script>", "X", Role.PLAYER))], "chair.seat"),
        ([happened.SeatChanged(Chair("anna", "", Role.PLAYER))], "chair.name"),
        ([happened.SeatChanged(Chair("anna", "X" * 61, Role.PLAYER))], "chair.name"),
        ([happened.SeatChanged(Chair("anna", "X", Role.GM))], "gm at the seat gm"),
        ([happened.SeatChanged(Chair(GM, "X", Role.GM, gone=True))], "every table has a GM"),
        ([happened.CharacterJoined("scene", SHEET)], "reserved"),
        ([happened.CharacterJoined("a b", SHEET)], "event.character"),
        ([happened.CharacterJoined("a", Character({"name": "x" * 100_001}))], "event.sheet"),
        ([happened.MessageSent("x" * 2001)], "event.text"),
        ([happened.NoteWritten("n", "x" * 20_001)], "event.text"),
        ([happened.TitleChanged("x" * 121, False)], "event.title"),
        ([happened.HouseRulesChanged({"no.such": "rule"})], "no.such"),
        ([happened.EntriesUndone(9, EMPTY)], "an entry before 4"),
        ([happened.EntriesUndone(0, EMPTY)], "an entry before 4"),
        (
            [happened.SessionEnded(1), happened.SessionBegan(2, "zz", "no hex")],
            "64 hexadecimal digits",
        ),
        ([BEGINNING[0]], "the game cores"),
    ],
)
def test_the_limits_of_the_table_hold_for_files(events: list[AnyEvent], words: str):
    with pytest.raises(BadInput) as refused:
        imported(file_of(*events))
    assert words in str(refused.value)
    assert "\n" not in str(refused.value)


def test_what_fits_the_limits_is_taken_in():
    events = [
        *CHAIRS[:59],
        *(happened.NoteWritten(f"n{n}", "x") for n in range(400)),
        *(happened.CharacterJoined(f"c{n}", SHEET) for n in range(200)),
        happened.MessageSent("x" * 2000),
    ]
    state = imported(file_of(*events)).state
    assert (len(state.chairs), len(state.notes), len(state.standing.characters)) == (60, 400, 200)


@pytest.mark.parametrize(
    "at",
    [
        "",
        "yesterday",
        "2024-05-31",
        "2024-13-31T19:30:00.000+00:00",
        "<img src=x onerror=alert(1)>",
        "2024-05-31T19:30:00.000+00:00\n# Title",
        "2024-05-31T19:30:00.000+00:00" + "0" * 500,
    ],
)
def test_a_date_is_a_date(at: str):
    entries = logged(*BEGINNING)
    entries[1] = replace(entries[1], at=at)
    with pytest.raises(BadInput, match=r"file.entries\[1\].at"):
        imported(file_of(entries=entries))


def test_an_entry_comes_from_a_seat_at_the_table_and_in_its_order():
    entries = logged(*BEGINNING)
    with pytest.raises(BadInput, match=r"file.entries\[1\].seat"):
        imported(file_of(entries=[entries[0], replace(entries[1], seat="zoe"), entries[2]]))
    with pytest.raises(BadInput, match=r"file.entries\[1\].seq"):
        imported(file_of(entries=[entries[0], entries[2]]))


def test_a_file_of_too_many_entries_is_refused_before_they_are_read(monkeypatch):
    monkeypatch.setattr(importing, "MOST_ENTRIES", 5)
    monkeypatch.setattr(importing, "_read_entry", None)
    with pytest.raises(BadInput, match="at most 5 entries"):
        imported(file_of(*[happened.MessageSent("x")] * 6))


def test_a_file_that_takes_too_long_is_given_up(monkeypatch):
    monkeypatch.setattr(importing, "SECONDS", -1.0)
    with pytest.raises(Refusal, match="followed in"):
        imported(file_of())


def test_dates_of_a_stored_log_mean_nothing_to_markdown():
    """A log that was stored before dates were checked can still be read as a story."""
    entries = [
        replace(each, at="<b>*[x](y)~`") for each in logged(*BEGINNING, happened.MessageSent("a"))
    ]
    campaign = fold(Campaign("c", "cores", "Bomb"), entries)
    told = "".join(markdown(campaign, entries, GM))
    assert "<b>" not in told
    assert "[x](" not in told.replace("\\[", "").replace("\\]", "")
