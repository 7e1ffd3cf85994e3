"""Bloody versus tests between two who mean to kill: an attack and a defence pool each.

A part of quick combat (``conflicts/quick_combat/bloody_versus``). Both can be hurt, and armor is
not rolled but adds dice to the defence.
"""

from __future__ import annotations

from typing import cast

import msgspec

from astragal.dice import Pool, Shaded
from astragal.games.game import Arguments, Procedure
from astragal.play import (
    GM,
    Ask,
    Line,
    Number,
    Option,
    Play,
    Split,
    Step,
    Tally,
    ask,
    ask_all,
    call,
    note,
    tell,
    then,
)

from ...advancement.log import begin_series, end_series
from ...armor.halves import source_of
from ...armor.hits import HitOutcome, Protection, take_hit
from ...artha import on_a_roll as artha
from ...conditions.spell_tax import TURNED_ASIDE
from ...sheet.armor_tables import piece_dice
from ...sheet.facts import DiceDivided, DiceGathered, TestCame
from ...sheet.scene import BurningTable
from ...sheet.sheet import Sheet
from ...sheet.words import counted
from ...tests.conclusions import after_test
from ...tests.gear import NO_TOOLS
from ...tests.results import who_shares
from ...tests.simultaneous import RollingSide, merged, split_pool, throw_together
from ...tests.versus_verdict import call_ons
from ...weapons.blows import BASE
from ...weapons.openings import open_location
from ...weapons.shaded_damage import shatters
from ...weapons.wielding import shatter
from .bloody_versus import (
    BloodyOutcome,
    Fighter,
    ReadyFighter,
    check_fighters,
    contest_of,
    damage_done,
    ended,
    fight_ends,
    hit_on,
    make_ready,
    not_again,
)

LEAST_ARMOR, MOST_ARMOR = 1, 2
"""What armor adds to a defence pool (fight.bloody.armor_dice)."""


class BloodyPools(Arguments, frozen=True):
    """Two characters who mean to kill each other."""

    fighters: tuple[Fighter, Fighter]


class Pools(msgspec.Struct, frozen=True):
    """A fighter's two pools, each with the dice that count for the difficulty of its test.

    ``bought`` are the dice of artha in each, which do not count; ``gathered`` says where the dice
    of both are from. A pool without dice is None: nothing is rolled for it.
    """

    attack: Pool | None
    defence: Pool | None
    attack_dice: Tally
    defence_dice: Tally
    bought: tuple[Tally, Tally]
    gathered: Tally


def bloody_pools(arguments: BloodyPools, table: BurningTable) -> Play[BloodyOutcome]:
    """Both divide their dice into an attack and a defence pool (fight.bloody.two_pools)."""
    first, second = arguments.fighters
    check_fighters(arguments.fighters, ("fighters[0]", "fighters[1]"), table, strike=2)
    for fighter, opponent in ((first, second), (second, first)):
        table = yield from not_again(fighter, _kill(opponent, table), table)
    open_first = yield from open_location(first.character, table, attacker=second.character)
    open_second = yield from open_location(second.character, table, attacker=first.character)
    aim, revenge = _kill(second, table), _kill(first, table)
    one = yield from make_ready(first, second.character, aim, open_first, table)
    other = yield from make_ready(second, first.character, revenge, open_second, table)
    mine = yield from _armor_dice(table.character(first.character))
    theirs = yield from _armor_dice(table.character(second.character))
    for ready, worn in ((one, mine), (other, theirs)):
        whole = ready.attempt.all_dice + worn
        if len(whole.lines) > 1:
            yield from tell(DiceDivided(table.character(ready.character).name, whole))
    split = yield from _split(one, other)
    pools = _pools(one, split[0], mine), _pools(other, split[1], theirs)
    return then(throw_pools, one, other, pools[0], pools[1], table)


def _kill(opponent: Fighter, table: BurningTable) -> str:
    return f"kill {table.character(opponent.character).name}"


def _armor_dice(sheet: Sheet) -> Step[tuple[Line, ...]]:
    """Armor is not rolled, but adds one or two dice to the defence; the GM says how many.

    fight.bloody.armor_dice.
    """
    if not any(piece_dice(piece).total for piece in sheet.armor.values()):
        return ()
    rule = "fight.bloody.armor_dice"
    dice = yield from ask(
        GM,
        "armor_dice",
        f"Defence dice for {sheet.name}'s armor",
        Number(least=LEAST_ARMOR, most=MOST_ARMOR, default=LEAST_ARMOR),
        because=rule,
    )
    return (Line(dice, "armor", rule),)


