"""Whole fights: how they begin, go on and end, and what is refused."""

from __future__ import annotations

from random import Random

import msgspec
import pytest

from astragal.dice import Seeded
from astragal.errors import BadInput
from astragal.games.burning_wheel.conflicts.fight.fight import (
    ArmedFighter,
    FightSide,
    StartFight,
)
from astragal.games.burning_wheel.conflicts.fight.fight import fight as procedure
from astragal.games.burning_wheel.conflicts.fight.outcome import FightConclusion
from astragal.games.burning_wheel.conflicts.fight.picture import FightPositions, picture_of
from astragal.games.burning_wheel.conflicts.fight.policies import answers_of
from astragal.games.burning_wheel.conflicts.fight.scripters import by_temperament
from astragal.games.burning_wheel.conflicts.fight.surroundings import conditions
from astragal.games.burning_wheel.conflicts.fight.temperaments import TEMPERAMENTS
from astragal.games.burning_wheel.conflicts.scripting import ExchangeBegins, VolleyCards
from astragal.play import Figure, Picture, RollEvent, Script, Session, Span, Tell, live, then
from astragal.table.running.recording import told
from games.burning_wheel import in_a_fight
from games.burning_wheel.fighting import (
    FIGHTER,
    at_random,
    fight,
    fighter,
    ring,
    sides,
)
from games.burning_wheel.playing import play, somehow
from scripts_at_random import filled, random_script

BLOCKS = ("stay", "block", "stay", "block", "stay", "block")
STRIKES = ("stay", "strike", "stay", "block", "stay", "strike")


def facts(played, kind: type) -> list:
    return [
        event.fact
        for event in played.events
        if isinstance(event, Tell) and isinstance(event.fact, kind)
    ]


# --- Sequence ------------------------------------------------------------------------------


@pytest.mark.rules(
    "fight.sequence.1_engage",
    "fight.sequence.3_announce",
    "fight.sequence.4_position",
    "fight.sequence.5_match",
    "fight.roll.after_all_announced",
    "fight.position.start.then_script",
    "fight.volley.finish_before_next",
    "fight.volley.three_per_exchange",
    "fight.exchange.definition",
)
def test_a_fight_goes_through_its_sequence():
    scripts = {
        "ann": [("close", "strike", "close", "block", "stay", "strike")],
        "bob": [("maintain", "block", "stay", "avoid", "stay", "block")],
    }
    played = fight(scripts, [2, 1, 1, 1, 2, 3, 2, 3], {})
    steps = []
    for event in played.events:
        if isinstance(event, RollEvent):
            steps.append(event.roll.label)
        elif isinstance(event, Tell) and isinstance(event.fact, VolleyCards | ExchangeBegins):
            steps.append(event.fact.sentence().split(".")[0])
        elif getattr(getattr(event, "ask", None), "key", "") == "script":
            steps.append("script")
    assert steps == [
        "Ann, first positioning, Speed",
        "Bob, first positioning, Speed",
        "Exchange 1",
        "script",
        "script",
        "Volley 1",
        "Ann, positioning, Speed",
        "Bob, positioning, Speed",
        "Ann, Strike",
        "Bob, Block",
        "Volley 2",
        "Volley 3",
        "Ann, Strike",
        "Bob, Block",
        "Exchange 2",
        "script",
        "script",
    ]


@pytest.mark.rules("fight.exchange.repeat")
def test_another_exchange_follows_as_long_as_there_is_a_conflict():
    played = fight({"ann": [BLOCKS, BLOCKS], "bob": [BLOCKS, BLOCKS]})
    assert [fact.number for fact in facts(played, ExchangeBegins)] == [1, 2, 3]
    assert played.outcome.exchanges == 3


@pytest.mark.rules("fight.simultaneous.same_slot", "fight.simultaneous.match_by_number")
def test_first_meets_first_and_what_it_does_counts_before_the_second():
    at = ring(ann=fighter(Reflexes="B6"), bob=fighter(Reflexes="B6"))
    ann = ("stay", "strike", "block", "stay", "block", "block", "stay", "block", "block")
    bob = ("stay", "block", "strike", "stay", "block", "block", "stay", "block", "block")
    played = fight({"ann": [ann], "bob": [bob]}, [2, 1, 1, 2, 1, 2], {}, at)
    assert [roll.label for roll in played.rolls[2:]] == [
        "Ann, Strike",
        "Bob, Block",
        "Bob, Strike",
        "Ann, Block",
    ]


