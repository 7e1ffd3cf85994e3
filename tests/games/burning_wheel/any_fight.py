"""Fights in any state whatever, for tests that compare two ways to work the same thing out.

Two against three, with somebody who only looks on. Everything that a sheet, a fighter, the scene
or the readings of the rules can have that might bear on a roll is there in some of them: the state
is drawn, not played, so that it holds together no better than what a long fight leaves behind.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable
from random import Random
from typing import Any

import msgspec

from astragal.dice import Seeded
from astragal.errors import Refusal
from astragal.games.burning_wheel.armor.block_and_strike import Stance
from astragal.games.burning_wheel.conflicts.fight.fight import (
    ArmedFighter,
    FightSide,
    StartFight,
    fight_on,
)
from astragal.games.burning_wheel.conflicts.fight.state import (
    FallenWeapon,
    Fight,
    FightDeed,
    FightingCharacter,
    Gap,
    Hindrance,
    HindranceUntil,
    Lock,
    Positioning,
    Posture,
    Preparation,
    ReadiedAction,
)
from astragal.games.burning_wheel.conflicts.fight.weapon_in_hand import others_at_hand
from astragal.games.burning_wheel.sheet.scene import BurningTable
from astragal.games.burning_wheel.sheet.weapon_tables import melee_lines, ways
from astragal.games.burning_wheel.sheet.weapons_carried import armed_with
from astragal.play import (
    Answer,
    Ask,
    Line,
    Number,
    PickOne,
    PickSeveral,
    Play,
    Script,
    Session,
    SessionEvent,
    Split,
    Step,
    Text,
    YesNo,
    by,
    then,
)
from astragal.rules import catalogue
from games.burning_wheel.playing import Dice, somehow, table
from scripts_at_random import random_script

SIDES = {"ann": 0, "bob": 0, "cat": 1, "dan": 1, "eve": 1}
BYSTANDER = "fay"
SERIES = "the fight"

STATS = ("Will", "Perception", "Agility", "Speed", "Power", "Forte")
SKILLS = ("Sword", "Axe", "Knives", "Polearm", "Brawling", "Boxing", "Crossbow", "Intimidation")
WEAPONS = ("sword", "axe", "dagger", "polearm", "great mace", "crossbow", "hunting bow", "spear")
ARMOR = ("leather", "plated_leather", "chainmail", "full_plate")
CARDS = (
    "avoid",
    "avoid",
    "avoid",
    "strike",
    "block",
    "push",
    "throw_object",
    "strike:hilt_or_pommel",
    "get_up",
)
ACTIONS = {
    "strike": "strike",
    "great_strike": "great_strike",
    "feint": "feint",
    "disarm": "disarm",
    "beat_and_bind": "beat_and_bind",
    "push": "push",
    "lock": "lock",
    "throw_opponent": "throw_opponent",
    "avoid": "avoid",
    "block": "block",
    "counterstrike": "counterstrike",
    "block_and_strike": "block_and_strike",
    "change_stance:defensive": "block",
    "escape_lock": "non_martial",
    "great_strike_set": "great_strike_set",
}
"""What is done in a moment, by its card."""

DEFENCES = ("avoid", "block", "counterstrike", "block_and_strike", "change_stance:defensive")

BIDS = ("bid", "struck")
"""Questions to which not every answer that their form allows is a legal one."""

REACTIONS = ("", "stand_and_drool", "fall_prone_and_beg_for_mercy", "run_screaming")


def any_fight(rng: Random) -> Fight:
    """Anybody in any state, on foot and without spells or prayers under way."""
    sheets = {name: _sheet(rng) for name in (*SIDES, BYSTANDER)}
    at = table(_scene(rng), _options(rng), **sheets)
    fighters = []
    for name, side in SIDES.items():
        fighters.append(_fighter(rng, name, side, at))
    opposed = [(one, other) for one in SIDES for other in SIDES if SIDES[one] < SIDES[other]]
    some = rng.sample(opposed, rng.randint(0, 2))
    fallen = [(name, each) for name in SIDES for each in at.character(name).weapons]
    return Fight(
        tuple(fighters),
        at,
        tuple(Gap(one, other, rng.choice((-1, 0, 1, 2, 2, 5))) for one, other in opposed),
        tuple(Lock(*rng.sample(pair, 2), rng.randint(1, 2)) for pair in some),
        tuple(
            FallenWeapon(owner, weapon, rng.randint(0, 2), _maybe(rng))
            for owner, weapon in rng.sample(fallen, min(len(fallen), rng.randint(0, 2)))
        ),
        (Line(rng.randint(1, 3), "mud", "fight.disadvantage.melee"),) if _maybe(rng) else (),
        rng.choice((SERIES, "")),
        rng.randint(1, 3),
        rng.randint(0, 3),
        rng.randint(0, 4),
        quick=rng.choice(("", *SIDES)),
        is_quick_volley=_maybe(rng),
        engaged=_maybe(rng),
        may_react=_maybe(rng),
    )


def any_deeds(rng: Random, fight: Fight) -> tuple[FightDeed, ...]:
    """Something for all who can do anything, at an opponent; most are at one, who defends."""
    acting = [each for each in fight.standing if not each.is_hesitating]
    at = rng.choice(acting).character if acting else ""
    found = []
    for each in acting:
        name, opponents = each.character, fight.opponents(each.character)
        if not opponents:
            continue
        card = rng.choice(DEFENCES if name == at else tuple(ACTIONS))
        target = at if at in opponents and rng.random() < 0.7 else rng.choice(opponents)
        beside = [each.called for each in others_at_hand(fight, name).values()]
        way = rng.choice(["", *beside]) if card == "strike" else ""
        found.append(FightDeed(name, ACTIONS[card], card, target, way))
    return tuple(found)


def played(step: Callable[..., Step[Any]], *args: Any) -> tuple[Any, ...]:
    """What comes of a step without dice: its result or its refusal, and everything said in it."""

    def whole() -> Play[Any]:
        return (yield from step(*args))

    session: Session[Any] | None = None
    try:
        session = Session(then(whole), Dice(()))
        while session.waiting:
            ask = session.waiting[0]
            session.answer(ask.seat, somehow_or_other(ask))
    except Refusal as refusal:
        return str(refusal), () if session is None else tuple(session.events)
    return session.result, tuple(session.events)


def fought(seed: int, most: int) -> tuple[SessionEvent, ...]:
    """What happens in a fight of all five, answered in any way, up to so many answers."""
    rng, at = Random(seed), any_fight(Random(seed)).table
    scene = msgspec.structs.replace(at.scene, series=(), hesitating=(), riders=())
    start = StartFight(
        tuple(
            FightSide(tuple(ArmedFighter(name) for name, own in SIDES.items() if own == side))
            for side in sorted(set(SIDES.values()))
        )
    )
    begun = then(fight_on, start, msgspec.structs.replace(at, scene=scene))
    session: Session[Any] = Session(begun, by(Seeded(seed)))
    for _ in range(most):
        if not session.waiting:
            break
        ask = session.waiting[0]
        if isinstance(ask.question, Script) and ask.question.default is None:
            session.answer(ask.seat, random_script(ask.question, rng))
        elif isinstance(ask.question, Script) or ask.key in BIDS:
            session.answer(ask.seat, somehow(ask))
        else:
            session.answer(ask.seat, somehow_or_other(ask))
    return tuple(session.events)


def somehow_or_other(ask: Ask) -> Answer:
    """Any answer that is allowed; to the same question always the same."""
    rng = Random(zlib.crc32(repr(ask).encode()))
    match ask.question:
        case YesNo():
            return _maybe(rng)
        case PickOne(options=options):
            return rng.choice(options).key
        case PickSeveral(options=options, least=least, most=most):
            many = rng.randint(least, min(len(options), most or 2))
            return tuple(each.key for each in rng.sample(options, many))
        case Number(least=least, most=most):
            return rng.randint(least, max(least, min(most, 3)))
        case Split(amount=amount, pools=(_, _), least=least, all_of_it=True):
            one = rng.randint(least, amount - least)
            return one, amount - one
        case Text():
            return rng.choice(("", "from above")) if ask.question.default == "" else somehow(ask)
    return somehow(ask)


# --- What is drawn ---------------------------------------------------------------------------


def _maybe(rng: Random) -> bool:
    return rng.random() < 0.5


def _rating(rng: Random, least: int = 1, most: int = 6) -> str:
    return f"{rng.choice('BBBG')}{rng.randint(least, most)}"


def _sheet(rng: Random) -> dict[str, Any]:
    skills: dict[str, Any] = {
        name: {"rating": _rating(rng, 0), "roots": ["Agility"]}
        for name in SKILLS
        if rng.random() < 0.6
    }
    found: dict[str, Any] = {
        "stats": {name: _rating(rng, 4) for name in STATS},
        "attributes": {"Health": "B5", "Reflexes": _rating(rng, 3), "Steel": _rating(rng, 3)},
        "tolerances": ["B3", "B5", "B7", "B8", "B9", "B10"],
        "skills": skills,
        "weapons": [_weapon(rng, name) for name in rng.sample(WEAPONS, rng.randint(0, 2))],
        "artha": {"fate": rng.randint(0, 1), "persona": rng.randint(0, 2)},
        "npc": _maybe(rng),
    }
    if _maybe(rng):
        levels = ("Superficial", "Superficial", "Light", "Midi")
        found["wounds"] = list(rng.sample(levels, rng.randint(1, 2)))
    if _maybe(rng):
        kind = rng.choice(("buckler", "target", "great_shield"))
        found["shield"] = {"kind": kind, "lost": rng.randint(0, 2)}
        found["training"] = rng.choice(([], ["Shield Training"]))
    if rng.random() < 0.3:
        parts = rng.sample(("torso", "left_arm", "right_arm", "left_leg", "head"), 2)
        found["armor"] = {part: rng.choice(ARMOR) for part in parts}
    if _maybe(rng):
        found["traits"] = [_trait(rng), _trait(rng)]
    if rng.random() < 0.3:
        found["active_spells"] = [_spell(rng)]
    if rng.random() < 0.3:
        ability = rng.choice((*SKILLS, "Speed", "Power"))
        found["prayers"] = [{"prayer": "blessing", "ability": ability, "dice": 2}]
    if rng.random() < 0.2:
        found["body_type"] = "Great Spider"
        found.setdefault("traits", []).append("Eight-Legged")
    return found


def _weapon(rng: Random, name: str) -> dict[str, Any]:
    made: dict[str, Any] = {"weapon": name, "shade": rng.choice("BBG")}
    return {**made, "loaded": _maybe(rng)} if name == "crossbow" else made


def _trait(rng: Random) -> dict[str, Any]:
    ability = rng.choice((*SKILLS, "Agility", "Speed", "Power"))
    name = f"{rng.choice(('Keen', 'Slow', 'Old', 'Mad'))} {rng.randint(1, 99)}"
    kind = rng.choice(("dice", "obstacle", "open_ended", "call_on"))
    if kind == "call_on":
        return {"name": name, "kind": "call_on", "abilities": [ability]}
    if kind == "open_ended":
        return {"name": name, "kind": "die", "open_ended": [ability]}
    return {"name": name, "kind": "die", kind: {ability: 1}}


def _spell(rng: Random) -> dict[str, Any]:
    spell = {"name": "Ward", "obstacle": 3, "lasts": "Permanent", "effect": rng.randint(1, 3)}
    if _maybe(rng):
        return {**spell, "does": "attack_obstacle"}
    return {**spell, "does": "bonus_dice", "abilities": [rng.choice(SKILLS)]}


def _scene(rng: Random) -> dict[str, Any]:
    tests = [
        {"character": name, "ability": rng.choice(SKILLS), "difficulty": "routine", "obstacle": 1}
        for name in SIDES
    ]
    found: dict[str, Any] = {
        "series": [{"title": SERIES, "characters": list(SIDES), "tests": tests}],
        "argh_my_arm": _maybe(rng),
        "enemies": [{"character": "ann", "name": "Cat"}],
    }
    if rng.random() < 0.3:
        who = rng.choice(tuple(SIDES))
        found["aristeias"] = [
            {"character": who, "form": "divine_aura", "ability": "Will", "goal": "win"},
            {"character": who, "form": "minor_epiphany", "ability": rng.choice(SKILLS)},
        ]
    if rng.random() < 0.3:
        who, beats = rng.choice(tuple(SIDES)), rng.randint(0, 2)
        found["hesitating"] = [
            {"character": who, "heartbeats": beats, "reaction": "run_screaming", "prone": True}
        ]
    if rng.random() < 0.2:
        found["riders"] = [{"rider": rng.choice(tuple(SIDES)), "mount": BYSTANDER}]
    return found


def _options(rng: Random) -> dict[str, str]:
    """Readings of the rules, another in some places than is usual."""
    specs = [each for each in catalogue().options("burning_wheel") if each.name != "edition"]
    found = {each.name: rng.choice(each.choices) for each in rng.sample(specs, len(specs) // 2)}
    return {**found, "edition": rng.choice(("revised", "revised", "gold"))}


def _fighter(rng: Random, name: str, side: int, at: BurningTable) -> FightingCharacter:
    weapons = [each.called for each in at.character(name).weapons]
    weapon = rng.choice(("", *weapons, *weapons))
    known = [each.name for each in ways(armed_with(at.character(name), weapon), at.options)]
    second = [w for w in weapons if w != weapon and melee_lines(w)]
    moves = (None, *Positioning)
    others = [other for other in SIDES if SIDES[other] != side]
    announced = tuple(rng.choices(CARDS, k=rng.randint(0, 3)))
    ready = Preparation(
        _maybe(rng), rng.randint(0, 2), rng.choice(("", *others)), sets=rng.randint(0, 2)
    )
    line = Line(rng.randint(1, 2), "off balance", "fight.push.win_by_one")
    hindrances = tuple(Hindrance(until, line) for until in HindranceUntil if rng.random() < 0.3)
    return FightingCharacter(
        name,
        side,
        weapon,
        rng.choice(("", "", *known)),
        rng.choice(tuple(Stance)),
        rng.choice((Posture.STANDING, *Posture)),
        rng.choice((0, 0, 0, 0, 2)),
        rng.choice(REACTIONS),
        _maybe(rng),
        rng.choice(moves),
        rng.choice(moves),
        _maybe(rng),
        None,
        _maybe(rng),
        _maybe(rng),
        _maybe(rng),
        hindrances,
        ready,
        tuple(rng.sample(weapons, rng.randint(0, len(weapons)))),
        tuple(rng.sample(weapons, rng.randint(0, len(weapons)))),
        rng.choice(("", *second)),
        announced=announced,
        targets=tuple(rng.choice(others) for _ in announced),
        waits=ReadiedAction("a bell", "strike") if rng.random() < 0.1 else None,
        bound=rng.choice(("", "weapon")),
        out="unconscious" if rng.random() < 0.15 else "",
        lanced=_maybe(rng),
    )
