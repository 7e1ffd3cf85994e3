"""Who may do what: every command for every kind of seat, and the limits of a table."""

from __future__ import annotations

from typing import Any, get_args, get_type_hints

import pytest
from msgspec.structs import replace

from astragal.errors import BadInput, Refusal
from astragal.games import game_named
from astragal.play import GM
from astragal.table.command_handler import NoSeat
from astragal.table.commands import commands as do
from astragal.table.commands.decide import MOST_CHAIRS, MOST_CHARACTERS, MOST_NOTES, CommandDecider
from astragal.table.commands.procedures import MOST_OPEN
from astragal.table.commands.seat import Forbidden
from astragal.table.log.state import Campaign, Chair, Note, Role
from astragal.table.running.session import RunningProcedure
from table.company import Company, played
from table.drawn import png

GAME = game_named("burning_wheel")
PIXEL = png()
TEST = GAME.demo.suggestions[0]

# Each command that the GM could give now, and who else may: "own" for the player concerned.
COMMANDS: dict[type, tuple[Any, set[str]]] = {
    do.BeginProcedure: (
        do.BeginProcedure(TEST.procedure, {**TEST.arguments, "helpers": []}),
        {"anna"},
    ),
    do.AnswerQuestion: (do.AnswerQuestion("{vote}", 0, "yes"), {"anna"}),
    do.DraftAnswers: (
        do.DraftAnswers("{vote}", (do.ReadyAnswer("vote", "Go on?", "yes"),)),
        {"anna", "ben", "cleo"},  # nothing is asked of others, and nothing comes of it
    ),
    do.ReleaseDice: (do.ReleaseDice("{test}"), {"anna"}),
    do.HoldCard: (do.HoldCard("{test}", True), set()),
    do.CancelProcedure: (do.CancelProcedure("{vote}"), set()),
    do.ThrowDice: (do.ThrowDice("1d6"), {"anna", "ben"}),
    do.SendMessage: (do.SendMessage("hello"), {"anna", "ben", "watcher"}),
    do.UseOwnDice: (do.UseOwnDice(True), {"anna", "ben"}),
    do.WriteNote: (do.WriteNote("mine", "text"), {"anna", "ben", "watcher"}),
    do.SaveTest: (
        do.SaveTest("gate", "The gate", TEST.procedure, TEST.arguments),
        {"anna", "ben", "cleo"},
    ),
    do.RaiseXCard: (do.RaiseXCard(), {"anna", "ben", "cleo", "watcher"}),
    do.ShowHandout: (do.ShowHandout("map", "A map", "Here it is."), set()),
    do.RemoveHandout: (do.RemoveHandout("{handout}"), set()),
    do.ChangePortrait: (do.ChangePortrait("mara", "{image}"), {"anna"}),
    do.EditSheet: (do.EditSheet("mara", "concept", "somebody"), {"anna"}),
    do.ReviewEdit: (do.ReviewEdit("{proposal}", True), set()),
    do.AddCharacter: (do.AddCharacter("new", ready="tam"), {"cleo"}),
    do.GiveToTable: (do.GiveToTable("advocate_ysmay"), set()),
    do.GiveCharacter: (do.GiveCharacter("tam", "anna"), set()),
    do.RemoveCharacter: (do.RemoveCharacter("tam"), set()),
    do.MakeRuling: (do.MakeRuling("so", (do.RuledValue("mara", "concept", "x"),)), set()),
    do.UndoEntries: (do.UndoEntries(5), set()),
    do.PauseGame: (do.PauseGame(), set()),
    do.ResumeGame: (do.ResumeGame(), set()),
    do.ChangeSeat: (do.ChangeSeat("dov", "Dov"), set()),
    do.ChangeTitle: (do.ChangeTitle("New"), set()),
    do.ChangeHouseRules: (do.ChangeHouseRules({"edition": "gold"}), set()),
    do.BeginDiceSession: (do.BeginDiceSession(), set()),
    do.EndDiceSession: (do.EndDiceSession(), set()),
    do.ContributeToDice: (do.ContributeToDice(1, "ab" * 32), {"anna", "ben", "cleo"}),
}


def test_every_command_is_in_the_matrix():
    assert set(COMMANDS) == set(get_args(do.AnyCommand))


