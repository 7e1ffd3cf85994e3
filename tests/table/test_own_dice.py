"""Real dice: whoever throws them types in their faces, handful by handful."""

from __future__ import annotations

import pytest

from astragal.errors import BadInput
from astragal.games import game_named
from astragal.play import GM
from astragal.table.commands import commands as do
from astragal.table.commands.seat import Forbidden
from astragal.table.fairness import verify
from astragal.table.log.items import RolledItem
from table.company import Company, played

GAME = game_named("burning_wheel")
VERSUS = {
    "sides": [
        {"character": "advocate_ysmay", "intent": "c", "task": "d", "ability": "Will"},
        {"character": "mara", "intent": "a", "task": "b", "ability": "Will"},
    ]
}


def rolled(items: object) -> list[RolledItem]:
    return [item for item in items if isinstance(item, RolledItem)]  # type: ignore[attr-defined]


async def thrown_by_anna(at: Company) -> str:
    await at.do("anna", do.UseOwnDice(True))
    test = await at.begin(
        "anna", "open_test", character="mara", intent="a", task="b", ability="Health"
    )
    await at.play_on(test, until="faces")
    return test


@played
async def test_the_dice_are_asked_of_whoever_throws_them(at: Company):
    test = await thrown_by_anna(at)
    (asked,) = (await at.open(test)).questions
    assert (asked.seat, asked.key) == ("anna", "faces")
    assert asked.prompt.startswith(f"Roll {asked.question.count}d6 for Mara, Health")
    (seen,) = (await at.view("ben"))["open"]
    assert seen["waiting"] == [{"seat": "anna", "about": "faces", "prompt": asked.prompt}]
    faces = [1, 2, 3, 4, 5, 4, 3][: asked.question.count]
    await at.answer(test, "anna", faces)
    (item,) = rolled((await at.last()).items)
    assert [face.face for face in item.faces] == faces
    assert item.typed
    assert item.comes_to == {4: "1 success", 5: "2 successes"}[len(faces)]


@pytest.mark.parametrize("wrong", [[7], [0], [1], [1] * 9, "1234", [True] * 4, None, [[1]]])
@played
async def test_wrong_faces_are_refused(at: Company, wrong: object):
    test = await thrown_by_anna(at)
    before = await at.state()
    with pytest.raises(BadInput, match="face"):
        await at.answer(test, "anna", wrong)
    assert await at.state() == before


@played
async def test_open_ended_dice_are_asked_for_handful_by_handful(at: Company):
    await at.do("ben", do.UseOwnDice(True))
    test = await at.begin(GM, "steel_test", character="tam", cause="surprise", source="a cat")
    await at.play_on(test, until="faces")
    first = await at.asked(test)
    await at.answer(test, "ben", [6, 6, *[1] * (first.question.count - 2)])
    second = await at.asked(test)
    assert (second.key, second.question.count) == ("faces", 2)
    assert second.step == first.step + 1
    with pytest.raises(BadInput, match="already been answered"):
        await at.do("ben", do.AnswerQuestion(test, first.step, [1, 1]))
    await at.answer(test, "ben", [6, 2])
    assert (await at.asked(test)).question.count == 1
    await at.answer(test, "ben", [4])
    (item,) = rolled((await at.last()).items)
    count = first.question.count
    assert [die.face for die in item.faces] == [6, 6, *[1] * (count - 2), 6, 2, 4]
    assert [die.of for die in item.faces][count:] == [0, 1, count]
    assert item.throws == ((6, count), (6, 2), (6, 1))
    assert item.comes_to == "4 successes"
    given = [each.faces for each in (await at.open(test)).given if each.faces is not None]
    assert given == [(6, 6, *[1] * (count - 2), 6, 2, 4)]


@played
async def test_a_procedure_that_throws_first_waits_at_its_beginning(at: Company):
    await at.gm(do.UseOwnDice(True))
    event = await at.begin(
        GM, "weird_event", event="a bell rings", caused_by="tam", exposed=["mara"]
    )
    procedure = await at.open(event)
    assert procedure.pending is not None
    assert (procedure.given, procedure.story) == ((), ())
    (asked,) = procedure.questions
    assert (asked.seat, asked.key, asked.question.count, asked.step) == (GM, "faces", 1, 0)
    await at.gm(do.AnswerQuestion(event, 0, [1]))
    (item,) = [i for e in await at.log() for i in rolled(getattr(e.event, "items", ()))]
    assert ([die.face for die in item.faces], item.typed) == ([1], True)
    if await at.is_open(event):
        assert (await at.asked(event)).step == 1
        await at.play_on(event)


