import pytest

from astragal.errors import BadInput, NotAllowed
from astragal.games.burning_wheel import GAME
from astragal.games.burning_wheel.beliefs.instincts import parse_instinct
from astragal.play import GM, Tell
from astragal.rules import catalogue
from games.burning_wheel.playing import a_test, declare, play, sheet, table

THREE = {
    "beliefs": ["I will find my brother", "The duke must pay", "Gold buys nothing that lasts"],
    "instincts": ["Always sit by the door", "Never give my name", "If I hear steel, draw mine"],
    "traits": ["Flighty"],
}


BIT = ("character", "bit", "number")


def ready(**raw):
    return play("ready_for_play", {"character": "rich"}, table(rich=raw)).outcome


# --- Ready for play ------------------------------------------------------------------------


@pytest.mark.rules("beliefs.bits.mandatory")
@pytest.mark.parametrize("missing", ["beliefs", "instincts", "traits"])
def test_a_player_character_needs_all_three_kinds_of_bits(missing):
    assert ready(**THREE).ready
    lacking = {key: value for key, value in THREE.items() if key != missing}
    outcome = ready(**lacking)
    assert not outcome.ready
    assert len(outcome.faults) == 1
    assert missing in outcome.faults[0].casefold()
    assert ready(npc=True).ready  # the GM's own characters need none


@pytest.mark.rules("beliefs.belief.explicit_statement")
@pytest.mark.parametrize(("text", "statement"), [("Justice", False), ("Avenge Tam", True)])
def test_a_single_word_is_no_statement_unless_the_gm_says_so(text, statement):
    at = table(rich={**THREE, "beliefs": [*THREE["beliefs"][:2], text]})
    played = play("ready_for_play", {"character": "rich"}, at)
    assert played.outcome.ready is statement
    said = play("ready_for_play", {"character": "rich"}, at, {"explicit#3": True})
    assert said.outcome.ready


@pytest.mark.rules("beliefs.bits.chosen_by_player")
@pytest.mark.parametrize("bit", ["belief", "instinct"])
def test_the_wording_is_the_players_and_the_gm_is_asked_for_the_moment_alone(bit):
    words = "Never trust a bell"
    arguments = {"character": "rich", "bit": bit, "number": 2, "text": words}
    played = play("change_bit", arguments, table(rich=THREE))
    after = [each.text for each in getattr(played.table.character("rich"), f"{bit}s")]
    assert after == [THREE[f"{bit}s"][0], words, THREE[f"{bit}s"][2]]
    assert played.seats == {"when": GM}
    assert [option.key for option in played.asks["when"].question.options] == ["now", "later"]
    # Delayed, it waits in the player's words; the old ones stay, and nothing else can be said.
    later = play("change_bit", arguments, table(rich=THREE), {"when": "later"})
    slot = getattr(later.table.character("rich"), f"{bit}s")[1]
    assert (slot.text, slot.pending) == (THREE[f"{bit}s"][1], words)
    assert not GAME.procedure("change_bit").gm_only
    released = play("release_change", {k: arguments[k] for k in BIT}, later.table)
    assert getattr(released.table.character("rich"), f"{bit}s")[1].text == words


@pytest.mark.rules("beliefs.belief.count_three", "beliefs.instinct.count_three")
def test_three_of_each_and_a_warning_for_any_other_number():
    assert ready(**THREE).warnings == ()
    two = ready(**{**THREE, "beliefs": THREE["beliefs"][:2]})
    assert two.ready
    assert two.warnings == ("2 beliefs instead of 3",)
    four = ready(**{**THREE, "instincts": [*THREE["instincts"], "Never run"]})
    assert four.warnings == ("4 instincts instead of 3",)


@pytest.mark.rules("beliefs.instinct.forms")
def test_an_instinct_in_none_of_the_forms_is_worth_a_warning():
    outcome = ready(**{**THREE, "instincts": [*THREE["instincts"][:2], "Honour above all"]})
    assert outcome.ready
    (warning,) = outcome.warnings
    assert warning.startswith("Instinct 3 does not begin with Always, Never, If or When")
    assert warning.endswith("Honour above all")


@pytest.mark.rules("beliefs.belief.anchored")
def test_a_belief_without_a_tie_to_the_situation_is_the_gms_to_refuse():
    played = play("ready_for_play", {"character": "rich"}, table(rich=THREE), {"anchored#2": False})
    assert played.outcome.faults == ("Belief 2 is not tied to the situation: The duke must pay",)
    assert played.seats["anchored"] == GM


