"""What players try in order to hear of what is not theirs: names, sheets, odds, seeds."""

from __future__ import annotations

import asyncio
import threading
import time
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from astragal.errors import BadInput, Refusal
from astragal.games import game_named
from astragal.play import GM
from astragal.table import whole_logs
from astragal.table.commands import commands as do
from astragal.table.export import CampaignExport
from astragal.table.fairness import evidence
from astragal.table.foresight import odds_process
from astragal.table.foresight.odds_process import OddsProcess
from astragal.table.importing import imported
from astragal.table.log import events as happened
from astragal.table.log.state import OpenProcedure, Role
from astragal.table.story.document import MarkdownStory
from table.company import Company, encode, played, table
from table.stores import PATIENCE, eventually

HIDDEN = ("spider", "Zarquon", "captain_orrin", "Captain Orrin", "harbourmaster_dunn")


async def hide(at: Company, sketch: str = "Zarquon, Sword 3") -> None:
    await at.gm(do.AddCharacter("spider", sketch=sketch, hidden=True))
    for client in at.clients.values():
        await client.hear()


async def heard_by(at: Company, seat: str) -> str:
    return " ".join(message.decode() for message in await at.clients[seat].hear())


async def why_not(at: Company, seat: str, procedure: str, **arguments: Any) -> str:
    with pytest.raises(Refusal) as refused:
        await at.begin(seat, procedure, **arguments)
    return str(refused.value)


# --- Who is hidden -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("procedure", "arguments"),
    [
        ("strike", {"character": "mara", "target": "WORD"}),
        (
            "circles_test",
            {"character": "mara", "sought": "a", "intent": "b", "how": "c", "about": "WORD"},
        ),
    ],
)
@played
async def test_a_refusal_inside_a_procedure_lists_only_those_who_are_known(
    at: Company, procedure: str, arguments: dict[str, str]
):
    await hide(at)

    def naming(word: str) -> dict[str, str]:
        return {key: value.replace("WORD", word) for key, value in arguments.items()}

    said = await why_not(at, "anna", procedure, **naming("nobody_of_that_name"))
    assert "mara, tam, advocate_ysmay" in said
    for word in HIDDEN:
        assert word not in said
    said = await why_not(at, GM, procedure, **naming("nobody_of_that_name"))
    assert "captain_orrin" in said  # the GM knows them all


@played
async def test_in_free_words_a_hidden_name_is_a_word_like_any_other(at: Company):
    await hide(at)
    test = {"character": "mara", "ability": "Streetwise", "intent": "a", "task": "b"}
    stories = []
    for word in ("nothing", "spider"):
        going = await at.begin("anna", "standard_test", **test, target=word)
        procedure = await at.open(going)
        assert procedure.characters == ("mara",)
        stories.append((procedure.about, procedure.questions, procedure.story))
        await at.gm(do.CancelProcedure(going))
    assert stories[0] == stories[1]
    said = await why_not(at, "anna", "strike", character="mara", target="spider")
    other = await why_not(at, "anna", "strike", character="mara", target="nobody")
    assert said.replace("spider", "nobody") == other


def test_a_scene_begins_without_naming_who_lurks_in_it():
    async def play() -> None:
        async with table("cores") as at:
            await at.sit("anna", plays="robin")
            await hide(at, "Zarquon, others d6")
            await at.begin(GM, "begin_scene")
            await at.begin(GM, "begin_scene", present=["robin"])
            told = await heard_by(at, "anna")
            assert "A new scene. Present: Robin." in told
            assert "spider" not in told
            assert "Zarquon" not in told
            told = await heard_by(at, GM)
            assert "Zarquon" in told

    asyncio.run(play())


@played
async def test_going_over_everybodys_logs_does_not_name_a_hidden_character(at: Company):
    sheet = {**await at.sheet("tam"), "name": "Zarquon"}
    await at.gm(do.AddCharacter("spider", sheet, hidden=True))
    await at.gm(do.GiveCharacter("spider", "ben", hidden=True))
    for client in at.clients.values():
        await client.hear()
    going = await at.begin(GM, "review_tests")
    await at.play_on(going)
    assert "Zarquon" in await heard_by(at, GM)
    assert "Zarquon" in await heard_by(at, "ben")
    told = await heard_by(at, "anna")
    assert "Mara" in told
    assert "Zarquon" not in told
    assert "spider" not in told


