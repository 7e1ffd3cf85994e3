"""The dice of a positioning test, and the roll itself.

A section of the chapter on Fight! (``conflicts/fight/fight``). Positioning costs no action
(fight.position.tandem). It is a test of Speed, with dice for the length of the weapon, for Speed
multiplier and Reflexes, for the ground, and FoRKs that fit it (fight.position.ability,
``fight.table.positioning_dice``).
"""

from __future__ import annotations

from functools import cache, lru_cache

import msgspec

from astragal.play import GM, Line, Option, PickSeveral, Play, Step, ask
from astragal.rules import Options, catalogue

from ...artha.on_a_roll import ThrownDice
from ...magic.faith.battle_prayers import MISSILE, prayer_length_dice
from ...movement.movement import positioning_dice
from ...sheet.catalogue_keys import key_of
from ...sheet.weapon_lengths import length_dice
from ...sheet.weapon_tables import Weapon, ways
from ...tests.attempts import Attempt
from ...tests.conclusions import after_test, pay_for
from ...tests.simultaneous import RollingSide
from .distance import INSIDE_GAP, Distance, distance_at, rank
from .eight_legs import closing_dice
from .gathering import RollKind, attempt_for
from .making_ready import WITH_A_WEAPON, length_as_missile, missile_length
from .mounted import mover, quickness
from .social_and_magic import spoken_length
from .spells import spell_dice
from .state import Fight, Positioning, in_hand
from .weapon_in_hand import others_at_hand, way_in_melee


@cache
def dice_for(source: str) -> int:
    """The dice of a source (``fight.table.positioning_dice``).

    >>> dice_for("higher Reflexes"), dice_for("loaded bow or crossbow")
    (1, 2)
    """
    return catalogue().table("fight.table.positioning_dice").number("dice", source=source)


# --- Length ----------------------------------------------------------------------------------


@cache
def way_of(card: str) -> str:
    """How a card uses the weapon, by the key of that way; empty for the first one.

    >>> way_of("strike:hilt_or_pommel"), way_of("strike")
    ('hilt_or_pommel', '')
    """
    action, _, way = card.partition(":")
    return way if action in WITH_A_WEAPON else ""


def named_way(fight: Fight, character: str, card: str) -> str:
    """The name of the way in which a card uses the weapon in hand; empty for the first one."""
    wanted = way_of(card)
    if not wanted:
        return ""
    beside = others_at_hand(fight, character).get(wanted)
    if beside is not None and card.partition(":")[0] == "strike":
        return beside.called
    return _way_named(in_hand(fight, character), wanted, fight.table.options)


@lru_cache(1024)  # a fight looks at the same few all the time
def _way_named(weapon: Weapon, wanted: str, options: Options) -> str:
    known = ways(weapon, options)
    return next((way.name for way in known if key_of(way.name) == wanted), "")


def length_of(fight: Fight, character: str) -> str:
    """The length of what a fighter positions with, which is what he acts with in the volley.

    fight.position.weapon_used_must_act: where he uses a weapon in several ways, the shortest.
    What is thrown counts as Longest (fight.missile.thrown_length), and so does a loaded bow
    (fight.missile.loaded_bow_length); an unloaded one is a club (fight.missile.unloaded_is_club).
    Spells and prayers have lengths of their own (fight.xref.spell_length,
    fight.xref.prayer_length).
    """
    spoken = spoken_length(fight, character)
    if spoken:
        return spoken
    own = fight.fighter(character)
    weapon, options = in_hand(fight, character), fight.table.options
    beside: tuple[tuple[str, Weapon], ...] = ()
    if any(card.startswith(BESIDE) for card in own.announced):
        others = others_at_hand(fight, character)
        beside = tuple((f"{BESIDE}{key}", each) for key, each in others.items())
    return _length(weapon, own.way, own.announced, own.ready.nocked, options, beside)


BESIDE = "strike:"
"""How the card of a Strike begins that is not made in the first way of the weapon in hand."""


