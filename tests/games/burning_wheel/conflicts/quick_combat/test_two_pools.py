"""Two who mean to kill: an attack and a defence pool each, and both can be hurt."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from astragal.errors import BadInput, NotAllowed
from astragal.games.burning_wheel import GAME
from astragal.games.burning_wheel.conflicts.quick_combat.bloody_versus import Fighter
from astragal.games.burning_wheel.conflicts.quick_combat.two_pools import BloodyPools, bloody_pools
from astragal.games.burning_wheel.sheet.facts import TestCame
from astragal.play import Ask, AskAll, Scripted, Tell, defaults, exact, then
from games.burning_wheel.playing import AnyRolls, Played, play, table

SWORDSMAN: dict[str, Any] = {
    "stats": {"Power": "B4", "Agility": "B4", "Forte": "B4", "Will": "B4"},
    "skills": {"Sword": "B6"},
    "weapons": ["sword"],
    "tolerances": ["B3", "B5", "B7", "B9", "B11", "B13"],
}
"""With a sword B4/B7/B10, Add 2."""

MAIL = {"armor": "chainmail", "training": ["Armor Training"]}
CALM = {"name": "Calm", "kind": "call_on"}
FIGHTERS = {
    "fighters": [{"character": "a", "weapon": "sword"}, {"character": "b", "weapon": "sword"}]
}


def fight(
    rolls: AnyRolls,
    answers: dict[str, Any] | None = None,
    a: dict[str, Any] | None = None,
    b: dict[str, Any] | None = None,
) -> Played:
    here = table(a={**SWORDSMAN, **(a or {})}, b={**SWORDSMAN, **(b or {})})
    return play("bloody_pools", FIGHTERS, here, answers, rolls)


@pytest.mark.rules("fight.bloody.two_pools")
def test_each_divides_his_dice_and_rolls_attack_before_defence():
    played = fight([0, 0, 0, 0], {"a/pools": [5, 1], "b/pools": [2, 4]})
    assert [(roll.label, roll.expression.notation) for roll in played.rolls] == [
        ("A, Sword (attack)", "5B"),
        ("A, Sword (defence)", "1B"),
        ("B, Sword (attack)", "2B"),
        ("B, Sword (defence)", "4B"),
    ]
    assert played.before_the_dice("pools")
    assert played.seats["pools"] == "b"


@pytest.mark.rules("fight.bloody.two_pools")
def test_where_the_dice_come_from_is_said_before_they_are_divided():
    hurt = {"wounds": ["Light"], "skills": {"Sword": "B6", "Brawling": "B3"}}
    said = {"a/forks": ["Brawling"], "a/pools": [4, 2], "b/pools": [3, 3]}
    played = fight([0, 0, 0, 0], said, a=hurt)
    assert "A divides 6D = 6 Sword - 1 Light wound + 1 FoRK: Brawling" in played.told
    assert "B divides" not in played.told, "from one source"


@pytest.mark.rules("fight.bloody.two_pools")
@pytest.mark.parametrize("split", [[6, 0], [0, 6], [3, 2], [4, 3]])
def test_all_dice_go_into_two_pools(split: list[int]):
    with pytest.raises(BadInput):
        fight([], {"a/pools": split})


def test_a_single_die_goes_into_one_of_them():
    one = {"skills": {"Sword": "B1"}}
    played = fight([0, 1, 1], {"b/pools": [1, 0]}, b=one)
    assert [roll.label for roll in played.rolls][2:] == ["B, Sword (attack)"]
    assert played.outcome.left == (0, 0)
    waiting = fight([3, 0, 0], {"b/pools": [0, 1]}, b=one)
    assert waiting.outcome.attack == (3, 0)


def test_the_pools_are_divided_at_the_same_time():
    """Nobody knows the other's division before his own is made."""
    here = table(a=SWORDSMAN, b=SWORDSMAN)
    going = bloody_pools(BloodyPools((Fighter("a", "sword"), Fighter("b", "sword"))), here)
    effect = next(going)
    while not isinstance(effect, AskAll):
        effect = going.send(defaults(effect) if isinstance(effect, Ask) else None)
    assert [(ask.seat, ask.key) for ask in effect.asks] == [("a", "pools"), ("b", "pools")]


