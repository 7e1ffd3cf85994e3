"""Positioning in the saddle: the rider cues, and the mount moves.

A section of the chapter on riding (``riding``), for Fight!. It costs no action
(riding.combat.positioning_free).
"""

from __future__ import annotations

import msgspec

from astragal.games.burning_wheel.conditions.mounted import is_knight
from astragal.games.burning_wheel.conflicts.fight.footing import gather_footing
from astragal.games.burning_wheel.conflicts.fight.narrowing import for_footing
from astragal.games.burning_wheel.conflicts.fight.state import Fight
from astragal.games.burning_wheel.riding.riding_tests import ask_difficulty, command
from astragal.games.burning_wheel.tests.attempts import Attempt
from astragal.games.burning_wheel.tests.linked import link_effect, link_of_margin
from astragal.play import Line, Option, Step, call, choose

STEALTHY = "Stealthy"


def gather_mover(
    fight: Fight, character: str, ability: str, lines: tuple[Line, ...]
) -> Step[tuple[Attempt, Fight]]:
    """The dice of a fighter who positions, with his own legs or with those of his mount.

    A knight uses his mount's Speed or Stealthy (riding.combat.position_mount_speed). All others
    test Riding first, which is linked to it (riding.amb.untrained_positioning); a bowman, too
    (riding.bowman.avoid_position). A mount that has bolted asks nobody.
    """
    mount = fight.mount(character)
    if not mount:
        alone = for_footing(fight, character)
        return (yield from call(gather_footing, alone, character, ability, lines)), fight
    obstacle: tuple[Line, ...] = ()
    if is_knight(fight.sheet(character)):
        ability = yield from _how_it_moves(fight, character, mount, ability)
    elif not fight.fighter(mount).is_hesitating:
        more, obstacle, fight = yield from _cued(fight, character)
        lines += more
    attempt = yield from call(gather_footing, fight, mount, ability, lines, "", obstacle)
    return msgspec.structs.replace(attempt, seat=fight.seat(character)), fight


def _how_it_moves(fight: Fight, rider: str, mount: str, ability: str) -> Step[str]:
    """Speed, or the skill of a mount that is good at not being seen.

    riding.combat.position_mount_speed, riding.amb.stealth_skill_name.
    """
    if ability != "Speed" or fight.sheet(mount).find(STEALTHY) is None:
        return ability
    rule = "riding.combat.position_mount_speed"
    return (
        yield from choose(
            fight.seat(rider),
            "mount_moves",
            f"{fight.name(rider)} positions with the mount's",
            tuple(
                Option(name, str(fight.sheet(mount).ability(name)), rule)
                for name in ("Speed", STEALTHY)
            ),
            default="Speed",
            because=rule,
            kind="aside",
            standing=True,
        )
    )


def _cued(fight: Fight, rider: str) -> Step[tuple[tuple[Line, ...], tuple[Line, ...], Fight]]:
    """The Riding test of a rider without a knight's training, and what it brings the mount.

    riding.test.when, riding.amb.untrained_positioning.
    """
    harder = yield from ask_difficulty(lasting=True)
    result, table = yield from command(rider, "cues the mount", fight.table, harder, in_fight=True)
    link = link_effect(link_of_margin(result.margin))
    return link.dice, link.obstacle, fight.at(table)
