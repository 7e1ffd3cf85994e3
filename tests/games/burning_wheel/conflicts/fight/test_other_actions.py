"""What else one can do in a fight, action by action."""

from __future__ import annotations

import pytest

from astragal.errors import BadInput
from astragal.games.burning_wheel.conflicts.fight.gathering import RollKind, burdens
from astragal.games.burning_wheel.conflicts.fight.hesitation import drop_weapon
from astragal.games.burning_wheel.conflicts.fight.other_actions import cost_of, other_cards
from astragal.games.burning_wheel.conflicts.fight.script import ask_script
from astragal.games.burning_wheel.conflicts.fight.state import (
    FallenWeapon,
    Hindrance,
    HindranceUntil,
    Posture,
)
from astragal.games.burning_wheel.sheet.facts import DiceGathered
from astragal.games.burning_wheel.sheet.weapon_tables import Weapon
from astragal.play import Line, Tell
from games.burning_wheel.editions_beside import both
from games.burning_wheel.in_a_fight import FIGHTER, do, fight

TWO_WEAPONS = {"weapons": [{"weapon": "sword"}, {"weapon": "dagger"}]}


def keys(at):
    return {card.key for card in other_cards(at, "ann")}


def gathered(moment):
    facts = [e.fact for e in moment.played.events if isinstance(e, Tell)]
    return [fact for fact in facts if isinstance(fact, DiceGathered)]


# --- Assess --------------------------------------------------------------------------------


@pytest.mark.rules("fight.assess.purpose", "fight.assess.one_action")
def test_assess_is_one_action_and_a_perception_test_for_what_is_named():
    answers = {"assess": "another way out", "obstacle": 2, "assessed": "a trapdoor"}
    seen = do(fight(), "assess", answers=answers, rolls=[2])
    (dice,) = gathered(seen)
    assert (dice.dice.total, dice.obstacle.total) == (4, 2)
    assert dice.dice.lines[0].label == "Perception"
    assert "sees: a trapdoor" in seen.told
    assert (seen.played.seats["assess"], seen.played.seats["obstacle"]) == ("ann", "gm")
    missed = do(fight(), "assess", answers={"obstacle": 2}, rolls=[1])
    assert "Failure" in missed.told


@pytest.mark.rules("gold.tests.obstacle_range")
@both(revised=20, gold=10)
def test_what_the_gm_sets_in_a_fight_has_an_upper_end(edition, expected):
    at = fight({"edition": edition})
    assert gathered(do(at, "assess", answers={"obstacle": expected}, rolls=[0]))[0].obstacle
    with pytest.raises(BadInput, match=f"obstacle: found {expected + 1}"):
        do(at, "assess", answers={"obstacle": expected + 1})


@pytest.mark.rules("fight.assess.more_actions", "fight.amb.assess_limit")
@pytest.mark.parametrize(("longer", "dice"), [(0, 4), (1, 5), (2, 6), (3, 6)])
def test_looking_longer_adds_a_die_for_a_second_action_and_two_for_a_third(longer, dice):
    cards = ("assess:longer",) * longer + ("assess",)
    seen = do(fight(), *cards, answers={"obstacle": 2}, rolls=[0])
    assert gathered(seen)[0].dice.total == dice
    assert do(seen.fight, "assess", answers={"obstacle": 2}, rolls=[0]).who().ready.done == 0


def test_looking_longer_counts_only_without_a_break():
    at = do(fight(ann=TWO_WEAPONS), "assess:longer", "draw_weapon:dagger").fight
    seen = do(at, "assess", answers={"obstacle": 2}, rolls=[0])
    assert gathered(seen)[0].dice.total == 4


# --- Draw, get up, act ---------------------------------------------------------------------


@pytest.mark.rules("fight.draw.standard", "fight.draw.readied", "fight.draw.concealed")
@pytest.mark.parametrize(
    ("where", "actions", "rule"),
    [
        ({}, 2, "standard"),
        ({"readied": ("dagger",)}, 1, "readied"),
        ({"concealed": ("dagger",)}, 4, "concealed"),
    ],
)
def test_how_long_it_takes_to_draw_a_weapon(where, actions, rule):
    at = fight(ann=TWO_WEAPONS).change("ann", weapon="", **where)
    card = "draw_weapon:dagger"
    assert card in keys(at)
    assert cost_of(card, at, "ann") == actions
    if actions > 1:
        assert do(at, *(card,) * (actions - 1)).who().weapon == ""
    drawn = do(at, *(card,) * actions)
    assert drawn.who().weapon == "dagger"
    assert drawn.played.behind("Ann draws the dagger.") == [f"fight.draw.{rule}"]


