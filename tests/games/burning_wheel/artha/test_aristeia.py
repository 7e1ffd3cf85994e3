import pytest

from astragal.errors import BadInput, NotAllowed
from astragal.games.burning_wheel.sheet.parts import Artha
from games.burning_wheel.playing import a_test, play, table

RICH = {"fate": 6, "persona": 4, "deeds": 3}


def hero(scene=None, options=None, **more):
    raw = {
        "artha": RICH,
        "skills": {"Sword": "B3", "Axe": "G3", "Bow": "W3"},
        "stats": {"Power": "B4"},
        "attributes": {"Health": "B3"},
        **more,
    }
    return table(scene=scene, options=options, rich=raw)


def enter(ability="Sword", form="minor_epiphany", at=None, answers=None, **more):
    arguments = {"character": "rich", "form": form, "ability": ability, **more}
    return play("enter_aristeia", arguments, at or hero(), answers)


# --- Entering ------------------------------------------------------------------------------


@pytest.mark.rules("artha.aristeia.cost", "artha.aristeia.choose_form")
def test_an_aristeia_is_paid_for_all_at_once():
    for form, goal, does in (
        ("minor_epiphany", "", "tests Sword G3 for the rest of the scene"),
        ("divine_aura", "escape", "ignores wound dice while pursuing this: escape"),
    ):
        played = enter(form=form, goal=goal)
        assert f"Rich enters an Aristeia (5 fate, 3 persona, 2 deeds) and {does}." in played.told
        assert played.table.character("rich").artha == Artha(1, 1, 1)
        (held,) = played.table.scene.aristeias
        assert (held.form, held.ability, held.goal) == (form, "Sword", goal)
    with pytest.raises(BadInput, match="form"):
        enter(form="frenzy")


@pytest.mark.rules("artha.aristeia.cost")
@pytest.mark.parametrize("short", ["fate", "persona", "deeds"])
def test_short_of_any_kind_nothing_is_paid(short):
    cost = {"fate": 5, "persona": 3, "deeds": 2}
    at = hero(artha={**RICH, short: cost[short] - 1})
    with pytest.raises(
        NotAllowed, match=f"costs {cost[short]} {short}, and Rich has {cost[short] - 1}"
    ):
        enter(at=at)


# --- Minor epiphany ------------------------------------------------------------------------


@pytest.mark.rules("artha.aristeia.minor_epiphany", "artha.aristeia.minor_epiphany_effects")
def test_for_a_scene_the_ability_is_a_shade_lighter():
    entered = enter().table
    gray = a_test(entered, "Sword", 2, [[3, 3, 2]])
    assert gray.outcome.passed  # 3s succeed now
    assert entered.character("rich").skills["Sword"].rating.shade.letter == "B"  # not for good
    assert not a_test(entered, "Power", 2, [[3, 3, 3, 2]]).outcome.passed  # only that ability
    over = play("end_scene", {}, entered).table
    assert not a_test(over, "Sword", 2, [[3, 3, 2]]).outcome.passed
    white = enter("Axe").table
    assert a_test(white, "Axe", 3, [[2, 2, 2]]).outcome.passed


@pytest.mark.rules("artha.amb.aristeia_gray_only")
def test_what_becomes_white_during_a_minor_epiphany_is_rolled_as_white():
    almost = {"rating": "G3", "spent": {"fate": 14, "persona": 7, "deeds": 1}}
    entered = enter(at=hero(skills={"Sword": almost, "Axe": "B3"}))
    shifting = entered.table.character("rich").skills["Sword"]
    assert shifting.spent == Artha(19, 10, 3)
    assert str(shifting.rating) == "G3"
    played = a_test(entered.table, "Sword", 2, [[2, 6, 1], [1]], {"after_roll#1": "luck"})
    assert str(played.table.character("rich").skills["Sword"].rating) == "W3"
    assert a_test(played.table, "Sword", 3, [[2, 2, 2]], intent="go on").outcome.passed
    assert a_test(played.table, "Axe", 1, [[4, 1, 1]], intent="go on").outcome.passed


@pytest.mark.rules("artha.aristeia.minor_epiphany")
def test_white_cannot_be_lighter_and_attributes_are_not_chosen():
    with pytest.raises(BadInput, match="ability: found 'Bow W3', expected a black or gray ability"):
        enter("Bow")
    with pytest.raises(BadInput, match="a stat or a skill"):
        enter("Health")


# --- Divine aura ---------------------------------------------------------------------------


BODY = {"Power": "B4", "Forte": "B4", "Agility": "B4", "Speed": "B4", "Will": "B4"}
LEGGINGS = {"legs": "mail"}


