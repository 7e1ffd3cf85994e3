"""Whatever is played: the record leads to the same place, and no sheet leaves the rules."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from astragal.dice import Seeded
from astragal.errors import Refusal
from astragal.games.percentile import GAME, PercentileTable
from astragal.games.percentile.sheet import check
from astragal.play import (
    Change,
    Number,
    PickOne,
    PickSeveral,
    Session,
    Text,
    Then,
    YesNo,
    by,
    replay,
)
from games.percentile.playing import start, table_of

SCENE = {"skills": {"Dodge": {"characteristic": "Ag"}, "Repair": {"characteristic": "Int"}}}
FIRST = table_of(
    None,
    SCENE,
    a={
        "characteristics": {"S": 92, "Ag": 38, "Int": 45, "Inf": 96},
        "skills": {"Dodge": "Ag", "Repair": "Int"},
    },
    b={
        "characteristics": {"S": 41, "Ag": 45, "Int": 30, "Inf": 3},
        "skills": {"Repair": "Int +10"},
    },
    c={"npc": True, "evil": True, "characteristics": {"S": 41, "Ag": 60, "Int": 30, "Inf": 50}},
)

KINDS = (
    "test",
    "opposed_test",
    "extended_test",
    "raise_characteristic",
    "change_influence",
    "movement",
    "go_to",
    "end_scene",
    "end_session",
    "end_raise",
    "roll_dice",
)
people = st.sampled_from("abc")
abilities = st.sampled_from(["S", "Ag", "Dodge", "Repair", "Juggling", "Luck"])


def declared(character: str, draw: Any) -> dict[str, Any]:
    others = [name for name in "abc" if name != character]
    return {
        "character": character,
        "ability": draw(abilities),
        "difficulty": draw(st.sampled_from(["", "Hard", "Trivial", "Hellish"])),
        "assistants": draw(st.lists(st.sampled_from(others), unique=True)),
        "rerolls": draw(st.sampled_from([[], ["luck"], ["luck", "fate"]])),
    }


@st.composite
def steps(draw: Any) -> tuple[str, dict[str, Any]]:
    kind = draw(st.sampled_from(KINDS))
    who = draw(people)
    arguments: dict[str, Any] = {"character": who}
    match kind:
        case "test":
            arguments = declared(who, draw)
        case "opposed_test":
            sides = draw(st.permutations("abc"))[: draw(st.integers(2, 3))]
            arguments = {"sides": [declared(side, draw) for side in sides]}
        case "extended_test":
            title = draw(st.sampled_from(["the engine", "the map"]))
            skill = draw(st.sampled_from(["Repair", "Dodge"]))
            arguments = declared(who, draw) | {"ability": skill, "assistants": []}
            arguments |= {"title": title, "tests": draw(st.integers(1, 4))}
        case "raise_characteristic":
            amount = draw(st.integers(-2, 12))
            lasts = draw(st.sampled_from(["scene", "session", "until_ended", "for_good"]))
            one = draw(st.sampled_from(["S", "Ag", "Inf"]))
            arguments |= {"characteristic": one, "amount": amount, "why": "x", "lasts": lasts}
        case "change_influence":
            deed = draw(st.sampled_from(["notable_success", "public_failure", "other_ways"]))
            arguments |= {"deed": deed, "what": "x"}
        case "go_to":
            arguments = {"characters": [who], "place": draw(st.sampled_from(["here", "there"]))}
        case "end_raise":
            arguments |= {"why": "x"}
        case "end_scene" | "end_session":
            arguments = {}
        case "roll_dice":
            arguments |= {"dice": draw(st.sampled_from(["2d10-3", "d5", "d100", "3d5-9"]))}
    return kind, arguments


def any_answer(question: Any, fortune: random.Random) -> Any:
    """Often the default, so that most steps come to their end; otherwise anything legal."""
    if question.default is not None and fortune.random() < 0.6:
        return question.default
    match question:
        case YesNo():
            return fortune.random() < 0.5
        case PickOne(options=options):
            return fortune.choice(options).key
        case PickSeveral(options=options, most=most):
            keys = [option.key for option in options]
            return fortune.sample(keys, fortune.randint(0, min(len(keys), most or len(keys))))
        case Number(least=least, most=most):
            return fortune.choice([least, most, fortune.randint(least, most)])
        case Text():
            return "in haste"
    raise TypeError(question)


class Step(NamedTuple):
    """A step that was played: how it began, what happened, and the table after it."""

    begun: Then[Any]
    before: PercentileTable
    session: Session[Any]
    after: PercentileTable


def evening(script: list[tuple[str, dict[str, Any]]], fortune: random.Random) -> Iterator[Step]:
    """Play step after step; what is refused leaves no trace and is passed over."""
    table = FIRST
    for kind, arguments in script:
        begun = start(table, kind, **arguments)
        try:
            session = Session(begun, by(Seeded(fortune.randbytes(8))))
            while session.waiting:
                ask = session.waiting[0]
                session.answer(ask.seat, any_answer(ask.question, fortune))
        except Refusal:
            continue
        changes = [event for event in session.events if isinstance(event, Change)]
        step = Step(begun, table, session, table.changed(*changes))
        yield step
        table = step.after


@pytest.mark.slow
@settings(max_examples=150, deadline=None)
@given(script=st.lists(steps(), min_size=1, max_size=8), seed=st.integers(0, 10**6))
def test_a_record_leads_to_the_same_events_and_the_same_table(script, seed: int):
    for step in evening(script, random.Random(seed)):
        again = replay(step.begun, step.session.record)
        assert again.events == step.session.events
        assert again.result == step.session.result
        changes = [event for event in again.events if isinstance(event, Change)]
        assert step.before.changed(*changes) == step.after


@pytest.mark.slow
@settings(max_examples=150, deadline=None)
@given(script=st.lists(steps(), min_size=1, max_size=12), seed=st.integers(0, 10**6))
def test_no_sequence_of_legal_events_breaks_a_sheet(script, seed: int):
    for step in evening(script, random.Random(seed)):
        after = step.after
        for name, sheet in after.characters.items():
            check(sheet)
            assert GAME.read_sheet(GAME.write(sheet), name) == sheet
            assert all(1 <= sheet.value(one).total <= 100 for one in sheet.characteristics)
        distances = [stride.distance for stride in after.scene.strides]
        assert distances == sorted(set(distances))
        assert all(0 <= task.progress < task.needed for task in after.scene.tasks)


def test_undo_takes_a_long_task_back_to_where_it_stood():
    """A shortened record asks again where the answers end, and the scene is as it was."""
    said = {"character": "a", "ability": "Repair", "title": "the engine", "tests": 4}
    answers = {"needed": 50, "go_on": True}
    session = Session(start(FIRST, "extended_test", **said), by(Seeded("undo")))
    while session.waiting:
        ask = session.waiting[0]
        session.answer(ask.seat, answers.get(ask.key, ask.question.default))
    assert session.result.tests == 4
    last_go_on = max(i for i, entry in enumerate(session.record) if hasattr(entry, "answer"))
    undone = replay(start(FIRST, "extended_test", **said), session.record[:last_go_on])
    assert [ask.key for ask in undone.waiting] == ["go_on"]
    assert not [event for event in undone.events if isinstance(event, Change)]
    undone.answer("a", False)
    assert undone.result.tests == 3


def test_undo_gives_a_reroll_back_and_does_not_give_another():
    said = {"character": "a", "ability": "S", "difficulty": "Hellish", "rerolls": ["luck"]}
    session = Session(start(FIRST, "test", **said), by(Seeded("again")))
    while session.waiting:
        ask = session.waiting[0]
        session.answer(ask.seat, "luck" if ask.key == "reroll" else ask.question.default)
    assert sum(not hasattr(entry, "answer") for entry in session.record) == 2
    undone = replay(start(FIRST, "test", **said), session.record[:-2])
    assert [ask.key for ask in undone.waiting] == ["reroll"]
    first = session.record[-3].faces
    undone.answer("a", "keep")
    tens, ones = (face % 10 for face in first)
    assert undone.result.rolled == (tens * 10 + ones or 100)