@pytest.mark.rules("fight.bloody.armor_dice")
def test_armor_is_a_die_or_two_of_defence_and_is_not_rolled():
    plain = fight([3, 0, 0, 0], a=MAIL, b=MAIL)
    assert [roll.expression.notation for roll in plain.rolls] == ["3B", "4B", "3B", "4B"]
    assert plain.outcome.harm[1].armor is None  # hit, and no armor test
    assert plain.outcome.harm[1].hurt.level == "Midi"
    assert plain.seats["armor_dice"] == "gm"
    two = fight([0, 0, 0, 0], {"armor_dice": 2}, b=MAIL)
    assert [roll.expression.notation for roll in two.rolls] == ["3B", "3B", "3B", "5B"]
    for wrong in (0, 3):
        with pytest.raises(BadInput):
            fight([], {"armor_dice": wrong}, b=MAIL)
    assert "armor_dice" not in fight([0, 0, 0, 0]).asked
    ruined = {"armor": {"head": {"type": "leather", "lost": 1}}}
    assert "armor_dice" not in fight([0, 0, 0, 0], b=ruined).asked


@pytest.mark.rules("fight.bloody.defense_subtracts")
@pytest.mark.parametrize(
    ("attack", "defence", "left"), [(3, 0, 3), (3, 1, 2), (3, 3, 0), (1, 3, 0), (2, 1, 1)]
)
def test_each_success_of_defence_removes_one_of_attack(attack: int, defence: int, left: int):
    played = fight([attack, 0, 0, defence])
    assert played.outcome.left == (left, 0)


@pytest.mark.rules("sorcery.spell.turn_aside_the_blade")
def test_a_spell_that_turns_blades_aside_hinders_the_attack_pool_alone():
    """B's attack of 3 loses 2; his defence of 2 still takes 2 of A's 3."""
    spell = {
        "name": "Turn Aside the Blade",
        "obstacle": 4,
        "lasts": "Sustained",
        "does": "attack_obstacle",
        "effect": 2,
    }
    assert fight([3, 0, 3, 2], a={"active_spells": [spell]}).outcome.left == (1, 1)


@pytest.mark.rules("fight.bloody.remaining_attack_damages")
def test_what_is_left_hurts_and_both_can_be_hurt():
    """fight.amb.two_pool_obstacle: one left is an Incidental hit, three a Mark."""
    played = fight([3, 1, 2, 0])
    assert played.outcome.left == (3, 1)
    assert [each.damage.number for each in played.outcome.harm] == [4, 7]
    assert [each.hurt.level for each in played.outcome.harm] == ["Superficial", "Midi"]
    assert (played.outcome.winner, played.outcome.at_mercy) == ("a", "b")
    assert played.table.character("a").wounds
    assert played.table.character("b").wounds
    alone = fight([1, 2, 2, 0])
    assert (alone.outcome.harm[0], alone.outcome.harm[1].damage.number) == (None, 4)


@pytest.mark.rules("fight.bloody.tie")
@pytest.mark.parametrize(
    ("rolls", "passed"),
    [([3, 1, 2, 0], [True, False]), ([1, 0, 3, 2], [False, True]), ([2, 2, 2, 2], [False, False])],
)
def test_who_has_more_left_has_passed(rolls: list[int], passed: list[bool]):
    facts = [each.fact for each in fight(rolls).events if isinstance(each, Tell)]
    came = {fact.name: fact.passed for fact in facts if isinstance(fact, TestCame)}
    assert came == dict(zip("AB", passed, strict=True))


def test_a_mortal_blow_does_not_keep_the_other_from_landing():
    """Both are worked out before any wound is marked."""
    frail = {"tolerances": ["B1", "B2", "B3", "B4", "B5", "B6"]}
    played = fight([3, 0, 3, 0], a=frail, b=frail)
    assert [each.hurt.level for each in played.outcome.harm] == ["Mortal", "Mortal"]


@pytest.mark.rules("fight.bloody.tie")
def test_as_much_left_on_both_sides_is_inconclusive():
    none = fight([2, 2, 2, 2])
    assert (none.outcome.winner, none.outcome.tie, none.outcome.at_mercy) == (None, True, "")
    assert none.outcome.harm == (None, None)
    both = fight([3, 0, 3, 0])
    assert both.outcome.winner is None
    assert [each.damage.number for each in both.outcome.harm] == [7, 7]
    assert "The fight is inconclusive." in both.told