@pytest.mark.rules("artha.aristeia.divine_aura")
@pytest.mark.parametrize(("ability", "dice"), [("Sword", 3), ("Power", 4), ("Axe", 3)])
def test_an_aura_lifts_wound_dice_from_every_ability_and_no_obstacle(ability, dice):
    """artha.amb.divine_aura_scope."""
    at = hero(wounds=["Midi", "Superficial"])
    before = a_test(at, ability, 2, [0])
    assert (before.outcome.dice.total, before.outcome.obstacle.total) == (dice - 2, 3)
    inside = enter(form="divine_aura", goal="win", at=at).table
    lifted = a_test(inside, ability, 2, [0])
    assert (lifted.outcome.dice.total, lifted.outcome.obstacle.total) == (dice, 3)
    over = play("end_scene", {}, inside).table
    assert a_test(over, ability, 2, [0]).outcome.dice.total == dice - 2


@pytest.mark.rules("artha.aristeia.divine_aura")
def test_an_aura_lifts_what_else_takes_dice():
    at = hero(armor=LEGGINGS, stats=BODY, skills={"Sword": "B3", "Armor Training": "B2"})
    assert a_test(at, "Speed", 2, [0]).outcome.dice.total == 3
    inside = enter(form="divine_aura", goal="win", at=at).table  # named: Sword
    assert a_test(inside, "Speed", 2, [0]).outcome.dice.total == 4


@pytest.mark.rules("artha.aristeia.divine_aura_goal")
def test_an_aura_lifts_nothing_from_what_does_not_serve_the_goal():
    inside = enter(form="divine_aura", goal="win", at=hero(wounds=["Midi"])).table
    aside = a_test(inside, "Power", 2, [0], {"serves_goal": False})
    assert aside.outcome.dice.total == 2
    assert aside.seats["serves_goal"] == "gm"
    unhurt = enter(form="divine_aura", goal="win").table
    assert "serves_goal" not in a_test(unhurt, "Power", 2, [0]).asked


@pytest.mark.rules("artha.aristeia.divine_aura_goal", "artha.aristeia.divine_aura")
def test_an_aura_steels_only_in_the_pursuit_of_its_goal():
    at = hero(wounds=["Midi"], stats={"Will": "B4"}, attributes={"Steel": "B4"})
    inside = enter(form="divine_aura", goal="win", at=at).table
    fright = {"character": "rich", "cause": "fear", "source": "a ghost"}
    played = play("steel_test", fright, inside, rolls=[1])
    assert (played.seats["serves_goal"], played.outcome.dice.total) == ("gm", 4)
    beside = play("steel_test", fright, inside, {"serves_goal": False}, [1])
    assert beside.outcome.dice.total == 2


@pytest.mark.rules("artha.aristeia.divine_aura", "injury.zero.skill")
def test_in_an_aura_a_skill_that_wounds_had_taken_can_be_used_and_help():
    raw = {"skills": {"Sword": "B2", "Axe": "B2"}, "stats": BODY, "wounds": ["Midi"]}
    at = hero(**raw)
    with pytest.raises(NotAllowed, match="no dice of Sword"):
        a_test(at, "Sword", 2)
    inside = enter(form="divine_aura", goal="win", at=at).table
    played = a_test(inside, "Sword", 2, [0], {"forks": ["Axe"]})
    assert played.outcome.dice.total == 3


@pytest.mark.rules("artha.aristeia.divine_aura", "injury.zero.stat_incapacitated")
@pytest.mark.parametrize(
    ("stat", "state"), [("Speed", "helpless"), ("Will", "unconscious"), ("Power", "helpless")]
)
def test_an_aura_brings_the_incapacitated_up_until_it_ends(stat, state):
    """artha.amb.divine_aura_scope."""
    at = hero(stats={**BODY, stat: "B2"}, wounds=["Midi"])
    with pytest.raises(NotAllowed, match=f"Rich is {state} and cannot act"):
        play("sprint", {"character": "rich"}, at)
    entered = enter(form="divine_aura", goal="win", at=at)
    assert "Rich comes to." in entered.told
    inside = entered.table
    assert play("sprint", {"character": "rich"}, inside).outcome is not None
    assert "only_watches" not in a_test(inside, "Sword", 2, [0]).asked
    ended = play("end_scene", {}, inside)
    said = {"helpless": "helpless, but awake", "unconscious": "unconscious"}[state]
    assert f"Rich is {said} ({stat} at zero)." in ended.told
    with pytest.raises(NotAllowed, match=f"Rich is {state} and cannot act"):
        play("sprint", {"character": "rich"}, ended.table)


@pytest.mark.rules("artha.aristeia.divine_aura")
def test_an_aura_ignores_no_mortal_wound_and_an_epiphany_wakes_nobody():
    """artha.amb.divine_aura_scope."""
    with pytest.raises(NotAllowed, match="Rich is dying"):
        enter(form="divine_aura", goal="win", at=hero(wounds=["Mortal"]))
    held = {"aristeias": [{"character": "rich", "form": "divine_aura", "ability": "Sword"}]}
    with pytest.raises(NotAllowed, match="Rich is dying"):
        a_test(hero(held, wounds=["Mortal"]), "Sword", 1)
    lying = hero(stats={**BODY, "Will": "B2"}, wounds=["Midi"])
    with pytest.raises(NotAllowed, match="Rich is unconscious"):
        enter(at=lying)


