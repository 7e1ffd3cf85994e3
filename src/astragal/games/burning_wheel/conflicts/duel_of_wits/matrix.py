"""What happens when two verbal actions meet: the 49 pairs, and an action that meets none.

There is no branch for any pair. ``duel_of_wits.table.interaction_matrix`` and
``duel_of_wits.table.against_no_action`` say for each pair in closed codes who rolls what, what
each body loses and what follows later; here those rows are read into a :class:`Pairing`, and each
code is worked out for the successes that were rolled. The short lists of what counters what
are not symmetrical, and the rows prevail over them
(duel_of_wits.amb.qualifier_lists_asymmetric).
"""

from __future__ import annotations

from enum import Enum
from functools import cache, cached_property

import msgspec

from astragal.rules import catalogue

NOTHING = ""
"""The card of a side that has no action in a volley."""


class Rolls(Enum):
    """What a side rolls for its action against the other's."""

    NONE = "none"
    ONCE = "once"
    TWICE = "twice"
    SPLIT = "split"
    RIPOSTE = "riposte"
    FREE_POINT = "free_point"


class Resolution(Enum):
    """How the rolls of two sides are compared."""

    NONE = "none"
    AUTOMATIC = "automatic"
    INDEPENDENT = "independent"
    OPPOSED = "opposed"
    VERSUS = "versus"


class SideSuccesses(msgspec.Struct, frozen=True):
    """The successes of a side as the codes need them, and its Will."""

    successes: int = 0
    defence: int = 0
    riposte: int = 0
    will: int = 0

    @property
    def total(self) -> int:
        """All successes, of whatever roll."""
        return self.successes + self.defence + self.riposte


class Loss(Enum):
    """What a body loses, by what the other side rolled."""

    NONE = "none"
    SUCCESSES = "successes"
    SUCCESSES_LESS_SUCCESSES = "successes_less_successes"
    SUCCESSES_LESS_DEFENCE = "successes_less_defence"
    SUCCESSES_IF_AHEAD = "successes_if_ahead"
    RIPOSTE = "riposte"
    RIPOSTE_LESS_DEFENCE = "riposte_less_defence"
    RIPOSTE_IF_AHEAD = "riposte_if_ahead"

    @property
    def is_riposte(self) -> bool:
        """Whether the riposte of the other side counts, and not its whole roll."""
        return self in (Loss.RIPOSTE, Loss.RIPOSTE_LESS_DEFENCE, Loss.RIPOSTE_IF_AHEAD)

    def points(self, mine: SideSuccesses, other: SideSuccesses, lead: int) -> int:
        """How many points it is; ``lead`` is below zero where the other side is ahead."""
        dealt = other.riposte if self.is_riposte else other.successes
        match self:
            case Loss.NONE:
                return 0
            case Loss.SUCCESSES | Loss.RIPOSTE:
                return dealt
            case Loss.SUCCESSES_IF_AHEAD | Loss.RIPOSTE_IF_AHEAD:
                return dealt if lead < 0 else 0
            case Loss.SUCCESSES_LESS_SUCCESSES:
                return max(0, dealt - mine.successes)
            case Loss.SUCCESSES_LESS_DEFENCE | Loss.RIPOSTE_LESS_DEFENCE:
                return max(0, dealt - mine.defence)


class EffectTiming(Enum):
    """When an after-effect of a volley happens."""

    THIS_VOLLEY = "this_volley"
    NEXT_VOLLEY = "next_volley"
    NEXT_ACTION = "next_action"
    NEXT_TEST = "next_test"


class AfterEffect(Enum):
    """What a volley may leave behind, by its cause."""

    HESITATES = "hesitates"
    STEEL = "steel"
    ADVANTAGE = "advantage"
    OBSTACLE = "obstacle"
    DIE = "die"

    @property
    def when(self) -> EffectTiming:
        """When it happens."""
        table = catalogue().table("duel_of_wits.table.after_effects")
        return EffectTiming(table.value("when_code", cause_code=self.value))

    @cached_property
    def amount(self) -> int:
        """How much it is, where the roll makes no difference."""
        table = catalogue().table("duel_of_wits.table.after_effects")
        return table.number("amount", cause_code=self.value)


