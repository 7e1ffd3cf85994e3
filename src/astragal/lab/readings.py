"""What house rules change: each option of the game flipped, and what moves by that.

Measured are chances of representative tests of pre-made characters, how often they count towards
advancement as which class, single actions of Fight! and Range and Cover, and the value of a Duel of
Wits. Everything is worked out by the procedures themselves under the changed option.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple, TypeAlias

import msgspec

from astragal.errors import Refusal
from astragal.games.burning_wheel import GAME, BurningTable
from astragal.games.burning_wheel.conflicts.duel_of_wits.actions import Debate, Speaker
from astragal.games.ready import ready_paths
from astragal.lab import Progress, unheard
from astragal.lab.workers import done_by_many
from astragal.odds.trial import GivenAnswers
from astragal.play import exact
from astragal.rules import catalogue
from astragal.rules.option_specs import OptionSpec
from astragal.rules.options import Options

Numbers: TypeAlias = dict[str, float]

ENOUGH = 0.01
"""What moves by less than this is not reported."""


class Flip(NamedTuple):
    """One option with another choice than its default; none for all defaults."""

    option: str = ""
    choice: str = ""

    @property
    def options(self) -> dict[str, str]:
        """As a campaign would choose it."""
        return {self.option: self.choice} if self.option else {}


class Moved(NamedTuple):
    """What a flipped option moved, from what to what."""

    flip: Flip
    rule: str
    what: str
    before: float
    after: float


class _Measured(msgspec.Struct, frozen=True):
    """A test that is looked at: a procedure, its arguments, and what is answered."""

    title: str
    procedure: str
    arguments: dict[str, Any]
    answers: dict[str, Any] = {}


def _fights(one: str, other: str, weapon: str = "sword") -> dict[str, Any]:
    """An action of Serjeant Hale against one of Ketil's."""
    sides = (("hale", one, weapon), ("ketil", other, "footman's axe"))
    return {"sides": [{"character": c, "action": a, "weapon": w} for c, a, w in sides]}


def _shoots(one: str, other: str) -> dict[str, Any]:
    """A maneuver of Forester Wyn against one of Poacher Sig's."""
    return {
        "sides": [{"character": "wyn", "maneuver": one}, {"character": "sig", "maneuver": other}]
    }


_ASKS = {"character": "mara", "intent": "get in", "task": "asks the porters"}
_SEEKS = {"character": "mara", "sought": "a fence", "intent": "sell it", "how": "asks"}
BATTERY = (
    _Measured("a test of 4D at Ob 3", "standard_test", {**_ASKS, "ability": "Streetwise"},
              {"obstacle": 3}),
    _Measured("the same with help and two FoRKs", "standard_test",
              {**_ASKS, "ability": "Streetwise", "helpers": ["tam"]},
              {"obstacle": 3, "forks": ["Persuasion", "Harbour-wise"]}),
    _Measured("the same with a persona", "standard_test", {**_ASKS, "ability": "Streetwise"},
              {"obstacle": 3, "boon": 1}),
    _Measured("a test by Beginner's Luck at Ob 2", "standard_test",
              {**_ASKS, "ability": "Oratory"}, {"obstacle": 2, "roots": ["Will"]}),
    _Measured("a Steel test in surprise", "steel_test",
              {"character": "tam", "cause": "surprise", "source": "a shout"}),
    _Measured("a Steel test in fear", "steel_test",
              {"character": "mara", "cause": "fear", "source": "the dead"}),
    _Measured("a Steel test in pain", "steel_test",
              {"character": "mara", "cause": "pain", "source": "a wound", "wound_dice": 2}),
    _Measured("a Steel test against a spell of fear", "steel_test",
              {"character": "mara", "cause": "fear", "source": "a spell", "fear_spell": True}),
    _Measured("a Circles test", "circles_test",
              _SEEKS),
    _Measured("a versus test", "versus_test",
              {"sides": [
                  {"character": "mara", "intent": "pass", "task": "slips by",
                   "ability": "Stealthy"},
                  {"character": "tam", "intent": "watch", "task": "watches",
                   "ability": "Perception"},
              ]}),
    _Measured("a Circles test, unlike the character", "circles_test",
              {**_SEEKS, "disposition": "different"}),
    _Measured("a Circles test, inconspicuously", "circles_test",
              {**_SEEKS, "inconspicuous": True}, {"roots": ["Will"]}),
    _Measured("a Perception test in chainmail at Ob 2", "standard_test",
              {"character": "hale", "intent": "see them", "task": "looks", "ability": "Perception"},
              {"obstacle": 2}),
    _Measured("a Perception test in a bascinet at Ob 2", "standard_test",
              {"character": "helmed", "intent": "see them", "task": "looks",
               "ability": "Perception"}, {"obstacle": 2}),
    _Measured("a skill of sight in a bascinet at Ob 2", "standard_test",
              {"character": "helmed", "intent": "see them", "task": "watches",
               "ability": "Observation"}, {"obstacle": 2}),
    _Measured("another skill in a bascinet, untrained, at Ob 2", "standard_test",
              {**_ASKS, "character": "helmed", "ability": "Streetwise"}, {"obstacle": 2}),
    _Measured("a Speed test in clumsy boots at Ob 2", "standard_test",
              {"character": "booted", "intent": "be there first", "task": "runs",
               "ability": "Speed"}, {"obstacle": 2}),
    _Measured("a Health test with a Superficial wound at Ob 2", "standard_test",
              {"character": "hurt", "intent": "stay awake", "task": "holds out",
               "ability": "Health"}, {"obstacle": 2}),
    _Measured("chainmail against VA 1", "armor_test",
              {"character": "hale", "location": "torso", "va": 1, "damage": "B6"}),
    _Measured("a Strike against a Block", "fight_action", _fights("strike", "block")),
    _Measured("a Block against a Strike, inside", "fight_action",
              {**_fights("block", "strike"), "distance": "inside"}),
    _Measured("a Counterstrike against a Lock", "fight_action", _fights("counterstrike", "lock")),
    _Measured("a Great Strike with bare hands", "fight_action",
              _fights("great_strike", "no_action", "bare fist")),
    _Measured("Speed Close against Speed Maintain", "rehearse_maneuvers",
              _shoots("speed_close", "speed_maintain")),
    _Measured("Steel Close against Perception Maintain", "rehearse_maneuvers",
              _shoots("steel_close", "perception_maintain")),
)  # fmt: skip

