"""A played procedure as a story."""

import msgspec
import pytest

from astragal.cli.transcript import told
from astragal.dice import Die, Pool, Recorded, Shade, Shaded
from astragal.play import (
    Ask,
    Change,
    DecisionEvent,
    Fact,
    Number,
    Option,
    PickSeveral,
    Roll,
    RollEvent,
    Tell,
    YesNo,
)


class Fell(Fact, frozen=True):
    def sentence(self) -> str:
        return "She fell."


class Scar(msgspec.Struct, frozen=True):
    name: str


def decided(question, answer):
    return told(DecisionEvent(Ask("ann", "key", "what?", question, "a.b.c"), answer))


def test_what_was_only_the_default_is_not_worth_a_line():
    assert decided(Number(least=0, most=3, default=2), 2) is None
    assert decided(YesNo(default=False), True).plain == "ann, key: yes"
    assert decided(Number(least=0, most=3), 0).plain == "ann, key: 0"


def test_what_was_picked_is_told_by_its_labels():
    loans = (Option("0", "1D from Ada", "a.b.c"), Option("1", "2D from Bo", "a.b.c"))
    question = PickSeveral(options=loans, default=())
    assert decided(question, ("0", "1")).plain == "ann, key: 1D from Ada, 2D from Bo"
    assert decided(PickSeveral(options=loans, default=("0",)), ()).plain == "ann, key: none"


@pytest.mark.parametrize(
    ("expression", "faces", "line"),
    [
        (Pool.of(4), (3, 4, 6, 1), "Sword (4D): 3  4+ [6] 1    = 2 successes"),
        (Pool.of(1, Shade.GRAY), (3,), "Sword (1D gray): 3+   = 1 success"),
        # Of mixed shades nobody can tell from the face alone which dice succeeded.
        (Pool(Shaded(1, 1)), (3, 3), "Sword (1D + 1D gray): 3  3    = 1 success"),
        (Die(8), (7,), "Sword (d8): 7    = 7"),
    ],
)
def test_a_roll_shows_its_faces_and_what_they_came_to(expression, faces, line):
    rolled = expression.sample(Recorded(faces))
    assert told(RollEvent(Roll(expression, "Sword", "ann"), rolled)).plain == line


def test_facts_are_sentences_and_changes_cite_their_rule():
    assert told(Tell(Fell())).plain == "She fell."
    change = Change("ann", "artha.fate", 2, 1, "a.b.c")
    assert told(change).plain == "ann: artha.fate 2 -> 1  [a.b.c]"
    many = Change("ann", "scars", (), (Scar("x"), Scar("y")), "a.b.c")
    assert told(many).plain == "ann: scars 0 entries -> 2 entries  [a.b.c]"
    skills = Change("ann", "skills", {}, {"Sword": Scar("x")}, "a.b.c")
    assert told(skills).plain == "ann: skills 0 entries -> 1 entry  [a.b.c]"
    one = Change("ann", "scar", None, Scar("x"), "a.b.c")
    assert told(one).plain == "ann: scar None -> Scar  [a.b.c]"
