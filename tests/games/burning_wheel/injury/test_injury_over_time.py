"""A life full of wounds: whatever happens, the sheet stays one that is possible."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from astragal.dice import Seeded
from astragal.errors import Refusal
from astragal.games.burning_wheel import GAME
from astragal.games.burning_wheel.conditions.wounds import dice_left, pain
from astragal.games.burning_wheel.sheet.parts import WoundLevel
from astragal.games.burning_wheel.sheet.reading import check
from astragal.play import Ask, Change, Session
from games.burning_wheel.hurting import HEALER, body, hit, man, the_man, wait
from games.burning_wheel.playing import table

STEPS = [f"B{number}" for number in range(1, 13)]
OPTIONS = {
    "injury_recovery_time": ["rolled", "gm_sets"],
    "injury_mortal_variant": ["hard", "soft"],
    "injury_mortal_stage_penalties": ["by_stage", "literal"],
    "injury_half_dice_recovered": ["rounded_down", "rounded_up"],
    "injury_failed_midi_still_bleeds": ["no", "yes"],
    "injury_staunched_never_treated": ["bleeds_on", "midi_loses_one_die"],
    "injury_steel_when_bleeding_worsens": ["no", "yes"],
    "injury_attributes_after_permanent_loss": ["not_recomputed", "recomputed"],
    "injury_forte_shade_and_mortal": ["multiplied", "not_multiplied"],
    "injury_npc_without_persona": ["dies", "gm_choice"],
}
HE: dict[str, Any] = {
    "stats": {"Will": "B5", "Perception": "B4", "Agility": "B6", "Speed": "B4", "Power": "B5"}
    | {"Forte": "B5"},
    "attributes": {"Health": "B5", "Reflexes": "B4", "Steel": "B5", "Mortal Wound": "B11"},
    "tolerances": ["B2", "B4", "B6", "B8", "B9", "B11"],
    "artha": {"fate": 6, "persona": 6},
    "skills": {"Sword": "B4"},
}

wound = st.integers(1, 4)
events = st.one_of(
    st.tuples(st.just("take_wound"), st.fixed_dictionaries({"at": st.sampled_from(STEPS)})),
    st.tuples(
        st.just("let_time_pass"),
        st.fixed_dictionaries(
            {"time": st.sampled_from(["3 minutes", "1 hour", "9 hours", "8 days", "70 days"])}
        ),
    ),
    st.tuples(
        st.sampled_from(["treat", "stop_bleeding"]),
        st.fixed_dictionaries(
            {"wound": wound, "skill": st.sampled_from(["Surgery", "Herbalism", "Field Dressing"])}
        ),
    ),
    st.tuples(
        st.sampled_from(["recover", "grit_teeth", "grit_your_teeth"]),
        st.fixed_dictionaries({"wound": wound}),
    ),
    st.tuples(
        st.sampled_from(["clear_the_cobwebs", "shrug_it_off", "end_scene", "heartbeats"]),
        st.just({}),
    ),
)


def arguments_of(procedure: str, more: dict[str, Any]) -> dict[str, Any]:
    if procedure in ("treat", "stop_bleeding"):
        return {"healer": "healer", "patient": "man", **more}
    if procedure == "heartbeats":
        return {"count": 20}
    if procedure in ("let_time_pass", "end_scene"):
        return more
    return {"character": "man", **more}


def happen(at: Any, procedure: str, more: dict[str, Any], chance: Any, whim: random.Random) -> Any:
    """The table after an event with any dice and any answers; as it was, if that is refused."""
    the_procedure = GAME.procedure(procedure)
    arguments = GAME.read(arguments_of(procedure, more), the_procedure.arguments, "arguments")

    def anyhow(ask: Ask) -> Any:
        return whim.choice(ask.question.every_answer() or (ask.question.default,))

    try:
        session = Session(
            the_procedure.start(arguments, at), lambda roll: roll.expression.sample(chance)
        )
        while session.waiting:
            ask = session.waiting[0]
            session.answer(ask.seat, anyhow(ask))
    except Refusal:
        return at
    return at.changed(*(event for event in session.events if isinstance(event, Change)))


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(
    st.lists(events, min_size=1, max_size=25),
    st.fixed_dictionaries({name: st.sampled_from(choices) for name, choices in OPTIONS.items()}),
    st.integers(0, 10**6),
)
def test_no_sequence_of_events_leads_to_an_impossible_sheet(
    story: list[Any], options: dict[str, str], seed: int
):
    chance, whim = Seeded(str(seed)), random.Random(seed)
    at = table(options=options, man=HE, healer=HEALER)
    for procedure, more in story:
        before = the_man(at)
        at = happen(at, procedure, more, chance, whim)
        after = the_man(at)
        check(after)
        assert GAME.read_sheet(GAME.write(after), "man") == after  # what is written can be read
        if before.dead:
            assert after.dead
        dice, obstacle = pain(after)
        assert all(line.amount < 0 for line in dice)
        assert sum(line.amount for line in obstacle) in (0, 1)
        for carried in after.wounds:
            assert 0 <= dice_left(carried) <= 4
            assert len(carried.returns) <= dice_left(carried)
            assert bool(carried.closes) >= bool(carried.returns)
        for stat, ability in after.stats.items():
            assert ability.rating.exponent <= before.stats[stat].rating.exponent + 1


@settings(max_examples=40, deadline=None)
@given(st.lists(st.sampled_from(STEPS[:9]), max_size=7), st.randoms(use_true_random=False))
def test_penalties_do_not_depend_on_the_order_of_wounds(steps: list[str], order: random.Random):
    """But for the order in which things heal, which no rule asks about."""
    shuffled = steps.copy()
    order.shuffle(shuffled)
    one, other = (body(hit(man(stats={}), *each)) for each in (steps, shuffled))
    assert (one.dice, one.obstacle) == (other.dice, other.obstacle)
    assert one.dice == -sum(
        {"Light": 1, "Midi": 2, "Severe": 3, "Traumatic": 4}.get(w.level, 0) for w in one.wounds
    )


@settings(max_examples=30, deadline=None)
@given(
    st.lists(st.sampled_from(["Midi", "Severe", "Traumatic"]), min_size=1, max_size=3),
    st.lists(st.integers(1, 400), min_size=1, max_size=5),
)
def test_bleeding_does_not_depend_on_how_time_is_cut(wounds: list[str], minutes: list[int]):
    start = man(stats={"Forte": "B5"}, wounds=wounds)
    pieces = start
    for each in minutes:
        pieces = wait(pieces, f"{each} minutes").table
    whole = wait(start, f"{sum(minutes)} minutes").table
    assert the_man(pieces) == the_man(whole)


@pytest.mark.parametrize("level", [WoundLevel.MIDI, WoundLevel.SEVERE, WoundLevel.TRAUMATIC])
def test_treatment_and_recovery_bring_every_die_back(level: WoundLevel):
    """Both tests passed: in the end the sheet is as it was (injury.treatment.both_succeed)."""
    at = table(man=HE, healer={"skills": {"Surgery": "B9"}})
    hurt = happen(at, "take_wound", {"at": str(the_man(at).tolerances.of(level))}, *luck())
    sixes = random.Random(0)
    tended = happen(hurt, "treat", {"skill": "Surgery"}, *luck(sixes))
    healing = happen(tended, "recover", {"wound": 1}, *luck(sixes))
    healed = happen(healing, "let_time_pass", {"time": "1 year"}, *luck())
    assert the_man(healed).wounds == ()
    assert {n: s.rating for n, s in the_man(healed).stats.items()} == {
        n: s.rating for n, s in the_man(at).stats.items()
    }


class _High:
    """Dice that always show fives."""

    def dice(self, sides: int, count: int) -> list[int]:
        return [min(5, sides)] * count


def luck(whim: random.Random | None = None) -> tuple[Any, random.Random]:
    return _High(), whim or random.Random(0)
