import msgspec
import pytest

from astragal.errors import BadInput
from astragal.play import (
    AnyQuestion,
    CardLimit,
    CardRule,
    Faces,
    Number,
    Option,
    PickOne,
    PickSeveral,
    Script,
    Split,
    Text,
    YesNo,
)

THREE = (Option("a", "A"), Option("b", "B"), Option("c", "C"))

OPENERS = (Option("near", "Near"), Option("far", "Far"))


def volleys(*rules: CardRule, spreads=((2, 1), (1, 2))) -> Script:
    """Two volleys with three actions between them."""
    return Script(cards=THREE, slots=5, openers=OPENERS, spreads=spreads, rules=rules)


def three(*rules: CardRule) -> Script:
    return Script(cards=THREE, slots=6, openers=OPENERS, spreads=((1, 1, 1),), rules=rules)


def limit(which: CardLimit, *others: str, count: int = 1) -> CardRule:
    return CardRule(which, ("a",), "no such a", "some.rule", others, count)


GOOD = [
    (YesNo(), True, True),
    (PickOne(options=THREE), "b", "b"),
    (PickSeveral(options=THREE), ["c", "a"], ("c", "a")),
    (PickSeveral(options=THREE, write_in=True), ["fog"], ("fog",)),
    (Number(least=1, most=5), 5, 5),
    (Split(amount=3, pools=THREE[:2]), [1, 2], (1, 2)),
    (Split(amount=3, pools=THREE[:2], all_of_it=False), [0, 1], (0, 1)),
    (Split(amount=3, pools=THREE[:2]), {"b": 1, "a": 2}, (2, 1)),
    (Split(amount=3, pools=THREE), {"c": 3}, (0, 0, 3)),
    (Script(cards=THREE, slots=2), ["a", "a"], ("a", "a")),
    (volleys(), ["near", "a", "b", "far", "c"], ("near", "a", "b", "far", "c")),
    (volleys(), ["near", "a", "near", "b", "c"], ("near", "a", "near", "b", "c")),
    (
        volleys(limit(CardLimit.AFTER, "b", "c", count=2), spreads=((2, 1),)),
        ["near", "b", "c", "far", "a"],
        ("near", "b", "c", "far", "a"),
    ),
    (
        volleys(limit(CardLimit.ONCE)),
        ["near", "b", "a", "far", "a"],
        ("near", "b", "a", "far", "a"),
    ),
    (
        volleys(limit(CardLimit.OPENED_BY, "near")),
        ["near", "a", "a", "far", "b"],
        ("near", "a", "a", "far", "b"),
    ),
    (
        three(limit(CardLimit.APART, "far")),
        ["near", "a", "far", "b", "near", "a"],
        ("near", "a", "far", "b", "near", "a"),
    ),
    (
        three(CardRule(CardLimit.APART, ("a",), "no such a", "some.rule", ("far",), carried=1)),
        ["far", "b", "near", "a", "near", "b"],
        ("far", "b", "near", "a", "near", "b"),
    ),
    (Text(), "  hello ", "hello"),
    (Faces(count=2, sides=10), [10, 1], (10, 1)),
]

