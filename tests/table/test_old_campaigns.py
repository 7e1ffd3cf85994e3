"""Campaigns that earlier versions wrote open in this one, and go on.

The files are in ``tests/table/old_campaigns``; a later version adds its own with ``write.py`` there
and never writes the old ones anew. What is compared is game data: sheets, scenes, tags, keys,
arguments and numbers. Sentences, prompts and labels may be put in other words at any time.
"""

from __future__ import annotations

import sqlite3
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager
from functools import cache
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest

from astragal.errors import NotAllowed
from astragal.games import Game, game_named, games
from astragal.play import GM, AnyQuestion, Change, DecisionEvent, Fact, SessionEvent, Tell
from astragal.table.commands import commands as do
from astragal.table.commands import sessions
from astragal.table.commands.sessions import session_began
from astragal.table.export import CampaignExport
from astragal.table.fairness import verify
from astragal.table.host import Tables
from astragal.table.log import events as happened
from astragal.table.log.events import AnyEvent, LogEntry
from astragal.table.log.fold import after, fold
from astragal.table.log.items import Item, ToldItem
from astragal.table.log.state import Campaign, OpenProcedure
from astragal.table.running.session import RunningProcedure
from astragal.table.running.votes import procedure_of, procedures_of
from astragal.table.store import open_store
from astragal.table.story.document import MarkdownStory
from table.company import decode, encode
from table.memory import MemoryStore
from table.old_campaigns.recorded import (
    Player,
    Recorded,
    Version,
    essentials,
    game_data,
    plainly,
    read_version,
    structs_in,
    versions,
)
from table.stores import asynchronous

VERSIONS = versions()
LEFT_IN_EXPORTS = ("notes", "sessions", "session", "proposals")
"""What an export does not hold in full: what is others' to know, and seeds of open sessions."""

NEWER = "newer than the latest of these campaigns"

FACTS_NOT_COVERED: dict[str, str] = {
    "burning_wheel.artha_earned": NEWER,
    "burning_wheel.failed_casting": NEWER,
    "burning_wheel.divided": NEWER,
    "burning_wheel.fight_ended": NEWER,
    "burning_wheel.fight_over": NEWER,
    "burning_wheel.actions_meet": NEWER,
    "burning_wheel.fight_positions": NEWER,
    "burning_wheel.positioned": NEWER,
    "burning_wheel.skirmish_over": NEWER,
    "burning_wheel.skirmish_positions": NEWER,
    "burning_wheel.spell_raised": NEWER,
    "percentile.contested": NEWER,
    "percentile.side": NEWER,
    "percentile.task": NEWER,
    "signs.group": NEWER,
    "signs.member": NEWER,
}
"""Facts, by game and tag, that no old campaign holds, with the reason."""

