"""Wizards' duels: positioning, who may cast, counter-spells, and reading a caster's aura."""

from __future__ import annotations

from typing import Any

import pytest

from astragal.errors import BadInput, NotAllowed
from astragal.games.burning_wheel.magic.sorcery.countering import opposes
from astragal.rules import catalogue
from games.burning_wheel.playing import play, sheet, table
from games.burning_wheel.spellcasting import FOE, HAN, LIGHT, at_table, wizard

DUEL = "range_and_cover"


def position(spell: dict[str, Any], conflict: str, at: Any = None, **more: Any) -> Any:
    said = {"character": "han", "spell": "Glow", "conflict": conflict, **more}
    return play("position_spell", said, at or at_table({**LIGHT, **spell}), rolls=[]).outcome


def facets(origin: str, area: str) -> dict[str, str]:
    return {"origin": origin, "area": area}


# --- Positioning ---------------------------------------------------------------------------


@pytest.mark.rules("sorcery.duel.spells_are_weapons", "sorcery.duel.optimal_range")
@pytest.mark.parametrize(
    ("origin", "area", "dice"),
    [
        ("Personal", "Caster", 0),
        ("Personal", "Single Target", 0),
        pytest.param(
            "Presence", "Single Target", 1, marks=pytest.mark.rules("sorcery.duel.rc_presence")
        ),
        pytest.param(
            "Presence", "Presence", 2, marks=pytest.mark.rules("sorcery.duel.rc_presence_presence")
        ),
        pytest.param("Sight", "Single Target", 5, marks=pytest.mark.rules("sorcery.duel.rc_sight")),
        pytest.param(
            "Personal", "Natural Effect", 3, marks=pytest.mark.rules("sorcery.duel.natural_effect")
        ),
        pytest.param(
            "Personal", "Presence", 1, marks=pytest.mark.rules("sorcery.amb.positioning_gaps")
        ),
        pytest.param(
            "Sight", "Natural Effect", 8, marks=pytest.mark.rules("sorcery.amb.positioning_gaps")
        ),
    ],
)
def test_range_dice_of_origin_and_area(origin: str, area: str, dice: int):
    assert position(facets(origin, area), DUEL).dice.total == dice


@pytest.mark.rules("sorcery.duel.rc_presence", "sorcery.amb.presence_bomb_properties")
def test_a_presence_spell_is_like_a_bomb():
    found = position(facets("Presence", "Single Target"), DUEL)
    assert (found.paces, found.ignores_cover, found.dice.total) == (10, 1, 1)


@pytest.mark.rules("sorcery.duel.measured_area_dice", "sorcery.amb.dice_and_area_same_obstacle")
@pytest.mark.parametrize(
    ("unit", "wider", "dice"),
    [
        ("Paces", 0, 1),
        ("Paces", 3, 1),
        ("Paces", 4, 2),
        ("10s of Paces", 2, 2),
        ("10s of Paces", 5, 3),
        ("100s of Paces", 1, 6),
        ("Miles", 1, 11),
        ("10s of Miles", 2, 20),
        ("100s of Miles", 2, 26),
    ],
)
def test_a_measured_area_buys_dice_with_obstacle(unit: str, wider: int, dice: int):
    found = position(facets("Personal", unit), DUEL, wider=wider)
    assert (found.dice.total, found.obstacle) == (dice, wider)


@pytest.mark.rules("sorcery.amb.measured_area_in_fight")
def test_in_a_fight_a_measured_area_gives_dice_and_no_length():
    found = position(facets("Personal", "10s of Paces"), "fight", length="shortest", wider=2)
    assert (found.length, found.dice.total) == ("none", 2)


@pytest.mark.rules("sorcery.duel.fight_presence", "sorcery.amb.steps_shortest_to_longest")
@pytest.mark.parametrize("origin", ["Presence", "Personal"])
def test_presence_is_the_longest_weapon_but_for_missiles(origin: str):
    spell = facets(origin, "Presence")
    for length, distance, dice in (
        ("shortest", "outside", 1),
        ("shortest", "optimal", 2),
        ("longer", "lunging", 1),
        ("longest", "optimal", 0),
        ("missile", "optimal", 0),
    ):
        found = position(spell, "fight", length=length, distance=distance)
        assert (found.length, found.dice.total) == ("longest_but_missiles", dice)


@pytest.mark.rules("sorcery.duel.fight_sight")
def test_sight_is_always_the_longest():
    spell = facets("Sight", "Single Target")
    assert position(spell, "fight", length="missile").dice.total == 1
    assert position(spell, "fight", length="shortest", distance="lunging").dice.total == 2
    assert position(spell, "fight", length="short").length == "longest"
    (line,) = position(spell, "fight", length="short").dice.lines
    assert line.rule == "sorcery.duel.fight_sight"
    (line,) = position(facets("Presence", "Single Target"), "fight", length="short").dice.lines
    assert line.rule == "sorcery.duel.fight_presence"


