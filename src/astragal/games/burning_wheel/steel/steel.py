"""Steel: nerves, and what happens to those who lose them (steel.attribute.meaning).

Surprise, fear and pain call for a test against the character's own hesitation; what a failure
leaves behind is in ``conditions/hesitation``. Wounds, ambushes, defeat in a Duel of Wits and
spells force tests by the rules of their own chapters, which begin this procedure with
``forced_by`` and what they take off the dice or add to the obstacle
(steel.amb.three_or_more_causes).
"""

from __future__ import annotations

import msgspec

from astragal.dice import OpenEnded, Shaded
from astragal.errors import BadInput, NotAllowed, check_between
from astragal.games.game import SCENE, Procedure
from astragal.play import (
    GM,
    Play,
    Seat,
    Step,
    Tally,
    Text,
    ask,
    call,
    choose,
    confirm_aside,
    consent,
    note,
    tell,
    then,
)

from ..artha import on_a_roll as artha
from ..artha.aristeia import lightened
from ..conditions.hesitation import (
    FALL,
    RUN,
    STAND,
    SWOON,
    beats,
    hesitation_of,
    may_defend,
    may_shout,
    overlapping,
    reactions,
    set_hesitation,
)
from ..conditions.mounted import mount_reaction, mount_reactions, rider_of
from ..conditions.spell_tax import threaten_spells
from ..movement.movement import flight, say_paces
from ..sheet.editions import edition
from ..sheet.facts import DiceGathered, TestCame
from ..sheet.scene import BurningTable, Hesitation, Ride, SteelSource
from ..sheet.sheet import Sheet
from ..tests.attempts import Attempt, TestResult, result_of, throw_attempt
from ..tests.conclusions import after_test
from ..tests.intent import LONGEST_WORDS
from ..tests.let_it_ride import check_no_ride, let_it_ride, same_intent
from ..tests.partial_records import complete
from .dice_and_hesitation import Cause, SteelTest, prepare_steel, settle_hesitation

# --- What calls for a test -----------------------------------------------------------------


class SteelOutcome(TestResult, frozen=True, kw_only=True):
    """How a Steel test came out, and what a failed one leaves the character doing."""

    tested: bool
    hesitation: int = 0
    heartbeats: int = 0
    reaction: str = ""
    may_defend: bool = True
    may_shout: bool = True
    prone: bool = False
    cover: bool = False
    dropped: str = ""
    flees_from: str = ""
    mount_reaction: str = ""
    """What a beast that carries a rider does: bolt, shy, rear or roll."""


def steel_test(arguments: SteelTest, table: BurningTable) -> Play[SteelOutcome]:
    """Test a character's nerve when something startles or shocks them.

    steel.attribute.meaning, steel.test.three_causes.
    """
    outcome, _ = yield from call(nerves_tried, arguments, table)
    return outcome


def nerves_tried(
    arguments: SteelTest, table: BurningTable
) -> Play[tuple[SteelOutcome, BurningTable]]:
    """A Steel test, alone or as part of a conflict, and the table after it."""
    sheet = table.character(arguments.character)
    _check_arguments(arguments, sheet, table)
    table = yield from complete(table, (arguments.character,), ("Steel",))
    sheet = table.character(arguments.character)
    steel = sheet.ability("Steel", "attributes.Steel")
    steel = lightened(table, arguments.character, steel)
    if not (yield from _called_for(arguments, sheet)):
        return SteelOutcome(tested=False, passed=True), table
    if arguments.cause is not Cause.PAIN:
        try:
            table = yield from _not_shaken_before(arguments, table)
        except NotAllowed as refused:
            if not arguments.forced_by:
                raise
            # What another chapter forces comes to nothing then, and the rest of it goes on.
            text = f"{sheet.name} has already been tested for this in this scene."
            yield from note(text, refused.rule or "steel.amb.repeat_tests")
            return SteelOutcome(tested=False, passed=True), table
    table = yield from settle_hesitation(table, arguments.character)
    sheet = table.character(arguments.character)
    attempt, obstacle = yield from prepare_steel(arguments, sheet, steel, table)
    if obstacle.total <= 0:
        yield from note(f"{sheet.name} does not hesitate at all.", "steel.amb.zero_hesitation")
        return SteelOutcome(tested=False, passed=True, obstacle=obstacle), table
    return then(roll_steel, arguments, attempt, obstacle, table)