@pytest.mark.rules("fight.sequence.6_apply", "fight.detailed.results_after_all_rolls")
def test_whoever_is_felled_in_the_first_slot_does_nothing_in_the_second():
    at = ring(ann=fighter(Reflexes="B6", Power="B9"), bob=fighter(Reflexes="B6"))
    ann = ("stay", "strike", "block", "stay", "block", "block", "stay", "block", "block")
    bob = ("stay", "push", "strike", "stay", "block", "block", "stay", "block", "block")
    played = fight({"ann": [ann], "bob": [bob]}, None, {}, at)
    felled = fight({"ann": [ann], "bob": [bob]}, [3, 1, 4, 2, 4], {}, at)
    assert felled.outcome.settled == "felled"
    assert felled.outcome.winner == 0
    assert [roll.label for roll in felled.rolls].count("Bob, Strike") == 0
    assert "Bob, Push" in [roll.label for roll in felled.rolls], "it happened at the same moment"
    assert played.outcome.exchanges >= 1


@pytest.mark.rules("fight.detailed.public_intent_secret_tasks", "fight.script.definition")
def test_scripts_are_asked_of_all_at_once_and_in_secret():
    played = fight({"ann": [BLOCKS], "bob": [BLOCKS]})
    assert played.asks["script"].secret
    for fact in facts(played, VolleyCards):
        assert len(fact.sides) == 2


# --- How it ends ---------------------------------------------------------------------------


@pytest.mark.rules("fight.sequence.9_end")
def test_whoever_gives_up_has_lost_and_shows_no_card():
    played = fight({}, [2, 1])
    assert (played.outcome.settled, played.outcome.winner) == ("gave_up", 0)
    assert "Bob gives up." in played.told
    assert not facts(played, VolleyCards)
    assert [each.state for each in played.outcome.fighters] == ["standing", "gave up"]


def test_those_who_are_out_for_the_same_reason_are_named_together():
    out = (("Scar", "gave up"), ("Nix", "dead"), ("Old Pell", "gave up"))
    end = FightConclusion("The fight is over: Ann won.", ("Ann",), out, "fight.sequence.9_end")
    assert end.sentence() == "The fight is over: Ann won. Scar and Old Pell: gave up; Nix: dead."


@pytest.mark.rules("fight.distance.outside.fight_over", "fight.amb.fight_over_who")
@pytest.mark.parametrize("answer", ["over", "engage"])
def test_out_of_everybodys_reach_it_is_over_or_begins_anew(answer):
    away = ("withdraw", "block", "withdraw", "block", "withdraw", "block")
    said = {"out_of_reach": answer, "steps": "2"}
    rolls = [2, 1, 3, 1] if answer == "over" else [2, 1, 3, 1, 2, 1]
    played = fight({"ann": [away], "bob": [("maintain", *BLOCKS[1:])]}, rolls, said)
    if answer == "over":
        assert played.outcome.settled == "apart"
        assert played.outcome.volleys == 1, "the rest of the scripts is dropped"
    else:
        assert played.outcome.settled == "gave_up"
        assert [roll.label for roll in played.rolls].count("Ann, first positioning, Speed") == 2


@pytest.mark.rules("fight.distance.outside.fight_over")
@pytest.mark.parametrize("weapon", ["hunting bow", "spear"])
@pytest.mark.parametrize("answer", ["over", "range_and_cover"])
def test_those_who_can_shoot_may_go_on_from_a_distance(answer, weapon):
    at = ring(bob=fighter(weapons=[{"weapon": "sword"}, {"weapon": weapon}]))
    away = ("withdraw", "block", "withdraw", "block", "withdraw", "block")
    said = {"out_of_reach": answer, "steps": "2"}
    scripts = {"ann": [away], "bob": [("maintain", *BLOCKS[1:])]}
    played = fight(scripts, [2, 1, 3, 1], said, at)
    (end,) = facts(played, FightConclusion)
    if answer == "over" or weapon == "spear":
        assert end.follow_up is None
        return
    assert end.follow_up.procedure == "range_and_cover"
    sides = [{"shooters": [{"character": name}]} for name in ("ann", "bob")]
    assert end.follow_up.arguments == {"sides": sides}

    def give_up(ask):
        return ("give_up",) * 3 if ask.key == "script" else somehow(ask)

    on = play("range_and_cover", end.follow_up.arguments, played.table, None, None, give_up)
    assert on.outcome.settled == "gave_up"


