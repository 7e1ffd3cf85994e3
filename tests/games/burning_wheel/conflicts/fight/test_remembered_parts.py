"""Parts of a volley that a simulation remembers come to what they would in the whole fight."""

from __future__ import annotations

from collections import Counter
from itertools import islice, product
from random import Random

import msgspec
import pytest

from astragal.dice import Seeded
from astragal.errors import Refusal
from astragal.games.burning_wheel.armor.block_and_strike import Stance
from astragal.games.burning_wheel.armor.hits import IncomingHit, take_hit
from astragal.games.burning_wheel.conditions.wounds import condition, wound_dice
from astragal.games.burning_wheel.conflicts.fight import moment, positioning
from astragal.games.burning_wheel.conflicts.fight.cards import action_of
from astragal.games.burning_wheel.conflicts.fight.clash import (
    _bare,
    _without_reasons,
    clusters,
    throw_clusters,
    throw_moment,
)
from astragal.games.burning_wheel.conflicts.fight.fight import (
    ArmedFighter,
    FightSide,
    StartFight,
    fight_on,
)
from astragal.games.burning_wheel.conflicts.fight.footing_rolls import (
    FootingThrows,
    _only_leads,
    only_dice,
    throw_footing,
    with_moves,
)
from astragal.games.burning_wheel.conflicts.fight.interactions import is_attack
from astragal.games.burning_wheel.conflicts.fight.moment import clash, clashes
from astragal.games.burning_wheel.conflicts.fight.narrowed_tables import for_harm, put_harm_back
from astragal.games.burning_wheel.conflicts.fight.policies import (
    DRAWN,
    REMEMBERED,
    answers_of,
    simulate,
)
from astragal.games.burning_wheel.conflicts.fight.positioning import _margin, positioned
from astragal.games.burning_wheel.conflicts.fight.remembered_parts import (
    MARTIAL,
    SIMPLE,
    are_apart,
    for_clash,
    for_positioning,
    is_idle,
    put_back,
)
from astragal.games.burning_wheel.conflicts.fight.scripters import (
    at_random,
    by_heart,
    by_temperament,
)
from astragal.games.burning_wheel.conflicts.fight.state import (
    FightDeed,
    Lock,
    Positioning,
    Posture,
    Preparation,
    ReadiedAction,
)
from astragal.games.burning_wheel.sheet.parts import Wound, WoundLevel
from astragal.games.burning_wheel.sheet.ratings import Coordinate
from astragal.games.burning_wheel.weapons.damage import Damage, Stage
from astragal.play import Simulation, Tally, exact, live, then
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
    def hurting(*levels):
        at = fight()
        sheet = at.sheet("ann")
        wounds = tuple(Wound(level, source=f"blow {n}") for n, level in enumerate(levels))
        sheets = {**at.table.characters, "ann": msgspec.structs.replace(sheet, wounds=wounds)}
        return at.at(msgspec.structs.replace(at.table, characters=sheets))

    light, midi, superficial = WoundLevel.LIGHT, WoundLevel.MIDI, WoundLevel.SUPERFICIAL
    strike = FightDeed("ann", "strike", "strike", "bob")
    for narrowed in (for_positioning, lambda at: for_clash(at, (strike,))):
        once = narrowed(msgspec.structs.replace(hurting(midi, superficial), series=""))
        again = narrowed(
            msgspec.structs.replace(
                hurting(superficial, light, superficial, light), series="", exchange=7, volley=2
            )
        )
        assert once is again
        assert narrowed(msgspec.structs.replace(hurting(light), series="")) != once


def hurt(at, character, *levels):
    sheet = at.sheet(character)
    wounds = tuple(Wound(level) for level in levels)
    sheets = {**at.table.characters, character: msgspec.structs.replace(sheet, wounds=wounds)}
    return at.at(msgspec.structs.replace(at.table, characters=sheets))