@pytest.mark.slow
@pytest.mark.parametrize("kind", COMMANDS, ids=lambda kind: kind.__name__)
@pytest.mark.parametrize("seat", [GM, "anna", "ben", "cleo", "watcher"])
@played
async def test_each_seat_does_what_is_its_own(at: Company, kind: type, seat: str):
    command, allowed = COMMANDS[kind]
    await at.sit("cleo")
    await at.sit("watcher", Role.SPECTATOR)
    proposal = f"e{await at.do('ben', do.EditSheet('tam', 'concept', 'x'))}"
    vote = await at.begin(GM, "vote", question="Go on?", choices=["yes", "no"], voters=["anna"])
    if kind is do.BeginDiceSession:
        await at.gm(do.EndDiceSession())
    if kind is do.ResumeGame:
        await at.gm(do.PauseGame())
    if hasattr(command, "procedure") and command.procedure == "{vote}":
        command = replace(command, procedure=vote)
    if hasattr(command, "procedure") and command.procedure == "{test}":
        test = await at.begin("anna", TEST.procedure, **{**TEST.arguments, "helpers": []})
        command = replace(command, procedure=test)
    if kind is do.RemoveHandout:
        await at.gm(do.ShowHandout("letter", "A letter", "Dear Mara"))
        command = replace(command, id="letter")
    if kind is do.ChangePortrait:
        command = replace(command, image=await at.tables.keep_image(at.id, GM, PIXEL))
    if kind is do.ReviewEdit:
        command = replace(command, proposal=proposal)
    gm_is_asked = kind not in (do.AnswerQuestion, do.ReleaseDice, do.ContributeToDice)
    may = seat in allowed or (seat == GM and gm_is_asked)
    may = may or (
        kind in (do.ThrowDice, do.UseOwnDice, do.SendMessage, do.WriteNote) and seat == "cleo"
    )
    before = await at.state()
    if may:
        await at.do(seat, command)
        assert (await at.state()).seq == before.seq + 1
        return
    with pytest.raises(Refusal) as refused:
        await at.do(seat, command)
    assert await at.state() == before
    if seat == "watcher":
        assert isinstance(refused.value, Forbidden)


@played
async def test_while_the_game_is_paused_players_only_talk(at: Company):
    test = await at.begin("anna", TEST.procedure, **TEST.arguments)
    await at.gm(do.PauseGame("the pizza is here"))
    assert (await at.view("anna"))["campaign"]["paused"] == "the pizza is here"
    for command in (
        do.ThrowDice("1d6"),
        do.UseOwnDice(True),
        do.CancelProcedure(test),
        do.EditSheet("mara", "a", 1),
    ):
        with pytest.raises(Forbidden, match="paused"):
            await at.do("anna", command)
    await at.do("anna", do.SendMessage("mushrooms for me"))
    await at.do("anna", do.WriteNote("order", "mushrooms"))
    with pytest.raises(Refusal, match="already paused"):
        await at.gm(do.PauseGame())
    await at.gm(do.AnswerQuestion(test, 0, True))  # the GM may go on preparing
    await at.gm(do.ResumeGame())
    await at.do("anna", do.ThrowDice("1d6"))
    with pytest.raises(Refusal, match="not paused"):
        await at.gm(do.ResumeGame())


@played
async def test_some_procedures_and_all_secrets_are_the_gms(at: Company):
    steel = {"character": "mara", "cause": "surprise", "source": "a cat"}
    with pytest.raises(Forbidden, match="Only the GM can start this"):
        await at.do("anna", do.BeginProcedure("steel_test", steel))
    with pytest.raises(Forbidden, match="Only the GM can act in secret"):
        await at.do("anna", do.BeginProcedure(TEST.procedure, TEST.arguments, True))
    with pytest.raises(Forbidden, match="a character of your own"):
        await at.do("ben", do.BeginProcedure(TEST.procedure, {**TEST.arguments, "helpers": []}))
    with pytest.raises(BadInput, match="procedure"):
        await at.gm(do.BeginProcedure("no_such_thing"))


@played
async def test_a_player_brings_one_character_for_himself(at: Company):
    await at.sit("cleo")
    for command in (
        do.AddCharacter("x", ready="tam", seat="anna"),
        do.AddCharacter("x", ready="tam", hidden=True),
        do.AddCharacter("x", sketch="A guard"),
        do.AddCharacter("tam", ready="tam"),
    ):
        with pytest.raises(Forbidden):
            await at.do("cleo", command)
    for command in (do.AddCharacter("x"), do.AddCharacter("x", ready="tam", sheet={"name": "X"})):
        with pytest.raises(BadInput, match="one of these"):
            await at.do("cleo", command)
    for key in ("scene", "gm"):
        with pytest.raises(BadInput, match="this one is reserved"):
            await at.do("cleo", do.AddCharacter(key, ready="tam"))
    await at.do("cleo", do.AddCharacter("x", ready="tam"))
    assert (await at.sheet("x_cleo"))["player"] == "cleo"
    with pytest.raises(Forbidden, match="already"):
        await at.do("cleo", do.AddCharacter("y", ready="tam"))