def test_what_was_in_the_hand_falls_when_another_weapon_is_drawn():
    drawn = do(fight(ann=TWO_WEAPONS), "draw_weapon:dagger", "draw_weapon:dagger")
    assert [each.weapon.weapon for each in drawn.fight.fallen] == ["sword"]
    assert not {"draw_weapon:sword", "draw_weapon:dagger"} & keys(drawn.fight)


@pytest.mark.rules("fight.get_up.two_actions")
def test_getting_up_takes_one_action_to_the_knees_and_one_to_the_feet():
    down = fight().change("ann", posture=Posture.DOWN)
    assert cost_of("get_up", down, "ann") == 2
    crouch = do(down, "get_up")
    assert crouch.who().posture is Posture.KNEELING
    assert cost_of("get_up", crouch.fight, "ann") == 1
    assert do(crouch.fight, "get_up").who().posture is Posture.STANDING
    assert "get_up" in keys(down)
    assert "get_up" in keys(fight())  # a script may count on being knocked down
    assert cost_of("get_up", fight(), "ann") == 2


@pytest.mark.rules("fight.get_up.prone_defense", "fight.get_up.prone_attack")
@pytest.mark.parametrize(
    ("kind", "action", "down", "crouching"),
    [
        (RollKind.DEFENCE, "block", 2, 1),
        (RollKind.NATURAL, "push", 2, 1),
        (RollKind.POSITION, "", 2, 1),
        (RollKind.ATTACK, "strike", 4, 1),
    ],
)
def test_fighting_from_the_ground(kind, action, down, crouching):
    for posture, penalty in ((Posture.DOWN, down), (Posture.KNEELING, crouching)):
        at = fight().change("ann", posture=posture)
        _, obstacle = burdens(at, "ann", kind, action)
        assert sum(line.amount for line in obstacle) == penalty


@pytest.mark.rules("injury.steel.option_leg_run", "fight.hesitation.run_withdraw")
@pytest.mark.parametrize(
    ("argh", "reaction", "penalty"),
    [(True, "run_screaming", 2), (True, "stand_and_drool", 1), (False, "run_screaming", 1)],
)
def test_who_runs_on_a_wounded_leg_withdraws_as_from_the_ground(argh, reaction, penalty):
    at = fight(scene={"argh_my_arm": argh}).change("ann", posture=Posture.KNEELING)
    at = at.change("ann", hesitates=2, reaction=reaction)
    _, obstacle = burdens(at, "ann", RollKind.POSITION, "")
    assert sum(line.amount for line in obstacle) == penalty


@pytest.mark.rules("armor.shield.destroyed_hindrance")
@pytest.mark.parametrize(
    ("kind", "action", "ability", "penalty"),
    [
        (RollKind.DEFENCE, "avoid", "Speed", 1),
        (RollKind.ATTACK, "push", "Power", 1),
        (RollKind.ATTACK, "lock", "Power", 1),
        (RollKind.POSITION, "charge_tackle", "Power", 1),
        (RollKind.ATTACK, "strike", "Sword", 0),  # the test of the skill has it already
        (RollKind.POSITION, "", "Speed", 0),
        (RollKind.NATURAL, "push", "Power", 0),
    ],
)
def test_a_destroyed_shield_hampers_every_martial_action(kind, action, ability, penalty):
    for lost, more in ((0, 0), (2, 0), (3, penalty)):
        at = fight(ann={"shield": {"kind": "target", "lost": lost}})
        _, obstacle = burdens(at, "ann", kind, action, ability=ability)
        assert sum(line.amount for line in obstacle) == more


@pytest.mark.rules("fight.amb.crouch")
def test_half_up_only_defence_may_be_harder_where_the_group_reads_it_so():
    at = fight({"fight_crouch_penalty": "defence_only"}).change("ann", posture=Posture.KNEELING)

    def penalty(kind, action):
        return sum(line.amount for line in burdens(at, "ann", kind, action)[1])

    assert penalty(RollKind.DEFENCE, "block") == penalty(RollKind.NATURAL, "push") == 1
    assert penalty(RollKind.ATTACK, "strike") == penalty(RollKind.POSITION, "") == 0


@pytest.mark.rules("fight.physical_act.two_actions", "fight.action.list_is_open")
def test_a_physical_act_takes_two_actions_or_what_the_gm_says():
    first = do(fight(), "physical_act")
    assert first.played.asked == ["act_cost"]
    second = do(first.fight, "physical_act", answers={"physical_act": "bars the door"})
    assert "bars the door" in second.told
    long = do(fight(), "physical_act", answers={"act_cost": 3}).fight
    assert "does it" not in do(long, "physical_act").told
    assert "does it" in do(long, "physical_act", "physical_act").told