PEOPLE = {
    "mara": "mara",
    "tam": "tam",
    "hale": "serjeant_hale",
    "ketil": "ketil_the_loud",
    "wyn": "forester_wyn",
    "sig": "poacher_sig",
}
"""Who is measured: their keys, and their pre-made sheets."""

CHANGED: dict[str, tuple[str, dict[str, Any]]] = {
    "helmed": (
        "mara",
        {
            "armor": {"head": "bascinet"},
            "skills": {
                "Streetwise": {"rating": "B4", "roots": ["Perception", "Will"]},
                "Observation": {"rating": "B4", "roots": ["Perception"]},
            },
        },
    ),
    "booted": ("tam", {"clumsy_boots": True}),
    "hurt": ("tam", {"wounds": ["Superficial"]}),
}
"""Others who are measured: pre-made sheets with something on them that options are about."""

DUEL_BODIES = (3, 3)
DUEL = f"a duel at bodies {DUEL_BODIES[0]} and {DUEL_BODIES[1]}"


def option_flips(chapter: str = "") -> list[Flip]:
    """Every option with each choice but its default, in the order of the book."""
    return [
        Flip(spec.name, choice)
        for spec in _specs()
        if chapter in ("", spec.chapter)
        for choice in spec.choices
        if choice != spec.default
    ]


def _specs() -> Iterable[OptionSpec]:
    return catalogue().options(GAME.name)


class _OptionsRead(Options):
    """All defaults, and which of them were read; equal to no others, so that nothing is known yet.

    What a procedure comes to cannot depend on an option that it does not read.
    """

    __slots__ = ("read",)

    def __init__(self) -> None:
        super().__init__(GAME.name, Options.of(GAME.name))
        self.read: set[str] = set()

    def __getitem__(self, name: str) -> str:
        self.read.add(name)
        return super().__getitem__(name)

    def __eq__(self, other: object) -> bool:
        return self is other

    def __hash__(self) -> int:
        return id(self)


class Measured(NamedTuple):
    """All numbers with every default, and which options each of them may depend on, by title."""

    numbers: Numbers
    reads: dict[str, frozenset[str]]


def measure_usual() -> Measured:
    """Everything as it is by default."""
    numbers: Numbers = {}
    reads: dict[str, frozenset[str]] = {}
    for title in TITLES:
        options = _OptionsRead()
        numbers |= _numbers(title, options)
        reads[title] = frozenset(options.read)
    return Measured(numbers, reads)


class FlippedMeasure(NamedTuple):
    """What is measured under a flipped option, by title: one piece of work."""

    flip: Flip
    titles: tuple[str, ...]


def measure(work: FlippedMeasure) -> Numbers:
    """Numbers under a flipped option; what it refuses is left out."""
    options = Options.of(GAME.name, work.flip.options)
    return {
        what: number for title in work.titles for what, number in _numbers(title, options).items()
    }


def _numbers(title: str, options: Options) -> Numbers:
    if title == DUEL:
        return duel_numbers(options)
    each = next(each for each in BATTERY if each.title == title)
    return _odds(each, _table(options, PEOPLE, CHANGED))