@pytest.mark.rules("beliefs.trait.cosmetic.not_required", "beliefs.trait.cosmetic.definition")
def test_nobody_needs_a_trait_about_looks_and_one_does_nothing_to_a_roll():
    assert ready(**THREE).ready
    scarred = {"traits": [{"name": "Scarred", "cosmetic": True}], "skills": {"Sword": "B3"}}
    assert ready(**{**THREE, **scarred}).ready
    assert a_test(table(rich=scarred), "Sword", 1, [1]).outcome.dice.total == 3


# --- Changing ------------------------------------------------------------------------------

CHANGE = {"character": "rich", "number": 2, "text": "I forgive the duke"}


@pytest.mark.rules(
    "beliefs.belief.change_gm_timing",
    "beliefs.belief.change_gm_delay",
    "beliefs.instinct.change_gm_timing",
    "beliefs.instinct.change_gm_delay",
)
@pytest.mark.parametrize("bit", ["belief", "instinct"])
def test_the_gm_decides_when_and_never_what(bit):
    at = table(rich=THREE)
    old = THREE[f"{bit}s"][1]
    filed = play("change_bit", {**CHANGE, "bit": bit}, at, {"when": "later"})
    assert filed.seats == {"when": GM}
    assert [option.key for option in filed.asks["when"].question.options] == ["now", "later"]
    slot = getattr(filed.table.character("rich"), f"{bit}s")[1]
    assert (slot.text, slot.pending) == (old, "I forgive the duke")  # the old one stays in force
    which = {"character": "rich", "number": 2, "bit": bit}
    still = play("release_change", which, filed.table, {"when": "later"})
    assert still.outcome.text == old
    done = play("release_change", which, still.table, {"when": "now"})
    slots = getattr(done.table.character("rich"), f"{bit}s")
    assert (slots[1].text, slots[1].pending, len(slots)) == ("I forgive the duke", "", 3)


@pytest.mark.rules("beliefs.belief.change_any", "beliefs.instinct.change_any")
@pytest.mark.parametrize("bit", ["belief", "instinct"])
def test_a_change_takes_no_roll_no_cost_and_no_vote(bit):
    played = play("change_bit", {**CHANGE, "bit": bit}, table(rich=THREE))
    assert played.rolls == []
    assert played.asked == ["when"]
    assert set(played.changed) == {f"rich.{bit}s.1.pending", f"rich.{bit}s.1"}


def test_a_change_that_waits_can_be_taken_back():
    waiting = play("change_bit", {**CHANGE, "bit": "belief"}, table(rich=THREE), {"when": "later"})
    which = {"character": "rich", "number": 2, "bit": "belief"}
    back = play("withdraw_change", which, waiting.table)
    assert back.table == table(rich=THREE)
    with pytest.raises(NotAllowed, match="Rich has no delayed change"):
        play("withdraw_change", which, back.table)


@pytest.mark.rules("beliefs.belief.hidden_from_characters", "beliefs.belief.public_to_players")
def test_every_player_hears_of_a_belief_and_no_other_sheet_does():
    at = table(rich=THREE, andy=THREE)
    played = play("change_bit", {**CHANGE, "bit": "belief"}, at)
    told = [event for event in played.events if isinstance(event, Tell)]
    assert [event.audience for event in told] == [()]  # nobody is kept from it
    assert played.table.character("andy") == at.character("andy")
    assert played.table.scene == at.scene


def test_there_are_only_so_many_slots():
    with pytest.raises(BadInput, match="number: found 4, expected 1 to 3, one of Rich's beliefs"):
        play("change_bit", {**CHANGE, "bit": "belief", "number": 4}, table(rich=THREE))
    with pytest.raises(BadInput, match="the new wording"):
        play("change_bit", {**CHANGE, "bit": "belief", "text": " "}, table(rich=THREE))


# --- Instincts -----------------------------------------------------------------------------

TRIGGER = {"character": "rich", "number": 3}