def _not_shaken_before(arguments: SteelTest, table: BurningTable) -> Step[BurningTable]:
    """One fear or surprise for each cause; every wound hurts (steel.amb.repeat_tests).

    In the later edition the same thing shakes somebody only once in a scene, whatever changes
    (gold.steel.once_per_scene, gold.diff.steel_once).
    """
    character, source = arguments.character, arguments.source.strip()
    if not edition(table.options).one_fright_a_scene:
        if arguments.in_script:  # tests.amb.ride_in_extended_conflict
            return table
        return (yield from check_no_ride(table, character, "Steel", source))
    if _shaken_before(arguments, table):
        name = table.character(character).name
        what = f"{name} has already been tested for this in this scene: {source}"
        raise NotAllowed(what, "gold.steel.once_per_scene")
    return table


def _shaken_before(arguments: SteelTest, table: BurningTable) -> bool:
    """Whether the same thing has shaken the character in this scene, by the later edition.

    gold.amb.once_per_scene_kind. An untrained mount in a fight tests in every exchange all the
    same (riding.untrained.mount_steel): the later edition speaks of characters of players.
    """
    if arguments.in_script and rider_of(table, arguments.character):
        return False
    return edition(table.options).one_fright_a_scene and any(
        shaken.character == arguments.character
        and same_intent(shaken.source, arguments.source.strip())
        for shaken in table.scene.shaken
    )


def _check_arguments(arguments: SteelTest, sheet: Sheet, table: BurningTable) -> None:
    played = edition(table.options)
    if arguments.cause is Cause.WONDERMENT and not played.wonder_shakes:
        expected = "surprise, fear or pain (wonderment is a cause in the later edition only)"
        raise BadInput("cause", arguments.cause.value, expected, "gold.diff.steel_causes")
    if not 1 <= len(arguments.source.strip()) <= LONGEST_WORDS:
        expected = f"what startles, frightens or hurts, in at most {LONGEST_WORDS} characters"
        raise BadInput("source", arguments.source, expected, "steel.test.three_causes")
    check_between("wound_dice", arguments.wound_dice, 0, 20, "steel.cause.pain", unit="dice")
    if arguments.cause is Cause.PAIN and not (
        arguments.wound_dice or arguments.forced_by or played.every_wound_shakes
    ):
        # Superficial wounds hurt only when the third makes it a die; in the later edition every
        # wound does (gold.steel.each_wound, gold.amb.wound_steel_superficial).
        expected = "a wound of at least 1D for a test from pain"
        raise BadInput("wound_dice", arguments.wound_dice, expected, "steel.cause.pain")
    if arguments.opponent:
        table.character(arguments.opponent, "opponent")
    if arguments.weapon and not sheet.has_in_hand(arguments.weapon):
        sheet.carried(arguments.weapon, "weapon")


def _called_for(arguments: SteelTest, sheet: Sheet) -> Step[bool]:
    """The GM, and nobody else, calls for the test (steel.test.gm_calls, gold.steel.call).

    A surprise only counts if the situation demands an instant reaction
    (steel.cause.surprise_only_if_it_counts); what frightens is the GM's judgement
    (steel.cause.fear). A bad wound leaves no choice (steel.cause.pain), nor does what another
    chapter forces (steel.amb.three_or_more_causes).
    """
    if arguments.forced_by or arguments.cause is Cause.PAIN:
        return True
    because, question = {
        # A surprise that counts must be tested (steel.cause.surprise); not having noticed
        # somebody is no surprise yet (steel.amb.surprise_waived_if_announced).
        Cause.SURPRISE: (
            "steel.cause.surprise_only_if_it_counts",
            f"Is {sheet.name} surprised, and is an instant reaction needed?",
        ),
        Cause.FEAR: (
            "steel.cause.fear",
            f"Is this terrifying or deeply disturbing for {sheet.name}?",
        ),
        Cause.WONDERMENT: ("gold.steel.call", f"Is {sheet.name} struck by wonderment?"),
    }[arguments.cause]
    prompt = f"{question} {arguments.source}"
    called = yield from consent(GM, "call_for_steel", prompt, because=because)
    if not called:
        yield from note(f"No Steel test for {sheet.name}: {arguments.source}.", because)
    return called


# --- The roll ------------------------------------------------------------------------------


def roll_steel(
    arguments: SteelTest, attempt: Attempt, obstacle: Tally, table: BurningTable
) -> Play[tuple[SteelOutcome, BurningTable]]:
    """Throw the dice, open-ended; each success takes one heartbeat off the hesitation.

    steel.test.open_ended, steel.test.successes_reduce, gold.steel.roll. Of the GM's own
    characters the others need not learn how long they will hesitate
    (extended_example.hesitate.secret).
    """
    name = table.character(arguments.character).name
    audience = (GM,) if attempt.seat == GM else ()
    if attempt.pool.dice.total:
        thrown = yield from throw_attempt(attempt, obstacle, table, *audience)
    else:  # no dice, no successes: the full obstacle is lost (steel.amb.zero_dice)
        yield from tell(DiceGathered(name, attempt.all_dice, obstacle), *audience)
        thrown = artha.ThrownDice(0, Shaded(), Shaded(), OpenEnded.SIXES, spent=attempt.spent)
    return then(settle, arguments, attempt, obstacle, thrown, table)