@pytest.mark.parametrize("action", ["avoid", "block", "counterstrike"])
def test_a_defence_at_which_nothing_comes_is_one_case_for_the_hurt_and_the_moving(action):
    at = msgspec.structs.replace(fight(), series="")
    hurting = hurt(at, "ann", WoundLevel.LIGHT).change("ann", moves=Positioning.CLOSE)
    defence = FightDeed("ann", action, action, "bob")
    assert for_clash(hurting, (defence,)) is for_clash(at, (defence,))
    strike = FightDeed("bob", "strike", "strike", "ann")
    assert for_clash(hurting, (defence, strike)) != for_clash(at, (defence, strike))
    helpless = hurt(at, "ann", *[WoundLevel.LIGHT] * 4)  # without dice it is no defence
    assert for_clash(helpless, (defence,)) != for_clash(at, (defence,))


@pytest.mark.slow
def test_a_defence_that_is_idle_changes_nothing_in_any_state():
    """The others are those that may: in a Lock, hindered, with something to break off."""
    idle = busy = 0
    for seed in range(200):
        at = unlogged(seed)
        if seed % 2:
            at = at_ease(at)
            for each in at.fighters[::2]:
                at = at.change(each.character, ready=Preparation())
        for number, each in enumerate(at.fighters):
            action = ("avoid", "block", "counterstrike")[(seed + number) % 3]
            alone = FightDeed(each.character, action, action)
            met = come_to(then(clash, at, (alone,)), seed)
            if is_idle(at, alone):
                assert (met.fight, met.harms, met.late) == (at, (), ()), f"state {seed}"
                idle += 1
            else:
                busy += met.fight != at
    assert idle > 50
    assert busy > 50


def test_what_is_more_than_a_defence_is_never_idle():
    at = msgspec.structs.replace(fight(), series="")
    assert is_idle(at, FightDeed("ann", "block", "block"))
    for action, card in (
        ("block", "change_stance:defensive"),
        ("block_and_strike", "block_and_strike"),
        ("strike", "strike"),
        ("great_strike_set", "great_strike_set"),
    ):
        assert not is_idle(at, FightDeed("ann", action, card, "bob"))
    aggressive = at.change("ann", stance=Stance.AGGRESSIVE)
    assert not is_idle(aggressive, FightDeed("ann", "avoid", "avoid"))
    half_set = at.change("ann", ready=Preparation(sets=1))
    assert not is_idle(half_set, FightDeed("ann", "block", "block"))
    assert not is_idle(at.change("ann", spell="the_fear"), FightDeed("ann", "block", "block"))


@pytest.mark.parametrize("action", ["push", "lock", "throw_opponent", "beat_and_bind", "disarm"])
@pytest.mark.parametrize("moves", [Positioning.CLOSE, Positioning.MAINTAIN])
def test_who_only_resists_is_one_case_whether_or_not_he_moves_but_for_a_push(action, moves):
    """Natural Defenses against a Push are Speed alone for one who moves."""
    at = msgspec.structs.replace(fight(), series="").change("bob", moves=moves)
    deeds = (FightDeed("ann", action, action, "bob"),)
    narrow = for_clash(at, deeds)
    still = for_clash(at.change("bob", moves=Positioning.MAINTAIN), deeds)
    assert (narrow is still) == (action != "push" or moves is Positioning.MAINTAIN)
    for seed in range(20):
        whole, alone = (come_to(then(clash, each, deeds), seed) for each in (at, narrow))
        assert put_back(at, narrow, alone.fight) == whole.fight


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


