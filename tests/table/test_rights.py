"""Who may do what: every command for every kind of seat, and the limits of a table."""

from __future__ import annotations

from typing import Any, get_args, get_type_hints

import pytest
from msgspec.structs import replace

from astragal.errors import BadInput, Refusal
from astragal.games import game_named
from astragal.play import GM
from astragal.table.commands import commands as do
from astragal.table.commands.decide import MOST_CHAIRS, MOST_CHARACTERS, MOST_NOTES, Deciding
from astragal.table.commands.procedures import MOST_OPEN
from astragal.table.commands.seat import Forbidden
from astragal.table.host import NoSeat
from astragal.table.log.state import Campaign, Chair, Note, Role
from astragal.table.running.session import Running
from table.company import Company, played

GAME = game_named("burning_wheel")
TEST = GAME.demo.suggestions[0]

# Each command that the GM could give now, and who else may: "own" for the player concerned.
COMMANDS: dict[type, tuple[Any, set[str]]] = {
    do.Begin: (do.Begin(TEST.procedure, {**TEST.arguments, "helpers": []}), {"anna"}),
    do.Answer: (do.Answer("{vote}", 0, "yes"), {"anna"}),
    do.Prepare: (do.Prepare("{vote}", (do.ReadyAnswer("vote", "Go on?", "yes"),)), {"anna"}),
    do.Withdraw: (do.Withdraw("{vote}"), set()),
    do.Throw: (do.Throw("1d6"), {"anna", "ben"}),
    do.Say: (do.Say("hello"), {"anna", "ben", "watcher"}),
    do.OwnDice: (do.OwnDice(True), {"anna", "ben"}),
    do.Note: (do.Note("mine", "text"), {"anna", "ben", "watcher"}),
    do.Edit: (do.Edit("mara", "concept", "somebody"), {"anna"}),
    do.Nod: (do.Nod("{proposal}", True), set()),
    do.Join: (do.Join("new", ready="tam"), {"cleo"}),
    do.Give: (do.Give("tam", "anna"), set()),
    do.Leave: (do.Leave("tam"), set()),
    do.Rule: (do.Rule("so", (do.Overruled("mara", "concept", "x"),)), set()),
    do.Undo: (do.Undo(5), set()),
    do.Pause: (do.Pause(), set()),
    do.Resume: (do.Resume(), set()),
    do.SeatSomebody: (do.SeatSomebody("dov", "Dov"), set()),
    do.Title: (do.Title("New"), set()),
    do.Read: (do.Read({"edition": "gold"}), set()),
    do.BeginSession: (do.BeginSession(), set()),
    do.EndSession: (do.EndSession(), set()),
}


def test_every_command_is_in_the_matrix():
    assert set(COMMANDS) == set(get_args(do.AnyCommand))


@pytest.mark.parametrize("kind", COMMANDS, ids=lambda kind: kind.__name__)
@pytest.mark.parametrize("seat", [GM, "anna", "ben", "cleo", "watcher"])
@played
async def test_each_seat_does_what_is_its_own(at: Company, kind: type, seat: str):
    command, allowed = COMMANDS[kind]
    await at.sit("cleo")
    await at.sit("watcher", Role.SPECTATOR)
    proposal = f"e{await at.do('ben', do.Edit('tam', 'concept', 'x'))}"
    vote = await at.begin(GM, "vote", question="Go on?", choices=["yes", "no"], voters=["anna"])
    if kind is do.BeginSession:
        await at.gm(do.EndSession())
    if kind is do.Resume:
        await at.gm(do.Pause())
    if hasattr(command, "procedure") and command.procedure == "{vote}":
        command = replace(command, procedure=vote)
    if kind is do.Nod:
        command = replace(command, proposal=proposal)
    gm_is_asked = kind not in (do.Answer, do.Prepare)
    may = seat in allowed or (seat == GM and gm_is_asked)
    may = may or (kind in (do.Throw, do.OwnDice, do.Say, do.Note) and seat == "cleo")
    before = await at.state()
    if may:
        await at.do(seat, command)
        assert (await at.state()).seq == before.seq + 1
        return
    if kind is do.Prepare and seat != "watcher":
        return  # others may prepare, too: nothing is asked of them
    with pytest.raises(Refusal) as refused:
        await at.do(seat, command)
    assert await at.state() == before
    if seat == "watcher":
        assert isinstance(refused.value, Forbidden)


