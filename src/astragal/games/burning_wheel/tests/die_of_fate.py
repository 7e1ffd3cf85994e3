"""The Die of Fate: one chance in six that a wish, a quarrel or a mishap goes the unlikely way.

The GM first says what sort of matter it is; some sorts get no die
(``die_of_fate.table.allowed_or_not``). Every roll is open, and what it decides is announced first.
Weird events are in ``tests/mishaps``, great falls in ``injury/great_falls``.
"""

from __future__ import annotations

from enum import Enum

from astragal.dice import Die
from astragal.errors import BadInput, NotAllowed
from astragal.games.game import SCENE, Arguments, Outcome, Procedure
from astragal.play import (
    GM,
    Fact,
    Number,
    Option,
    Play,
    Seat,
    Step,
    ask,
    call,
    choose,
    confirm_aside,
    note,
    roll,
    tell,
    then,
)
from astragal.rules import catalogue

from ..sheet.lookups import Entries, LookUp, look_up
from ..sheet.parts import Gear
from ..sheet.scene import BurningTable, FateAnswer
from .let_it_ride import same_intent

# --- The die -------------------------------------------------------------------------------

FATEFUL = 1
"""The one face that counts; all others are the same (die_of_fate.roll.success_on_one)."""


class FateConditions(Fact, frozen=True, tag="conditions"):
    """What a roll of the Die of Fate decides, announced before it."""

    on_one: str
    otherwise: str

    def sentence(self) -> str:
        """Both sides of it."""
        return f"The Die of Fate. On a 1: {self.on_one}. On a 2 to 6: {self.otherwise}."


def throw_openly(conditions: Fact, label: str, owner: Seat) -> Step[int]:
    """Throw the one six-sided die in front of everybody, and give the face it shows.

    die_of_fate.roll.one_die, die_of_fate.open.in_public, die_of_fate.open.conditions_stated: the
    conditions are told to all before the throw. Every roll of this name goes through here, those
    of other chapters too (die_of_fate.amb.open_rule_scope).
    """
    yield from tell(conditions)
    return (yield from roll(Die(6), label, owner))


def fate_check(on_one: str, otherwise: str, owner: Seat) -> Play[bool]:
    """Whether the unlikely happens: only on a 1.

    die_of_fate.roll.success_on_one; nothing modifies the die
    (die_of_fate.amb.success_low_here_high_elsewhere).
    """
    face = yield from throw_openly(FateConditions(on_one, otherwise), "the Die of Fate", owner)
    return then(read_fate, on_one, otherwise, face == FATEFUL)


def read_fate(on_one: str, otherwise: str, granted: bool) -> Play[bool]:
    """Announce the result."""
    what = on_one if granted else otherwise
    yield from note(f"The Die of Fate: {what}.", "die_of_fate.roll.success_on_one")
    return granted


def other_use(use: str) -> str:
    """How another chapter reads a die of the same name.

    die_of_fate.other_uses.cross_reference: those rolls follow their own tables.

    >>> other_use("failed casting")
    '1 Unwanted Summoning, 2 Garbled Transmission, 3-6 Harmless Dissipation'
    """
    return str(catalogue().table("die_of_fate.table.other_uses").value("results", use=use))


def look_up_die_of_fate(arguments: LookUp, _: BurningTable) -> Play[Entries]:
    """Say how other chapters read their own die (die_of_fate.other_uses.cross_reference)."""
    uses = catalogue().table("die_of_fate.table.other_uses").column("use")
    read = {str(use): other_use(str(use)) for use in uses}
    rule = "die_of_fate.other_uses.cross_reference"
    return (yield from look_up(read, arguments.entry, rule))


# --- Requests and disputes -----------------------------------------------------------------


