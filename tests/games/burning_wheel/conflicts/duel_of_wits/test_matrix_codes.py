"""The codes of the duel's tables, held against a second reader that knows only the words.

The tables say twice what two actions do to each other: in codes, which the game works with, and in
words and little formulas for people. Here the words are read, and both must come to the same for
every pair and for many rolls.
"""

from __future__ import annotations

import re
from itertools import product
from typing import NamedTuple

import pytest

from astragal.games.burning_wheel.conflicts.duel_of_wits.actions import speaking_order
from astragal.games.burning_wheel.conflicts.duel_of_wits.compromise import concession
from astragal.games.burning_wheel.conflicts.duel_of_wits.matrix import (
    NOTHING,
    AfterEffect,
    SideSuccesses,
    pairing,
)
from astragal.rules import Record, catalogue
from games.burning_wheel.formulas import AHEAD, Formula, formula


def table(name: str) -> tuple[Record, ...]:
    return catalogue().table(f"duel_of_wits.table.{name}").records()


class Clause(NamedTuple):
    """One consequence for one side, and on what it depends."""

    after: str
    holds: tuple[Formula, ...]
    unless: tuple[Formula, ...]
    amount: Formula | None


EFFECTS = (
    (r"[AB] hesitates next volley unless this Dismiss won the duel", "hesitates"),
    (r"[AB] makes a Steel test and on failure loses next action", "steel"),
    (r"[AB] gains (?P<amount>.+) advantage dice on next test", "advantage"),
    (r"[AB] has \+(?P<amount>\d+) Ob on next action", "obstacle"),
    (r"[AB] gains \+(?P<amount>\d+)D on next action", "die"),
)


def clauses(text: str) -> list[Clause]:
    """The consequences in a cell: pieces between semicolons, each with its conditions."""
    plain = re.sub(r" \([a-z][^)]*\)", "", text)  # remarks; Will(A) is none
    always: tuple[Formula, ...] = ()
    if only := re.match(r"only if ([^:]+): ", plain):
        always, plain = (formula(only[1]),), plain[only.end() :]
    found: list[Clause] = []
    last: tuple[Formula, ...] = ()
    for piece in plain.split("; "):
        holds, unless = always, ()
        piece = piece.removeprefix("also ")
        if condition := re.match(r"if ([^:]+): ", piece):
            last = (formula(condition[1]),)
            holds, piece = always + last, piece[condition.end() :]
        elif piece.startswith("otherwise "):
            unless, piece = last, piece.removeprefix("otherwise ")
        for pattern, after in EFFECTS:
            if said := re.fullmatch(pattern, piece):
                amount = said.groupdict().get("amount")
                found.append(Clause(after, holds, unless, formula(amount) if amount else None))
                break
        else:
            # A side without an action has none to lose; anything else would be a new effect.
            assert piece == "-" or "no current action" in piece, f"not understood: {piece!r}"
    return found


def rolls_in(words: str) -> str:
    if words == "no roll":
        return "none"
    if "rolled twice" in words:
        return "twice"
    if "split" in words:
        return "riposte" if "only the riposte" in words else "split"
    return "free_point" if words == "skill for a Point" else "once"


PAIRS = [*table("interaction_matrix"), *table("against_no_action")]


def cards_of(row: Record) -> tuple[str, str]:
    a = row.text("a")
    return (NOTHING if a == "no action" else a), str(row.get("b", NOTHING))


def named(row: Record) -> str:
    return "-".join(card or "nothing" for card in cards_of(row))


@pytest.mark.parametrize("row", PAIRS, ids=named)
def test_who_rolls_what_and_how_it_is_held_against_the_other(row: Record):
    pair = pairing(*cards_of(row))
    words = str(row.get("resolution", "none"))
    assert [rolls.value for rolls in pair.rolls] == [
        rolls_in(str(row["a_rolls"])),
        rolls_in(str(row.get("b_rolls", "no roll"))),
    ]
    assert pair.resolution.value == re.split(r"\W", words, maxsplit=1)[0]
    tie = re.search(r"tie to (\w+)", words)
    outright = re.search(r"automatic: (\w+) wins", words)
    assert pair.tie_to == (tie[1].casefold() if tie else "")
    assert pair.wins_outright == (outright[1].casefold() if outright else "")


def values_of(a: SideSuccesses, b: SideSuccesses, ahead: int) -> dict[str, int]:
    values = {AHEAD: ahead}
    for side, rolled in (("A", a), ("B", b)):
        values |= {
            f"s{side}": rolled.successes,
            f"def{side}": rolled.defence,
            f"rip{side}": rolled.riposte,
            f"Will{side}": rolled.will,
        }
    return values


