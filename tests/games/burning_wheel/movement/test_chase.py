"""The chase: who catches whom, what a pursuer may do, and when it is over."""

from __future__ import annotations

import time
from fractions import Fraction
from itertools import product
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from astragal.errors import BadInput, NotAllowed
from astragal.games.burning_wheel import GAME, BurningTable
from astragal.games.burning_wheel.movement.chase import Chase, full_run
from astragal.games.burning_wheel.movement.chase_lengths import LengthResult
from astragal.games.burning_wheel.sheet.scene import Runner
from astragal.play import exact
from astragal.rules import catalogue
from games.burning_wheel.chasing import HARE, HOUND, LUCKY, after, dice_of, on, results, two
from games.burning_wheel.playing import Played, play, table

# --- The test of Speed ---------------------------------------------------------------------


@pytest.mark.rules(
    "movement.chase.versus_speed", "movement.chase.pursued_wins", "movement.chase.tie"
)
@pytest.mark.parametrize(("hound", "hare"), list(product(range(4), repeat=2)))
def test_more_successes_of_speed_win_and_nobody_wins_a_tie(hound: int, hare: int):
    run = after(two(), [hound, hare])
    expected = "tie" if hound == hare else "caught_up" if hound > hare else "away"
    assert results(run) == [expected]
    assert run.outcome.results[0].margin == abs(hound - hare)
    assert run.outcome.results[0].successes == (hound, hare)
    assert run.outcome.over is (hare > hound)
    assert run.outcome.passed is (hound > hare)
    assert [roll.label for roll in run.rolls] == ["Hound, Speed", "Hare, Speed"]
    assert bool(run.table.scene.chases) is not run.outcome.over


@pytest.mark.rules("movement.position.not_measured", "movement.chase.adv.multiplier")
def test_rates_are_not_compared_only_the_multiplier_is_worth_a_die():
    """A Dwarf of Speed 5 gets 15 paces, a man of Speed 4 only 14: the man has the die."""
    run = after(two(HOUND, {"stats": {"Speed": "B5"}, "body_type": "Dwarf"}), [1, 0])
    assert dice_of(run) == [5, 5]
    assert [each.total for each in run.outcome.results[0].dice] == [5, 5]
    assert [line.amount for line in run.outcome.results[0].dice[0].lines] == [4, 1]


def test_the_results_are_those_of_the_table():
    rows = catalogue().table("movement.table.chase_results").column("result")
    results = (LengthResult.CAUGHT_UP, LengthResult.AWAY, LengthResult.TIE)
    assert {result.value for result in results} <= set(rows)


@pytest.mark.rules("movement.chase.versus_speed")
@pytest.mark.parametrize(
    ("pursuers", "pursued", "place"),
    [
        ((), ("hare",), "pursuers: found 0"),
        (("hound",), (), "pursued: found 0"),
        (("hound",), ("hound",), r"pursued\[0\].character: found 'hound'"),
        (("hound", "hound"), ("hare",), r"pursuers\[1\].character: found 'hound'"),
        (("hound",), ("fox",), r"pursued\[0\].character: found 'fox'"),
        (("hound",) * 13, ("hare",), "pursuers: found 13"),
    ],
)
def test_it_takes_somebody_on_each_side(
    pursuers: tuple[str, ...], pursued: tuple[str, ...], place: str
):
    with pytest.raises(BadInput, match=f"^{place}"):
        after(two(), [], pursuers=pursuers, pursued=pursued)


def test_nobody_runs_in_two_chases_or_helps_the_other_side():
    at = after(two(), [1, 1]).table
    with pytest.raises(BadInput, match=r"^pursuers\[0\].character: .*not in a chase yet"):
        after(at, [])
    sides = {
        "pursuers": [{"character": "hound", "helpers": ["hare"]}],
        "pursued": [{"character": "hare"}],
    }
    with pytest.raises(BadInput, match=r"^pursued\[0\].character: found 'hare'"):
        play("chase", sides, two())
    with pytest.raises(NotAllowed, match="Hound is not in a chase"):
        on(two(), [])
    with pytest.raises(NotAllowed, match="Hare pursues nobody"):
        play("give_up_chase", {"pursuer": "hare"}, at)