class ActionEffect(Enum):
    """What an action may do to a side beyond its body."""

    HESITATES = "hesitates"
    INCITED = "incited"
    INCITED_NET = "incited_net"
    INCITED_IF_AHEAD = "incited_if_ahead"
    OBFUSCATED = "obfuscated"
    OBFUSCATED_OR_GAINS = "obfuscated_or_gains"
    OBFUSCATED_ALONE = "obfuscated_alone"

    @property
    def may_leave(self) -> tuple[AfterEffect, ...]:
        """What may come of it."""
        match self:
            case ActionEffect.HESITATES:
                return (AfterEffect.HESITATES,)
            case ActionEffect.INCITED | ActionEffect.INCITED_NET | ActionEffect.INCITED_IF_AHEAD:
                return AfterEffect.STEEL, AfterEffect.ADVANTAGE
            case ActionEffect.OBFUSCATED | ActionEffect.OBFUSCATED_OR_GAINS:
                return AfterEffect.OBSTACLE, AfterEffect.DIE
            case ActionEffect.OBFUSCATED_ALONE:
                return (AfterEffect.OBSTACLE,)

    def leaves(
        self, mine: SideSuccesses, other: SideSuccesses, lead: int
    ) -> tuple[AfterEffect, int] | None:
        """What it leaves behind and how much; ``lead`` is above zero where this side is ahead.

        A tie that a trait has broken is won, but no success more was rolled, which is what an
        Obfuscate needs to hamper the next action (duel_of_wits.obfuscate.exceed).
        """
        match self:
            case ActionEffect.HESITATES:
                return AfterEffect.HESITATES, AfterEffect.HESITATES.amount
            case ActionEffect.INCITED_IF_AHEAD if lead >= 0:
                return None
            case ActionEffect.INCITED | ActionEffect.INCITED_IF_AHEAD:
                return _incited(other.successes, mine.will)
            case ActionEffect.INCITED_NET:
                return _incited(max(0, other.successes - mine.successes), mine.will)
            case ActionEffect.OBFUSCATED_ALONE:
                hampered, gains = other.successes > 0, False
            case _:
                hampered = lead < 0 and mine.total < other.total
                gains = lead > 0 or (lead == 0 and self is ActionEffect.OBFUSCATED_OR_GAINS)
        if hampered:
            return AfterEffect.OBSTACLE, AfterEffect.OBSTACLE.amount
        return (AfterEffect.DIE, AfterEffect.DIE.amount) if gains else None


def _incited(successes: int, will: int) -> tuple[AfterEffect, int]:
    """An Incite against Will: a Steel test, or a die for each success that it lacks."""
    if successes >= will:
        return AfterEffect.STEEL, AfterEffect.STEEL.amount
    return AfterEffect.ADVANTAGE, will - successes


class Pairing(msgspec.Struct, frozen=True, dict=True):
    """Two actions in the same volley, A's and B's: A is always the first of each pair."""

    actions: tuple[str, str]
    rolls: tuple[Rolls, Rolls]
    resolution: Resolution
    favoured: str
    """The action that wins without a roll or wins a tie, if there is one."""
    losses: tuple[Loss, Loss]
    after: tuple[tuple[ActionEffect, ...], tuple[ActionEffect, ...]]

    @cached_property
    def acts(self) -> tuple[bool, bool]:
        """Which sides act at all."""
        return self.actions[0] != NOTHING, self.actions[1] != NOTHING

    @cached_property
    def rolling(self) -> tuple[bool, bool]:
        """Which sides roll."""
        return self.rolls[0] is not Rolls.NONE, self.rolls[1] is not Rolls.NONE

    @cached_property
    def is_versus(self) -> bool:
        """Whether the two rolls are a versus test, which can be tied."""
        return self.resolution is Resolution.VERSUS

    @cached_property
    def is_opposed(self) -> bool:
        """Whether successes of one side reduce those of the other."""
        return self.resolution is Resolution.OPPOSED

    @cached_property
    def tie_to(self) -> str:
        """The action that a tie goes to; none where it is a deadlock."""
        return self.favoured if self.is_versus else ""

    @cached_property
    def wins_outright(self) -> str:
        """The action that wins without a roll, if there is one."""
        return self.favoured if self.resolution is Resolution.AUTOMATIC else ""


class _Row(msgspec.Struct, frozen=True):
    """What a row of the two tables says in codes; a side without an action does nothing."""

    a_rolls_code: Rolls
    loss_to_body_b_code: Loss
    after_effect_on_a_codes: tuple[ActionEffect, ...]
    after_effect_on_b_codes: tuple[ActionEffect, ...]
    b_rolls_code: Rolls = Rolls.NONE
    loss_to_body_a_code: Loss = Loss.NONE
    resolution_code: Resolution = Resolution.NONE
    favoured_code: str = "nobody"


def actions() -> tuple[str, ...]:
    """The seven verbal actions (duel_of_wits.actions.seven).

    >>> actions()
    ('avoid', 'dismiss', 'feint', 'incite', 'obfuscate', 'point', 'rebuttal')
    """
    return tuple(map(str, catalogue().table("duel_of_wits.table.action_skills").column("action")))


