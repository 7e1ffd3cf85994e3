"""What the Burning Wheel offers to people at a table: which procedures, in which words."""

from __future__ import annotations

from astragal.dice import Chance
from astragal.games.at_table import AtTable, SessionCounts, SuggestedScript
from astragal.games.meanings import Meaning, one_of
from astragal.play import Option, Script

from .armor.shield_cover import STEPS
from .armor.shields import MANEUVERS
from .artha.awards import awards
from .conditions.set_aside import PARTS
from .conflicts.duel_of_wits.actions import main_skills
from .conflicts.duel_of_wits.matrix import actions
from .conflicts.fight.scripters import suggested
from .conflicts.fight.surroundings import conditions
from .conflicts.range_and_cover.maneuvers import maneuvers
from .conflicts.range_and_cover.policies import suggested as suggested_maneuvers
from .magic.faith.air_of_gates import gates
from .magic.faith.battle_prayers import DISTANCES as PRAYER_DISTANCES
from .magic.faith.battle_prayers import LENGTHS as PRAYER_LENGTHS
from .magic.faith.black_metal import products
from .magic.faith.prayer_tables import prayers
from .magic.sorcery.interruption import interrupting_events
from .magic.sorcery.positioning import DISTANCES as SPELL_DISTANCES
from .magic.sorcery.positioning import LENGTHS as SPELL_LENGTHS
from .magic.sorcery.spell_tables import SKILLS as CASTING_SKILLS
from .magic.sorcery.sustaining import ORDINARY, events
from .pages.creation import CREATION
from .pages.demo import DEMO
from .pages.finding import FINDING
from .pages.first_questions import FIRST_QUESTIONS
from .pages.prayers import about_attempt
from .pages.scene_page import SECRET, scene_page
from .pages.sheet_page import ARTHA, page
from .rogues.one_line import one_line_character
from .rogues.quick_characters import ALL
from .sheet.armor_tables import LOCATIONS
from .sheet.parts import Difficulty
from .sheet.sheet import stat_names
from .tests.intent import ability_options
from .weapons.bombs import POSITIONS
from .weapons.fuses import DISTANCES, LENGTHS
from .weapons.locations import areas
from .weapons.shooting import RANGES

_SHADES = Meaning(
    "choice", choices=(Option("B", "Black"), Option("G", "Gray"), Option("W", "White"))
)
_AREAS = one_of(*areas()).choices
_SIDES = one_of(*LOCATIONS, "arms", "legs", free=True)
_ANYBODY = Meaning("character", free=True)
_THING = Meaning("own", what="thing")
_WEAPON = Meaning("own", what="weapon", free=True)
_AFFILIATION = Meaning("own", what="affiliation")
_HOW = Meaning("long", label="How", seldom=True)
_FROM_ONE = Meaning("groups", least=1)
"""A list of which one entry is usual."""
_STATS = Meaning("choices", choices=one_of(ALL, *stat_names()).choices)
_DUELING = tuple(Option(name, name) for name in main_skills())
_SPELL = Meaning("own", what="spell")
_THREATS = tuple(Option(key, words) for key, words in events("threatens_code", "yes").items())
_INTERRUPTS = tuple(Option(key, words) for key, words in interrupting_events().items())
_PRAYERS = Meaning(
    "choice", choices=tuple(Option(code, kind.name) for code, kind in prayers().items())
)
_GATES = tuple(Option(key, row.text("gate")) for key, row in gates().items())
_PRODUCTS = tuple(Option(key, row.text("product")) for key, row in products().items())
_AWARDS = tuple(
    Option(key, f"{award.name} ({award.points} {award.artha})") for key, award in awards().items()
)

