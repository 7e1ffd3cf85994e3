"""A solved Duel of Wits as it is kept and read: the game, the values, and the mixes.

A solution is a file among the user's caches, named by a fingerprint of everything that it depends
on: both sheets, the house rules, the bodies, what counts, and the program itself.
"""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from tempfile import NamedTemporaryFile
from time import monotonic

import msgspec
import numpy as np
from numpy.typing import NDArray

import astragal
from astragal.errors import Refusal
from astragal.games.burning_wheel.conflicts.duel_of_wits.actions import Debate, label
from astragal.games.burning_wheel.conflicts.scripting import CarriedEffect
from astragal.games.burning_wheel.sheet.scene import BurningTable
from astragal.lab import Progress, unheard
from astragal.lab.duel_game import (
    Bodies,
    DuelGame,
    Payoff,
    SplitPlan,
    VolleyLinks,
    duel_game,
)
from astragal.lab.duel_solver import Mix, Solution, solve
from astragal.lab.duel_volleys import Between, Floats, Volleys
from astragal.lab.kept_plans import KeptPlans, OpenedPlans, kept_plans
from astragal.lab.planned_solver import PlannedSolution, solve_planned
from astragal.lab.rules_of_thumb import RuleOfThumb

VARIABLE = "ASTRAGAL_CACHE"
FORMAT = 2
"""Raised when the file is written differently."""

MOST_KEPT = 200
"""How many solutions are kept: a server solves another duel every evening."""

WeightedScript = tuple[tuple[str, ...], float]
"""The cards of a script, for the volleys that a side has not lost, and how likely it is."""


class _Mixes(msgspec.Struct, frozen=True):
    """The mixes of one side: where those of each state begin, scripts by number, and weights."""

    starts: bytes
    scripts: bytes
    weights: bytes


class _Stored(msgspec.Struct, frozen=True):
    """What the file has in it; arrays are plain bytes."""

    format: int
    names: tuple[str, str]
    cards: tuple[tuple[str, ...], tuple[str, ...]]
    payoff: Payoff
    bodies: Bodies
    positions: tuple[Between, ...]
    ways: bytes
    usual: bytes
    starts: bytes
    losses: tuple[bytes, bytes]
    follows: bytes
    chances: bytes
    values: bytes
    mixes: tuple[_Mixes, _Mixes]
    planned: KeptPlans | None = None


class SolvedDuel:
    """A duel with the value of every state and the best mix of both sides in it."""

    def __init__(self, stored: _Stored) -> None:
        """Read what was kept."""
        self._stored = stored
        self.names = stored.names

    @cached_property
    def whole_game(self) -> DuelGame:
        """The game with all ways to divide a Rebuttal."""
        stored = self._stored
        links = VolleyLinks(
            np.frombuffer(stored.starts, np.int64),
            _long(stored.losses[0]),
            _long(stored.losses[1]),
            _long(stored.follows),
            np.frombuffer(stored.chances, np.float64),
        )
        shape = len(stored.positions), len(stored.cards[0]), len(stored.cards[1]), 2
        return DuelGame(
            stored.cards,
            stored.positions,
            np.frombuffer(stored.ways, np.uint8).reshape(shape),
            np.frombuffer(stored.usual, np.uint8).reshape(shape),
            links,
            stored.payoff,
            stored.bodies,
        )

    @cached_property
    def game(self) -> DuelGame:
        """The game that was solved."""
        return self.whole_game if self.is_planned else self.whole_game.at_usual()

    @property
    def is_planned(self) -> bool:
        """Whether splits are part of the play, and not the usual ones."""
        return self._stored.planned is not None

    @property
    def bodies(self) -> Bodies:
        """Both bodies of argument at the beginning."""
        return self._stored.bodies

    @property
    def payoff(self) -> Payoff:
        """What counts."""
        return self._stored.payoff

    @property
    def positions(self) -> tuple[Between, ...]:
        """All positions, by their numbers; 0 is that at the beginning."""
        return self._stored.positions

    @cached_property
    def values(self) -> Floats:
        """What each state is worth to side A, by both bodies and the position."""
        shape = self.bodies[0] + 1, self.bodies[1] + 1, len(self.positions)
        return np.frombuffer(self._stored.values, np.float64).reshape(shape)

    def mix(self, side: int, bodies: Bodies, position: int = 0) -> Mix:
        """The best mix of a side in a state, by the numbers of its scripts."""
        stored = self._stored.mixes[side]
        state = self._state(bodies, position)
        starts = np.frombuffer(stored.starts, np.int32)
        first, last = int(starts[state]), int(starts[state + 1])
        scripts = np.frombuffer(stored.scripts, np.uint16)[first:last]
        weights = np.frombuffer(stored.weights, np.float64)[first:last]
        return Mix(tuple(scripts.tolist()), tuple(weights.tolist()))

    def scripts(self, side: int, bodies: Bodies, position: int = 0) -> list[WeightedScript]:
        """The best mix of a side in a state, likeliest first, in cards."""
        known = self._stored.cards[side]
        lost = self.positions[position].owed[side]
        mix = self.mix(side, bodies, position)
        found = []
        for script, weight in zip(*mix, strict=True):
            first, rest = divmod(script, len(known) ** 2)
            cards = tuple(known[at] for at in (first, *divmod(rest, len(known))))
            found.append((cards[lost:], weight))
        return sorted(found, key=lambda each: (-each[1], each[0]))

    def plans(self, side: int, bodies: Bodies, position: int = 0) -> tuple[SplitPlan, ...]:
        """How the scripts of a mix divide their Rebuttals."""
        many = len(self._stored.cards[1 - side])
        if self._planned is None:
            nothing = SplitPlan(np.zeros(many, np.uint8), np.zeros((0, many), np.uint8))
            return (nothing,) * len(self.mix(side, bodies, position).scripts)
        return self._planned.plans(side, self._state(bodies, position), many)

    @cached_property
    def _planned(self) -> OpenedPlans | None:
        return None if self._stored.planned is None else OpenedPlans(self._stored.planned)

    def last_splits(self, side: int, bodies: Bodies) -> Floats:
        """How likely a side divides a Rebuttal in each way in the last volley of an exchange.

        By position, the other side's card, and the way.
        """
        if self._planned is None:
            return np.ones((len(self.positions), len(self._stored.cards[1 - side]), 1))
        return self._planned.last_splits(side, self._state(bodies, 0), self.whole_game)

    def _state(self, bodies: Bodies, position: int) -> int:
        return (bodies[0] * (self.bodies[1] + 1) + bodies[1]) * len(self.positions) + position

    def position_in_words(self, position: int) -> str:
        """What waits in a position, as people say it."""
        between = self.positions[position]
        said = [_waiting(self.names[each.side], each) for each in between.carried]
        said += [
            f"{name} loses the first volley"
            for name, lost in zip(self.names, between.owed, strict=True)
            if lost
        ]
        return "; ".join(said) or "nothing is carried over"

    def to_bytes(self) -> bytes:
        """The content of its file."""
        return msgspec.msgpack.encode(self._stored)


