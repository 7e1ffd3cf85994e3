"""The odds of one action of a Fight! against another, and of every action against it.

From the rules themselves: `fight_action` is walked exactly, up to armor. `astragal fight` shows
them with `--against`.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from astragal.errors import BadInput

if TYPE_CHECKING:
    from rich.console import RenderableType

    from astragal.games.burning_wheel.conflicts.fight.fight import StartFight
    from astragal.games.burning_wheel.sheet.scene import BurningTable


def show_odds(
    arguments: StartFight,
    table: BurningTable,
    action: str,
    against: str,
    at: str,
    stances: tuple[str, str],
    *,
    as_json: bool,
) -> int:
    """Print what an action comes to against another; without an action, what each of them does."""
    from astragal.cli.screen import print_json, write

    if [len(side.fighters) for side in arguments.sides] != [1, 1]:
        raise BadInput("--against", against, "two fighters, one on each side")
    tried = (action,) if action else _actions()
    found = {each: _odds(arguments, table, (each, against), at, stances) for each in tried}
    if as_json:
        print_json({each: _plain(odds) for each, odds in found.items()})
        return 0
    names = [table.character(side.fighters[0].character).name for side in arguments.sides]
    write(_grid(found, names, against, at))
    return 0


def _actions() -> tuple[str, ...]:
    from astragal.games.burning_wheel.conflicts.fight.interactions import actors

    return tuple(each for each in actors() if each not in LEFT_OUT)


LEFT_OUT = ("great_strike_set", "charge_tackle", "non_martial")
"""What hurts nobody by itself, and the Charge, which is rolled with the positioning."""


Odds = dict[str, Fraction]
"""How likely each effect is: `hits`, `is hit`, and what else may happen to either of them."""


def _odds(
    arguments: StartFight,
    table: BurningTable,
    actions: tuple[str, str],
    at: str,
    stances: tuple[str, str],
) -> Odds:
    from astragal.games.burning_wheel import GAME
    from astragal.games.burning_wheel.conflicts.fight.one_action import FightAction, fight_action
    from astragal.play import exact, then

    sides = [
        {
            "character": side.fighters[0].character,
            "action": action,
            "weapon": side.fighters[0].weapon or _first_weapon(table, side.fighters[0].character),
            "stance": stance,
        }
        for side, action, stance in zip(arguments.sides, actions, stances, strict=True)
    ]
    wanted = GAME.read({"sides": sides, "distance": at}, FightAction, "fight_action")
    outcomes = exact(then(fight_action, wanted, table))
    one, other = (side["character"] for side in sides)
    odds: Odds = {}
    for outcome, weight in outcomes.weights.items():
        chance = Fraction(weight, outcomes.total)
        for effect in {_named(effect, one) for effect in outcome.effects}:
            odds[effect] = odds.get(effect, Fraction(0)) + chance
        for name, is_hit in zip((one, other), outcome.hit, strict=True):
            key = "is hit" if name == one else "hits"
            odds[key] = odds.get(key, Fraction(0)) + chance * is_hit
    return odds


def _named(effect: Any, one: str) -> str:
    """An effect as it is counted: what it is, and to whom; of a hit also how hard."""
    whose = "self" if effect.character == one else "other"
    what = effect.stage.casefold() if effect.effect == "hit" else effect.effect.replace("_", " ")
    return f"{whose}: {what}"


def _first_weapon(table: BurningTable, character: str) -> str:
    weapons = table.character(character).weapons
    return weapons[0].called if weapons else ""


def _plain(odds: Odds) -> dict[str, float]:
    return {what: float(chance) for what, chance in sorted(odds.items())}


def _grid(found: dict[str, Odds], names: list[str], against: str, at: str) -> RenderableType:
    from rich.console import Group
    from rich.table import Table as Grid
    from rich.text import Text

    from astragal.cli.charts import percent
    from astragal.games.burning_wheel.conflicts.fight.cards import label_of

    one, other = names
    grid = Grid(box=None, pad_edge=False)
    for head in (one, "hits", "is hit"):
        grid.add_column(head, justify="left" if head == one else "right")
    for name in (other, one):
        grid.add_column(f"to {name}")
    for action in sorted(found, key=lambda each: -found[each].get("hits", Fraction(0))):
        odds = found[action]
        chances = (percent(odds.get(key, Fraction(0))) for key in ("hits", "is hit"))
        effects = (_effects(odds, whose) for whose in ("other", "self"))
        grid.add_row(label_of(action), *chances, *effects)
    head = f"{one} against {other}'s {label_of(against)}, at {at} distance, before armor"
    return Group(Text(f"{head}\n"), grid)


def _effects(odds: Odds, whose: str) -> str:
    """What may happen to one of the two, the likeliest first."""
    from astragal.cli.charts import percent

    found = {what.partition(": ")[2]: chance for what, chance in odds.items() if whose in what}
    ordered = sorted(found.items(), key=lambda item: -item[1])
    return ", ".join(f"{what} {percent(chance)}" for what, chance in ordered if chance)