MEANINGS: dict[str, Meaning] = {
    # the people
    "FateRoll.asker": _ANYBODY,
    "FateRoll.against": _ANYBODY,
    "opponent": _ANYBODY,
    "person": Meaning("character"),
    "Search.about": Meaning("character"),
    "Search.wise_by": Meaning("character"),
    "onlookers": Meaning("characters", free=True),
    "ambushers": Meaning("characters"),
    "out_of_range": Meaning("characters"),
    "who": Meaning("own", what="person", free=True),
    "contact": Meaning("own", what="contact"),
    # what they have
    "gear": Meaning("owns", what="gear", free=True),
    "receiver": Meaning("character"),
    "LoseGear.thing": _THING,
    "GiveGear.thing": _THING,
    "tools": Meaning("own", what="tools"),
    "weapon": _WEAPON,
    "ArmedFighter.readied": Meaning("owns", what="weapon"),
    "ArmedFighter.concealed": Meaning("owns", what="weapon"),
    "ArmedFighter.other_hand": Meaning("own", what="weapon"),
    "bomb": _WEAPON,
    "letters": Meaning("owns", what="letter"),
    "CutTies.affiliation": _AFFILIATION,
    "Regain.affiliation": _AFFILIATION,
    "standing": Meaning("own", what="standing"),
    "Lend.fund": Meaning("own", what="fund", of="lender"),
    "RemoveBarb.weapon": Meaning("text"),
    # spells
    "targets": Meaning("characters"),
    "teacher": Meaning("character"),
    "CastSpell.spell": _SPELL,
    "CastSpell.skill": one_of(*CASTING_SKILLS),
    "SpellTime.spell": _SPELL,
    "SpellTime.skill": one_of(*CASTING_SKILLS),
    "PositionSpell.spell": _SPELL,
    "PositionSpell.opponent_spell": Meaning("own", what="spell", of="opponent"),
    "PositionSpell.length": one_of(*SPELL_LENGTHS[1:]),
    "PositionSpell.distance": one_of(*SPELL_DISTANCES),
    "DropSpell.spell": Meaning("own", what="sustained"),
    "ReadSpell.spell": Meaning("own", what="spell", free=True),
    "KeepSpells.event": Meaning(
        "choice", choices=(*_THREATS, Option(ORDINARY, "ordinary activity"))
    ),
    "InterruptSpell.cause": Meaning("choice", choices=_INTERRUPTS, free=True),
    "HoldSpell.distraction": Meaning("choice", choices=_INTERRUPTS, free=True),
    # prayers and natural magic
    "prayer": _PRAYERS,
    "believers": Meaning("characters"),
    "spirit": Meaning("character"),
    "Pray.words": Meaning("long"),
    "Pray.spell": Meaning("text"),
    "Pray.thing": Meaning("text"),
    "Pray.ability": Meaning("text"),
    "PositionPrayer.length": one_of(*PRAYER_LENGTHS[1:]),
    "PositionPrayer.distance": one_of(*PRAYER_DISTANCES),
    "AirOfGates.gate": Meaning("choice", choices=_GATES),
    "BlackMetal.product": Meaning("choice", choices=_PRODUCTS),
    # what they do it with
    "wise": Meaning("ability", what="ability", free=True),
    "OneAction.against": Meaning("ability", what="ability", of="pursued"),
    "ReadInstructions.ability": one_of("Reading", "Research"),
    "DuelSide.skill": Meaning("choice", choices=_DUELING, free=True),
    "RehearsalSide.skill": Meaning("choice", choices=_DUELING, free=True),
    "RehearsalSide.action": one_of(*actions()),
    # closed sets of words
    "award": Meaning("choice", choices=_AWARDS),
    "shade": _SHADES,
    "effect": _SHADES,
    "range": one_of(*RANGES),
    "cover": one_of(*STEPS),
    "HoldBomb.opponent_length": one_of(*LENGTHS),
    "HoldBomb.distance": one_of(*DISTANCES),
    "OneOff.weak": _STATS,
    "OneOff.able": _STATS,
    "Mechanics.parts": Meaning(
        "choices", choices=tuple(Option(part, name) for part, name in PARTS.items())
    ),
    "positioning": one_of(*POSITIONS),
    "ShieldDefence.maneuver": one_of(*MANEUVERS),
    "ManeuverSide.maneuver": one_of(*maneuvers()),
    "StartFight.ground": Meaning("choices", choices=one_of(*conditions()).choices),
    "area": Meaning("choice", choices=_AREAS),
    "hidden": Meaning("choices", choices=_AREAS),
    "ArmorTest.location": _SIDES,
    "ArmorRepair.location": one_of(*LOCATIONS),
    "ArmorFitting.location": one_of(*LOCATIONS),
    "locations": Meaning(
        "choices", choices=one_of(*LOCATIONS, "arms", "legs", "body", "suit").choices
    ),
    # lists
    "regimen": _FROM_ONE,
    "nominations": _FROM_ONE,
    "Chase.pursuers": _FROM_ONE,
    "Chase.pursued": _FROM_ONE,
    "StrikeScript.actions": _FROM_ONE,
    # words
    "DuelOfWits.about": Meaning("text", label="Argument about"),
    "StartFight.about": Meaning("text", label="Fight about"),
    "StartSkirmish.about": Meaning("text", label="Skirmish about"),
    "StartSkirmish.start": Meaning("text", help="As in extreme/optimal; empty: a test decides"),
    "RehearseManeuvers.start": Meaning("text", help="As in extreme/optimal"),
    "Shooter.mount": _ANYBODY,
    "StartFight.react": Meaning("yes_no", label="Optional rule: late defences", seldom=True),
    "DuelSide.case": Meaning("long", label="Case", seldom=False),
    "DuelSide.wins": Meaning("text", label="Terms if this side wins", seldom=False),
    "DuelSide.loses": Meaning("text", label="Terms if this side loses", seldom=False),
    "SteelTest.source": Meaning("text", label="Brought on by"),
    "way": Meaning("text", label="Another way to strike", help="Such as the hilt of a sword"),
    "head": Meaning("text", label="Arrowhead or bolt head"),
    "Purchase.task": _HOW,
    "Haggle.task": _HOW,
    "MakeCash.task": _HOW,
    "MakeFund.task": _HOW,
    "Addition.ability": Meaning("text", label="Ability"),
    "sought": Meaning("text", label="Who is sought"),
    "item": Meaning("text", label="Item"),
    "wish": Meaning("long", label="Wish"),
    "time": Meaning("text", help="As in 2 hours, 3 days"),
    "every": Meaning("text", help="As in 3 months"),
    "distance": Meaning("text", help="As in 30 paces"),
    "at": Meaning("text", label="Step of the grayscale", help="As in B7 or G3"),
    "damage": Meaning("text", help="A step of the grayscale, as in B7"),
    "va": Meaning("number", label="VA"),
    "more_va": Meaning("number", label="More VA"),
}
"""What arguments stand for in this game."""