PROCEDURES_NOT_COVERED: dict[str, str] = {
    "burning_wheel.add_to_character": NEWER,
    "burning_wheel.agree_on_concept": NEWER,
    "burning_wheel.assess_caster": NEWER,
    "burning_wheel.cast_spell": NEWER,
    "burning_wheel.counter_spell": NEWER,
    "burning_wheel.crucial_opponent": NEWER,
    "burning_wheel.drop_spell": NEWER,
    "burning_wheel.fight": NEWER,
    "burning_wheel.fight_action": NEWER,
    "burning_wheel.find_gear": NEWER,
    "burning_wheel.fits_the_game": NEWER,
    "burning_wheel.give_gear": NEWER,
    "burning_wheel.hold_bomb": NEWER,
    "burning_wheel.hold_spell": NEWER,
    "burning_wheel.interrupt_spell": NEWER,
    "burning_wheel.keep_spells": NEWER,
    "burning_wheel.look_up_die_of_fate": NEWER,
    "burning_wheel.look_up_lifepaths": NEWER,
    "burning_wheel.look_up_rogues": NEWER,
    "burning_wheel.look_up_shades": NEWER,
    "burning_wheel.look_up_sizes": NEWER,
    "burning_wheel.look_up_spells": NEWER,
    "burning_wheel.look_up_wages": NEWER,
    "burning_wheel.lose_gear": NEWER,
    "burning_wheel.one_off_character": NEWER,
    "burning_wheel.pick_mechanics": NEWER,
    "burning_wheel.position_bomb": NEWER,
    "burning_wheel.position_spell": NEWER,
    "burning_wheel.read_spell": NEWER,
    "burning_wheel.range_and_cover": NEWER,
    "burning_wheel.rehearse_maneuvers": NEWER,
    "burning_wheel.set_limits": NEWER,
    "burning_wheel.shield_strike": NEWER,
    "burning_wheel.speed_dice": NEWER,
    "burning_wheel.spell_after_positioning": NEWER,
    "burning_wheel.spell_time": NEWER,
    "burning_wheel.strengthen_opponent": NEWER,
    "burning_wheel.undo_spell": NEWER,
    "burning_wheel.use_sorcery": NEWER,
    "burning_wheel.air_of_gates": NEWER,
    "burning_wheel.black_metal": NEWER,
    "burning_wheel.desecrate": NEWER,
    "burning_wheel.detect_faith": NEWER,
    "burning_wheel.detect_prayer": NEWER,
    "burning_wheel.enter_holy_place": NEWER,
    "burning_wheel.look_up_black_metal": NEWER,
    "burning_wheel.look_up_emotions": NEWER,
    "burning_wheel.look_up_magic": NEWER,
    "burning_wheel.look_up_natural_magic": NEWER,
    "burning_wheel.look_up_prayers": NEWER,
    "burning_wheel.lose_faith": NEWER,
    "burning_wheel.natural_magic": NEWER,
    "burning_wheel.position_prayer": NEWER,
    "burning_wheel.pray": NEWER,
    "burning_wheel.prayer_after_positioning": NEWER,
    "burning_wheel.restore_faith": NEWER,
    "burning_wheel.settle_faith": NEWER,
    "burning_wheel.show_stigmata": NEWER,
    "burning_wheel.state_faith": NEWER,
    "burning_wheel.dismount": NEWER,
    "burning_wheel.joust": NEWER,
    "burning_wheel.look_up_mounts": NEWER,
    "burning_wheel.mount_up": NEWER,
    "burning_wheel.reseat": NEWER,
    "burning_wheel.ride": NEWER,
    "burning_wheel.session_artha": NEWER,
    "burning_wheel.stay_in_saddle": NEWER,
    "burning_wheel.steady_mount": NEWER,
}
"""Procedures that no old campaign has played, with the reason."""

FIELDS_NOT_COVERED: dict[str, str] = {
    "changed.more": NEWER,
    "faces.default": "nobody knows beforehand what dice will show",
    "founded.free_edits": "a campaign begins without free edits, and gets them by another event",
    "Character.fresh": NEWER,
    "Character.portrait": NEWER,
    "told.headline": NEWER,
    "told.pattern": NEWER,
    "told.picture": NEWER,
    "told.meetings": NEWER,
    "told.follow_up": NEWER,
    "script.barred": NEWER,
    "script.situation": NEWER,
    "told.role": NEWER,
    "decided.reason": NEWER,
    "ProcedureInput.reason": NEWER,
    "PreparedAnswer.reason": NEWER,
    "PreparedAnswer.open": NEWER,
    "OpenQuestion.kind": NEWER,
    "OpenProcedure.ready": NEWER,
    "OpenProcedure.held": NEWER,
    "OpenProcedure.touched": NEWER,
    "OpenProcedure.rolls_on": NEWER,
    "answered.rolls_on": NEWER,
    "founded.asks_consent": NEWER,
    "retitled.asks_consent": NEWER,
    "script.names": NEWER,
    "script.openers": NEWER,
    "script.spreads": NEWER,
    "script.rules": NEWER,
    "undone.what": NEWER,
    "rolled.stream": NEWER,
    "rolled.mixed": NEWER,
    "DiceOnTable.stream": NEWER,
    "DiceOnTable.mixed": NEWER,
    "session_began.streams": NEWER,
    "session_ended.lost": NEWER,
    "retitled.server_dice": NEWER,
    "retitled.open_review": NEWER,
    "retitled.advice": NEWER,
    "Character.partner": NEWER,
    "rolled.audience": "dice are for all in a procedure; one that is secret says so itself",
    "script.default": "no game has a usual script",
    "script.once": "no game forbids a card to be played twice",
    "sealed.audience": "that somebody has decided is for all to know",
}
"""Fields of the log's own types that are at their default in all old campaigns, with the reason."""