# --- The pursuer wins ----------------------------------------------------------------------


def acts(
    at: BurningTable, rolls: Any, answers: dict[str, Any] | None = None, **more: Any
) -> Played:
    arguments = {"pursuer": "hound", "pursued": "hare", "task": "leaps", **more}
    return play("one_action", arguments, at, answers, rolls)


@pytest.mark.rules(
    "movement.chase.pursuer_wins.one_action",
    "movement.chase.pursuer_wins.penalty",
    "movement.chase.pursuer_wins.continue",
)
@pytest.mark.parametrize(("successes", "stops"), [(2, False), (3, True)])
def test_one_action_at_two_more_stops_the_quarry_or_the_chase_goes_on(successes: int, stops: bool):
    at = after(two(), [2, 1]).table
    assert [line.amount for line in full_run(at, "hound")] == [2]
    assert full_run(at, "hare") == ()  # who is chased acts as always
    said = {"obstacle": 1, "on_failure": "falls"}
    leap = acts(at, [successes], said, ability="Speed")
    assert "Ob 3 = 1 base obstacle + 2 at full run" in leap.told
    assert (leap.outcome.stopped, leap.outcome.test, leap.outcome.over) == (stops, stops, stops)
    assert (leap.outcome.rolled.obstacle.total, leap.outcome.rolled.successes) == (3, successes)
    assert full_run(leap.table, "hound") == ()
    if stops:
        assert leap.table.scene.chases == ()
        assert leap.table.scene.series == ()
        with pytest.raises(NotAllowed, match="Hound is not in a chase"):
            on(leap.table, [])
        return
    with pytest.raises(NotAllowed, match="can act only once"):
        acts(leap.table, [])
    again = on(leap.table, [2, 1])
    assert results(again) == ["caught_up"]
    assert acts(again.table, [3], said, ability="Speed").outcome.stopped


@pytest.mark.rules("movement.chase.pursuer_wins.penalty")
def test_an_action_that_the_quarry_opposes_loses_two_successes():
    strong = {"stats": {"Speed": "B4", "Power": "B6"}}
    at = after(two(strong, strong), [2, 1]).table
    missed = acts(at, [3, 1], ability="Power", against="Power")
    assert missed.outcome.stopped is False  # 3 - 2 ties with 1, and a tie is the defender's
    assert missed.outcome.rolled.counted == (1, 1)
    assert missed.outcome.test is False
    assert acts(at, [4, 1], ability="Power", against="Power").outcome.stopped is True


@pytest.mark.rules("movement.chase.pursuer_wins.continue")
def test_the_gm_has_the_last_word_on_what_stops_anybody():
    at = after(two(), [2, 1]).table
    shout = acts(at, [], {"stopped": True})  # tested by a procedure of its own
    assert shout.outcome.over
    assert shout.outcome.test is None
    assert shout.seats["stopped"] == "gm"
    assert not acts(at, []).outcome.stopped
    said = {"obstacle": 1, "on_failure": "falls", "stopped": False}
    assert not acts(at, [4], said, ability="Speed").outcome.stopped


@pytest.mark.rules("movement.chase.pursuer_wins.one_action")
def test_only_whoever_has_just_caught_up_may_act():
    tied = after(two(), [1, 1]).table
    assert full_run(tied, "hound") == ()
    with pytest.raises(NotAllowed, match=r"right after catching up.*one_action"):
        acts(tied, [])
    with pytest.raises(BadInput, match=r"^pursued: found 'fox'"):
        acts(tied, [], pursued="fox")
    caught = after(two(), [2, 1]).table
    assert full_run(on(caught, [1, 1]).table, "hound") == ()  # not used, and gone


# --- The pursued wins, ties ----------------------------------------------------------------


@pytest.mark.rules("movement.chase.pursued_wins")
def test_whoever_got_away_is_not_chased_again_by_the_same_pursuer():
    away = after(two(), [1, 2])
    with pytest.raises(NotAllowed, match=r"\(1 success\)\. .*tests.let_it_ride.one_roll"):
        after(away.table, [])
    found = after(away.table, [2, 1], {"conditions_changed": "found in a tavern"})
    assert results(found) == ["caught_up"]
    other = table(hound=HOUND, hare=HARE, fox=HOUND)
    escaped = after(other, [1, 2]).table
    assert results(after(escaped, [2, 1], pursuers=("fox",))) == ["caught_up"]