@cache
def pairing(a: str, b: str) -> Pairing:
    """The row of two actions; either may be missing, where a side has none.

    >>> pairing("point", "avoid").losses[1].value
    'successes_less_successes'
    """
    if a == NOTHING and b != NOTHING:
        return _mirrored(pairing(b, a))
    if b == NOTHING:
        table = catalogue().table("duel_of_wits.table.against_no_action")
        row = table.where(a=a or "no action").as_struct(_Row)
    else:
        table = catalogue().table("duel_of_wits.table.interaction_matrix")
        row = table.where(a=a, b=b).as_struct(_Row)
    return Pairing(
        actions=(a, b),
        rolls=(row.a_rolls_code, row.b_rolls_code),
        resolution=row.resolution_code,
        favoured="" if row.favoured_code == "nobody" else row.favoured_code,
        losses=(row.loss_to_body_a_code, row.loss_to_body_b_code),
        after=(row.after_effect_on_a_codes, row.after_effect_on_b_codes),
    )


def _mirrored(pair: Pairing) -> Pairing:
    """The same pair seen from the other side."""
    return Pairing(
        actions=(pair.actions[1], pair.actions[0]),
        rolls=(pair.rolls[1], pair.rolls[0]),
        resolution=pair.resolution,
        favoured=pair.favoured,
        losses=(pair.losses[1], pair.losses[0]),
        after=(pair.after[1], pair.after[0]),
    )


# --- By which rules ------------------------------------------------------------------------

_ANY = (NOTHING, "avoid", "dismiss", "feint", "incite", "obfuscate", "point", "rebuttal")
_WHY = (
    ("avoid", ("point", "obfuscate", "incite"), "duel_of_wits.avoid.subtract"),
    ("avoid", ("feint", "rebuttal"), "duel_of_wits.avoid.automatic"),
    ("avoid", ("dismiss",), "duel_of_wits.avoid.not_dismiss"),
    ("avoid", _ANY, "duel_of_wits.avoid.no_harm"),
    ("dismiss", _ANY, "duel_of_wits.dismiss.effect"),
    ("dismiss", ("dismiss", "point"), "duel_of_wits.dismiss.defends_nothing"),
    ("dismiss", ("rebuttal", "obfuscate"), "duel_of_wits.dismiss.countered_by"),
    ("feint", _ANY, "duel_of_wits.feint.only_two_targets"),
    ("feint", ("rebuttal",), "duel_of_wits.feint.beats_rebuttal"),
    ("feint", ("rebuttal",), "duel_of_wits.feint.free_point"),
    ("feint", ("point", "dismiss", "incite"), "duel_of_wits.feint.useless_against_attacks"),
    ("feint", ("avoid",), "duel_of_wits.feint.useless_against_avoid"),
    ("feint", ("obfuscate",), "duel_of_wits.feint.double_roll_against_obfuscate"),
    ("incite", _ANY, "duel_of_wits.incite.obstacle"),
    ("incite", _ANY, "duel_of_wits.incite.works_whatever_victim_does"),
    ("incite", ("point", "dismiss", "rebuttal"), "duel_of_wits.incite.no_defence"),
    ("incite", _ANY, "duel_of_wits.incite.no_body_loss"),
    ("obfuscate", _ANY, "duel_of_wits.obfuscate.versus"),
    ("obfuscate", ("feint",), "duel_of_wits.obfuscate.not_vs_feint"),
    ("obfuscate", ("dismiss",), "duel_of_wits.obfuscate.stops_dismiss"),
    ("obfuscate", _ANY, "duel_of_wits.obfuscate.no_body_loss"),
    ("point", _ANY, "duel_of_wits.point.effect"),
    ("point", ("avoid", "rebuttal"), "duel_of_wits.point.reduced_by"),
    ("point", ("point", "dismiss"), "duel_of_wits.point.no_defence"),
    ("point", ("feint", "obfuscate", "incite"), "duel_of_wits.point.counters"),
    ("rebuttal", ("point", "dismiss"), "duel_of_wits.rebuttal.defence"),
    ("rebuttal", _ANY, "duel_of_wits.rebuttal.riposte"),
    ("rebuttal", ("point", "dismiss"), "duel_of_wits.rebuttal.riposte_always"),
    ("rebuttal", ("feint",), "duel_of_wits.rebuttal.countered_by_feint"),
    ("rebuttal", ("avoid",), "duel_of_wits.rebuttal.countered_by_avoid"),
)


@cache
def rules_of(a: str, b: str) -> tuple[str, ...]:
    """The rules that apply when two actions meet.

    >>> rules_of("avoid", "rebuttal")[0]
    'duel_of_wits.avoid.automatic'
    """
    return tuple(
        rule
        for mine, other in ((a, b), (b, a))
        for action, against, rule in _WHY
        if action == mine and other in against
    )