@played
async def test_whoever_is_brought_into_the_open_is_seen_by_all(at: Company):
    await hide(at)
    going = await at.begin(
        GM, "standard_test", character="spider", ability="Sword", intent="a", task="leaps out"
    )
    await at.play_on(going)
    told = await heard_by(at, "anna")
    assert "Zarquon" in told
    assert '"item":"rolled"' in told


def test_who_offers_a_wager_is_not_named_by_somebody_hidden():
    async def play() -> None:
        async with table("signs") as at:
            await at.sit("anna", plays="ysolde")
            await at.sit("ben", plays="ikka")
            sheet = {**await at.sheet("ikka"), "name": "Zarquon"}
            await at.gm(do.AddCharacter("spider", sheet, hidden=True))
            await at.gm(do.GiveCharacter("spider", "ben", hidden=True))
            for client in at.clients.values():
                await client.hear()
            wish = {"character": "ikka", "score": "Think", "goal": "see"}
            going = await at.begin(
                GM, "called_test", **wish, wager={"gain": "a lot", "cost": "a little"}
            )
            await at.play_on(going, until="fair")
            asked = set()
            while (question := await at.asked(going)).key == "fair":
                asked.add(question.seat)
                assert question.prompt.startswith("Ikka offers: a lot")
                await at.do(question.seat, do.AnswerQuestion(going, question.step, "fair"))
            assert asked == {GM, "anna"}
            told = await heard_by(at, "anna")
            assert "Ikka" in told
            assert "Zarquon" not in told

    asyncio.run(play())


# --- What is on sheets ---------------------------------------------------------------------


@pytest.mark.slow
@played
async def test_the_sheets_of_the_gms_characters_cannot_be_told_from_odds(at: Company):
    sides = [
        {"character": "mara", "intent": "a", "task": "b", "ability": "Will"},
        {"character": "advocate_ysmay", "intent": "c", "task": "d", "ability": "Will"},
    ]
    versus = await at.begin("anna", "versus_test", sides=sides)
    for supposing in ({}, {"forks": []}):
        found = await at.tables.foresee(at.id, "anna", versus, supposing)
        assert found.why_not == "You cannot see every sheet involved"
        assert (found.chance, found.rows, found.numbers, found.options) == (None, (), (), {})
    assert (await at.tables.foresee(at.id, GM, versus)).chance is not None
    await at.gm(do.CancelProcedure(versus))
    sides[1]["character"] = "tam"
    versus = await at.begin("anna", "versus_test", sides=sides)
    assert (await at.tables.foresee(at.id, "anna", versus)).chance is not None


# --- Odds that are meant for somebody else -------------------------------------------------


def _slowly(game: str, procedure: bytes, *rest: object):
    title = msgspec.json.decode(procedure)["title"]
    mine = title.startswith("secret ")
    if mine:  # say that it has begun, and go on when the test says so
        folder = Path(title.removeprefix("secret "))
        (folder / "begun").touch()
        until = time.monotonic() + PATIENCE
        while not (folder / "go_on").exists() and time.monotonic() < until:
            time.sleep(0.01)
    chance = b"0.25" if mine else b"0.5"
    yield b'{"type":"odds","procedure":"p1","step":0,"chance":%s}' % chance


def _serve_slowly(pipe: object) -> None:
    odds_process.work_out = _slowly
    odds_process._serve(pipe)


@pytest.mark.slow
def test_who_asks_next_is_not_told_what_somebody_else_asked_before_leaving(monkeypatch, tmp_path):
    monkeypatch.setattr(odds_process, "_serve", _serve_slowly)

    def about(title: str) -> OpenProcedure:
        return OpenProcedure("p1", "x", title, "", {}, GM, (), {}, {}, {})

    async def ask() -> None:
        wise = OddsProcess(seconds=PATIENCE)
        try:
            assert (await wise.foresee("signs", about("quick"), GM, {})).chance == 0.5
            first = asyncio.create_task(wise.foresee("signs", about(f"secret {tmp_path}"), GM, {}))
            await eventually((tmp_path / "begun").exists)
            first.cancel()
            second = asyncio.create_task(wise.foresee("signs", about("quick"), "anna", {}))
            for _ in range(10):  # whatever can happen before the first answer is there
                await asyncio.sleep(0)
            assert not first.done(), "the line is free while an answer is still to come"
            (tmp_path / "go_on").touch()
            assert (await second).chance == 0.5
            with pytest.raises(asyncio.CancelledError):
                await first
            assert (await wise.foresee("signs", about("quick"), "ben", {})).chance == 0.5
        finally:
            wise.close()

    asyncio.run(ask())


