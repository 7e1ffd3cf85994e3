"""The two editions: where the later procedures (Gold) and the Revised Edition differ.

One value says how an edition plays; the chapters read it where the rule applies, as in
``edition(table.options).aristeia_price``. What the later guide leaves out stays in force in both
(gold.diff.not_in_guide): Let it Ride, results in parts, instructions, instructors, and all that
has to do with noticing searches and losing standings (gold.diff.circles_extra_systems). What only
the later edition has is in modules of its own: ``tests/any_test``,
``tests/gear``, ``resources/raising_cash``.
"""

from __future__ import annotations

from typing import Generic, TypeVar

import msgspec

from astragal.dice import OpenEnded
from astragal.errors import NotAllowed
from astragal.play import GM, Seat
from astragal.rules import Options, catalogue

from .faiths import NATURAL_MAGIC
from .parts import AbilityKind, Artha, SkillAbility
from .sheet import Rated, emotional_attributes

T = TypeVar("T")

ASTROLOGY = "astrology"
"""The one skill that is rolled in its own way (gold.roll.astrology_ones)."""


class by_edition(Generic[T]):
    """A value that differs between the editions, both side by side."""

    def __init__(self, *, revised: T, gold: T) -> None:
        """Keep both."""
        self._revised, self._gold = revised, gold

    def __get__(self, played: Edition, owner: type[Edition]) -> T:
        """The value of the edition that is played."""
        return self._gold if played.name == "gold" else self._revised


