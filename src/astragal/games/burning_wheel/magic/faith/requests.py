"""What is asked for: a prayer with all that it needs, and refusals before any dice are rolled."""

from __future__ import annotations

from astragal.dice import Shade
from astragal.errors import BadInput, NotAllowed
from astragal.games.game import Arguments
from astragal.play import Line, Tally

from ...conditions.wounds import find_wound
from ...injury.bleeding import is_bleeding
from ...sheet.parts import AbilityKind
from ...sheet.scene import BurningTable
from ...sheet.sheet import Rated, Sheet
from ...sheet.words import counted
from ..sorcery.interruption import InterruptSpell
from .joining import Congregation
from .prayer_tables import (
    AID,
    BLESSING,
    BOON,
    CONSECRATION,
    HINDRANCE,
    MINOR_MIRACLE,
    PURIFICATION,
    PrayerKind,
)
from .spell_breaking import check_spell_breaking

LESSER_SPIRIT = 5
"""The most Will or Strength of a lesser spirit, in black (faith.prayer.purification)."""


class Pray(Arguments, frozen=True):
    """Who prays, which prayer it is, and the intent: the outcome that is wanted.

    ``words`` are what is said; ``targets`` are foes of a Hindrance, or who is blessed, aided or
    healed; ``ability`` is what a Blessing, Aid or Boon is for, ``task`` what a Boon is for,
    ``thing`` what is blessed or made whole, ``place`` what is consecrated, ``wound`` which wound is
    closed. Against sorcery: ``spell`` is a sustained one of the target, ``castings`` are those
    under way, which a ``neutral`` prayer ends without harm to the caster. ``rite`` names the rite,
    ``helpers`` are other priests, ``believers`` and ``crowd`` those who join in; ``aloud`` says
    that it is spoken. In a scripted conflict ``in_script`` says that the result does not ride.
    """

    character: str
    prayer: str
    intent: str = ""
    words: str = ""
    aloud: bool = True
    targets: tuple[str, ...] = ()
    ability: str = ""
    task: str = ""
    thing: str = ""
    place: str = ""
    wound: int = 0
    spell: str = ""
    castings: tuple[InterruptSpell, ...] = ()
    neutral: bool = False
    rite: str = ""
    helpers: tuple[str, ...] = ()
    believers: tuple[str, ...] = ()
    crowd: tuple[Congregation, ...] = ()
    in_script: bool = False


def recipient(arguments: Pray) -> str:
    """Whom a prayer is for, where it is for one: the priest unless another is named."""
    return arguments.targets[0] if arguments.targets else arguments.character


def check_request(arguments: Pray, kind: PrayerKind, table: BurningTable) -> None:
    """Refuse what a prayer cannot be asked for."""
    if not arguments.aloud:
        name = table.character(arguments.character).name
        what = f"{name} must pray aloud: a prayer that is not spoken has no power"
        raise NotAllowed(what, "faith.pray.spoken")
    for at, target in enumerate(arguments.targets):
        table.character(target, f"targets[{at}]")
        if target in arguments.targets[:at]:
            raise BadInput(f"targets[{at}]", target, "each once", kind.rule)
    if kind.code != HINDRANCE and len(arguments.targets) > 1:
        raise BadInput("targets", list(arguments.targets), "one at most", kind.rule)
    check = _CHECKS.get(kind.code)
    if check is not None:
        check(arguments, table)
    check_spell_breaking(arguments.spell, arguments.castings, arguments.targets, kind.code, table)


def aided_ability(arguments: Pray, rule: str, table: BurningTable) -> Rated:
    """The ability that a Blessing or an Aid is for: a stat, a skill, Steel or Health."""
    sheet = table.character(recipient(arguments))
    expected = "a stat, a skill, Steel or Health"
    if not arguments.ability.strip():
        raise BadInput("ability", arguments.ability, f"{expected}, named with the prayer", rule)
    rated = sheet.ability(arguments.ability)
    named = rated.kind is AbilityKind.ATTRIBUTE and rated.name in ("Steel", "Health")
    if rated.kind not in (AbilityKind.STAT, AbilityKind.SKILL) and not named:
        raise BadInput("ability", rated.name, expected, rule)
    return rated


def _check_blessing(arguments: Pray, table: BurningTable) -> None:
    """For another devotee, a beast or a thing (faith.prayer.blessing).

    Not for the priest himself (faith.amb.blessing_self), and one on an ability at a time
    (faith.amb.blessing_stacking).
    """
    rule = "faith.prayer.blessing"
    sheet = table.character(recipient(arguments))
    if recipient(arguments) == arguments.character and not arguments.thing:
        expected = "somebody else, or a thing: priests do not bless themselves"
        raise BadInput("targets", list(arguments.targets), expected, "faith.amb.blessing_self")
    if arguments.thing and not sheet.has_in_hand(arguments.thing):
        expected = f"a weapon or a piece of gear of {sheet.name}"
        raise BadInput("thing", arguments.thing, expected, rule)
    rated = aided_ability(arguments, rule, table)
    _check_none_yet(sheet, BLESSING, rated.name, "faith.amb.blessing_stacking")