@pytest.mark.rules("fight.sequence.9_end")
@pytest.mark.parametrize("answer", ["go_on", "over"])
def test_when_everybody_hesitates_the_exchange_is_over(answer):
    drool = ("stay", *("stand_and_drool", "stay") * 2, "stand_and_drool")
    scripts = {"ann": [drool], "bob": [drool]}
    played = fight(scripts, [2, 1], {"nobody_acts": answer})
    assert len(facts(played, VolleyCards)) == 1
    assert played.outcome.settled == ("called_off" if answer == "over" else "gave_up")


@pytest.mark.rules("steel.amb.hesitation_beyond_conflict")
def test_hesitation_comes_in_and_goes_out_with_the_fighters():
    left = {"hesitating": [{"character": "ann", "heartbeats": 5, "reaction": "stand_and_drool"}]}
    at = ring(scene=left)
    played = fight({}, [1], {}, at)
    assert "Ann cannot act at first" in played.told
    (after,) = played.table.scene.hesitating
    assert (after.character, after.heartbeats) == ("ann", 5)
    ends = ring({"steel_hesitation_beyond_conflict": "ends_with_conflict"}, left)
    assert not fight({}, [1], {}, ends).table.scene.hesitating


def test_a_rehearsal_leaves_nothing_behind():
    played = fight({"ann": [STRIKES], "bob": [BLOCKS]}, None, {}, None, rehearsal=True)
    assert not played.changed


@pytest.mark.rules("fight.xref.one_test_per_fight")
def test_all_rolls_of_an_ability_are_one_test():
    played = fight({"ann": [STRIKES], "bob": [BLOCKS]}, [2, 1, 1, 2, 1, 2], {})
    marks = {path for path in played.changed if ".log." in path}
    sword = [path for path in marks if path.startswith("ann.skills.Sword")]
    assert len(sword) == 1


# --- Several fighters, and those who come later ----------------------------------------------


@pytest.mark.rules("fight.amb.target_choice", "fight.strike.target_at_roll")
def test_with_several_opponents_targets_are_named():
    at = ring(cid=fighter(Reflexes="B3"))
    push = ("stay", "push", "stay", "strike", "stay", "block")
    said = {"ann/target#1": "cid", "ann/target#2": "cid"}
    played = fight(
        {"ann": [push], "bob": [BLOCKS], "cid": [BLOCKS]},
        None,
        said,
        at,
        sides=sides("ann", "bob cid"),
    )
    asked = [event for event in played.events if getattr(event, "ask", None) is not None]
    rules = [event.ask.because for event in asked if event.ask.key == "target"]
    assert rules == ["fight.amb.target_choice", "fight.strike.target_at_roll"]
    assert "Cid, Natural Defenses" in [roll.label for roll in played.rolls]


@pytest.mark.rules("fight.exchange.repeat")
def test_others_may_join_between_two_exchanges_and_begin_outside():
    at = ring(cid=fighter("spear"))
    said = {"joins#1": ["cid"], "joins_side": "0"}
    played = fight(
        {"ann": [BLOCKS, BLOCKS], "bob": [BLOCKS, BLOCKS], "cid": [BLOCKS]},
        None,
        said,
        at,
        reserves=[{"character": "cid"}],
    )
    assert "Cid joins the fight." in played.told
    third = next(fact for fact in facts(played, FightPositions) if len(fact.fighters) == 3)
    pair = next(pair for pair in third.pairs if "cid" in (pair.one, pair.other))
    assert {pair.one_at, pair.other_at} == {"outside"}
    assert [each.side for each in played.outcome.fighters] == [0, 1, 0]
    joins = played.asks["joins_side"].question
    assert joins.default == "0"
    assert [option.key for option in joins.options] == ["0", "1", "2"]  # or against all of them


