"""Everything before the dice of a moment: who rolls what, and against whom.

A section of the chapter on Fight! (``conflicts/fight/fight``).
"""

from __future__ import annotations

import msgspec

from astragal.play import Line, Option, Play, Step, call, choose, note, tell, unheard

from ...artha.on_a_roll import NOTHING
from ...sheet.editions import edition
from ...sheet.facts import DiceGathered
from ...sheet.parts import Artha
from ...sheet.words import counted
from ...weapons.openings import Opening
from .clash import Incoming, MomentRoll, RolledDefence
from .divided_actions import BothRolls, block_and_strike_rolls, counterstrike_rolls
from .gathering import RollKind, is_usable
from .grappling import escape_roll, grip_roll
from .interactions import ActionRoll, meeting
from .matching import (
    BLOCK_HALF_ANSWERS,
    MomentPlan,
    PlannedAttack,
    answers_blocked,
    blade_or_hilt,
    plan_moment,
    ripostes,
    stopped_by,
)
from .meetings import show_meetings
from .narrowing import for_roll
from .natural_defenses import natural_roll
from .rider_targets import is_open_mount, opening_of, resists
from .state import Fight, FightDeed
from .strikes import Answered, avoid_roll, block_roll, blow_roll, weapon_roll
from .weapon_in_hand import way_in_hand

ESCAPE = "escape_lock"
"""The card of one who struggles with a Lock (fight.lock.escape)."""


class ReadyMoment(msgspec.Struct, frozen=True, cache_hash=True):
    """A moment when the dice are about to be thrown.

    ``attacks`` are those of each ``incoming``, in its order; ``escaping`` are those whose defence
    loosens a Lock.
    """

    plan: MomentPlan
    incoming: tuple[Incoming, ...]
    attacks: tuple[tuple[PlannedAttack, ...], ...]
    escaping: tuple[str, ...] = ()


def make_ready(fight: Fight, deeds: tuple[FightDeed, ...]) -> Play[ReadyMoment]:
    """Match the deeds, and gather the dice of everybody who rolls."""
    plan = yield from plan_moment(fight, deeds)
    yield from show_meetings(fight, plan)
    rolls = _Gathered(fight, plan)
    yield from _open(rolls)
    for attack in plan.attacks:
        if attack.met.is_rolled and attack.deed.action != "block_and_strike":
            yield from _attack(rolls, attack)
    for fighter in fight.standing:
        yield from _defence(rolls, fighter.character)
    for attack in plan.attacks:
        if attack.met.natural is not None:
            yield from _natural(rolls, attack)
    ready = rolls.ready()
    if not (yield from unheard()):
        for incoming in ready.incoming:
            for roll in incoming.rolls:
                against = roll.obstacle
                said = against if against.lines else None
                yield from tell(DiceGathered(f"{roll.what},", roll.dice, said))
    return ready


class _Gathered:
    """The rolls of a moment while they are gathered, with what each fighter has spent on them."""

    def __init__(self, fight: Fight, plan: MomentPlan) -> None:
        self.fight = fight
        self.plan = plan
        self.opened: dict[str, Opening] = {}
        self.spent: dict[str, Artha] = {}
        self.attacks: dict[str, list[tuple[PlannedAttack, MomentRoll]]] = {}
        self.natural: dict[tuple[str, str], MomentRoll] = {}
        self.defences: dict[str, MomentRoll] = {}
        self.rolled: dict[str, RolledDefence] = {}
        self.stops: dict[str, tuple[PlannedAttack, ...]] = {}
        self.escaping: list[str] = []

    def hampered(self, character: str) -> tuple[Line, ...]:
        """What favoring a side costs a fighter (weapons.location.favoring_penalty)."""
        opening = self.opened.get(character)
        return () if opening is None else opening.hampered

    def note(self, roll: MomentRoll) -> None:
        """Remember what a roll has cost."""
        before = self.spent.get(roll.character, NOTHING)
        self.spent[roll.character] = before + roll.attempt.spent

    def left(self, character: str) -> Fight:
        """The fight in which a fighter has already paid for his earlier rolls of this moment."""
        spent = self.spent.get(character, NOTHING)
        if spent == NOTHING:
            return self.fight
        sheet = self.fight.sheet(character)
        poorer = msgspec.structs.replace(sheet, artha=sheet.artha - spent)
        characters = {**self.fight.table.characters, character: poorer}
        return self.fight.at(msgspec.structs.replace(self.fight.table, characters=characters))

    def add_attack(self, attack: PlannedAttack, target: str, roll: MomentRoll) -> None:
        """One more attack that comes at a fighter."""
        self.attacks.setdefault(target, []).append((attack, roll))
        self.note(roll)

    def defend(self, roll: MomentRoll, whom: str = "") -> None:
        """A fighter's one defence of this moment; a mount's is for its rider."""
        self.defences[whom or roll.character] = roll
        self.note(roll)

    def escape(self, roll: MomentRoll) -> None:
        """A struggle with a Lock, which stops nothing else."""
        self.stops[roll.character] = ()
        self.escaping.append(roll.character)
        self.defend(roll)

    def add_both(self, both: BothRolls, attack: PlannedAttack, target: str, whom: str = "") -> None:
        """The two rolls of a divided action."""
        if both.defence is not None:
            self.defend(both.defence, whom)
        if both.blow is not None:
            self.add_attack(attack, target, both.blow)

    def answered(self, stops: tuple[PlannedAttack, ...]) -> tuple[Answered, ...]:
        """The attacks that a defence answers, with the weapons as they are used in them."""
        found = []
        for each in stops:
            made = dict(self.attacks.get(each.deed.target, ()))
            swing = made[each].swing if each in made else None
            way = way_in_hand(self.fight, each.deed.character, each.deed.way)
            found.append(Answered(each.deed, way if swing is None else swing.way))
        return tuple(found)

    def ready(self) -> ReadyMoment:
        """Everything that was gathered, by whom it comes at."""
        targets = dict.fromkeys((*self.attacks, *self.defences))
        options = self.fight.table.options
        ties_stand = edition(options).defender_wins_every_tie
        incoming = []
        for target in targets:
            mine = self.attacks.get(target, [])
            stops = self.stops.get(target, ())
            defends = target in self.defences or target in self.rolled
            incoming.append(
                Incoming(
                    target,
                    tuple(roll for _, roll in mine),
                    tuple(self.natural.get((roll.character, target)) for _, roll in mine),
                    self.defences.get(target),
                    tuple(defends and _counts(each, stops) for each, _ in mine),
                    options["fight_defence_against_many"] == "one_roll_divided",
                    bool(self.fight.series),
                    self.rolled.get(target),
                    ties_stand,
                )
            )
        attacks = tuple(tuple(each for each, _ in self.attacks.get(t, ())) for t in targets)
        return ReadyMoment(self.plan, tuple(incoming), attacks, tuple(self.escaping))


