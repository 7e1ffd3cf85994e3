"""Taking back: an undo, an undo of an undo, and calling a procedure off."""

from __future__ import annotations

import pytest

from astragal.errors import BadInput
from astragal.games import game_named
from astragal.play import GM
from astragal.table.commands import commands as do
from table.company import Company, played
from table.test_rulings import spent_already

TEST, DUEL = game_named("burning_wheel").demo.suggestions[:2]


async def undone(at: Company, seat: str = GM) -> list[int]:
    return [entry["seq"] for entry in (await at.view(seat))["log"] if entry.get("undone")]


@played
async def test_the_last_step_is_taken_back(at: Company):
    test = await at.begin("anna", TEST.procedure, **TEST.arguments)
    await at.play_on(test, until="boon")
    stood = (await at.state()).standing
    await at.answer(test, "anna", 1)
    assert (await at.state()).standing != stood
    last = (await at.state()).seq
    await at.gm(do.UndoEntries(last - 1, "a slip"))
    assert (await at.state()).standing == stood
    assert await undone(at, "ben") == [last]
    # It goes on from there, to another end.
    await at.answer(test, "anna", 0)
    await at.play_on(test)
    assert not await at.is_open(test)


@pytest.mark.slow
@played
async def test_sheets_and_scene_are_as_they_were_before_a_whole_test(at: Company):
    before = (await at.state()).standing
    to = (await at.state()).seq
    test = await at.begin("anna", TEST.procedure, **TEST.arguments)
    await at.play_on(test, answers={"boon": 1})
    after = (await at.state()).standing
    assert after.characters["mara"] != before.characters["mara"]
    assert after.scene != before.scene
    ended = (await at.state()).seq
    await at.gm(do.UndoEntries(to))
    assert (await at.state()).standing == before
    assert await undone(at) == list(range(to + 1, ended + 1))
    # And an undo of the undo brings all of it back.
    await at.gm(do.UndoEntries(ended))
    assert (await at.state()).standing == after
    assert await undone(at) == [ended + 1]
    for client in at.clients.values():
        await client.hear()
        gone = [entry["seq"] for entry in client.view["log"] if entry.get("undone")]
        assert gone == [ended + 1]


@played
async def test_dice_are_never_thrown_twice_for_having_been_taken_back(at: Company):
    await at.gm(do.ThrowDice("5d6"))
    first = (await at.last()).rolled
    await at.gm(do.UndoEntries((await at.state()).seq - 1))
    await at.gm(do.ThrowDice("5d6"))
    second = (await at.last()).rolled
    assert (first.index, second.index) == (0, 1)


@pytest.mark.parametrize("to", [0, -1, 10_000])
@played
async def test_nobody_goes_back_to_where_nothing_was(at: Company, to: int):
    with pytest.raises(BadInput, match="an entry before the last one"):
        await at.gm(do.UndoEntries(to))


@played
async def test_the_last_entry_itself_is_no_place_to_go_back_to(at: Company):
    with pytest.raises(BadInput, match="an entry before the last one"):
        await at.gm(do.UndoEntries((await at.state()).seq))


@played
async def test_notes_seats_and_sessions_are_not_taken_back(at: Company):
    to = (await at.state()).seq
    await at.do("anna", do.WriteNote("n1", "remember the door"))
    await at.gm(do.ChangeSeat("cleo", "Cleo"))
    await at.gm(do.EndDiceSession())
    await at.gm(do.UndoEntries(to))
    state = await at.state()
    assert state.notes["n1"].text == "remember the door"
    assert "cleo" in state.chairs
    assert state.session is None


@played
async def test_calling_it_off_leaves_everything_as_it_was(at: Company):
    test = await spent_already(at)
    began = (await at.open(test)).began
    before = (await at.tables.open_campaigns.at(at.id, began - 1)).standing
    assert (await at.state()).standing.characters != before.characters
    await at.gm(do.CancelProcedure(test, "never mind"))
    assert (await at.state()).standing == before


