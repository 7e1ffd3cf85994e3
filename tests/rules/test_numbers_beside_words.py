"""Numbers that stand beside words in a table say what the words say.

The code reads the numbers, people read the words; here the words are read too.
"""

from __future__ import annotations

import re
from fractions import Fraction

import pytest

from astragal.errors import BadInput
from astragal.rules import Record, catalogue


def rows(name: str) -> tuple[Record, ...]:
    return catalogue().table(name).records()


def numbers(words: object) -> list[int]:
    return [int(digits) for digits in re.findall(r"\d+", str(words))]


# --- Reading a row ---------------------------------------------------------------------------

ROW = Record(weapon="axe", dice=3, sharp=True, heads=("one", "two"))


def test_a_row_gives_its_cells_by_type():
    assert (ROW.number("dice"), ROW.text("weapon"), ROW.texts("heads")) == (
        3,
        "axe",
        ("one", "two"),
    )


@pytest.mark.parametrize(
    ("read", "column", "expected"),
    [
        (ROW.number, "weapon", "a whole number"),
        (ROW.number, "sharp", "a whole number"),
        (ROW.text, "dice", "words"),
        (ROW.texts, "weapon", "a list of words"),
    ],
)
def test_a_cell_of_another_type_is_refused(read, column: str, expected: str):
    with pytest.raises(BadInput, match=expected):
        read(column)


def test_a_table_gives_one_number():
    shades = catalogue().table("tests.table.shade")
    assert shades.number("difficulty_number", letter="G") == 3
    with pytest.raises(BadInput, match="a whole number"):
        shades.number("letter", shade="gray")


# --- Injury ----------------------------------------------------------------------------------


@pytest.mark.parametrize("row", rows("injury.table.bleeding"), ids=lambda row: row["wound"])
def test_the_time_of_bleeding(row: Record):
    said = re.fullmatch(r"(?:(\d) x )?(\w+)(?: / (\d))? (hour|minute)s", row.text("time"))
    assert said
    assert row.number("times") == int(said[1] or 1)
    assert row.number("divided_by") == int(said[3] or 1)
    assert (row["ability"], row["unit_code"]) == (said[2], said[4])


@pytest.mark.parametrize("row", rows("injury.table.recovery"), ids=lambda row: row["wound"])
def test_the_time_of_recovery(row: Record):
    said = re.match(r"(\d+)-(\d+) (week|month)s", row.text("time_range"))
    time = (int(said[1]), int(said[2]), said[3]) if said else (0, 0, "hour")
    assert (row["time_least"], row["time_most"], row["unit_code"]) == time
    failed = re.match(r"(\d+) - Forte hours", row.text("failed_time"))
    assert row["failed_hours_less_forte"] == (int(failed[1]) if failed else 0)
    parts = row.number("dice_return_in_parts")
    worded = [
        Fraction(1) if when == "end" else Fraction(when)
        for when in re.findall(r"\w+ at ([\d/]+|end)", row.text("die_schedule"))
    ]
    assert [Fraction(part, parts) for part in range(1, parts + 1)] == worded


@pytest.mark.parametrize("row", rows("injury.table.shrug_off"), ids=lambda row: row["method"])
def test_what_bearing_pain_takes_in_range_and_cover(row: Record):
    words = row.text("range_and_cover")
    assert words.startswith("one bought action")
    assert row["range_and_cover_actions"] == 1
    assert row["no_other_action"] == ("no other" in words)


# --- Other chapters --------------------------------------------------------------------------


@pytest.mark.parametrize("row", rows("resources.table.tax"), ids=lambda row: row["failed_test_is"])
def test_the_tax_of_a_failure(row: Record):
    words = row.text("plain_failure_or_gift_of_kindness")
    assert row["or_margin_of_failure"] == (words == "margin of failure")
    assert [row["tax_dice"]] == (numbers(words) or [0])


def test_the_obstacle_of_hearing_that_nobody_asked():
    somebody, nobody = (
        catalogue().table("circles.table.detection").where(**{"was anyone asking": asking})
        for asking in (True, False)
    )
    assert [nobody["sham_ob_least"], nobody["sham_ob_most"]] == numbers(nobody["obstacle"])
    assert (somebody["sham_ob_least"], somebody["sham_ob_most"]) == (0, 0)


def test_what_is_reloaded_is_what_has_to_be_reloaded():
    for row in rows("weapons.table.fight_shooting_actions"):
        assert row["is_reloaded"] == row.text("preparation").startswith("reload")
    for row in rows("weapons.table.missile_weapons"):
        assert row["VA_is_guess"] == row.text("VA_source").startswith("guess")


@pytest.mark.parametrize("row", rows("artha.table.evolving"), ids=lambda row: row["eligible_for"])
def test_what_trait_artha_opens(row: Record):
    words = row.text("eligible_for")
    assert words.replace("-", "_").startswith(f"{row['trait_code']} trait")
    least, most = re.search(r"(\d) points or more", words), re.search(r"(\d) points or less", words)
    assert row["points_most"] == (int(most[1]) if most else 0)
    assert row["points_least"] == (int(least[1]) if least else int(bool(most)))


