"""The dice of a positioning test, each from its own source."""

from __future__ import annotations

import msgspec
import pytest

from astragal.games.burning_wheel.conflicts.fight.distance import INSIDE_GAP, rank
from astragal.games.burning_wheel.conflicts.fight.footing import (
    dice_for,
    footing_dice,
    length_of,
    named_way,
    way_of,
)
from astragal.games.burning_wheel.conflicts.fight.positioning import position
from astragal.games.burning_wheel.conflicts.fight.state import (
    FightingCharacter,
    Gap,
    Positioning,
    Preparation,
)
from astragal.rules import catalogue
from games.burning_wheel.in_a_fight import FIGHTER, fight, run

LENGTHS = {
    "longest": "spear",
    "longer": "polearm",
    "long": "sword",
    "short": "hatchet",
    "shortest": "knife or shiv",
}


def armed(weapon: str, **more: object) -> dict[str, object]:
    return {**FIGHTER, "weapons": [{"weapon": weapon}] if weapon else [], **more}


def lines(at, who: str = "ann", *, start: bool = False, **answers: object) -> dict[str, int]:
    """The dice of one fighter, by rule."""

    def found(it):
        dice = yield from footing_dice(it, at_start=start)
        return it, dice[who]

    given = run(found, at, answers=answers).given
    return {line.rule: line.amount for line in given.lines}


@pytest.mark.rules(
    "fight.position.bonus.longer_weapon",
    "fight.position.bonus.much_longer_weapon",
    "fight.position.bonus.inside_long_none",
    "fight.position.bonus.inside_short",
    "fight.amb.length_plus_two",
    "fight.amb.inside_bonus_who",
    "fight.table.length_dice",
    "fight.length.five_classes",
)
@pytest.mark.parametrize("own", LENGTHS)
@pytest.mark.parametrize("other", LENGTHS)
@pytest.mark.parametrize("distance", ["outside", "lunging", "optimal", "inside"])
def test_length_is_worth_what_the_table_says(own, other, distance):
    steps = {"outside": 2, "lunging": 1, "optimal": 0}
    ranks = {"longest": 4, "longer": 3, "long": 2, "short": 1, "shortest": 0}
    gap = -1 if distance == "inside" else ranks[own] + steps[distance]
    at = fight(gap=gap, ann=armed(LENGTHS[own]), bob=armed(LENGTHS[other]))
    longer = ranks[own] - ranks[other]
    if distance == "inside":
        expected = 1 if longer < 0 and own in ("short", "shortest") else 0
    elif distance == "outside":
        expected = 1 if longer > 0 else 0
    else:
        expected = 2 if longer > 2 else 1 if longer > 0 else 0
    found = lines(at)
    assert sum(found.values()) == expected
    if expected:
        (rule,) = found
        inside = "inside_short" if distance == "inside" else "longer_weapon"
        assert rule.endswith("much_longer_weapon" if expected == 2 else inside)
    assert rank(own) == ranks[own]


@pytest.mark.rules("fight.beat.win")
def test_a_weapon_beaten_aside_gives_no_length_dice():
    at = fight(gap=2, ann=armed("spear"))
    assert lines(at) == {"fight.position.bonus.longer_weapon": 1}
    assert lines(at.change("ann", beaten=True)) == {}
    praying = at.change("ann", beaten=True, prays=True)  # nobody beats a prayer aside, or a spell
    assert lines(praying) == {"fight.position.bonus.longer_weapon": 1}
    casting = at.change("ann", beaten=True, spell="sight_origin")
    assert lines(casting) == {"fight.position.bonus.longer_weapon": 1}


@pytest.mark.rules("faith.conflict.fight_length", "faith.amb.fight_length_vs_missiles")
def test_a_prayer_is_longer_than_a_loaded_bow_which_keeps_its_own_dice():
    at = fight(gap=2, bob=armed("hunting bow")).change("bob", ready=Preparation(nocked=True))
    assert sum(lines(at).values()) == 0
    assert sum(lines(at.change("ann", prays=True)).values()) == 1
    assert lines(at.change("ann", prays=True), "bob") == {"fight.missile.loaded_bow_length": 2}
    both = at.change("ann", prays=True).change("bob", prays=True)
    assert sum(lines(both).values()) == 0  # two prayers are alike