@played
async def test_calling_one_off_keeps_what_another_did_to_the_scene(at: Company):
    await at.do("anna", do.UseOwnDice(True))
    one = await at.begin("anna", "open_test", character="mara", ability="Health")
    two = await at.begin(GM, "steel_test", character="tam", cause="surprise", source="a shadow")
    await at.play_on(two)
    left = await at.scene()
    await at.play_on(one, until="faces")
    await at.answer(one, "anna", [6, *[2] * ((await at.asked(one)).question.count - 1)])
    assert (await at.asked(one)).key == "after_roll"
    await at.gm(do.CancelProcedure(one))
    assert await at.scene() == left


@pytest.mark.parametrize("seat", [GM, "ben"])
@played
async def test_an_undo_names_the_procedure_that_it_undoes(at: Company, seat: str):
    to = (await at.state()).seq
    test = await at.begin("anna", TEST.procedure, **TEST.arguments)
    title = (await at.open(test)).title
    await at.play_on(test, until="boon")
    await at.gm(do.UndoEntries((await at.state()).seq - 1, "a slip."))
    await at.gm(do.UndoEntries(to))
    said = [entry["text"] for entry in (await at.view(seat))["log"][-2:]]
    assert said == [
        f"GM undoes {title} and everything after it: a slip.",
        f"GM undoes {title} and everything after it.",
    ]


@played
async def test_an_undo_does_not_name_what_is_no_procedure_or_secret(at: Company):
    to = (await at.state()).seq
    await at.gm(do.SendMessage("Let us see."))
    await at.gm(do.UndoEntries(to))
    secret = await at.begin(
        GM, "steel_test", True, character="tam", cause="surprise", source="a shadow"
    )
    await at.play_on(secret, until="circumstances")
    await at.gm(do.UndoEntries((await at.state()).seq - 1))
    await at.gm(do.UndoEntries(to + 2))
    view = await at.view("ben")
    said = [entry["text"] for entry in view["log"] if entry["kind"] == "undone"]
    assert said[0] == f"GM undoes everything after entry {to}."
    assert all(text.startswith("GM undoes everything after entry ") for text in said)
    assert len(said) == 3


@played
async def test_what_was_shown_is_decided_anew_by_all(at: Company):
    """The GM sees Anna's first card, and goes back to before his own script: hers is open, too."""
    duel = await at.begin(GM, DUEL.procedure, **DUEL.arguments)
    await at.play_on(duel, until="script")
    asked = await at.open(duel)
    await at.answer(duel, "anna", ["feint", "incite", "avoid"])
    sealed = (await at.state()).seq
    await at.answer(duel, GM, ["point", "point", "point"])
    await at.gm(do.UndoEntries(sealed, "once more"))
    after = await at.open(duel)
    assert (after.questions, after.given, after.taken) == (
        asked.questions,
        asked.given,
        asked.taken,
    )
    assert after.story == asked.story
    for client in at.clients.values():
        await client.hear()
        assert client.view == await at.view(client.seat)
    with pytest.raises(BadInput, match="step"):
        await at.gm(do.AnswerQuestion(duel, 999, ["point", "point", "point"]))
    await at.answer(duel, GM, ["point", "point", "obfuscate"])
    assert [each.seat for each in (await at.open(duel)).questions] == ["anna"]
    await at.answer(duel, "anna", ["point", "rebuttal", "dismiss"])
    assert (await at.asked(duel)).key != "script"


@played
async def test_what_was_not_shown_stays_sealed(at: Company):
    duel = await at.begin(GM, DUEL.procedure, **DUEL.arguments)
    await at.play_on(duel, until="script")
    await at.answer(duel, "anna", ["feint", "incite", "avoid"])
    stood = (await at.state()).standing
    await at.gm(do.SendMessage("hm"))
    await at.gm(do.UndoEntries((await at.state()).seq - 1))
    assert (await at.state()).standing == stood
    # Called off, the answer was shown to nobody either; but it need not be kept.
    await at.gm(do.CancelProcedure(duel))
    await at.gm(do.UndoEntries((await at.state()).seq - 1))
    assert {each.seat for each in (await at.open(duel)).questions} == {"anna", GM}
