"""The machinery of scripted conflicts, tried with a toy conflict that has everything in it.

Three sides, two cards in some volleys, a forfeit that rewrites a script, hesitation across
exchanges, and an end in the middle of one.
"""

from __future__ import annotations

import msgspec
import pytest

from astragal.dice import Recorded
from astragal.games.burning_wheel.conflicts.scripting import (
    VOLLEYS,
    CarriedEffect,
    ExchangeBegins,
    ScriptedConflict,
    Until,
    Volley,
    VolleyCards,
    Writer,
    WrittenScript,
    carry,
    due,
    exchange,
    left_over,
    lines_of,
    rewritten,
    secretly,
)
from astragal.play import (
    Ask,
    DecisionEvent,
    Line,
    Option,
    Play,
    SealedEvent,
    Session,
    Step,
    Tell,
    YesNo,
    ask,
    asked_of,
    by,
    seen_by,
    then,
)

CARDS = tuple(Option(key=key, label=key.upper()) for key in ("push", "wait", "trip"))
RULE = "duel_of_wits.exchange.script_in_advance"
SEATS = ("ann", "bob", "cyd")


class Toy(msgspec.Struct, frozen=True):
    """Each push scores; whoever plays alone against a trip loses volleys; five points end it."""

    score: tuple[int, int, int] = (0, 0, 0)
    forfeits: bool = False
    seen: tuple[Volley, ...] = ()


def writers(state: Toy) -> tuple[Writer, ...]:
    slots = ((1, 1, 1), (2, 1, 1), (1, 1, 1))
    return tuple(
        Writer(seat, seat.title(), CARDS, own) for seat, own in zip(SEATS, slots, strict=True)
    )


def volley(state: Toy, shown: Volley) -> Step[tuple[Toy, tuple[int, ...]]]:
    pushes = [cards.count("push") for cards in shown.cards]
    score = tuple(old + new for old, new in zip(state.score, pushes, strict=True))
    tripped = any("trip" in cards for cards in shown.cards)
    lost = tuple(2 if tripped and "push" in cards else 0 for cards in shown.cards)
    return msgspec.structs.replace(state, score=score, seen=(*state.seen, shown)), lost
    yield


def forfeit(
    state: Toy, at: int, pages: tuple[WrittenScript, ...]
) -> Step[tuple[WrittenScript, ...]]:
    """Ann may give up this volley to rewrite the next one."""
    if not state.forfeits or at == VOLLEYS:
        return pages
    gives_up = yield from ask("ann", "forfeit", "Forfeit?", YesNo(default=False), because=RULE)
    if not gives_up:
        return pages
    slots = tuple(int(number == at + 1) for number in range(1, VOLLEYS + 1))
    new = yield secretly(writers(state)[0], slots, RULE)
    return (rewritten(rewritten(pages[0], at, ()), at + 1, new), *pages[1:])


def end(state: Toy) -> Play[Toy]:
    return state
    yield


CONFLICT: ScriptedConflict[Toy, Toy] = ScriptedConflict(
    writers, volley, lambda state: max(state.score) >= 5, end, RULE, RULE, forfeit=forfeit
)


FRESH = Toy()


def begin(state: Toy = FRESH, owed: tuple[int, ...] = (0, 0, 0)) -> Session[Toy]:
    return Session(then(exchange, CONFLICT, state, 1, owed), by(Recorded(())))


def shown(session: Session[Toy]) -> list[VolleyCards]:
    return [
        e.fact for e in session.events if isinstance(e, Tell) and isinstance(e.fact, VolleyCards)
    ]


PUSHES = ("push", "push", "push")
WAITS = ("wait", "wait", "wait")


def test_all_sides_write_at_once_and_nothing_happens_before_the_last_has_written():
    session = begin()
    assert [ask.seat for ask in session.waiting] == list(SEATS)
    session.answer("cyd", WAITS)
    session.answer("ann", PUSHES)
    assert [ask.seat for ask in session.waiting] == ["bob"]
    assert not shown(session)
    assert not any(isinstance(event, DecisionEvent) for event in session.events)
    session.answer("bob", ("wait",) * 4)
    assert len(shown(session)) == 3