def settle(
    arguments: SteelTest,
    attempt: Attempt,
    obstacle: Tally,
    thrown: artha.ThrownDice,
    table: BurningTable,
) -> Play[tuple[SteelOutcome, BurningTable]]:
    """With enough successes the character does not hesitate (steel.test.pass)."""
    name = table.character(arguments.character).name
    audience = (GM,) if attempt.seat == GM else ()
    result = result_of(attempt, thrown, obstacle)
    verdict = "Does not hesitate" if result.passed else f"Hesitates for {beats(-result.margin)}"
    yield from tell(TestCame(name, thrown.successes, f"{verdict}.", result.passed), *audience)
    table, earned = yield from _after(arguments, attempt, obstacle, thrown, table)
    outcome = SteelOutcome.of(result, tested=True, hesitation=obstacle.total, earned=earned)
    if outcome.passed:
        return outcome, table
    return then(lose_it, arguments, outcome, attempt.seat, table)


def _after(
    arguments: SteelTest,
    attempt: Attempt,
    obstacle: Tally,
    thrown: artha.ThrownDice,
    table: BurningTable,
) -> Step[tuple[BurningTable, str]]:
    """Pay, log the test, and let it ride for this cause (steel.amb.repeat_tests)."""
    passed = thrown.successes >= obstacle.total
    table, earned = yield from after_test(attempt, thrown, obstacle.total, table, passed=passed)
    source = arguments.source.strip()
    if edition(table.options).one_fright_a_scene:  # in a conflict as anywhere else
        if arguments.cause is not Cause.PAIN:
            shaken = (*table.scene.shaken, SteelSource(arguments.character, source))
            because = "gold.steel.once_per_scene"
            table = yield from table.amend(SCENE, "shaken", shaken, because=because)
        return table, earned
    if arguments.in_script:  # tests.amb.ride_in_extended_conflict
        return table, earned
    new = Ride(arguments.character, attempt.agreed.name, source, thrown.successes, passed)
    return (yield from let_it_ride(table, new)), earned


# --- Losing it -----------------------------------------------------------------------------


def lose_it(
    arguments: SteelTest, failed: SteelOutcome, seat: Seat, table: BurningTable
) -> Play[tuple[SteelOutcome, BurningTable]]:
    """Hesitate for as many heartbeats as successes are missing, in one of four ways.

    steel.test.fail; the missing successes count from the raised obstacle
    (steel.test.disadvantage_lengthens). The player chooses how, once for each failed test
    (steel.fail.player_chooses_how, steel.amb.changing_reaction).
    """
    character = arguments.character
    table = yield from threaten_spells(table, character, "failed_steel")
    name = table.character(character).name
    before = hesitation_of(table, character)
    new = -failed.margin
    total = overlapping(before, new, table.options["steel_overlapping_hesitation"])
    if before is not None and before.heartbeats == total:
        # The earlier hesitation lasts as long: it goes on as it was.
        yield from note(f"{name} is still hesitating.", "steel.amb.tests_while_hesitating")
        return _shown(failed, before, cover=False), table
    if rider_of(table, character):
        return then(mount_loses_it, arguments, failed, total, seat, table)
    reaction = yield from choose(
        seat,
        "reaction",
        f"{name} hesitates for {beats(total)}. How?",
        reactions(),
        default=STAND,
        because="steel.fail.player_chooses_how",
    )
    # Whoever is on the ground already stays there (steel.amb.prone_afterwards).
    left = Hesitation(
        character=character,
        heartbeats=total,
        reaction=reaction,
        prone=before is not None and before.prone,
        dropped=before.dropped if before is not None else "",
        kneeling=before is not None and before.kneeling,
    )
    cover = False
    if reaction == FALL:
        left, cover = yield from _fall_prone(arguments, left, name, table)
    elif reaction == SWOON:
        left = msgspec.structs.replace(left, prone=True)
        yield from note(f"{name} swoons and is unaware of everything.", "steel.fail.swoon")
    elif reaction == RUN:
        left = yield from _run_screaming(arguments, left, seat, name)
        yield from _how_far(table.character(character))
    else:
        # steel.fail.stand_no_defence
        text = f"{name} stands and drools: no defence, no shouting."
        yield from note(text, "steel.fail.stand_and_drool")
    if not arguments.in_script:
        table = yield from set_hesitation(table, character, left, because="steel.test.fail")
    return _shown(failed, left, cover=cover), table


