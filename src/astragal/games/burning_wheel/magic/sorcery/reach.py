"""Where a spell may begin, and whom it may touch: origin and area."""

from __future__ import annotations

from astragal.errors import BadInput, NotAllowed
from astragal.play import GM, Step, consent

from ...sheet.scene import BurningTable
from ...sheet.sheet import Sheet
from ...sheet.spells import CASTER, PERSONAL, PRESENCE, SIGHT, SINGLE, Spell, SpellEffect


def check_targets(
    spell: Spell, character: str, targets: tuple[str, ...], table: BurningTable
) -> None:
    """Refuse targets that an area cannot have (sorcery.area.kinds).

    A spell on its caster has no other, a Single Target is one.
    """
    for index, target in enumerate(targets):
        table.character(target, f"targets[{index}]")
        if target in targets[:index]:
            raise BadInput(f"targets[{index}]", target, "each target once", "sorcery.area.kinds")
    if spell.area == CASTER and set(targets) - {character}:
        expected = f"nobody else: {spell.name} works on its caster"
        raise BadInput("targets", list(targets), expected, "sorcery.area.kinds")
    if spell.area == SINGLE and len(targets) > 1:
        raise BadInput("targets", list(targets), "a single target", "sorcery.area.kinds")


def is_touch(spell: Spell) -> bool:
    """Whether a spell is delivered by the caster's touch (sorcery.area.touch)."""
    return spell.origin == PERSONAL and spell.area == SINGLE


def check_reach(
    spell: Spell, character: str, targets: tuple[str, ...], table: BurningTable
) -> Step[None]:
    """Refuse targets where the spell cannot begin."""
    caster = table.character(character)
    for target in targets:
        if not (yield from is_reached(spell, character, target, table)):
            asked = _question(spell, caster, table.character(target).name)
            assert asked is not None
            _, rule, refusal = asked
            raise NotAllowed(refusal, rule)


def is_reached(spell: Spell, character: str, target: str, table: BurningTable) -> Step[bool]:
    """Whether the spell can begin where a target is; nobody but the GM can say so."""
    if target == character:
        return True
    asked = _question(spell, table.character(character), table.character(target).name)
    if asked is None:
        return True
    prompt, rule, _ = asked
    return (yield from consent(GM, "in_reach", prompt, because=rule))


def _question(spell: Spell, caster: Sheet, name: str) -> tuple[str, str, str] | None:
    """What has to be so for a target to be reached, its rule, and the refusal if it is not."""
    if spell.origin == PRESENCE:
        # As far as a normal voice is understood, and not through walls.
        return (
            f"Can {name} hear and understand {caster.name}, with no wall between?",
            "sorcery.origin.presence",
            f"{name} is not in {caster.name}'s Presence",
        )
    if spell.origin == SIGHT:
        by = [each.name for each in caster.active_spells if each.does is SpellEffect.SIGHT]
        helped = f" (with {', '.join(by)})" if by else ""
        return (
            f"Can {caster.name} see {name}?{helped}",
            "sorcery.origin.sight",
            f"{caster.name} cannot see {name}",
        )
    if is_touch(spell):
        # In a fight at a distance where a bare hand could strike (sorcery.amb.touch_in_fight).
        return (
            f"Can {caster.name} touch {name}?",
            "sorcery.area.touch",
            f"{caster.name} cannot touch {name}",
        )
    if spell.origin == PERSONAL:
        return (
            f"Is {name} within the area, which begins at {caster.name}?",
            "sorcery.origin.personal",
            f"{name} is out of the area of {spell.name}",
        )
    return None


def presence_paces(caster: Sheet) -> int:
    """How far a Presence reaches where it must be measured: Will in paces.

    sorcery.area.presence_measure; the Will on the sheet, whatever spells are sustained
    (sorcery.amb.presence_value).
    """
    return caster.ability("Will", "stats.Will").rating.exponent
