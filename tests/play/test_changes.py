import pytest

from astragal.dice import Seeded
from astragal.errors import BadInput
from astragal.play import Change, apply, apply_all, live, path_of, then, value_at
from astragal.play.answers import defaults
from play.toys import Box, pay


def made(path, before, after):
    return Change("box", path, before, after, "a.b.c")


def test_a_change_replaces_one_value_and_leaves_the_rest():
    box = Box(3, {"ann": 1, "ben": 2}, ("x", "y"))
    assert apply(box, made("coins", 3, 4)).coins == 4
    assert apply(box, made("owners.ben", 2, 5)).owners == {"ann": 1, "ben": 5}
    assert apply(box, made("notes.1", "y", "z")).notes == ("x", "z")
    assert box == Box(3, {"ann": 1, "ben": 2}, ("x", "y"))


def test_entries_can_come_and_go():
    box = Box(owners={"ann": 1}, notes=("x",))
    assert apply(box, made("owners.ben", None, 2)).owners == {"ann": 1, "ben": 2}
    assert apply(box, made("owners.ann", 1, None)).owners == {}
    assert apply(box, made("notes.1", None, "y")).notes == ("x", "y")
    assert apply(box, made("notes.0", "x", None)).notes == ()


def test_names_with_dots_are_set_apart_by_slashes():
    path = path_of("owners", "Mr. Ann")
    assert path == "owners/Mr. Ann"
    box = Box(owners={"Mr. Ann": 1})
    assert value_at(box, path) == 1
    assert apply(box, made(path, 1, 2)).owners == {"Mr. Ann": 2}


@pytest.mark.parametrize(
    ("path", "before", "message"),
    [
        ("coins", 4, "box.coins: found 3, expected 4, as the change supposes"),
        ("money", 3, "a field of Box: coins, owners, notes"),
        ("coins.small", 3, "the end of the path"),
        ("owners.ben.age", 3, "box.owners.ben: found 'ben', expected one of"),
        ("notes.5", "x", "a position below 1"),
        ("notes.first", "x", "a position below 1"),
    ],
)
def test_a_change_made_for_another_state_is_refused(path, before, message):
    with pytest.raises(BadInput) as refused:
        apply(Box(notes=("x",)), made(path, before, 0))
    assert message in str(refused.value)


def test_all_changes_or_none():
    boxes = {"box": Box(3)}
    good, bad = made("coins", 3, 2), made("coins", 3, 1)
    with pytest.raises(BadInput):
        apply_all(boxes, [good, bad])
    assert boxes == {"box": Box(3)}
    assert apply_all(boxes, [good, made("coins", 2, 1)])["box"].coins == 1
    with pytest.raises(BadInput, match="target: found 'bag', expected one of box"):
        apply_all(boxes, [Change("bag", "coins", 3, 2, "a.b.c")])


def test_no_change_is_no_event():
    assert live(then(pay, 0, 3), Seeded(1), defaults).events == []
    assert live(then(pay, 1, 3), Seeded(1), defaults).events == [made("coins", 3, 2)]
