"""Several at once: taken one by one where that is the same, and only there."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import pytest

from astragal.dice import Die, Distribution, Seeded
from astragal.errors import BadInput
from astragal.odds.trial import GivenAnswers
from astragal.play import (
    Ask,
    Play,
    Scripted,
    Session,
    Simulation,
    Tell,
    YesNo,
    all_foregone,
    ask,
    best,
    by,
    call,
    defaults,
    exact,
    foregone,
    roll,
    run,
    sample,
    tell,
    then,
    together,
    unheard,
)
from play.toys import Said

NAMES = ("ann", "bob")


def throw_all(names: tuple[str, ...]) -> Play[tuple[int, ...]]:
    """Everybody throws four sides; then, lowest first, each may throw anew, once."""
    faces: tuple[int, ...] = ()
    for name in names:
        faces += ((yield from roll(Die(4), name, name)),)
    return then(anew, names, faces, (False,) * len(names))


def anew(
    names: tuple[str, ...], faces: tuple[int, ...], used: tuple[bool, ...]
) -> Play[tuple[int, ...]]:
    for at in sorted(range(len(names)), key=lambda at: faces[at]):
        if used[at]:
            continue
        wants = yield from ask(
            names[at], "anew", f"{faces[at]}: anew?", YesNo(default=False), because="a.b.c"
        )
        if wants:
            face = yield from roll(Die(4), names[at], names[at])
            yield from tell(Said(f"{names[at]} {face}", won=face == 3))
            faces = (*faces[:at], face, *faces[at + 1 :])
            used = (*used[:at], True, *used[at + 1 :])
            return then(anew, names, faces, used)
    return faces


def in_sight(names: tuple[str, ...]) -> Play[tuple[int, ...]]:
    return (yield from together(throw_all, names))


def in_turn(names: tuple[str, ...]) -> Play[tuple[int, ...]]:
    return (yield from call(throw_all, names))


def with_a_low_face(ask: Ask) -> bool:
    return ask.prompt[0] == "1"


def one_third(ask: Ask) -> Distribution[bool]:
    return Distribution.of({True: 1, False: 2})


def test_one_by_one_the_odds_are_those_of_each():
    odds = exact(then(in_sight, NAMES), with_a_low_face)
    alone = {1: Fraction(1, 16)} | dict.fromkeys((2, 3, 4), Fraction(5, 16))
    assert {faces: odds.chance(faces) for faces in odds.weights} == {
        (one, other): alone[one] * alone[other] for one in alone for other in alone
    }


@pytest.mark.parametrize("policy", [defaults, with_a_low_face, lambda ask: True, one_third])
@pytest.mark.parametrize("names", [("ann",), NAMES, ("ann", "bob", "cleo")])
def test_one_by_one_is_the_same_as_in_turn(policy, names):
    assert exact(then(in_sight, names), policy) == exact(then(in_turn, names), policy)


def test_who_mixes_answers_is_asked_again_when_somebody_else_has_thrown():
    odds = exact(then(in_sight, NAMES), one_third)
    alone = exact(then(in_sight, ("ann",)), one_third)
    assert odds != alone.combine(alone, lambda one, other: one + other)
    seen = sample(then(in_sight, NAMES), 20_000, "mixed", one_third)
    worst = max(abs(seen.chance(faces) - odds.chance(faces)) for faces in odds.weights)
    assert worst < Fraction(2, 100)


def test_which_fact_comes_first_is_not_changed():
    one, other = (
        exact(then(way, NAMES), with_a_low_face, until=Said) for way in (in_sight, in_turn)
    )
    assert one == other
    assert Said("bob 3", won=True) in one


def test_advice_and_the_table_take_them_all_at_once():
    goals = {"ann": lambda faces: faces[0] > faces[1], "bob": lambda faces: faces[1] >= faces[0]}
    assert best(then(in_sight, NAMES), goals).worth == best(then(in_turn, NAMES), goals).worth
    session = Session(then(in_sight, NAMES), by(Seeded("two")))
    faces = [event.rolled.value for event in session.events]
    assert len(faces) == 2
    assert session.waiting[0].seat == NAMES[faces.index(min(faces))]


@pytest.mark.slow
@pytest.mark.parametrize("policy", [with_a_low_face, one_third])
def test_simulated_they_come_as_often_as_they_should(policy):
    odds = exact(then(in_sight, NAMES), policy)
    simulation, chance = Simulation(policy, {throw_all: 0}), Seeded("simulated")
    seen = Counter(simulation.run(then(in_sight, NAMES), chance) for _ in range(20_000))
    assert set(seen) <= set(odds.weights)
    worst = max(abs(seen[faces] / 20_000 - odds.chance(faces)) for faces in odds.weights)
    assert worst < 0.015


# --- What is foregone ----------------------------------------------------------------------


def forgets() -> Play[str]:
    """Says whether the question is foregone, and what the answer to it then is."""
    asked = Ask("ann", "again", "again?", YesNo(default=False), "a.b.c")
    known = yield from foregone((asked,))
    yield from tell(Said(f"known: {known}"))
    answer = yield asked
    return f"{known} {answer}"


@pytest.mark.parametrize(
    ("policy", "found"),
    [
        (defaults, "True False"),
        (Scripted({"again": False}), "True False"),
        (Scripted({"again": True}), "False True"),
        (lambda ask: Distribution.certain(False), "False False"),
    ],
)
def test_a_walk_knows_what_its_policy_answers(policy, found):
    assert set(exact(then(forgets), policy).weights) == {found}


def test_what_a_policy_cannot_answer_is_not_foregone():
    def never_asked() -> Play[bool]:
        impossible = Ask("ann", "again", "again?", YesNo(default=False), "a.b.c")
        no_default = Ask("ann", "must", "must?", YesNo(), "a.b.c")
        one = yield from foregone((impossible,))
        other = yield from foregone((no_default,))
        return one or other

    def refuses(ask: Ask) -> bool:
        raise BadInput(ask.key, None, "no such question")

    assert exact(then(never_asked), refuses).chance(False) == 1


def test_where_people_decide_nothing_is_foregone():
    assert run(then(forgets), Seeded("run")) == "False False"
    assert set(sample(then(forgets), 10, "sample").weights) == {"False False"}
    assert Simulation().run(then(forgets), Seeded("simulated")) == "False False"
    advice = best(then(forgets), {"ann": lambda result: result == "False True"})
    assert (advice.best, advice.worth["ann"]) == (True, 1)
    session = Session(then(forgets), by(Seeded("live")))
    assert [type(event) for event in session.events] == [Tell]
    session.answer("ann", True)
    assert session.result == "False True"
    again = Session(then(forgets), by(Seeded("live")), session.record)
    assert again.result == "False True"


def forgets_all() -> Play[str]:
    """Says whether every question of a key is foregone, and what the answer to one is."""
    known = yield from all_foregone("again")
    answer = yield Ask("ann", "again", "again?", YesNo(default=False), "a.b.c")
    return f"{known} {answer}"


@pytest.mark.parametrize(
    ("policy", "found"),
    [
        (defaults, "True False"),
        (Scripted({"other": True}), "True False"),
        (Scripted({"again": True}), "False True"),
        (Scripted({"ann/again#1": False}), "False False"),
        (Scripted({"other": True}, lambda ask: True), "False True"),
        (lambda ask: False, "False False"),  # it does, but nobody can know
        (GivenAnswers({"other": True}), "True False"),
        (GivenAnswers({"ann/again@again": True}), "False True"),
    ],
)
def test_a_walk_knows_of_which_keys_its_policy_says_nothing(policy, found):
    assert set(exact(then(forgets_all), policy).weights) == {found}


def test_a_simulation_knows_of_which_keys_its_policy_says_nothing():
    assert Simulation().run(then(forgets_all), Seeded("simulated")) == "True False"
    given = Simulation(Scripted({"again": True}))
    assert given.run(then(forgets_all), Seeded("simulated")) == "False True"


def test_where_people_decide_no_key_is_foregone():
    assert run(then(forgets_all), Seeded("run")) == "False False"
    advice = best(then(forgets_all), {"ann": lambda result: result == "False True"})
    assert (advice.best, advice.worth["ann"]) == (True, 1)


# --- What nobody hears -----------------------------------------------------------------------


def says_if_heard() -> Play[str]:
    """Makes a fact only if somebody might hear it."""
    if not (yield from unheard()):
        yield from tell(Said("at length"))
    return "done"


def test_a_fact_that_nobody_hears_need_not_be_made():
    made: list[str] = []

    def makes() -> Play[str]:
        if not (yield from unheard()):
            made.append("a fact")
        return "done"

    assert set(exact(then(makes)).weights) == {"done"}
    assert Simulation().run(then(makes), Seeded("simulated")) == "done"
    assert not made


def test_whoever_listens_hears_everything():
    session = Session(then(says_if_heard), by(Seeded("live")))
    assert [event.fact for event in session.events if isinstance(event, Tell)] == [
        Said("at length")
    ]
    assert set(exact(then(says_if_heard), until=Said).weights) == {Said("at length")}
    assert best(then(says_if_heard), {"ann": len}).worth["ann"] == 4
