"""Armor and shields as things on a sheet: locations, types, pieces, and the dice they have.

What is worn is written down location by location, with the dice that each has lost. How armor
is tested is in ``armor/armor``, how heavy it is in
``conditions/armor_weight``, what a shield does in
``armor/shields``.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping
from functools import cache
from typing import Any

import msgspec

from astragal.dice import Shade
from astragal.errors import BadInput, check_at_least, check_between, check_one_of
from astragal.play import Line, Tally
from astragal.rules import catalogue

from .catalogue_keys import key_of

LOCATIONS = ("head", "right_arm", "left_arm", "torso", "left_leg", "right_leg")
"""armor.location.six: the head with face and neck, arms with hands, the torso with shoulders and
hips, legs with feet."""

ARMS = ("right_arm", "left_arm")
LEGS = ("left_leg", "right_leg")
LIMBS = ARMS + LEGS
"""Where half pieces are worn (armor.half.where)."""

GROUPS = {
    "suit": LOCATIONS,
    "body": ("torso", *LIMBS),
    "arms": ARMS,
    "legs": LEGS,
    **{location: (location,) for location in LOCATIONS},
}
"""What a sheet may name together; what comes later says more exactly what is worn where."""

MOST_DICE = 10
"""No armor has more; a larger number is a typing error."""

NOTHING = "none"
"""How a sheet leaves one location of a suit bare."""


class ArmorPiece(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The armor of one location, with its own dice (armor.location.own_dice).

    A ``half`` piece is made so; a whole one may be ``stripped`` to half for a while. ``lost`` are
    the dice it has lost until somebody repairs it (armor.damage.ones). Headgear may be called by
    its name (armor.dice.headgear_is_separate_piece). A ``natural`` piece is part of the body and
    weighs nothing; ``dice`` is what it has where its type has another number
    (rogues.amb.spider_locations).
    """

    location: str
    type: str
    name: str = ""
    half: bool = False
    stripped: bool = False
    quality: str = "run_of_the_mill"
    shade: str = "B"
    lost: int = 0
    natural: bool = False
    dice: int = 0

    @property
    def is_half(self) -> bool:
        """Whether it covers only half of a limb, by its make or for now."""
        return self.half or self.stripped

    @property
    def called(self) -> str:
        """What it is called in the story: the sallet, the half chainmail."""
        kind = self.name or self.type.replace("_", " ")
        return f"half {kind}" if self.is_half else kind