@pytest.mark.rules("sorcery.duel.natural_effect")
def test_a_natural_force_is_the_longest_weapon():
    found = position(facets("Personal", "Natural Effect"), "fight", length="long")
    assert (found.length, found.dice.total) == ("longest", 1)


@pytest.mark.rules("sorcery.amb.positioning_gaps")
def test_a_touch_is_the_shortest():
    found = position(facets("Personal", "Single Target"), "fight", length="longest")
    assert (found.length, found.dice.total) == ("shortest", 0)


@pytest.mark.rules("sorcery.scope.sibling_skills", "tests.record.gm_characters")
def test_a_summoner_with_two_numbers_can_look_up_what_a_spell_is_worth():
    """Will B6 and Summoning are enough: one range die, 6 paces of Presence, 5 actions."""
    spell = {**LIGHT, **facets("Presence", "Single Target"), "actions": 5}
    raw = {"name": "Vizier", "npc": True, "stats": {"Will": "B6"}, "skills": {"Summoning": "B8"}}
    at = table(vizier={**raw, "traits": ["Gifted"], "spells": [spell]})
    said = {"character": "vizier", "spell": "Glow", "conflict": "range_and_cover"}
    found = play("position_spell", said, at, rolls=[]).outcome
    assert (found.dice.total, found.presence, found.actions) == (1, 6, 5)
    looked_up = {"character": "vizier", "spell": "Glow", "skill": "Summoning"}
    assert play("spell_time", looked_up, at, rolls=[]).outcome.seconds == 5
    patient = {**looked_up, "method": "patiently", "steps": 1}
    with pytest.raises(BadInput, match="none"):
        play("spell_time", patient, at, rolls=[])


def against(mine: dict[str, str], theirs: dict[str, str], traits: Any = (), **other: Any) -> int:
    foe = {**HAN, "name": "Foe", "spells": [{**LIGHT, **theirs}], **other}
    at = table(han=wizard({**LIGHT, **mine}, traits=["Gifted", *traits]), foe=foe)
    more = {"opponent": "foe", "opponent_spell": "Glow"}
    return int(position({}, "fight", at, **more).dice.total)


@pytest.mark.rules("sorcery.duel.fight_sight_vs_sight")
def test_two_sight_spells_give_nothing():
    sight = facets("Sight", "Single Target")
    assert against(sight, sight) == 0


@pytest.mark.rules("sorcery.amb.sight_vs_presence")
def test_sight_is_longer_than_presence():
    sight, presence = facets("Sight", "Single Target"), facets("Presence", "Presence")
    assert (against(sight, presence), against(presence, sight)) == (1, 0)


@pytest.mark.rules("sorcery.duel.presence_vs_presence")
def test_of_two_presences_the_stronger_is_longer():
    presence = facets("Presence", "Presence")
    assert against(presence, presence) == 0
    assert against(presence, presence, ["Sonorous Voice"]) == 1
    assert against(presence, presence, traits=[], skills={"Sorcery": "B5", "Command": "B3"}) == 0
    assert against(presence, presence, ["Aura of Fear", "Stealthy"]) == 0
    assert against(presence, presence, stats={**HAN["stats"], "Will": "B4"}) == 1
    voiced = at_table({**LIGHT, **presence}, traits=["Gifted", "Sonorous Voice", "Cipher"])
    assert position({}, "fight", voiced).presence == 5
    rows = catalogue().table("sorcery.table.presence_modifiers").rows
    strong = [name for name, paces in rows if paces > 0]
    loud = at_table({**LIGHT, **presence}, traits=["Gifted", *strong])
    assert position({}, "fight", loud).presence == 5 + len(strong) == 17


@pytest.mark.rules("sorcery.duel.fastest_spell", "sorcery.method.declare_before_positioning")
def test_the_faster_spell_has_a_die():
    assert position({}, DUEL, opponent_actions=13).dice.total == 1
    assert position({}, DUEL, opponent_actions=12).dice.total == 0
    careful = position({}, DUEL, opponent_actions=13, method="carefully", steps=1)
    assert (careful.dice.total, careful.actions) == (0, 24)
    hasty = {"method": "hastily", "steps": 2}
    assert position({}, DUEL, opponent_actions=11, **hasty).dice.total == 1
    # Of a spell whose time is not known nobody can say that it is faster.
    assert position({"actions": 0}, DUEL, opponent_actions=13).dice.total == 0