@lru_cache(4096)  # a fight looks at the same few all the time
def _length(
    weapon: Weapon,
    usual: str,
    announced: tuple[str, ...],
    nocked: bool,
    options: Options,
    beside: tuple[tuple[str, Weapon], ...],
) -> str:
    missile = length_as_missile(weapon, nocked, announced)
    if missile is not None:
        return missile[0]
    others = dict(beside)
    used = {
        _way_named(weapon, way_of(card), options)
        for card in announced
        if ":" in card and card.partition(":")[0] in WITH_A_WEAPON and card not in others
    }
    struck = [way_in_melee(others[card], "", options) for card in announced if card in others]
    if not used and not struck:  # as it is usually used
        return way_in_melee(weapon, usual, options).length
    used |= {"" for card in announced if card in WITH_A_WEAPON}
    struck += [way_in_melee(weapon, way or usual, options) for way in used]
    return min((way.length for way in struck), key=rank)


def distance_from(fight: Fight, character: str, opponent: str) -> Distance:
    """The fighting distance of a fighter from an opponent, by what he positions with."""
    return distance_at(fight.gap(character, opponent), length_of(fight, character))


def _length_lines(fight: Fight, character: str, *, at_start: bool) -> tuple[Line, ...]:
    """The dice for the longer weapon, or on the inside for the shorter one.

    fight.position.bonus.longer_weapon, fight.position.bonus.much_longer_weapon,
    fight.position.bonus.inside_long_none, fight.position.bonus.inside_short,
    fight.amb.length_plus_two, fight.amb.inside_bonus_who. Among several opponents those against
    whom it is worth most count, but on the inside it has to be the shortest of all. A weapon that
    was beaten aside gives none (fight.beat.win), unlike a spell or a prayer, which are not in hand
    (sorcery.duel.spells_are_weapons), nor does a missile on the inside, where it is a longest
    weapon like others.
    """
    if fight.fighter(character).beaten and not spoken_length(fight, character):
        return ()
    if fight.fighter(character).wields:
        lengths = {other: length_of(fight, other) for other in fight.opponents(character)}
        return spell_dice(fight, character, lengths, at_start=at_start)
    missile = missile_length(fight, character)
    if missile is not None and not spoken_length(fight, character):
        gaps = [fight.gap(character, opponent) for opponent in fight.opponents(character)]
        return (missile[1],) if set(gaps) != {INSIDE_GAP} else ()
    own = length_of(fight, character)
    found = [
        _dice_against(fight, character, own, opponent, at_start=at_start)
        for opponent in fight.opponents(character)
    ]
    if (0, True) in found:  # somebody who is as near has a weapon as short
        found = [each for each in found if not each[1]]
    dice, inside = max(found, default=(0, False))
    if not dice:
        return ()
    rule = "longer_weapon" if dice == 1 else "much_longer_weapon"
    rule = "inside_short" if inside else rule
    return (Line(dice, f"{own} weapon", f"fight.position.bonus.{rule}"),)


def _dice_against(
    fight: Fight, character: str, own: str, opponent: str, *, at_start: bool
) -> tuple[int, bool]:
    theirs = length_of(fight, opponent)
    if at_start:
        # fight.amb.length_outside_two
        much = fight.table.options["fight_length_dice_at_start"] == "plus_2d"
        at = Distance.LUNGING if much else Distance.OUTSIDE
    else:
        at = distance_at(fight.gap(character, opponent), own)
    shot_at = missile_length(fight, opponent) is not None and not spoken_length(fight, opponent)
    if shot_at and fight.fighter(character).prays:
        # Longer than missiles, too (faith.conflict.fight_length).
        return sum(line.amount for line in prayer_length_dice(MISSILE, at.value)), False
    return length_dice(own, theirs, at.value), at is Distance.INSIDE


# --- What else adds dice ---------------------------------------------------------------------


class FootingDice(msgspec.Struct, frozen=True):
    """The dice of one fighter in a positioning test, apart from Speed itself.

    ``own`` has what body and Reflexes give, ``further`` weapon and ground, which a fighter who
    runs screaming does not have.
    """

    own: tuple[Line, ...] = ()
    further: tuple[Line, ...] = ()

    @property
    def lines(self) -> tuple[Line, ...]:
        """All of them."""
        return self.own + self.further