def hands(code: str) -> list[SideSuccesses]:
    """What a side may have rolled, from nothing to more than a Will."""
    if code == "none":
        return [SideSuccesses(will=3)]
    if code in ("split", "riposte"):
        return [
            SideSuccesses(0, defence, riposte, 3)
            for defence, riposte in product(range(4), repeat=2)
        ]
    return [SideSuccesses(successes, will=3) for successes in range(6)]


@pytest.mark.parametrize("row", PAIRS, ids=named)
def test_losses_and_what_follows_are_coded_as_they_are_worded(row: Record):
    pair = pairing(*cards_of(row))
    losses = [formula(str(row.get(f"loss_to_body_{side}", "0"))) for side in "ab"]
    follows = [clauses(str(row[f"after_effect_on_{side}"])) for side in "ab"]
    net = re.search(r"net = (.*?), then", str(row.get("resolution", "")))
    for a, b, ahead in product(hands(pair.rolls[0].value), hands(pair.rolls[1].value), (0, 1, -1)):
        if ahead and not pair.is_versus:
            continue  # only a tied versus test is broken by a trait
        values = values_of(a, b, ahead)
        # A tie that a trait has broken is won, and nothing is exceeded by it: as many were rolled
        # (duel_of_wits.obfuscate.exceed).
        as_rolled = {**values, AHEAD: 0}
        if net:
            values["net"] = formula(net[1])(values)
        lead = (a.total - b.total or ahead) if pair.is_versus else 0
        for side, (mine, other, my_lead) in enumerate(((a, b, lead), (b, a, -lead))):
            assert pair.losses[side].points(mine, other, my_lead) == losses[side](values)
            worded = [
                (clause.after, 1 if clause.amount is None else clause.amount(values))
                for clause in follows[side]
                if all(
                    test(as_rolled if clause.after == "obstacle" else values)
                    for test in clause.holds
                )
                and not any(test(values) for test in clause.unless)
            ]
            coded = [effect.leaves(mine, other, my_lead) for effect in pair.after[side]]
            assert [(left[0].value, left[1]) for left in coded if left] == worded
            may = [after for effect in pair.after[side] for after in effect.may_leave]
            assert {after.value for after in may} == {each.after for each in follows[side]}


@pytest.mark.parametrize("row", table("after_effects"), ids=lambda row: row["cause_code"])
def test_what_follows_waits_and_weighs_as_it_is_worded(row: Record):
    words, amount = str(row["effect"]), row.number("amount")
    number = re.match(r"\+(\d)(?: Ob|D)", words)
    if number:
        assert amount == int(number[1])
    else:
        assert amount == (0 if "equal to obstacle minus" in words else 1)
    waits = {
        "this_volley": "this volley",
        "next_volley": "the very next volley, also across exchanges",
        "next_action": "his next action",
        "next_test": "his next test",
    }
    assert row["when"] == waits[row.text("when_code")]
    causes = {
        "hesitates": "own Dismiss did not win the duel",
        "steel": "Incite succeeded and the victim failed his Steel test",
        "advantage": "Incite failed",
        "obstacle": "Obfuscate exceeded its obstacle",
        "stopped": "Obfuscate won (met or exceeded)",
        "die": "Obfuscate lost",
    }
    assert row["cause"] == causes[row.text("cause_code")]
    assert row["cause_code"] in {"stopped", *(after.value for after in AfterEffect)}


@pytest.mark.parametrize("row", table("speaking_order"), ids=lambda row: row["pairing"])
def test_who_speaks_first_is_coded_as_it_is_worded(row: Record):
    everything = [str(each["action"]) for each in table("action_skills")]
    one, _, other = str(row["pairing"]).partition(" against ")
    for words, column in ((one, "one_codes"), (other or one, "other_codes")):
        said = re.split(", | or ", words)
        is_all = words in ("anything", "any other pairing")
        assert list(row.texts(column)) == (everything if is_all else said)
    says = str(row["who speaks first"])
    first = {
        "one": says.startswith("the "),
        "other": says == "spoken over the opponent",
        "decided": "trait" in says,
        "either": "no mechanical effect" in says,
    }
    assert [code for code, is_so in first.items() if is_so] == [row["first_code"]]
    words, _ = speaking_order(row.texts("one_codes")[0], row.texts("other_codes")[0])
    assert words == says or row["first_code"] == "either"


@pytest.mark.parametrize("started", range(1, 16))
def test_concessions_are_coded_as_they_are_worded(started: int):
    for left in range(started + 1):
        (worded,) = (
            row.text("concession owed to the loser")
            for row in table("compromise")
            if formula(row.text("default test (S = starting body, R = remaining)"))(
                {"S": started, "R": left}
            )
        )
        assert concession(started, left).replace("_", " ") == worded.partition(":")[0]