BAD = [
    (YesNo(), 1, "yes or no"),
    (PickOne(options=THREE), "d", "one of a, b, c"),
    (PickOne(options=THREE), 1, "one of a, b, c"),
    (PickSeveral(options=THREE), "a", "a list from a, b, c"),
    (PickSeveral(options=THREE), ["a", "a"], "each choice at most once"),
    (PickSeveral(options=THREE), ["d"], "one of a, b, c"),
    (PickSeveral(options=THREE, write_in=True), ["  "], "one of a, b, c"),
    (PickSeveral(options=THREE, least=1), [], "1 or more choices"),
    (PickSeveral(options=THREE, most=1), ["a", "b"], "0 to 1 choices"),
    (Number(least=1, most=5), 6, "a whole number, 1 to 5"),
    (Number(least=0, most=1), True, "a whole number, 0 to 1"),
    (Split(amount=3, pools=THREE[:2]), [1, 1], "exactly 3 in total"),
    (Split(amount=3, pools=THREE[:2], all_of_it=False), [3, 1], "at most 3 in total"),
    (Split(amount=3, pools=THREE[:2]), [4, -1], "2 numbers from 0"),
    (Split(amount=3, pools=THREE[:2]), [3], "2 numbers from 0"),
    (Split(amount=3, pools=THREE[:2]), {"a": 1, "c": 2}, "2 numbers from 0"),
    (Split(amount=3, pools=THREE[:2], least=1), {"a": 3}, "2 numbers from 1"),
    (Split(amount=3, pools=THREE[:2]), {"a": 1, "b": 1}, "exactly 3 in total"),
    (Script(cards=THREE, slots=2), ["a"], "exactly 2 cards"),
    (Script(cards=THREE, slots=2, once=True), ["a", "a"], "each card at most once"),
    (Script(cards=THREE, slots=1), ["x"], "one of a, b, c"),
    (Script(cards=THREE, slots=1), [["a"]], "one of a, b, c"),
    (PickSeveral(options=THREE), [["a"]], "one of a, b, c"),
    (volleys(), ["a", "near", "b", "far", "c"], "one of near, far before each volley"),
    (volleys(), ["near", "far", "a", "b", "c"], "in each volley as 2/1 or 1/2"),
    (volleys(), ["near", "a", "far", "b", "far"], "in each volley as 2/1 or 1/2"),
    (volleys(), ["near", "x", "far", "b", "c"], "one of near, far, a, b, c"),
    (
        volleys(limit(CardLimit.NOT_TWICE)),
        ["near", "b", "a", "far", "a"],
        "no such a (volley 2, action 1) [some.rule]",
    ),
    (
        volleys(CardRule(CardLimit.NOT_TWICE, ("a",), "no such a", "some.rule", carried=1)),
        ["near", "a", "b", "far", "b"],
        "(volley 1, action 1)",
    ),
    (volleys(limit(CardLimit.FIRST)), ["near", "b", "a", "far", "b"], "(volley 1, action 2)"),
    (volleys(limit(CardLimit.ONCE)), ["near", "a", "a", "far", "b"], "(volley 1, action 2)"),
    (
        volleys(limit(CardLimit.OPENED_BY, "near")),
        ["near", "b", "b", "far", "a"],
        "(volley 2, action 1)",
    ),
    (
        volleys(limit(CardLimit.AFTER, "b", count=2)),
        ["near", "b", "a", "far", "b"],
        "(volley 1, action 2)",
    ),
    (
        three(limit(CardLimit.APART, "far")),
        ["near", "a", "near", "a", "far", "b"],
        "no such a (volley 2, action 1) [some.rule]",
    ),
    (
        volleys(limit(CardLimit.APART, "far")),
        ["near", "a", "a", "far", "b"],
        "(volley 1, action 2)",
    ),
    (
        three(CardRule(CardLimit.APART, ("a",), "no such a", "some.rule", ("far",), carried=1)),
        ["near", "a", "far", "b", "near", "b"],
        "(volley 1, action 1)",
    ),
    (volleys(limit(CardLimit.BARRED)), ["near", "b", "b", "far", "a"], "no such a"),
    (
        volleys(limit(CardLimit.REQUIRED)),
        ["near", "b", "b", "far", "c"],
        "found 'b, b, c', expected no such a [some.rule]",
    ),
    (Text(required=True), "   ", "expected a few words"),
    (Text(longest=3), "four", "at most 3 characters"),
    (Faces(count=2, sides=6), [1, 7], "1 to 6"),
    (Faces(count=2, sides=6), [1], "2 faces"),
]


