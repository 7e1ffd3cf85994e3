"""Edits that wait for the GM's approval, on a sheet that changes meanwhile."""

from __future__ import annotations

import pytest

from astragal.errors import Refusal
from astragal.play import GM
from astragal.table.commands import commands as do
from astragal.table.commands.edits import place_of
from astragal.table.log.state import Proposal
from table.company import Company, played

FIRST, SECOND = "I will find the ledger.", "I will never go home."


async def texts(at: Company, key: str = "mara") -> list[str]:
    return [each["text"] for each in (await at.sheet(key))["beliefs"]]


async def proposes(at: Company, path: str, value: object) -> str:
    return f"e{await at.do('anna', do.EditSheet('mara', path, value))}"


@pytest.mark.parametrize("path", ["beliefs.+", "beliefs.{next}"])
@pytest.mark.parametrize("is_first_first", [True, False])
@played
async def test_two_additions_are_both_there_in_either_order(
    at: Company, path: str, is_first_first: bool
):
    had = await texts(at)
    where = path.replace("{next}", str(len(had)))
    proposed = [await proposes(at, where, {"text": text}) for text in (FIRST, SECOND)]
    order = proposed if is_first_first else proposed[::-1]
    for each in order:
        await at.gm(do.ReviewEdit(each, True))
    added = [FIRST, SECOND] if is_first_first else [SECOND, FIRST]
    assert await texts(at) == [*had, *added]
    assert (await at.state()).proposals == {}


@played
async def test_free_edit_adds_at_the_end_and_the_log_has_the_place(at: Company):
    had = await texts(at)
    await at.gm(do.EditSheet("mara", "beliefs.+", {"text": FIRST}))
    assert await texts(at) == [*had, FIRST]
    (change,) = (await at.last()).changes
    assert (change.path, change.before) == (f"beliefs.{len(had)}", None)


@played
async def test_proposal_in_an_old_log_that_has_a_position_is_an_addition(at: Company):
    had = await texts(at)
    old = Proposal("e1", "anna", "mara", f"beliefs.{len(had)}", None, {"text": SECOND})
    await at.gm(do.EditSheet("mara", "beliefs.+", {"text": FIRST}))
    assert place_of(old, await at.sheet("mara")) == "beliefs.+"
    of_a_mapping = Proposal("e1", "anna", "mara", "skills.Sword", None, "B3")
    assert place_of(of_a_mapping, await at.sheet("mara")) == "skills.Sword"


@played
async def test_edit_of_an_entry_follows_it_to_its_new_place(at: Company):
    first, second, *rest = await texts(at)
    changed = await proposes(at, "beliefs.1.text", SECOND)
    removed = await proposes(at, "beliefs.0", None)
    await at.gm(do.ReviewEdit(removed, True))
    await at.gm(do.ReviewEdit(changed, True))
    assert await texts(at) == [SECOND, *rest]
    assert first != second


@played
async def test_edit_of_an_entry_that_is_gone_is_refused_and_changes_nothing(at: Company):
    changed = await proposes(at, "beliefs.1.text", SECOND)
    await at.gm(do.EditSheet("mara", "beliefs.1", None))
    now = await texts(at)
    with pytest.raises(Refusal, match="changed since it was proposed"):
        await at.gm(do.ReviewEdit(changed, True))
    assert await texts(at) == now


@played
async def test_what_would_be_added_is_said(at: Company):
    await proposes(at, "beliefs.+", {"text": FIRST})
    said = (await at.view(GM))["log"][-1]["text"]
    assert said == "Anna would like to add to the beliefs of Mara."


@played
async def test_sketch_that_is_given_to_a_player_is_a_players_character(at: Company):
    await at.gm(do.AddCharacter("guard", sketch="guard, 4s, sword B4"))
    assert (await at.sheet("guard"))["npc"] is True
    await at.gm(do.GiveCharacter("guard", GM, hidden=True))
    assert (await at.sheet("guard"))["npc"] is True
    await at.gm(do.GiveCharacter("guard", "anna"))
    assert (await at.sheet("guard"))["npc"] is False
    assert (await at.sheet("guard"))["player"] == "anna"
    await at.gm(do.AddCharacter("porter", sketch="porter, 3s", seat="ben"))
    assert (await at.sheet("porter"))["npc"] is False


@played
async def test_readiness_of_a_given_sketch_is_answered(at: Company):
    await at.gm(do.AddCharacter("guard", sketch="guard, 4s, sword B4"))
    await at.gm(do.GiveCharacter("guard", "anna"))
    await at.begin(GM, "ready_for_play", character="guard")
    said = [item.sentence for item in (await at.last()).procedure.story]
    assert [each.casefold().rstrip(".") for each in said] == [
        "guard has no beliefs",
        "guard has no instincts",
        "guard has no traits",
        "guard is not ready for play yet",
    ]
    await at.begin(GM, "ready_for_play", character="mara")
    await at.play_on((await at.view(GM))["open"][0]["id"])
    assert "Mara is ready for play" in (await at.last()).items[-1].sentence
