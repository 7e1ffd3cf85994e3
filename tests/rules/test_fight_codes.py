"""The codes of Fight!'s interactions, held against a second reader that knows only the words."""

from __future__ import annotations

import re
from typing import NamedTuple

import pytest

from astragal.rules import Record, catalogue

INTERACTIONS = catalogue().table("fight.table.interactions").records()
OBSTACLES = catalogue().table("fight.table.interaction_obstacles")
EFFECTS = catalogue().table("fight.table.interaction_effects")
ACTORS = tuple(dict.fromkeys(str(row["actor"]) for row in INTERACTIONS))


def rows_of(actor: str) -> tuple[Record, ...]:
    return tuple(row for row in INTERACTIONS if row["actor"] == actor)


# --- Rolls and obstacles -------------------------------------------------------------------


def rolls_in(words: str) -> str:
    """The code of what is rolled, built from the abilities that the words name."""
    if words == "-":
        return "nothing"
    if words == "as the action":
        return "own"
    if "positioning dice" in words:
        return "charge"
    if "missile" in words:
        return "missile_skill"
    armed, unarmed = "weapon skill" in words, "Brawling" in words
    if armed and unarmed:
        return "fighting_skill_split" if words.endswith("split") else "fighting_skill"
    if armed:
        return "weapon_skill_and_shield" if "shield" in words else "weapon_skill"
    return "unarmed_skill" if unarmed else words.casefold()


class Obstacle(NamedTuple):
    base: int = 0
    optimal: int = 0
    lunging: int = 0
    second_distance: int = 0
    avoided: int = 0


def obstacle_in(words: str) -> Obstacle:
    """The numbers in the words, each by what stands beside it."""
    base = re.search(r"Ob (\d+)", words)
    added = {
        name: re.search(pattern, words)
        for name, pattern in (
            ("optimal", r"\+(\d+) optimal"),
            ("lunging", r"\+(\d+) lunging"),
            ("second_distance", r"\+(\d+) if more than one distance"),
            ("avoided", r"\+(\d+) \(Avoid\)"),
        )
    }
    return Obstacle(
        int(base[1]) if base else 0, **{name: int(m[1]) if m else 0 for name, m in added.items()}
    )


WITHOUT_NUMBERS = {
    "-": "not_rolled",
    "as the action": "own",
    "target's weapon skill (half Agility if none)": "target_skill",
}


@pytest.mark.parametrize("actor", ACTORS)
def test_rolls_and_obstacles_are_coded_as_they_are_worded(actor: str):
    for row in rows_of(actor):
        words, code = str(row["obstacle"]), row["obstacle_code"]
        assert row["rolls_code"] == rolls_in(str(row["actor_rolls"]))
        if words in WITHOUT_NUMBERS:
            assert code == WITHOUT_NUMBERS[words]
            continue
        coded = Obstacle(*list(OBSTACLES.where(obstacle=code).values())[1:])
        assert coded == obstacle_in(words)
        assert (code == "riposte") == words.startswith("defence none; riposte")


def test_every_obstacle_with_numbers_is_one_that_some_row_has():
    assert set(OBSTACLES.column("obstacle")) | set(WITHOUT_NUMBERS.values()) == {
        row["obstacle_code"] for row in INTERACTIONS
    }


# --- What comes off ------------------------------------------------------------------------


def reduced_in(words: str) -> list[str]:
    """The codes of what comes off: scripted defences first, Natural Defenses last."""
    words = words.partition(" (")[0]
    scripted, _, natural = words.rpartition("Natural Defenses: ")
    if not natural or natural == words:
        scripted, _, natural = words.partition(" + ")
    found = []
    if scripted and scripted not in ("-", "nothing"):
        shield = "true_shield_" if "true shield" in scripted else ""
        name = scripted.removesuffix(" only with true shield").removesuffix(" only")
        name = name.replace("the opponent's own Charge test", "own charge")
        name = name.replace(" defence pool", " pool").casefold().replace(" ", "_")
        found.append(shield + name)
    natures = {
        frozenset({"weapon skill", "Agility"}): "natural_weapon_skill",
        frozenset({"positioning test"}): "natural_positioning",
        frozenset({"Power"}): "natural_power",
        frozenset({"Power", "Speed"}): "natural_power_or_speed",
        frozenset({"Speed", "Boxing", "Brawling"}): "natural_speed_or_unarmed",
    }
    return found + ([natures[frozenset(re.split(", | or ", natural))]] if natural else [])