NEWER_ON_SHEETS: dict[str, Any] = {"natural": False, "dice": 0, "bonus": 0, "softens": 0}
"""Fields of parts of sheets that old campaigns do not have, with their defaults.

Dropped at their defaults on both sides, so that only a missing one is the same as the default.
"""

TYPES_NOT_COVERED: dict[type, str] = {
    happened.AnswersDrafted: NEWER,
    happened.DiceContributed: NEWER,
    happened.HandoutShown: NEWER,
    happened.HandoutRemoved: NEWER,
    happened.PartnerChanged: NEWER,
    happened.PortraitChanged: NEWER,
    happened.TestSaved: NEWER,
    happened.XCardRaised: NEWER,
}
"""Types of the log that are in no old campaign, with the reason."""

PLAYED_OTHERWISE: dict[str, str] = {
    "duel_of_wits": "one concedes with the next script instead of being asked each time",
    "bloody_pools": "its end is a fact of its own, which says the wound",
    "bloody_versus": "its end is a fact of its own, which says the wound",
    "strike": "its test is logged when the defence is known, which is part of the obstacle",
    "break_through": "the test of its Strike is logged when the defence is known",
    "recover": "what cannot turn the verdict settles by itself, so Luck is used before that",
    "instinct_triggers": "the GM is asked whether the condition of the Instinct is met",
    "throw_against": "the victim says how he lands before the thrower pays to change it",
    "take_wound": "the Will to Live counts toward no epiphany (artha.amb.epiphany_accounting)",
    "grit_teeth": "Luck is offered though every die has succeeded (artha.amb.luck_with_no_sixes)",
    "ready_for_play": "it says whether the character is ready, and what is unusual",
    "fatal_fall": "the wound goes on the sheet, with what follows from it",
    "write_letter": "nothing is put on the holder's sheet without asking the holder's player",
    "buy_affiliation": "the later edition says first what being turned away brings",
}
"""Procedures that are meant to go another way than in old campaigns, with the reason.

Whoever has one of them open must still be able to finish it or to call it off.
"""

PLAYS_OTHERWISE: dict[tuple[str, str], str] = {
    (
        "000000000000000e",
        "p250",
    ): "whoever looks for somebody who hides with Perception needs twice "
    "the successes (extended_example.stealth.double_perception)",
    (
        "0000000000000020",
        "p169",
    ): "what governs a skill that nobody has is asked once and kept in the scene",
    (
        "000000000000001a",
        "p6",
    ): "the hesitation of somebody without Will is asked once and kept on the sheet",
    (
        "000000000000000f",
        "p144",
    ): "a Steel test rides no longer than its scene (steel.amb.repeat_tests)",
    (
        "0000000000000089",
        "p31",
    ): "a Steel test rides no longer than its scene (steel.amb.repeat_tests)",
}
"""Single plays, by campaign and procedure, that are meant to come out another way."""

TOLD_OTHERWISE: dict[str, str] = {
    "burning_wheel.absence": "it says how far each practice has come",
    "burning_wheel.block_and_strike": "it says where divided dice are from, and what the Block did",
    "burning_wheel.enter_aristeia": "it says the price and the shade that comes of it",
    "burning_wheel.get_a_job": "it says what is earned, and when",
    "burning_wheel.consult": "it says what it takes where somebody does not talk freely",
    "burning_wheel.graduated_test": "it says what takes how much off the successes",
    "burning_wheel.open_test": "it says what takes how much off the successes",
    "burning_wheel.practise": "it says how many days of a cycle are done",
    "burning_wheel.purchase": "it says what tax leaves",
    "burning_wheel.shield_defence": "it says where divided dice are from, and if a riposte hits",
    "burning_wheel.scenario_votes": "it says how many votes each has",
    "burning_wheel.stop_bleeding": "it says how long it takes",
    "cores.test": "it says that a Rock of another Core takes a Story Point",
    "percentile.end_scene": "it says so if nothing wears off",
    "percentile.end_session": "it says so if nothing wears off",
    "percentile.extended_test": "its end is a fact of its own, which says how far the task is",
    "percentile.opposed_test": "its end is a fact of its own, which says who wins and why",
    "signs.end_scenario": "it says which Scene begins",
    "signs.end_scene": "it says which Scene begins",
    "signs.group_test": "members and the group have facts of their own; nobody is against another",
}
"""Procedures that tell more than in old campaigns, or in other facts, with the reason.

What they ask, roll and change is what it was.
"""