@played
async def test_while_the_game_is_paused_players_only_talk(at: Company):
    test = await at.begin("anna", TEST.procedure, **TEST.arguments)
    await at.gm(do.Pause("the pizza is here"))
    assert (await at.view("anna"))["campaign"]["paused"] == "the pizza is here"
    for command in (do.Throw("1d6"), do.OwnDice(True), do.Withdraw(test), do.Edit("mara", "a", 1)):
        with pytest.raises(Forbidden, match="paused"):
            await at.do("anna", command)
    await at.do("anna", do.Say("mushrooms for me"))
    await at.do("anna", do.Note("order", "mushrooms"))
    with pytest.raises(Refusal, match="paused already"):
        await at.gm(do.Pause())
    await at.gm(do.Answer(test, 0, True))  # the GM may go on preparing
    await at.gm(do.Resume())
    await at.do("anna", do.Throw("1d6"))
    with pytest.raises(Refusal, match="not paused"):
        await at.gm(do.Resume())


@played
async def test_some_procedures_and_all_secrets_are_the_gms(at: Company):
    steel = {"character": "mara", "cause": "surprise", "source": "a cat"}
    with pytest.raises(Forbidden, match="only the GM begins this"):
        await at.do("anna", do.Begin("steel_test", steel))
    with pytest.raises(Forbidden, match="only the GM plays in secret"):
        await at.do("anna", do.Begin(TEST.procedure, TEST.arguments, True))
    with pytest.raises(Forbidden, match="a character of your own"):
        await at.do("ben", do.Begin(TEST.procedure, {**TEST.arguments, "helpers": []}))
    with pytest.raises(BadInput, match="procedure"):
        await at.gm(do.Begin("no_such_thing"))


@played
async def test_a_player_brings_one_character_for_himself(at: Company):
    await at.sit("cleo")
    for command in (
        do.Join("x", ready="tam", seat="anna"),
        do.Join("x", ready="tam", hidden=True),
        do.Join("x", sketch="A guard"),
        do.Join("tam", ready="tam"),
    ):
        with pytest.raises(Forbidden):
            await at.do("cleo", command)
    for command in (do.Join("x"), do.Join("x", ready="tam", sheet={"name": "X"})):
        with pytest.raises(BadInput, match="one of the three"):
            await at.do("cleo", command)
    for key in ("scene", "gm"):
        with pytest.raises(BadInput, match="taken by the table itself"):
            await at.do("cleo", do.Join(key, ready="tam"))
    await at.do("cleo", do.Join("x", ready="tam"))
    assert (await at.sheet("x"))["player"] == "cleo"
    with pytest.raises(Forbidden, match="already"):
        await at.do("cleo", do.Join("y", ready="tam"))


@played
async def test_characters_are_given_to_those_who_play(at: Company):
    await at.sit("watcher", Role.SPECTATOR)
    sheet = await at.sheet("tam")
    await at.gm(do.Give("tam", "anna"))
    assert await at.sheet("tam") == {**sheet, "player": "anna"}
    for seat in ("watcher", "nobody"):
        with pytest.raises(BadInput, match="a player's seat"):
            await at.gm(do.Give("tam", seat))
    await at.gm(do.SeatSomebody("ben", "Ben", gone=True))
    with pytest.raises(BadInput, match="a player's seat"):
        await at.gm(do.Give("tam", "ben"))


@played
async def test_seats(at: Company):
    for command in (
        do.SeatSomebody("gm", "Me", Role.PLAYER),
        do.SeatSomebody("dov", "Dov", Role.GM),
        do.SeatSomebody("gm", "Me", Role.GM, gone=True),
        do.SeatSomebody("mara", "Mara"),
        do.SeatSomebody("scene", "Scene"),
        do.SeatSomebody("dov", "  "),
    ):
        with pytest.raises(BadInput):
            await at.gm(command)
    await at.do("anna", do.OwnDice(True))
    await at.gm(do.SeatSomebody("anna", "Annie"))
    assert (await at.state()).chairs["anna"] == Chair("anna", "Annie", Role.PLAYER, own_dice=True)
    await at.gm(do.SeatSomebody("anna", "Annie", gone=True))
    with pytest.raises(NoSeat):
        await at.do("anna", do.Say("am I still here?"))


@played
async def test_who_proposes_an_edit_waits_for_the_gms_nod(at: Company):
    before = await at.sheet("mara")
    seq = await at.do("anna", do.Edit("mara", "concept", "a captain", "she bought a ship"))
    assert await at.sheet("mara") == before
    (proposal,) = (await at.view(GM))["proposals"]
    assert (proposal["id"], proposal["before"], proposal["after"]) == (
        f"e{seq}",
        before["concept"],
        "a captain",
    )
    assert len((await at.view("anna"))["proposals"]) == 1
    assert (await at.view("ben"))["proposals"] == []
    with pytest.raises(Forbidden, match="only the GM nods"):
        await at.do("anna", do.Nod(f"e{seq}", True))
    with pytest.raises(Forbidden):
        await at.do("ben", do.Nod(f"e{seq}", False))
    await at.gm(do.Nod(f"e{seq}", True))
    assert (await at.sheet("mara"))["concept"] == "a captain"
    assert (await at.state()).proposals == {}
    with pytest.raises(BadInput, match="one that waits"):
        await at.gm(do.Nod(f"e{seq}", True))