def test_somebody_out_of_reach_may_leave():
    """After a tie all begin outside; Cid leaves, Ann and Bob go on until Bob gives up."""
    cards = {"cid": "leave", "bob": "give_up"}

    def answer(ask):
        if isinstance(ask.question, Script) and ask.question.default is None:
            return filled(ask.question, cards.get(ask.seat, "block"))
        return somehow(ask)

    at = ring(cid=fighter())
    played = play("fight", {"sides": sides("ann cid", "bob")}, at, {}, [1, 1, 1], answer)
    assert "Cid leaves the fight." in played.told
    assert [each.state for each in played.outcome.fighters] == ["standing", "left", "gave up"]


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(6))
def test_a_fight_of_two_against_three_runs_to_its_end(seed):
    at = ring(
        cid=fighter("spear", Reflexes="G3"),
        dan=fighter("knife or shiv", Reflexes="B5"),
        eve=fighter("", Reflexes="B4"),
    )
    rng = Random(seed)
    random = at_random(rng)
    written = 0

    def answer(ask):
        nonlocal written
        question = ask.question
        if isinstance(question, Script) and question.default is None:
            written += 1
            if written > 40:
                return filled(question, "give_up")
            return random_script(question, rng, but=("stand_and_drool",))
        return random(ask)

    arguments = {"sides": sides("ann cid", "bob dan eve")}
    played = play("fight", arguments, at, {}, None, answer)
    assert played.outcome.settled in ("felled", "gave_up", "apart", "called_off")
    assert len(played.outcome.fighters) == 5


EIGHT = ("ann", "bob", "cid", "dan", "eve", "fay", "gus", "hal")


def of_eight(seed, *more):
    """A fight of four against four by temperament, with every die thrown."""
    at = ring(**dict.fromkeys((*EIGHT, *more), FIGHTER))
    chance = Seeded(seed)
    scripters = {
        name: by_temperament(list(TEMPERAMENTS)[place % 3], chance)
        for place, name in enumerate(EIGHT)
    }
    start = StartFight(
        tuple(
            FightSide(tuple(map(ArmedFighter, side))) for side in (EIGHT[:4], (*EIGHT[4:], *more))
        )
    )
    return then(procedure, start, at), answers_of(scripters), chance


def no_dice(roll):
    raise AssertionError(f"{roll.label} is in the record")


@pytest.mark.slow
def test_eight_can_fight_and_interrupted_anywhere_the_fight_goes_on_as_it_was():
    start, answers, chance = of_eight("eight")
    session = Session(start, lambda roll: roll.expression.sample(chance))
    records = []
    while session.waiting:
        records.append((tuple(session.record), session.waiting, len(session.events)))
        ask = session.waiting[0]
        session.answer(ask.seat, answers(ask))
    assert session.result.settled in ("felled", "gave_up")
    assert len(session.result.fighters) == 8
    whole = tuple(session.events)
    again = Session(start, no_dice, session.record)
    assert (again.result, tuple(again.events)) == (session.result, whole)
    for record, waiting, told_so_far in records[:: len(records) // 4]:
        resumed = Session(start, no_dice, record)
        assert resumed.waiting == waiting
        assert tuple(resumed.events) == whole[:told_so_far]


def test_nine_are_too_many():
    start, answers, chance = of_eight("nine", "ida")
    with pytest.raises(BadInput, match="sides: found 9, expected at most 8"):
        live(start, chance, answers)


# --- The picture ---------------------------------------------------------------------------


@pytest.mark.rules("fight.distance.four", "fight.position.no_measured_distance")
def test_the_picture_has_every_pair_and_everybodys_state():
    at = in_a_fight.fight(gap=4, bob={"weapons": [{"weapon": "spear"}]})
    hurt = at.change("ann", hesitates=2)
    picture = picture_of(msgspec.structs.replace(hurt, exchange=2, volley=1))
    (pair,) = picture.pairs
    assert (pair.one_at, pair.other_at, pair.gap) == ("outside", "optimal", 4)
    ann, bob = picture.fighters
    assert (ann.length, ann.hesitating, ann.dice, ann.of) == ("long", True, 4, 4)
    assert bob.length == "longest"
    assert picture.sentence() == "Distances: Ann outside, Bob optimal."
    assert picture.bars == (("Ann", 4, 4), ("Bob", 4, 4))
    assert picture.picture == Picture(
        (
            Figure("ann", "Ann", 0, 4, 4, "sword", 2, marks=("hesitates",)),
            Figure("bob", "Bob", 1, 4, 4, "spear", 4),
        ),
        (Span("ann", "bob", 4, "outside", "optimal"),),
    )
    assert told(picture, ()).picture == picture.picture


@pytest.mark.rules("injury.zero.stat_incapacitated")
@pytest.mark.parametrize("lowest", ["Agility", "Will"])
def test_the_bar_is_as_long_as_the_lowest_stat(lowest: str):
    """Wounds fell whoever has as many dice of them: three, and a Midi takes two."""
    ann = {"stats": {**in_a_fight.STATS, "Power": "B6", lowest: "B3"}, "wounds": ["Midi"]}
    (shown, _) = picture_of(in_a_fight.fight(ann=ann)).fighters
    assert (shown.dice, shown.of) == (1, 3)


def test_the_picture_is_told_after_the_first_test_and_when_it_changes():
    played = fight({"ann": [BLOCKS], "bob": [BLOCKS]})
    assert len(facts(played, FightPositions)) == 1


# --- What is refused -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("more", "place"),
    [
        ({"sides": sides("ann")}, "sides: found 1, expected two sides or more"),
        ({"sides": sides("ann", "ann")}, "sides[1].fighters[0].character"),
        ({"sides": [{"fighters": []}, *sides("bob")]}, "sides[0].fighters: found 0"),
        ({"sides": sides("ann", "nobody")}, "sides[1].fighters[0].character"),
        ({"sides": sides("ann", "bob", weapons={"bob": "lance"})}, "sides[1].fighters[0].weapon"),
        ({"ambushers": ["nobody"]}, "ambushers[0]"),
        ({"ground": ["lava"]}, "ground[0]"),
        ({"reserves": [{"character": "bob"}]}, "reserves[0].character"),
        ({"about": "x" * 500}, "about"),
    ],
)
def test_what_is_no_fight_is_refused_with_its_place(more, place):
    with pytest.raises(BadInput) as refused:
        fight({}, None, {}, None, **more)
    assert str(refused.value).startswith(place)