@pytest.mark.rules("movement.chase.tie")
@pytest.mark.parametrize(
    ("who", "expected"), [("hound", "caught_up"), ("hare", "away"), (None, "tie")]
)
def test_a_call_on_trait_breaks_a_tie_for_its_owner(who: str | None, expected: str):
    sheets = {"hound": dict(HOUND), "hare": dict(HARE)}
    for sheet in sheets.values():
        sheet["traits"] = [LUCKY]
    said = {} if who is None else {f"{who}/break_tie": "Lucky"}
    run = after(table(**sheets), [2, 2], said)
    assert results(run) == [expected]
    assert [t.called_this_session for t in run.table.character("hare").traits] == [who == "hare"]


@pytest.mark.rules("movement.chase.tie")
def test_after_a_tie_both_roll_again_as_often_as_it_takes():
    run = after(two(), [1, 1])
    for _ in range(4):
        run = on(run.table, [2, 2])
        assert results(run) == ["tie"]
    assert run.table.scene.chases[0].lengths == 5
    assert results(on(run.table, [1, 2])) == ["away"]


def test_nobody_runs_on_after_or_before_somebody_who_has_fallen():
    """injury.zero.stat_incapacitated."""
    tied = after(two(), [2, 2]).table
    for fallen in ("hound", "hare"):
        sheets = {
            name: msgspec.structs.replace(each, dead=name == fallen)
            for name, each in tied.characters.items()
        }
        with pytest.raises(NotAllowed, match=f"{fallen.title()} is dead and cannot act"):
            on(msgspec.structs.replace(tied, characters=sheets), [2, 2])


def test_a_pursuer_may_give_up_and_that_rides():
    run = play("give_up_chase", {"pursuer": "hound"}, after(two(), [1, 1]).table)
    assert run.outcome.away == ("hare",)
    assert run.outcome.over
    assert run.table.scene.chases == run.table.scene.series == ()
    with pytest.raises(NotAllowed, match="one_roll"):
        after(run.table, [])


# --- Long chases ---------------------------------------------------------------------------


def long(*rolls: tuple[int, int], tests: int = 4) -> Played:
    """So many lengths of a long chase, one after the other."""
    run = after(two(), rolls[0], {"tests": tests}, extended=True)
    for each in rolls[1:]:
        run = on(run.table, each)
    return run


WON, LOST, TIED = (2, 1), (1, 2), (1, 1)


@pytest.mark.rules("movement.chase.extended.gm_sets_tests")
def test_the_gm_announces_how_many_tests_a_long_chase_takes():
    run = after(two(), [1, 2], {"tests": 5}, extended=True)
    assert run.seats["tests"] == "gm"
    assert run.before_the_dice("tests")
    assert "The chase takes 5 tests." in run.told
    assert run.table.scene.chases[0].tests == 5
    assert "tests" not in after(two(), [1, 2]).asked
    with pytest.raises(BadInput, match="2 to 20"):
        after(two(), [1, 2], {"tests": 1}, extended=True)


@pytest.mark.rules("movement.chase.extended.win_bonus")
@pytest.mark.parametrize(("first", "dice"), [(WON, [5, 4]), (LOST, [4, 5]), (TIED, [4, 4])])
def test_whoever_won_has_a_die_more_in_the_next_test_and_the_loser_no_penalty(
    first: tuple[int, int], dice: list[int]
):
    """movement.amb.extended_vs_linked."""
    second = long(first, TIED)
    assert dice_of(second) == dice
    assert "against Ob" not in second.told
    plain = on(after(two(), first).table, TIED) if first != LOST else None
    assert plain is None or dice_of(plain) == [4, 4]  # not in an ordinary chase