def _counts(attack: PlannedAttack, stops: tuple[PlannedAttack, ...]) -> bool:
    """Whether a defence counts against an attack, or a Block half against a riposte."""
    return attack in stops or attack.met.does(BLOCK_HALF_ANSWERS) is not None


# --- Attacks -----------------------------------------------------------------------------------


def _open(rolls: _Gathered) -> Step[None]:
    """Everybody at whom a blow may come says what is open, once."""
    for target in dict.fromkeys(_struck(rolls)):
        rolls.opened[target] = yield from opening_of(rolls.fight, target, _attackers(rolls, target))


def _attackers(rolls: _Gathered, target: str) -> tuple[str, ...]:
    """Those whose blows may come at a fighter: his attackers, and those who answer him."""
    plan = rolls.plan
    found = [each.deed.character for each in plan.attacks_on(target)]
    for deed in plan.deeds:
        if deed.action == "counterstrike":
            answering = ripostes(rolls.fight, plan, deed.character)
            found += [deed.doer for each in answering if each.deed.character == target]
    return tuple(found)


def _struck(rolls: _Gathered) -> list[str]:
    blow = ActionRoll.FIGHTING_SKILL
    struck = [each.deed.target for each in rolls.plan.attacks if each.met.rolls is blow]
    for deed in rolls.plan.deeds:
        if deed.action == "counterstrike":
            answering = ripostes(rolls.fight, rolls.plan, deed.character)
            struck += [each.deed.character for each in answering]
    return struck


def _attack(rolls: _Gathered, attack: PlannedAttack) -> Step[None]:
    """The dice of an attack."""
    deed, hampered = attack.deed, rolls.hampered(attack.deed.character)
    fight = for_roll(rolls.left(deed.character), deed.character, deed.target)
    if attack.met.rolls is ActionRoll.FIGHTING_SKILL:
        roll = yield from call(blow_roll, fight, deed, rolls.opened[deed.target], hampered)
    elif attack.met.rolls is ActionRoll.WEAPON_SKILL:
        roll = yield from call(weapon_roll, fight, deed, hampered)
    else:
        roll = yield from call(grip_roll, fight, deed, hampered)
    rolls.add_attack(attack, deed.target, roll)


# --- Defences ----------------------------------------------------------------------------------


