"""Failed castings, garbled spells, unwanted guests; interruptions and the Coup de Magie."""

from __future__ import annotations

from typing import Any

import pytest

from astragal.errors import BadInput
from astragal.games.burning_wheel.magic.sorcery.garbled import RINGS, ring, turned
from astragal.games.burning_wheel.magic.sorcery.interruption import interrupting_events
from astragal.rules import catalogue
from games.burning_wheel.playing import play
from games.burning_wheel.spellcasting import LIGHT, at_table, cast, han

SHIELD = {"name": "Eldritch Shield", "obstacle": 3}
FULL = {
    **LIGHT,
    "element": "Air",
    "impetus": "Control",
    "origin": "Personal",
    "duration": "Instantaneous",
    "area": "Caster",
}


def fail(at: Any, *rolls: Any, answers: dict[str, Any] | None = None) -> Any:
    """A casting that fails by 2 with Tax passed, and the dice that follow."""
    name = han(at).spells[0].name
    return cast(at, name, [1, 3, *rolls], answers)


# --- The Die of Fate -----------------------------------------------------------------------


@pytest.mark.rules("sorcery.fail.dof")
@pytest.mark.parametrize(
    ("face", "result"),
    [
        (1, "Unwanted Summoning"),
        (2, "Garbled Transmission"),
        *((face, "Harmless Dissipation") for face in (3, 4, 5, 6)),
    ],
)
def test_the_die_of_fate_of_a_failed_casting(face: int, result: str):
    further: tuple[Any, ...] = {1: ([4],), 2: ([1], [1])}.get(face, ())
    played = fail(at_table(FULL), [face], *further)
    assert (played.outcome.failure.die, played.outcome.failure.result) == (face, result)
    assert next(r for r in played.rolls if "Die of Fate" in r.label).owner == "han"


@pytest.mark.rules("sorcery.fail.harmless")
def test_a_harmless_dissipation_does_nothing():
    played = fail(at_table(FULL), [5])
    assert played.outcome.failure.garbled is None
    assert "ends without any effect" in played.told


# --- The wheel -----------------------------------------------------------------------------


@pytest.mark.rules("sorcery.garble.dice")
@pytest.mark.parametrize(
    ("dark", "light", "steps"), [(2, 3, 3), (6, 1, 1), (1, 3, -3), (5, 6, -6), (4, 6, 6)]
)
def test_the_darker_die_is_the_direction_the_lighter_the_steps(dark: int, light: int, steps: int):
    played = fail(at_table(FULL), [2], [dark], [light], *_more(steps))
    assert played.outcome.failure.garbled.steps == steps


def _more(steps: int) -> list[Any]:
    """The dice that a place on the wheel asks for, counted from Air, Control and so on."""
    impetus = ring("impetus")[steps % 6]
    more: list[Any] = (
        [[1]] if ring("area")[steps % 6] in ("Measured Area", "Half Measured Area") else []
    )
    if ring("duration")[steps % 4] == "Elapsed Time":
        more.append([2])
    return [*more, [1]] if impetus == "Destroy" else more


@pytest.mark.rules(
    "sorcery.garble.use_wheel", "sorcery.garble.all_rings", "sorcery.amb.wheel_one_roll"
)
def test_one_roll_moves_every_ring_from_the_spells_own_facet():
    garbled = fail(at_table(SHIELD), [2], [2], [3], [3]).outcome.failure.garbled
    assert (garbled.element, garbled.impetus, garbled.origin) == ("Fire", "Create", "Personal")
    assert (garbled.duration, garbled.area) == ("Permanent", "Half Measured Area")
    assert garbled.measure == "50s of Paces"


@pytest.mark.rules("sorcery.amb.wheel_of_magic_lost", "sorcery.amb.wheel_same_size_rings")
def test_the_rings_agree_with_the_example_and_have_their_own_sizes():
    assert [len(ring(name)) for name in RINGS] == [8, 6, 3, 4, 6]
    for row in catalogue().table("sorcery.table.wheel_pinned_by_example").records():
        steps = row.number("clockwise_steps")
        assert turned(str(row["ring"]), str(row["start_facet"]), steps) == row["facet_reached"]
        back = turned(str(row["ring"]), str(row["facet_reached"]), -steps)
        assert back == row["start_facet"]