class Matter(Enum):
    """What a request is about (``die_of_fate.table.allowed_or_not``)."""

    TERRAIN = "terrain"
    FORGOTTEN_ITEM = "forgotten_item"
    DETAIL = "detail"
    STRANGE_EVENT = "strange_event"
    ABILITY = "ability"
    OTHER_RULE = "other_rule"
    IMPOSSIBLE = "impossible"
    SUPERIOR_GEAR = "superior_gear"
    ORDINARY_HAZARD = "ordinary_hazard"
    ENCOUNTER = "encounter"
    ONLY_WAY = "only_way"

    @property
    def row(self) -> dict[str, str]:
        """Its row of the table, in the same order."""
        row = (
            catalogue()
            .table("die_of_fate.table.allowed_or_not")
            .records()[tuple(Matter).index(self)]
        )
        return {column: str(cell) for column, cell in row.items()}

    @property
    def ruling(self) -> str:
        """What the table says of it: yes, or no and what to do instead."""
        return self.row["die_of_fate"]


RULES = {
    Matter.TERRAIN: "die_of_fate.dispute.suitable_topics",
    Matter.FORGOTTEN_ITEM: "die_of_fate.scope.gear_and_property",
    Matter.DETAIL: "die_of_fate.detail.embellishment",
    Matter.STRANGE_EVENT: "die_of_fate.event.weird",
    Matter.ABILITY: "die_of_fate.scope.not_for_abilities",
    Matter.OTHER_RULE: "die_of_fate.scope.gear_and_property",
    Matter.IMPOSSIBLE: "die_of_fate.dispute.must_be_feasible",
    Matter.SUPERIOR_GEAR: "die_of_fate.dispute.no_gear_mongering",
    Matter.ORDINARY_HAZARD: "die_of_fate.event.needs_player_cause",
    Matter.ENCOUNTER: "die_of_fate.roll.not_random_encounters",
    Matter.ONLY_WAY: "die_of_fate.limit.never_only_option",
}
"""The rule behind each ruling."""

USES = {
    Matter.FORGOTTEN_ITEM: "gear or contents of property",
    Matter.DETAIL: "embellishment or detail",
    Matter.STRANGE_EVENT: "weird random event caused by a player",
}
"""Which uses of the die these are; all others are requests or disputes."""


def brings(use: str) -> tuple[str, str]:
    """What a 1 brings in one use of the die, and what everything else.

    >>> brings("embellishment or detail")
    ('it is there', 'it is not')
    """
    row = catalogue().table("die_of_fate.table.results").where(use=use)
    return str(row["on_1"]), str(row["on_2_to_6"])


DEAREST_FORGOTTEN_ITEM = 2
"""The highest Resources obstacle of a thing somebody may simply have brought along
(die_of_fate.amb.resources_boundary)."""


class FateRoll(Arguments, frozen=True):
    """A far-fetched request, or a quarrel about a detail (die_of_fate.roll.when).

    ``asker`` is a character, or ``gm`` for an embellishment of the GM's own; ``against`` is
    who disagrees. ``wish`` is what happens on a 1, ``otherwise`` what happens on a 2 to 6, if
    anything; an ``item`` that is granted goes on the asker's sheet.
    """

    asker: str
    wish: str
    matter: Matter
    otherwise: str = ""
    against: str = GM
    item: str = ""


class FateOutcome(Outcome, frozen=True):
    """What came of a request: whether the asker gets it, whether dice decided, and the rule.

    ``asker`` needs the 1: in a dispute this may be the player who was against the wish.
    """

    granted: bool
    rolled: bool
    asker: str
    rule: str