@pytest.mark.rules("movement.chase.extended.two_wins")
@pytest.mark.parametrize(
    ("lengths", "last"),
    [
        ([LOST], "ahead"),
        ([LOST, LOST], "away"),
        ([LOST, WON, LOST], "ahead"),
        ([WON, LOST, LOST], "away"),
        ([LOST, TIED, LOST], "away"),  # a tie is rolled again: it is no test between the two
        ([WON, WON], "caught_up"),
        ([LOST, WON, LOST, WON], "caught"),  # movement.amb.extended_results: the last test
        ([WON, WON, WON, LOST], "away"),
        ([WON, WON, WON, TIED], "tie"),
        ([WON, WON, WON, TIED, WON], "caught"),
    ],
)
def test_two_wins_in_a_row_put_the_quarry_out_of_reach(lengths: list[tuple[int, int]], last: str):
    run = long(*lengths)
    assert results(run) == [last]
    assert run.outcome.over is (last in ("away", "caught"))


# --- Growth, and over time -----------------------------------------------------------------


def test_a_chase_of_many_lengths_earns_each_runner_one_test_of_speed():
    """movement.amb.advancement: the obstacle is what the other rolled."""
    run = on(on(after(two(), [1, 1]).table, [2, 2]).table, [2, 4])
    assert run.outcome.over
    hound, hare = (run.table.character(name).stats["Speed"].log for name in ("hound", "hare"))
    assert (hound.routine, hound.difficult, hound.challenging) == (0, 1, 0)  # 4 against 4 dice
    assert (hare.routine, hare.difficult, hare.challenging) == (1, 0, 0)
    advantage = after(two(HOUND, {**HARE, "body_type": "Horse"}), [4, 5])
    log = advantage.table.character("hare").stats["Speed"].log
    assert (log.routine, log.difficult) == (0, 1)  # five dice, all of them counted


lengths_run = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=1, max_size=6)


@settings(max_examples=40, deadline=None)
@given(lengths_run, st.booleans(), st.booleans())
def test_the_scene_stays_sound_from_length_to_length(
    rolls: list[tuple[int, int]], extended: bool, stops: bool
):
    run = after(two(), rolls[0], extended=extended)
    for each in rolls[1:]:
        if run.outcome.over:
            break
        at = run.table
        if run.outcome.passed:
            action = acts(at, [], {"stopped": stops})
            at = action.table
            if action.outcome.over:
                assert stops
                assert at.scene.chases == at.scene.series == ()
                return
        run = on(at, each)
    scene = run.table.scene
    assert GAME.read(GAME.write(scene), GAME.scene, "scene") == scene
    assert len(scene.chases) == len(scene.series) == (0 if run.outcome.over else 1)
    away = any(each.result is LengthResult.AWAY for each in run.outcome.results)
    assert any(ride.intent == "catch Hare" for ride in scene.rides) is away


def test_the_odds_are_those_of_two_handfuls_of_dice():
    start = GAME.procedure("chase").start(Chase((Runner("hound"),), (Runner("hare"),)), two())
    before = time.process_time()
    odds = exact(start)
    assert time.process_time() - before < 2  # far less; the machine may be busy
    ways = [sum(face >= 4 for face in faces) for faces in product(range(1, 7), repeat=4)]
    counts = {n: Fraction(ways.count(n), len(ways)) for n in range(5)}
    tie = sum((counts[n] ** 2 for n in counts), Fraction(0))
    found = {
        name: sum(
            (odds.chance(o) for o in odds.weights if o.results[0].result is name), Fraction(0)
        )
        for name in (LengthResult.CAUGHT_UP, LengthResult.TIE, LengthResult.AWAY)
    }
    assert found[LengthResult.TIE] == tie
    assert found[LengthResult.CAUGHT_UP] == found[LengthResult.AWAY] == (1 - tie) / 2


@pytest.mark.rules("steel.fail.run_screaming")
def test_whoever_runs_screaming_can_be_pursued_and_can_do_nothing_else():
    fled = {"character": "hare", "heartbeats": 4, "reaction": "run_screaming"}
    at = table({"hesitating": [fled]}, hound=HOUND, hare=HARE)
    assert results(after(at, [2, 1])) == ["caught_up"]
    with pytest.raises(NotAllowed, match="hesitates for 4 heartbeats"):
        after(at, [2, 1], pursuers=("hare",), pursued=("hound",))
    drooling = {**fled, "reaction": "stand_and_drool"}
    with pytest.raises(NotAllowed, match="hesitates for 4 heartbeats"):
        after(table({"hesitating": [drooling]}, hound=HOUND, hare=HARE), [2, 1])
