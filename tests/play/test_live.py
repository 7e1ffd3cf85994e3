import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from astragal.dice import Die, Seeded
from astragal.errors import BadInput, NotAllowed, Refusal
from astragal.play import (
    AnswerRecord,
    Ask,
    DecisionEvent,
    Number,
    OutOfStep,
    Play,
    RollEvent,
    Scripted,
    Session,
    Tell,
    ThrowRecord,
    YesNo,
    ask,
    ask_all,
    by,
    call,
    live,
    replay,
    roll,
    rolled_from,
    tell,
    then,
)
from play.toys import (
    Said,
    nim,
    pool_then,
    press_your_luck,
    raise_or_fold,
    secret_fingers,
    small_talk,
    two_calls,
)


def test_a_session_waits_for_the_seat_that_is_asked():
    session = Session(then(press_your_luck, 0), by(Seeded(1)))
    (ask,) = session.waiting
    assert (ask.seat, ask.key, session.done) == ("ann", "again", False)
    with pytest.raises(Refusal, match="ann is still to answer 'again'"):
        _ = session.result
    with pytest.raises(BadInput, match="found 'ben', expected somebody who is being asked"):
        session.answer("ben", True)
    with pytest.raises(BadInput, match="again: found 'maybe', expected yes or no"):
        session.answer("ann", "maybe")
    assert len(session.record) == 1
    session.answer("ann", False)
    assert session.done
    assert session.result == session.events[0].rolled.value


def bargain() -> Play[tuple[object, ...]]:
    """Two questions, something said, a call that asks once more, and a die."""
    price = yield from ask("ann", "price", "how much?", Number(least=1, most=9), because="a.b.c")
    yield from tell(Said(f"ann offers {price}"))
    more = yield from ask(
        "ben", "more", f"more than {price}?", YesNo(default=True), because="a.b.c"
    )
    last = yield from call(last_word, price, more)
    die = yield from roll(Die(6), "the die", "ann")
    yield from tell(Said(f"the die shows {die}"))
    return price, more, last, die


def last_word(price: int, more: bool) -> Play[int]:
    yield from tell(Said("one last word"))
    question = Number(least=price, most=9)
    return (yield from ask("ann", "last", f"at least {price}", question, because="a.b.c"))


@pytest.mark.parametrize("supposed", [(), (3,), (3, True), (3, True, 4), (5, False, 6), (True,)])
@pytest.mark.parametrize("answers", [(3, True, 4), (3, True, 5), (3, False, 4), (1, True, 4)])
def test_going_where_a_scout_went_is_going_there_alone(supposed, answers):
    alone = Session(then(bargain), by(Seeded(1)))
    scouted = Session(then(bargain), by(Seeded(1)))
    for answer in answers:
        scout = scouted.scout()
        for each in supposed[len(scouted.record) :]:
            while not isinstance(scout.effect, Ask):
                scout.answer(None)
            scout.answer(each)
        scouted.follow(scout)
        for session in (alone, scouted):
            session.answer(session.waiting[0].seat, answer)
        assert scouted.waiting == alone.waiting
        assert scouted.state == alone.state
    assert scouted.events == alone.events
    assert scouted.record == alone.record
    assert scouted.result == alone.result


def test_what_a_scout_has_run_is_not_run_again():
    ran: list[str] = []

    def two_questions() -> Play[str]:
        first = yield from ask("ann", "first", "?", YesNo(default=True), because="a.b.c")
        ran.append(f"after {first}")
        second = yield from ask("ann", "second", "?", YesNo(default=True), because="a.b.c")
        ran.append(f"then {second}")
        return f"{first} {second}"

    session = Session(then(two_questions), by(Seeded(1)))
    scout = session.scout()
    scout.answer(True)
    scout.answer(True)
    session.follow(scout)
    session.answer("ann", True)
    session.answer("ann", True)
    assert (session.result, ran) == ("True True", ["after True", "then True"])