@pytest.mark.rules("sorcery.duel.must_cast_to_use")
def test_a_spell_that_is_not_cast_adds_nothing():
    with pytest.raises(NotAllowed, match="adds nothing") as refused:
        position({}, "fight", casting=False)
    assert refused.value.rule == "sorcery.duel.must_cast_to_use"
    for wrong in ({"length": "huge"}, {"distance": "far"}):
        with pytest.raises(BadInput, match="one of"):
            position({}, "fight", **wrong)


# --- Who may cast --------------------------------------------------------------------------


def after(conflict: str, margin: int, **more: Any) -> Any:
    said = {"character": "han", "conflict": conflict, "margin": margin, **more}
    return play("spell_after_positioning", said, at_table(LIGHT), rolls=[]).outcome


@pytest.mark.rules("sorcery.duel.fight_win_or_lose")
@pytest.mark.parametrize("margin", [-3, 0, 2])
def test_in_a_fight_win_or_lose(margin: int):
    assert after("fight", margin).may_cast


@pytest.mark.rules("sorcery.duel.rc_win_spend_to_cast", "sorcery.duel.rc_other_actions")
def test_in_range_and_cover_the_winner_spends_one_success():
    found = after(DUEL, 3)
    assert (found.may_cast, found.cost, found.left) == (True, 1, 2)


@pytest.mark.rules("sorcery.duel.rc_lose")
def test_and_the_loser_does_not_cast():
    assert not after(DUEL, -1).may_cast


@pytest.mark.rules("sorcery.duel.rc_tie")
def test_on_a_tie_both_act():
    cast_it, duck = after(DUEL, 0), after(DUEL, 0, duck=True)
    assert (cast_it.may_cast, cast_it.cost) == (True, 0)
    assert (duck.may_cast, duck.opponent_obstacle) == (False, 1)


# --- Counter-spells ------------------------------------------------------------------------

FIRE = {"name": "Blaze", "obstacle": 3, "element": "Fire", "up": True, "impetus": "Create"}
RAIN = {"name": "Shower", "obstacle": 2, "element": "Water", "up": True, "impetus": "Control"}


def counter(rolls: Any, answers: Any = None, fire: Any = FIRE, rain: Any = RAIN) -> Any:
    foe = {**HAN, "name": "Foe", "spells": [rain], "npc": True}
    at = table(han=wizard(fire), foe=foe)
    said = {
        "spell": {"character": "han", "spell": fire["name"]},
        "counter": {"character": "foe", "spell": rain["name"]},
    }
    return play("counter_spell", said, at, answers, rolls)


@pytest.mark.rules("sorcery.counter.roll")
def test_both_are_cast_with_their_own_tax():
    played = counter([5, 3, 2, 2])
    assert [roll.label for roll in played.rolls] == [
        "Han, Sorcery",
        "Han, Forte",
        "Foe, Sorcery",
        "Foe, Forte",
    ]
    assert played.outcome.counter.tax.obstacle.total == 2


@pytest.mark.rules("sorcery.counter.subtract", "sorcery.counter.reduced")
def test_successes_over_are_taken_off():
    outcome = counter([6, 3, 4, 2]).outcome  # 6 less 2: one over Ob 3
    assert (outcome.left, outcome.negated) == (4, False)
    assert outcome.spell.effect.effect == 1
    assert outcome.counter.effect is None


@pytest.mark.rules("sorcery.counter.negated")
def test_below_its_obstacle_a_spell_is_negated_and_not_failed():
    outcome = counter([4, 3, 4, 2]).outcome
    assert (outcome.negated, outcome.left) == (True, 2)
    assert outcome.spell.effect is None
    assert outcome.spell.failure is None
    assert outcome.spell.countered
    just = counter([5, 3, 4, 2]).outcome  # 5 less 2 still meets Ob 3
    assert (just.negated, just.spell.effect.effect) == (False, 0)


@pytest.mark.rules("sorcery.counter.overwhelm", "sorcery.amb.counter_overwhelm")
def test_what_is_left_of_the_counter_spell_takes_effect():
    outcome = counter([3, 3, 8, 2]).outcome  # 6 over against 3: 3 left
    assert outcome.overwhelmed
    assert outcome.counter.effect.effect == 3
    assert not counter([6, 3, 8, 2]).outcome.overwhelmed
    even = counter([3, 3, 5, 2]).outcome  # 3 over against 3: neither is left
    assert (even.left, even.negated, even.overwhelmed) == (0, True, False)
    assert even.counter.effect is None
    wide = {**RAIN, "area": "Paces"}
    grown = counter([3, 3, 8, 2], {"overwhelm_area": 2}, rain=wide).outcome.counter.effect
    assert (grown.effect, grown.paces) == (1, 3)
    as_it_was = counter([3, 3, 8, 2], rain=wide).outcome.counter.effect
    assert (as_it_was.effect, as_it_was.paces) == (3, 1)