@played
async def test_who_proposed_hears_why_not(at: Company):
    seq = await at.do("anna", do.Edit("mara", "concept", "a captain"))
    await at.gm(do.Nod(f"e{seq}", False, "not yet"))
    assert "not yet" in (await at.view("anna"))["log"][-1]["text"]
    assert "not yet" not in str(await at.view("ben"))
    seq = await at.do("anna", do.Edit("mara", "concept", "a captain"))
    await at.do("anna", do.Nod(f"e{seq}", False))  # takes it back
    assert (await at.state()).proposals == {}


@played
async def test_where_the_group_edits_freely_no_nod_is_needed(at: Company):
    await at.gm(do.Title("Ours", free_edits=True))
    await at.do("anna", do.Edit("mara", "concept", "a captain"))
    assert (await at.sheet("mara"))["concept"] == "a captain"
    with pytest.raises(Forbidden, match="not yours"):
        await at.do("anna", do.Edit("tam", "concept", "a cat"))
    for path, value in (("nowhere", 1), ("artha.fate", "x"), ("player", "ben"), ("skills.X", 3)):
        before = await at.state()
        with pytest.raises(BadInput):
            await at.do("anna", do.Edit("mara", path, value))
        assert await at.state() == before


def deciding(campaign: Campaign) -> Deciding:
    return Deciding(campaign, GAME, GM, running=lambda each: Running(GAME, each))


@played
async def test_a_table_has_its_limits(at: Company):
    state = await at.state()
    chairs = {f"s{n}": Chair(f"s{n}", "S", Role.PLAYER) for n in range(MOST_CHAIRS - 1)}
    full = replace(state, chairs={**chairs, GM: state.chairs[GM]})
    with pytest.raises(Refusal, match=f"{MOST_CHAIRS} seats"):
        deciding(full).event(do.SeatSomebody("more", "More"))
    deciding(full).event(do.SeatSomebody("s1", "Other"))
    mara = state.standing.characters["mara"]
    crowd = {f"c{n}": mara for n in range(MOST_CHARACTERS)}
    full = replace(state, standing=replace(state.standing, characters=crowd))
    with pytest.raises(Refusal, match=f"{MOST_CHARACTERS} characters"):
        deciding(full).event(do.Join("more", ready="tam"))
    notes = {f"n{n}": Note(f"n{n}", GM, "x") for n in range(MOST_NOTES)}
    full = replace(state, notes=notes)
    with pytest.raises(Refusal, match=f"{MOST_NOTES} notes"):
        deciding(full).event(do.Note("more", "x"))
    deciding(full).event(do.Note("n1", ""))
    vote = await at.begin(GM, "vote", question="?", choices=["a", "b"], voters=[GM])
    state = await at.state()
    going_on = {f"p{n}": state.standing.open[vote] for n in range(MOST_OPEN)}
    full = replace(state, standing=replace(state.standing, open=going_on))
    with pytest.raises(Refusal, match=f"{MOST_OPEN} things are going on"):
        deciding(full).event(do.Begin("vote", {"question": "?", "choices": ["a"], "voters": [GM]}))


@pytest.mark.parametrize("dice", ["", "0d6", "d", "9999999d6", "1d0", "1d999", "5X", "1d6+" * 20])
@played
async def test_no_dice_that_nobody_could_throw(at: Company, dice: str):
    before = await at.state()
    with pytest.raises(Refusal):
        await at.gm(do.Throw(dice))
    assert await at.state() == before


@played
async def test_notes_are_their_writers_own(at: Company):
    await at.do("anna", do.Note("n", "first", shared=True))
    assert [note["text"] for note in (await at.view("ben"))["notes"]] == ["first"]
    with pytest.raises(Forbidden, match="somebody else's"):
        await at.do("ben", do.Note("n", "mine now"))
    with pytest.raises(Forbidden):
        await at.gm(do.Note("n", ""))
    await at.do("anna", do.Note("n", "second"))
    assert (await at.view("ben"))["notes"] == []
    await at.do("anna", do.Note("n", ""))
    assert (await at.state()).notes == {}
    with pytest.raises(BadInput, match="no such note"):
        await at.do("anna", do.Note("n", ""))


@played
async def test_the_rules_are_read_otherwise_from_now_on(at: Company):
    await at.gm(do.Read({"edition": "gold"}))
    assert (await at.view("anna"))["campaign"]["options"] == {"edition": "gold"}
    with pytest.raises(BadInput, match="read so now"):
        await at.gm(do.Read({"edition": "gold"}))
    for wrong in ({"edition": "silver"}, {"no_option": "x"}):
        with pytest.raises(BadInput):
            await at.gm(do.Read(wrong))


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
    with pytest.raises(Forbidden, match="only the GM begins this"):
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