@pytest.mark.rules(
    "beliefs.instinct.forms",
    "beliefs.instinct.condition_and_reaction",
    "beliefs.instinct.purpose",
)
def test_every_form_has_a_condition_and_a_reaction():
    assert parse_instinct("Always sit by the door").condition == "always"
    assert parse_instinct("Never give my name") == parse_instinct("Always do not give my name")
    for text in ("If I hear steel, draw mine", "When I hear steel then draw mine"):
        assert parse_instinct(text).condition == "I hear steel"
        assert parse_instinct(text).reaction == "draw mine"
    with pytest.raises(BadInput, match="begins with Always"):
        parse_instinct("Honour above all")  # that would be a Belief: no way of acting


@pytest.mark.rules("beliefs.instinct.gm_cannot_contravene", "beliefs.instinct.sacrosanct")
def test_only_the_owner_may_hold_an_instinct_back():
    played = play("instinct_triggers", TRIGGER, table(rich=THREE))
    assert played.outcome.happened
    assert played.seats["hold_back"] == "rich"
    # The GM says what is the case and what comes of it, not whether the character acts.
    asked = [key for key, seat in played.seats.items() if seat == GM]
    assert asked == ["condition_met", "trouble"]
    held = play("instinct_triggers", TRIGGER, table(rich=THREE), {"hold_back": True})
    assert not held.outcome.happened
    assert not held.outcome.trouble
    assert held.changed == {}  # no penalty either


@pytest.mark.rules("beliefs.instinct.timing", "beliefs.instinct.free_of_action_cost")
@pytest.mark.parametrize(
    ("custom", "prepared", "free", "charged"),
    [
        ("first_execution_free", False, None, 0),
        ("gm_sets_per_instinct", False, None, 0),
        ("gm_sets_per_instinct", False, True, 0),
        ("gm_sets_per_instinct", False, False, 2),
        ("costs_actions", False, None, 2),
        ("costs_actions", True, None, 0),  # what was made ready beforehand is simply so
    ],
)
def test_what_an_instinct_costs_inside_a_conflict(custom, prepared, free, charged):
    instincts = [{"text": "If I hear steel, draw mine", **({} if free is None else {"free": free})}]
    at = table(options={"beliefs_instinct_in_conflict": custom}, rich={"instincts": instincts})
    arguments = {"character": "rich", "number": 1, "actions": 2, "prepared": prepared}
    played = play("instinct_triggers", {**arguments, "in_conflict": True}, at)
    assert played.outcome.actions == charged
    assert play("instinct_triggers", arguments, at).outcome.actions == 0


@pytest.mark.parametrize(
    ("custom", "surprised", "happens"),
    [
        ("fires_before_hesitation", True, True),
        ("fires_before_hesitation", False, False),
        ("stopped_by_failed_steel", True, False),
        ("stopped_by_failed_steel", False, False),
    ],
)
def test_an_instinct_and_a_failed_steel_test(custom, surprised, happens):
    at = table(options={"beliefs_instinct_when_surprised": custom}, rich=THREE)
    arguments = {**TRIGGER, "surprised": surprised, "hesitating": True}
    assert play("instinct_triggers", arguments, at).outcome.happened is happens


@pytest.mark.rules("beliefs.instinct.no_bypass_of_tests", "beliefs.instinct.test_made_earlier")
def test_the_test_an_instinct_needs_is_rolled_and_may_fail():
    at = table(rich={**THREE, "skills": {"Stealthy": "B3"}})
    arguments = {**TRIGGER, "in_conflict": True, "actions": 4}
    arguments["test"] = declare("rich", "Stealthy", intent="be hidden already")
    answers = {"obstacle": 2, "on_failure": "seen"}
    for successes, passed in ((1, False), (2, True)):
        played = play("instinct_triggers", arguments, at, answers, [successes])
        assert played.outcome.test.passed is passed
        assert played.outcome.actions == 0
        (ride,) = played.table.scene.rides
        assert (ride.ability, ride.passed) == ("Stealthy", passed)


def test_an_instinct_rolls_no_test_of_somebody_else():
    at = table(rich=THREE, andy={"skills": {"Stealthy": "B3"}})
    with pytest.raises(BadInput, match=r"test\.character: found 'andy', expected rich"):
        play("instinct_triggers", {**TRIGGER, "test": declare("andy", "Stealthy")}, at)


@pytest.mark.rules("beliefs.instinct.condition_and_reaction")
@pytest.mark.parametrize("number", [1, 2, 3])
def test_nothing_happens_while_the_condition_is_not_met(number: int):
    arguments = {"character": "rich", "number": number}
    played = play("instinct_triggers", arguments, table(rich=THREE), {"condition_met": False})
    assert not played.outcome.happened
    assert played.asked == ["condition_met"]
    assert played.seats["condition_met"] == GM
    assert "does not apply" in played.told