# --- Seeds ---------------------------------------------------------------------------------


def forged(at_home: bytes, *sessions: Any) -> bytes:
    """A file to which somebody has added sessions by hand."""
    file = msgspec.json.decode(at_home)
    began = [e for e in file["entries"] if e["event"]["event"] != "session_began"]
    more = [
        {"at": began[0]["at"], "seat": GM, "event": msgspec.to_builtins(each)} for each in sessions
    ]
    entries = [{**entry, "seq": seq} for seq, entry in enumerate((*began, *more), start=1)]
    return encode({**file, "entries": entries})


@played
async def test_nobody_brings_a_session_whose_dice_he_knows(at: Company):
    home = encode(await at.tables.export(at.id))
    known = happened.SessionBegan(1, "ab" * 32, "11" * 32)
    over = happened.SessionEnded(1, "11" * 32)
    for sessions in ((known,), (known, over, replace(known, number=2))):
        events = imported(forged(home, *sessions)).events
        assert [e.seed for e in events if isinstance(e, happened.SessionBegan)][-1] == ""
        campaign, _ = await at.tables.import_(forged(home, *sessions))
        await at.tables.do(campaign, GM, do.ThrowDice("1d6"))
        now = (await at.tables.campaign(campaign)).session
        assert now is not None
        assert now.number > len(sessions) / 2
        assert now.seed not in ("", known.seed)
    events = imported(forged(home, known, over)).events
    assert [e.seed for e in events if isinstance(e, happened.SessionBegan)] == ["11" * 32]


@played
async def test_sessions_of_a_file_follow_in_order(at: Company):
    home = encode(await at.tables.export(at.id))
    known = happened.SessionBegan(1, "ab" * 32, "11" * 32)
    over = happened.SessionEnded(1, "11" * 32)
    for sessions in (
        (known, over, known),
        (known, replace(over, number=2)),
        (known, known),
        (known, replace(known, number=2)),
        (replace(known, number=2), replace(over, number=2)),
        (known, over, over),
        (over,),
    ):
        with pytest.raises(BadInput, match=r"event\.number.*session"):
            imported(forged(home, *sessions))


@played
async def test_a_file_tells_no_seed_of_a_session_that_goes_on(at: Company, monkeypatch):
    """A past session of the same number, as in a campaign that was imported long ago."""
    monkeypatch.setattr("astragal.table.importing._check_sessions", lambda _: None)
    home = encode(await at.tables.export(at.id))
    earlier = happened.SessionBegan(2, "ab" * 32, "11" * 32)
    campaign, _ = await at.tables.import_(
        forged(home, earlier, happened.SessionEnded(2, "11" * 32))
    )
    await at.tables.do(campaign, GM, do.BeginDiceSession())
    session = (await at.tables.campaign(campaign)).session
    assert session is not None
    assert session.number == 2
    assert session.seed not in encode(await at.tables.export(campaign)).decode()


@played
async def test_a_file_with_seals_that_are_none_is_refused(at: Company):
    file = msgspec.json.decode(encode(await at.tables.export(at.id)))
    for name in ("salt", "body", "head"):
        spoilt = msgspec.json.decode(encode(file))
        spoilt["entries"][-1]["event"]["seal"][name] = "nothing"
        with pytest.raises(BadInput, match="an exported campaign"):
            imported(encode(spoilt))
    unreadable = happened.SessionBegan(1, "ab" * 32, "zz", {"0": "cd" * 32})
    odd = forged(encode(file), unreadable, happened.SessionEnded(1))
    with pytest.raises(BadInput, match=r"event\.seed: found 'zz'"):
        imported(odd)
    written = msgspec.json.decode(odd, type=CampaignExport)
    seen = evidence(written.title, written.entries, GM)
    assert seen.sessions[0].leaves == ()


@pytest.mark.parametrize(
    ("event", "expected"),
    [
        (happened.SessionBegan(1, "ab" * 32, "", {"0": "cd"}), "event.streams: found 'cd'"),
        (happened.SessionBegan(1, "ab" * 32, "", {"a b": "cd" * 32}), "event.streams"),
        (
            happened.SessionBegan(1, "ab" * 32, "", {f"s{n}": "cd" * 32 for n in range(17)}),
            "17 streams",
        ),
        (happened.DiceContributed(1, "x" * 64), "event.value: found 'xx"),
    ],
)
@played
async def test_a_file_with_dice_that_nobody_could_have_is_refused(
    at: Company, event: Any, expected: str
):
    with pytest.raises(BadInput, match=expected):
        imported(forged(encode(await at.tables.export(at.id)), event))