@pytest.mark.slow
def test_dice_that_do_not_say_why_come_to_the_same(monkeypatch):
    """With the same faces, and whatever there is against them."""
    moments, footings = [], []

    def throwing(incoming):
        moments.append(tuple(each for each in incoming if each.rolls))
        return (yield from throw_moment(incoming))

    def stepping(ready):
        footings.append(ready)
        return (yield from throw_footing(ready))

    monkeypatch.setattr(moment, "throw_moment", throwing)
    monkeypatch.setattr(positioning, "throw_footing", stepping)
    for seed in range(20):
        at = unlogged(seed)
        come_to(then(clash, at, any_fight.any_deeds(Random(seed), at)), seed)
        come_to(then(positioned, at), seed)
    fewer = 0
    for seed, incoming in enumerate(moments):
        bare = tuple(map(_without_reasons, incoming))
        one, other = (
            come_to(then(throw_clusters, clusters(each)), seed) for each in (incoming, bare)
        )
        assert one == other, f"moment {seed}"
        fewer += any(roll.obstacle.lines != _bare(roll).obstacle.lines for roll in rolls(incoming))
    assert fewer > 5
    for seed, ready in enumerate(footings):
        full = come_to(then(throw_footing, ready), seed).rolls
        bare = msgspec.structs.replace(ready, rolls=tuple(map(only_dice, ready.rolls)))
        alone = with_moves(come_to(then(throw_footing, bare), seed).rolls, list(ready.rolls))
        for one, other in product(range(len(full)), repeat=2):
            assert full[one].beats(full[other]) == alone[one].beats(alone[other])
            assert full[one].counts == alone[one].counts
            assert full[one].moves is alone[one].moves
    assert len(footings) > 10


def rolls(incoming):
    return [roll for each in incoming for roll in each.rolls]


def test_what_one_does_alone_comes_to_what_it_would_in_the_whole_fight():
    """Of those who do nothing less is known then."""
    changed = hurt = less = 0
    for seed in range(120):
        at = msgspec.structs.replace(at_ease(unlogged(seed)), locks=())
        doer = at.fighters[seed % len(at.fighters)].character
        at = at.change(doer, hesitates=0, out="")
        cards = ("strike", "strike", "great_strike", Random(seed).choice(sorted(MARTIAL)))
        deeds = tuple(deed(doer, cards[seed % 4], name) for name in at.opponents(doer)[:1])
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
        less += any(not sheet.attributes for sheet in narrow.table.characters.values())
    assert changed > 20
    assert hurt > 5
    assert less > 50


CARDS = (*sorted(MARTIAL), *SIMPLE, "change_stance:aggressive")
STATES = (
    ("as they are", {}, {}),
    ("hindered and in a stance", {"stance": Stance.AGGRESSIVE}, {"moves": Positioning.CLOSE}),
    ("ready, and down", {"ready": Preparation(sets=1)}, {"posture": Posture.DOWN}),
)


@pytest.mark.parametrize("state", STATES, ids=[name for name, _, _ in STATES])
def test_deeds_that_do_not_touch_each_other_have_the_same_odds_one_by_one(state):
    """The exact odds of the whole moment, with nothing narrowed, for each pair of cards."""
    _, ann, bob = state
    at = msgspec.structs.replace(fight(), series="").change("ann", **ann).change("bob", **bob)
    apart = 0
    for one, other in product(CARDS, repeat=2):
        deeds = (deed("ann", one, "bob"), deed("bob", other, "ann"))
        if not are_apart(at, deeds):
            continue
        apart += 1
        whole = exact(then(clash, at, deeds), ANSWERS)
        assert exact(then(clashes, at, deeds), ANSWERS) == whole, (one, other)
    assert apart > 50


def deed(who, card, target):
    attacks = is_attack(action_of(card))
    return FightDeed(who, action_of(card), card, target if attacks else "")


def test_deeds_that_touch_each_other_are_not_taken_apart():
    at = msgspec.structs.replace(fight(), series="")
    strike, block = deed("ann", "strike", "bob"), deed("bob", "block", "ann")
    push, back = deed("bob", "push", "ann"), deed("bob", "strike", "ann")
    assert are_apart(at, (strike, back))
    assert not are_apart(at, (strike, block))
    assert not are_apart(at, (strike, push))
    assert not are_apart(at, (strike,))
    assert not are_apart(at.change("bob", hesitates=1), (strike, back))
    held = msgspec.structs.replace(at, locks=(Lock("ann", "bob", 1),))
    assert not are_apart(held, (strike, back))


