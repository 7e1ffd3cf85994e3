"""The cover that a shield gives against a shooter, as the scene has it."""

from __future__ import annotations

from astragal.errors import NotAllowed
from astragal.games.game import SCENE
from astragal.play import Line, Step, note

from ..sheet.armor_tables import shield_dice
from ..sheet.scene import BurningTable, Cover


def is_hiding(table: BurningTable, character: str) -> bool:
    """Whether a character hides wholly behind a great shield."""
    return any(c.hiding for c in table.scene.covers if c.character == character)


def check_not_hiding(table: BurningTable, character: str) -> None:
    """Refuse an act from behind a great shield (armor.shield_missile.hide_limits)."""
    if is_hiding(table, character):
        name = table.character(character).name
        what = f"{name} is hiding behind a great shield and may only position"
        raise NotAllowed(what, "armor.shield_missile.hide_limits")


def stop_hiding(table: BurningTable, characters: tuple[str, ...]) -> Step[BurningTable]:
    """Who is about to act in a conflict comes out from behind a great shield.

    armor.shield_missile.hide_limits; in the conflict they may hide again, volley by volley.
    """
    hidden = [name for name in characters if is_hiding(table, name)]
    if not hidden:
        return table
    rule = "armor.shield_missile.hide_limits"
    for name in hidden:
        yield from note(f"{table.character(name).name} comes out from behind the shield.", rule)
    left = tuple(c for c in table.scene.covers if not (c.hiding and c.character in hidden))
    return (yield from table.amend(SCENE, "covers", left, because=rule))


def cover_from(table: BurningTable, character: str, shooter: str, va: int = 0) -> Cover | None:
    """The cover a shield gives against a shooter; none against a missile whose VA is too high.

    A die that was lost in the very roll does not matter to its shot (armor.shield.damage_ones).
    """
    for cover in table.scene.shot_covers:
        if (cover.character, cover.shooter) == (character, shooter):
            return cover
    return standing_cover(table, character, shooter, va)


def standing_cover(table: BurningTable, character: str, shooter: str, va: int = 0) -> Cover | None:
    """Cover that need not be rolled again (armor.amb.shield_missile_roll_frequency)."""
    shield = table.character(character).shield
    if shield is None or va >= shield_dice(shield).total:
        return None
    covers = (c for c in table.scene.covers if c.character == character)
    return next((c for c in covers if c.hiding or c.shooter == shooter), None)


def cover_for_a_shot(cover: Cover, table: BurningTable) -> Step[BurningTable]:
    """Keep cover for the next shot of its shooter only (armor.shield_missile.fight_roll)."""
    after = (*_but(table, cover.shooter), cover)
    rule = "armor.shield_missile.fight_roll"
    return (yield from table.amend(SCENE, "shot_covers", after, because=rule))


def shot_has_passed(table: BurningTable, shooter: str) -> Step[BurningTable]:
    """Take away what counted for one shot only (armor.amb.shield_missile_roll_frequency)."""
    left = _but(table, shooter)
    if left == table.scene.shot_covers:
        return table
    rule = "armor.amb.shield_missile_roll_frequency"
    return (yield from table.amend(SCENE, "shot_covers", left, because=rule))


def _but(table: BurningTable, shooter: str) -> tuple[Cover, ...]:
    return tuple(cover for cover in table.scene.shot_covers if cover.shooter != shooter)


def shot_penalty(
    table: BurningTable, character: str, shooter: str, va: int = 0
) -> tuple[Line, ...]:
    """What the target's shield adds to a shot, on top of all else.

    armor.shield_missile.fight_stacks.
    """
    cover = cover_from(table, character, shooter, va)
    if cover is None or not cover.penalty:
        return ()
    rule = "great_shield_hide" if cover.hiding else "fight_roll"
    return (Line(cover.penalty, "shield", f"armor.shield_missile.{rule}"),)