@played
async def test_what_the_server_has_thrown_stays_as_it_lies(at: Company):
    """While she looks for her dice, other dice are thrown; those against her are not again."""
    await at.do("anna", do.UseOwnDice(True))
    versus = await at.begin(GM, "versus_test", **VERSUS)
    await at.play_on(versus, until="faces")
    procedure = await at.open(versus)
    assert procedure.pending is not None
    on_table = procedure.pending.thrown
    assert len(on_table) == 1
    throws = (await at.state()).session.throws
    assert throws == len(on_table)
    await at.do("ben", do.ThrowDice("3d6"))
    assert (await at.last()).rolled.index == throws
    await at.answer(versus, "anna", [1] * (await at.asked(versus)).question.count)
    mine, *others = sorted(rolled((await at.last()).items), key=lambda each: not each.typed)
    for each, kept in zip(others, on_table, strict=True):
        assert tuple(die.face for die in each.faces) == kept.faces
        assert each.index == kept.index
    assert mine.index == throws + 1
    await at.play_on(versus)
    await at.gm(do.EndDiceSession())
    verdict = verify(await at.tables.evidence(at.id, GM))
    assert (verdict.fair, verdict.unseen, verdict.typed) == (True, 0, 1)
    assert verdict.fit == len(on_table) + 1


@played
async def test_dice_that_lie_there_belong_to_the_session_they_were_thrown_in(at: Company):
    await at.do("anna", do.UseOwnDice(True))
    versus = await at.begin(GM, "versus_test", **VERSUS)
    await at.play_on(versus, until="faces")
    on_table = (await at.open(versus)).pending.thrown
    await at.gm(do.EndDiceSession())
    await at.gm(do.BeginDiceSession())
    await at.answer(versus, "anna", [1] * (await at.asked(versus)).question.count)
    await at.play_on(versus)
    await at.gm(do.EndDiceSession())
    evidence = await at.tables.evidence(at.id, GM)
    verdict = verify(evidence)
    assert verdict.fair, verdict.findings
    first, second = evidence.sessions
    assert len(first.leaves) == len(on_table)
    assert verdict.fit + verdict.typed == len(first.leaves) + len(second.leaves)


@played
async def test_changing_ones_mind_about_real_dice_does_not_throw_again(at: Company):
    test = await thrown_by_anna(at)
    await at.do("anna", do.UseOwnDice(False))
    await at.do("ben", do.UseOwnDice(True))
    count = (await at.asked(test)).question.count
    await at.answer(test, "anna", [3] * count)
    (item,) = rolled((await at.last()).items)
    assert (item.typed, [die.face for die in item.faces]) == (True, [3] * count)


@played
async def test_the_gm_may_type_in_for_somebody_who_has_gone(at: Company):
    test = await thrown_by_anna(at)
    asked = await at.asked(test)
    await at.gm(
        do.AnswerQuestion(test, asked.step, [2] * asked.question.count, "anna", "she is on a train")
    )
    (item,) = rolled((await at.last()).items)
    assert (item.typed, [die.face for die in item.faces]) == (True, [2] * asked.question.count)


@played
async def test_real_dice_begin_a_session_as_others_do(at: Company):
    await at.gm(do.EndDiceSession())
    test = await thrown_by_anna(at)
    await at.answer(test, "anna", [2] * (await at.asked(test)).question.count)
    assert (await at.state()).session.number == 2


@played
async def test_the_log_says_whose_dice_are_rolled(at: Company):
    await at.do("anna", do.UseOwnDice(True))
    await at.do("anna", do.UseOwnDice(False))
    said = [entry["text"] for entry in (await at.view("ben"))["log"][-2:]]
    assert said == ["Anna rolls real dice.", "Anna lets the server roll."]


@played
async def test_the_gm_can_have_all_dice_rolled_by_the_server(at: Company):
    await at.do("anna", do.UseOwnDice(True))
    await at.gm(do.ChangeTitle("Dues", server_dice=True))
    assert (await at.view("ben"))["campaign"]["server_dice"] is True
    with pytest.raises(Forbidden, match="only the server rolls dice"):
        await at.do("ben", do.UseOwnDice(True))
    await at.do("anna", do.UseOwnDice(False))
    await at.gm(do.ChangeTitle("Dues"))
    await at.do("anna", do.UseOwnDice(True))
    await at.gm(do.ChangeTitle("Dues", server_dice=True))
    test = await at.begin(
        "anna", "open_test", character="mara", intent="a", task="b", ability="Health"
    )
    await at.play_on(test)
    log = await at.log()
    (item,) = [i for entry in log for i in rolled(getattr(entry.event, "items", ()))]
    assert not item.typed