@pytest.mark.rules("sorcery.garble.use_wheel")
def test_the_gm_names_facets_that_nobody_wrote_down():
    said = {
        f"facet_{name}": first
        for name, first in zip(
            RINGS, ("Water", "Tax", "Sight", "Permanent", "Presence"), strict=True
        )
    }
    played = fail(at_table(LIGHT), [2], [1], [1], [1], answers=said)
    garbled = played.outcome.failure.garbled
    assert (garbled.element, garbled.impetus, garbled.origin) == ("Fire", "Influence", "Presence")
    assert played.seats["facet_element"] == "gm"


@pytest.mark.rules("sorcery.garble.measured_area_die", "sorcery.amb.measured_area_table_lost")
@pytest.mark.parametrize(
    ("face", "whole", "half"),
    [
        (1, "Paces", "half paces"),
        (2, "10s of Paces", "5s of Paces"),
        (3, "100s of Paces", "50s of Paces"),
        (4, "Miles", "half miles"),
        (5, "10s of Miles", "5s of Miles"),
        (6, "100s of Miles", "50s of Miles"),
    ],
)
def test_a_die_gives_the_size_of_a_measured_area(face: int, whole: str, half: str):
    # Three steps clockwise from Caster are half an area, four a whole one.
    three = fail(at_table(FULL), [2], [2], [3], [face]).outcome.failure.garbled
    assert (three.area, three.measure) == ("Half Measured Area", half)
    four = fail(at_table(FULL), [2], [2], [4], [face]).outcome.failure.garbled
    assert (four.area, four.measure) == ("Measured Area", whole)


@pytest.mark.rules("sorcery.amb.wheel_elapsed_unit")
def test_the_unit_of_elapsed_time_is_rolled_or_chosen():
    rolled = at_table(FULL, options={"sorcery_wheel_elapsed_unit": "d6"})
    units = ["seconds", "minutes", "hours", "days", "months", "years"]
    for face, unit in enumerate(units, 1):
        played = fail(rolled, [2], [2], [1], [face])
        assert played.outcome.failure.garbled.unit == unit
    chosen = at_table(FULL, options={"sorcery_wheel_elapsed_unit": "gm_chooses"})
    played = fail(chosen, [2], [2], [1], answers={"elapsed_unit": "hours"})
    assert played.outcome.failure.garbled.unit == "hours"
    (kept,) = han(played.table).active_spells
    assert kept.ends == 3600


@pytest.mark.rules("sorcery.amb.wheel_sustained_result")
def test_an_unwanted_spell_may_be_sustained_or_let_go():
    # One step counterclockwise from Instantaneous is Sustained.
    let_go = fail(at_table(FULL), [2], [1], [1])
    assert let_go.outcome.failure.garbled.duration == "Sustained"
    assert han(let_go.table).active_spells == ()
    held = fail(at_table(FULL), [2], [1], [1], answers={"sustain_garbled": True})
    assert held.outcome.failure.garbled.sustained
    assert [spell.name for spell in han(held.table).sustained] == ["Garbled Glow"]
    others = [{"name": str(n), "obstacle": 1, "lasts": "Sustained"} for n in range(4)]
    full = fail(at_table(FULL, active_spells=others), [2], [1], [1])
    assert "sustain_garbled" not in full.asked


@pytest.mark.rules("sorcery.garble.interpretation")
def test_the_gm_says_what_it_does_or_lets_the_player():
    told = {"garbled_effect": "a ring of flame"}
    by_gm = fail(at_table(FULL), [2], [1], [1], answers=told)
    assert by_gm.seats["garbled_effect"] == "gm"
    assert by_gm.outcome.failure.garbled.told == "a ring of flame"
    said = {"player_interprets": True, **told}
    assert fail(at_table(FULL), [2], [1], [1], answers=said).seats["garbled_effect"] == "han"


@pytest.mark.rules("sorcery.garble.destroy_damage")
def test_a_garbled_spell_that_destroys_hurts_by_what_was_missing():
    # Two steps clockwise from Control is Destroy. Will 5 and 2 successes short.
    said = {"garbled_victims": ("han",)}
    played = fail(at_table(FULL, attributes={"Steel": "B0"}), [2], [2], [2], [4], answers=said)
    garbled = played.outcome.failure.garbled
    assert (garbled.impetus, garbled.ims) == ("Destroy", "B4/B7/B10")
    assert garbled.damage == "Mark, B7 to the torso, VA 0"
    assert [wound.level.value for wound in han(played.table).wounds] == ["Midi"]


# --- Unwanted Summoning --------------------------------------------------------------------


