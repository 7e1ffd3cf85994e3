"""What people type, as answers to every kind of question."""

import io
from fractions import Fraction

import pytest
from rich.console import Console

from astragal.cli.terminal import Terminal, parse_answer, whole_number
from astragal.play import (
    Ask,
    Faces,
    Number,
    Option,
    PickOne,
    PickSeveral,
    Script,
    Split,
    Text,
    Unanswered,
    YesNo,
)

TWO = (Option("sun", "the sun"), Option("7", "seven stars"))


@pytest.mark.parametrize(
    ("question", "typed", "answer"),
    [
        (YesNo(), "Y", True),
        (YesNo(), "1", True),  # as the list above the prompt is numbered
        (YesNo(), "2", False),
        (YesNo(), "3", "3"),
        (PickOne(options=TWO), "SUN", "sun"),
        (PickOne(options=TWO), "1", "sun"),
        (PickOne(options=TWO), "7", "7"),  # a name is a name, also if it is a number
        (PickSeveral(options=TWO), "2, sun", ("7", "sun")),
        (PickSeveral(options=TWO), "none", ()),
        (Number(least=-5, most=5), "-5", -5),
        (Number(least=-5, most=5), "--5", "--5"),
        (Number(least=-5, most=5), "²", "²"),
        (Split(amount=3, pools=TWO), "1 2", (1, 2)),
        (Split(amount=3, pools=TWO), "1,x", (1, "x")),
        (Script(cards=TWO, slots=2), "1,1", ("sun", "sun")),
        (Text(), "by the door", "by the door"),
        (Faces(count=3, sides=6), "1,2 3", (1, 2, 3)),
    ],
)
def test_what_is_typed_becomes_an_answer(question, typed, answer):
    assert parse_answer(question, typed) == answer


@pytest.mark.parametrize("text", ["", "-", "1.5", "٣", "1_0", "9" * 5000])
def test_only_plain_digits_are_a_number(text):
    assert whole_number(text) == text


def put(question, *lines, monkeypatch):
    monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
    console = Console(file=io.StringIO(), width=100)
    answer = Terminal(console)(Ask("ann", "key", "what?", question, "a.b.c"))
    return answer, console.file.getvalue()


@pytest.mark.parametrize(
    ("question", "wrong", "right", "answer"),
    [
        (Number(least=1, most=3), "--5", "3", 3),
        (PickOne(options=TWO), "9", "2", "7"),
        (Faces(count=2, sides=6), "1 7", "1 6", (1, 6)),
        (Split(amount=2, pools=TWO), "2 1", "1 1", (1, 1)),
        (Script(cards=TWO, slots=2), "sun", "sun, sun", ("sun", "sun")),
        (Text(required=True), "", "a word", "a word"),
    ],
)
def test_a_wrong_answer_is_asked_again(question, wrong, right, answer, monkeypatch):
    given, shown = put(question, wrong, right, monkeypatch=monkeypatch)
    assert given == answer
    assert "is not valid" in shown


def test_an_empty_line_is_the_default_and_the_end_of_all_lines_none(monkeypatch):
    assert put(YesNo(default=False), "", monkeypatch=monkeypatch)[0] is False
    with pytest.raises(Unanswered, match="ann"):
        put(YesNo(default=False), monkeypatch=monkeypatch)


def test_the_hint_says_whether_all_of_it_must_be_split(monkeypatch):
    whole = put(Split(amount=2, pools=TWO), "1 1", monkeypatch=monkeypatch)[1]
    part = put(Split(amount=2, pools=TWO, all_of_it=False), "1 0", monkeypatch=monkeypatch)[1]
    assert "seven stars), 2 in total" in whole
    assert "seven stars), at most 2 in total" in part


@pytest.mark.parametrize(
    ("question", "hint"),
    [
        (Number(least=0, most=3, default=0), "(default: 0)"),
        (Text(default=""), "(default: none)"),
        (PickSeveral(options=TWO, default=()), "(default: none)"),
        (PickSeveral(options=TWO, default=("sun", "7")), "(default: sun, 7)"),
        (YesNo(default=True), "(default: yes)"),
    ],
)
def test_the_hint_says_what_an_empty_line_means(question, hint, monkeypatch):
    assert hint in put(question, "", monkeypatch=monkeypatch)[1]


def test_odds_are_shown_where_an_answer_changes_them(monkeypatch):
    chances = {(): Fraction(1, 2), ("sun",): Fraction(3, 4), ("7",): Fraction(3, 4)}

    def card(odds):
        monkeypatch.setattr("sys.stdin", io.StringIO("\n"))
        console = Console(file=io.StringIO(), width=100)
        question = PickSeveral(options=TWO, default=())
        Terminal(console, odds)(Ask("ann", "key", "what?", question, "a.b.c"))
        return console.file.getvalue()

    assert card(chances.get).count("75.0%") == 2
    assert "by default: 50.0%" in card(chances.get)
    assert card(lambda _: Fraction(1, 2)).count("50.0%") == 1  # as it stands, whatever is said