ALLOWED = [
    (YesNo(), "yes or no (true or false)"),
    (PickOne(options=THREE), "one of a, b, c"),
    (PickSeveral(options=THREE), "a list from a, b, c"),
    (PickSeveral(options=THREE, most=2), "a list from a, b, c; 0 to 2 choices"),
    (PickSeveral(options=THREE, least=1), "a list from a, b, c; 1 or more choices"),
    (PickSeveral(options=THREE, write_in=True), "a list from a, b, c, or in your own words"),
    (PickSeveral(options=(), write_in=True), "a list of words"),
    (Number(least=1, most=5), "a whole number, 1 to 5"),
    (Split(amount=3, pools=THREE[:2]), "2 numbers (a, b), exactly 3 in total"),
    (Split(amount=3, pools=THREE, all_of_it=False), "3 numbers (a, b, c), at most 3 in total"),
    (Script(cards=THREE, slots=2), "2 cards from a, b, c"),
    (
        volleys(),
        "for each volley one of near, far, then actions (2/1 or 1/2) from a, b, c",
    ),
    (Text(), "a text"),
    (Text(required=True), "a few words"),
    (Faces(count=2, sides=10), "2 faces of a d10"),
]


@pytest.mark.parametrize(("question", "words"), ALLOWED)
def test_a_question_says_which_answers_it_takes(question, words):
    assert question.allowed() == words


@pytest.mark.parametrize(("question", "answer", "normal"), GOOD)
def test_a_good_answer_comes_back_in_its_normal_form(question, answer, normal):
    assert question.check(answer) == normal


@pytest.mark.parametrize(("question", "answer", "expected"), BAD)
def test_a_bad_answer_is_told_what_was_expected(question, answer, expected):
    with pytest.raises(BadInput) as refused:
        question.check(answer, "somewhere")
    assert str(refused.value).startswith("somewhere: found ")
    assert expected in str(refused.value)


@pytest.mark.parametrize(
    ("question", "count"),
    [
        (YesNo(), 2),
        (PickOne(options=THREE), 3),
        (PickSeveral(options=THREE), 8),
        (PickSeveral(options=THREE, least=1, most=2), 6),
        (Number(least=-1, most=3), 5),
        (Split(amount=3, pools=THREE), 10),
        (Split(amount=3, pools=THREE[:2], all_of_it=False), 10),
        (Script(cards=THREE, slots=2), 9),
        (Script(cards=THREE, slots=2, once=True), 6),
        (Script(cards=THREE, slots=4, once=True), 0),
        (volleys(spreads=((2, 1),)), 4 * 27),
        (volleys(limit(CardLimit.BARRED), spreads=((2, 1),)), 4 * 8),
        # All 27 but those without a; with b to make up for it, all but the one without either.
        (volleys(limit(CardLimit.REQUIRED), spreads=((2, 1),)), 4 * (27 - 8)),
        (volleys(limit(CardLimit.REQUIRED, "b"), spreads=((2, 1),)), 4 * (27 - 1)),
        (Script(cards=THREE, slots=2, rules=(limit(CardLimit.NOT_TWICE),)), 8),
        (Script(cards=tuple(Option(str(n), "") for n in range(20)), slots=20, once=True), 0),
        (Text(), 1),
        (Text(required=True), 0),
        (Faces(count=2, sides=6), 36),
        (Number(least=0, most=1000), 0),
    ],
)
def test_every_answer_lists_them_all_and_each_passes(question, count):
    answers = question.every_answer()
    assert len(answers) == len(set(answers)) == count
    for answer in answers:
        assert question.check(answer) == answer


def test_the_default_comes_first():
    assert Number(least=0, most=3, default=2).every_answer() == (2, 0, 1, 3)


@pytest.mark.parametrize("question", [question for question, *_ in GOOD])
def test_questions_travel_as_json(question):
    wire = msgspec.json.encode(question)
    assert msgspec.json.decode(wire, type=AnyQuestion) == question
