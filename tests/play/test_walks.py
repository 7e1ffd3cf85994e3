"""Exact, best and sample held against plain recursion, over random procedures.

The recursion remembers nothing and merges nothing; it takes one face, one answer at a time.
The procedures call and follow each other, ask, tell and roll in every order.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from astragal.dice import Die, Distribution, OpenEnded, Pool
from astragal.errors import BadInput
from astragal.play import (
    Ask,
    AskAll,
    CannotAdvise,
    CannotWalk,
    Frame,
    Number,
    Play,
    Roll,
    State,
    Tell,
    YesNo,
    ask,
    ask_all,
    best,
    call,
    defaults,
    exact,
    roll,
    run,
    sample,
    tell,
    then,
)
from astragal.play.machine import Machine
from play.toys import Said, secret_fingers

Code = tuple[tuple[Any, ...], ...]


def played(code: Code, sum_so_far: int) -> Play[int]:
    """A procedure that does what the code says, and keeps a sum modulo 7."""
    total = sum_so_far
    for what, *how in code:
        if what == "roll":
            total += 3 * (yield from roll(Die(4), "a die", "ann"))
        elif what == "ask":
            total += yield from ask(*how, "more?", Number(least=0, most=2, default=1), because="")
        elif what == "ask_all":
            yes = Ask("cem", "yes", "?", YesNo(default=True), "")
            many = Ask("dora", "many", "?", Number(least=0, most=3, default=2), "")
            total += sum((yield from ask_all(yes, many)))
        elif what == "tell" and total % how[0] == 0:
            yield from tell(Said(str(total)))
        elif what == "call":
            total += yield from call(played, how[0], total)
        elif what == "then" and total % how[0] == 0:
            return then(played, how[1], total)
        total %= 7
    return total


def codes(depth: int) -> st.SearchStrategy[Code]:
    asks = st.tuples(st.just("ask"), st.sampled_from(["ann", "ben"]), st.sampled_from("kl"))
    kinds: list[st.SearchStrategy[tuple[Any, ...]]] = [
        st.just(("roll",)),
        asks,
        st.just(("ask_all",)),
        st.tuples(st.just("tell"), st.integers(2, 4)),
    ]
    if depth:
        inner = codes(depth - 1)
        kinds.append(st.tuples(st.just("call"), inner))
        kinds.append(st.tuples(st.just("then"), st.integers(1, 3), inner))
    return st.lists(st.one_of(kinds), min_size=1, max_size=3).map(tuple)


def worth(result: Any) -> Fraction:
    """A fact that ended a path is worth a little more than the number in it."""
    return int(result.text) + Fraction(1, 2) if isinstance(result, Said) else Fraction(result)


GOALS = {"ann": worth, "ben": lambda result: -worth(result)}


def by_recursion(state: State, until: type | None, *, thinking: bool) -> Any:
    """The chances of the results; or, thinking, what the position is worth to each seat."""
    machine: Machine[int] = Machine(state)
    while (effect := machine.effect) is not None:
        if isinstance(effect, Tell) and until is not None:
            return _ended(effect.fact, thinking)
        *outer, top = machine.state
        answers: list[Any] = [None]
        if isinstance(effect, Roll):
            answers = [1, 2, 3, 4]
        elif isinstance(effect, Ask):
            answers = list(effect.question.every_answer()) if thinking else [defaults(effect)]
        elif isinstance(effect, AskAll):
            answers = [tuple(defaults(each) for each in effect.asks)]
        if len(answers) > 1:
            branches = [
                by_recursion(
                    (*outer, Frame(top.start, (*top.answers, answer))), until, thinking=thinking
                )
                for answer in answers
            ]
            if isinstance(effect, Ask):
                return max(branches, key=lambda branch: branch[effect.seat])
            return {
                key: sum(branch.get(key, Fraction(0)) for branch in branches) / 4
                for branch in branches
                for key in branch
            }
        machine.answer(answers[0])
    return _ended(machine.result, thinking)


def _ended(result: Any, thinking: bool) -> dict[Any, Fraction]:
    if thinking:
        return {seat: Fraction(goal(result)) for seat, goal in GOALS.items()}
    return {result: Fraction(1)}


def somewhere_in(code: Code, faces: list[int]) -> State:
    """The state after a few effects, often inside a call."""
    machine: Machine[int] = Machine.begin(then(played, code, 0))
    for face in faces:
        if machine.effect is None:
            return (Frame(then(played, code, 0)),)
        before = machine.state
        effect = machine.effect
        if isinstance(effect, Roll):
            machine.answer(face)
        elif isinstance(effect, AskAll):
            machine.answer((face > 2, face - 1))
        else:
            machine.answer(face % 3 if isinstance(effect, Ask) else None)
        if machine.effect is None:
            return before
    return machine.state


@pytest.mark.slow
@example((("call", (("tell", 1),)), ("roll",)), [], Said)  # a call that only tells
@settings(max_examples=80, deadline=None)
@given(codes(2), st.lists(st.integers(1, 4), max_size=4), st.sampled_from([None, Said]))
def test_exact_and_best_agree_with_plain_recursion(code, faces, until):
    state = somewhere_in(code, faces)
    odds = exact(state, until=until)
    assert {value: odds.chance(value) for value in odds} == by_recursion(
        state, until, thinking=False
    )
    assert best(state, GOALS, until=until).worth == by_recursion(state, until, thinking=True)


def chain(links: int) -> Play[int]:
    """As many rolls as there are links, each in a procedure of its own."""
    if not links:
        return 0
    yield from roll(Die(4), "link", "ann")
    return then(chain, links - 1)


def without_end(face: int) -> Play[int]:
    return then(without_end, (yield from roll(Die(4), "again", "ann")))


@pytest.mark.parametrize("start", [then(chain, 5000), then(without_end, 0)])
def test_what_goes_on_for_too_long_is_refused(start):
    with pytest.raises(CannotWalk, match="too long"):
        exact(start)
    with pytest.raises(CannotAdvise, match="too long"):
        best(start, {"ann": lambda result: result})


def test_a_chain_is_walked_as_far_as_anybody_plays():
    assert exact(then(chain, 60)).chance(0) == 1
    assert best(then(chain, 60), {"ann": lambda result: result}).worth == {"ann": 0}
    assert sample(then(chain, 5000), 1, "long").chance(0) == 1


OPEN = Pool.of(2, open_ended=OpenEnded.SIXES)


def cut() -> Play[int]:
    return (yield from roll(OPEN, "open", "ann")).successes


def forgotten() -> Play[int]:
    yield from roll(OPEN, "open", "ann")
    return 0


def calling(inner: Any) -> Play[int]:
    return (yield from call(inner))


@pytest.mark.parametrize("inner", [cut, forgotten])
def test_a_cut_tail_is_reported_through_calls_and_from_the_middle(inner):
    plain = exact(then(inner))
    tail = Fraction(plain.beyond, plain.total)
    assert tail > 0
    inside = (Frame(then(calling, inner)), Frame(then(inner)))
    for odds in (exact(then(calling, inner)), exact(inside)):
        assert Fraction(odds.beyond, odds.total) == tail


def test_secret_choices_may_be_mixed_independently():
    fingers = Distribution.of({1: 1, 2: 3})
    odds = exact(then(secret_fingers), lambda _: fingers)
    assert odds.chance("even") == Fraction(1 + 9, 16)
    seen = sample(then(secret_fingers), 4000, "mixed", lambda _: fingers)
    assert abs(seen.chance("even") - Fraction(10, 16)) < Fraction(1, 25)


@pytest.mark.parametrize("answer", ["three", [1], 3, Distribution.of({1: 1, 9: 1})])
def test_no_driver_takes_an_answer_that_the_question_does_not(answer):
    start = then(secret_fingers)
    for drive in (exact, lambda start, policy: sample(start, 5, 1, policy)):
        with pytest.raises(BadInput, match="fingers"):
            drive(start, lambda _: answer)
    with pytest.raises(BadInput, match="fingers"):
        run(start, None, lambda _: answer)


@pytest.mark.parametrize("runs", [0, -1])
def test_a_sample_has_at_least_one_run(runs):
    with pytest.raises(BadInput, match="runs"):
        sample(then(chain, 1), runs, 1)
