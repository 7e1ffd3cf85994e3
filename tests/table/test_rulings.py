"""Rulings: the GM sets a value, also on a sheet that a procedure holds."""

from __future__ import annotations

import pytest

from astragal.errors import BadInput, Refusal
from astragal.games import game_named
from astragal.play import GM
from astragal.table.commands import commands as do
from astragal.table.log.items import ChangedItem, RolledItem
from astragal.table.running.session import RunningProcedure
from table.company import Company, decode, played

GAME = game_named("burning_wheel")
TEST = GAME.demo.suggestions[0]


def rule(target: str, path: str, value: object) -> do.MakeRuling:
    return do.MakeRuling("because", (do.RuledValue(target, path, value),))


@played
async def test_a_ruling_changes_a_sheet_and_is_told_to_all(at: Company):
    await at.gm(rule("mara", "artha.fate", 7))
    assert (await at.sheet("mara"))["artha"]["fate"] == 7
    entry = (await at.view("ben"))["log"][-1]
    assert entry["text"] == "GM makes a ruling: because"
    (item,) = entry["items"]
    assert (item["path"], item["after"]) == ("artha.fate", 7)


@played
async def test_a_ruling_must_say_why_and_change_something(at: Company):
    with pytest.raises(BadInput, match="expected a reason"):
        await at.gm(do.MakeRuling(" ", (do.RuledValue("mara", "artha.fate", 7),)))
    fate = (await at.sheet("mara"))["artha"]["fate"]
    with pytest.raises(Refusal, match="already set"):
        await at.gm(rule("mara", "artha.fate", fate))
    with pytest.raises(BadInput):
        await at.gm(rule("mara", "artha.fate", "many"))
    with pytest.raises(BadInput):
        await at.gm(rule("mara", "artha.luck", 1))
    with pytest.raises(BadInput, match="the GM gives characters to players"):
        await at.gm(rule("mara", "player", "ben"))


@played
async def test_a_ruling_into_a_procedure_is_as_if_it_had_been_so_all_along(at: Company):
    test = await at.begin("anna", TEST.procedure, **TEST.arguments)
    await at.play_on(test, until="after_roll", answers={"boon": 1})
    persona = (await at.sheet("mara"))["artha"]["persona"]
    was = await at.open(test)
    await at.gm(rule("mara", "artha.persona", persona + 3))
    now = await at.open(test)
    assert now.sheets["mara"]["artha"]["persona"] == persona + 3
    assert (now.given, now.taken) == (was.given, was.taken)
    rolls = [[item for item in each.story if isinstance(item, RolledItem)] for each in (was, now)]
    assert rolls[0] == rolls[1]
    assert len(rolls[0]) == 1
    assert RunningProcedure(GAME, now).open_questions(now.taken) == now.questions
    await at.play_on(test)
    assert (await at.sheet("mara"))["artha"]["persona"] == persona + 2  # one is spent on the boon


async def spent_already(at: Company) -> str:
    """A test in which fate is spent on sixes, and a question is still to be answered."""
    await at.do("anna", do.UseOwnDice(True))
    test = await at.begin(
        "anna", "open_test", character="mara", intent="a", task="b", ability="Health"
    )
    await at.play_on(test, until="faces")
    await at.answer(test, "anna", [6, *[2] * ((await at.asked(test)).question.count - 1)])
    await at.answer(test, "anna", "luck", "after_roll")
    await at.answer(test, "anna", [1], "faces")
    assert [
        (each.path, each.before, each.after)
        for each in (await at.open(test)).story
        if isinstance(each, ChangedItem)
    ] == [("artha.fate", 2, 1), ("attributes.Health.spent.fate", 0, 1)]
    return test


@played
async def test_what_was_spent_is_spent_from_what_the_ruling_gives(at: Company):
    test = await spent_already(at)
    await at.gm(rule("mara", "artha.fate", 5))
    assert (await at.sheet("mara"))["artha"]["fate"] == 5
    now = await at.open(test)
    spent = [i for i in now.story if isinstance(i, ChangedItem) and i.path == "artha.fate"]
    assert [(each.before, each.after) for each in spent] == [(6, 5)]
    await at.play_on(test)
    sheet = await at.sheet("mara")
    assert (sheet["artha"]["fate"], sheet["attributes"]["Health"]["spent"]["fate"]) == (5, 1)


