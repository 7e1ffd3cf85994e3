"""Looking things up in tables, by equal cells and by bands of numbers."""

from __future__ import annotations

import itertools
from collections import defaultdict

import pytest

from astragal.errors import BadInput
from astragal.rules import Band, RuleTable, catalogue

SHADE = catalogue().table("tests.table.shade")
ODD = RuleTable("x", "1", ("name", "yes", "size"), (("a", True, 1), ("a", 1, 2), ("b", 1, 3)))


def test_records_are_rows_by_column():
    assert SHADE.records()[0] == {
        "shade": "black",
        "letter": "B",
        "difficulty_number": 4,
        "success_faces": "4-6",
    }


def test_a_column_from_top_to_bottom():
    assert SHADE.column("letter") == ("B", "G", "W")


def test_where_finds_the_one_row():
    assert SHADE.where(letter="W")["shade"] == "white"
    assert ODD.where(name="b")["size"] == 3


def test_value_is_one_cell():
    assert SHADE.value("difficulty_number", shade="gray") == 3


def test_true_is_not_one():
    assert ODD.value("size", name="a", yes=True) == 1
    assert ODD.value("size", name="a", yes=1) == 2


def test_several_rows_are_had_by_all_where():
    assert [record["size"] for record in ODD.all_where(name="a")] == [1, 2]
    assert ODD.all_where(name="c") == ()


@pytest.mark.slow
def test_every_row_of_every_table_is_found_by_any_two_of_its_cells():
    book = catalogue()
    tables = [table for name in book.chapters for table in book.chapter(name).tables]
    assert len(tables) > 100
    for table in tables:
        for pair in itertools.combinations_with_replacement(range(len(table.columns)), 2):
            alike = defaultdict(list)
            for row in table.rows:
                alike[tuple((row[at], type(row[at])) for at in pair)].append(row)
            for rows in alike.values():
                wanted = {table.columns[at]: rows[0][at] for at in pair}
                expected = [dict(zip(table.columns, row, strict=True)) for row in rows]
                assert list(table.all_where(**wanted)) == expected, (table.id, wanted)


def test_whoever_asks_gets_a_record_of_their_own():
    SHADE.where(letter="G")["shade"] = "scribbled over"
    assert SHADE.where(letter="G")["shade"] == "gray"


@pytest.mark.parametrize(
    ("asked", "complaint"),
    [
        ({"shade": "blck"}, r"no row fits; did you mean 'black'\?"),
        ({"shade": "puce"}, "no row fits$"),
        ({}, "3 of the 3 rows fit"),
        ({"hue": "black"}, "one of its columns: shade, letter"),
    ],
)
def test_none_or_many_is_refused(asked: dict[str, str], complaint: str):
    with pytest.raises(BadInput, match=complaint):
        SHADE.where(**asked)


def test_an_unknown_column_of_a_value_is_refused():
    with pytest.raises(BadInput, match="one of its columns"):
        SHADE.value("hue", shade="black")


def test_people_read_the_words_and_not_the_codes_beside_them():
    matrix = catalogue().table("range_and_cover.table.maneuver_matrix")
    said = matrix.in_words()
    assert said.columns == tuple(name for name in matrix.columns if "_code" not in name)
    assert said.rows[0] == matrix.rows[0][: len(said.columns)]
    assert "i_advance" not in " ".join(matrix.prose)
    assert "I advance 1 category" in " ".join(matrix.prose)
    # A code that no other column puts into words is shown as it is.
    relations = catalogue().table("fight.table.interactions").in_words()
    assert "relation" in relations.columns
    assert SHADE.in_words() is SHADE


@pytest.mark.parametrize(
    ("cell", "inside", "outside"),
    [
        (6, [6], [5, 7]),
        ("6", [6], [5, 7]),
        ("+1", [1], [0, -1]),
        ("-1", [-1], [1]),
        ("1-4", [1, 4], [0, 5]),
        ("5+", [5, 99], [4]),
        ("5 or more", [5, 99], [4]),
        ("+2 or more", [2, 99], [1]),
        ("41 and more", [41, 99], [40]),
        ("5-6 and above", [5, 6, 7], [4]),
        ("at least 3", [3, 9], [2]),
        ("0 or less", [0, -9], [1]),
        ("-2 or less", [-2, -9], [-1]),
        ("at most 1", [1, 0], [2]),
        ("less than 6", [5, -1], [6]),
        ("any margin", [-99, 0, 99], []),
    ],
)
def test_bands(cell: str | int, inside: list[int], outside: list[int]):
    band = Band.parse(cell)
    assert band is not None
    assert all(number in band for number in inside)
    assert not any(number in band for number in outside)


@pytest.mark.parametrize("cell", ["none", "-", "+1D", "1/6", "2 or 3", "anyone", True, 1.5, ("a",)])
def test_other_cells_are_no_band(cell: object):
    assert Band.parse(cell) is None


# Every table of the catalogue that is looked up by a number's band, and the numbers it is for.
BANDED = [
    ("cores.table.crucial", "failed_by", range(1, 20), {"kind": "gradual"}),
    ("cores.table.crucial", "failed_by", range(1, 20), {"kind": "sudden"}),
    ("faith.table.stigmata", "faith_exponent", range(1, 11), {}),
    ("materials.table.throw_result", "margin_of_throw", range(20), {}),
    ("riding.table.collision_level", "margin_of_failure", range(1, 20), {}),
    ("riding.table.unhorse", "net_push_successes", range(-9, 10), {}),
    ("signs.table.net", "advantages_minus_disadvantages", range(-9, 10), {}),
    ("signs.table.successes", "face", range(1, 13), {}),
    ("sorcery.table.failed_casting", "die_of_fate", range(1, 7), {}),
    ("sorcery.table.rc_volleys", "total_actions", range(1, 99), {}),
    ("sorcery.table.spell_die_of_fate", "die_of_fate_total", range(1, 20), {}),
    ("sorcery.table.unwanted_summoning_simple", "die_of_fate", range(1, 7), {}),
    ("tests.table.fork_dice", "forked_skill_exponent", range(1, 11), {}),
    ("tests.table.help_dice", "helping_exponent", range(1, 11), {}),
    ("tests.table.instructions", "obstacle", range(1, 11), {}),
]


@pytest.mark.parametrize(("name", "column", "numbers", "equals"), BANDED)
def test_a_table_of_bands_answers_every_number_once(
    name: str, column: str, numbers: range, equals: dict[str, str]
):
    table = catalogue().table(name)
    for number in numbers:
        table.in_band(number, column, **equals)


def test_band_gives_the_result_column():
    help_dice = catalogue().table("tests.table.help_dice")
    given = [help_dice.band(exponent, "helping_exponent", "dice") for exponent in (1, 4, 5, 10)]
    assert given == [1, 1, 2, 2]


@pytest.mark.parametrize(
    ("number", "column", "complaint"),
    [(0, "helping_exponent", "no row fits"), (1, "dice_of", "one of its columns")],
)
def test_a_number_outside_all_bands_is_refused(number: int, column: str, complaint: str):
    with pytest.raises(BadInput, match=complaint):
        catalogue().table("tests.table.help_dice").band(number, column, "dice")


def test_a_column_without_bands_is_refused():
    with pytest.raises(BadInput, match="a column of bands"):
        SHADE.in_band(1, "shade")