@pytest.mark.parametrize("actor", ACTORS)
def test_what_comes_off_is_coded_as_it_is_worded(actor: str):
    for row in rows_of(actor):
        assert list(row["reduced_by_codes"]) == reduced_in(str(row["reduced_by"]))


@pytest.mark.parametrize("actor", ACTORS)
def test_what_comes_off_agrees_with_the_relation(actor: str):
    for row in rows_of(actor):
        reduced, relation = row["reduced_by_codes"], row["relation"]
        natural = [code for code in reduced if code.startswith("natural_")]
        attack = row["rolls_code"] not in ("nothing", "own") and row["reduced_by"] != "-"
        if relation in ("unopposed", "free_strike"):
            assert reduced in ((), ("shield_cover",))
        elif relation == "natural_defenses":
            assert reduced == tuple(natural) != ()
        elif attack:
            assert set(reduced) - set(natural)
            assert (relation == "conditional") == any("true_shield" in code for code in reduced)
        else:
            assert reduced == ()
        letters = catalogue().table("fight.table.interaction_codes")
        letter = letters.value(str(row["opponent"]), actor=row["actor"])
        assert (
            letter
            == {
                "opposed": "O",
                "natural_defenses": "N",
                "unopposed": "U",
                "free_strike": "F",
                "cancelled": "X",
                "conditional": "C",
                "independent": "I",
                "not_rolled": "-",
            }[str(relation)]
        )


# --- Effects -------------------------------------------------------------------------------


class Step(NamedTuple):
    step: str
    whom: str = "opponent"
    when: str = "always"
    margin: int = 0
    amount: int = 0


WORDED: tuple[tuple[str, tuple[Step, ...]], ...] = (
    (r"nothing to avoid", ()),
    (r"the \+(?P<amount>\d) Ob on own other actions stays", (Step("own_actions_harder", "actor"),)),
    (r"shooter gets \+(?P<amount>\d) Ob instead", (Step("shot_harder"),)),
    (r"(successes|defence pool) come(s)? off the attack", (Step("attack_reduced"),)),
    (r"successes come off the Strike half", (Step("strike_half_reduced"),)),
    (r"added to any Natural Defenses", (Step("natural_defenses_added", "actor"),)),
    (
        r"successes come off the Beat, together with Natural Defenses",
        (Step("attack_reduced"), Step("natural_defenses_added", "actor")),
    ),
    (
        r"defence pool added to Natural Defenses",
        (Step("attack_reduced"), Step("natural_defenses_added", "actor")),
    ),
    (
        r"only with a true shield",
        (Step("attack_reduced", when="true_shield"),),
    ),
    (r"otherwise not rolled and no defence", ()),
    (r"riposte unopposed", (Step("riposte", when="met"),)),
    (
        r"riposte reduced by the opponent's Block pool",
        (Step("riposte", when="met"), Step("riposte_reduced_by_block_pool", "actor")),
    ),
    (r"does not defend against this", (Step("nothing", "actor"),)),
    (r"Natural Defenses where the attack grants them", ()),
    (r"no attack it defends against, so no riposte", (Step("nothing", "actor"),)),
    (
        r"(?P<margin>\d)\+: no length dice next positioning",
        (Step("no_length_dice", when="margin"),),
    ),
    (
        r"(?P<margin>\d)\+: also \+(?P<amount>\d) Ob next action with weapon",
        (Step("weapon_harder", when="margin"),),
    ),
    # How much harder it is to be off balance is said in the rules on Charge and Push.
    (r"(?P<margin>\d): off balance", (Step("off_balance", when="margin", amount=1),)),
    (r"(?P<margin>\d)\+?: down", (Step("down", when="margin"),)),
    (r"(?P<margin>\d)\+: thrown down", (Step("down", when="margin"),)),
    (
        r"(?P<margin>\d) (per distance shoved back|more per distance)",
        (Step("moved_a_distance", when="each_margin"),),
    ),
    (
        r"fail: charger hesitates next action",
        (Step("hesitates_next_action", "actor", "failed"),),
    ),
    (r"see fight.amb.mutual_charge", ()),
    (r"weapon knocked away", (Step("weapon_away", when="met"),)),
    (
        r"(?P<margin>\d) over sends it a distance farther",
        (Step("weapon_a_distance_farther", when="each_margin"),),
    ),
    (r"useless", ()),
    (
        r"Feinter hesitates but keeps Natural Defenses",
        (Step("hesitates", "actor"), Step("keeps_natural_defenses", "actor")),
    ),
    (r"defender hesitates", (Step("hesitates"),)),
    (
        r"free Strike, attacker names location",
        (Step("free_strike", when="met"), Step("names_location", "actor")),
    ),
    (r"Block half lost", (Step("block_half_lost"), Step("free_strike", when="met"))),
    (r"the opponent's Strike half still hits back", (Step("strike_half_stands"),)),
    # The free Strike itself stands in the Feint's own row.
    (r"Block lost|neither pool rolled|takes the free Strike", ()),
    (r"counts as hesitating", (Step("hesitates", "actor"),)),
    (r"readies the Great Strike", (Step("great_strike_ready", "actor"),)),
    (r"no defence but Natural Defenses", ()),
    (
        r"hit with \+(?P<amount>\d) Power or \+(?P=amount) VA "
        r"if remaining successes meet the obstacle",
        (Step("hit", when="met", amount=0), Step("more_power_or_va", when="met")),
    ),
    (
        r"hit( \(Strike pool\))? if remaining successes meet the obstacle",
        (Step("hit", when="met"),),
    ),
    (r"margin = dice lost by the victim", (Step("dice_lost", "opponent", "each_margin", 1, 1),)),
    (r"not on the inside except pistols", (Step("shot_as_missile", when="met"),)),
    (r"thrown objects as missiles", ()),
    (r"not opposed", (Step("own_effect", "actor"),)),
    (r"no scripted defence, Natural Defenses apply", ()),
    (r"wounds, Lock or failed Steel may interrupt", ()),
)