@pytest.mark.rules("artha.aristeia.divine_aura_goal")
def test_an_aura_needs_one_simple_goal_stated_at_the_start():
    with pytest.raises(BadInput, match="goal: found ''"):
        enter(form="divine_aura")
    with pytest.raises(NotAllowed, match="needs one simple goal"):
        enter(form="divine_aura", goal="all of it", answers={"simple_goal": False})


@pytest.mark.rules("artha.aristeia.divine_aura_combat_goal")
def test_an_aura_to_kill_ends_when_the_enemy_gets_away():
    inside = enter(form="divine_aura", goal="kill him", opponent="the baron").table
    other = play("enemy_escapes", {"opponent": "the duke"}, inside)
    assert len(other.table.scene.aristeias) == 1
    gone = play("enemy_escapes", {"opponent": "the baron"}, inside)
    assert gone.table.scene.aristeias == ()
    done = play("end_aristeia", {"character": "rich", "why": "it is done"}, inside)
    assert done.table.scene.aristeias == ()
    with pytest.raises(NotAllowed, match="Rich is not in an Aristeia"):
        play("end_aristeia", {"character": "rich", "why": "again"}, done.table)


# --- Epiphany ------------------------------------------------------------------------------


def near(ability="Sword", group="skills", rating="B3", **spent):
    almost = {"fate": 20, "persona": 10, "deeds": 3, **spent}
    return {group: {ability: {"rating": rating, "spent": almost}}}


@pytest.mark.rules("artha.epiphany.effect", "artha.epiphany.cost", "artha.epiphany.immediate")
@pytest.mark.parametrize(
    ("spent", "shifts"),
    [({"fate": 19}, True), ({"persona": 9}, False), ({"deeds": 2}, False), ({"fate": 18}, False)],
)
def test_the_shade_shifts_the_moment_all_three_totals_are_there(spent, shifts):
    at = hero(**near(**spent))
    played = a_test(at, "Sword", 2, [[6, 1, 1], [1]], {"after_roll#1": "luck"})
    skill = played.table.character("rich").skills["Sword"]
    assert str(skill.rating) == ("G3" if shifts else "B3")
    if shifts:
        assert skill.spent == Artha()  # the tallies start anew
        assert "Epiphany: Rich's Sword becomes G3." in played.told
        assert not {"gm_agrees", "vote"} & set(played.asked)


@pytest.mark.rules("artha.epiphany.spent_on_tests")
def test_artha_spent_on_another_ability_does_not_count():
    at = hero(skills={**near(fate=19)["skills"], "Axe": "B3"})
    played = a_test(at, "Axe", 2, [[6, 1, 1], [1]], {"after_roll#1": "luck"})
    assert str(played.table.character("rich").skills["Sword"].rating) == "B3"
    assert played.table.character("rich").skills["Sword"].spent.fate == 19


@pytest.mark.rules("artha.epiphany.aristeia_counts")
def test_an_aristeia_counts_in_full():
    at = hero(**near(fate=15, persona=7, deeds=1))
    skill = enter(at=at).table.character("rich").skills["Sword"]
    assert str(skill.rating) == "G3"
    plain = enter().table.character("rich").skills["Sword"]
    assert plain.spent == Artha(5, 3, 2)


@pytest.mark.parametrize(
    ("custom", "said", "shade"),
    [
        ("no", None, "B"),
        ("gm_confirms_each", False, "B"),
        ("gm_confirms_each", True, "G"),
        ("automatic", None, "G"),
    ],
)
def test_other_abilities_shift_as_the_table_has_it(custom, said, shade):
    options = {"artha_epiphany_of_other_abilities": custom}
    at = hero(options=options, **near("Health", "attributes", fate=19))
    answers = {"after_roll#1": "luck", **({} if said is None else {"epiphany": said})}
    played = a_test(at, "Health", 2, [[6, 1, 1], [1]], answers)
    assert played.table.character("rich").attributes["Health"].rating.shade.letter == shade


def test_what_fate_settled_is_open_again_in_the_next_scene():
    at = hero(scene={"fates": [{"wish": "a horse", "granted": False}]})
    assert play("end_scene", {}, at).table.scene.fates == ()


def test_white_has_nowhere_to_go():
    at = hero(**near(rating="W3", fate=19))
    played = a_test(at, "Sword", 9, [[6, 1, 1], [1]], {"after_roll#1": "luck"})
    assert str(played.table.character("rich").skills["Sword"].rating) == "W3"