@pytest.mark.rules("sorcery.summon.simple")
@pytest.mark.parametrize(("face", "what"), [(1, "demon"), (2, "strange"), (6, "strange")])
def test_one_die_decides_what_comes_through(face: int, what: str):
    assert what in fail(at_table(FULL), [1], [face]).outcome.failure.summoned


@pytest.mark.rules("sorcery.summon.offering_wheel")
@pytest.mark.parametrize(
    ("first", "second", "creature"),
    [
        *((5, face, name) for face, name in ((1, "Lesser Imp"), (4, "Imp"), (6, "Greater Imp"))),
        *((2, f, name) for f, name in ((2, "Lesser Seraph"), (3, "Seraph"), (5, "Greater Seraph"))),
        (1, 1, "(not in this book)"),
        (4, 1, "(not in this book)"),
    ],
)
def test_or_side_ring_and_size(first: int, second: int, creature: str):
    said = {"summoning": "offering_wheel"}
    played = fail(at_table(FULL), [1], [first], [second], answers=said)
    assert played.outcome.failure.summoned == creature


@pytest.mark.rules("sorcery.summon.gm_plan_first")
def test_what_the_gm_has_in_store_comes_first():
    played = fail(at_table(FULL), [1], answers={"summoned": "an old enemy"})
    assert played.outcome.failure.summoned == "an old enemy"


# --- Interruption --------------------------------------------------------------------------

LONG = {"name": "Storm", "obstacle": 5, "actions": 10}


def interrupt(at: Any, rolls: Any, done: int, cause: str = "blinded", **more: Any) -> Any:
    answers = more.pop("answers", None)
    casting = {"character": "han", "spell": "Storm", **more.pop("casting", {})}
    said = {"casting": casting, "cause": cause, "done": done, **more}
    return play("interrupt_spell", said, at, answers, rolls)


@pytest.mark.rules("sorcery.interrupt.ruins")
def test_an_interrupted_spell_is_lost_before_any_roll():
    played = interrupt(at_table(LONG), [3, [6]], 5)
    assert "Han, Sorcery" not in [roll.label for roll in played.rolls]
    nothing = interrupt(at_table(LONG), [], 0)
    assert nothing.outcome.failure is None


@pytest.mark.rules("sorcery.interrupt.tax", "sorcery.amb.interrupt_rounding")
@pytest.mark.parametrize(("done", "obstacle"), [(1, 1), (2, 1), (3, 2), (5, 3), (9, 5)])
def test_tax_is_for_the_part_that_was_done(done: int, obstacle: int):
    outcome = interrupt(at_table(LONG), [5, [6]], done).outcome
    assert outcome.obstacle == outcome.tax.obstacle.total == obstacle
    with pytest.raises(BadInput, match="0 to 9"):
        interrupt(at_table(LONG), [], 10)


@pytest.mark.rules("sorcery.interrupt.tax")
def test_methods_change_what_the_whole_is():
    more = {"casting": {"method": "carefully", "steps": 1}}
    assert interrupt(at_table(LONG), [5, [6]], 10, **more).outcome.obstacle == 3  # 10 of 20


@pytest.mark.rules("sorcery.amb.interrupt_rounding")
def test_in_volleys_a_one_volley_spell_is_half_done():
    assert interrupt(at_table(LONG), [5, [6]], 0, volleys=True).outcome.obstacle == 3
    slow = at_table({**LONG, "actions": 50})
    assert interrupt(slow, [5, [6]], 1, volleys=True).outcome.obstacle == 2  # 1 of 3
    with pytest.raises(BadInput, match="0 to 2 of its 3 volleys"):
        interrupt(slow, [], 3, volleys=True)


@pytest.mark.rules("sorcery.interrupt.failed_casting", "sorcery.amb.interrupt_margin_for_destroy")
def test_it_is_a_failed_casting_as_well():
    spell = {**FULL, **LONG}
    said = {"garbled_victims": ()}
    played = interrupt(at_table(spell), [5, [2], [2], [2], [4]], 5, answers=said)
    assert played.outcome.failure.result == "Garbled Transmission"
    assert played.outcome.failure.garbled.ims == "B4/B8/B12"  # Will 5 and the share of 3