def _check_aid(arguments: Pray, table: BurningTable) -> None:
    """What it helps is named with the prayer (faith.prayer.aid_choose_at_prayer).

    It is for the priest alone, or for other devotees too, as the group reads it
    (faith.amb.aid_recipient). Only one waits at a time (faith.amb.aid_zero_extra).
    """
    alone = table.options["faith_aid_recipient"] == "priest_only"
    if alone and recipient(arguments) != arguments.character:
        expected = "nobody else: Aid is for the priest who prays"
        raise BadInput("targets", list(arguments.targets), expected, "faith.amb.aid_recipient")
    aided_ability(arguments, "faith.prayer.aid_choose_at_prayer", table)
    _check_none_yet(table.character(recipient(arguments)), AID, "", "faith.amb.aid_zero_extra")


def _check_none_yet(sheet: Sheet, prayer: str, ability: str, rule: str) -> None:
    for each in sheet.prayers:
        if each.prayer == prayer and ability in ("", each.ability):
            what = f"{sheet.name} already has {prayer.capitalize()} on {each.ability}"
            raise NotAllowed(what, rule)


def _check_boon(arguments: Pray, table: BurningTable) -> None:
    """The ability is named with the prayer (faith.prayer.boon)."""
    rule = "faith.prayer.boon"
    if not arguments.ability.strip():
        raise BadInput("ability", arguments.ability, "an ability, named with the prayer", rule)
    table.character(recipient(arguments)).ability(arguments.ability)


def _check_hindrance(arguments: Pray, table: BurningTable) -> None:
    """Against one to three foes, or more where the group allows it.

    faith.amb.hindrance_more_than_three.
    """
    foes, rule = arguments.targets, "faith.prayer.hindrance_obstacle"
    if not foes or arguments.character in foes:
        raise BadInput("targets", list(foes), "the foes, one or more", rule)
    if len(foes) > 3 and table.options["faith_hindrance_foes"] == "three_at_most":
        rule = "faith.amb.hindrance_more_than_three"
        raise BadInput("targets", list(foes), "three foes at most", rule)


def _check_wonder(arguments: Pray, table: BurningTable) -> None:
    """A bleeding wound to close, or a broken blade to make whole (faith.prayer.minor_miracle)."""
    rule = "faith.prayer.minor_miracle"
    sheet = table.character(recipient(arguments))
    if arguments.wound:
        wound = find_wound(sheet, arguments.wound)
        if not is_bleeding(wound, table.scene.calendar.moment):
            raise BadInput("wound", arguments.wound, "a wound that bleeds", rule)
    if arguments.thing:
        broken = [weapon.called for weapon in sheet.weapons if weapon.broken]
        if arguments.thing not in broken:
            expected = f"a broken weapon of {sheet.name}: {', '.join(broken) or 'none'}"
            raise BadInput("thing", arguments.thing, expected, rule)


def is_lesser_spirit(sheet: Sheet) -> bool:
    """Whether a spirit can be driven out: by its Will, or its Strength if it has no other rating.

    faith.amb.purification_or: with both, both must be B5 or lower.
    """
    rated = [each for name in ("Will", "Strength") if (each := sheet.find(name))]
    return bool(rated) and all(
        each.rating.shade is Shade.BLACK and each.rating.exponent <= LESSER_SPIRIT for each in rated
    )


def _check_purification(arguments: Pray, table: BurningTable) -> None:
    for target in arguments.targets:
        sheet = table.character(target)
        if not is_lesser_spirit(sheet):
            what = f"{sheet.name} is no lesser spirit: Will or Strength of B5 or less"
            raise NotAllowed(what, "faith.prayer.purification")


def _check_consecration(arguments: Pray, table: BurningTable) -> None:
    place = arguments.place.strip().casefold()
    rule = "faith.prayer.consecration"
    if not place:
        raise BadInput("place", arguments.place, "the place that is made holy", rule)
    if any(each.place.casefold() == place for each in table.scene.holy_places):
        raise BadInput("place", arguments.place, "a place that is not holy yet", rule)


_CHECKS = {
    BLESSING: _check_blessing,
    AID: _check_aid,
    BOON: _check_boon,
    HINDRANCE: _check_hindrance,
    MINOR_MIRACLE: _check_wonder,
    PURIFICATION: _check_purification,
    CONSECRATION: _check_consecration,
}


def base_obstacle(arguments: Pray, kind: PrayerKind) -> Tally:
    """The obstacle that the nature of the prayer sets (faith.pray.procedure).

    Of a Hindrance by the number of foes (faith.prayer.hindrance_obstacle); where more than three
    are allowed, each is +1 (faith.amb.hindrance_more_than_three).
    """
    foes = max(1, len(arguments.targets))
    listed = min(foes, len(kind.obstacles))
    asked = f"{kind.name}, {counted(listed, 'foe')}" if kind.code == HINDRANCE else kind.name
    obstacle = Tally.of(kind.obstacles[listed - 1], asked, kind.rule)
    if kind.code == HINDRANCE and foes > listed:
        obstacle += Line(foes - listed, "further foes", "faith.amb.hindrance_more_than_three")
    return obstacle