@pytest.mark.rules("fight.action.break_into_actions")
def test_a_longer_act_begins_again_after_anything_else():
    at = fight(ann=TWO_WEAPONS).change("ann", weapon="", posture=Posture.DOWN)
    at = do(at, "draw_weapon:dagger", "get_up", "draw_weapon:dagger").fight
    assert at.fighter("ann").weapon == ""
    assert do(at, "draw_weapon:dagger").who().weapon == "dagger"


@pytest.mark.rules("fight.disarm.success", "fight.disarm.retrieve_needs_position")
def test_a_weapon_on_the_ground_takes_a_positioning_test_and_two_actions():
    fallen = drop_weapon(fight(), "ann")
    assert "retrieve" in keys(fallen)
    assert cost_of("retrieve", fallen, "ann") == 2
    far = do(fallen, "retrieve")
    assert "out of reach" in far.told
    near = fight(fallen=(FallenWeapon("ann", Weapon("sword"), reached=True),))
    near = near.change("ann", weapon="")
    assert do(near, "retrieve").who().weapon == ""
    got = do(near, "retrieve", "retrieve")
    assert (got.who().weapon, got.fight.fallen) == ("sword", ())


@pytest.mark.rules("fight.xref.drop_shield", "armor.shield.drop_actions")
@pytest.mark.parametrize(("kind", "actions"), [("buckler", 1), ("target", 2), ("great_shield", 3)])
def test_getting_rid_of_a_shield(kind, actions):
    at = fight(ann={"shield": {"kind": kind}})
    assert cost_of("drop_shield", at, "ann") == actions
    if actions > 1:
        assert do(at, *("drop_shield",) * (actions - 1)).fight.sheet("ann").shield is not None
    assert do(at, *("drop_shield",) * actions).fight.sheet("ann").shield is None
    assert "drop_shield" not in keys(fight())


# --- Wounds --------------------------------------------------------------------------------


def wounded(*levels, **artha):
    at = {"Superficial": "B3", "Light": "B5", "Midi": "B7"}
    wounds = [{"level": level, "at": [at[level]]} for level in levels]
    return fight(ann={"wounds": wounds, "artha": artha})


@pytest.mark.rules("fight.xref.shrug_wounds")
@pytest.mark.parametrize(
    ("card", "level", "artha", "actions", "rolls"),
    [
        ("shrug_off:cobwebs", "Superficial", {}, 2, [2]),
        ("shrug_off:fate", "Superficial", {"fate": 1}, 1, []),
        ("shrug_off:grit", "Light", {}, 4, [4]),
        ("shrug_off:persona", "Light", {"persona": 1}, 2, []),
    ],
)
def test_shrugging_off_a_wound(card, level, artha, actions, rolls):
    at = wounded(level, **artha)
    assert card in keys(at)
    assert cost_of(card, at, "ann") == actions
    if actions > 1:
        assert not do(at, *(card,) * (actions - 1)).fight.sheet("ann").wounds[0].borne
    after = do(at, *(card,) * actions, rolls=rolls)
    assert after.fight.sheet("ann").wounds[0].borne
    assert card not in keys(after.fight)


def test_a_shrug_that_fails_leaves_the_pain():
    after = do(wounded("Light"), *("shrug_off:grit",) * 4, rolls=[3])
    assert not after.fight.sheet("ann").wounds[0].borne


@pytest.mark.rules("injury.amb.shrug_retries", "fight.xref.shrug_wounds")
def test_a_wound_that_was_tried_is_not_tried_again():
    once = do(wounded("Light"), *("shrug_off:grit",) * 4, rolls=[3]).fight
    assert "shrug_off:grit" not in keys(once)
    assert "the action is lost" in do(once, "shrug_off:grit").told
    two = do(wounded("Light", "Midi"), *("shrug_off:grit",) * 4, rolls=[1]).fight
    again = do(two, *("shrug_off:grit",) * 4, rolls=[4])  # the other wound, without a question
    assert [wound.borne for wound in again.fight.sheet("ann").wounds] == [False, True]


def test_of_several_wounds_one_is_chosen_and_nobody_shrugs_off_nothing():
    at = wounded("Light", "Midi", persona=1)
    after = do(at, "shrug_off:persona", "shrug_off:persona", answers={"wound": "2"})
    assert [wound.borne for wound in after.fight.sheet("ann").wounds] == [False, True]
    assert "the action is lost" in do(fight(), "shrug_off:grit").told
    assert not {key for key in keys(fight()) if key.startswith("shrug_off")}