def die_of_fate(arguments: FateRoll, table: BurningTable) -> Play[FateOutcome]:
    """Settle a request or a dispute, quickly and fairly (die_of_fate.roll.when)."""
    check_said(arguments.wish, "wish")
    for place, who in (("asker", arguments.asker), ("against", arguments.against)):
        if who != GM:
            table.character(who, place)
    check_not_settled(arguments.wish, table)
    matter = yield from _judged(arguments)
    asker = yield from _who_asks(arguments)
    if matter.ruling != "yes":
        text = f"No Die of Fate for this: {arguments.wish} ({matter.ruling})."
        yield from note(text, RULES[matter])
        return FateOutcome(False, False, asker, RULES[matter])
    if matter is Matter.FORGOTTEN_ITEM and not (yield from _is_cheap(arguments.wish)):
        rule = "die_of_fate.amb.resources_boundary"
        yield from note(f"This needs a Resources test: {arguments.wish}.", rule)
        return FateOutcome(False, False, asker, rule)
    wanted = _wanted_by(asker, arguments)
    decision = yield from _grant_refuse_or_roll(wanted, own=asker == GM)
    if decision != "roll":
        granted = decision == "grant"
        said = "Granted" if granted else "Refused"
        rule = "die_of_fate.amb.who_decides_to_roll"
        yield from note(f"{said}: {wanted}.", rule)
        yield from _take(arguments, asker, table, granted=granted)
        return FateOutcome(granted, False, asker, rule)
    yield from _check_not_crucial(arguments.wish)
    # The asker's side throws: a player for a request, the GM for an embellishment of his own,
    # which he too must throw for (die_of_fate.amb.who_rolls, die_of_fate.detail.gm_also_rolls).
    owner = seat_of(asker, table)
    on_one, otherwise = _announced(matter, asker, arguments)
    granted = yield from call(fate_check, on_one, otherwise, owner)
    so = granted == (asker == arguments.asker)
    table = yield from settle_fate(arguments.wish, so, table)
    yield from _take(arguments, asker, table, granted=granted)
    return FateOutcome(granted, True, asker, "die_of_fate.roll.success_on_one")


def _wanted_by(asker: str, arguments: FateRoll) -> str:
    """What the player who needs the 1 wants: the wish, or that it is not so.

    die_of_fate.amb.dispute_between_players.
    """
    if asker == arguments.asker:
        return arguments.wish
    return arguments.otherwise or f"not so: {arguments.wish}"


def _announced(matter: Matter, asker: str, arguments: FateRoll) -> tuple[str, str]:
    """What a 1 brings, and what anything else (die_of_fate.open.conditions_stated)."""
    if asker != arguments.asker:
        gets_it, _ = brings("request or dispute")
        return f"{_wanted_by(asker, arguments)} ({gets_it})", arguments.wish
    on_one, otherwise = brings(USES.get(matter, "request or dispute"))
    return f"{arguments.wish} ({on_one})", arguments.otherwise or otherwise


def seat_of(who: str, table: BurningTable) -> Seat:
    """The seat that throws for a character, or the GM's own."""
    return GM if who == GM else table.character(who).seat(who)


def check_said(text: str, place: str) -> None:
    """What a roll decides is announced before it (die_of_fate.open.conditions_stated)."""
    if not text.strip():
        expected = "what the roll decides, announced before it"
        raise BadInput(place, text, expected, "die_of_fate.open.conditions_stated")


def check_not_settled(wish: str, table: BurningTable) -> None:
    """One answer to a question for the whole scene (die_of_fate.amb.reroll_same_question)."""
    for fated in table.scene.fates:
        if same_intent(fated.wish, wish):
            so = "granted" if fated.granted else "refused"
            what = f"The Die of Fate has already {so} this in this scene: {fated.wish}"
            raise NotAllowed(what, "die_of_fate.amb.reroll_same_question")


def settle_fate(wish: str, granted: bool, table: BurningTable) -> Step[BurningTable]:
    """Keep an answer for the scene."""
    fates = (*table.scene.fates, FateAnswer(wish, granted))
    because = "die_of_fate.amb.reroll_same_question"
    return (yield from table.amend(SCENE, "fates", fates, because=because))


def _judged(arguments: FateRoll) -> Step[Matter]:
    """The GM says what sort of matter it is; what it is not good for gets no die."""
    options = tuple(
        Option(
            key=matter.value, label=matter.row["question"], rule=RULES[matter], note=matter.ruling
        )
        for matter in Matter
    )
    chosen = yield from choose(
        GM,
        "matter",
        f"What kind of request is this? {arguments.wish}",
        options,
        default=arguments.matter.value,
        because="die_of_fate.dispute.must_be_feasible",
        kind="consent",
    )
    return Matter(chosen)