@pytest.mark.rules("fight.bloody.tie")
def test_a_call_on_trait_breaks_a_tie_of_pools():
    broken = fight([3, 0, 3, 0], {"b/break_tie": "Calm"}, b={"traits": [CALM]})
    assert (broken.outcome.winner, broken.outcome.broken_by) == ("b", "Calm")
    assert broken.outcome.at_mercy == "a"
    assert [each.damage.number for each in broken.outcome.harm] == [7, 7]
    assert broken.changed["b.traits.0.called_this_session"] is True


@pytest.mark.rules("fight.bloody.one_roll_ends_fight")
def test_one_roll_each_way_ends_it():
    played = fight([3, 0, 0, 0])
    assert "B is at A's mercy" in played.told
    with pytest.raises(NotAllowed) as refused:
        play("bloody_pools", FIGHTERS, played.table, rolls=[])
    assert refused.value.rule == "tests.let_it_ride.one_roll"


# --- What is marked and paid -----------------------------------------------------------------


def logs(played: Played) -> dict[str, int]:
    return {key: value for key, value in played.changed.items() if ".log." in key}


def test_a_skill_earns_one_test_and_the_harder_one():
    """advancement.series.one_test. A: 5D against 0, 1D against 2. B: 2D against 0, 4D against 4."""
    played = fight([4, 0, 2, 0], {"a/pools": [5, 1], "b/pools": [2, 4]})
    assert logs(played) == {"a.skills.Sword.log.challenging": 1, "b.skills.Sword.log.difficult": 1}
    assert not played.table.scene.series


def test_inside_a_longer_series_the_test_is_kept_for_its_end():
    scene = {"series": [{"title": "the siege", "characters": ["a"]}]}
    here = table(scene, a=SWORDSMAN, b=SWORDSMAN)
    played = play("bloody_pools", FIGHTERS, here, rolls=[3, 1, 2, 0])
    assert set(logs(played)) == {"b.skills.Sword.log.difficult"}
    assert [test.ability for test in played.table.scene.series[0].tests] == ["Sword"]


def test_artha_is_bought_once_for_both_rolls_and_counts_for_no_class():
    rich = {"artha": {"fate": 1, "persona": 2}}
    answers = {"a/boon": 2, "a/pools": [4, 4]}
    played = fight([0, 3, 2, 1], answers, a=rich)  # who can still buy throws last
    thrown = {roll.label: roll.expression.notation for roll in played.rolls}
    assert (thrown["A, Sword (attack)"], thrown["A, Sword (defence)"]) == ("4B", "4B")
    assert "A divides 8D = 6 Sword + 2 Boon" in played.told
    assert "A, attack, rolls 4D = 2 Sword + 2 artha against Ob 1" in played.told
    assert "A, defence, rolls 4D = 4 Sword" in played.told
    assert played.table.character("a").artha.persona == 0
    assert played.changed["a.skills.Sword.spent.persona"] == 2
    # 2D of his own against 3 is beyond what 4D would be
    assert logs(played)["a.skills.Sword.log.challenging"] == 1


def test_luck_goes_to_one_of_the_rolls():
    lucky = {"artha": {"fate": 1}}
    answers = {"a/after_roll#1": "luck"}
    played = fight([0, 0, [6, 6, 1], [1, 1, 1], [4, 2]], answers, a=lucky)
    assert played.outcome.attack[0] == 3
    assert played.table.character("a").artha.fate == 0


def test_penalties_count_in_either_pool():
    options = fight([0, 0, 0, 0]).asks["hindrances"].question.options  # type: ignore[attr-defined]
    one = next(option.key for option in options if option.note == "+1 Ob")
    played = fight([3, 3, 3, 0], {"hindrances#1": [one]})
    assert played.outcome.left == (2, 1)
    assert played.outcome.defence == (2, 0)