@pytest.mark.rules("fight.position.bonus.speed_multiplier", "fight.xref.multiplier_many")
def test_the_higher_multiplier_adds_a_die():
    at = fight(ann={**FIGHTER, "speed_multiplier": 4})
    assert lines(at)["fight.position.bonus.speed_multiplier"] == 1
    assert lines(at, "bob") == {}
    quick = fight(ann={**FIGHTER, "speed_multiplier": 8})
    more = lines(quick, double_multiplier=True)
    assert more == {"movement.position.more_than_double": 2}


@pytest.mark.rules("fight.position.bonus.reflexes", "fight.xref.wounded_reflexes")
def test_the_higher_reflexes_add_a_die_and_wounds_come_off_them():
    fast = {**FIGHTER, "attributes": {**FIGHTER["attributes"], "Reflexes": "B5"}}
    assert lines(fight(ann=fast)) == {"fight.position.bonus.reflexes": 1}
    hurt = {**fast, "wounds": [{"level": "Light"}]}
    assert lines(fight(ann=hurt)) == {}, "5 - 1 = 4: as quick as Bob"
    assert lines(fight(ann=fast, bob=fast)) == {}
    worse = {**fast, "wounds": [{"level": "Midi"}]}
    assert lines(fight(ann=worse), "bob") == {"fight.position.bonus.reflexes": 1}


@pytest.mark.rules("fight.advantage.terrain", "fight.advantage.situational")
def test_the_gm_gives_a_die_for_better_ground():
    found = lines(fight(), better_ground=["ann"])
    assert found == {"fight.advantage.terrain": 1}


@pytest.mark.rules("fight.amb.length_outside_two")
@pytest.mark.parametrize(("played", "dice"), [("plus_1d", 1), ("plus_2d", 2)])
def test_at_the_start_a_much_longer_weapon_has_one_die_or_two(played, dice):
    options = {"fight_length_dice_at_start": played}
    at = fight(options, gap=6, ann=armed("spear"), bob=armed("knife or shiv"))
    assert sum(lines(at, start=True).values()) == dice


@pytest.mark.rules("fight.position.weapon_used_must_act")
def test_one_positions_with_what_one_acts_with():
    at = fight(ann=armed("sword"))
    assert length_of(at, "ann") == "long"
    hilt = at.change("ann", announced=("strike:hilt_or_pommel",))
    assert length_of(hilt, "ann") == "shortest"
    both = at.change("ann", announced=("strike", "strike:hilt_or_pommel"))
    assert length_of(both, "ann") == "shortest"
    other = at.change("ann", announced=("get_up", "strike"))
    assert length_of(other, "ann") == "long"


def test_ways_are_named_on_the_cards():
    at = fight(ann=armed("polearm"))
    assert way_of("strike:polearm_thrust") == "polearm_thrust"
    assert named_way(at, "ann", "strike:polearm_thrust") == "polearm, thrust"
    assert named_way(at, "ann", "draw_weapon:sword") == ""


@pytest.mark.rules("fight.missile.loaded_bow_length", "fight.missile.thrown_length")
def test_missiles_are_the_longest_weapons():
    bow = fight(ann=armed("hunting bow"), bob=armed("spear"))
    nocked = bow.change("ann", ready=Preparation(nocked=True))
    assert length_of(nocked, "ann") == "longest"
    assert lines(nocked) == {"fight.missile.loaded_bow_length": 2}
    assert length_of(bow, "ann") == "long", "an unloaded bow is a club"
    knife = fight(ann=armed("knife or shiv"), bob=armed("knife or shiv"), gap=0)
    thrown = knife.change("ann", announced=("throw_object",))
    assert lines(thrown) == {"fight.missile.thrown_length": 1}


@pytest.mark.rules("fight.position.bonus.inside_long_none", "fight.missile.loaded_bow_length")
def test_missiles_add_no_dice_on_the_inside():
    bow = fight(ann=armed("hunting bow"), bob=armed("sword"), gap=-1)
    assert lines(bow.change("ann", ready=Preparation(nocked=True))) == {}
    stone = fight(ann=armed("sword"), bob=armed("sword"), gap=-1)
    assert lines(stone.change("ann", announced=("throw_object:palm-sized rock",))) == {}