SETTLED = "settles by itself where it cannot turn the verdict"

NO_LONGER_ASKED: dict[str, str] = {
    "aim": "settles with the dice where no location is better than another",
    "wants_tools": "asked only of skills that can need tools",
    "disadvantages": "with a weapon they are in one line with those of its list",
    **dict.fromkeys(("accept_complication", "after_roll", "allocate", "anchored"), SETTLED),
    **dict.fromkeys(("boon_after", "cry", "explicit", "flees_from", "gm_advantage"), SETTLED),
    **dict.fromkeys(("grant_benefit", "lose_andy", "name_suits", "stopped", "take"), SETTLED),
}
"""Questions of old campaigns that are not asked any more, or not always, with the reason."""

ASKED_ANEW: dict[str, str] = {
    "ask_help": "whom to ask for help may be said on the card",
    "purge_helpers": "an Angst test after a positive tap can be supported like any other",
    "task": "may be said on the card where the declaration leaves it out",
    "at_stake": "the GM may say yes to an open or graduated test, too",
    "carefully": "in the later edition a test that takes no time can be made carefully, too",
}
"""Questions that old campaigns were not asked, with the reason: they get their default there."""

FOR_ALL_GAMES = Fact.__module__.rpartition(".")[0]
"""The package of those facts that are told in any game."""

SEED = bytes(range(32))


@pytest.fixture(autouse=True)
def _one_seed(monkeypatch: pytest.MonkeyPatch) -> None:
    """New sessions have one seed: hundreds of trees of keys take longer than what is played."""
    monkeypatch.setattr(sessions, "session_began", lambda number, _: session_began(number, SEED))


each_version = pytest.mark.parametrize("name", VERSIONS)


@asynccontextmanager
async def old_tables(version: Version, folder: Path) -> AsyncIterator[Tables]:
    """The database of a version, in a copy of its own."""
    file = folder / "old.db"
    file.write_bytes(version.database)
    async with await open_store(f"sqlite:///{file}") as store:
        tables = Tables(store)
        try:
            yield tables
        finally:
            await tables.close()


@asynccontextmanager
async def copies(version: Version) -> AsyncIterator[Tables]:
    """The same campaigns in memory, where playing on costs less."""
    store = MemoryStore()
    for id, entries in logs(version.name).items():
        recorded = version.campaigns[id]
        await store.create(id, recorded.state["game"], recorded.name, "", entries)
    tables = Tables(store)
    try:
        yield tables
    finally:
        await tables.close()


@cache
def raw_logs(name: str) -> dict[str, list[dict[str, Any]]]:
    """Every log as it stands in the database, in plain data."""
    database = sqlite3.connect(":memory:")
    database.deserialize(_without_write_ahead_log(read_version(name).database))
    found: dict[str, list[dict[str, Any]]] = {}
    query = "SELECT campaign, seq, at, seat, mark, event FROM entries ORDER BY campaign, seq"
    for campaign, seq, at, seat, mark, event in database.execute(query):
        entry = {"seq": seq, "at": at, "seat": seat, "mark": mark, "event": decode(event)}
        found.setdefault(campaign, []).append(entry)
    database.close()
    return found


def _without_write_ahead_log(database: bytes) -> bytes:
    """The same file in the mode in which SQLite reads it from memory."""
    return database[:18] + b"\x01\x01" + database[20:]


@cache
def logs(name: str) -> dict[str, list[LogEntry]]:
    """Every log, read as this version reads it."""
    return {
        id: [msgspec.convert(entry, LogEntry) for entry in log]
        for id, log in raw_logs(name).items()
    }


def lost(old: Any, new: Any, place: str = "") -> Iterator[str]:
    """What is in old plain data and not in the new, or not the same there."""
    if isinstance(old, dict) and isinstance(new, dict):
        for key, value in old.items():
            if key not in new:
                # What is empty or at its default is often not written.
                if value not in ("", None, False, 0, [], {}):
                    yield f"{place}.{key} is gone"
            else:
                yield from lost(value, new[key], f"{place}.{key}")
    elif isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        for number, (one, other) in enumerate(zip(old, new, strict=True)):
            yield from lost(one, other, f"{place}[{number}]")
    elif old != new:
        yield f"{place} was {old!r} and is {new!r}"