TITLES = (*(each.title for each in BATTERY), DUEL)
"""Everything that is measured."""


def _table(
    options: Options,
    ready: Mapping[str, str],
    changed: Mapping[str, tuple[str, dict[str, Any]]] | None = None,
) -> BurningTable:
    """Pre-made characters at a table with these options, some of them changed."""
    paths = ready_paths(GAME)
    people: dict[str, tuple[str, dict[str, Any]]] = {key: (name, {}) for key, name in ready.items()}
    people |= changed or {}
    sheets = {
        key: GAME.read_sheet(tomllib.loads(paths[name].read_text(encoding="utf-8")) | changes, key)
        for key, (name, changes) in people.items()
    }
    return GAME.table(sheets, options=options)


def _odds(measured: _Measured, table: BurningTable) -> Numbers:
    procedure = GAME.procedures[measured.procedure]
    try:
        arguments = GAME.read(measured.arguments, procedure.arguments, "arguments")
        policy = GivenAnswers(measured.answers, all_asked=False)
        outcomes = exact(procedure.start(arguments, table), policy)
    except Refusal:
        return {}
    if "hit" in next(iter(outcomes.weights)).__struct_fields__:
        return {
            f"{measured.title}: hits": float(outcomes.where(lambda each: each.hit[1])),
            f"{measured.title}: is hit": float(outcomes.where(lambda each: each.hit[0])),
        }
    found = {measured.title: float(outcomes.where(lambda each: bool(GAME.wanted(each))))}
    earned = outcomes.map(lambda each: _class(each))
    for name in earned.weights:
        if name:
            found[f"{measured.title}: counts as {name}"] = float(earned.chance(name))
    return found


def _class(outcome: Any) -> str:
    earned = getattr(outcome, "earned", "")
    if isinstance(earned, tuple):
        earned = earned[0] if earned else ""
    return str(getattr(earned, "value", earned) or "")


def duel_numbers(options: Options) -> Numbers:
    """The value of a duel between two ready characters, for both ways to count."""
    from astragal.lab.duel_game import Payoff, duel_game
    from astragal.lab.duel_solver import solve
    from astragal.lab.duel_volleys import Volleys

    table = _table(options, {"ysmay": "advocate_ysmay", "dunn": "harbourmaster_dunn"})
    debate = Debate("it", (Speaker("ysmay", "Rhetoric"), Speaker("dunn", "Oratory")))
    game = duel_game(Volleys(debate, table), Payoff.WIN, DUEL_BODIES)
    solution = solve(game)
    mix = solution.mixes[*DUEL_BODIES, 0][0]
    scripts = game.scripts(0)
    played: dict[str, float] = {}
    for script, weight in zip(*mix, strict=True):
        for card in scripts[script]:
            played[card] = played.get(card, 0.0) + weight / 3
    title = DUEL
    numbers = {title: float(solution.values[*DUEL_BODIES, 0])}
    ahead = float(solution.values[DUEL_BODIES[0], DUEL_BODIES[1] - 1, 0])
    numbers[f"{title}, one point ahead"] = ahead
    return numbers | {f"{title}: how often {card}": share for card, share in played.items()}


def what_moves(
    flips: list[Flip], progress: Progress = unheard, *, processes: int = 1, dask: str = ""
) -> list[Moved]:
    """Flip each option, and report everything that moves by enough.

    Only what reads an option is measured again when it is flipped.
    """
    usual, reads = measure_usual()
    concerned = {flip: tuple(t for t in reads if flip.option in reads[t]) for flip in flips}
    work = [FlippedMeasure(flip, titles) for flip, titles in concerned.items() if titles]
    found = done_by_many(measure, work, progress, processes=processes, dask=dask)
    return [
        moved
        for (flip, titles), numbers in zip(work, found, strict=True)
        for moved in moved_by(
            flip, {what: n for what, n in usual.items() if _title(what) in titles}, numbers
        )
    ]


def moved_by(flip: Flip, usual: Numbers, numbers: Numbers) -> list[Moved]:
    """What a flip moves by enough; what it refuses cannot be compared."""
    rules = {spec.name: spec.rule for spec in _specs()}
    return [
        Moved(flip, rules[flip.option], what, usual.get(what, 0.0), numbers.get(what, 0.0))
        for what in dict.fromkeys((*usual, *numbers))
        if _comparable(what, numbers, usual)
        and abs(numbers.get(what, 0.0) - usual.get(what, 0.0)) > ENOUGH
    ]


def _comparable(what: str, numbers: Numbers, usual: Numbers) -> bool:
    """Whether both have it; a class or card that does not come up is one with chance 0."""
    return all(_title(what) in map(_title, found) for found in (numbers, usual))


def _title(what: str) -> str:
    """What a number is about."""
    return DUEL if what.startswith(DUEL) else what.partition(": ")[0]