@pytest.mark.rules("fight.disadvantage.melee", "fight.table.melee_obstacles")
def test_the_ground_makes_everybodys_actions_harder():
    assert {key: penalty for key, (_, penalty) in conditions().items()} == {
        "driving_rain_or_snow": 1,
        "mud_ice_unstable_rocks_or_water_underfoot": 1,
        "dim_light_lantern_or_bad_visibility": 1,
        "narrow_or_restricted_quarters": 1,
        "poor_visibility_candlelight_heavy_rain": 2,
        "near_darkness": 3,
    }
    played = fight({"ann": [STRIKES], "bob": [BLOCKS]}, None, {}, None, ground=["near_darkness"])
    assert "near darkness" in played.told


@pytest.mark.rules("fight.distance.four")
def test_distances_are_told_when_they_change():
    """At the start, and when Ann has come inside in the second volley."""
    scripts = {
        "ann": [("stay", "block", "close", "block", "stay", "block")],
        "bob": [("stay", "block", "maintain", "block", "stay", "block")],
    }
    said = fight(scripts, [2, 1, 3, 1]).told
    assert said.count("Distances:") == 2
    assert said.index("Volley 2") < said.index("Distances: Ann and Bob: inside.")


@pytest.mark.rules("extended_example.leave.to_range_and_cover")
@pytest.mark.parametrize(("moves", "asked"), [("withdraw", True), ("maintain", False)])
def test_a_fight_goes_on_with_missiles_when_one_side_withdraws(moves, asked):
    at = ring(ann=fighter(weapons=[{"weapon": "sword"}, {"weapon": "throwing knife"}]))
    script = ("maintain", "block", "maintain", "block", "maintain", "block")
    away = ("maintain", "block", "maintain", "block", moves, "block")
    rolls = [2, 1, 1, 1, 1, 1, 1, 1]
    said = {"go_to_range": True} if asked else {}
    played = fight({"ann": [script], "bob": [away]}, rolls, said, at)
    assert ("go_to_range" in played.asked) is asked
    assert played.outcome.settled == ("at_range" if asked else "gave_up")
    assert ("goes on with missiles" in played.told) is asked
    unarmed = fight({"ann": [script], "bob": [away]}, rolls, {}, ring())
    assert "go_to_range" not in unarmed.asked, "nobody has anything to shoot with"


@pytest.mark.rules("armor.shield_missile.hide_limits")
def test_who_hid_behind_a_great_shield_comes_out_when_the_fight_begins():
    """Otherwise no action of the fight would be possible."""
    ann = fighter(shield="great shield")
    hidden = {"covers": [{"character": "ann", "shooter": "bob", "penalty": 3, "hiding": True}]}
    strikes = ("stay", "strike", *BLOCKS[2:])
    at = ring(None, hidden, ann=ann)
    played = fight({"ann": [strikes], "bob": [BLOCKS]}, [2, 1, 3, 3], {}, at)
    assert "Ann comes out from behind the shield." in played.told
    assert "Ann, Strike: 3 successes" in played.told