def after_failing(**more):
    """An Instinct whose test comes after one that failed: Stealthy, to be hidden."""
    return {**TRIGGER, "test": declare("rich", **{"ability": "Stealthy", "intent": "", **more})}


@pytest.mark.rules("beliefs.instinct.test_made_earlier")
def test_an_instinct_cannot_undo_a_failed_test():
    """beliefs.amb.instinct_and_tests."""
    skills = {"Stealthy": "B3", "Inconspicuous": "B3"}
    at = table(rich={**THREE, "skills": skills})
    failed = a_test(at, "Stealthy", 2, [1], intent="be hidden").table
    refused = r"cannot undo a failed test.*Stealthy: be hidden.*beliefs\.amb\.instinct_and_tests"
    with pytest.raises(NotAllowed, match=refused):
        play("instinct_triggers", after_failing(intent="Be  hidden"), failed)
    # In other words, or with another ability, it is for the GM to see that it is the same.
    other = after_failing(ability="Inconspicuous", intent="nobody looks my way")
    with pytest.raises(NotAllowed, match=refused):
        play("instinct_triggers", other, failed, {"undoes": "Stealthy: be hidden"})
    said = {"obstacle": 2, "on_failure": "seen"}
    played = play("instinct_triggers", other, failed, said, [2])
    assert played.seats["undoes"] == GM
    assert played.outcome.test.passed
    # One that was passed is not in the way of a test for something else.
    passed = a_test(at, "Stealthy", 2, [2], intent="be hidden").table
    assert "undoes" not in play("instinct_triggers", other, passed, said, [2]).asked


# --- Traits --------------------------------------------------------------------------------


@pytest.mark.rules(
    "beliefs.trait.three_kinds", "beliefs.trait.character.effect", "beliefs.trait.character.samples"
)
def test_each_kind_of_trait_works_in_its_own_way():
    skills = {"skills": {"Sword": "B3"}}
    for name in ("Flighty", "Determined", "Brutal"):
        plain = a_test(table(rich={**skills, "traits": [name]}), "Sword", 2, [[1, 1, 4]])
        assert plain.outcome.dice.total == 3
        assert "after_roll" not in plain.asked
    dressed_up = {"traits": [{"name": "Brutal", "dice": {"Sword": 2}, "obstacle": {"Sword": 1}}]}
    still_plain = a_test(table(rich={**skills, **dressed_up}), "Sword", 2, [[1, 1, 4]]).outcome
    assert (still_plain.dice.total, still_plain.obstacle.total) == (3, 2)
    call_on = {"traits": [{"name": "Lucky stars", "kind": "call_on"}]}
    called = a_test(table(rich={**skills, **call_on}), "Sword", 2, [[1, 1, 4]])
    assert called.outcome.dice.total == 3
    assert "after_roll" in called.asked
    die = {"traits": [{"name": "Sword-born", "kind": "die", "dice": {"Sword": 1}}]}
    assert a_test(table(rich={**skills, **die}), "Sword", 2, [2]).outcome.dice.total == 4
    with pytest.raises(BadInput, match="kind"):
        sheet(traits=[{"name": "Odd", "kind": "cosmetic"}])


@pytest.mark.rules("beliefs.trait.die.constant")
def test_a_die_trait_works_every_time_and_only_for_its_ability():
    at = table(
        rich={
            "skills": {"Sword": "B3", "Axe": "B3"},
            "traits": [{"name": "Sword-born", "kind": "die", "dice": {"Sword": 1}}],
        }
    )
    first = a_test(at, "Sword", 2, [2])
    second = a_test(first.table, "Sword", 2, [2], intent="get out")
    assert first.outcome.dice.total == second.outcome.dice.total == 4
    assert a_test(at, "Axe", 2, [2]).outcome.dice.total == 3
    # four dice against Ob 3 are difficult, three would be as well; against Ob 2 routine
    assert a_test(at, "Sword", 3, [3]).outcome.earned == "difficult"
    assert a_test(at, "Sword", 4, [4]).outcome.earned == "difficult"  # 3D would be challenging


