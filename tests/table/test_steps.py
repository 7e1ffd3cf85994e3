"""Steps and marks: what is sent twice, too late, or for another question."""

from __future__ import annotations

import pytest

from astragal.errors import BadInput
from astragal.games import game_named
from astragal.play import GM
from astragal.table.commands import commands as do
from astragal.table.commands.seat import Forbidden
from astragal.table.log.events import MessageSent
from astragal.table.log.fold import REMEMBERED
from table.company import Company, played

TEST = game_named("burning_wheel").demo.suggestions[0]
DUEL = game_named("burning_wheel").demo.suggestions[1]


@played
async def test_a_command_sent_twice_is_carried_out_once(at: Company):
    first = await at.do("anna", do.SendMessage("hello"), "m1")
    assert await at.do("anna", do.SendMessage("hello"), "m1") == first
    assert await at.do("anna", do.SendMessage("something else"), "m1") == first
    # A mark is each seat's own.
    assert await at.do("ben", do.SendMessage("hello"), "m1") == first + 1
    assert await at.do("anna", do.SendMessage("hello"), "m2") == first + 2
    assert await at.do("anna", do.SendMessage("hello")) == first + 3
    said = [e for e in await at.log() if isinstance(e.event, MessageSent)]
    assert len(said) == 4


@played
async def test_a_refused_command_may_be_sent_again_with_its_mark(at: Company):
    with pytest.raises(BadInput):
        await at.do("anna", do.SendMessage(" "), "m1")
    assert await at.do("anna", do.SendMessage("now"), "m1") == (await at.state()).seq


@played
async def test_marks_are_known_to_the_store_for_longer_than_they_are_kept_in_memory(at: Company):
    first = await at.do("anna", do.SendMessage("hello"), "m0")
    for number in range(1, REMEMBERED + 2):
        await at.do("anna", do.SendMessage("on"), f"m{number}")
    state = await at.state()
    assert "anna:m0" not in state.recent
    assert len(state.recent) <= REMEMBERED
    assert await at.do("anna", do.SendMessage("hello"), "m0") == first
    assert (await at.state()).seq == state.seq


@played
async def test_a_late_a_repeated_and_a_foreign_answer_are_refused(at: Company):
    test = await at.begin("anna", TEST.procedure, **TEST.arguments)
    asked = await at.asked(test)
    assert (asked.seat, asked.step) == (GM, 0)
    await at.gm(do.AnswerQuestion(test, 0, True))
    before = await at.state()
    with pytest.raises(BadInput, match="step: found 0, expected 1"):
        await at.gm(do.AnswerQuestion(test, 0, True))
    with pytest.raises(BadInput, match="step: found 7, expected 1"):
        await at.gm(do.AnswerQuestion(test, 7, True))
    with pytest.raises(BadInput, match="a seat with an open question: gm"):
        await at.do("anna", do.AnswerQuestion(test, 1, True))
    with pytest.raises(Forbidden, match="Only the GM can answer for somebody else"):
        await at.do("anna", do.AnswerQuestion(test, 1, True, GM, "I know it"))
    with pytest.raises(BadInput, match="an open procedure"):
        await at.gm(do.AnswerQuestion("p1", 0, True))
    assert await at.state() == before


@played
async def test_the_gm_answers_for_another_with_a_reason_and_all_hear_it(at: Company):
    test = await at.begin("anna", TEST.procedure, **TEST.arguments)
    await at.play_on(test, until="advantage")
    asked = await at.asked(test)
    with pytest.raises(BadInput, match="a reason for answering"):
        await at.gm(do.AnswerQuestion(test, asked.step, "", "anna"))
    await at.gm(do.AnswerQuestion(test, asked.step, "", "anna", "the line is dead"))
    entry = (await at.view("ben"))["log"][-1]
    assert entry["text"] == "GM answers for somebody else: the line is dead"
    assert [(item["seat"], item["by"]) for item in entry["items"]] == [("anna", GM)]


@played
async def test_of_two_questions_at_once_the_gm_is_asked_one_after_the_other(at: Company):
    """Both sides of the duel are the GM's own."""
    await at.gm(do.GiveCharacter("mara", GM))
    duel = await at.begin(GM, DUEL.procedure, **DUEL.arguments)
    await at.play_on(duel, until="script")
    (first,) = (await at.open(duel)).questions
    await at.gm(do.AnswerQuestion(duel, first.step, ["point", "point", "point"]))
    (second,) = (await at.open(duel)).questions
    assert (second.key, second.step) == ("script", first.step + 1)
    assert first.prompt != second.prompt
    with pytest.raises(BadInput, match="already been answered"):
        await at.gm(do.AnswerQuestion(duel, first.step, ["point", "point", "point"]))
    await at.gm(do.AnswerQuestion(duel, second.step, ["avoid", "avoid", "avoid"]))
    scripts = [i for i in (await at.open(duel)).story if getattr(i, "key", "") == "script"]
    assert [item.answer[0] for item in scripts] == ["point", "avoid"]


@played
async def test_those_who_decide_at_once_keep_their_step(at: Company):
    vote = await at.begin(
        GM, "vote", question="Go?", choices=["yes", "no"], voters=["anna", "ben", GM]
    )
    steps = {q.seat: q.step for q in (await at.open(vote)).questions}
    await at.do("ben", do.AnswerQuestion(vote, steps["ben"], "no"))
    assert {q.seat: q.step for q in (await at.open(vote)).questions} == {
        "anna": steps["anna"],
        GM: steps[GM],
    }
    await at.gm(do.AnswerQuestion(vote, steps[GM], "no"))
    await at.do("anna", do.AnswerQuestion(vote, steps["anna"], "yes"))
    assert not await at.is_open(vote)