# --- What costs much -----------------------------------------------------------------------


@played
async def test_an_undo_that_is_not_allowed_reads_no_log(at: Company, monkeypatch):
    async def read(*_: Any) -> None:
        raise AssertionError("the log was read for somebody who may not undo")

    monkeypatch.setattr(at.store, "snapshot", read)
    with pytest.raises(Refusal, match="Only the GM"):
        await at.do("anna", do.UndoEntries(1))
    with pytest.raises(AssertionError, match="was read"):
        await at.gm(do.UndoEntries(1))


@pytest.mark.parametrize("what", ["markdown", "evidence", "exported"])
@played
async def test_whole_logs_are_worked_through_beside_the_table(at: Company, monkeypatch, what: str):
    where: list[threading.Thread] = []
    usual = getattr(whole_logs, what)

    def noted(*given: Any) -> Any:
        where.append(threading.current_thread())
        return usual(*given)

    monkeypatch.setattr(whole_logs, what, noted)
    if what == "exported":
        await at.tables.export(at.id)
    else:
        await getattr(at.tables, what)(at.id, "anna")
    assert where
    assert where[0] is not threading.main_thread()


@played
async def test_no_seat_fills_the_table(at: Company):
    for number in range(20):
        await at.do("anna", do.EditSheet("mara", "concept", f"somebody {number}"))
    with pytest.raises(Refusal, match="waiting for approval"):
        await at.do("anna", do.EditSheet("mara", "concept", "one more"))
    await at.do("ben", do.EditSheet("tam", "concept", "another"))

    for number in range(10):
        await at.do("anna", do.WriteNote(f"n{number}", "x" * 20_000, shared=True))
    with pytest.raises(Refusal, match="Your notes already have 200000 characters"):
        await at.do("anna", do.WriteNote("more", "x"))
    await at.do("anna", do.WriteNote("n1", "x" * 19_000))
    await at.do("anna", do.WriteNote("more", "x"))
    await at.do("ben", do.WriteNote("bens", "x" * 20_000))

    vote = {"question": "?", "choices": ["a", "b"], "voters": ["anna"]}
    for _ in range(12):
        await at.begin("anna", "vote", **vote)
    with pytest.raises(Refusal, match="You already have 12 tests and actions open"):
        await at.begin("anna", "vote", **vote)
    await at.begin("ben", "vote", **vote)


VOTE = {"question": "?", "choices": ["a", "b"], "voters": [GM]}


@played
async def test_players_votes_leave_room_for_the_others_and_for_the_gm(at: Company):
    for seat in ("anna", "ben", "cleo", "dora", "emil"):
        await at.gm(do.ChangeSeat(seat, seat.title()))
    each = (("anna", 12), ("ben", 12), ("cleo", 6))
    begun = [await at.begin(seat, "vote", **VOTE) for seat, many in each for _ in range(many)]
    with pytest.raises(Refusal, match="Ask the GM to clear some"):
        await at.begin("cleo", "vote", **VOTE)
    # Somebody who has nothing open can still begin something, and the GM anyway.
    await at.begin("emil", "vote", **VOTE)
    with pytest.raises(Refusal, match="Ask the GM to clear some"):
        await at.begin("emil", "vote", **VOTE)
    for _ in range(9):
        await at.begin(GM, "vote", **VOTE)
    with pytest.raises(Refusal, match="40 tests and actions are already open"):
        await at.begin(GM, "vote", **VOTE)
    for id in begun[:12]:
        await at.gm(do.CancelProcedure(id))
    await at.begin("emil", "vote", **VOTE)


