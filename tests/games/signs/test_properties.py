"""Whatever is answered and whatever falls: replay, undo, limits and sheets hold."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from astragal.dice import Recorded, Seeded
from astragal.errors import NotAllowed, Refusal
from astragal.games.signs import GAME, SignsTable
from astragal.games.signs.sheet import check
from astragal.games.signs.successes import most_successes
from astragal.play import (
    AnswerRecord,
    Ask,
    Change,
    RollEvent,
    Session,
    Text,
    Then,
    ThrowRecord,
    by,
    replay,
)
from games.signs.playing import table_of

NAMES = ("ana", "bo", "cy")
DICE = ("D4", "D6", "D8", "D10", "D12")
GOALS = ("the door", "the guard", "the song")
TAGS = {"ana": ["Rooftops", "Salt"], "bo": ["Anvil"], "cy": []}
FACTORS = ["rain", "a rope", "darkness"]
WORDS = ["", "none", "a word", "a black eye"]


@st.composite
def tables(draw: st.DrawFn) -> SignsTable:
    influence = st.fixed_dictionaries(
        {"condition": st.sampled_from(["", "by night"]), "until": st.sampled_from(["", "scene"])},
        optional={"other_rolls": st.booleans()},
    )

    def some(kind: str) -> list[dict[str, Any]]:
        given = draw(st.lists(influence, max_size=2))
        return [{"name": f"{kind} {at}", **each} for at, each in enumerate(given)]

    sheets = {}
    for name in NAMES:
        scores = " ".join(draw(st.sampled_from(DICE)) for _ in range(4))
        signs = {f"Sign {tag}": f"{draw(st.sampled_from(DICE))}: {tag}" for tag in TAGS[name]}
        sheets[name] = {
            "scores": scores,
            "signs": signs,
            "boons": some("boon"),
            "banes": some("bane"),
        }
    options = {
        "signs_reroll": draw(st.sampled_from(["new_face_stands", "keep_the_better"])),
        "signs_another_character_may_try": draw(st.sampled_from(["yes", "no"])),
        "signs_help_and_boons_on_attacks": draw(st.sampled_from(["yes", "no"])),
    }
    return table_of(options, **sheets)


@st.composite
def steps(draw: st.DrawFn) -> tuple[str, dict[str, Any]]:
    """One thing that a group might do next, legal or not."""
    who = draw(st.sampled_from(NAMES))
    goal = draw(st.sampled_from(GOALS))

    def approach(name: str, helpers: bool = True) -> dict[str, Any]:
        several = {"max_size": 2, "unique": True}
        others = [other for other in NAMES if other != name] if helpers else []
        return {
            "character": name,
            "score": draw(st.sampled_from(["Skill", "Think", "Social", "Rune"])),
            "tags": [tag for tag in TAGS[name] if draw(st.booleans())],
            "helpers": [other for other in others if draw(st.booleans())],
            "advantages": draw(st.lists(st.sampled_from(FACTORS), **several)),
            "disadvantages": draw(st.lists(st.sampled_from(FACTORS), **several)),
            "circumstances": draw(st.sampled_from([[], ["by night"]])),
        }

    kinds = ["rules_test", "called_test", "attack_roll", "group_test", "grant_boon", "impose_bane"]
    kind = draw(st.sampled_from([*kinds, "offer_help", "end_scene", "time_passes"]))
    match kind:
        case "rules_test":
            return kind, {**approach(who), "goal": goal, "success": "yes", "failure": "no"}
        case "called_test":
            return kind, {**approach(who), "goal": goal, "wager": {"gain": "yes", "cost": "no"}}
        case "attack_roll":
            return kind, {**approach(who), "target": goal}
        case "group_test":
            return kind, {"goal": goal, "members": [approach(name, False) for name in NAMES[:2]]}
        case "grant_boon" | "impose_bane":
            until = draw(st.sampled_from(["", "scene", "dawn"]))
            return kind, {"character": who, "name": draw(st.sampled_from(WORDS)), "until": until}
        case "offer_help":
            helper = draw(st.sampled_from(NAMES))
            tag = draw(st.sampled_from(["Rooftops", "Anvil"]))
            return kind, {"helper": helper, "tag": tag, "character": who, "goal": goal}
        case "end_scene":
            return kind, {}
    return "time_passes", {"reached": "dawn"}


def any_answer(draw: Any, ask: Ask) -> Any:
    if isinstance(ask.question, Text):
        words = [word for word in WORDS if word or not ask.question.required]
        return draw(st.sampled_from(words))
    if ask.key == "fair":  # somebody who always makes another offer would never end
        return "fair"
    return draw(st.sampled_from(ask.question.every_answer()))


def begun(table: SignsTable, kind: str, arguments: dict[str, Any]) -> Then[Any]:
    procedure = GAME.procedure(kind)
    return procedure.start(GAME.read(arguments, procedure.arguments, "arguments"), table)


def changed(table: SignsTable, session: Session[Any]) -> SignsTable:
    changes = (event for event in session.events if isinstance(event, Change))
    return table.changed(*changes)


@pytest.mark.slow
@settings(max_examples=150, deadline=None)
@given(tables(), st.lists(steps(), min_size=1, max_size=6), st.integers(), st.data())
@pytest.mark.rules("signs.attempt.scene", "signs.boon.effect", "signs.bane.effect")
def test_an_evening_holds_whatever_is_done(
    table: SignsTable, evening: list[tuple[str, dict[str, Any]]], seed: int, data: st.DataObject
):
    chance = Seeded(seed)
    for kind, arguments in evening:
        begin = begun(table, kind, arguments)
        try:
            session = Session(begin, by(chance))
            while session.waiting:
                ask = session.waiting[0]
                session.answer(ask.seat, any_answer(data.draw, ask))
        except Refusal:
            continue  # nothing is applied
        after = changed(table, session)
        again = replay(begin, session.record)
        assert again.events == session.events
        assert again.result == session.result
        assert changed(table, again) == after
        cut = data.draw(st.integers(0, len(session.record)))
        _undone_and_done_again(begin, session, cut)
        for sheet in after.characters.values():
            check(sheet)
        _limits_hold(table, after, kind, arguments, session)
        table = after


def _undone_and_done_again(begin: Then[Any], session: Session[Any], cut: int) -> None:
    """Go back to the middle of the record, and give the same answers and faces once more."""
    left = session.record[cut:]
    faces = [face for entry in left if isinstance(entry, ThrowRecord) for face in entry.faces]
    resumed = Session(begin, by(Recorded(faces)), session.record[:cut])
    assert resumed.record[:cut] == session.record[:cut]
    for entry in left:
        if isinstance(entry, AnswerRecord):
            resumed.answer(entry.seat, entry.answer)
    assert resumed.events == session.events
    assert resumed.result == session.result


def _limits_hold(
    before: SignsTable,
    after: SignsTable,
    kind: str,
    arguments: dict[str, Any],
    session: Session[Any],
) -> None:
    """What must be true of any roll, told from the outside."""
    if kind == "end_scene":
        assert after.scene.number == before.scene.number + 1
        for sheet in after.characters.values():
            assert all(each.until != "scene" for each in sheet.boons + sheet.banes)
    if kind not in ("rules_test", "called_test", "attack_roll"):
        return
    who = arguments["character"]
    outcome = session.result
    thrown = [event for event in session.events if isinstance(event, RollEvent)]
    lost = set(before.character(who).boons) - set(after.character(who).boons)
    assert len(lost) <= 1
    assert len(thrown) <= 3  # the roll and each die once more
    assert 0 <= outcome.successes <= outcome.rolled <= 4
    if thrown and kind != "attack_roll":
        free = {bane.name for bane in before.character(who).banes if not bane.condition}
        assert free <= set(outcome.banes_used)
        assert not free & {b.name for b in after.character(who).banes} - {outcome.bane}
    if kind == "attack_roll":
        assert after.scene.attempts == before.scene.attempts
    else:
        assert len(after.scene.attempts) == len(before.scene.attempts) + 1
        with pytest.raises(NotAllowed):
            Session(begun(after, kind, arguments), by(Seeded(0))).answer("gm", False)


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(tables(), st.integers(), st.data())
@pytest.mark.rules("signs.attempt.scene", "signs.bane.effect", "signs.boon.one_per_test")
def test_limits_survive_replay_and_undo(table: SignsTable, seed: int, data: st.DataObject):
    """Undone, a Test has not been made and nothing is spent; done again, it all is."""
    arguments = {"character": "ana", "score": "Skill", "goal": "g", "success": "y", "failure": "n"}
    begin = begun(table, "rules_test", arguments)
    session = Session(begin, by(Seeded(seed)))
    while session.waiting:
        ask = session.waiting[0]
        session.answer(ask.seat, any_answer(data.draw, ask))
    first_question = replay(begin, ())
    assert changed(table, first_question) == table
    assert first_question.waiting
    done = changed(table, replay(begin, session.record))
    assert done == changed(table, session)
    with pytest.raises(NotAllowed, match=r"signs\.attempt\.scene"):
        Session(begun(done, "rules_test", arguments), by(Seeded(seed))).answer("gm", False)


def test_the_most_a_die_gives_bounds_every_roll():
    for die in DICE:
        table = table_of(ana={"scores": " ".join([die] * 4)})
        _, size = table.character("ana").score("Skill")
        assert most_successes(size) == {"D4": 0, "D6": 1, "D8": 1, "D10": 2, "D12": 2}[die]
