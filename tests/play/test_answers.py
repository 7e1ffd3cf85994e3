import pytest

from astragal.dice import Seeded
from astragal.errors import BadInput
from astragal.play import DecisionEvent, Scripted, Unanswered, live, then
from play.toys import nim, small_talk


def decisions(session):
    return [(e.ask.seat, e.answer) for e in session.events if isinstance(e, DecisionEvent)]


def test_a_script_answers_by_key_by_seat_and_by_occasion():
    session = live(then(nim, 9, 0), Seeded(1), Scripted({"take": 1, "ben/take": 2, "take#3": 3}))
    assert decisions(session) == [("ann", 1), ("ben", 2), ("ann", 3), ("ben", 2), ("ann", 1)]


def test_what_the_script_leaves_open_takes_the_default():
    script = Scripted({"ann/well": False})
    assert decisions(live(then(small_talk), Seeded(1), script)) == [("ann", False), ("ben", True)]


def test_a_misspelt_key_is_noticed():
    script = Scripted({"wel": True, "ben/well": True})
    live(then(small_talk), Seeded(1), script)
    assert script.unused == ("wel",)


def test_a_scripted_answer_is_checked_where_it_stands():
    with pytest.raises(BadInput, match="ben/take: found 7"):
        live(then(nim, 9, 0), Seeded(1), Scripted({"ben/take": 7}))


def test_somebody_else_may_be_asked_for_the_rest():
    def refuse(ask):
        raise Unanswered(ask)

    with pytest.raises(Unanswered, match=r"well: .*an answer from ann to: are you well\?"):
        live(then(small_talk), Seeded(1), Scripted({}, refuse))


def test_a_missing_answer_says_which_are_allowed():
    def refuse(ask):
        raise Unanswered(ask)

    with pytest.raises(Unanswered, match=r"\(a whole number, 1 to 3\)"):
        live(then(nim, 9, 0), Seeded(1), refuse)


def test_a_scripted_answer_is_refused_by_the_rule_of_its_question():
    with pytest.raises(BadInput) as refused:
        live(then(small_talk), Seeded(1), Scripted({"ben/well": 7}))
    assert refused.value.rule == "a.b.c"