def test_a_scout_that_is_refused_leaves_the_session_where_it_stood():
    def picky() -> Play[int]:
        number = yield from ask("ann", "n", "?", Number(least=1, most=9), because="a.b.c")
        if number > 5:
            raise Refusal("too much")
        return number

    session = Session(then(picky), by(Seeded(1)))
    with pytest.raises(Refusal, match="too much"):
        session.scout().answer(6)
    session.answer("ann", 4)
    assert session.result == 4


def test_nobody_sees_a_secret_answer_before_all_are_in():
    session = Session(then(secret_fingers), by(Seeded(1)))
    assert {ask.seat for ask in session.waiting} == {"ann", "ben"}
    session.answer("ben", 2)
    assert [ask.seat for ask in session.waiting] == ["ann"]
    assert session.events == []
    with pytest.raises(BadInput):
        session.answer("ben", 1)
    half_way = replay(then(secret_fingers), session.record)
    assert [ask.seat for ask in half_way.waiting] == ["ann"]
    session.answer("ann", 1)
    assert [e.answer for e in session.events if isinstance(e, DecisionEvent)] == [1, 2]
    assert session.result == "odd"


def test_one_seat_may_answer_for_several_sides():
    def both() -> Play[tuple[int, int]]:
        question = Number(least=1, most=9)
        asks = [Ask("gm", "side", "how many?", question, "a.b.c")] * 2
        answers = yield from ask_all(*asks, Ask("ann", "side", "how many?", question, "a.b.c"))
        return answers[:2]

    session = Session(then(both), by(Seeded(1)))
    session.answer("gm", 3)
    session.answer("ann", 9)
    assert [ask.seat for ask in session.waiting] == ["gm"]
    session.answer("gm", 4)
    assert session.result == (3, 4)
    assert replay(then(both), session.record).events == session.events


def test_facts_keep_their_audience():
    session = live(then(small_talk), Seeded(1), Scripted({"ben/well": False}))
    assert session.result is False
    assert [e.audience for e in session.events if isinstance(e, Tell)] == [("gm",)]


def test_a_record_fits_only_its_own_procedure():
    played = live(then(raise_or_fold), Seeded(1), Scripted({"bet": "call"}))
    with pytest.raises(OutOfStep, match="the record goes on after the end"):
        replay(
            then(press_your_luck, 0),
            [*played.record[:1], AnswerRecord("ann", False), ThrowRecord((1,))],
        )
    with pytest.raises(OutOfStep, match=r"ann \(again\) is asked here"):
        replay(then(press_your_luck, 0), [ThrowRecord((3,)), ThrowRecord((3,))])
    with pytest.raises(OutOfStep, match="first is rolled here"):
        replay(then(press_your_luck, 0), [AnswerRecord("ann", True)])


def test_recorded_faces_are_checked_against_the_dice():
    with pytest.raises(BadInput, match=r"faces of first: found 7, expected .*1 to 6"):
        replay(then(press_your_luck, 0), [ThrowRecord((7,))])
    with pytest.raises(BadInput, match=r"faces of pool: found \[1, 2\], expected 1 more for 3B"):
        replay(then(pool_then, 3, 1), [ThrowRecord((1, 2))])
    with pytest.raises(BadInput, match=r"faces of first"):
        replay(then(press_your_luck, 0), [ThrowRecord((1, 2))])


def test_a_record_survives_json():
    played = live(then(raise_or_fold), Seeded(5), Scripted({"bet": "call"}))
    wire = msgspec.json.encode(played.record)
    read = msgspec.json.decode(wire, type=tuple[ThrowRecord | AnswerRecord, ...])
    assert replay(then(raise_or_fold), read).events == played.events


STARTS = {
    "press": then(press_your_luck, 0),
    "calls": then(two_calls, 4),
    "nim": then(nim, 9, 0),
    "bet": then(raise_or_fold),
    "secret": then(secret_fingers),
    "pool": then(pool_then, 4, 3),
}