@played
async def test_calling_it_off_after_a_ruling_keeps_the_ruling(at: Company):
    test = await spent_already(at)
    await at.gm(rule("mara", "artha.persona", 4))
    await at.gm(do.CancelProcedure(test))
    sheet = await at.sheet("mara")
    assert sheet["artha"] == {"fate": 2, "persona": 4, "deeds": 0}
    assert sheet["attributes"]["Health"]["spent"]["fate"] == 0


@played
async def test_a_ruling_that_leaves_nothing_to_spend_is_refused(at: Company):
    await spent_already(at)
    before = await at.state()
    await at.gm(rule("mara", "artha.fate", 0))  # one there was, and it is spent
    assert (await at.sheet("mara"))["artha"]["fate"] == 0
    assert (await at.state()).seq == before.seq + 1


@played
async def test_a_ruling_with_which_it_would_have_gone_otherwise_is_refused(at: Company):
    test = await at.begin("anna", TEST.procedure, **TEST.arguments)
    await at.play_on(test, until="after_roll", answers={"boon": 1})
    before = await at.state()
    with pytest.raises(Refusal, match="would have gone differently"):
        await at.gm(rule("mara", "skills.Streetwise.rating", "B6"))
    with pytest.raises(Refusal, match="would have gone differently"):
        await at.gm(rule("mara", "artha.persona", 0))
    assert await at.state() == before


@played
async def test_a_ruling_changes_an_open_question_where_nothing_was_rolled_yet(at: Company):
    test = await at.begin("anna", TEST.procedure, **TEST.arguments)
    await at.play_on(test, until="boon")
    most = (await at.asked(test)).question.most
    persona = (await at.sheet("mara"))["artha"]["persona"]
    assert most == min(3, persona)
    await at.gm(rule("mara", "artha.persona", persona + 1))
    asked = (await at.open(test)).questions[0]
    assert (asked.key, asked.question.most) == ("boon", most + 1)


@played
async def test_who_has_decided_already_is_still_seen_after_a_ruling(at: Company):
    duel = GAME.demo.suggestions[1]
    going = await at.begin(GM, duel.procedure, **duel.arguments)
    await at.play_on(going, until="script")
    await at.answer(going, "anna", ["point", "point", "point"])
    await at.gm(rule("mara", "artha.fate", 9))
    (seen,) = (await at.view("ben"))["open"]
    assert seen["story"][-1] == {"item": "sealed", "seat": "anna"}
    assert [question.seat for question in (await at.open(going)).questions] == [GM]
    client = at.clients["ben"]
    await client.hear()
    assert client.view["open"] == (await at.view("ben"))["open"]
    await at.answer(going, GM, ["point", "point", "point"])
    assert (await at.asked(going)).key != "script"


@played
async def test_nothing_is_ruled_while_dice_are_being_typed_in(at: Company):
    await at.do("anna", do.UseOwnDice(True))
    test = await at.begin("anna", TEST.procedure, **TEST.arguments)
    await at.play_on(test, until="faces")
    with pytest.raises(Refusal, match="Dice are being rolled"):
        await at.gm(rule("mara", "artha.fate", 9))
    await at.gm(rule("advocate_ysmay", "concept", "somebody else"))


@played
async def test_a_secret_ruling_touches_the_scene_alone_and_only_the_gm_hears_of_it(at: Company):
    with pytest.raises(BadInput, match="cannot be secret"):
        await at.gm(do.MakeRuling("why", (do.RuledValue("mara", "artha.fate", 9),), True))
    for client in at.clients.values():
        await client.hear()
    enemies = [{"character": "mara", "name": "Zarquon"}]
    await at.gm(do.MakeRuling("a whim", (do.RuledValue("scene", "enemies", enemies),), True))
    assert (await at.scene())["enemies"][0]["name"] == "Zarquon"
    for seat, knows in ((GM, True), ("anna", False)):
        heard = str([decode(message) for message in await at.clients[seat].hear()])
        assert ("Zarquon" in heard, "a whim" in heard) == (knows, knows)