@pytest.mark.parametrize("name", ["skill", "stat"])
def test_which_tests_an_advance_asks_for(name: str):
    for row in rows(f"advancement.table.{name}_tests"):
        assert row["either"] == ("(difficult or challenging)" in row.text("rule"))


def test_how_far_a_core_falls():
    for row in rows("cores.table.crucial"):
        words = row.text("core_change")
        assert row["to_d0"] == (words == "to d0")
        assert [row["types_lost"]] == ([0] if row["to_d0"] else numbers(words))


def test_what_an_attribute_is_made_of():
    stats = {str(row["stat"]) for row in rows("tests.table.stats")}
    for row in rows("tests.table.attributes"):
        worded = [each for each in row.text("derived_from").split(", ") if each in stats]
        assert list(row.texts("stats")) == worded


# --- Fight! ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "row", rows("fight.table.fighting_distances"), ids=lambda row: row["distance"]
)
def test_what_a_fighting_distance_costs(row: Record):
    attacks, grips = row.text("own_attacks"), row.text("lock_throw_penalty")
    plain = re.fullmatch(r"\+(\d) Ob", attacks)
    assert row["attack_ob"] == (int(plain[1]) if plain else 0)
    assert [row["lock_throw_ob"]] == (numbers(grips) or [0])
    assert (row["own_actions_code"] == "defences") == attacks.startswith("no Strike")
    assert (row["own_actions_code"] == "by_weapon") == attacks.startswith("weapon penalty")


def test_reaching_and_getting_hold_cost_what_the_distance_says():
    lunging, optimal = (
        catalogue().table("fight.table.fighting_distances").where(distance=distance)
        for distance in ("lunging", "optimal")
    )
    reach, grip = (
        catalogue().table("fight.table.interaction_obstacles").where(obstacle=obstacle)
        for obstacle in ("reach", "grip")
    )
    assert (reach["optimal_ob"], reach["lunging_ob"]) == (
        optimal["attack_ob"],
        lunging["attack_ob"],
    )
    assert grip["optimal_ob"] == optimal["lock_throw_ob"]
    assert grip["lunging_ob"] == lunging["lock_throw_ob"]


@pytest.mark.parametrize("stance", ["aggressive", "defensive"])
@pytest.mark.parametrize("row", rows("fight.table.stance_effects"), ids=lambda row: row["action"])
def test_what_a_stance_does(row: Record, stance: str):
    words, code = row.text(stance), row[f"{stance}_code"]
    dice, obstacle = re.match(r"\+(\d)D", words), re.match(r"\+(\d) Ob", words)
    assert row[f"{stance}_dice"] == (int(dice[1]) if dice else 0)
    assert row[f"{stance}_ob"] == (int(obstacle[1]) if obstacle else 0)
    worded = {
        "forbidden": words == "not allowed",
        "drops_to_neutral": words == "drops to Neutral",
        "if_unused": "given up for actions" in words,
        "none": words in ("none", "none stated"),
        "always": words in ("+2D", "+2 Ob"),
    }
    assert [each for each, is_so in worded.items() if is_so] == [code]


def test_every_even_spread_of_actions_over_three_volleys_is_listed():
    found = {tuple(row.values()) for row in rows("fight.table.reflexes_division")}
    wanted = set()
    for actions in range(1, 10):
        each, more = divmod(actions, 3)
        for first in range(2):
            for second in range(2):
                for third in range(2):
                    if first + second + third == more:
                        spread = (each + first, each + second, each + third)
                        wanted.add((actions, actions, *spread))
    assert found == wanted


@pytest.mark.parametrize("row", rows("faith.table.prayers"), ids=lambda row: str(row["prayer"]))
def test_what_a_prayer_is_rolled_against(row: Record):
    assert list(map(int, row.texts("ob_codes"))) == numbers(row["obstacle"])
    assert (row["extra_code"] == "dice") is (row["extra_successes_count"] == "yes")
    assert str(row["prayer"]).casefold().startswith(row.text("prayer_code").replace("_", " "))


@pytest.mark.parametrize(
    "row", rows("faith.table.detecting_faith"), ids=lambda row: f"{row['what']} {row['test']}"
)
def test_what_it_takes_to_see_faith(row: Record):
    assert list(map(int, row.texts("ob_codes"))) == numbers(row["obstacle"])
    assert (row["what_code"] == "person") is ("person" in row.text("what"))


def test_special_tools_and_gates_cost_what_the_text_says():
    for row in rows("faith.table.black_metal_artifice"):
        assert row.number("obstacle_for_plus_1d_tools") == row.number("obstacle") + 2
    for row in rows("faith.table.air_of_gates"):
        assert row.number("actions") == 25 * row.number("obstacle")