SCENE_WORDS = {
    "rides": (
        "Let it Ride: {character}'s {ability} stands",
        "Let it Ride: {character}'s {ability} may be tested again",
    ),
    "hesitating": (
        "{character} hesitates (heartbeats: {heartbeats})",
        "{character} stops hesitating",
    ),
}
"""How what comes into the scene and leaves it is put in words."""


def _scripts(question: Script, chance: Chance) -> tuple[SuggestedScript, ...]:
    written = suggested(question, chance) or suggested_maneuvers(question, chance)
    return tuple(SuggestedScript(each, each.capitalize(), cards) for each, cards in written)


def _sheet_words() -> dict[str, tuple[str, str]]:
    """How changes of a sheet are put in words: its log of tests, artha, wounds, Resources."""
    words = {
        f"artha.{key}": f"{each} goes from {{before}} to {{after}}" for key, each in ARTHA.items()
    }
    for place, name in _RATED:
        words[f"{place}.rating"] = f"{name} goes from {{before}} to {{after}}"
        for difficulty in ("routine", "difficult", "challenging"):
            words[f"{place}.log.{difficulty}"] = f"{name}: {difficulty} tests logged: {{after}}"
        for key, each in ARTHA.items():
            words[f"{place}.spent.{key}"] = f"{name}: {each} toward epiphany: {{after}}"
    for place, name in (("beliefs", "a Belief"), ("instincts", "an Instinct")):
        for key, each in ARTHA.items():
            words[f"{place}.spent.{key}"] = f"{name} is marked with {each}: {{after}}"
    words |= {
        "resources.taxed": "Resources are taxed by {after}D",
        "resources.cash": "Cash: {after}D",
        "wounds.returned": "dice of the wound that have come back: {after}",
        "wounds.closes": "the wound will have healed on day {day}",
        "wounds.treated": "the wound is treated",
        "wounds.borne": "the wound is shrugged off",
        "wounds.tested": "the recovery test for the wound is made",
        "wounds.will": "the Will to Live is paid for",
        "wounds.bonus": "dice for the Health test of the wound: +{after}D",
        "wounds.level": "the wound is {after} (it was {before})",
    }
    gone = {
        "resources.taxed": "Resources are no longer taxed",
        "wounds.borne": "the wound is felt again",
    }
    kept = ("bled", "held", "returns", "failed", "fresh", "tried", "staunched", "taken", "course")
    return {
        **{place: (said, gone.get(place, said)) for place, said in words.items()},
        **{f"wounds.{each}": ("", "") for each in kept},  # what only the rules need to know
        "wounds": ("a {level} wound", "a {level} wound is gone"),
        **{place: (f"{name} is {{rating}}", f"{name} is removed") for place, name in _RATED},
        "learning.*": ("{name}: tests toward learning it: {tests}", ""),
        "learning.*.tests": ("{name}: tests toward learning it: {after}", ""),
        "forte_tax": ("a die of Forte is lost to Tax", "a die of Forte is back"),
        "forte_tax.seconds": ("", ""),  # a sentence of the story says when it comes back
        "active_spells": ("{name} is in effect", "{name} has ended"),
        "prayers": ("answered prayer: {prayer} on {ability}", "{prayer} on {ability} has ended"),
    }


_RATED = (
    *((f"{group}.*", "{name}") for group in ("skills", "stats", "attributes")),
    ("resources", "Resources"),
    ("circles", "Circles"),
)
"""What has a rating and a log of tests, by its place on the sheet."""

AT_TABLE = AtTable(
    page=page,
    about=about_attempt,
    scene_page=scene_page,
    secret_scene=SECRET,
    scene_words=SCENE_WORDS,
    sheet_words=_sheet_words(),
    sketch=one_line_character,
    abilities=ability_options,
    scripts=_scripts,
    opening=("begin_session", "ready_for_play", "fits_the_game", "change_bit"),
    closing=(
        "session_artha",
        "review_tests",
        "scenario_votes",
        "trait_vote",
        "reputation_vote",
        "maintenance",
    ),
    meanings=MEANINGS,
    demo=DEMO,
    creation=CREATION,
    finding=FINDING,
    first_questions=FIRST_QUESTIONS,
    has_obstacles=True,
    counted=SessionCounts(
        purse={f"artha.{kind}": kind.capitalize() for kind in ("fate", "persona", "deeds")},
        logged={f"log.{kind.value}": kind.value.capitalize() for kind in Difficulty},
    ),
)