def steps_in(words: str) -> set[Step]:
    """The steps that the words tell, piece by piece; words that are not understood are refused."""
    found: set[Step] = set()
    for piece in re.sub(r" \((?!Strike pool)[^)]*\)", "", words).split("; "):
        for pattern, steps in WORDED:
            if said := re.fullmatch(pattern, piece):
                numbers = {name: int(digits) for name, digits in said.groupdict().items()}
                for step in steps:
                    found.add(step if step.step == "hit" else step._replace(**numbers))
                break
        else:
            raise AssertionError(f"not understood: {piece!r}")
    return found


@pytest.mark.parametrize("actor", ACTORS)
def test_effects_are_coded_as_they_are_worded(actor: str):
    for row in rows_of(actor):
        rows = EFFECTS.all_where(effect=row["effect_code"])
        assert {Step(*list(each.values())[1:]) for each in rows} == steps_in(str(row["effect"]))


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("strike_half_hit", "(Strike pool)"),
        ("mutual_charge", "see fight.amb.mutual_charge"),
        ("no_riposte", "so no riposte"),
    ],
)
def test_what_has_the_same_steps_as_another_is_told_apart_by_its_words(code: str, words: str):
    for row in INTERACTIONS:
        assert (row["effect_code"] == code) == (words in str(row["effect"]))


def test_the_dice_of_a_charge_are_those_of_the_positioning_test():
    dice = catalogue().table("fight.table.positioning_dice").value("dice", source="Charge")
    words = {str(row["actor_rolls"]) for row in INTERACTIONS if row["rolls_code"] == "charge"}
    assert words == {f"Power +{dice}D + positioning dice"}


def test_every_effect_has_steps_and_every_step_belongs_to_an_effect():
    assert set(EFFECTS.column("effect")) == {row["effect_code"] for row in INTERACTIONS}


@pytest.mark.parametrize(
    "step", EFFECTS.records(), ids=lambda row: f"{row['effect']}-{row['step']}"
)
def test_a_step_counts_a_margin_only_where_it_waits_for_one(step: Record):
    assert (step["margin"] != 0) == (step["when"] in ("margin", "each_margin"))
