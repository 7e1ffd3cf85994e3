"""What the GM sets before a roll: the obstacle, the time it takes, what failure brings."""

from __future__ import annotations

import msgspec

from astragal.errors import BadInput
from astragal.play import GM, Number, Option, Step, Text, ask, choose, confirm_aside, tell
from astragal.rules import catalogue

from ..sheet.catalogue_keys import key_of
from ..sheet.durations import parse_duration, say_duration
from ..sheet.editions import REVISED, Edition, edition
from ..sheet.facts import AtStake
from ..sheet.parts import SkillAbility
from ..sheet.scene import BurningTable
from ..sheet.sheet import Sheet
from .circumstances import time_guideline
from .intent import Agreement, Declaration


class RollTerms(msgspec.Struct, frozen=True):
    """What the GM sets before the roll; ``opposed_by`` is whose exponent the obstacle is.

    ``rule`` is the one that sets the base obstacle, where it is not the GM who does.
    """

    base: int
    success: str
    failure: str
    death: str
    seconds: int
    portions: int
    opposed_by: str = ""
    rule: str = ""


def set_terms(
    agreed: Agreement, declaration: Declaration, table: BurningTable, *, obstacle: bool
) -> Step[RollTerms]:
    """The GM sets the obstacle and says what success and failure will bring, and how long it takes.

    tests.standard.gm_sets_obstacle, tests.success.gm_announces_result: success brings the intent
    itself unless the GM says more. A test without an ``obstacle`` does not fail.
    """
    played = edition(table.options)
    base, opposed_by = 0, ""
    if obstacle:
        base, opposed_by = yield from _obstacle(declaration.target, table)
    success = yield from ask(
        GM,
        "on_success",
        "What success brings",
        Text(default=agreed.own_intent),
        because="tests.success.gm_announces_result",
        kind="aside",
    )
    threat, death = (yield from threaten("", played)) if obstacle else ("", "")
    seconds = yield from set_time(agreed, declaration.time)
    portions = 1
    if seconds:
        portions = yield from ask(
            GM,
            "portions",
            "Reveal the result in how many stages?",
            Number(least=1, most=20, default=1),
            because="tests.time.break_up_results",
            kind="aside",
        )
    what = f"{threat}; {death}" if threat and death else threat or death
    if obstacle:
        what = what or "the GM names it"
    yield from tell(AtStake(success, what, say_duration(seconds)))
    return RollTerms(base, success, threat, death, seconds, portions, opposed_by)


def _obstacle(target: str, table: BurningTable) -> Step[tuple[int, str]]:
    """The base obstacle of the task, whatever dice the character has.

    tests.obstacle.gm_assigns, tests.obstacle.may_be_out_of_reach; in the later edition 1 to 10
    (gold.tests.obstacle_range), or the exponent of an opponent.
    """
    played = edition(table.options)
    if played.obstacle_from_opponents and target in table.characters:
        opposed, whose = yield from _opposed(table.character(target))
        if opposed:
            return opposed, whose
    scale = catalogue().table("tests.table.obstacle_scale").records()
    names = tuple((row.number("obstacle"), str(row["label"])) for row in scale)
    base: int = yield from ask(
        GM,
        "obstacle",
        "Obstacle",
        Number(least=1, most=played.highest_base_obstacle, names=names),
        because="tests.obstacle.gm_assigns",
    )
    return base, ""


def _opposed(opponent: Sheet) -> Step[tuple[int, str]]:
    """An opponent's exponent as the obstacle, if the GM takes one.

    gold.tests.obstacle_from_opponent, gold.diff.obstacle_from_ability.
    """
    rule = "gold.tests.obstacle_from_opponent"
    own = [rated for rated in opponent.abilities() if rated.exponent]
    none = Option(key="none", label="No: set a number", rule="tests.obstacle.gm_assigns")
    options = tuple(Option(key=rated.name, label=str(rated), rule=rule) for rated in own)
    chosen = yield from choose(
        GM,
        "obstacle_from",
        f"Use an ability of {opponent.name} as the obstacle?",
        (none, *options),
        default="none",
        because=rule,
    )
    if chosen == "none":
        return 0, ""
    return opponent.ability(chosen).exponent, f"{opponent.name}'s {chosen}"


NO_CONSEQUENCE = ("nothing", "nothing_happens", "nothing_much", "no_consequence", "none")
"""Answers that are no consequence at all (gold.tests.consequence_quality)."""


def threaten(
    unless_said: str, played: Edition = REVISED, *, if_what: str = "it fails"
) -> Step[tuple[str, str]]:
    """What failure will bring, told before any dice are rolled (tests.failure.stated_before_roll).

    A complication (tests.failure.complication), or death, and then exactly how and why
    (tests.failure.death_announced). What is not written here the GM says aloud. In the later
    edition it must make matters worse and move the story on: that nothing happens is refused
    (gold.tests.consequence_quality).
    """
    threat = yield from ask(
        GM,
        "on_failure",
        f"If {if_what}",
        Text(default=unless_said),
        because="tests.failure.complication",
        kind="aside" if unless_said else "offered",
    )
    if played.failure_must_complicate and key_of(threat) in NO_CONSEQUENCE:
        expected = "a consequence that makes matters worse and moves the story on"
        raise BadInput("on_failure", threat, expected, "gold.tests.consequence_quality")
    deadly = yield from confirm_aside(
        GM, "deadly", "Does failure mean death?", because="tests.failure.death_announced"
    )
    if not deadly:
        return threat, ""
    death = yield from ask(
        GM,
        "death",
        "How exactly does failure kill?",
        Text(required=True, default="death"),
        because="tests.failure.death_announced",
    )
    return threat, death


def set_time(agreed: Agreement, offered: str) -> Step[int]:
    """How long it takes, stated before the roll; the GM's word is final within the guideline.

    tests.time.stated_before_roll, tests.time.gm_exact, tests.amb.time_who_states,
    gold.tests.length.
    """
    skill = agreed.tested.ability
    usual = time_guideline(
        skill.category if isinstance(skill, SkillAbility) else agreed.tested.kind.value
    )
    hint = f" (usually {usual})" if usual else ""
    said = yield from ask(
        GM,
        "time",
        f"How long does it take?{hint}",
        Text(default=offered or "instantaneous"),
        because="tests.time.stated_before_roll",
        kind="aside",
    )
    return parse_duration(said)