class Shield(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A shield on the arm: a defensive weapon, no armor of a location (armor.shield.role).

    ``lost`` are the dice it has lost; ``freed`` are actions already spent on getting rid of it.
    """

    kind: str
    name: str = ""
    quality: str = "run_of_the_mill"
    shade: str = "B"
    lost: int = 0
    freed: int = 0

    @property
    def called(self) -> str:
        """What it is called in the story."""
        return self.name or self.kind.replace("_", " ")


# --- Types -----------------------------------------------------------------------------------


@cache
def armor_types() -> tuple[str, ...]:
    """The five types, weakest first (armor.type.five).

    >>> armor_types()
    ('leather', 'plated_leather', 'chainmail', 'plated_mail', 'full_plate')
    """
    return tuple(
        str(name) for name in catalogue().table("armor.table.armor_dice").column("armor_type")
    )


def is_metal(armor_type: str) -> bool:
    """Whether a type is one of the three of metal (armor.repair.skills_metal)."""
    return armor_types().index(armor_type) >= armor_types().index("chainmail")


def heaviest(pieces: tuple[ArmorPiece, ...]) -> ArmorPiece | None:
    """The piece of the heaviest type among these, if there are any."""
    return max(pieces, key=lambda piece: armor_types().index(piece.type), default=None)


@cache
def _names(column: str) -> dict[str, str]:
    """Every name in a column of names, with the type that it stands for."""
    found = {}
    for row in catalogue().table("armor.table.armor_dice").records():
        for name in row.texts(column):
            found[key_of(name)] = row.text("armor_type")
    return found


def type_named(name: str, place: str, *, head: bool = False) -> str:
    """The type that a name stands for: its own, another name for it, or headgear of that type.

    armor.dice.headgear_by_type.

    >>> type_named("reinforced leather", "torso"), type_named("sallet", "head", head=True)
    ('plated_leather', 'chainmail')
    """
    known = {name: name for name in armor_types()} | _names("aliases")
    if head:
        known |= _names("headgear")
    key = key_of(name)
    if key in known:
        return known[key]
    near = difflib.get_close_matches(key, known, n=3, cutoff=0.5) or armor_types()
    raise BadInput(place, name, f"a type of armor: {', '.join(near)}", "armor.type.five")


# --- Dice --------------------------------------------------------------------------------------


def piece_dice(piece: ArmorPiece) -> Tally:
    """The dice of a piece now, with what it has lost; never fewer than none.

    By type (armor.dice.leather, armor.dice.plated_leather, armor.dice.chainmail,
    armor.dice.plated_mail, armor.dice.full_plate), headgear included
    (armor.dice.headgear_by_type); one more for the torso (armor.dice.chest_bonus); half of them,
    rounded up, for half a piece (armor.half.dice).
    """
    row = catalogue().table("armor.table.armor_dice").where(armor_type=piece.type)
    dice = row.number("dice")
    if piece.dice:  # printed for this one, as for a spider's shell (extended_example.trait.chitin)
        whole = Tally.of(piece.dice, piece.called, f"armor.dice.{piece.type}")
    elif piece.is_half:
        whole = Tally.of(row.number("half_piece_dice"), piece.called, "armor.half.dice")
    else:
        whole = Tally.of(dice, piece.called, f"armor.dice.{piece.type}")
        if piece.location == "torso":
            whole += Line(row.number("torso_dice") - dice, "torso", "armor.dice.chest_bonus")
    lost = min(piece.lost, whole.total)
    return whole + Line(-lost, "damaged", "armor.damage.ones") if lost else whole


def full_dice(piece: ArmorPiece) -> int:
    """The dice of a piece in good order, with all its parts on."""
    return piece_dice(msgspec.structs.replace(piece, lost=0, stripped=False)).total


class LocationDice(msgspec.Struct, frozen=True):
    """The dice of each of the six locations; none where it is bare or all are lost."""

    head: int = 0
    right_arm: int = 0
    left_arm: int = 0
    torso: int = 0
    left_leg: int = 0
    right_leg: int = 0


def location_dice(worn: Mapping[str, ArmorPiece]) -> LocationDice:
    """The dice of what is worn, location by location (armor.location.own_dice)."""
    return LocationDice(**{where: piece_dice(piece).total for where, piece in worn.items()})


@cache
def shield_kinds() -> tuple[str, ...]:
    """The kinds of shield, smallest first (armor.shield.dice)."""
    return tuple(str(name) for name in catalogue().table("armor.table.shields").column("shield"))


SHIELD_NAMES = {
    "target_shield": "target",
    "heater_shield": "heater",
    "kite_shield": "great_shield",
    "large_round_metal_shield": "great_shield",
}
"""Other names; the largest are great shields (armor.shield_missile.great_shield_hide)."""


def shield_dice(shield: Shield) -> Tally:
    """The dice of a shield now (armor.shield.dice), less those it has lost."""
    dice = catalogue().table("armor.table.shields").number("dice", shield=shield.kind)
    whole = Tally.of(dice, shield.called, "armor.shield.dice")
    return (
        whole + Line(-shield.lost, "damaged", "armor.shield.damage_ones") if shield.lost else whole
    )


@cache
def qualities() -> tuple[str, ...]:
    """The qualities of armor, and of shields (armor.shield.quality).

    >>> qualities()
    ('poor', 'run_of_the_mill', 'superior')
    """
    rows = catalogue().table("armor.table.quality_damage").column("quality")
    return tuple(str(name) for name in rows)


# --- On the sheet ------------------------------------------------------------------------------


def normal_armor(raw: Any) -> Any:
    """Armor as people like to write it, location by location.

    ``"chainmail"`` is a whole suit; ``{suit = "plated leather", head = "sallet",
    legs = "half plated leather"}`` mixes pieces, and ``none`` leaves a location bare: any of the
    six may be armored or not (armor.location.any_subset).

    >>> sorted(normal_armor({"arms": "half mail"}))
    ['left_arm', 'right_arm']
    """
    if isinstance(raw, str):
        raw = {"suit": raw}
    if not isinstance(raw, Mapping):
        return raw
    for key in raw:
        check_one_of(f"armor.{key}", key, GROUPS, "armor.location.six")
    worn: dict[str, Any] = {}
    for group, locations in GROUPS.items():
        if group not in raw:
            continue
        for location in locations:
            worn.pop(location, None)
            if raw[group] != NOTHING:
                worn[location] = normal_piece(raw[group], location, f"armor.{group}")
    return worn


def normal_piece(raw: Any, location: str, place: str) -> Any:
    """One piece as people like to write it: its type, half or whole, or its name."""
    if isinstance(raw, str):
        match = re.match(r"half[\s-]+", raw.strip(), re.IGNORECASE)
        raw = {"type": raw.strip()[match.end() :] if match else raw, "half": bool(match)}
    if not isinstance(raw, Mapping) or not isinstance(raw.get("type"), str):
        return raw
    head = location == "head"
    kind = type_named(raw["type"], place, head=head)
    named = {} if key_of(raw["type"]) not in _names("headgear") else {"name": raw["type"]}
    return {"location": location, **named, **raw, "type": kind}


def normal_shield(raw: Any) -> Any:
    """A shield as people like to write it: its kind is enough."""
    shield = {"kind": raw} if isinstance(raw, str) else raw
    if isinstance(shield, Mapping) and isinstance(shield.get("kind"), str):
        key = key_of(shield["kind"])
        named = {"name": shield["kind"]} if key in SHIELD_NAMES else {}
        return {**named, **shield, "kind": SHIELD_NAMES.get(key, key)}
    return shield


def check_piece(piece: ArmorPiece, place: str) -> None:
    """A location and a type that there are, half only on limbs, no more lost than it had."""
    limits = (
        ("location", piece.location, LOCATIONS, "armor.location.six"),
        ("type", piece.type, armor_types(), "armor.type.five"),
    )
    for field, found, known, rule in limits:
        check_one_of(f"{place}.{field}", found, known, rule)
    if piece.is_half and piece.location not in LIMBS:
        field = "half" if piece.half else "stripped"
        raise BadInput(f"{place}.{field}", True, "false: only arms and legs", "armor.half.where")
    if not 0 <= piece.dice <= MOST_DICE:
        expected = f"0 (as its type has it) to {MOST_DICE} dice"
        raise BadInput(f"{place}.dice", piece.dice, expected, "armor.location.own_dice")
    if piece.half and piece.stripped:
        expected = "false: half a piece has nothing to strip"
        raise BadInput(f"{place}.stripped", True, expected, "armor.half.strip")
    _check_made(piece, full_dice(piece), place)


def check_shield(shield: Shield, place: str = "shield") -> None:
    """A kind that there is, no more lost than it had."""
    check_one_of(f"{place}.kind", shield.kind, shield_kinds(), "armor.shield.dice")
    whole = shield_dice(msgspec.structs.replace(shield, lost=0)).total
    _check_made(shield, whole, place)
    check_at_least(f"{place}.freed", shield.freed, 0, "armor.shield.drop_actions")


def _check_made(made: ArmorPiece | Shield, whole: int, place: str) -> None:
    check_one_of(f"{place}.quality", made.quality, qualities(), "armor.damage.ones")
    try:
        Shade.parse(made.shade)
    except BadInput as bad:
        raise BadInput(f"{place}.shade", made.shade, bad.expected, bad.rule) from None
    check_between(f"{place}.lost", made.lost, 0, whole, "armor.damage.ones")


def check_harness(
    worn: Mapping[str, ArmorPiece], packed: tuple[ArmorPiece, ...], shield: Shield | None
) -> None:
    """Everything worn and carried of armor, each where it belongs."""
    for location, piece in worn.items():
        place = f"armor.{location}"
        if piece.location != location:
            raise BadInput(f"{place}.location", piece.location, location, "armor.location.six")
        check_piece(piece, place)
    for index, piece in enumerate(packed):
        check_piece(piece, f"packed[{index}]")
    if shield is not None:
        check_shield(shield)