def test_a_beginner_needs_twice_as_much():
    """fight.amb.unskilled: Ob 2 for the attack, and half the defence."""
    played = fight([2, 2, 2, 0], a={"skills": {}})
    assert played.outcome.left == (1, 1)
    assert fight([1, 0, 0, 0], a={"skills": {}}).outcome.left == (0, 0)


# --- Odds, and any fight there is ------------------------------------------------------------


def test_odds_are_those_of_all_the_faces():
    """3D and 2D, one to three ways divided, against every face of five dice."""
    here = table(
        a={**SWORDSMAN, "skills": {"Sword": "B3"}}, b={**SWORDSMAN, "skills": {"Sword": "B2"}}
    )
    policy = Scripted({"a/pools": (2, 1), "b/pools": (1, 1)})
    arguments = BloodyPools((Fighter("a", "sword"), Fighter("b", "sword")))
    walked = exact(then(bloody_pools, arguments, here), policy)
    found = walked.map(lambda o: (o.winner, o.left)).weights
    expected: Counter[Any] = Counter()
    for faces in product((False, True), repeat=5):
        one, two = sum(faces[:2]), int(faces[2])
        three, four = int(faces[3]), int(faces[4])
        left = max(0, one - four), max(0, three - two)
        winner = "a" if left[0] > left[1] else "b" if left[1] > left[0] else None
        expected[(winner, left)] += 1
    total = sum(found.values())
    assert {key: Fraction(weight, total) for key, weight in found.items()} == {
        key: Fraction(ways, 32) for key, ways in expected.items()
    }


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(
    skills=st.tuples(st.integers(1, 8), st.integers(1, 8)),
    shares=st.tuples(st.floats(0, 1), st.floats(0, 1)),
    armored=st.booleans(),
    luck=st.lists(st.floats(0, 1), min_size=4, max_size=4),
)
def test_any_fight_leaves_two_sound_sheets(
    skills: tuple[int, int], shares: tuple[float, float], armored: bool, luck: list[float]
):
    """Against the rules in one line each: what is left hurts, and nothing else changes."""
    answers: dict[str, Any] = {}
    sheets, rolls, successes = {}, [], []
    for at, name in enumerate("ab"):
        skill, attack = skills[at], round(skills[at] * shares[at])
        attack = attack if skill == 1 else max(1, min(skill - 1, attack))
        answers[f"{name}/pools"] = [attack, skill - attack]
        worn = MAIL if armored else {}
        sheets[name] = {**SWORDSMAN, **worn, "skills": {"Sword": f"B{skill}"}}
        for which, dice in enumerate((attack, skill - attack + armored)):
            successes.append(round(dice * luck[2 * at + which]))
            rolls += [successes[-1]] if dice else []
    here = table(**sheets)
    played = play("bloody_pools", FIGHTERS, here, answers, rolls)
    left = max(0, successes[0] - successes[3]), max(0, successes[2] - successes[1])
    assert played.outcome.left == left
    for at, name in enumerate("ab"):
        after = played.table.character(name)
        assert GAME.check is not None
        GAME.check(after)
        assert len(after.wounds) == (left[1 - at] > 0)
        assert after.armor == here.character(name).armor
        log = after.skills["Sword"].log
        raised = after.skills["Sword"].rating != here.character(name).skills["Sword"].rating
        assert raised or log.routine + log.difficult + log.challenging == 1


@pytest.mark.rules("gold.result.helpers_share", "tests.amb.primary_risk")
@pytest.mark.parametrize(
    ("options", "said", "shared_by"),
    [
        ({}, {}, ()),
        ({}, {"helpers_share": True}, ("c",)),
        ({"edition": "gold"}, {}, ("c",)),
    ],
)
def test_the_losers_helpers_share_the_defeat_where_that_was_said(options, said, shared_by):
    rolls = [3, 3, 0, 2]  # 3 - 2 against 0 - 3
    here = table(options=options, a=SWORDSMAN, b=SWORDSMAN, c=SWORDSMAN)
    first, second = FIGHTERS["fighters"]
    fighters = {"fighters": [first, {**second, "helpers": ["c"]}]}
    answers = {"c/help": "Sword", **said}
    played = play("bloody_pools", fighters, here, answers, rolls)
    assert played.outcome.winner == "a"
    assert played.outcome.shared_by == shared_by
