"""The scene as all know it: what the GM does there in secret stays with the GM."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from msgspec.structs import replace

from astragal.errors import Refusal
from astragal.games import game_named
from astragal.play import GM
from astragal.table.commands import commands as do
from astragal.table.foresight.odds import foresee
from astragal.table.log.events import LogEntry
from astragal.table.log.fold import fold
from astragal.table.log.state import Campaign, OpenProcedure, Restorable
from table.company import Company, decode, encode, played, table, usual

POISON = {"character": "advocate_ysmay", "intent": "poison Mara's cup", "task": "a pinch"}
LOOK = {"character": "mara", "intent": "look about", "task": "at the window"}
LOOK_RIDE = {
    "character": "mara",
    "ability": "Will",
    "intent": "look about",
    "successes": 2,
    "passed": True,
}
RIDES = "rides"


async def known(at: Company) -> dict[str, Any]:
    standing = (await at.state()).standing
    return standing.scene if standing.known_scene is None else standing.known_scene


async def intents(at: Company) -> tuple[list[str], list[str]]:
    """What rides, and what all know to ride."""
    both = (await at.scene(), await known(at))
    return tuple([ride["intent"] for ride in scene[RIDES]] for scene in both)  # type: ignore


async def roll(at: Company, wish: dict[str, str], secret: bool = False) -> str:
    going = await at.begin(GM, "standard_test", secret, ability="Will", **wish)
    await at.play_on(going, answers={"obstacle": 2})
    return going


async def quiet(at: Company) -> None:
    for client in at.clients.values():
        await client.hear()


async def heard_by(at: Company, seat: str) -> str:
    return " ".join(message.decode() for message in await at.clients[seat].hear())


def changes(entry: dict[str, Any], path: str = RIDES) -> list[tuple[list[str], list[str]]]:
    """What an entry says of the rides: the intents before and after."""
    return [
        tuple([each["intent"] for each in item[side]] for side in ("before", "after"))  # type: ignore
        for item in entry.get("items", ())
        if item["item"] == "changed" and item["path"] == path
    ]


@played
async def test_what_a_secret_procedure_leaves_in_the_scene_only_the_gm_sees(at: Company):
    await roll(at, LOOK)
    await quiet(at)
    await roll(at, POISON, True)
    assert await intents(at) == (["look about", "poison Mara's cup"], ["look about"])
    assert "poison" in str((await at.view(GM))["scene"])
    for seat in ("anna", "ben"):
        assert "poison" not in await heard_by(at, seat)
        seen = await at.view(seat)
        assert "poison" not in str(seen)
        assert "look about" in str(seen["scene"])
        assert at.clients[seat].view["scene"] == seen["scene"]


@played
async def test_open_changes_after_it_show_what_all_know_and_no_more(at: Company):
    await roll(at, POISON, True)
    await quiet(at)
    await roll(at, LOOK)
    assert await intents(at) == (["poison Mara's cup", "look about"], ["look about"])
    told = await heard_by(at, "anna")
    assert "look about" in told
    assert "poison" not in told
    entries = {seat: (await at.view(seat))["log"] for seat in (GM, "anna")}
    shown = {seat: [each for e in log for each in changes(e)] for seat, log in entries.items()}
    assert shown[GM][-1] == ([], ["look about"])
    assert shown["anna"] == [([], ["look about"])]
    assert "known" not in str(entries)
    # So it is in what is read later, and in what is taken home.
    assert "poison" not in await at.tables.markdown(at.id, "anna")
    assert "poison" in await at.tables.markdown(at.id, GM)
    assert "poison" not in str(await at.tables.older(at.id, "anna", 10_000))


@played
async def test_a_secret_that_others_lose_unawares_is_not_told_of(at: Company):
    await roll(at, POISON, True)
    await quiet(at)
    await at.gm(do.MakeRuling("a new day", (do.RuledValue("scene", RIDES, []),)))
    assert await intents(at) == ([], [])
    assert (await at.state()).standing.known_scene is None
    assert changes((await at.view("anna"))["log"][-1]) == []
    assert changes((await at.view(GM))["log"][-1]) == [(["poison Mara's cup"], [])]
    heard = [decode(message) for message in await at.clients["anna"].hear()]
    assert not any("scene" in update for update in heard)
    assert any("scene" in decode(message) for message in await at.clients[GM].hear())


@played
async def test_a_change_within_a_secret_entry_is_the_gms(at: Company):
    """Whoever rolls in a series that was begun in secret adds to it without knowing of it."""
    series = {"title": "the hidden war", "characters": ["mara", "advocate_ysmay"]}
    await at.begin(GM, "begin_series", True, **series)
    await quiet(at)
    await roll(at, LOOK)
    (held,) = (await at.scene())["series"]
    assert [test["character"] for test in held["tests"]] == ["mara"]
    assert (await known(at))["series"] == []
    assert "hidden war" not in await heard_by(at, "anna")
    assert "hidden war" not in str(await at.view("anna"))
    assert "hidden war" in await heard_by(at, GM)


@played
async def test_calling_it_off_and_undoing_bring_back_both(at: Company):
    await roll(at, LOOK)
    began = (await at.state()).standing
    steel = {"character": "tam", "cause": "surprise", "source": "the crypt"}
    secret = await at.begin(GM, "steel_test", True, **steel)
    await at.play_on(secret)
    assert (await at.state()).standing.known_scene == began.scene
    before = (await at.state()).seq
    other = await at.begin(GM, "standard_test", ability="Will", **{**LOOK, "intent": "listen"})
    await at.play_on(other)
    assert (await intents(at))[1] == ["look about", "listen"]
    await at.gm(do.UndoEntries(before))
    standing = (await at.state()).standing
    assert standing.known_scene == began.scene
    assert standing.scene != began.scene
    await at.gm(do.UndoEntries(before - 1 - (before - int(secret[1:]))))
    standing = (await at.state()).standing
    assert (standing.scene, standing.known_scene) == (began.scene, None)


@pytest.mark.parametrize("secret", [False, True])
@played
async def test_calling_something_off_takes_its_changes_back_where_they_were(
    at: Company, secret: bool
):
    """A duel keeps its tests in a list of the scene, in which there is a secret already."""
    await at.begin(GM, "begin_series", True, title="the hidden war", characters=["tam"])
    before = (await at.state()).standing
    duel = game_named("burning_wheel").demo.suggestions[1]
    going = await at.begin(GM, duel.procedure, secret, **duel.arguments)
    for _ in range(60):
        question = await at.asked(going)
        answer = ["point"] * 3 if question.key == "script" else usual(question.question)
        await at.do(question.seat, do.AnswerQuestion(going, question.step, answer))
        series = (await at.scene())["series"]
        if len(series) == 2 and series[1]["tests"]:
            break
    else:
        raise AssertionError("nothing in the scene changes")
    assert (await known(at))["series"] == ([] if secret else series[1:])
    assert "hidden war" not in str(await at.view("anna"))
    await at.gm(do.CancelProcedure(going))
    standing = (await at.state()).standing
    assert (standing.scene, standing.known_scene) == (before.scene, before.known_scene)


@played
async def test_the_clock_is_one_thing_whoever_sees_it_move_sees_it(at: Company):
    day = (await at.scene())["calendar"]["day"]
    await at.begin(GM, "let_time_pass", True, time="3 days")
    assert ((await at.scene())["calendar"]["day"], (await known(at))["calendar"]["day"]) == (
        day + 3,
        day,
    )
    assert f"day {day + 4} of the campaign" in str((await at.view(GM))["scene"])
    assert f"day {day + 1} of the campaign" in str((await at.view("anna"))["scene"])
    await quiet(at)
    await at.begin(GM, "let_time_pass", time="1 hour")
    assert (await known(at))["calendar"] == (await at.scene())["calendar"]
    await at.clients["anna"].hear()
    assert f"day {day + 4} of the campaign" in str(at.clients["anna"].view["scene"])


@played
async def test_secret_rulings_stay_with_the_gm_and_open_ones_are_exact(at: Company):
    await at.gm(do.MakeRuling("hush", (do.RuledValue("scene", "session", 7),), secret=True))
    assert ((await at.scene())["session"], (await known(at))["session"]) == (7, 0)
    await quiet(at)
    await at.gm(do.MakeRuling("it was the fifth", (do.RuledValue("scene", "session", 5),)))
    assert ((await at.scene())["session"], (await known(at))["session"]) == (5, 5)
    assert (await at.state()).standing.known_scene is None
    (item,) = (await at.view("anna"))["log"][-1]["items"]
    assert (item["before"], item["after"]) == (0, 5)
    (item,) = (await at.view(GM))["log"][-1]["items"]
    assert (item["before"], item["after"]) == (7, 5)


@played
async def test_a_procedure_that_was_open_meanwhile_adds_to_both(at: Company):
    going = await at.begin("anna", "standard_test", ability="Will", **LOOK)
    await roll(at, POISON, True)
    await at.play_on(going, answers={"obstacle": 2})
    assert await intents(at) == (["poison Mara's cup", "look about"], ["look about"])
    assert "poison" not in str(await at.view("anna"))


@played
async def test_a_ruling_on_somebody_in_the_middle_of_something_holds_in_both(at: Company):
    await roll(at, POISON, True)
    going = await at.begin("anna", "standard_test", ability="Will", **LOOK)
    await at.gm(do.MakeRuling("inspired", (do.RuledValue("mara", "artha.fate", 5),)))
    assert (await at.open(going)).known_scene is not None
    await at.play_on(going, answers={"obstacle": 2})
    assert await intents(at) == (["poison Mara's cup", "look about"], ["look about"])
    assert "poison" not in str(await at.view("anna"))


@played
async def test_files_and_snapshots_keep_what_is_known(at: Company):
    await roll(at, POISON, True)
    await roll(at, LOOK)
    state, log = await at.state(), await at.log()
    for seq in range(len(log)):
        kept = decode(encode(fold(Campaign(at.id, state.game, ""), log[:seq])), type=Campaign)
        assert fold(kept, log[seq:]) == state
    assert all(decode(encode(entry), type=LogEntry) == entry for entry in log)
    campaign, _ = await at.tables.import_(encode(await at.tables.export(at.id)))
    again = (await at.tables.campaign(campaign)).standing
    assert again == state.standing
    assert again.known_scene is not None
    assert Restorable().known_scene is None  # what older snapshots have


@played
async def test_pages_are_drawn_from_what_is_known(at: Company):
    """A sheet that shows something of the scene shows others what they know of it."""
    await quiet(at)
    shaken = {"character": "mara", "heartbeats": 4, "reaction": "run_screaming"}
    change = do.RuledValue("scene", "hesitating", [{**shaken, "flees_from": "Zarquon"}])
    await at.gm(do.MakeRuling("hush", (change,), secret=True))
    for seat, is_told in ((GM, True), ("anna", False), ("ben", False)):
        updates = [decode(message) for message in await at.clients[seat].hear()]
        assert any("characters" in each or "scene" in each for each in updates) is is_told
        shown = (await at.view(seat))["characters"]["mara"]
        assert ("Hesitates" in str(shown)) is is_told
        assert at.clients[seat].view["characters"]["mara"] == shown
    await at.gm(do.MakeRuling("all see it", (do.RuledValue("mara", "concept", "afraid"),)))
    await quiet(at)
    assert "Hesitates" not in str(at.clients["anna"].view["characters"])
    # What is openly put in the place of the secret is there for all.
    change = do.RuledValue("scene", "hesitating", [{**shaken, "heartbeats": 2}])
    await at.gm(do.MakeRuling("she runs", (change,)))
    await quiet(at)
    for seat in (GM, "anna"):
        view = at.clients[seat].view
        assert "2 heartbeats" in str(view["scene"])
        assert "Hesitates" in str(view["characters"]["mara"])
        assert view["characters"] == (await at.view(seat))["characters"]
    assert "Zarquon" not in str(at.clients["anna"].view)


@played
async def test_a_refusal_does_not_quote_a_secret(at: Company):
    rides = {"character": "mara", "ability": "Will", "intent": "nothing of the kind"}
    await roll(at, POISON, True)
    with pytest.raises(Refusal) as refused:
        await at.begin("anna", "next_portion", **rides)
    assert "poison" not in str(refused.value)
    with pytest.raises(Refusal, match="poison"):
        await at.begin(GM, "next_portion", **rides)


def test_where_a_secret_makes_a_difference_there_are_no_odds():
    async def play() -> None:
        async with table() as at:
            await at.sit("anna", plays="mara")
            await roll(at, POISON, True)
            going = await at.begin("anna", "standard_test", ability="Will", **LOOK)
            await at.play_on(going, until="boon", answers={"obstacle": 2})
            procedure = await at.open(going)
            game = game_named("burning_wheel")
            assert procedure.known_scene is not None

            def last(procedure: OpenProcedure, seat: str) -> Any:
                *_, found = foresee(game, procedure, seat)
                return found

            # Somebody else's cup is no matter here.
            assert last(procedure, "anna").chance == last(procedure, GM).chance is not None
            other = {**procedure.known_scene, RIDES: [{**LOOK_RIDE}]}
            found = last(replace(procedure, known_scene=other), "anna")
            assert (found.chance, found.why_not) == (None, "Something here is still secret")

    asyncio.run(play())