@played
async def test_characters_are_given_to_those_who_play(at: Company):
    await at.sit("watcher", Role.SPECTATOR)
    sheet = await at.sheet("tam")
    await at.gm(do.GiveCharacter("tam", "anna"))
    assert await at.sheet("tam") == {**sheet, "player": "anna"}
    for seat in ("watcher", "nobody"):
        with pytest.raises(BadInput, match="a player's seat"):
            await at.gm(do.GiveCharacter("tam", seat))
    await at.gm(do.ChangeSeat("ben", "Ben", gone=True))
    with pytest.raises(BadInput, match="a player's seat"):
        await at.gm(do.GiveCharacter("tam", "ben"))


@played
async def test_seats(at: Company):
    for command in (
        do.ChangeSeat("gm", "Me", Role.PLAYER),
        do.ChangeSeat("dov", "Dov", Role.GM),
        do.ChangeSeat("gm", "Me", Role.GM, gone=True),
        do.ChangeSeat("mara", "Mara"),
        do.ChangeSeat("scene", "Scene"),
        do.ChangeSeat("dov", "  "),
    ):
        with pytest.raises(BadInput):
            await at.gm(command)
    await at.do("anna", do.UseOwnDice(True))
    await at.gm(do.ChangeSeat("anna", "Annie"))
    assert (await at.state()).chairs["anna"] == Chair("anna", "Annie", Role.PLAYER, own_dice=True)
    await at.gm(do.ChangeSeat("anna", "Annie", gone=True))
    with pytest.raises(NoSeat):
        await at.do("anna", do.SendMessage("am I still here?"))


@played
async def test_who_proposes_an_edit_waits_for_the_gms_nod(at: Company):
    before = await at.sheet("mara")
    seq = await at.do("anna", do.EditSheet("mara", "concept", "a captain", "she bought a ship"))
    assert await at.sheet("mara") == before
    (proposal,) = (await at.view(GM))["proposals"]
    assert (proposal["id"], proposal["before"], proposal["after"]) == (
        f"e{seq}",
        before["concept"],
        "a captain",
    )
    assert len((await at.view("anna"))["proposals"]) == 1
    assert (await at.view("ben"))["proposals"] == []
    with pytest.raises(Forbidden, match="Only the GM can approve"):
        await at.do("anna", do.ReviewEdit(f"e{seq}", True))
    with pytest.raises(BadInput):
        await at.do("ben", do.ReviewEdit(f"e{seq}", False))
    await at.gm(do.ReviewEdit(f"e{seq}", True))
    assert (await at.sheet("mara"))["concept"] == "a captain"
    assert (await at.state()).proposals == {}
    with pytest.raises(BadInput, match="a proposed edit"):
        await at.gm(do.ReviewEdit(f"e{seq}", True))


@played
async def test_who_proposed_hears_why_not(at: Company):
    seq = await at.do("anna", do.EditSheet("mara", "concept", "a captain"))
    await at.gm(do.ReviewEdit(f"e{seq}", False, "not yet"))
    assert "not yet" in (await at.view("anna"))["log"][-1]["text"]
    assert "not yet" not in str(await at.view("ben"))
    seq = await at.do("anna", do.EditSheet("mara", "concept", "a captain"))
    await at.do("anna", do.ReviewEdit(f"e{seq}", False))  # takes it back
    assert (await at.state()).proposals == {}


@played
async def test_where_the_group_edits_freely_no_nod_is_needed(at: Company):
    await at.gm(do.ChangeTitle("Ours", free_edits=True))
    await at.do("anna", do.EditSheet("mara", "concept", "a captain"))
    assert (await at.sheet("mara"))["concept"] == "a captain"
    with pytest.raises(Forbidden, match="not your character"):
        await at.do("anna", do.EditSheet("tam", "concept", "a cat"))
    for path, value in (("nowhere", 1), ("artha.fate", "x"), ("player", "ben"), ("skills.X", 3)):
        before = await at.state()
        with pytest.raises(BadInput):
            await at.do("anna", do.EditSheet("mara", path, value))
        assert await at.state() == before


def deciding(campaign: Campaign) -> CommandDecider:
    return CommandDecider(campaign, GAME, GM, running=lambda each: RunningProcedure(GAME, each))