@pytest.mark.rules("beliefs.trait.die.constant", "beliefs.trait.call_on.condition")
def test_traits_find_their_ability_whatever_its_capitals():
    die = {"name": "Born to it", "kind": "die", "dice": {"sword": 1}, "obstacle": {"SWORD": 1}}
    wild = {"name": "Wild", "kind": "die", "open_ended": ["sword"]}
    call_on = {"name": "Famous", "kind": "call_on", "abilities": ["sword"]}
    at = table(rich={"skills": {"Sword": "B3"}, "traits": [die, wild, call_on]})
    played = a_test(at, "Sword", 2, [[6, 1, 1, 1, 1]])  # the six is rolled on
    assert (played.outcome.dice.total, played.outcome.obstacle.total) == (4, 3)
    options = [option.key for option in played.asks["after_roll"].question.options]
    assert options == ["nothing", "call_on:Famous"]


@pytest.mark.rules("beliefs.trait.character.effect", "rogues.burned.prehensile_tail")
@pytest.mark.parametrize("kind", ["character", "call_on"])
def test_numbers_beside_a_trait_count_only_if_it_is_a_die_trait(kind):
    numbers = {"dice": {"Sword": 1}, "obstacle": {"Sword": 1}, "open_ended": ["Sword"]}
    at = table(
        rich={"skills": {"Sword": "B3"}, "traits": [{"name": "Big", "kind": kind, **numbers}]}
    )
    played = a_test(at, "Sword", 2, [[6, 1, 1]])
    assert (played.outcome.dice.total, played.outcome.obstacle.total) == (3, 2)


@pytest.mark.rules("beliefs.trait.die.effect_types")
def test_a_die_trait_may_change_an_obstacle_or_a_way_of_rolling():
    clumsy = {"name": "Clumsy", "kind": "die", "obstacle": {"Sword": 1}}
    gifted = {"name": "Gifted hands", "kind": "die", "open_ended": ["Sword"]}
    skills = {"skills": {"Sword": "B3"}}
    harder = a_test(table(rich={**skills, "traits": [clumsy]}), "Sword", 2, [2])
    assert harder.outcome.obstacle.total == 3
    assert not harder.outcome.passed
    opened = a_test(table(rich={**skills, "traits": [gifted]}), "Sword", 4, [[6, 4, 4, 5]])
    assert opened.outcome.passed


@pytest.mark.rules(
    "beliefs.trait.call_on.break_tie",
    "beliefs.trait.call_on.one_effect_per_use",
    "beliefs.trait.call_on.player_decides",
)
def test_a_call_on_breaks_a_tie_or_rerolls_but_one_use_is_one_effect():
    fox = {"name": "Fox-smart", "kind": "call_on"}
    at = table(rich={"skills": {"Wit": "B2"}, "traits": [fox]}, foe={"skills": {"Wit": "B2"}})
    sides = {"sides": [declare("rich", "Wit"), declare("foe", "Wit")]}
    tied = play("versus_test", sides, at, {"break_tie": "Fox-smart"}, [1, 1])
    assert tied.outcome.winner == "rich"
    assert tied.seats["break_tie"] == "rich"
    assert tied.changed["rich.traits.0.called_this_session"] is True
    used = play(
        "versus_test", sides, at, {"rich/after_roll": "call_on:Fox-smart"}, [[1, 4], [1, 4], [2]]
    )
    assert "break_tie" not in used.asked  # the one use went into the reroll
    assert used.outcome.winner == "foe"


@pytest.mark.parametrize(
    ("effects", "rerolls", "breaks"),
    [(["reroll"], True, False), (["break_tie"], False, True), (None, True, True)],
)
def test_a_call_on_that_names_its_effect_has_only_that_one(effects, rerolls, breaks):
    trait = {"name": "Fox-smart", "kind": "call_on", **({"effects": effects} if effects else {})}
    at = table(rich={"skills": {"Wit": "B2"}, "traits": [trait]}, foe={"skills": {"Wit": "B2"}})
    sides = {"sides": [declare("rich", "Wit"), declare("foe", "Wit")]}
    played = play("versus_test", sides, at, {}, [1, 1])
    assert ("after_roll" in played.asked) is rerolls
    assert ("break_tie" in played.asked) is breaks


