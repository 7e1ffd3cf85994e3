"""The dice of a test, held against icepool and against plain enumeration of faces."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product

import icepool
import pytest

from astragal.games.cores import GAME, plain_test
from astragal.games.cores.dice import Source, core_sides, d4_sign
from astragal.games.cores.sheet import ladder
from astragal.play import Scripted, exact
from astragal.rules import Options, catalogue
from games.cores.playing import fractions, make_test, table_of, totals

DEFAULT = Options.of("cores")
LADDER = (4, 6, 8, 10, 12)


def oracle(core: int, d4: int, explosive: bool, flat: int) -> dict[int, Fraction]:
    """The total of a test, by icepool."""
    base = icepool.d6.explode(depth=1) if explosive else icepool.d6
    total = base + icepool.d(core) + flat
    if d4:
        total = total + icepool.d4 if d4 > 0 else total - icepool.d4
    return {int(value): Fraction(weight, total.denominator()) for value, weight in total.items()}


def faces(core: int, d4: int, explosive: bool, flat: int) -> dict[int, Fraction]:
    """The same by listing every face; an explosive 6 has six equally likely second faces."""
    found: Counter[int] = Counter()
    fourth = range(1, 5) if d4 else (0,)
    for base, second, die, extra in product(range(1, 7), range(1, 7), range(1, core + 1), fourth):
        more = second if explosive and base == 6 else 0
        found[base + more + die + d4 * extra + flat] += 1
    return fractions(found)


def stepped(sides: int, steps: int) -> int:
    at = LADDER.index(sides) + steps
    return LADDER[max(0, min(at, len(LADDER) - 1))]


@pytest.mark.rules(
    "cores.test.roll",
    "cores.test.base_die",
    "cores.test.core_die",
    "cores.dice.bonus",
    "cores.dice.penalty",
    "cores.dice.cancel",
    "cores.mod.rock",
    "cores.mod.suck",
    "cores.mod.really_rocks",
    "cores.mod.really_sucks",
    "cores.mod.rock_and_suck",
    "cores.explode.six",
    "cores.explode.once",
)
@pytest.mark.parametrize("core", LADDER)
@pytest.mark.parametrize("rock", [0, 1, 2])
@pytest.mark.parametrize("suck", [0, 1, 2])
@pytest.mark.parametrize("perk", [0, 1])
def test_the_whole_range_of_dice_agrees_with_icepool(core: int, rock: int, suck: int, perk: int):
    name, arguments, table, answers = plain_test(
        core=core, dn=9, rock=rock, suck=suck, perk=perk
    ).parts
    outcomes = exact(GAME.procedure(name).start(arguments, table), Scripted(answers))
    sides = stepped(core, bool(rock) - bool(suck))
    d4 = (rock == 2) - (suck == 2)
    expected = oracle(sides, d4, bool(perk), 0)
    assert expected == faces(sides, d4, bool(perk), 0)
    found = outcomes.map(lambda outcome: outcome.total)
    assert {total: found.chance(total) for total in found} == expected
    passed = outcomes.where(lambda outcome: outcome.passed)
    assert passed == sum(chance for total, chance in expected.items() if total >= 9)


@pytest.mark.rules("cores.test.success", "cores.test.failure", "cores.mod.relationship")
@pytest.mark.parametrize("grade", ["Critical A", "A", "B", "C", "D", "F", "Critical F"])
@pytest.mark.parametrize("dn", [3, 8, 9, 13, 17])
def test_modifiers_and_dns_agree_with_icepool(grade: str, dn: int):
    flat = {"Critical A": 2, "A": 2, "B": 1, "C": 0, "D": -1, "F": -2, "Critical F": -2}[grade]
    name, arguments, table, answers = plain_test(
        core="d8", dn=dn, relationship=grade, tap="negative", help=1, angst=5
    ).parts
    outcomes = exact(GAME.procedure(name).start(arguments, table), Scripted(answers))
    expected = oracle(8, -1, False, flat + 1 - 2)
    assert outcomes.where(lambda o: o.passed) == sum(p for t, p in expected.items() if t >= dn)
    assert outcomes.where(lambda o: not o.passed) == sum(p for t, p in expected.items() if t < dn)


@pytest.mark.rules("cores.explode.once", "cores.explode.sources", "cores.test.base_die")
def test_an_explosive_base_die_gives_1_to_5_or_7_to_12():
    table = table_of(ann={"core": {"physical": "d4"}, "perks": ["Lucky"]})
    found = totals(table, perks=["Lucky"])
    assert set(found) == set(range(2, 17))
    assert found.chance(2) == Fraction(1, 24)  # 1 and 1
    assert found.chance(16) == Fraction(1, 6 * 6 * 4)  # 6, 6 and 4: and no third 6
    assert max(totals(table)) == 10  # without the Perk a 6 is a 6


def test_nothing_changes_the_size_of_the_base_die():
    table = table_of(ann={"rocks": {"It": "really physical"}, "sucks": {"It": "really physical"}})
    for answers in ({}, {"rock": "It"}, {"suck": "It"}, {"rock": "It", "suck": "It"}):
        rolls = [[3] * (2 + (len(answers) == 1))]
        assert make_test(table, rolls, answers).rolled[0].startswith("(d6, ")


@pytest.mark.parametrize("row", catalogue().table("cores.table.die_ladder").records())
def test_the_steps_are_those_of_the_table(row: dict[str, str]):
    die = row["die"]
    assert f"d{core_sides(die, True, False, DEFAULT)}" == row["with_rock"]
    assert f"d{core_sides(die, False, True, DEFAULT)}" == row["with_suck"]
    assert f"d{core_sides(die, True, True, DEFAULT)}" == die
    at = ladder().index(die)
    assert ladder()[max(0, at - 1)] == row["after_one_crucial_step"]
    assert ladder()[max(0, at - 2)] == row["after_two_crucial_steps"]


def test_a_suck_on_a_d4_may_leave_no_core_die():
    """cores_suck_on_d4: stays_d4 by default, or no_die; a Rock beside it undoes the step first."""
    raw = {"core": {"physical": "d4"}, "sucks": {"Swimming": "physical"}}
    raw["rocks"] = {"Diving": "physical"}
    stays = table_of({"cores_suck_on_d4": "stays_d4"}, ann=raw)
    played = make_test(stays, [[5, 3]], {"suck": "Swimming"})
    assert (played.outcome.dice, played.outcome.total) == ("d6 + d4", 8)
    falls = table_of({"cores_suck_on_d4": "no_die"}, ann=raw)
    played = make_test(falls, [[5]], {"suck": "Swimming"})
    assert (played.outcome.dice, played.outcome.total) == ("d6", 5)
    both = make_test(falls, [[5, 3]], {"suck": "Swimming", "rock": "Diving"})
    assert both.outcome.dice == "d6 + d4"
    assert core_sides("d6", False, True, Options.of("cores", {"cores_suck_on_d4": "no_die"})) == 4


def source(name: str) -> Source:
    return Source(name, name, "cores.dice.bonus")


@pytest.mark.rules("cores.dice.bonus", "cores.dice.penalty", "cores.dice.cancel")
@pytest.mark.parametrize("bonus", range(4))
@pytest.mark.parametrize("penalty", range(4))
def test_how_many_sources_make_which_d4(bonus: int, penalty: int):
    """One of each at most, and one of each cancels; or the sources are counted out."""
    sources = (source("Really Rocks"),) * bonus + (source("Really Sucks"),) * penalty
    capped = Options.of("cores", {"cores_bonus_against_penalty": "cap_then_cancel"})
    assert d4_sign(sources, capped) == (bonus > 0) - (penalty > 0)
    counted = Options.of("cores", {"cores_bonus_against_penalty": "net_count_capped_at_one"})
    assert d4_sign(sources, counted) == (bonus > penalty) - (bonus < penalty)


def test_two_bonus_dice_against_one_penalty_die_at_the_table():
    raw = {
        "gmc": True,
        "rocks": {"Brawling": "really physical"},
        "sucks": {"Ice": "really physical"},
        "factoids": ["Local hero"],
    }
    answers = {"rock": "Brawling", "suck": "Ice", "factoid": "helps:Local hero"}
    capped = make_test(table_of(ann=raw), [[3, 3]], answers)
    assert capped.outcome.dice == "d6 + d6"
    options = {"cores_bonus_against_penalty": "net_count_capped_at_one"}
    counted = make_test(table_of(options, ann=raw), [[3, 3, 2]], answers)
    assert (counted.outcome.dice, counted.outcome.total) == ("d6 + d6 + d4", 8)


@pytest.mark.parametrize("row", catalogue().table("cores.table.bonus_penalty_sources").records())
def test_every_source_in_the_table_has_its_sign(row: dict[str, str]):
    assert source(row["source"]).sign == (1 if row["die"] == "Bonus" else -1)