def test_a_hit_comes_to_the_same_with_wounds_that_cost_as_much():
    """Its level, the Steel test, and what all wounds cost afterwards."""
    levels = [level for level in WoundLevel if level is not WoundLevel.MORTAL]
    shaken = merged = 0
    for seed in range(150):
        rng = Random(seed)
        at = msgspec.structs.replace(fight(), series="")
        wounds = tuple(
            Wound(rng.choice(levels[:3]), (Coordinate.parse(f"B{n + 3}"),), "a blow", fresh=True)
            for n in range(rng.randint(0, 3))
        )
        sheet = msgspec.structs.replace(at.sheet("ann"), wounds=wounds)
        sheets = {**at.table.characters, "ann": sheet}
        at = at.at(msgspec.structs.replace(at.table, characters=sheets))
        damage = Damage("torso", Stage.MARK, "B", rng.randint(2, 10), 0)
        hit = IncomingHit("ann", damage, "bob", source="a blow", opponent="bob", in_script=True)
        narrow = for_harm(at, "ann")
        assert narrow is not None
        (outcome, table), (alone, after) = (
            come_to(then(take_hit, hit, each), seed) for each in (at.table, narrow)
        )
        assert felt(alone) == felt(outcome), f"state {seed}"
        after = put_harm_back(at.table, narrow, after, "ann")
        assert cost(after.character("ann")) == cost(table.character("ann")), f"state {seed}"
        assert after.character("bob") == table.character("bob")
        shaken += outcome.hurt is not None and outcome.hurt.steel is not None
        merged += any(wound.merged for wound in table.character("ann").wounds)
    assert shaken > 30
    assert merged > 2


def felt(outcome):
    """What comes of a hit, but for the number of the wound and the labels of what wounds cost."""
    if outcome.hurt is None:
        return outcome
    hurt = msgspec.structs.replace(outcome.hurt, wound=0)
    if hurt.steel is None:
        return hurt
    totals = hurt.steel.dice.total, hurt.steel.obstacle.total
    steel = msgspec.structs.replace(hurt.steel, dice=Tally(), obstacle=Tally())
    return totals, msgspec.structs.replace(hurt, steel=steel)


def cost(sheet):
    singles = [wound for wound in sheet.wounds if wound.level is WoundLevel.SUPERFICIAL]
    mortal = [wound for wound in sheet.wounds if wound.level is WoundLevel.MORTAL]
    return wound_dice(sheet), len(singles), len(mortal), condition(sheet)


def test_an_old_wound_is_kept_as_it_is():
    at = msgspec.structs.replace(fight(), series="")
    for wound in (
        Wound(WoundLevel.MORTAL),
        Wound(WoundLevel.LIGHT, borne=True),
        Wound(WoundLevel.MIDI, returned=1),
    ):
        sheet = msgspec.structs.replace(at.sheet("ann"), wounds=(wound,))
        sheets = {**at.table.characters, "ann": sheet}
        hurt = at.at(msgspec.structs.replace(at.table, characters=sheets))
        assert for_harm(hurt, "ann") is None
        assert for_harm(hurt, "bob") is not None
    assert for_harm(msgspec.structs.replace(at, series="the fight"), "ann") is None


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


def test_a_part_is_never_played_twice_in_the_same_way(monkeypatch):
    """Each time a moment is played, its dice fall as they have not fallen in it before.

    Where dice have fallen so before, it is not played at all.
    """
    chance = Seeded("hits")
    scripters = {name: by_temperament("fierce", chance) for name in ("ann", "bob")}
    played, narrowed = Counter(), Counter()

    def watched(*args):
        running, answers, answer = clash(*args), [], None
        while True:
            try:
                effect = running.send(answer)
            except StopIteration as stop:
                played[(*args, *answers)] += 1
                return stop.value
            answer = yield effect
            answers.append(answer)

    def counted(*args):
        narrowed["moments"] += 1
        return for_clash(*args)

    monkeypatch.setattr(moment, "clash", watched)
    monkeypatch.setattr(moment, "for_clash", counted)
    remembered = (watched, *(each for each in REMEMBERED if each is not clash))
    simulation = Simulation(answers_of(scripters), DRAWN, remembered)
    start = then(fight_on, SHORT, swords())
    for _ in range(60):
        simulation.run(start, chance)
    assert set(played.values()) == {1}
    assert played.total() < 0.7 * narrowed["moments"]
