"""What a page draws of a moment: who acts against whom, and what their actions do to each other.

A section of the chapter on Fight! (``conflicts/fight/fight``). It is told before the dice, from
the lines of ``fight.table.interactions`` that are played.
"""

from __future__ import annotations

import msgspec

from astragal.play import CardPair, Fact, Step, tell, unheard

from .cards import label_of
from .interactions import HESITATING, Meeting, Relation
from .matching import MomentPlan, PlannedAttack
from .state import Fight


class MeetingShown(msgspec.Struct, frozen=True):
    """An attack: whose, which, on whom, what that one does, and what the table makes of it."""

    attacker: str
    attack: str
    target: str
    action: str
    meets: Meeting

    @property
    def effect(self) -> str:
        """What stands against the attack."""
        return _WORDS[self.meets.relation].format(
            attack=self.attack, action=self.action, target=self.target, against=self._against
        )

    @property
    def _against(self) -> str:
        natural = self.meets.natural is not None
        return f"{self.action} and Natural Defenses" if natural else self.action


_WORDS = {
    Relation.OPPOSED: "{against} against the {attack}.",
    Relation.NATURAL: "Natural Defenses against the {attack}.",
    Relation.UNOPPOSED: "Nothing opposes the {attack}.",
    Relation.CONDITIONAL: "Only a true shield stops the {attack}.",
    Relation.FREE_STRIKE: "The {attack} works: a free Strike at {target}.",
    Relation.CANCELLED: "The {attack} is useless against this.",
    Relation.NOT_ROLLED: "The {attack} is not rolled.",
    Relation.INDEPENDENT: "They do not meet.",
}


class ActionsMeet(Fact, frozen=True, tag="actions_meet"):
    """The actions of one slot, attack by attack."""

    action: int
    shown: tuple[MeetingShown, ...]
    rule: str = "fight.table.interactions"
    role = "effect"

    def sentence(self) -> str:
        """Each attack and what stands against it."""
        said = (f"{each.attacker} on {each.target}: {each.effect}" for each in self.shown)
        return f"{self.headline}. {' '.join(said)}"

    @property
    def headline(self) -> str:
        """Which action of the volley."""
        return f"Action {self.action}" if self.action else "The first action"

    @property
    def meetings(self) -> tuple[CardPair, ...]:
        """Two by two; two who attack each other are one pair."""
        found: dict[frozenset[str], CardPair] = {}
        for each in self.shown:
            pair = frozenset((each.attacker, each.target))
            had = found.get(pair)
            if had is None:
                found[pair] = CardPair(
                    each.attacker, each.attack, each.target, each.action, each.effect
                )
            elif each.effect != had.effect:
                effect = f"{had.effect} {each.effect}"
                found[pair] = msgspec.structs.replace(had, effect=effect)
        return tuple(found.values())


def show_meetings(fight: Fight, plan: MomentPlan) -> Step[None]:
    """Tell what meets what, if anybody attacks."""
    if plan.attacks and not (yield from unheard()):
        shown = tuple(_shown(fight, plan, attack) for attack in plan.attacks)
        yield from tell(ActionsMeet(fight.action, shown))


def _shown(fight: Fight, plan: MomentPlan, attack: PlannedAttack) -> MeetingShown:
    deed = attack.deed
    answer = plan.deed_of(deed.target)
    if answer is not None:
        action = label_of(answer.card)
    else:
        action = "hesitates" if plan.counts_as(deed.target) == HESITATING else "no action"
    return MeetingShown(
        fight.name(deed.character),
        label_of(deed.card),
        fight.name(deed.target),
        action,
        attack.met,
    )