def _split(one: ReadyFighter, other: ReadyFighter) -> Step[tuple[int, int]]:
    """How many dice each puts into the attack, decided at the same time and before any roll.

    At least one in each pool; a single die goes into one of them, as in a Counterstrike.
    """
    rule = "fight.bloody.two_pools"
    options = tuple(
        Option(key=key, label=key.capitalize(), rule=rule) for key in ("attack", "defence")
    )
    asks = []
    for ready in (one, other):
        dice = ready.attempt.pool.dice.total
        question = Split(
            amount=dice,
            pools=options,
            least=1 if dice > 1 else 0,
            default=(dice - dice // 2, dice // 2),
        )
        prompt = f"{ready.attempt.agreed.name}: divide {dice}D between attack and defence"
        asks.append(Ask(ready.attempt.seat, "pools", prompt, question, rule))
    answers = cast("tuple[tuple[int, int], ...]", (yield from ask_all(*asks)))
    return answers[0][0], answers[1][0]


def _pools(ready: ReadyFighter, attacking: int, worn: tuple[Line, ...]) -> Pools:
    """The dice divided, with armor added to the defence.

    Dice of artha never count for the difficulty of a test; they go to the attack first.
    """
    attempt, rule = ready.attempt, "fight.bloody.two_pools"
    attack, defence = split_pool(attempt.pool, attacking)
    skill, shade = source_of(attempt), attempt.agreed.tested.rating.shade
    artha_dice = sum(line.amount for line in attempt.boost)
    bought = min(artha_dice, attacking), max(0, artha_dice - attacking)
    armor = Shaded.of(shade, sum(line.amount for line in worn))
    together = Pool(defence.dice + armor, defence.open_ended)
    return Pools(
        attack=attack if attack.dice else None,
        defence=together if together.dice else None,
        attack_dice=Tally.of(attacking - bought[0], skill, rule),
        defence_dice=Tally.of(defence.dice.total - bought[1], skill, rule) + worn,
        bought=(_artha(bought[0]), _artha(bought[1])),
        gathered=attempt.all_dice + worn,
    )


def _artha(dice: int) -> Tally:
    return Tally.of(dice, "artha", "artha.boon.effect") if dice else Tally()


class PoolSuccesses(msgspec.Struct, frozen=True):
    """The successes of a fighter's two pools, and what was spent and called on for both."""

    attack: int
    defence: int
    paid: artha.ThrownDice


def throw_pools(
    one: ReadyFighter, other: ReadyFighter, mine: Pools, theirs: Pools, table: BurningTable
) -> Play[BloodyOutcome]:
    """Each rolls the attack first and then the defence (fight.bloody.two_pools)."""
    rollers = []
    for ready, pools in ((one, mine), (other, theirs)):
        name = table.character(ready.character).name
        attempt, guard = ready.attempt, _hampered(ready)
        dice = pools.attack_dice + pools.bought[0]
        yield from tell(DiceGathered(f"{name}, attack,", dice, ready.aimed.obstacle))
        dice = pools.defence_dice + pools.bought[1]
        yield from tell(DiceGathered(f"{name}, defence,", dice, guard if guard.lines else None))
        named = (("attack", pools.attack), ("defence", pools.defence))
        rollers.append(
            RollingSide(
                attempt.seat,
                f"{name}, {attempt.agreed.name}",
                tuple((label, pool) for label, pool in named if pool is not None),
                attempt.hand,
                attempt.spent,
            )
        )
    throws = yield from throw_together(tuple(rollers))
    rolled = tuple(_rolled(pools, each) for pools, each in zip((mine, theirs), throws, strict=True))
    return then(compare_pools, (one, other), (mine, theirs), (rolled[0], rolled[1]), table)


def _rolled(pools: Pools, throws: tuple[artha.ThrownDice, ...]) -> PoolSuccesses:
    successes = iter(throw.successes for throw in throws)
    attack = next(successes) if pools.attack is not None else 0
    defence = next(successes) if pools.defence is not None else 0
    return PoolSuccesses(attack, defence, merged(throws))


def left_of_attack(ready: ReadyFighter, attack: int, defence: int) -> int:
    """What is left of an attack: each success of the defence removes one.

    fight.bloody.defense_subtracts. One is an Incidental hit (fight.amb.two_pool_obstacle):
    whatever else is in the obstacle of the attack is subtracted as well.
    """
    return max(0, attack - defence - (ready.aimed.obstacle.total - BASE))


def guarded(ready: ReadyFighter, defence: int) -> int:
    """The successes of a defence that count: less its penalties, and half of a beginner's."""
    return max(0, defence // ready.attempt.base_counts - _hampered(ready).total)


def _hampered(ready: ReadyFighter) -> Tally:
    """The penalties of a defence; what turns the blades of attackers aside is none."""
    return Tally(tuple(x for x in ready.attempt.penalties if x.rule != TURNED_ASIDE))


Fighters = tuple[ReadyFighter, ReadyFighter]


def compare_pools(
    pair: Fighters,
    pools: tuple[Pools, Pools],
    rolled: tuple[PoolSuccesses, PoolSuccesses],
    table: BurningTable,
) -> Play[BloodyOutcome]:
    """Subtract each defence from the other's attack, and see who has more left."""
    defence = tuple(guarded(pair[at], rolled[at].defence) for at in (0, 1))
    left = tuple(left_of_attack(pair[at], rolled[at].attack, defence[1 - at]) for at in (0, 1))
    ahead: int | None = None
    called: tuple[tuple[int, str], ...] = ()
    tie = left[0] == left[1]
    if not tie:
        ahead = 0 if left[0] > left[1] else 1
    else:
        hands = tuple(_hand(ready, each) for ready, each in zip(pair, rolled, strict=True))
        called = yield from call_ons(contest_of(*pair), hands, [0, 1])
        if len(called) == 1:
            ahead = called[0][0]
    for at, ready in enumerate(pair):
        name = table.character(ready.character).name
        if ready.attempt.untrained and rolled[at].defence:
            raw = counted(rolled[at].defence, "success")
            text = f"{name}'s defence: {raw}, of which {defence[at]} count."
            yield from note(text, "tests.beginner.double_base_obstacle")
        text = f"{left[at]} left after the defence of {defence[1 - at]}."
        yield from tell(TestCame(name, rolled[at].attack, text, at == ahead))
    # gold.result.helpers_share, tests.amb.primary_risk
    sharing = () if ahead is None else (yield from who_shares(pair[1 - ahead].attempt, table))
    rolled = _with_calls(rolled, called)
    table = yield from _log(pair, pools, rolled, ahead, table)
    for at, ready in enumerate(pair):
        table = yield from fight_ends(table, ready, left[at], passed=at == ahead)
        if shatters(rolled[at].attack, defence[1 - at], with_bonus=ready.bonus):
            table = yield from shatter(table, ready.character, ready.carried)
    outcome = BloodyOutcome(
        winner=None if ahead is None else pair[ahead].character,
        sides=(pair[0].character, pair[1].character),
        attack=(rolled[0].attack, rolled[1].attack),
        defence=(defence[0], defence[1]),
        left=(left[0], left[1]),
        harm=(None, None),
        dice=(pools[0].gathered, pools[1].gathered),
        tie=tie,
        broken_by=called[0][1] if len(called) == 1 else "",
        at_mercy="" if ahead is None else pair[1 - ahead].character,
        shared_by=sharing,
    )
    return then(both_hurt, pair, outcome, table)


def _hand(ready: ReadyFighter, rolled: PoolSuccesses) -> artha.ArthaAtHand:
    """The hand without the traits that were called on for a reroll."""
    hand = ready.attempt.hand
    for trait in rolled.paid.called:
        hand = artha.without(hand, trait)
    return hand


def _with_calls(
    rolled: tuple[PoolSuccesses, PoolSuccesses], called: tuple[tuple[int, str], ...]
) -> tuple[PoolSuccesses, PoolSuccesses]:
    after = list(rolled)
    for at, trait in called:
        paid = after[at].paid
        used = msgspec.structs.replace(paid, called=(*paid.called, trait))
        after[at] = msgspec.structs.replace(after[at], paid=used)
    return after[0], after[1]


def _log(
    pair: Fighters,
    pools: tuple[Pools, Pools],
    rolled: tuple[PoolSuccesses, PoolSuccesses],
    ahead: int | None,
    table: BurningTable,
) -> Step[BurningTable]:
    """One test for each skill, the harder of its two rolls (advancement.series.one_test).

    Each is against what the other rolled (advancement.versus.opponents_successes).
    """
    title = " against ".join(table.character(ready.character).name for ready in pair)
    inside = {name for series in table.scene.series for name in series.characters}
    alone = tuple(ready.character for ready in pair if ready.character not in inside)
    if alone:
        table = yield from begin_series(table, title, alone)
    for at, ready in enumerate(pair):
        theirs = rolled[1 - at]
        rolls = (
            (pools[at].attack_dice, theirs.defence, rolled[at].paid, ready.attempt.tools),
            (pools[at].defence_dice, theirs.attack, _paid_already(rolled[at].paid), NO_TOOLS),
        )
        for dice, against, paid, tools in rolls:
            attempt = msgspec.structs.replace(ready.attempt, dice=dice, tools=tools)
            obstacle = against + attempt.penalties.total
            table, _ = yield from after_test(
                attempt, paid, obstacle, table, passed=at == ahead, base=against
            )
    return (yield from end_series(table, title)) if alone else table


def _paid_already(paid: artha.ThrownDice) -> artha.ThrownDice:
    return msgspec.structs.replace(paid, spent=artha.NOTHING, called=())


def both_hurt(pair: Fighters, outcome: BloodyOutcome, table: BurningTable) -> Play[BloodyOutcome]:
    """What is left of either attack does damage (fight.bloody.remaining_attack_damages).

    Both are worked out before any wound is marked, so both can be hurt. Armor has been counted
    already (fight.bloody.armor_dice).
    """
    damages = []
    for at, ready in enumerate(pair):
        extra = outcome.left[at] - BASE
        damages.append((yield from damage_done(ready, extra, pair[1 - at].opening, table)))
    harm: list[HitOutcome | None] = [None, None]
    for at, damage in enumerate(damages):
        if damage is not None:
            hit = hit_on(pair[at], pair[1 - at], damage, Protection.COUNTED, table)
            harm[1 - at], table = yield from call(take_hit, hit, table)
    outcome = msgspec.structs.replace(outcome, harm=(harm[0], harm[1]))
    yield from tell(ended(outcome, table))
    return outcome


PROCEDURES = (
    Procedure("bloody_pools", "Bloody versus test, both attacking", BloodyPools, bloody_pools),
)