@pytest.mark.rules("sorcery.interrupt.causes")
def test_what_interrupts_is_listed_or_for_the_gm_to_say():
    sure = (
        "failed_steel hurt hit_in_the_mouth restrained blinded shield_destroyed asleep unconscious"
    )
    for cause in sure.split():
        assert "interrupts" not in interrupt(at_table(LONG), [3, [6]], 5, cause).asked
    for cause in ("fell_hard", "failed_tax", "a bucket of water"):
        played = interrupt(at_table(LONG), [3, [6]], 5, cause)
        assert played.asks["interrupts"].kind == "consent"
        with pytest.raises(BadInput, match="something that interrupts"):
            interrupt(at_table(LONG), [], 5, cause, answers={"interrupts": False})
    with pytest.raises(BadInput, match="what else happened"):
        interrupt(at_table(LONG), [], 5, " ")
    assert len(interrupting_events()) == 10


@pytest.mark.rules("sorcery.interrupt.tax", "sorcery.sickness.health_test")
def test_failing_that_tax_costs_forte_like_any_other():
    played = interrupt(at_table(LONG), [2, [6], 1], 5)
    assert played.outcome.tax.hours == (3,)
    assert han(played.table).forte_left == 5


@pytest.mark.rules("sorcery.method.patiently", "sorcery.interrupt.tax")
def test_patience_helps_the_tax_of_a_casting_that_is_broken_off():
    """With +1D its 10 actions are 30; with 15 done it is half of Ob 5, so 3, on 6D and 1."""
    patient = {"method": "patiently", "steps": 1}
    played = interrupt(at_table(LONG), [3, [6]], 15, casting=patient)
    assert (played.outcome.obstacle, played.outcome.tax.dice.total) == (3, 7)
    assert interrupt(at_table(LONG), [3, [6]], 5).outcome.tax.dice.total == 6


# --- Coup de Magie -------------------------------------------------------------------------


def hold(at: Any, actions: int, rolls: Any, **more: Any) -> Any:
    said = {"casting": {"character": "han", "spell": "Glow"}, "actions": actions, **more}
    return play("hold_spell", said, at, rolls=rolls)


@pytest.mark.rules("sorcery.coup.hold", "sorcery.amb.coup_roll_and_release")
def test_will_actions_are_free():
    played = hold(at_table(LIGHT), 5, [3, 3])
    assert played.outcome.tests == ()
    assert played.outcome.cast.passed
    veil = [{"name": "Veil", "obstacle": 1, "lasts": "Sustained"}]
    assert hold(at_table(LIGHT, active_spells=veil), 5, [1, 3, 3]).outcome.tests == (1,)
    with pytest.raises(BadInput, match="1 to 200"):
        hold(at_table(LIGHT), 0, [])


@pytest.mark.rules("sorcery.coup.concentration")
def test_every_further_set_is_harder():
    assert hold(at_table(LIGHT), 20, [1, 2, 3, 3, 3]).outcome.tests == (1, 2, 3)
    assert hold(at_table(LIGHT), 35, [1, 2, 3, 4, 5, 0]).outcome.tests == (1, 2, 3, 4, 5, 6)


@pytest.mark.rules("advancement.series.one_test", "sorcery.coup.concentration")
@pytest.mark.parametrize("last", [2, 0])
def test_all_will_tests_of_one_hold_are_one_test_and_the_hardest(last: int):
    """Of 2D Ob 1 is Routine and Ob 2 Difficult; held or lost, only the latter is logged."""
    at = at_table(LIGHT, stats={"Will": "B2"})
    log = han(hold(at, 6, [1, last, 3, 3][: 4 if last else 2]).table).stats["Will"].log
    assert (log.routine, log.difficult, log.challenging) == (0, 1, 0)


@pytest.mark.rules("sorcery.coup.fail")
def test_failing_loses_the_spell_without_tax():
    played = hold(at_table(LIGHT), 10, [0])
    assert (played.outcome.held, played.outcome.lost) == (False, True)
    assert [roll.label for roll in played.rolls] == ["Han, Will"]


@pytest.mark.rules("sorcery.coup.distracted", "sorcery.amb.coup_distracted_failed_casting")
def test_a_distraction_costs_the_full_tax():
    played = hold(at_table(LIGHT), 5, [3, [6]], distraction="hurt")
    assert played.outcome.interrupt.obstacle == 3
    assert played.outcome.interrupt.failure.result == "Harmless Dissipation"


@pytest.mark.rules("sorcery.coup.full_focus")
def test_nothing_else_is_done_meanwhile():
    assert "only Maintain, and a few words" in hold(at_table(LIGHT), 1, [3, 3]).told
