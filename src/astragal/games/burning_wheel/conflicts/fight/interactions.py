"""What meets what: each action against each that it can meet in the same slot.

A section of the chapter on Fight! (``conflicts/fight/fight``). The 288 lines of
``fight.table.interactions`` are read here, by their codes; nothing else in the chapter knows which
action stops which.
"""

from __future__ import annotations

from enum import Enum
from functools import cache
from typing import cast

import msgspec

from astragal.rules import catalogue

HESITATING = "hesitating"
NO_ACTION = "no_action"
"""What a fighter counts as who has no deed in a slot."""


class Relation(Enum):
    """How one action stands to the other (``relation`` of the table)."""

    OPPOSED = "opposed"
    NATURAL = "natural_defenses"
    UNOPPOSED = "unopposed"
    CONDITIONAL = "conditional"
    NOT_ROLLED = "not_rolled"
    CANCELLED = "cancelled"
    FREE_STRIKE = "free_strike"
    INDEPENDENT = "independent"


class ActionRoll(Enum):
    """What an action rolls."""

    NOTHING = "nothing"
    SPEED = "speed"
    POWER = "power"
    WEAPON_SKILL = "weapon_skill"
    WITH_SHIELD = "weapon_skill_and_shield"
    FIGHTING_SKILL = "fighting_skill"
    SPLIT = "fighting_skill_split"
    UNARMED_SKILL = "unarmed_skill"
    MISSILE_SKILL = "missile_skill"
    CHARGE = "charge"
    OWN = "own"


class Reducer(Enum):
    """What takes successes off an attack."""

    AVOID = "avoid"
    BLOCK = "block"
    COUNTERSTRIKE = "counterstrike_pool"
    BLOCK_HALF = "block_pool"
    SHIELD_BLOCK = "true_shield_block"
    SHIELD_BLOCK_HALF = "true_shield_block_pool"
    SHIELD_COVER = "shield_cover"
    NATURAL_SKILL = "natural_weapon_skill"
    NATURAL_POWER = "natural_power"
    NATURAL_POWER_OR_SPEED = "natural_power_or_speed"
    NATURAL_SPEED_OR_UNARMED = "natural_speed_or_unarmed"
    NATURAL_POSITIONING = "natural_positioning"
    OWN_CHARGE = "own_charge"

    @property
    def is_natural(self) -> bool:
        """Whether it is Natural Defenses, which cost no action (fight.nd.free)."""
        return self.value.startswith("natural")

    @property
    def is_scripted(self) -> bool:
        """Whether it is a defence that was scripted."""
        return self in (
            Reducer.AVOID,
            Reducer.BLOCK,
            Reducer.COUNTERSTRIKE,
            Reducer.BLOCK_HALF,
            Reducer.SHIELD_BLOCK,
            Reducer.SHIELD_BLOCK_HALF,
        )

    @property
    def needs_true_shield(self) -> bool:
        """Whether only a true shield does it (fight.great_strike.shield_exception)."""
        return self in (Reducer.SHIELD_BLOCK, Reducer.SHIELD_BLOCK_HALF)


class When(Enum):
    """What a consequence depends on."""

    ALWAYS = "always"
    MET = "met"
    FAILED = "failed"
    MARGIN = "margin"
    EACH_MARGIN = "each_margin"
    TRUE_SHIELD = "true_shield"


class Consequence(msgspec.Struct, frozen=True):
    """One step of what an action does (``fight.table.interaction_effects``)."""

    step: str
    on_actor: bool
    when: When
    margin: int
    amount: int

    def times(self, left: int) -> int:
        """How often it comes about, with so many successes more than what stood against it."""
        if self.when is When.EACH_MARGIN:
            return max(0, left) // self.margin
        if self.when is When.MARGIN:
            return int(left >= self.margin)
        if self.when is When.FAILED:
            return int(left < 0)
        return int(left >= 0 if self.when is When.MET else True)


class Meeting(msgspec.Struct, frozen=True):
    """An action and what it does against one that it meets."""

    actor: str
    opponent: str
    relation: Relation
    rolls: ActionRoll
    obstacle: str
    reduced_by: tuple[Reducer, ...]
    effect: str
    consequences: tuple[Consequence, ...]

    @property
    def is_rolled(self) -> bool:
        """Whether the actor rolls anything here; two defences do not.

        fight.simultaneous.defenses_not_rolled.
        """
        return self.rolls is not ActionRoll.NOTHING

    @property
    def base(self) -> int | None:
        """The obstacle before everything else, where it is a number of its own.

        ``fight.table.interaction_obstacles``; none where successes alone are compared.
        """
        return _base(self.obstacle) or None

    @property
    def scripted(self) -> Reducer | None:
        """The scripted defence that counts against it, if there is one.

        Avoid, Block and Counterstrike against a Strike (fight.strike.countered_by), a Disarm
        (fight.disarm.countered_by) and a Beat (fight.beat.countered_by); Avoid and Counterstrike
        against a Great Strike (fight.great_strike.countered_by) and a Push
        (fight.push.countered_by); an Avoid alone against a Lock (fight.lock.countered_by). A Block
        stops no other attacks (fight.block.defends).
        """
        return next((each for each in self.reduced_by if each.is_scripted), None)

    @property
    def natural(self) -> Reducer | None:
        """The Natural Defenses that it leaves, if it does (fight.nd.by_maneuver)."""
        return next((each for each in self.reduced_by if each.is_natural), None)

    def does(self, step: str) -> Consequence | None:
        """The consequence of that name, if it is one of this meeting."""
        return next((each for each in self.consequences if each.step == step), None)