def _waiting(name: str, carried: CarriedEffect) -> str:
    amount = carried.line.amount
    what = f"+{amount} Ob" if carried.is_obstacle else f"+{amount}D"
    return f"{name} has {what} on the {carried.until.value}"


def script_in_words(cards: tuple[str, ...]) -> str:
    """A script as it is read: the names of its cards.

    >>> script_in_words(("point", "avoid"))
    'Point, Avoid the Topic'
    """
    return ", ".join(map(label, cards))


# --- Making one ------------------------------------------------------------------------------


def solve_duel(
    debate: Debate,
    table: BurningTable,
    payoff: Payoff,
    bodies: Bodies,
    *,
    progress: Callable[[str], Progress] = lambda _what: unheard,
    cache: Path | None = None,
    rules: tuple[RuleOfThumb | None, RuleOfThumb | None] = (None, None),
    planned: bool = False,
) -> SolvedDuel:
    """Solve a duel, or read its solution where the cache has it already.

    With a rule of thumb a side makes the best of the scripts that the rule allows. If splits are
    ``planned``, they are part of the play; otherwise each gains most in its own volley.
    ``progress`` is told which part begins, and gives what hears how far it has come.
    """
    name = f"duel-{fingerprint(debate, table, payoff, bodies, rules, planned)}.solution"
    path = cache and cache / name
    if path is not None:
        found = read_solution(path)
        if found is not None:
            return found
    volleys = Volleys(debate, table)
    game = duel_game(volleys, payoff, bodies, progress("volleys"))
    one, other = (None if rule is None else rule.allows for rule in rules)
    names = [table.character(speaker.character).name for speaker in debate.speakers]
    solver = solve_planned if planned else solve
    solution = solver(game, progress("states"), (one, other))
    solved = SolvedDuel(_stored(game, solution, (names[0], names[1])))
    if path is not None:
        _keep(path, solved)
    return solved


def solution_within(
    seconds: float, debate: Debate, table: BurningTable, bodies: Bodies
) -> SolvedDuel | None:
    """The solution of a duel from the cache, or solved now; none where that takes longer.

    A duel that is solved once is kept, so it is there at once the next time.
    """
    ends = monotonic() + seconds

    def hurry(_done: int, _total: int) -> None:
        if monotonic() > ends:
            raise _TooLong("This takes too long to solve.")

    try:
        return solve_duel(
            debate,
            table,
            Payoff.WIN,
            bodies,
            progress=lambda _what: hurry,
            cache=cache_folder(),
        )
    except _TooLong:
        return None


