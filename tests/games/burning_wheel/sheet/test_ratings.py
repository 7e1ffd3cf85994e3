"""Ratings: a shade and an exponent (tests.exponent, tests.shade)."""

from __future__ import annotations

import pytest

from astragal.dice import Shade
from astragal.errors import BadInput
from astragal.games.burning_wheel import Rating
from astragal.rules import catalogue
from games.burning_wheel.playing import a_test, sheet, table


@pytest.mark.rules("tests.shade.every_ability")
@pytest.mark.parametrize(
    ("text", "shade", "exponent"),
    [
        ("B3", Shade.BLACK, 3),
        ("G5", Shade.GRAY, 5),
        ("W1", Shade.WHITE, 1),
        (" b 10 ", Shade.BLACK, 10),
    ],
)
def test_a_rating_is_a_shade_letter_and_an_exponent(text: str, shade: Shade, exponent: int):
    rating = Rating.parse(text)
    assert (rating.shade, rating.exponent) == (shade, exponent)
    assert Rating.parse(str(rating)) == rating


@pytest.mark.rules("tests.shade.every_ability")
@pytest.mark.parametrize("text", ["5", "X4", "B", "4B", "B-1", "B4.5", "", 4, None])
def test_what_lacks_one_of_the_two_is_refused(text: object):
    with pytest.raises(BadInput, match=r"rating: found .*B4 or G5.*tests\.shade\.every_ability"):
        Rating.parse(text)


@pytest.mark.rules("tests.exponent.scale", "tests.amb.exponent_cap")
def test_exponents_end_at_ten_as_their_meanings_do():
    described = catalogue().table("tests.table.exponent_meaning").column("exponent")
    assert described == (1, 2, 3, 4, 5, 6, 7, 8, 9, 10)
    assert Rating.parse("B10").exponent == 10
    with pytest.raises(BadInput, match="up to 10"):
        Rating.parse("B100")
    for kind in ("stats", "attributes", "skills"):
        name = {"stats": "Will", "attributes": "Health", "skills": "Sword"}[kind]
        with pytest.raises(BadInput, match=r"up to 10 .*tests\.exponent\.scale"):
            sheet(**{kind: {name: "B11"}})
    # but the Mortal Wound is a step of the grayscale, which has sixteen
    assert sheet(attributes={"Mortal Wound": "W16"}).ability("Mortal Wound").exponent == 16
    with pytest.raises(BadInput, match="B17"):
        sheet(attributes={"Mortal Wound": "B17"})
    with pytest.raises(BadInput, match=r"tests\.exponent\.scale"):
        Rating.parse("B10").raised()


@pytest.mark.rules("tests.exponent.scale")
def test_the_choice_of_an_ability_shows_what_its_exponent_means():
    at = table(rich={"skills": {"Sword": "B5", "Cooking": "B1"}})
    run = a_test(at, "Cooking", 1, [1], {"fits#1": False, "ability": "Sword"})
    notes = {option.key: option.note for option in run.asks["ability"].question.options}
    assert notes == {"Sword": "expert", "Cooking": "no gift for it at all, or impaired"}


@pytest.mark.rules(
    "tests.dice.difficulty_number",
    "tests.dice.success_black",
    "tests.shade.difficulty_number",
    "tests.shade.only_thing_that_moves_dn",
)
@pytest.mark.parametrize(("rating", "successes"), [("B6", 3), ("G6", 4), ("W6", 5)])
def test_only_the_shade_sets_the_face_that_succeeds(rating: str, successes: int):
    """One die of each face: 4, 5, 6 for black; 3 as well for gray; 2 as well for white."""
    at = table(rich={"skills": {"Sword": rating}})
    plain = a_test(at, "Sword", 3, [[1, 2, 3, 4, 5, 6]])
    assert plain.outcome.successes == successes
    hampered = {"disadvantages": ["darkness", "smoke"], "advantage": "He is higher up"}
    run = a_test(at, "Sword", 3, [[1, 2, 3, 4, 5, 6, 1]], hampered)
    assert run.outcome.successes == successes
    assert run.outcome.obstacle.total == 5


@pytest.mark.rules("tests.shade.changing")
def test_no_test_changes_a_rating():
    at = table(
        rich={"skills": {"Sword": "B5"}, "artha": {"fate": 1, "persona": 3, "deeds": 2}},
    )
    answers = {
        "boon": 3,
        "divine_inspiration": True,
        "after_roll#1": "luck",
        "after_roll#2": "saving_grace",
    }
    run = a_test(at, "Sword", 20, [[6] + [1] * 12, [1], [4] * 13], answers)
    assert run.changed["rich.artha.persona"] == 0
    assert not [path for path in run.changed if "rating" in path]
    assert run.table.character("rich").skills["Sword"].rating == Rating.parse("B5")


def test_a_rating_never_changes_in_place():
    with pytest.raises(AttributeError):
        sheet(skills={"Sword": "B4"}).skills["Sword"].rating.exponent = 9