def without_prose(plain: Any) -> Any:
    """Game data in which sentences count for nothing, nor newer fields at their defaults."""
    if isinstance(plain, dict):
        return {
            key: without_prose(value)
            for key, value in plain.items()
            if key not in NEWER_ON_SHEETS or value != NEWER_ON_SHEETS[key]
        }
    if isinstance(plain, list | tuple):
        return [without_prose(value) for value in plain]
    return "..." if isinstance(plain, str) and " " in plain else plain


# --- They open -----------------------------------------------------------------------------


def test_there_are_old_campaigns_of_every_game():
    assert VERSIONS
    for name in VERSIONS:
        of_games = {each.state["game"] for each in read_version(name).campaigns.values()}
        assert of_games == set(games())


@each_version
@asynchronous
async def test_a_database_opens_as_it_was_left(name: str, tmp_path: Path):
    version = read_version(name)
    snapshots = 0
    async with old_tables(version, tmp_path) as tables:
        known = {each.id for each in await tables.store.campaigns()}
        assert known == set(version.campaigns)
        for id, recorded in version.campaigns.items():
            campaign = await tables.campaign(id)
            assert but_questions(essentials(campaign)) == but_questions(recorded.state), (
                recorded.name
            )
            # What a snapshot led to is what the whole log leads to.
            entries = await tables.store.entries(id)
            folded = fold(Campaign(id, campaign.game, campaign.title), entries)
            assert essentials(folded) == recorded.state, recorded.name
            snapshots += await tables.store.snapshot(id) is not None
            assert (await tables.seat_at(recorded.token)).campaign == id
            await look_around(tables, id)
    assert snapshots


async def look_around(tables: Tables, id: str) -> None:
    """Every seat looks at everything that it may see."""
    campaign = await tables.campaign(id)
    for seat in campaign.chairs:
        view = plainly(await tables.view(id, seat))
        assert view["seq"] == campaign.seq
        encode(await tables.older(id, seat, campaign.seq, 60))
        assert await tables.markdown(id, seat)
        assert await tables.story(id, seat, MarkdownStory())
        assert verify(await tables.evidence(id, seat)).fair
        for procedure in view["open"]:
            if not any(each["key"] == "faces" for each in procedure["questions"]):
                encode(await tables.card(id, seat, procedure["id"]))


@each_version
@asynchronous
async def test_every_export_is_taken_in_as_it_was(name: str):
    version = read_version(name)
    may_be = {id for id, each in version.campaigns.items() if each.exported}
    assert set(version.exports) == may_be
    tables = Tables(MemoryStore())
    for id, raw in version.exports.items():
        recorded = version.campaigns[id]
        there, token = await tables.import_(raw)
        assert (await tables.seat_at(token)).seat == GM
        campaign = await tables.campaign(there)
        came, was = taken_home(essentials(campaign)), taken_home(recorded.state)
        assert but_questions(came) == but_questions(was), recorded.name
        # An export of what was imported holds no less than the file did.
        again = plainly(await tables.export(there))
        assert not list(lost(decode(raw), again)), recorded.name
        for seat in campaign.chairs:
            encode(await tables.view(there, seat))
    await tables.close()


def taken_home(state: dict[str, Any]) -> dict[str, Any]:
    """Of what stands somewhere, what an export holds."""
    kept = {key: value for key, value in state.items() if key not in LEFT_IN_EXPORTS}
    kept["open"] = {id: {**each, "prepared": [], "story": []} for id, each in kept["open"].items()}
    return kept


# --- Nothing in them is lost ---------------------------------------------------------------


@each_version
def test_everything_in_a_log_is_read(name: str):
    """A field that has another name would be left out without a word."""
    for id, log in raw_logs(name).items():
        read = [decode(encode(entry)) for entry in logs(name)[id]]
        assert not list(lost(log, read, id))


@each_version
def test_everything_in_a_snapshot_is_read(name: str):
    database = sqlite3.connect(":memory:")
    database.deserialize(_without_write_ahead_log(read_version(name).database))
    kept = [data for (data,) in database.execute("SELECT data FROM snapshots")]
    assert kept
    for data in kept:
        read = msgspec.json.decode(data, type=Campaign)
        assert not list(lost(decode(data), plainly(read)))


@each_version
def test_everything_in_an_export_is_read(name: str):
    for id, raw in read_version(name).exports.items():
        read = msgspec.json.decode(raw, type=CampaignExport)
        assert not list(lost(decode(raw), plainly(read), id))