@pytest.mark.rules("sorcery.counter.overwhelm")
def test_a_counter_spell_without_successes_over_changes_nothing_and_has_no_effect():
    outcome = counter([4, 3, 2, 2]).outcome  # 2 against Ob 2: none over
    assert (outcome.left, outcome.negated, outcome.overwhelmed) == (4, False, False)
    assert outcome.spell.effect.effect == 1
    assert outcome.counter.effect is None
    assert outcome.counter.countered


@pytest.mark.rules("sorcery.amb.counter_failed")
def test_a_counter_spell_that_fails_changes_nothing():
    outcome = counter([4, 3, 1, 2, [6]]).outcome
    assert outcome.spell.effect.effect == 1
    assert outcome.counter.failure.result == "Harmless Dissipation"
    missed = counter([2, 3, 4, 2, [6]]).outcome  # nothing to counter
    assert missed.spell.failure is not None
    assert missed.counter.effect.effect == 2


@pytest.mark.rules("sorcery.counter.principle", "sorcery.amb.counter_requirements")
def test_the_gm_confirms_every_counter_spell():
    assert counter([4, 3, 4, 2]).asks["counters"].kind == "consent"
    with pytest.raises(NotAllowed, match="opposes neither"):
        counter([4, 3, 4, 2], {"counters": False})
    odd = {**RAIN, "element": "Heaven", "impetus": "Influence"}
    with pytest.raises(NotAllowed) as refused:
        counter([4, 3, 4, 2], rain=odd)
    assert refused.value.rule == "sorcery.counter.principle"
    assert counter([4, 3, 4, 2], {"counters": True}, rain=odd).outcome.negated


@pytest.mark.rules("sorcery.counter.timing")
def test_both_must_be_completed_in_one_volley():
    with pytest.raises(NotAllowed, match="same volley"):
        counter([4, 3, 4, 2], {"same_volley": False})


def spell(**facets: str) -> Any:
    return sheet(**wizard({"name": "X", "obstacle": 1, **facets})).spells[0]


@pytest.mark.rules("sorcery.counter.elements")
def test_opposed_elements():
    pairs = {
        ("Fire", "Water"),
        ("White", "Earth"),
        ("Air", "Fire"),
        ("Heaven", "Heaven"),
        ("Arcana", "Arcana"),
        ("Anima", "Anima"),
    }
    names = catalogue().table("sorcery.table.elements").column("element")
    found = {(a, b) for a in names for b in names if opposes(spell(element=a), spell(element=b))}
    assert found == pairs | {(b, a) for a, b in pairs}


@pytest.mark.rules("sorcery.counter.impeti")
def test_opposed_impeti():
    pairs = {
        ("Destroy", "Create"),
        ("Enhance", "Tax"),
        ("Control", "Influence"),
        ("Influence", "Influence"),
        ("Control", "Control"),
    }
    names = catalogue().table("sorcery.table.impeti").column("impetus")
    found = {(a, b) for a in names for b in names if opposes(spell(impetus=a), spell(impetus=b))}
    assert found == pairs | {(b, a) for a, b in pairs}


def known(name: str) -> Any:
    return sheet(**wizard(name)).spells[0]


@pytest.mark.rules("sorcery.counter.known_pairs")
def test_named_pairs():
    assert opposes(known("Rainstorm"), known("Rain of Fire"))
    assert opposes(known("Rainstorm"), known("Breath of Fire"))
    assert opposes(known("Mage Light"), known("Dark of Night"))
    assert opposes(known("Dark of Night"), known("Mage Light"))
    assert opposes(known("Binding"), known("Chameleon")) is None


@pytest.mark.rules("sorcery.counter.none_for_some")
@pytest.mark.parametrize("name", ["Persuasion", "Philosopher's Perch"])
def test_some_have_no_counter_spell(name: str):
    assert opposes(known("Persuasion"), known(name)) is False
    with pytest.raises(NotAllowed, match="has no counter-spell"):
        counter([], fire={"name": name, "obstacle": 2})


@pytest.mark.rules("sorcery.counter.assess")
def test_assessing_a_caster_takes_second_sight_or_magesense():
    said = {"character": "han", "opponent": "foe"}
    skills = {"Aura Reading": "B4"}
    with pytest.raises(NotAllowed, match="Second Sight"):
        play("assess_caster", said, at_table(skills=skills), {"obstacle": 2}, [2])
    seeing = at_table(skills=skills, traits=["Second Sight"])
    assert play("assess_caster", said, seeing, {"obstacle": 2}, [2]).outcome.passed
    sense = {"name": "Magesense", "obstacle": 4, "lasts": "Sustained", "does": "sight"}
    sensing = at_table(skills=skills, active_spells=[sense])
    found = play("assess_caster", said, sensing, {"obstacle": 2}, [2]).outcome
    assert found.ability == "Aura Reading"
    assert FOE["npc"]
