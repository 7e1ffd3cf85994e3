"""Cards that belong together in a script: all the actions of a spell, or of a shot, in order.

For those who script by temperament (``policies``) and know no more than their question: its
situation has these runs as codes. Who fights with nothing but a blade and bare hands has none.
"""

from __future__ import annotations

import msgspec

from ...magic.sorcery.casting_time import basic_actions
from ...magic.sorcery.in_conflict import castable_spells, is_hostile
from ...magic.sorcery.obstacle import least_obstacle
from ...magic.sorcery.reach import is_touch
from ...sheet.catalogue_keys import key_of
from ...sheet.ranged_weapons import is_missile, is_thrown
from ...sheet.spells import CONTROL, NATURAL, Spell, SpellEffect
from ...sheet.weapon_tables import Weapon
from ...weapons.loading import reload_actions
from ...weapons.shooting import is_bow
from .acts import listed_cost
from .casting import in_touch
from .distance import INSIDE_GAP
from .making_ready import draw_cost
from .mounted_cards import STEADY
from .spells import INCANT
from .state import Fight, in_hand

SHOOT, THROW = "release", "throw_object"

OF_NO_USE = (SpellEffect.NONE, SpellEffect.SIGHT)
"""What spells do that change nothing in a fight, unless they are for opponents."""


class CardRun(msgspec.Struct, frozen=True):
    """Cards that belong together, by the kind of the last; one that is ``begun`` comes first."""

    cards: tuple[str, ...]
    begun: bool = False

    @property
    def kind(self) -> str:
        """What it is: the first part of its last card."""
        return self.cards[-1].partition(":")[0]

    @property
    def code(self) -> str:
        """The run as a code of a situation."""
        return " ".join(("goes_on" if self.begun else "may", *self.cards))


def runs_in(situation: tuple[str, ...]) -> tuple[CardRun, ...]:
    """The runs among the codes of a situation.

    >>> [run.cards for run in runs_in(("optimal", "long", "may aim release"))]
    [('aim', 'release')]
    """
    split = [code.split(" ") for code in situation]
    return tuple(CardRun(tuple(cards), word == "goes_on") for word, *cards in split if cards)


def runs_of(fight: Fight, character: str, *, actions: int, far: bool) -> tuple[CardRun, ...]:
    """What a fighter has under way that takes several cards, and what could be begun.

    What takes longer than an exchange with so many ``actions`` is begun where everybody is ``far``
    away, out of reach.
    """
    found = [*_spells(fight, character), *_shots(fight, character), *_steadying(fight, character)]
    return tuple(run for run in found if run.begun or far or len(run.cards) <= actions)


# --- Spells ----------------------------------------------------------------------------------


def _spells(fight: Fight, character: str) -> list[CardRun]:
    """The spell that is being cast, or those that are of use here.

    What goes on by itself is not cast again, and a touch needs somebody in reach
    (sorcery.amb.touch_in_fight).
    """
    sheet = fight.sheet(character)
    casting = fight.fighter(character).casting
    if casting is not None and casting.left > 0:
        return [CardRun((_incant(casting.declared.spell),) * casting.left, begun=True)]
    lasting = {each.name for each in sheet.sustained}
    near = any(in_touch(fight, character, other) for other in fight.opponents(character))
    return [
        CardRun((_incant(spell),) * basic_actions(spell, least_obstacle(spell, sheet) or 1))
        for spell in castable_spells(sheet)
        if spell.name not in lasting and _is_of_use(spell)
        if near or not is_touch(spell)
    ]


def _is_of_use(spell: Spell) -> bool:
    throws = spell.area == NATURAL and spell.impetus == CONTROL
    return is_hostile(spell) or throws or spell.does not in OF_NO_USE


def _incant(spell: Spell) -> str:
    return f"{INCANT}:{key_of(spell.name)}"


# --- Shots -----------------------------------------------------------------------------------


def _shots(fight: Fight, character: str) -> list[CardRun]:
    """What is left to do for a shot with the weapon in hand, or to throw it.

    On the inside there is none, but for pistols (fight.missile.not_inside). What is nocked, drawn
    or loaded already is shot first.
    """
    carried, opponents = in_hand(fight, character), fight.opponents(character)
    gaps = [fight.gap(character, other) for other in opponents]
    if not gaps or (INSIDE_GAP in gaps and carried.weapon != "pistol"):
        return []
    if is_thrown(carried.weapon):
        return [CardRun((THROW,))]
    if not is_missile(carried.weapon):
        return []
    return [(_bowshot if is_bow(carried.weapon) else _reloaded)(fight, character, carried)]


def _bowshot(fight: Fight, character: str, carried: Weapon) -> CardRun:
    """From the quiver to the target (fight.shoot.bow_total)."""
    ready = fight.fighter(character).ready
    nock = 0 if ready.nocked else listed_cost("Nock arrow") - _done(fight, character, "nock_arrow")
    draw = max(0, draw_cost(carried.weapon) - ready.drawn)
    cards = ("nock_arrow",) * nock + ("draw_bow",) * draw + (SHOOT,)
    return CardRun(cards, begun=nock < listed_cost("Nock arrow"))


def _reloaded(fight: Fight, character: str, carried: Weapon) -> CardRun:
    """A crossbow or a gun (fight.shoot.loaded_crossbow_total, fight.shoot.reload_totals)."""
    done = _done(fight, character, "reload")
    load = 0 if carried.loaded else reload_actions(carried.weapon) - done
    aim = () if fight.fighter(character).ready.target else ("acquire_target",)
    return CardRun(("reload",) * load + aim + (SHOOT,), begun=carried.loaded or bool(done))


def _done(fight: Fight, character: str, act: str) -> int:
    """How many actions of a longer act have been done."""
    ready = fight.fighter(character).ready
    return ready.done if ready.act == act else 0


# --- The mount -------------------------------------------------------------------------------


def _steadying(fight: Fight, character: str) -> list[CardRun]:
    """A frightened mount is steadied first (riding.steel.rider_chooses)."""
    mount = fight.mount(character)
    frightened = bool(mount) and fight.fighter(mount).is_hesitating
    return [CardRun((STEADY,), begun=True)] if frightened else []