@given(st.sampled_from(sorted(STARTS)), st.integers(0, 10**6), st.data())
def test_interrupted_anywhere_it_comes_to_the_same_point(name, seed, data):
    start = STARTS[name]

    def pick(ask):
        return data.draw(st.sampled_from(ask.question.every_answer()))

    whole = live(start, Seeded(seed), pick)
    for length in range(len(whole.record) + 1):
        left = list(whole.record[length:])

        def from_the_record(effect, left=left):
            return rolled_from(effect, left.pop(0).faces)

        again = Session(start, from_the_record, whole.record[:length])
        while again.waiting:
            answered = left.pop(0)
            again.answer(answered.seat, answered.answer)
        assert again.events == whole.events
        assert again.record == whole.record
        assert again.result == whole.result


def test_told_facts_and_rolls_come_in_the_order_they_happened():
    session = live(then(two_calls, 4), Seeded(3), Scripted({}))
    assert [type(event) for event in session.events] == [RollEvent, Tell, RollEvent, Tell]
    assert all(isinstance(e.fact, Said) for e in session.events if isinstance(e, Tell))


def touchy(secretly: bool) -> Play[int]:
    """Two numbers, a die, and no patience for threes."""
    small = Number(least=0, most=5)
    asks = [Ask(seat, "number", "which?", small, "a.b.c") for seat in ("ann", "ben")]
    if secretly:
        numbers = yield from ask_all(*asks)
    else:
        numbers = (
            (yield from ask("ann", "number", "which?", small, because="a.b.c")),
            (yield from ask("ben", "number", "which?", small, because="a.b.c")),
        )
    face = yield from roll(Die(6), "a die", "ann")
    if 3 in numbers:
        raise NotAllowed("no threes", "a.b.c")
    return sum(int(str(number)) for number in numbers) + face


@pytest.mark.parametrize("secretly", [True, False])
def test_a_refusal_in_the_middle_leaves_everything_as_it_was(secretly):
    session = Session(then(touchy, secretly), by(Seeded(1)))
    session.answer("ann", 1)
    before = list(session.record), list(session.events), session.waiting, session.state
    with pytest.raises(NotAllowed):
        session.answer("ben", 3)
    assert (session.record, session.events, session.waiting, session.state) == before
    session.answer("ben", 2)
    assert session.done
    assert replay(then(touchy, secretly), session.record).result == session.result


@pytest.mark.parametrize("fault", [KeyboardInterrupt, OSError])
def test_if_the_dice_cannot_be_thrown_the_answer_can_be_given_again(fault):
    hands = [fault, None]

    def clumsy(effect):
        if hands.pop(0) is not None:
            raise fault
        return effect.expression.sample(Seeded(1))

    session = Session(then(touchy, False), clumsy)
    session.answer("ann", 1)
    with pytest.raises(fault):
        session.answer("ben", 2)
    assert [ask.seat for ask in session.waiting] == ["ben"]
    assert session.record == [AnswerRecord("ann", 1)]
    session.answer("ben", 2)
    assert session.done


def test_nobody_answers_twice():
    session = Session(then(touchy, True), by(Seeded(1)))
    session.answer("ben", 1)
    with pytest.raises(BadInput, match=r"being asked now: ann"):
        session.answer("ben", 2)
    assert session.record == [AnswerRecord("ben", 1)]


def too_much() -> Play[int]:
    """Says something, throws a die, and then refuses whatever was answered."""
    yield from tell(Said("ann reaches out"))
    yield from ask("ann", "more", "more?", YesNo(), because="a.b.c")
    yield from roll(Die(6), "the die", "ann")
    raise NotAllowed("Ann has had enough", "a.b.d")


def test_a_witness_hears_also_what_a_refusal_takes_back():
    heard = []
    session = Session(then(too_much), by(Seeded(1)), witness=heard.append)
    with pytest.raises(NotAllowed):
        session.answer("ann", True)
    assert [type(event) for event in session.events] == [Tell]
    assert [type(event) for event in heard] == [Tell, DecisionEvent, RollEvent]


def test_an_answer_is_refused_by_the_rule_of_its_question():
    session = Session(then(too_much), by(Seeded(1)))
    with pytest.raises(BadInput, match=r"more: found 3, expected yes or no .*\[a\.b\.c\]$") as no:
        session.answer("ann", 3)
    assert no.value.rule == "a.b.c"