def _defence(rolls: _Gathered, character: str) -> Step[None]:
    """What a fighter has scripted against what comes at him."""
    deed = rolls.plan.deed_of(character)
    if deed is None:
        return
    stops = stopped_by(rolls.fight, rolls.plan, character)
    if deed.action == "avoid" and not deed.by and is_open_mount(rolls.opened.get(character)):
        stops = ()
    rolls.stops[character] = stops
    deed = rolled_by(deed)
    fight, hampered = rolls.left(deed.character), rolls.hampered(character)
    attackers = tuple(each.deed.character for each in stops)
    if deed.card == ESCAPE:
        if is_usable(fight, character, "Power", RollKind.OTHER, ESCAPE):
            rolls.escape((yield from escape_roll(fight, deed, hampered)))
    elif deed.action == "avoid":
        yield from _avoid(rolls, deed, stops, character)
    elif deed.action == "block" and stops:
        fight = for_roll(fight, deed.character, *attackers)
        roll = yield from call(block_roll, fight, deed, rolls.answered(stops), hampered)
        rolls.defend(roll, character)
    elif deed.action == "counterstrike":
        yield from _counterstrike(rolls, deed, stops, character)
    elif deed.action == "block_and_strike":
        both = yield from call(
            block_and_strike_rolls,
            for_roll(fight, deed.character, deed.target, *attackers),
            deed,
            rolls.answered(stops),
            rolls.opened[deed.target],
            hampered,
            bool(stops) or answers_blocked(fight, rolls.plan, character),
        )
        if both.blow is None:
            text = f"{fight.name(character)}, Block and Strike: the Strike is out of reach."
            yield from note(text, "fight.distance.outside.forbidden")
        attack = next(each for each in rolls.plan.attacks if each.deed == deed)
        rolls.add_both(both, attack, deed.target)


def rolled_by(deed: FightDeed) -> FightDeed:
    """A defence as the one who rolls it does it: a mount's is for its rider, and its own."""
    return msgspec.structs.replace(deed, character=deed.by, by="") if deed.by else deed


def _avoid(
    rolls: _Gathered, deed: FightDeed, stops: tuple[PlannedAttack, ...], whom: str
) -> Step[None]:
    """An Avoid is for the attacks or for a Lock, not for both (fight.amb.lock_escape_avoid).

    One that has met a Charge was rolled with it, and is not rolled again
    (fight.avoid.defends_all): what is left of it counts.
    """
    fight = rolls.left(deed.character)
    left = fight.fighter(whom).avoided
    if left is not None:
        if stops:
            what = f"{fight.name(deed.character)}, Avoid"
            rolls.rolled[whom] = RolledDefence(fight.seat(whom), what, left)
            text = (
                f"{what}: {counted(left, 'success') if left else 'nothing'} left from the Charge."
            )
            yield from note(text, "fight.avoid.defends_all")
        return
    held = fight.lock_on(deed.character) > 0
    if not stops and not held:
        return
    use = "escape" if not stops else "defend"
    if stops and held:
        rule = "fight.amb.lock_escape_avoid"
        use = yield from choose(
            fight.seat(deed.character),
            "avoid_use",
            f"{fight.name(deed.character)}, Avoid",
            (Option("defend", "Avoid the attack", rule), Option("escape", "Loosen the Lock", rule)),
            default=use,
            because=rule,
        )
    alone = for_roll(fight, deed.character)
    roll = yield from call(avoid_roll, alone, deed, rolls.hampered(deed.character))
    if use == "escape":
        rolls.escape(roll)
    else:
        rolls.defend(roll, whom)


def _counterstrike(
    rolls: _Gathered, deed: FightDeed, stops: tuple[PlannedAttack, ...], whom: str
) -> Step[None]:
    """A Counterstrike is rolled if there is anything to answer."""
    answers = ripostes(rolls.fight, rolls.plan, whom)
    if not stops and not answers:
        return
    back = yield from _riposte_at(rolls.fight, deed, answers)
    at = "" if back is None else back.deed.character
    deed = yield from blade_or_hilt(rolls.fight, deed, at)
    others = dict.fromkeys((*(each.deed.character for each in stops), *filter(None, (at,))))
    both = yield from call(
        counterstrike_rolls,
        for_roll(rolls.left(deed.character), deed.character, *others),
        deed,
        rolls.answered(stops),
        at,
        rolls.opened.get(at),
        rolls.hampered(deed.character),
        bool(stops),
    )
    if back is not None:
        riposte = PlannedAttack(deed, meeting("counterstrike", back.deed.action))
        rolls.add_both(both, riposte, at, whom)
    elif both.defence is not None:
        rolls.defend(both.defence, whom)


def _riposte_at(
    fight: Fight, deed: FightDeed, answers: tuple[PlannedAttack, ...]
) -> Step[PlannedAttack | None]:
    """The attack that a riposte answers, of several the one that its player names."""
    if len(answers) < 2:
        return answers[0] if answers else None
    target = yield from choose(
        fight.seat(deed.character),
        "riposte_target",
        f"{fight.name(deed.character)}, riposte: target",
        {each.deed.character: fight.name(each.deed.character) for each in answers},
        default=answers[0].deed.character,
        because="fight.counterstrike.riposte_pool",
    )
    return next(each for each in answers if each.deed.character == target)


def _natural(rolls: _Gathered, attack: PlannedAttack) -> Step[None]:
    """The Natural Defenses against one attack."""
    how, target = attack.met.natural, attack.deed.target
    assert how is not None
    who = yield from resists(rolls.fight, target, attack.deed.character)
    fight = for_roll(rolls.left(who), who, attack.deed.character)
    roll = yield from call(natural_roll, fight, who, attack.deed, how, rolls.hampered(target))
    if roll is not None:
        rolls.natural[attack.deed.character, target] = roll
        rolls.note(roll)