class Edition(msgspec.Struct, frozen=True, kw_only=True):
    """How an edition plays where the two differ."""

    name: str

    # --- Tests
    reach_is_asked = by_edition(revised=False, gold=True)
    """Saying yes takes two things: a task within reach, and nothing at stake (gold.diff.say_yes).
    Purchases and searches may be granted as well."""

    has_graduated_tests = by_edition(revised=False, gold=True)
    """Whether the fourth kind of test states Ob 1 (gold.diff.graduated_vs_open)."""

    highest_base_obstacle = by_edition(revised=20, gold=10)
    """The hardest a task can be in itself (gold.tests.obstacle_range)."""

    obstacle_from_opponents = by_edition(revised=False, gold=True)
    """Whether an opponent's exponent may be the obstacle (gold.diff.obstacle_from_ability)."""

    failure_must_complicate = by_edition(revised=False, gold=True)
    """Whether it is refused that nothing happens (gold.tests.consequence_quality)."""

    gm_picks_ability = by_edition(revised=False, gold=True)
    """Who names another ability, if the player's does not fit (gold.tests.ability)."""

    tools_matter = by_edition(revised=False, gold=True)
    """gold.diff.tools_double, gold.diff.tools_die_of_fate."""

    most_advantage_dice = by_edition(revised=1, gold=2)
    """What the one advantage of a test may be worth (gold.diff.advantage_dice)."""

    gm_adds_advantages = by_edition(revised=True, gold=False)
    """Whether the GM may add dice beyond that advantage (gold.diff.advantage_dice)."""

    infamy_on_social_tests = by_edition(revised=False, gold=True)
    """Whether an infamous reputation hampers more than Circles (gold.diff.infamous_ob)."""

    careful_takes_longer = by_edition(revised=True, gold=False)
    """Whether working carefully also costs time as such (gold.diff.carefully_time)."""

    speed_has_a_rate = by_edition(revised=True, gold=False)
    """Whether a success put into speed saves a tenth of the time (gold.diff.quality_and_speed)."""

    defender_wins_every_tie = by_edition(revised=False, gold=True)
    """Whether a trait is no help against a defender in a tie (gold.diff.versus_tie)."""

    ties_want_another_ability = by_edition(revised=False, gold=True)
    """Whether a tie that stands has still to be settled (gold.diff.versus_tie)."""

    helpers_share_every_failure = by_edition(revised=False, gold=True)
    """gold.diff.helpers_share_failure."""

    # --- Artha
    limits_cover_the_test = by_edition(revised=False, gold=True)
    """Whether the limits of artha hold for all that a test takes (gold.diff.artha_cap_unit)."""

    inspiration_has_exceptions = by_edition(revised=True, gold=False)
    """Whether some dice are never doubled by a deed (gold.diff.deeds_double_scope)."""

    pain_is_borne_on_the_test = by_edition(revised=False, gold=True)
    """Whether pain is bought off for one test (gold.diff.shrug_off_superficial,
    gold.diff.grit_teeth)."""

    death_may_be_cheated = by_edition(revised=False, gold=True)
    """Whether certain death can always be bought off (gold.diff.cheat_death_status)."""

    persona_buys_life = by_edition(revised=False, gold=True)
    """Whether the will to live brings the Health test at once (gold.diff.will_to_live_detail)."""

    bits_by_the_test = by_edition(revised=False, gold=True)
    """Whether artha is noted for what the test was about (gold.diff.artha_on_beliefs)."""

    aura_is_for_the_goal = by_edition(revised=False, gold=True)
    """Whether an Aristeia lifts every wound penalty, for as long as the goal is unreached
    (gold.diff.aristeia_scope)."""

    aristeia_deeds_saved = by_edition(revised=0, gold=1)
    """By how many deeds an Aristeia is cheaper (gold.aristeia.cost)."""

    any_ability_lightens = by_edition(revised=False, gold=True)
    """Whether more than stats and skills may be lightened, by an Aristeia for a scene
    (gold.aristeia.shade_shift) or by an epiphany for good (gold.artha.epiphany)."""

    # --- Abilities
    perception_is_open = by_edition(revised=True, gold=False)
    """Whether Perception is open-ended by nature (gold.diff.open_ended_list)."""

    astrology_rolls_on = by_edition(revised=False, gold=True)
    """Whether Astrology is open-ended, on ones too (gold.diff.astrology_ones)."""

    emotions_are_listed = by_edition(revised=True, gold=False)
    """Whether wounds spare emotional attributes by the letter (gold.diff.wound_exempt_list)."""

    helpers_log_exponents = by_edition(revised=False, gold=True)
    """Whether the class of a helper's test goes by the exponent, whatever wounds take off it
    (gold.adv.helpers)."""

    emotions_advance = by_edition(revised=False, gold=True)
    """Whether emotional attributes advance as skills do (gold.diff.emotional_advance)."""

    # --- Steel
    wonder_shakes = by_edition(revised=False, gold=True)
    """gold.diff.steel_causes."""

    every_wound_shakes = by_edition(revised=False, gold=True)
    """Whether superficial wounds call for Steel as well (gold.diff.steel_each_wound)."""

    one_fright_a_scene = by_edition(revised=False, gold=True)
    """gold.diff.steel_once."""

    light_will_steadies = by_edition(revised=True, gold=False)
    """Whether a lighter shade of Will shortens hesitation (gold.diff.steel_gray_will)."""

    # --- Resources
    one_haggling_test = by_edition(revised=False, gold=True)
    """Whether a single test settles the price (gold.diff.haggling)."""

    haggling_binds = by_edition(revised=True, gold=False)
    """Whether a buyer who has haggled can no longer cut losses (gold.resources.cut_losses)."""

    farthest = by_edition(revised=10, gold=3)
    """The most that distance from home may add (gold.diff.distance)."""

    bulk_by_ruling = by_edition(revised=False, gold=True)
    """Whether the GM says what counts as bulk (gold.diff.bulk_multiplier)."""

    cash_by_the_die = by_edition(revised=False, gold=True)
    """Whether any number of cash dice may be used on a test (gold.resources.dice_cash)."""

    one_fund_a_test = by_edition(revised=False, gold=True)
    """gold.diff.single_fund."""

    loans_are_handed_over = by_edition(revised=False, gold=True)
    """Whether lent dice are the lender's own cash or fund (gold.diff.loan_terms)."""

    titles_advance = by_edition(revised=False, gold=True)
    """Whether a title raises Resources for good (gold.diff.titles)."""

    third_die_for_sale = by_edition(revised=False, gold=True)
    """Whether an affiliation of three dice has a price (gold.diff.affiliation_3d)."""

    # --- Circles
    only_own_settings = by_edition(revised=False, gold=True)
    """gold.diff.circles_scope."""

    circles_table = by_edition(
        revised="circles.table.obstacle_modifiers", gold="gold.table.circles_obstacle"
    )
    """gold.diff.circles_occupation, gold.diff.circles_station, gold.diff.circles_disposition."""

    place_and_time_are_one = by_edition(revised=False, gold=True)
    """Whether time and place of a meeting are one modifier (gold.diff.circles_time_place)."""

    searches_are_threatened = by_edition(revised=False, gold=True)
    """Whether the GM says beforehand what a failed search brings (gold.circles.consequence)."""

    names_keep_the_obstacle = by_edition(revised=True, gold=False)
    """Whether somebody named is sought at the old obstacle (gold.diff.circles_named)."""

    most_standing_dice = by_edition[int | None](revised=None, gold=3)
    """The most that one affiliation or reputation gives (gold.circles.dice_affiliation,
    gold.circles.dice_reputation, gold.diff.circles_npc_reputation)."""

    bonds_form_themselves = by_edition(revised=False, gold=True)
    """Whether contacts become relationships without a choice (gold.diff.relationship_status)."""

    reputations_have_signs = by_edition(revised=False, gold=True)
    """Whether each reputation counts towards a relationship by its own sign, without a word of
    the GM (gold.circles.aptitude)."""

    players_name_enemies = by_edition(revised=False, gold=True)
    """gold.diff.enemy_named_by."""

    infamy_by_story = by_edition(revised=False, gold=True)
    """What turns a lost die into infamy (gold.diff.infamy_trigger)."""

    # --- Artha, in numbers

    @property
    def aristeia_price(self) -> Artha:
        """What an Aristeia takes, all at once (gold.diff.aristeia_cost).

        artha.aristeia.cost, and gold.aristeia.cost: a deed less. So it brings an epiphany only
        one deed nearer instead of two (gold.diff.epiphany_aristeia).

        >>> REVISED.aristeia_price, GOLD.aristeia_price
        (Artha(fate=5, persona=3, deeds=2), Artha(fate=5, persona=3, deeds=1))
        """
        price = artha_price("Aristeia")
        return msgspec.structs.replace(price, deeds=price.deeds - self.aristeia_deeds_saved)

    # --- Standings

    def standing_dice(self, dice: int) -> int:
        """The dice that an affiliation or reputation is worth on one test.

        gold.circles.dice_affiliation, gold.circles.dice_reputation.
        """
        return dice if self.most_standing_dice is None else min(dice, self.most_standing_dice)

    # --- Who decides

    def names_ability(self, player: Seat) -> Seat:
        """Who says which ability fits the task instead (gold.tests.ability)."""
        return GM if self.gm_picks_ability else player

    def names_enemy(self, player: Seat) -> Seat:
        """Who gives an enemy his name (gold.diff.enemy_named_by)."""
        return player if self.players_name_enemies else GM

    # --- Abilities

    def nature_of(self, rated: Rated, options: Options, *, linked: bool = False) -> OpenEnded:
        """Which faces bring further dice, by the nature of the ability rolled.

        tests.open_ended.which_abilities, gold.roll.natural_open_ended, gold.diff.open_ended_list.
        Whether Perception is among them can be settled for both editions
        (gold.amb.perception_open_ended). Astrology rolls on for ones as well, unless it is
        ``linked`` to another test (gold.roll.astrology_ones, gold.diff.astrology_ones). Natural
        magic is, whoever works it (faith.natural.open_ended).
        """
        name = rated.name.casefold()
        if name == ASTROLOGY and self.astrology_rolls_on:
            harsh = options["gold_astrology_ones"] == "harsh"
            ones = OpenEnded.HARSH_ONES if harsh else OpenEnded.ONES_AND_SIXES
            return OpenEnded.SIXES if linked else ones
        magical = isinstance(rated.ability, SkillAbility) and rated.ability.magical
        magical = magical or name in NATURAL_MAGIC
        if name == "perception":
            custom = options["gold_perception_open_ended"]
            named = custom == "always" or (custom == "by_edition" and self.perception_is_open)
        else:
            rows = catalogue().table("tests.table.open_ended").records()
            named = any(
                row["open_ended"] and str(row["ability"]).casefold() == name for row in rows
            )
        return OpenEnded.SIXES if magical or named else OpenEnded.NO

    def wounds_spare(self, rated: Rated, options: Options) -> bool:
        """Whether wounds take no dice from an ability (gold.diff.wound_exempt_list).

        injury.dice.unaffected, gold.wounds.exempt: Circles, Faith, Health and Resources, and in
        the Revised Edition every emotional attribute; whether in the later one, too, is for the
        table to say (gold.amb.emotional_attributes_wounds).
        """
        if rated.kind in (AbilityKind.CIRCLES, AbilityKind.RESOURCES) or rated.name in (
            "Health",
            "Faith",
        ):
            return True
        spared = self.emotions_are_listed or (
            options["gold_emotional_attributes_wounds"] == "spared"
        )
        return spared and rated.name in emotional_attributes()

    def advances_like_a_skill(self, rated: Rated) -> bool:
        """Whether an emotional attribute advances as skills do (gold.diff.emotional_advance).

        gold.adv.like_skills; in the Revised Edition each has its own chapter.
        """
        return self.emotions_advance and rated.name in emotional_attributes()


def artha_price(what: str) -> Artha:
    """What an epiphany or an Aristeia takes in the Revised Edition, from the catalogue.

    artha.epiphany.cost, artha.aristeia.cost.

    >>> artha_price("Epiphany")
    Artha(fate=20, persona=10, deeds=3)
    """
    row = catalogue().table("artha.table.epiphany").where(what=what)
    return Artha(*(row.number(field) for field in ("fate", "persona", "deeds")))


REVISED, GOLD = Edition(name="revised"), Edition(name="gold")

_EDITIONS = {each.name: each for each in (REVISED, GOLD)}


def edition(options: Options) -> Edition:
    """The edition that a table plays."""
    return _EDITIONS[options["edition"]]


def check_edition(wanted: Edition, options: Options, what: str, rule: str) -> None:
    """Refuse a procedure that the edition at this table does not have."""
    if edition(options) is not wanted:
        raise NotAllowed(f"{what} (edition: {options['edition']})", rule)
