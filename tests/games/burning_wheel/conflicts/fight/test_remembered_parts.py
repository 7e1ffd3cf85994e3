"""Parts of a volley that a simulation remembers come to what they would in the whole fight."""

from __future__ import annotations

from collections import Counter
from itertools import islice
from random import Random

import msgspec
import pytest

from astragal.dice import Seeded
from astragal.errors import Refusal
from astragal.games.burning_wheel.conflicts.fight import moment, positioning
from astragal.games.burning_wheel.conflicts.fight.fight import (
    ArmedFighter,
    FightSide,
    StartFight,
    fight_on,
)
from astragal.games.burning_wheel.conflicts.fight.footing_rolls import (
    FootingThrows,
    _only_leads,
    throw_footing,
)
from astragal.games.burning_wheel.conflicts.fight.moment import clash
from astragal.games.burning_wheel.conflicts.fight.narrowing import (
    for_clash,
    for_positioning,
    put_back,
)
from astragal.games.burning_wheel.conflicts.fight.policies import (
    DRAWN,
    REMEMBERED,
    answers_of,
    at_random,
    by_heart,
    by_temperament,
    simulate,
)
from astragal.games.burning_wheel.conflicts.fight.positioning import _margin, positioned
from astragal.games.burning_wheel.conflicts.fight.state import (
    FightDeed,
    Positioning,
    Posture,
    ReadiedAction,
)
from astragal.games.burning_wheel.sheet.parts import Wound, WoundLevel
from astragal.play import Simulation, live, then
from games.burning_wheel import any_fight
from games.burning_wheel.in_a_fight import FIGHTER, fight
from games.burning_wheel.playing import table

ANSWERS = answers_of({})


def come_to(start, seed):
    """What a procedure comes to with these dice, and with the default everywhere."""
    try:
        return live(start, Seeded(seed), ANSWERS).result
    except Refusal as refusal:
        return str(refusal)


def unlogged(seed):
    """Five fighters in any state, in a rehearsal; nobody charges."""
    at = msgspec.structs.replace(any_fight.any_fight(Random(seed)), series="")
    for each in at.fighters:
        at = at.change(each.character, charges=False, waits=None)
    return at


def at_ease(at):
    """The same fighters with nothing in their way, so that more of what they do works."""
    for each in at.fighters:
        at = at.change(
            each.character,
            hindrances=(),
            posture=Posture.STANDING,
            moves=Positioning.MAINTAIN,
            avoids=False,
        )
    gaps = tuple(msgspec.structs.replace(gap, gap=2) for gap in at.gaps)
    return msgspec.structs.replace(at, ground=(), locks=(), gaps=gaps)


@pytest.mark.parametrize("first", range(0, 200, 50))
def test_in_any_state_a_positioning_test_comes_to_what_it_would_in_the_whole_fight(first):
    moved = 0
    for seed in range(first, first + 50):
        at = unlogged(seed)
        narrow = for_positioning(at)
        assert narrow is not None
        whole, alone = (come_to(then(positioned, each), seed) for each in (at, narrow))
        if isinstance(whole, str):
            assert alone == whole
            continue
        assert put_back(at, narrow, alone) == whole, f"state {seed}"
        moved += whole.gaps != at.gaps
    assert moved > 5


@pytest.mark.parametrize("first", range(0, 200, 50))
def test_in_any_state_a_clash_comes_to_what_it_would_in_the_whole_fight(first):
    changed = hurt = 0
    for seed in range(first, first + 50):
        at = at_ease(unlogged(seed)) if seed % 2 else unlogged(seed)
        deeds = any_fight.any_deeds(Random(seed), at)
        narrow = for_clash(at, deeds)
        assert narrow is not None
        whole, alone = (come_to(then(clash, each, deeds), seed) for each in (at, narrow))
        if isinstance(whole, str):
            assert alone == whole
            continue
        assert put_back(at, narrow, alone.fight) == whole.fight, f"state {seed}"
        assert (alone.harms, alone.late) == (whole.harms, whole.late), f"state {seed}"
        changed += whole.fight != at
        hurt += bool(whole.harms)
    assert changed > 10
    assert hurt


def test_wounds_that_cost_as_much_are_one_case():
    def hurt(*levels):
        at = fight()
        sheet = at.sheet("ann")
        wounds = tuple(Wound(level, source=f"blow {n}") for n, level in enumerate(levels))
        sheets = {**at.table.characters, "ann": msgspec.structs.replace(sheet, wounds=wounds)}
        return at.at(msgspec.structs.replace(at.table, characters=sheets))

    light, midi, superficial = WoundLevel.LIGHT, WoundLevel.MIDI, WoundLevel.SUPERFICIAL
    strike = FightDeed("ann", "strike", "strike", "bob")
    for narrowed in (for_positioning, lambda at: for_clash(at, (strike,))):
        once = narrowed(msgspec.structs.replace(hurt(midi, superficial), series=""))
        again = narrowed(
            msgspec.structs.replace(
                hurt(superficial, light, superficial, light), series="", exchange=7, volley=2
            )
        )
        assert once is again
        assert narrowed(msgspec.structs.replace(hurt(light), series="")) != once


def test_what_is_logged_or_waits_or_charges_is_played_in_the_whole_fight():
    at = fight()
    free = msgspec.structs.replace(at, series="")
    assert for_positioning(free) is not None
    assert for_clash(free, ()) is not None
    logged = msgspec.structs.replace(at, series="the fight")
    assert for_positioning(logged) is None
    assert for_clash(logged, ()) is None
    assert for_positioning(free.change("ann", charges=True)) is None
    assert for_clash(free.change("ann", waits=ReadiedAction("a shout", "strike")), ()) is None
    casting = free.change("ann", spell="the_fear")
    assert for_positioning(casting) is None
    assert for_clash(casting, ()) is None