@each_version
def test_everything_on_sheets_in_scenes_and_in_arguments_is_read(name: str):
    for id, log in logs(name).items():
        game = game_named(read_version(name).campaigns[id].state["game"])
        campaign = Campaign(id, game.name, "")
        for entry in log:
            campaign = after(campaign, entry)
            match entry.event:
                case happened.CharacterJoined(character=key, sheet=character):
                    _check_read(game, character.sheet, game.sheet, f"{id} {key}")
                case happened.CampaignCreated(scene=scene):
                    _check_read(game, scene, game.scene, id)
                case happened.ProcedureBegan(procedure=begun):
                    what = procedure_of(game, begun.name)
                    _check_read(game, begun.arguments, what.arguments, f"{id} {begun.id}")
        for key, character in campaign.standing.characters.items():
            _check_read(game, character.sheet, game.sheet, f"{id} {key}")
        _check_read(game, campaign.standing.scene, game.scene, id)


def _check_read(game: Game, plain: Any, kind: type, place: str) -> None:
    written = game.write(game.read(plain, kind, place))
    assert not list(lost(plainly(plain), plainly(written), place))


# --- They go on ----------------------------------------------------------------------------


@each_version
@asynchronous
async def test_what_was_left_open_comes_to_the_same_end(name: str):
    """The answers and faces that the old version was given lead to the same sheets and scene."""
    version = read_version(name)
    done = set()
    async with copies(version) as tables:
        for id, recorded in version.campaigns.items():
            if recorded.rest is None:
                continue
            rest, at = recorded.rest, Player(tables, id)
            procedure = recorded.state["open"][rest.procedure]["name"]
            if procedure in PLAYED_OTHERWISE:
                continue
            gone, new = await at.give_by_key(rest.procedure, rest.answers, rest.faces)
            assert gone <= set(NO_LONGER_ASKED), recorded.name
            assert new <= set(ASKED_ANEW), recorded.name
            came = game_data(await at.state())
            assert without_prose(came) == without_prose(rest.outcome), recorded.name
            done.add((recorded.state["game"], procedure))
            await play_another(at)
    assert {game for game, _ in done} == set(games())


@each_version
@asynchronous
async def test_what_was_left_open_can_be_finished_as_usual(name: str):
    version = read_version(name)
    async with copies(version) as tables:
        for id, recorded in version.campaigns.items():
            await finish_all(Player(tables, id), recorded)


@each_version
@asynchronous
async def test_what_was_imported_can_be_finished_as_usual(name: str):
    version = read_version(name)
    tables = Tables(MemoryStore())
    for id, raw in version.exports.items():
        there, _ = await tables.import_(raw)
        at = Player(tables, there)
        if (await at.state()).session is not None:
            await at.gm(do.EndDiceSession())  # its seed stayed behind
        await at.gm(do.BeginDiceSession())
        await finish_all(at, version.campaigns[id])
    await tables.close()


@each_version
@asynchronous
async def test_a_database_goes_on_in_its_own_file(name: str, tmp_path: Path):
    """A few campaigns of each game, through the store itself."""
    version = read_version(name)
    done: dict[str, int] = {}
    async with old_tables(version, tmp_path) as tables:
        for id, recorded in version.campaigns.items():
            game = recorded.state["game"]
            if done.setdefault(game, 0) < 4 and recorded.state["open"]:
                done[game] += 1
                await finish_all(Player(tables, id), recorded)
    assert set(done.values()) == {4}


async def finish_all(at: Player, recorded: Recorded) -> None:
    """Finish what is open by default answers, play something else, and end the session."""
    if (await at.state()).paused is not None:
        await at.gm(do.ResumeGame())
    if (await at.state()).session is None:
        await at.gm(do.BeginDiceSession())
    if not any(each["waits_for_dice"] for each in recorded.state["open"].values()):
        await at.own_dice(False)
    for id, procedure in list((await at.state()).standing.open.items()):
        finished = await at.finish(id)
        assert finished or procedure.name in PLAYED_OTHERWISE, recorded.name
        assert id not in (await at.state()).standing.open
    await play_another(at)