def _who_asks(arguments: FateRoll) -> Step[str]:
    """Between two players the less expected wish needs the 1, and the GM says whose it is.

    die_of_fate.amb.dispute_between_players; against the GM it is the player who asked
    (die_of_fate.dispute.gm_and_player).
    """
    if GM in (arguments.asker, arguments.against):
        return arguments.asker
    chosen = yield from choose(
        GM,
        "needs_the_one",
        f"Who wants the less likely outcome? {arguments.wish}",
        {who: who for who in (arguments.asker, arguments.against)},
        default=arguments.asker,
        because="die_of_fate.amb.dispute_between_players",
        kind="consent",
    )
    return chosen


def _is_cheap(wish: str) -> Step[bool]:
    """An ordinary thing may have been brought along; anything dearer is a Resources matter."""
    obstacle = yield from ask(
        GM,
        "item_obstacle",
        f"Resources obstacle of the item? {wish}",
        Number(least=1, most=10, default=1),
        because="die_of_fate.amb.resources_boundary",
        kind="aside",
    )
    return obstacle <= DEAREST_FORGOTTEN_ITEM


def _grant_refuse_or_roll(wish: str, *, own: bool) -> Step[str]:
    """The GM decides first whether dice are needed (die_of_fate.amb.who_decides_to_roll).

    For an embellishment of their ``own`` they must throw as well, or let it be
    (die_of_fate.detail.gm_also_rolls).
    """
    if own:
        rule = "die_of_fate.detail.gm_also_rolls"
        either = {"roll": "Roll the Die of Fate", "refuse": "Drop it"}
        prompt = f"Roll, or drop it? {wish}"
        return (
            yield from choose(
                GM, "decide", prompt, either, default="roll", because=rule, kind="consent"
            )
        )
    rule = "die_of_fate.amb.who_decides_to_roll"
    options = (
        Option("roll", "Roll the Die of Fate", "die_of_fate.dispute.gm_and_player"),
        Option("grant", "Grant it", rule),
        Option("refuse", "Refuse it", rule),
    )
    prompt = f"Grant, refuse, or roll? {wish}"
    return (
        yield from choose(
            GM, "decide", prompt, options, default="roll", because=rule, kind="consent"
        )
    )


def _check_not_crucial(wish: str) -> Step[None]:
    """What the course of the game depends on is for an ability, with all that may aid it.

    die_of_fate.limit.crucial_tests_on_abilities.
    """
    crucial = yield from confirm_aside(
        GM,
        "crucial",
        f"Is this crucial to the game? {wish}",
        because="die_of_fate.limit.crucial_tests_on_abilities",
    )
    if crucial:
        what = f"Roll an ability test instead: this is too important for the Die of Fate ({wish})"
        raise NotAllowed(what, "die_of_fate.limit.crucial_tests_on_abilities")


def _take(
    arguments: FateRoll, asker: str, table: BurningTable, *, granted: bool
) -> Step[BurningTable]:
    """A forgotten thing was there all along (die_of_fate.scope.gear_and_property).

    It goes to the character it was wished for, also where the other side missed the 1.
    """
    wisher = arguments.asker
    if not arguments.item or wisher == GM or granted != (asker == wisher):
        return table
    gear = (*table.character(wisher).gear, Gear(arguments.item))
    because = "die_of_fate.scope.gear_and_property"
    return (yield from table.amend(wisher, "gear", gear, because=because))


PROCEDURES = (
    Procedure("die_of_fate", "Die of Fate", FateRoll, die_of_fate, frequent=9),
    Procedure("look_up_die_of_fate", "Die of Fate: other uses", LookUp, look_up_die_of_fate),
)