@cache
def _base(obstacle: str) -> int:
    table = catalogue().table("fight.table.interaction_obstacles")
    rows = table.all_where(obstacle=obstacle)
    return rows[0].number("base_ob") if rows else 0


@cache
def _consequences(effect: str) -> tuple[Consequence, ...]:
    rows = catalogue().table("fight.table.interaction_effects").all_where(effect=effect)
    return tuple(
        Consequence(
            step=str(row["step"]),
            on_actor=row["whom"] == "actor",
            when=When(row["when"]),
            margin=row.number("margin"),
            amount=row.number("amount"),
        )
        for row in rows
    )


@cache
def _meetings() -> dict[tuple[str, str], Meeting]:
    found = {}
    for row in catalogue().table("fight.table.interactions").records():
        actor, opponent = str(row["actor"]), str(row["opponent"])
        reducers = cast("list[str]", row["reduced_by_codes"])
        found[actor, opponent] = Meeting(
            actor=actor,
            opponent=opponent,
            relation=Relation(row["relation"]),
            rolls=ActionRoll(row["rolls_code"]),
            obstacle=str(row["obstacle_code"]),
            reduced_by=tuple(Reducer(code) for code in reducers),
            effect=str(row["effect_code"]),
            consequences=_consequences(str(row["effect_code"])),
        )
    return found


def meeting(actor: str, opponent: str) -> Meeting:
    """What an action does against what it meets; the opponent may have none, or hesitate.

    Opposing actions are versus tests, the others tests against their obstacle
    (fight.roll.versus_or_standard). Attacks do not oppose each other: a Strike is not stopped by a
    Feint, which it counters (fight.feint.countered_by_strike).
    Matched by the number in the volley (fight.simultaneous.match_by_number); against nothing, only
    Natural Defenses are left (fight.simultaneous.unmatched_action).

    >>> meeting("strike", "block").reduced_by, meeting("block", "block").is_rolled
    ((<Reducer.BLOCK: 'block'>,), False)
    """
    return _meetings()[actor, opponent]


@cache
def actors() -> tuple[str, ...]:
    """Every action of the table, in its order."""
    return tuple(dict.fromkeys(actor for actor, _ in _meetings()))


@cache
def columns() -> tuple[str, ...]:
    """Everything that an action can meet, in the table's order."""
    return tuple(dict.fromkeys(opponent for _, opponent in _meetings()))


@cache
def is_untouched(action: str, other: str) -> bool:
    """Whether an action comes to the same against another as against none, or hesitation.

    >>> is_untouched("strike", "great_strike"), is_untouched("strike", "block")
    (True, False)
    """
    one, *others = (
        (met.rolls, met.obstacle, met.reduced_by, met.consequences)
        for met in (meeting(action, column) for column in (other, NO_ACTION, HESITATING))
    )
    return all(each == one for each in others)


@cache
def only_hurts(action: str, met: str) -> bool:
    """Whether an action does nothing but harm to those whom it meets so, and they roll nothing.

    Those who do nothing may hesitate as well.
    """
    if not is_attack(action):
        return True
    return all(
        each.natural is None
        and all(step.on_actor or step.step in HURTS for step in each.consequences)
        for each in (meeting(action, met), meeting(action, HESITATING))
    )


HURTS = ("hit", "more_power_or_va")
"""Steps of ``fight.table.interaction_effects`` by which somebody is hurt."""


@cache
def is_attack(action: str) -> bool:
    """Whether an action is done to somebody: it does something to whom it meets, and rolls.

    A defence rolls, too, but only ever takes successes away.

    >>> [is_attack(action) for action in ("push", "feint", "counterstrike", "great_strike_set")]
    [True, True, False, False]
    """
    if action == "charge_tackle":  # rolled with the positioning test (fight.charge.is_close)
        return False
    done = {
        step.step
        for (actor, _), met in _meetings().items()
        if actor == action
        for step in met.consequences
        if not step.on_actor
    }
    return bool(done & LANDS)


LANDS = frozenset(
    (
        "hit",
        "free_strike",
        "weapon_away",
        "no_length_dice",
        "dice_lost",
        "off_balance",
        "down",
    )
)
"""Consequences that only an attack has."""

DEFENCES = ("avoid", "block", "counterstrike")
"""Actions that only defend; a Block and Strike does in part."""