def footing_dice(fight: Fight, *, at_start: bool = False) -> Step[dict[str, FootingDice]]:
    """The dice of everybody in a positioning test.

    Only the better multiplier counts, not the paces (fight.position.bonus.speed_multiplier,
    fight.xref.multiplier_many); likewise the higher Reflexes (fight.position.bonus.reflexes),
    less wounds (fight.xref.wounded_reflexes).
    """
    names = tuple(each.character for each in fight.standing)
    movers = {mover(fight, name): name for name in names}  # riding.combat.position_multiplier
    lines = yield from positioning_dice(
        tuple(movers), fight.table, "fight.position.bonus.speed_multiplier"
    )
    faster = {movers[mine]: line for mine, line in lines.items()}
    quick = {name: quickness(fight, name) for name in names}
    best = max(quick.values()) if len(set(quick.values())) > 1 else None
    ground = yield from ask_ground(fight)
    found = {}
    for name in names:
        own: tuple[Line, ...] = (faster[name],) if name in faster else ()
        if quick[name] == best:
            rule = "fight.position.bonus.reflexes"
            own += (Line(dice_for("higher Reflexes"), "higher Reflexes", rule),)
        if at_start or fight.fighter(name).moves is Positioning.CLOSE:
            own += closing_dice(fight.sheet(name))
        further = _length_lines(fight, name, at_start=at_start)
        if name in ground:
            further += (Line(dice_for("terrain"), "better ground", "fight.advantage.terrain"),)
        found[name] = FootingDice(own, further)
    return found


def ask_ground(fight: Fight) -> Step[tuple[str, ...]]:
    """Who holds higher ground or a narrow place (fight.advantage.terrain), by the GM's word."""
    rule = "fight.advantage.terrain"
    options = tuple(
        Option(each.character, fight.name(each.character), rule) for each in fight.standing
    )
    return (
        yield from ask(
            GM,
            "better_ground",
            "Better ground (+1D to positioning)",
            PickSeveral(options=options, default=()),
            because=rule,
            kind="aside",
            standing=True,
        )
    )


# --- The roll --------------------------------------------------------------------------------


def gather_footing(
    fight: Fight,
    character: str,
    ability: str,
    dice: tuple[Line, ...],
    action: str = "",
    obstacle: tuple[Line, ...] = (),
    task: str = "positions",
) -> Play[Attempt]:
    """The dice of a fighter who positions, or charges.

    Fitting skills may FoRK into it (fight.position.ability), while the situation makes them useful
    (extended_example.position.fork_skill). Nobody has to be waited for in each
    volley: what is said once about positioning holds for the rest of the fight.
    """
    return (
        yield from attempt_for(
            fight,
            character,
            ability,
            RollKind.POSITION,
            action=action,
            target="",
            task=task,
            dice=dice,
            obstacle=obstacle,
            forks_into_stat="fight.position.ability",
        )
    )


def rolling(fight: Fight, attempt: Attempt, what: str) -> RollingSide:
    """A fighter with the dice in hand."""
    name = fight.name(attempt.agreed.character)
    label = f"{name}, {what}, {attempt.agreed.name}"
    return RollingSide(attempt.seat, label, (("", attempt.pool),), attempt.hand, attempt.spent)


def log_roll(
    fight: Fight, attempt: Attempt, thrown: ThrownDice, against: int, *, passed: bool
) -> Step[Fight]:
    """Pay for what was used on a roll, and mark the test.

    All rolls of one ability in a fight earn one test, the hardest (fight.xref.one_test_per_fight);
    in a rehearsal there is none.
    """
    if not fight.series:
        return fight.at((yield from pay_for(attempt, thrown, fight.table)))
    table, _ = yield from after_test(
        attempt,
        thrown,
        max(1, against) + attempt.penalties.total,
        fight.table,
        passed=passed,
        base=max(1, against),
    )
    return fight.at(table)
