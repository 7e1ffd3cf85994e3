"""`astragal fight`: a Fight! at one keyboard, or many of them by policies.

How several people share a keyboard without seeing each other's scripts is in ``one_keyboard``.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

from astragal.cli.common_options import (
    AnswerOption,
    AskOption,
    DaskOption,
    EveryQuestionOption,
    HouseRuleOption,
    JsonOption,
    ProcessesOption,
    SamplesOption,
    SeedOption,
    SheetsArgument,
    SparOption,
    ThinkOption,
)
from astragal.cli.sides import often_wanted, seated, sides_of, with_mounts
from astragal.errors import BadInput

if TYPE_CHECKING:
    from astragal.games.burning_wheel.conflicts.fight.fight import StartFight
    from astragal.games.burning_wheel.sheet.scene import BurningTable

READY = ("serjeant_hale", "ketil_the_loud")
EXAMPLE = "['close', 'strike', 'block', 'maintain', 'avoid', 'stay', 'push']"


def add_to(app: typer.Typer) -> None:
    """Add the command `fight`."""
    app.command("fight")(fight)


def fight(
    sheets: SheetsArgument = None,
    side: Annotated[
        list[str] | None,
        typer.Option(help="A side of several fighters: SHEET,SHEET; once for each side."),
    ] = None,
    about: Annotated[str, typer.Option(help="What the fight is about.")] = "",
    weapon: Annotated[
        list[str] | None, typer.Option(help="The weapon in somebody's hand: FIGHTER=WEAPON.")
    ] = None,
    mount: Annotated[
        list[str] | None,
        typer.Option(help="What somebody rides: FIGHTER=SHEET, such as sir_aldwin=destrier."),
    ] = None,
    ambush: Annotated[list[str] | None, typer.Option(help="A fighter who waits in ambush.")] = None,
    ground: Annotated[
        list[str] | None, typer.Option(help="A condition of the place, such as near_darkness.")
    ] = None,
    option: HouseRuleOption = None,
    answer: AnswerOption = None,
    seed: SeedOption = None,
    ask: AskOption = None,
    every_question: EveryQuestionOption = False,
    auto: Annotated[int, typer.Option(help="Play this many fights automatically.")] = 0,
    policy: Annotated[
        list[str] | None,
        typer.Option(
            help="With --auto, one for each side: fierce, careful, sly, random, or CARD,CARD,..."
        ),
    ] = None,
    processes: ProcessesOption = 0,
    dask: DaskOption = "",
    spar: SparOption = None,
    temperament: Annotated[
        str, typer.Option(help="With --spar, its temperament: any, fierce, careful, sly.")
    ] = "any",
    samples: SamplesOption = 240,
    think: ThinkOption = 20.0,
    against: Annotated[
        str, typer.Option(help="Show the odds against this action of the other fighter.")
    ] = "",
    action: Annotated[str, typer.Option(help="With --against, one action (default: all).")] = "",
    at: Annotated[
        str, typer.Option(help="With --against, the distance: outside, lunging, optimal, inside.")
    ] = "optimal",
    stance: Annotated[
        str, typer.Option(help="With --against, the stances of both, as in aggressive,neutral.")
    ] = "neutral,neutral",
    json: JsonOption = False,
) -> int:
    """Play a Fight!: all scripts secret, the volleys shown one by one.

    Or show the exact odds of actions against one of the other fighter's, with --against.
    """
    from astragal.cli.many_runs import ManyRuns, play_many
    from astragal.cli.one_keyboard import at_one_keyboard
    from astragal.cli.spar import sparring_partner
    from astragal.cli.test import parse_setting
    from astragal.games.burning_wheel.conflicts.fight.fight import fight as procedure
    from astragal.games.burning_wheel.conflicts.fight.joining import NEEDED
    from astragal.games.burning_wheel.conflicts.fight.policies import simulate
    from astragal.games.burning_wheel.conflicts.fight.scripters import (
        at_random,
        by_heart,
        by_temperament,
    )
    from astragal.games.burning_wheel.conflicts.fight.temperaments import TEMPERAMENTS
    from astragal.play import then

    chosen = dict(parse_setting(text, "--option") for text in option or [])
    held = dict(parse_setting(text, "--weapon") for text in weapon or [])
    ridden = dict(parse_setting(text, "--mount") for text in mount or [])
    sides = sides_of(sheets or [], side or [], READY)
    arguments, table = _prepared(sides, about, held, ridden, ambush or [], ground or [], chosen)
    if against or action:
        return _odds(arguments, table, action, against, at, stance, as_json=json)
    if auto:
        many = ManyRuns(
            what="fights",
            people="fighters",
            usual="fierce",
            own="a script: close,strike,maintain,...",
            sides=[[each.character for each in side.fighters] for side in arguments.sides],
            needed=NEEDED,
            temperaments=TEMPERAMENTS,
            by_temperament=by_temperament,
            at_random=at_random,
            by_heart=by_heart,
            simulate=simulate,
        )
        return play_many(
            auto,
            policy or [],
            many,
            arguments,
            table,
            seed,
            as_json=json,
            processes=processes,
            dask=dask,
        )
    if policy:
        raise BadInput("--policy", ", ".join(policy), "no policy without --auto")
    partner = None
    if spar is not None:
        seats = [each.character for side in arguments.sides[1:] for each in side.fighters]
        partner = sparring_partner("fight", seats, spar, temperament, samples, think, seed)
    answers = dict(parse_setting(text, "--answer") for text in answer or [])
    return at_one_keyboard(
        then(procedure, arguments, table),
        answers,
        what="fight",
        example=EXAMPLE,
        for_players=often_wanted,
        seed=seed,
        asking=sys.stdin.isatty() if ask is None else ask,
        every=every_question,
        as_json=json,
        partner=partner,
    )


def _odds(
    arguments: StartFight,
    table: BurningTable,
    action: str,
    against: str,
    at: str,
    stance: str,
    *,
    as_json: bool,
) -> int:
    from astragal.cli.fight_odds import show_odds

    mine, _, theirs = stance.partition(",")
    stances = (mine.strip(), theirs.strip() or "neutral")
    return show_odds(arguments, table, action, against or "no_action", at, stances, as_json=as_json)


def _prepared(
    sides: list[list[str]],
    about: str,
    weapons: dict[str, Any],
    mounts: dict[str, Any],
    ambushers: list[str],
    ground: list[str],
    options: dict[str, Any],
) -> tuple[StartFight, BurningTable]:
    """The fight, and its table, at which each fighter has a seat: two may share a player."""
    from astragal.games.burning_wheel import GAME
    from astragal.games.burning_wheel.conflicts.fight.fight import StartFight

    keys, characters = seated(sides)
    for name in weapons:
        if name not in characters:
            raise BadInput("--weapon", name, f"one of {', '.join(characters)}")
    for name in mounts:
        if name not in characters:
            raise BadInput("--mount", name, f"one of {', '.join(characters)}")
    ridden = with_mounts(mounts, characters)
    raw = {
        "sides": [
            {
                "fighters": [
                    {
                        "character": key,
                        "weapon": str(weapons.get(key, "")),
                        "mount": ridden.get(key, ""),
                    }
                    for key in names
                ]
            }
            for names in keys
        ],
        "about": about,
        "ambushers": ambushers,
        "ground": ground,
    }
    return GAME.read(raw, StartFight, "fight"), GAME.table(characters, options=options)