def test_a_call_on_in_another_situation_breaks_no_tie_and_is_kept():
    trait = {"name": "Fox-smart", "kind": "call_on", "situation": "at court"}
    at = table(rich={"skills": {"Wit": "B2"}, "traits": [trait]}, foe={"skills": {"Wit": "B2"}})
    sides = {"sides": [declare("rich", "Wit"), declare("foe", "Wit")]}
    answers = {"break_tie": "Fox-smart", "call_on_applies": False}
    played = play("versus_test", sides, at, answers, [1, 1])
    assert played.outcome.winner == "foe"
    assert "rich.traits.0.called_this_session" not in played.changed


@pytest.mark.rules(
    "beliefs.belief.artha_link",
    "beliefs.instinct.artha_link",
    "beliefs.trait.artha_link",
    "beliefs.bits.distinct_roles",
)
def test_beliefs_instincts_and_traits_all_earn_artha_by_the_artha_chapter():
    earning = catalogue().table("artha.table.earning")
    at = table(rich=THREE)
    for award in ("belief", "instinct", "trait"):
        assert earning.value("type", name=award.capitalize()) == "Fate"
        played = play(
            "award_artha", {"character": "rich", "award": award, "why": "well played"}, at
        )
        assert played.table.character("rich").artha.fate == 1


# --- Sessions ------------------------------------------------------------------------------


@pytest.mark.rules("beliefs.trait.call_on.once_per_session")
def test_each_call_on_has_its_own_use_and_a_new_session_gives_it_back():
    spent = [
        {"name": "One", "kind": "call_on", "called_this_session": True},
        {"name": "Two", "kind": "call_on"},
    ]
    at = table(rich={"skills": {"Sword": "B2"}, "traits": spent})
    played = a_test(at, "Sword", 2, [1])
    keys = [option.key for option in played.asks["after_roll"].question.options]
    assert keys == ["nothing", "call_on:Two"]
    begun = play("begin_session", {}, at)
    assert not any(trait.called_this_session for trait in begun.table.character("rich").traits)


@pytest.mark.rules("beliefs.vote.default_interval", "beliefs.vote.faster_rate")
def test_the_table_is_reminded_of_the_trait_vote():
    def after(sessions, every=0):
        scene = {"session": 30, "since_trait_vote": sessions - 1, "trait_votes_every": every}
        return play("begin_session", {}, table(scene=scene, rich=THREE)).outcome.vote

    assert [after(n) for n in (1, 5, 6, 11, 12, 20)] == ["", "", "due", "due", "overdue", "overdue"]
    assert [after(n, every=2) for n in (1, 2, 3)] == ["", "due", "due"]


@pytest.mark.rules("beliefs.vote.faster_rate_announced", "beliefs.vote.faster_rate")
def test_a_faster_rate_is_announced_before_play_begins():
    played = play("announce_vote_rate", {"every": 3}, table(rich=THREE))
    assert played.table.scene.trait_votes_every == 3
    begun = play("begin_session", {}, table(rich=THREE)).table
    with pytest.raises(NotAllowed, match=r"beliefs\.vote\.faster_rate_announced"):
        play("announce_vote_rate", {"every": 3}, begun)
    for every in (1, 5):  # after each session at most, and more often than the default
        rate = play("announce_vote_rate", {"every": every}, table(rich=THREE))
        assert rate.table.scene.trait_votes_every == every
    for every in (0, 6):
        with pytest.raises(BadInput, match=f"every: found {every}, expected 1 to 5 sessions"):
            play("announce_vote_rate", {"every": every}, table(rich=THREE))


@pytest.mark.rules("extended_example.instinct.not_past_failed_test")
def test_a_failed_test_may_keep_an_instinct_from_acting():
    """Whoever was not seen sets nothing off; the deed then costs what it always costs."""
    missed = {
        "character": "rich",
        "ability": "Perception",
        "intent": "see who is there",
        "successes": 2,
        "passed": False,
    }
    at = table({"rides": [missed]}, rich=THREE)
    arguments = {**TRIGGER, "actions": 1, "in_conflict": True, "surprised": True}
    ruled = {"kept_by": "Perception: see who is there"}
    kept = play("instinct_triggers", arguments, at, ruled)
    assert (kept.outcome.happened, kept.outcome.actions) == (False, 1)
    assert kept.seats["kept_by"] == "gm"
    free = play("instinct_triggers", arguments, at)
    assert (free.outcome.happened, free.outcome.actions) == (True, 0)
    passed = table({"rides": [{**missed, "passed": True}]}, rich=THREE)
    assert "kept_by" not in play("instinct_triggers", arguments, passed).asked