def anew(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """The same attempt for another purpose: what was tried once cannot be tried again."""
    return {
        key: f"{value}, another time" if key in ("intent", "task", "goal", "source") else value
        for key, value in arguments.items()
    }


async def play_another(at: Player) -> None:
    """What the demo of the game suggests first, with dice that can be verified afterwards."""
    state = await at.state()
    game = game_named(state.game)
    await at.own_dice(False)
    demo = game.demo
    assert demo is not None
    for key, cast in demo.characters.items():
        await at.gm(do.AddCharacter(key, ready=cast.ready))
    for suggestion in demo.suggestions:
        try:
            begun = await at.gm(do.BeginProcedure(suggestion.procedure, anew(suggestion.arguments)))
        except NotAllowed:
            continue  # by the rules, as things stand in that scene
        await at.finish(f"p{begun}")
        break
    await at.gm(do.ThrowDice("3d6"))
    await at.gm(do.EndDiceSession())
    assert (await at.state()).session is None
    verdict = verify(await at.tables.evidence(at.id, GM))
    assert verdict.fair
    assert verdict.fit
    encode(await at.tables.view(at.id, GM))


# --- Procedures are what they were ---------------------------------------------------------


@each_version
def test_every_procedure_plays_as_it_was_played(name: str):
    """Whatever was played could have been left open anywhere, and has to be taken up again."""
    played = 0
    for id, log in logs(name).items():
        for procedure, story in played_in(id, log):
            if procedure.name in PLAYED_OTHERWISE or (id, procedure.id) in PLAYS_OTHERWISE:
                continue
            game = game_named(read_version(name).campaigns[id].state["game"])
            session = RunningProcedure(game, procedure).resumed()
            came = [each for event in session.events if (each := of_event(event, game))]
            was = [each for item in story if (each := of_item(item))]
            changed = {**NO_LONGER_ASKED, **ASKED_ANEW}
            came = [each for each in came if not _is_asked(each, changed)]
            was = [each for each in was if not _is_asked(each, changed)]
            if f"{game.name}.{procedure.name}" in TOLD_OTHERWISE:
                came = [each for each in came if each[0] != "told"]
                was = [each for each in was if each[0] != "told"]
            assert without_prose(came) == without_prose(was), f"{id} {procedure.id}"
            played += 1
    assert played > 500


def played_in(id: str, log: list[LogEntry]) -> Iterator[tuple[OpenProcedure, tuple[Item, ...]]]:
    """Every procedure of a log with all that it was given, and what came of it.

    Those that are still open, or were called off or undone, too, as far as they came.
    """
    campaign = Campaign(id, "", "")
    for entry in log:
        before, campaign = campaign, after(campaign, entry)
        match entry.event:
            case happened.ProcedureBegan(procedure=begun, over=True):
                # As a procedure that is not over stands at the table.
                still = msgspec.structs.replace(entry, event=happened.ProcedureBegan(begun))
                yield _stands(after(before, still).standing.open[begun.id])
            case happened.AnswerGiven(procedure=key, over=True):
                event = msgspec.structs.replace(entry.event, over=False)
                still = msgspec.structs.replace(entry, event=event)
                yield _stands(after(before, still).standing.open[key])
            case happened.ProcedureCancelled(procedure=key):
                yield _stands(before.standing.open[key])
            case happened.EntriesUndone():
                for open_then in before.standing.open.values():
                    yield _stands(open_then)
    for still_open in campaign.standing.open.values():
        yield _stands(still_open)


def _stands(procedure: OpenProcedure) -> tuple[OpenProcedure, tuple[Item, ...]]:
    return procedure, procedure.story


def but_questions(state: dict[str, Any]) -> dict[str, Any]:
    """A campaign without what its open procedures ask: a later version may ask something else."""
    going_on = {
        id: {key: value for key, value in each.items() if key not in ("questions", "taken")}
        for id, each in state["open"].items()
    }
    return {**state, "open": going_on}


def _is_asked(each: list[Any], keys: Mapping[str, str]) -> bool:
    return each[0] == "decided" and each[2] in keys


def of_event(event: SessionEvent, game: Game) -> Any:
    """What a procedure does now, as far as it must not change."""
    match event:
        case Tell(fact=fact):
            return ["told", str(type(fact).__struct_config__.tag)]
        case DecisionEvent(ask=ask, answer=answer):
            return ["decided", ask.seat, ask.key, plainly(game.write(answer))]
        case Change(target=target, path=path):
            return ["changed", target, path, *plainly(game.write((event.before, event.after)))]
    return None


def of_item(item: Item) -> Any:
    """The same of what it did then."""
    plain = plainly(item)
    match plain["item"]:
        case "told":
            return ["told", plain["kind"]]
        case "decided":
            return ["decided", plain["seat"], plain["key"], plain["answer"]]
        case "changed":
            return ["changed", plain["target"], plain["path"], plain["before"], plain["after"]]
    return None


# --- They hold whatever can be stored ------------------------------------------------------


def all_below(kind: type) -> Iterator[type]:
    for each in kind.__subclasses__():
        yield each
        yield from all_below(each)


def tags_of_facts(package: str) -> set[str]:
    """Every tag that a fact of a package may have."""
    for game in games().values():
        assert game.procedures  # their modules are read
    kinds = [each for each in all_below(Fact) if each.__module__.startswith(f"{package}.")]
    return {str(each.__struct_config__.tag) for each in kinds}


@cache
def stored() -> dict[type, set[str]]:
    """Every type that stands in old logs, with those of its fields that are ever set."""
    found: dict[type, set[str]] = {}
    for name in VERSIONS:
        for each in structs_in([entry for log in logs(name).values() for entry in log]):
            fields = found.setdefault(type(each), set())
            if len(fields) < len(each.__struct_fields__):
                fields.update(_set_fields(each))
    return found


def _set_fields(each: msgspec.Struct) -> Iterator[str]:
    for field in fields_of(type(each)):
        if not _is_default(getattr(each, field.name), field):
            yield field.name


fields_of = cache(msgspec.structs.fields)


def _is_default(value: Any, field: msgspec.structs.FieldInfo) -> bool:
    if field.default_factory is not msgspec.NODEFAULT:
        return bool(value == field.default_factory())
    return field.default is not msgspec.NODEFAULT and bool(value == field.default)


@cache
def stored_tags(game: str) -> frozenset[str]:
    """The tags of all facts that stand in old logs of a game."""
    logged = (
        entry
        for name in VERSIONS
        for id, log in logs(name).items()
        if read_version(name).campaigns[id].state["game"] == game
        for entry in log
    )
    return frozenset(
        item.kind
        for entry in logged
        for item in items_of(entry.event)
        if isinstance(item, ToldItem)
    )


def items_of(event: AnyEvent) -> tuple[Item, ...]:
    match event:
        case happened.ProcedureBegan(procedure=begun):
            return begun.story
        case happened.AnswerGiven(items=items):
            return items
    return ()


def test_every_fact_is_in_an_old_campaign():
    missing = {
        f"{game.name}.{tag}"
        for game in games().values()
        for tag in tags_of_facts(game.package) - stored_tags(game.name)
    }
    assert missing == set(FACTS_NOT_COVERED)


@pytest.mark.parametrize("game", games().values(), ids=list(games()))
def test_every_fact_in_an_old_campaign_is_still_known(game: Game):
    """Logs and the page tell facts apart by their tags."""
    assert stored_tags(game.name) <= tags_of_facts(game.package) | tags_of_facts(FOR_ALL_GAMES)


@pytest.mark.parametrize("union", [AnyEvent, Item, AnyQuestion], ids=["events", "items", "asked"])
def test_every_type_of_the_log_is_in_an_old_campaign(union: Any):
    assert set(get_args(union)) <= set(stored()) | set(TYPES_NOT_COVERED)


def test_every_field_of_the_log_is_in_an_old_campaign():
    missing = {
        f"{kind.__struct_config__.tag or kind.__name__}.{field}"
        for kind, fields in stored().items()
        for field in kind.__struct_fields__
        if field not in fields and field != "seal"  # no entry of these campaigns has one
    }
    assert missing == set(FIELDS_NOT_COVERED)


def test_every_procedure_is_in_an_old_campaign():
    played: dict[str, set[str]] = {}
    for name in VERSIONS:
        for id, log in logs(name).items():
            game = read_version(name).campaigns[id].state["game"]
            begun = (each.event for each in log if isinstance(each.event, happened.ProcedureBegan))
            played.setdefault(game, set()).update(each.procedure.name for each in begun)
    missing = {
        f"{game.name}.{procedure}"
        for game in games().values()
        for procedure in procedures_of(game)
        if procedure not in played[game.name]
    }
    assert missing == set(PROCEDURES_NOT_COVERED)