class _TooLong(Refusal):
    """A duel is not solved within the time that it was given."""


def read_solution(path: Path) -> SolvedDuel | None:
    """A solution from its file; none where there is no such file or it is not whole."""
    with suppress(OSError, msgspec.MsgspecError):
        stored = msgspec.msgpack.decode(path.read_bytes(), type=_Stored)
        if stored.format == FORMAT:
            return SolvedDuel(stored)
    return None


def _keep(path: Path, solved: SolvedDuel) -> None:
    """Write the file as a whole, or not at all; without it, the duel is solved again next time."""
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        with NamedTemporaryFile(dir=path.parent, delete=False) as file:
            file.write(solved.to_bytes())
        Path(file.name).replace(path)
        kept = sorted(path.parent.glob("duel-*.solution"), key=lambda each: each.stat().st_mtime)
        for oldest in kept[:-MOST_KEPT]:
            oldest.unlink(missing_ok=True)


def _stored(
    game: DuelGame, solution: Solution | PlannedSolution, names: tuple[str, str]
) -> _Stored:
    links = game.links

    def mixes(side: int) -> _Mixes:
        every = [both[side] for both in _every_mix(game, solution)]
        starts = np.cumsum([0, *(len(mix.scripts) for mix in every)]).astype(np.int32)
        scripts = np.array([s for mix in every for s in mix.scripts], np.uint16)
        weights = np.array([w for mix in every for w in mix.weights])
        return _Mixes(starts.tobytes(), scripts.tobytes(), weights.tobytes())

    return _Stored(
        format=FORMAT,
        names=names,
        cards=game.cards,
        payoff=game.payoff,
        bodies=game.bodies,
        positions=game.positions,
        ways=game.ways.tobytes(),
        usual=game.usual.tobytes(),
        starts=links.starts.astype(np.int64).tobytes(),
        losses=(_short(links.loss_a), _short(links.loss_b)),
        follows=_short(links.position),
        chances=links.chance.tobytes(),
        values=solution.values.tobytes(),
        mixes=(mixes(0), mixes(1)),
        planned=kept_plans(game, solution) if isinstance(solution, PlannedSolution) else None,
    )


def _long(kept: bytes) -> NDArray[np.int64]:
    return np.frombuffer(kept, np.int16).astype(np.int64)


def _short(numbers: NDArray[np.int64]) -> bytes:
    return numbers.astype(np.int16).tobytes()


def _every_mix(game: DuelGame, solution: Solution | PlannedSolution) -> Iterator[tuple[Mix, Mix]]:
    """The mixes of all states in order; there are none where a body is gone."""
    none = Mix((), ())
    for a in range(game.bodies[0] + 1):
        for b in range(game.bodies[1] + 1):
            for position in range(len(game.positions)):
                yield solution.mixes.get((a, b, position), (none, none))


# --- Where it is kept ------------------------------------------------------------------------


def cache_folder() -> Path:
    """Where solutions are kept: what ``ASTRAGAL_CACHE`` names, or the user's caches."""
    given = os.environ.get(VARIABLE)
    if given:
        return Path(given)
    match sys.platform:
        case "darwin":
            base = Path.home() / "Library" / "Caches"
        case "win32":
            local = os.environ.get("LOCALAPPDATA")
            base = Path(local) if local else Path.home() / "AppData" / "Local"
        case _:
            xdg = os.environ.get("XDG_CACHE_HOME", "")
            base = Path(xdg) if xdg.startswith("/") else Path.home() / ".cache"
    return base / "astragal"


def fingerprint(
    debate: Debate,
    table: BurningTable,
    payoff: Payoff,
    bodies: Bodies,
    rules: tuple[RuleOfThumb | None, RuleOfThumb | None] = (None, None),
    planned: bool = False,
) -> str:
    """Two duels have the same one only if they have the same solution."""
    depends = (
        FORMAT,
        payoff,
        bodies,
        [(table.character(each.character), each.skill) for each in debate.speakers],
        dict(table.options),
        table.scene,
        [rule and rule.text.casefold() for rule in rules],
        planned,
        _program(),
    )
    return hashlib.sha256(msgspec.json.encode(depends, enc_hook=str)).hexdigest()[:32]


def _program() -> list[tuple[str, int, int]]:
    """The files of the program that a solution may depend on, as they are on this machine."""
    root = Path(astragal.__file__).parent
    found = []
    for package in ("dice", "play", "rules", "lab", "games/burning_wheel"):
        for folder, _, names in os.walk(root / package):
            for name in names:
                if name.endswith((".py", ".toml")):
                    about = os.stat(os.path.join(folder, name))
                    found.append((name, about.st_size, about.st_mtime_ns))
    return sorted(found)