@played
async def test_notes_of_others_leave_room_for_the_gm_who_can_clear_them(at: Company):
    seats = [f"s{n}" for n in range(6)]
    for seat in seats:
        await at.gm(do.ChangeSeat(seat, seat.title(), Role.SPECTATOR))
    for number in range(60):
        await at.do("s0", do.WriteNote(f"s0-{number}", "x", shared=True))
    with pytest.raises(Refusal, match="You already have 60 notes"):
        await at.do("s0", do.WriteNote("more", "x"))
    for seat in seats[1:5]:
        for number in range(60):
            await at.do(seat, do.WriteNote(f"{seat}-{number}", "x"))
    await at.do("s5", do.WriteNote("s5-0", "x"))
    with pytest.raises(Refusal, match="Ask the GM to clear some"):
        await at.do("s5", do.WriteNote("s5-1", "x"))
    for number in range(90):
        await at.gm(do.WriteNote(f"gm-{number}", "x"))
    # What everybody sees the GM can delete; what somebody keeps private goes with the seat.
    await at.gm(do.WriteNote("s0-0", ""))
    assert "s0-0" not in (await at.state()).notes
    with pytest.raises(Refusal, match="belongs to somebody else"):
        await at.gm(do.WriteNote("s0-1", "mine now", shared=True))
    with pytest.raises(Refusal, match="no such note"):
        await at.gm(do.WriteNote("s1-0", "", shared=True))
    assert "s1-0" in (await at.state()).notes
    await at.gm(do.ChangeSeat("s1", "S1", Role.SPECTATOR, gone=True))
    await at.do("s5", do.WriteNote("s5-1", "x"))


@played
async def test_a_whole_log_is_never_gathered_in_memory(at: Company, monkeypatch):
    for number in range(40):
        await at.gm(do.SendMessage(f"word {number} " + "x" * 500))
    monkeypatch.setattr(whole_logs, "READ_AT_ONCE", 7)
    monkeypatch.setattr(whole_logs, "PART", 3000)
    read: list[int] = []
    entries = at.store.entries

    async def counted(*given: Any) -> Any:
        found = await entries(*given)
        read.append(len(found))
        return found

    monkeypatch.setattr(at.store, "entries", counted)
    whole = (await at.state()).seq
    told = at.tables.story_parts(at.id, "anna", MarkdownStory())
    for parts in (at.tables.export_parts(at.id), at.tables.markdown_parts(at.id, "anna"), told):
        read.clear()
        first = await anext(parts)
        assert len(first) < 20_000
        assert sum(read) < whole / 2  # the rest is read when it is wanted
        rest = [part async for part in parts]
        assert len(rest) > 3
        assert max(read) <= 7
        assert sum(read) == whole
        assert b"word 39" in b"".join(rest)
    read.clear()
    await at.tables.evidence(at.id, "anna")
    assert max(read) <= 7


def test_what_is_said_has_its_measure():
    async def play() -> None:
        async with table("cores") as at:
            await at.sit("anna", plays="robin")
            test = {"character": "robin", "core": "physical"}
            with pytest.raises(BadInput, match="at most 24000 bytes"):
                await at.begin("anna", "test", **test, task="x" * 30_000)
            going = await at.begin("anna", "test", **test, task="x" * 20_000)
            assert len((await at.open(going)).about) == 400
            with pytest.raises(BadInput, match="at most 24000 bytes"):
                await at.do(
                    "anna", do.DraftAnswers(going, (do.ReadyAnswer("k", "p", "x" * 30_000),))
                )
            await at.gm(do.CancelProcedure(going))

    asyncio.run(play())


@played
async def test_a_sheet_does_not_grow_for_ever(at: Company):
    await at.gm(do.ChangeTitle("T", free_edits=True))

    async def write(number: int) -> None:
        traits = (await at.sheet("mara"))["traits"]
        await at.do(
            "anna", do.EditSheet("mara", f"traits.{len(traits)}", f"T{number}" + "x" * 20_000)
        )

    for number in range(4):
        await write(number)
    with pytest.raises(BadInput, match="a sheet of at most 100000 bytes"):
        await write(4)
    assert 80_000 < len(encode(await at.sheet("mara"))) <= 100_000


@pytest.mark.parametrize("part", ["²", "①", "٣", "-1", "1" * 190])
@played
async def test_a_position_that_is_no_number_is_refused_by_its_place(at: Company, part: str):
    with pytest.raises(BadInput, match="a position below"):
        await at.do("anna", do.EditSheet("mara", f"traits.{part}", "Sly"))
    with pytest.raises(BadInput, match="a position below"):
        await at.tables.check_edit(at.id, "anna", "mara", f"traits.{part}", "Sly")


def test_the_demo_hides_those_whom_these_tests_look_for():
    cast = game_named("burning_wheel").demo.characters
    assert {key for key, each in cast.items() if each.hidden} == {
        "captain_orrin",
        "harbourmaster_dunn",
    }
