"""Small conflicts for the tests of sparring: two with equal swords, two with equal bows."""

from __future__ import annotations

from typing import Any

from astragal.dice import Seeded
from astragal.games.burning_wheel import GAME
from astragal.games.burning_wheel.conflicts.fight.fight import (
    ArmedFighter,
    FightSide,
    StartFight,
    fight_on,
)
from astragal.games.burning_wheel.conflicts.range_and_cover.skirmish import (
    Shooter,
    SkirmishSide,
    StartSkirmish,
    skirmish_on,
)
from astragal.lab.fight_sparring import ScriptedGame
from astragal.play import Script, Session, Then, by, then

NAMES = ("ann", "bob")


def start_of(game: ScriptedGame, *, rehearsal: bool = True) -> Then[Any]:
    """A conflict between two of equal skill, each with a seat of their own."""
    stats = dict.fromkeys(("Will", "Perception", "Agility", "Speed", "Power", "Forte"), "B4")
    raw = {
        "stats": stats,
        "attributes": {"Steel": "B5", "Reflexes": "B4", "Health": "B4"},
        "skills": {"Sword": "B4", "Bow": "B5"},
        "tolerances": ["B3", "B5", "B6", "B7", "B8", "B9"],
    }
    weapon = "sword" if game.name == "fight" else "hunting bow"
    table = GAME.table(
        {
            name: GAME.read_sheet({**raw, "name": name, "weapons": [{"weapon": weapon}]}, name)
            for name in NAMES
        }
    )
    if game.name == "fight":
        sides = tuple(FightSide((ArmedFighter(name),)) for name in NAMES)
        return then(fight_on, StartFight(sides, "it", rehearsal=rehearsal), table)
    teams = tuple(SkirmishSide((Shooter(name),)) for name in NAMES)
    return then(skirmish_on, StartSkirmish(teams, "it", rehearsal=rehearsal), table)


def at_scripts(game: ScriptedGame, *, rehearsal: bool = True) -> Session[Any]:
    """Where the first scripts are due."""
    answers = game.answers_of({})
    session = Session(start_of(game, rehearsal=rehearsal), by(Seeded("yard")))
    while not isinstance(session.waiting[0].question, Script):
        session.answer(session.waiting[0].seat, answers(session.waiting[0]))
    return session