def test_of_two_positioning_rolls_only_the_lead_matters(monkeypatch):
    """All that is asked of them afterwards has the same answer."""
    at = msgspec.structs.replace(fight(), series="")
    at = at.change("ann", moves=Positioning.CLOSE).change("bob", moves=Positioning.WITHDRAW)
    readies = []

    def watched(ready):
        readies.append(ready)
        return (yield from throw_footing(ready))

    monkeypatch.setattr(positioning, "throw_footing", watched)
    live(then(positioned, at), Seeded(1), ANSWERS)
    ready = readies[0]
    dice = live(then(throw_footing, ready), Seeded(1), ANSWERS).result

    def asked(throws):
        one, other = throws.rolls
        return (
            one.beats(other),
            other.beats(one),
            min(2, _margin(one, other)),
            min(2, _margin(other, one)),
        )

    for mine in range(8):
        for theirs in range(8):
            rolls = tuple(
                msgspec.structs.replace(
                    roll, thrown=msgspec.structs.replace(roll.thrown, successes=many)
                )
                for roll, many in zip(dice.rolls, (mine, theirs), strict=True)
            )
            throws = FootingThrows(rolls)
            assert asked(_only_leads(ready, throws)) == asked(throws), (mine, theirs)


# --- Whole fights ----------------------------------------------------------------------------

SHORT = StartFight(
    (FightSide((ArmedFighter("ann"),)), FightSide((ArmedFighter("bob"),))), rehearsal=True
)


def swords(**more):
    sheet = {**FIGHTER, "weapons": [{"weapon": "sword"}], **more}
    return table(ann=sheet, bob=sheet)


def ends(outcome):
    """How a fight ended, and when: the first exchanges apart, all later ones together."""
    return outcome.settled, outcome.winner, min(outcome.exchanges, 4)


def test_simulated_fights_end_as_often_in_each_way_as_those_that_are_played_out():
    """Homogeneity of two samples, one of which throws every die and knows the whole fight."""
    many, found = 80, []
    for remembered in (True, False):
        chance = Seeded(f"sample {remembered}")
        scripters = {"ann": by_temperament("fierce", chance), "bob": at_random(chance)}
        if remembered:
            running = simulate(SHORT, swords(), scripters, chance)
            found.append(Counter(map(ends, islice(running, many))))
        else:
            start, answers = then(fight_on, SHORT, swords()), answers_of(scripters)
            played = (live(start, chance, answers).result[0] for _ in range(many))
            found.append(Counter(map(ends, played)))
    frequent = [each for each, count in (found[0] + found[1]).items() if count >= 10]
    rest = [sum(c for each, c in sample.items() if each not in frequent) for sample in found]
    pairs = [(found[0][each], found[1][each]) for each in frequent] + [tuple(rest)]
    pairs = [pair for pair in pairs if sum(pair)]
    chi = sum((a - b) ** 2 / (a + b) for a, b in pairs)
    free = len(pairs) - 1
    assert free >= 3
    assert chi < free * (1 - 2 / (9 * free) + 3.72 * (2 / (9 * free)) ** 0.5) ** 3


@pytest.mark.parametrize(
    "more",
    [
        {"artha": {"fate": 2, "persona": 2, "deeds": 1}},
        {"armor": {"torso": "chainmail"}, "shield": {"kind": "buckler"}},
    ],
    ids=["artha", "armor"],
)
def test_with_artha_or_armor_fights_are_simulated_to_their_end(more):
    chance = Seeded("rich")
    scripters = {name: by_temperament("fierce", chance) for name in ("ann", "bob")}
    for outcome in islice(simulate(SHORT, swords(**more), scripters, chance), 5):
        assert outcome.volleys


def test_scripts_by_heart_and_several_fighters_are_simulated_too():
    sheets = {name: {**FIGHTER, "weapons": [{"weapon": "sword"}]} for name in ("ann", "bob", "cat")}
    start = StartFight(
        (
            FightSide((ArmedFighter("ann"),)),
            FightSide((ArmedFighter("bob"), ArmedFighter("cat"))),
        ),
        rehearsal=True,
    )
    chance = Seeded("three")
    scripters = {name: by_temperament("careful", chance) for name in ("bob", "cat")}
    scripters["ann"] = by_heart(HEART)
    outcomes = list(islice(simulate(start, table(**sheets), scripters, chance), 4))
    assert {len(each.fighters) for each in outcomes} == {3}


HEART = ("close", "strike", "maintain", "counterstrike", "maintain", "strike", "block")


def test_the_parts_are_remembered_and_not_played_again(monkeypatch):
    chance = Seeded("hits")
    scripters = {name: by_temperament("fierce", chance) for name in ("ann", "bob")}
    begun = Counter()

    def counted(*args):
        begun["clash"] += 1
        return (yield from clash(*args))

    monkeypatch.setattr(moment, "clash", counted)
    remembered = (counted, *(each for each in REMEMBERED if each is not clash))
    simulation = Simulation(answers_of(scripters), DRAWN, remembered)
    start = then(fight_on, SHORT, swords())

    def clashes_in_a_volley(fights: int) -> float:
        begun.clear()
        volleys = sum(simulation.run(start, chance)[0].volleys for _ in range(fights))
        return begun["clash"] / volleys

    at_first = clashes_in_a_volley(20)
    clashes_in_a_volley(120)
    assert clashes_in_a_volley(40) < 0.9 * at_first