@pytest.mark.rules("fight.amb.many_fighters")
def test_among_several_opponents_the_best_length_counts():
    at = fight(ann=armed("sword"), bob=armed("spear"), gap=4)
    cat = FightingCharacter("cat", 1, weapon="knife or shiv")
    table = at.table
    sheets = {**table.characters, "cat": fight(cat=armed("knife or shiv")).table.character("cat")}
    at = msgspec.structs.replace(
        at,
        fighters=(*at.fighters, cat),
        gaps=(*at.gaps, Gap("ann", "cat", 2)),
        table=msgspec.structs.replace(table, characters=sheets),
    )
    assert lines(at) == {"fight.position.bonus.longer_weapon": 1}


@pytest.mark.rules("fight.position.bonus.inside_short", "fight.amb.inside_bonus_who")
@pytest.mark.parametrize(
    ("bob", "cat", "far", "dice"),
    [
        ("sword", "sword", 0, 1),
        ("sword", "knife or shiv", 0, 0),
        ("sword", "hatchet", 0, 0),
        ("sword", "hatchet", 2, 1),
        ("spear", "mace", 3, 1),
    ],
)
def test_on_the_inside_only_the_shortest_of_all_weapons_there_has_the_die(bob, cat, far, dice):
    """Ann's hatchet against Bob, who is inside, and Cat, who is as far away or not."""
    at = fight(ann=armed("hatchet"), bob=armed(bob), gap=INSIDE_GAP)
    sheets = {**at.table.characters, "cat": fight(cat=armed(cat)).table.character("cat")}
    at = msgspec.structs.replace(
        at,
        fighters=(*at.fighters, FightingCharacter("cat", 1, weapon=cat)),
        gaps=(*at.gaps, Gap("ann", "cat", INSIDE_GAP + far)),
        table=msgspec.structs.replace(at.table, characters=sheets),
    )
    assert lines(at).get("fight.position.bonus.inside_short", 0) == dice


@pytest.mark.rules("fight.table.positioning_dice")
def test_the_dice_are_those_of_the_table():
    rows = catalogue().table("fight.table.positioning_dice").records()
    assert {str(row["source"]): dice_for(str(row["source"])) for row in rows} == {
        "higher Speed multiplier": 1,
        "higher Reflexes": 1,
        "longer weapon": 1,
        "weapon more than two steps longer": 2,
        "Short or Shortest weapon": 1,
        "thrown weapon": 1,
        "loaded bow or crossbow": 2,
        "traits": 0,
        "stance dice": 2,
        "terrain": 1,
        "Charge": 1,
        "Closed last volley": 1,
        "FoRK of a fitting skill": 1,
    }


SPIDER = {**FIGHTER, "traits": ["Eight-Legged"], "weapons": []}


@pytest.mark.rules("extended_example.trait.eight_legged")
@pytest.mark.parametrize(("moves", "more"), [("close", 1), ("maintain", 0), ("withdraw", 0)])
def test_eight_legs_help_to_close_and_nothing_else(moves, more):
    at = fight(ann=SPIDER).change("ann", moves=Positioning(moves))
    assert lines(at).get("extended_example.trait.eight_legged", 0) == more
    assert "extended_example.trait.eight_legged" in lines(fight(ann=SPIDER), start=True)
    assert "extended_example.trait.eight_legged" not in lines(fight(), start=True)


@pytest.mark.rules("extended_example.trait.eight_legged")
def test_eight_legs_help_to_charge():
    at = fight(ann=SPIDER, gap=1).change(
        "ann",
        moves=Positioning.CLOSE,
        announced=("charge_tackle",),
        targets=("bob",),
        charges=True,
    )
    charged = run(position, at.change("bob", moves=Positioning.MAINTAIN), rolls=[1, 1])
    # 4 Power, 1 for the Charge, 1 for eight legs.
    assert "Ann, positioning, rolls 6D = 4 Power + 1 Charge + 1 Eight-Legged" in charged.told


@pytest.mark.rules("extended_example.position.fork_skill")
def test_a_fork_counts_in_the_volley_in_which_it_is_useful():
    climber = {**FIGHTER, "skills": {**FIGHTER["skills"], "Climbing": "B3"}}
    at = fight(ann=climber).change("ann", moves=Positioning.CLOSE)
    at = at.change("bob", moves=Positioning.MAINTAIN)
    along_walls = run(position, at, rolls=[1, 1], answers={"ann/forks": ["Climbing"]})
    assert "Ann, positioning, rolls 5D = 4 Speed + 1 FoRK: Climbing" in along_walls.told
    on_top = run(position, at, rolls=[1, 1], answers={"ann/forks": []})
    assert "Ann, positioning, rolls 4D = 4 Speed\n" in f"{on_top.told}\n"