def mount_loses_it(
    arguments: SteelTest, failed: SteelOutcome, total: int, seat: Seat, table: BurningTable
) -> Play[tuple[SteelOutcome, BurningTable]]:
    """A beast under a rider hesitates like anybody else, and bolts, shies, rears or rolls.

    riding.steel.mount_reacts, riding.steel.mount_reactions. What that means for the rider is in
    ``riding/nerves``.
    """
    character = arguments.character
    name = table.character(character).name
    said = yield from choose(
        seat,
        "mount_reaction",
        f"{name} hesitates for {beats(total)}. How?",
        mount_reactions(),
        default="shy",
        because="riding.steel.mount_reacts",
    )
    row = mount_reaction(said)
    reaction = row.text("equivalent_code")
    left = Hesitation(character, total, reaction, prone=reaction == FALL)
    verb = {"shy": "shies"}.get(said, f"{said}s")
    yield from note(f"{name} {verb}.", "riding.steel.mount_reactions")
    if row.number("rider_ob") and not arguments.in_script:
        rider = table.character(rider_of(table, character)).name
        text = f"{rider} needs an Ob {row.number('rider_ob')} Riding test to stay in the saddle."
        yield from note(text, "riding.steel.mount_reactions")
    if not arguments.in_script:
        table = yield from set_hesitation(table, character, left, because="steel.test.fail")
    outcome = _shown(failed, left, cover=False)
    return msgspec.structs.replace(outcome, mount_reaction=said), table


def _shown(failed: SteelOutcome, left: Hesitation, *, cover: bool) -> SteelOutcome:
    return msgspec.structs.replace(
        failed,
        heartbeats=left.heartbeats,
        reaction=left.reaction,
        may_defend=may_defend(left.reaction),
        may_shout=may_shout(left.reaction),
        prone=left.prone,
        cover=cover,
        dropped=left.dropped,
        flees_from=left.flees_from,
    )


def _fall_prone(
    arguments: SteelTest, left: Hesitation, name: str, table: BurningTable
) -> Step[tuple[Hesitation, bool]]:
    """Down at once, behind cover if there is any (steel.fail.fall_prone).

    In close combat the weapon is dropped, too, and the opponent decides what to make of the plea
    for mercy (steel.fail.fall_prone_close_combat).
    """
    left = msgspec.structs.replace(left, prone=True)
    cover = yield from confirm_aside(
        GM,
        "behind_cover",
        f"Is there cover for {name} to drop behind?",
        because="steel.fail.fall_prone",
    )
    where = "behind cover" if cover else "to the ground"
    yield from note(f"{name} drops {where}.", "steel.fail.fall_prone")
    if not arguments.opponent:
        return left, cover
    because = "steel.fail.fall_prone_close_combat"
    opponent = table.character(arguments.opponent)
    left = msgspec.structs.replace(left, dropped=arguments.weapon or left.dropped)
    yield from note(f"{name} drops the weapon and begs {opponent.name} for mercy.", because)
    response = yield from ask(
        opponent.seat(arguments.opponent),
        "plea",
        f"{name} begs for mercy. What does {opponent.name} do?",
        Text(default="considers it"),
        because=because,
        kind="aside",
    )
    if response:
        yield from note(f"{opponent.name}: {response}.", because)
    return left, cover


def _run_screaming(
    arguments: SteelTest, left: Hesitation, seat: Seat, name: str
) -> Step[Hesitation]:
    """Away at top speed, and loudly (steel.fail.run_screaming).

    Straight away from what is feared, without caution (steel.fail.run_direction); the GM names
    it (steel.amb.which_reaction_for_which_cause).
    """
    away_from = yield from ask(
        GM,
        "flees_from",
        f"What does {name} run from?",
        Text(default=arguments.source.strip(), required=True),
        because="steel.fail.run_direction",
        kind="aside",
    )
    cry = yield from ask(
        seat,
        "cry",
        f"How does {name} cry out?",
        Text(default="screams", required=True),
        because="steel.fail.run_screaming",
        kind="aside",
    )
    yield from note(f"{name} runs at top speed and {cry}.", "steel.fail.run_screaming")
    text = f"{name} runs straight away from {away_from}, whatever is in the way."
    yield from note(text, "steel.fail.run_direction")
    return msgspec.structs.replace(left, flees_from=away_from)


def _how_far(sheet: Sheet) -> Step[None]:
    """The distance covered, if it has to be measured (movement.run_screaming.distance)."""
    paces = flight(sheet)
    if paces:
        text = f"{sheet.name} gets about {say_paces(paces)} away in an exchange."
        yield from note(text, "movement.run_screaming.distance")


PROCEDURES = (
    Procedure("steel_test", "Steel test", SteelTest, steel_test, gm_only=True, frequent=5),
)
