"""What happens when two verbal actions meet: the 49 pairs, and an action that meets none.

There is no branch for any pair. ``duel_of_wits.table.interaction_matrix`` and
``duel_of_wits.table.against_no_action`` say for each pair who rolls what, what comes off which
body and what follows later; here those rows are read into a :class:`Pairing`, whose formulas are
then worked out for the successes that were rolled. The short lists of what counters what are not
symmetrical, and the rows prevail over them (duel_of_wits.amb.qualifier_lists_asymmetric).
"""

from __future__ import annotations

import re
from enum import Enum
from functools import cache, cached_property

import msgspec

from astragal.games.burning_wheel.sheet.formulas import AHEAD, Formula, Values, formula
from astragal.rules import catalogue

NOTHING = ""
"""The card of a side that has no action in a volley."""


class Rolls(Enum):
    """What a side rolls for its action against the other's."""

    NONE = "no roll"
    ONCE = "once"
    TWICE = "twice, successes added"
    SPLIT = "defence and riposte"
    RIPOSTE = "riposte alone"
    FREE_POINT = "a free Point"


class After(Enum):
    """What a volley may leave behind, by the cause that the catalogue gives it."""

    HESITATES = "own Dismiss did not win the duel"
    STEEL = "Incite succeeded and the victim failed his Steel test"
    ADVANTAGE = "Incite failed"
    OBSTACLE = "Obfuscate exceeded its obstacle"
    DIE = "Obfuscate lost"

    @property
    def when(self) -> str:
        """What it waits for, in the catalogue's words."""
        row = catalogue().table("duel_of_wits.table.after_effects").where(cause=self.value)
        return str(row["when"])


class Clause(msgspec.Struct, frozen=True):
    """One consequence for one side, and on what it depends."""

    after: After
    holds: tuple[Formula, ...] = ()
    unless: tuple[Formula, ...] = ()
    amount: Formula | None = None

    def applies(self, values: Values) -> bool:
        """Whether it follows from what was rolled."""
        return all(test(values) for test in self.holds) and not any(
            test(values) for test in self.unless
        )


class Pairing(msgspec.Struct, frozen=True, dict=True):
    """Two actions in the same volley, A's and B's: A is always the first of each pair."""

    actions: tuple[str, str]
    rolls: tuple[Rolls, Rolls]
    resolution: str
    losses: tuple[Formula, Formula]
    costs: tuple[str, str]
    """The losses as the table writes them, for whoever puts them into words."""
    after: tuple[tuple[Clause, ...], tuple[Clause, ...]]
    net: Formula | None = None

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
        """Whether the two rolls are a versus test, which knows a tie."""
        return self.resolution.startswith("versus")

    @cached_property
    def is_opposed(self) -> bool:
        """Whether successes of one side come off those of the other."""
        return self.resolution.startswith("opposed")

    @cached_property
    def tie_to(self) -> str:
        """The action that a tie goes to; none where it is a deadlock."""
        found = re.search(r"tie to (\w+)", self.resolution)
        return found[1].casefold() if found else ""

    @cached_property
    def wins_outright(self) -> str:
        """The action that wins without being rolled; none where it is not so simple."""
        found = re.search(r"automatic: (\w+) wins", self.resolution)
        return found[1].casefold() if found else ""


def actions() -> tuple[str, ...]:
    """The seven verbal actions (duel_of_wits.actions.seven).

    >>> actions()
    ('avoid', 'dismiss', 'feint', 'incite', 'obfuscate', 'point', 'rebuttal')
    """
    return tuple(map(str, catalogue().table("duel_of_wits.table.action_skills").column("action")))


@cache
def pairing(a: str, b: str) -> Pairing:
    """The row of two actions; either may be missing, where a side has none.

    >>> pairing("point", "avoid").losses[1]({"sA": 4, "sB": 1})
    3
    """
    if a == NOTHING and b != NOTHING:
        return _mirrored(pairing(b, a))
    if b == NOTHING:
        table = catalogue().table("duel_of_wits.table.against_no_action")
        row = {"b_rolls": "no roll", "resolution": "", "loss_to_body_a": "0"}
        row |= {key: str(cell) for key, cell in table.where(a=a or "no action").items()}
    else:
        matrix = catalogue().table("duel_of_wits.table.interaction_matrix")
        row = {key: str(cell) for key, cell in matrix.where(a=a, b=b).items()}
    net = re.search(r"net = (.*?), then", row["resolution"])
    return Pairing(
        actions=(a, b),
        rolls=(_rolls(row["a_rolls"]), _rolls(row["b_rolls"])),
        resolution=row["resolution"],
        losses=(formula(row["loss_to_body_a"]), formula(row["loss_to_body_b"])),
        costs=(row["loss_to_body_a"], row["loss_to_body_b"]),
        after=(_clauses(row["after_effect_on_a"]), _clauses(row["after_effect_on_b"])),
        net=formula(net[1]) if net else None,
    )