def test_the_volleys_are_shown_in_order_each_with_its_own_cards():
    session = begin()
    session.answer("ann", ("push", "wait", "push"))
    session.answer("bob", ("push", "wait", "wait", "push"))
    session.answer("cyd", WAITS)
    assert [fact.sides for fact in shown(session)] == [
        (("Ann", "PUSH"), ("Bob", "PUSH, WAIT"), ("Cyd", "WAIT")),
        (("Ann", "WAIT"), ("Bob", "WAIT"), ("Cyd", "WAIT")),
        (("Ann", "PUSH"), ("Bob", "PUSH"), ("Cyd", "WAIT")),
    ]
    assert shown(session)[0].sentence() == "Volley 1. Ann: PUSH; Bob: PUSH, WAIT; Cyd: WAIT."


def test_a_script_has_exactly_as_many_cards_as_there_are_slots():
    session = begin()
    questions = {ask.seat: ask.question for ask in session.waiting}
    assert [questions[seat].slots for seat in SEATS] == [3, 4, 3]
    with pytest.raises(ValueError, match="exactly 4 cards"):
        session.answer("bob", PUSHES)


def test_exchange_follows_exchange_until_it_is_over_and_the_rest_is_dropped_unseen():
    session = begin()
    for _ in range(2):
        session.answer("ann", PUSHES)
        session.answer("bob", ("wait",) * 4)
        session.answer("cyd", WAITS)
    assert session.done
    assert session.result.score == (5, 0, 0)
    assert [(fact.exchange, fact.volley) for fact in shown(session)] == [
        (1, 1), (1, 2), (1, 3), (2, 1), (2, 2),
    ]  # fmt: skip


def test_a_lost_volley_strikes_out_the_card_and_the_card_is_never_shown():
    session = begin()
    session.answer("ann", ("push", "trip", "push"))
    session.answer("bob", ("trip", "wait", "wait", "wait"))
    session.answer("cyd", WAITS)
    cards = [volley.cards for volley in begin_state(session).seen]
    assert [each[0] for each in cards] == [("push",), (), ()]  # two volleys lost
    assert "TRIP" not in str([fact.sides[0] for fact in shown(session)])


def begin_state(session: Session[Toy]) -> Toy:
    """The state of the toy where the session waits."""
    return session.state[-1].start.args[1]


def test_what_is_lost_at_the_end_of_an_exchange_empties_the_beginning_of_the_next():
    session = begin()
    session.answer("ann", ("wait", "wait", "push"))
    session.answer("bob", ("wait", "wait", "wait", "trip"))
    session.answer("cyd", WAITS)
    begins = [e.fact for e in session.events if isinstance(e, Tell)][-1]
    assert begins == ExchangeBegins(2, ("Ann",))
    assert begins.sentence() == "Exchange 2. Ann cannot act at first."
    questions = {ask.seat: ask for ask in session.waiting}
    assert questions["ann"].question.slots == 1
    assert questions["ann"].prompt.endswith("1 card for volley 3.")
    assert questions["cyd"].question.slots == 3


def test_losses_of_the_same_volley_do_not_add_up():
    session = begin()
    session.answer("ann", ("push", "wait", "wait"))
    session.answer("bob", ("trip", "wait", "wait", "wait"))
    session.answer("cyd", ("push", "wait", "wait"))
    # Ann and Cyd owe two volleys each; nothing they do in between can add to that.
    assert [v.cards[2] for v in begin_state(session).seen] == [("push",), (), ()]
    assert all(ask.question.slots >= 3 for ask in session.waiting)


def test_a_side_that_has_lost_the_whole_exchange_is_not_asked():
    session = begin(owed=(3, 0, 0))
    assert [ask.seat for ask in session.waiting] == ["bob", "cyd"]
    session.answer("bob", ("wait",) * 4)
    session.answer("cyd", WAITS)
    assert [fact.sides[0] for fact in shown(session)] == [("Ann", "no action")] * 3


def test_everybody_may_have_lost_the_whole_exchange():
    session = begin(owed=(3, 3, 3))
    assert shown(session)[0].sides == tuple((seat.title(), "no action") for seat in SEATS)
    assert [ask.question.slots for ask in session.waiting] == [3, 4, 3]  # the second exchange