@played
async def test_a_table_has_its_limits(at: Company):
    state = await at.state()
    chairs = {f"s{n}": Chair(f"s{n}", "S", Role.PLAYER) for n in range(MOST_CHAIRS - 1)}
    full = replace(state, chairs={**chairs, GM: state.chairs[GM]})
    with pytest.raises(Refusal, match=f"{MOST_CHAIRS} seats"):
        deciding(full).event(do.ChangeSeat("more", "More"))
    deciding(full).event(do.ChangeSeat("s1", "Other"))
    mara = state.standing.characters["mara"]
    crowd = {f"c{n}": mara for n in range(MOST_CHARACTERS)}
    full = replace(state, standing=replace(state.standing, characters=crowd))
    with pytest.raises(Refusal, match=f"{MOST_CHARACTERS} characters"):
        deciding(full).event(do.AddCharacter("more", ready="tam"))
    notes = {f"n{n}": Note(f"n{n}", GM, "x") for n in range(MOST_NOTES)}
    full = replace(state, notes=notes)
    with pytest.raises(Refusal, match=f"{MOST_NOTES} notes"):
        deciding(full).event(do.WriteNote("more", "x"))
    deciding(full).event(do.WriteNote("n1", ""))
    vote = await at.begin(GM, "vote", question="?", choices=["a", "b"], voters=[GM])
    state = await at.state()
    going_on = {f"p{n}": state.standing.open[vote] for n in range(MOST_OPEN)}
    full = replace(state, standing=replace(state.standing, open=going_on))
    with pytest.raises(Refusal, match=f"{MOST_OPEN} tests and actions are already open"):
        deciding(full).event(
            do.BeginProcedure("vote", {"question": "?", "choices": ["a"], "voters": [GM]})
        )


@pytest.mark.parametrize("dice", ["", "0d6", "d", "9999999d6", "1d0", "1d999", "5X", "1d6+" * 20])
@played
async def test_no_dice_that_nobody_could_throw(at: Company, dice: str):
    before = await at.state()
    with pytest.raises(Refusal):
        await at.gm(do.ThrowDice(dice))
    assert await at.state() == before


@played
async def test_notes_are_their_writers_own(at: Company):
    await at.do("anna", do.WriteNote("n", "first", shared=True))
    assert [note["text"] for note in (await at.view("ben"))["notes"]] == ["first"]
    with pytest.raises(Forbidden, match="belongs to somebody else"):
        await at.do("ben", do.WriteNote("n", "mine now"))
    with pytest.raises(Forbidden):
        await at.gm(do.WriteNote("n", "the GM's words"))
    await at.do("anna", do.WriteNote("n", "second"))
    assert (await at.view("ben"))["notes"] == []
    with pytest.raises(BadInput, match="no such note"):
        await at.gm(do.WriteNote("n", ""))
    assert [note.text for note in (await at.state()).notes.values()] == ["second"]
    await at.do("anna", do.WriteNote("n", ""))
    assert (await at.state()).notes == {}
    # A note that somebody shares is the one that the GM deletes, whoever else has one of its name.
    await at.do("anna", do.WriteNote("n", "private"))
    await at.do("ben", do.WriteNote("n", "shared", shared=True))
    with pytest.raises(Forbidden, match="belongs to somebody else"):
        await at.gm(do.WriteNote("n", "the GM's words"))
    await at.gm(do.WriteNote("n", ""))
    assert [note.text for note in (await at.state()).notes.values()] == ["private"]
    await at.do("anna", do.WriteNote("n", ""))
    with pytest.raises(BadInput, match="no such note"):
        await at.do("anna", do.WriteNote("n", ""))


@played
async def test_the_rules_are_read_otherwise_from_now_on(at: Company):
    await at.gm(do.ChangeHouseRules({"edition": "gold"}))
    assert (await at.view("anna"))["campaign"]["options"] == {"edition": "gold"}
    with pytest.raises(BadInput, match="already set"):
        await at.gm(do.ChangeHouseRules({"edition": "gold"}))
    for wrong in ({"edition": "silver"}, {"no_option": "x"}):
        with pytest.raises(BadInput):
            await at.gm(do.ChangeHouseRules(wrong))


@pytest.mark.parametrize(
    ("procedure", "arguments"),
    [
        ("blow", {"successes": 9, "obstacle": 1, "target": "tam"}),
        ("throw_against", {"successes": 9, "target": "tam"}),
        ("block_and_strike", {"attack": 0}),
        ("shield_defence", {"attack": 0}),
        ("armor_test", {"location": "torso", "damage": "B12", "attacker": "tam"}),
    ],
)
@played
async def test_what_dice_came_to_is_for_the_gm_to_say(
    at: Company, procedure: str, arguments: dict[str, Any]
):
    with pytest.raises(Forbidden, match="Only the GM can start this"):
        await at.begin("anna", procedure, character="mara", **arguments)
    # So it is with every argument of that kind.
    fields = set(GAME.procedures[procedure].arguments.__struct_fields__)
    assert fields >= {"character", *arguments}


def test_no_player_tells_a_procedure_what_was_rolled():
    said = {"successes", "attack", "defence", "margin", "rolled", "faces"}
    told = {
        name
        for name, each in GAME.procedures.items()
        for field, kind in get_type_hints(each.arguments).items()
        if field in said and kind is int
    }
    assert {"blow", "throw_against", "block_and_strike", "shield_defence"} <= told
    assert all(GAME.procedure(name).gm_only for name in told)