def _mirrored(pair: Pairing) -> Pairing:
    """The same pair seen from the other side; only the formulas keep their letters."""

    def turned(each: Formula) -> Formula:
        return lambda values: each(_turned(values))

    def turn(clause: Clause) -> Clause:
        return Clause(
            clause.after,
            tuple(map(turned, clause.holds)),
            tuple(map(turned, clause.unless)),
            None if clause.amount is None else turned(clause.amount),
        )

    return Pairing(
        actions=(pair.actions[1], pair.actions[0]),
        rolls=(pair.rolls[1], pair.rolls[0]),
        resolution=pair.resolution,
        losses=(turned(pair.losses[1]), turned(pair.losses[0])),
        costs=(_turned_words(pair.costs[1]), _turned_words(pair.costs[0])),
        after=(tuple(map(turn, pair.after[1])), tuple(map(turn, pair.after[0]))),
    )


def _turned(values: Values) -> Values:
    other = {"A": "B", "B": "A"}
    turned = {name[:-1] + other.get(name[-1], name[-1]): number for name, number in values.items()}
    return turned | {AHEAD: -values.get(AHEAD, 0)}


def _turned_words(cost: str) -> str:
    return re.sub(r"\b(s|def|rip)([AB])\b", lambda m: m[1] + {"A": "B", "B": "A"}[m[2]], cost)


def _rolls(text: str) -> Rolls:
    if text == "no roll":
        return Rolls.NONE
    if "rolled twice" in text:
        return Rolls.TWICE
    if "split" in text:
        return Rolls.RIPOSTE if "only the riposte" in text else Rolls.SPLIT
    return Rolls.FREE_POINT if text == "skill for a Point" else Rolls.ONCE


_EFFECTS = (
    (r"[AB] hesitates next volley unless this Dismiss won the duel", After.HESITATES),
    (r"[AB] makes a Steel test and on failure loses next action", After.STEEL),
    (r"[AB] gains (?P<amount>.+) advantage dice on next test", After.ADVANTAGE),
    (r"[AB] has \+(?P<amount>\d+) Ob on next action", After.OBSTACLE),
    (r"[AB] gains \+(?P<amount>\d+)D on next action", After.DIE),
)


def _clauses(text: str) -> tuple[Clause, ...]:
    """The consequences in a cell: pieces between semicolons, each with its conditions."""
    plain = re.sub(r" \([a-z][^)]*\)", "", text)  # remarks; Will(A) is none
    always: tuple[Formula, ...] = ()
    if only := re.match(r"only if ([^:]+): ", plain):
        always, plain = (formula(only[1]),), plain[only.end() :]
    found: list[Clause] = []
    last: tuple[Formula, ...] = ()
    for piece in plain.split("; "):
        holds: tuple[Formula, ...] = always
        unless: tuple[Formula, ...] = ()
        piece = piece.removeprefix("also ")
        if condition := re.match(r"if ([^:]+): ", piece):
            last = (formula(condition[1]),)
            holds, piece = always + last, piece[condition.end() :]
        elif piece.startswith("otherwise "):
            unless, piece = last, piece.removeprefix("otherwise ")
        for pattern, after in _EFFECTS:
            if said := re.fullmatch(pattern, piece):
                amount = said.groupdict().get("amount")
                found.append(
                    Clause(after, holds, unless, None if amount is None else formula(amount))
                )
                break
        else:
            # A side without an action has none to lose; anything else would be a new effect.
            assert piece == "-" or "no current action" in piece, f"not understood: {piece!r}"
    return tuple(found)


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
    """The rules by which two actions meet, for whoever asks why it came out so.

    >>> rules_of("avoid", "rebuttal")[0]
    'duel_of_wits.avoid.automatic'
    """
    return tuple(
        rule
        for mine, other in ((a, b), (b, a))
        for action, against, rule in _WHY
        if action == mine and other in against
    )
