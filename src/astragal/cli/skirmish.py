"""`astragal skirmish`: Range and Cover at one keyboard, or many of them by policies.

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
from astragal.cli.sides import often_wanted, seated, sides_of
from astragal.errors import BadInput

if TYPE_CHECKING:
    from astragal.games.burning_wheel.conflicts.range_and_cover.skirmish import StartSkirmish
    from astragal.games.burning_wheel.sheet.scene import BurningTable

READY = ("forester_wyn", "poacher_sig")
EXAMPLE = "['speed_maintain', 'speed_close', 'perception_maintain']"


def add_to(app: typer.Typer) -> None:
    """Add the command `skirmish`."""
    app.command("skirmish")(skirmish)


def skirmish(
    sheets: SheetsArgument = None,
    side: Annotated[
        list[str] | None,
        typer.Option(help="A side of several: SHEET,SHEET; once for each side."),
    ] = None,
    about: Annotated[str, typer.Option(help="What it is about.")] = "",
    weapon: Annotated[
        list[str] | None,
        typer.Option(help="What somebody shoots with: NAME=WEAPON, or NAME=nothing."),
    ] = None,
    cover: Annotated[
        list[str] | None,
        typer.Option(help="The cover of each side, in order: open, reasonable or dense."),
    ] = None,
    fortification: Annotated[
        list[int] | None, typer.Option(help="Prepared defences of each side, in order: 0, 3 to 10.")
    ] = None,
    start: Annotated[
        str,
        typer.Option(
            help="The ranges at the start, as in extreme/optimal; by default a test decides."
        ),
    ] = "",
    option: HouseRuleOption = None,
    answer: AnswerOption = None,
    seed: SeedOption = None,
    ask: AskOption = None,
    every_question: EveryQuestionOption = False,
    auto: Annotated[int, typer.Option(help="Play this many automatically.")] = 0,
    policy: Annotated[
        list[str] | None,
        typer.Option(
            help="With --auto, one for each side: steady, bold, wary, random, or CARD,CARD,CARD."
        ),
    ] = None,
    processes: ProcessesOption = 0,
    dask: DaskOption = "",
    spar: SparOption = None,
    temperament: Annotated[
        str, typer.Option(help="With --spar, its temperament: any, steady, bold, wary.")
    ] = "any",
    samples: SamplesOption = 240,
    think: ThinkOption = 20.0,
    json: JsonOption = False,
) -> int:
    """Play Range and Cover: both scripts secret, the volleys shown one by one."""
    from astragal.cli.many_runs import ManyRuns, play_many
    from astragal.cli.one_keyboard import at_one_keyboard
    from astragal.cli.spar import sparring_partner
    from astragal.cli.test import parse_setting
    from astragal.games.burning_wheel.conflicts.range_and_cover.policies import (
        TEMPERAMENTS,
        at_random,
        by_heart,
        by_temperament,
        simulate,
    )
    from astragal.games.burning_wheel.conflicts.range_and_cover.skirmish import (
        ABILITIES,
        range_and_cover,
    )
    from astragal.play import then

    chosen = dict(parse_setting(text, "--option") for text in option or [])
    held = dict(parse_setting(text, "--weapon") for text in weapon or [])
    sides = sides_of(sheets or [], side or [], READY)
    arguments, table = _prepared(
        sides, about, held, cover or [], fortification or [], start, chosen
    )
    if auto:
        many = ManyRuns(
            what="skirmishes",
            people="skirmishers",
            usual="steady",
            own="three maneuvers: speed_close,speed_maintain,...",
            sides=[[each.character for each in side.shooters] for side in arguments.sides],
            needed=ABILITIES,
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
        seats = [each.character for side in arguments.sides[1:] for each in side.shooters]
        partner = sparring_partner("skirmish", seats, spar, temperament, samples, think, seed)
    answers = dict(parse_setting(text, "--answer") for text in answer or [])
    return at_one_keyboard(
        then(range_and_cover, arguments, table),
        answers,
        what="skirmish",
        example=EXAMPLE,
        for_players=often_wanted,
        seed=seed,
        asking=sys.stdin.isatty() if ask is None else ask,
        every=every_question,
        as_json=json,
        partner=partner,
    )


def _prepared(
    sides: list[list[str]],
    about: str,
    weapons: dict[str, Any],
    covers: list[str],
    fortifications: list[int],
    start: str,
    options: dict[str, Any],
) -> tuple[StartSkirmish, BurningTable]:
    """The skirmish, and its table, at which everybody has a seat: two may share a player."""
    from astragal.games.burning_wheel import GAME
    from astragal.games.burning_wheel.conflicts.range_and_cover.skirmish import StartSkirmish

    keys, characters = seated(sides)
    for name in weapons:
        if name not in characters:
            raise BadInput("--weapon", name, f"one of {', '.join(characters)}")
    for place, said in (("--cover", covers), ("--fortification", fortifications)):
        if len(said) > len(sides):
            raise BadInput(place, ", ".join(map(str, said)), "at most one for each side")
    raw_sides: list[dict[str, Any]] = [
        {"shooters": [{"character": key, "weapon": str(weapons.get(key, ""))} for key in names]}
        for names in keys
    ]
    for side, level in zip(raw_sides, covers, strict=False):
        side["cover"] = level
    for side, dice in zip(raw_sides, fortifications, strict=False):
        side["fortification"] = dice
    if any(len(names) > 1 for names in keys):  # several on a side need the rule for groups
        options = {"range_and_cover_groups": "shared_margin", **options}
    raw = {"sides": raw_sides, "about": about, "start": start}
    arguments = GAME.read(raw, StartSkirmish, "skirmish")
    return arguments, GAME.table(characters, options=options)