@pytest.mark.rules("gold.diff.shrug_off_superficial", "gold.diff.grit_teeth")
@both(revised=True, gold=False)
def test_in_the_later_edition_artha_against_pain_takes_no_action(edition, expected):
    """It is spent on the test itself: there is no card, and one scripted all the same is lost."""
    hurt = {"wounds": [{"level": "Superficial", "at": ["B3"]}, {"level": "Light", "at": ["B5"]}]}
    at = fight({"edition": edition}, ann={**hurt, "artha": {"fate": 1, "persona": 1}})
    paid = {"shrug_off:fate", "shrug_off:persona"}
    assert keys(at) & paid == (paid if expected else set())
    assert {"shrug_off:cobwebs", "shrug_off:grit"} <= keys(at)
    for card in paid:
        done = do(at, card, card) if card.endswith("persona") else do(at, card)
        assert ("the action is lost" in done.told) is not expected
        spent = done.fight.sheet("ann").artha != at.sheet("ann").artha
        assert spent is expected


# --- Threats and spells --------------------------------------------------------------------

LOUD = {"skills": {**FIGHTER["skills"], "Intimidation": "B5"}}


@pytest.mark.rules("fight.social.intimidate", "fight.social.only_two")
def test_intimidating_takes_two_actions_and_calls_for_a_steel_test():
    at = fight(ann=LOUD)
    assert cost_of("intimidate", at, "ann") == 2
    assert not do(at, "intimidate").played.rolls
    cowed = do(at, "intimidate", "intimidate", rolls=[4, 2])
    threat, steel = gathered(cowed)
    assert (threat.obstacle.total, threat.dice.total) == (4, 5)  # Bob's Will
    assert cowed.who("bob").hesitates == steel.obstacle.total - 2 == 4
    assert not do(at, "intimidate", "intimidate", rolls=[3]).who("bob").is_hesitating
    alone = do(at.change("bob", out="gave up"), "intimidate")
    assert "nobody to intimidate; the action is lost" in alone.told
    social = {"Persuasion": "B5", "Oratory": "B5", "Command": "B4"}
    assert "intimidate" not in keys(fight(ann={"skills": social}))


@pytest.mark.rules("fight.magic.incant_cost")
def test_a_spell_takes_its_actions_without_interruption():
    mage = {"skills": {"Sorcery": "B5"}}
    at = do(fight(ann=mage), "incant", answers={"spell_actions": 3}).fight
    assert "has cast" not in do(at, "incant").told
    assert "has cast" in do(at, "incant", "incant").told
    interrupted = do(at, "physical_act").fight
    again = do(interrupted, "incant", answers={"spell_actions": 3})
    assert "2 actions to go" in again.told
    assert not {"incant", "drop_spell", "command_spirit"} & keys(fight())


@pytest.mark.rules("fight.magic.casting_positioning")
def test_whoever_casts_may_maintain_but_neither_close_nor_withdraw():
    question = ask_script(fight(ann={"skills": {"Sorcery": "B5"}}), "ann").question
    rest = ("maintain", "avoid", "maintain", "avoid")
    for move in ("maintain", "stay"):
        script = (move, "incant", "incant", *rest)
        assert question.check(script) == script
    for move in ("close", "withdraw"):
        with pytest.raises(BadInput, match=r"fight\.magic\.casting_positioning"):
            question.check((move, "incant", "incant", *rest))


@pytest.mark.rules("fight.magic.drop_spell", "fight.magic.command_spirit")
def test_dropping_a_spell_and_commanding_a_spirit_are_one_action_each():
    mage = fight(ann={"skills": {"Summoning": "B5"}})
    for card in ("drop_spell", "command_spirit"):
        assert card in keys(mage)
        assert cost_of(card, mage, "ann") == 1
    assert "lets a spell go" in do(mage, "drop_spell").told
    sent = do(mage, "command_spirit", answers={"order": "Take him"})
    assert "Take him" in sent.told
    assert sent.played.asks["order"].question.required


@pytest.mark.rules("fight.beat.win", "fight.beat.win_by_two")
def test_what_a_beat_does_to_a_weapon_does_not_hold_for_another_one():
    """Off balance he still is."""
    waiting = tuple(
        Hindrance(until, Line(1, "in the way", "fight.beat.win_by_two"))
        for until in (HindranceUntil.WEAPON, HindranceUntil.ACTION)
    )
    at = fight(ann=TWO_WEAPONS).change("ann", beaten=True, hindrances=waiting)
    dropped = drop_weapon(at, "ann").fighter("ann")
    assert (dropped.beaten, dropped.hindrances) == (False, waiting[1:])
    unarmed = at.change("ann", weapon="", hindrances=waiting[:1])
    drawn = do(unarmed, "draw_weapon:dagger", "draw_weapon:dagger").who()
    assert (drawn.weapon, drawn.hindrances) == ("dagger", ())