def test_a_forfeit_gives_up_one_volley_and_rewrites_the_next_in_secret():
    session = begin(Toy(forfeits=True))
    session.answer("ann", WAITS)
    session.answer("bob", ("wait",) * 4)
    session.answer("cyd", WAITS)
    session.answer("ann", True)
    rewriting = session.waiting[0]
    assert rewriting.secret
    assert rewriting.prompt.endswith("1 card for volley 2.")
    session.answer("ann", ("push",))
    assert shown(session)[0].sides[0] == ("Ann", "no action")
    session.answer("ann", False)
    assert shown(session)[1].sides[0] == ("Ann", "PUSH")
    others = seen_by(session.events, "bob")
    assert SealedEvent("ann", "script") in others
    assert not any(
        isinstance(e, DecisionEvent) and e.ask.key == "script" and e.ask.seat == "ann"
        for e in others
    )


def test_a_session_resumed_from_its_record_stands_at_the_same_point():
    session = begin(Toy(forfeits=True))
    for seat, script in zip(SEATS, (WAITS, ("wait",) * 4, WAITS), strict=True):
        session.answer(seat, script)
    again = Session(
        then(exchange, CONFLICT, Toy(forfeits=True), 1, (0, 0, 0)), by(Recorded(())), session.record
    )
    assert again.events == session.events
    assert again.waiting == session.waiting


# --- Views -----------------------------------------------------------------------------------


def test_a_seat_sees_its_own_script_and_only_that_others_have_written_theirs():
    session = begin(Toy(forfeits=True))
    for seat, script in zip(SEATS, (WAITS, ("trip",) * 4, PUSHES), strict=True):
        session.answer(seat, script)
    for seat in (*SEATS, "gm", "somebody who looks on"):
        scripts = [e for e in seen_by(session.events, seat) if isinstance(e, DecisionEvent)]
        assert [e.ask.seat for e in scripts] == ([seat] if seat in SEATS else [])
        sealed = [e for e in seen_by(session.events, seat) if isinstance(e, SealedEvent)]
        assert sealed == [SealedEvent(other, "script") for other in SEATS if other != seat]


def test_a_seat_is_asked_only_its_own_questions():
    session = begin()
    assert asked_of(session, "bob") == (session.waiting[1],)
    assert asked_of(session, "gm") == ()


def test_an_answer_that_is_no_secret_and_a_fact_for_all_are_seen_by_all():
    plain = DecisionEvent(Ask("ann", "forfeit", "?", YesNo(), RULE), True)
    told = Tell(ExchangeBegins(1))
    for_bob = Tell(ExchangeBegins(2), ("bob",))
    assert seen_by((plain, told, for_bob), "cyd") == (plain, told)
    assert seen_by((plain, told, for_bob), "bob") == (plain, told, for_bob)


# --- What carries over -----------------------------------------------------------------------

DIE = CarriedEffect(0, Until.ACTION, Line(1, "a die", RULE))
OB = CarriedEffect(0, Until.ACTION, Line(1, "an obstacle", RULE), is_obstacle=True)
ADVANTAGE = CarriedEffect(1, Until.ROLL, Line(3, "dice", RULE))
ALL = (DIE, OB, ADVANTAGE)


@pytest.mark.parametrize(
    ("acts", "rolls", "left"),
    [
        ((False, False), (False, False), ALL),
        ((True, False), (False, False), (ADVANTAGE,)),  # used up, though nothing was rolled
        ((False, True), (False, False), ALL),  # advantage waits for a roll
        ((False, True), (False, True), (DIE, OB)),
        ((True, True), (True, True), ()),
    ],
)
def test_an_effect_waits_for_its_action_or_roll_and_is_used_up_by_it(acts, rolls, left):
    assert left_over(ALL, acts, rolls) == left


def test_what_is_due_is_what_is_not_left_over():
    assert due(ALL, (True, True), (True, True)) == ALL
    assert due(ALL, (True, True), (True, False)) == (DIE, OB)
    assert due(ALL, (False, True), (False, True)) == (ADVANTAGE,)
    assert due((), (True, True), (True, True)) == ()


def test_the_dice_and_the_obstacle_of_each_side_are_its_own():
    assert lines_of(ALL, 0) == ((DIE.line,), (OB.line,))
    assert lines_of(ALL, 1) == ((ADVANTAGE.line,), ())


def test_effects_of_one_kind_and_reason_add_up_to_one_line():
    twice = carry(carry(ALL, DIE), ADVANTAGE)
    assert [each.line.amount for each in twice] == [2, 1, 6]
    other = CarriedEffect(0, Until.ACTION, Line(1, "another reason", RULE))
    assert len(carry(ALL, other)) == 4
    assert carry((OB,), DIE) == carry((DIE,), OB)  # however they came together
