"""`astragal test`: make one test, from sheets or from plain numbers.

Everything before the dice is on one screen at the terminal, with the odds in view, and one key
rolls; without a terminal the default is used. The options with names of their own are the
Burning Wheel's;
``--set`` and ``--answer`` reach every argument and question of every game (``--ability`` is the
same as ``--set ability=``, and so on); without a sheet ``--set`` gives another game's plain
numbers. An option that nobody asks for is refused.
"""

from __future__ import annotations

import sys
import tomllib
from typing import TYPE_CHECKING, Annotated, Any

import typer

from astragal.cli.common_options import AnswerOption, AskOption, FacesOption, JsonOption, SeedOption
from astragal.errors import BadInput

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from astragal.cli.card_screen import TypedAnswer
    from astragal.games.game import Game
    from astragal.odds import Trial
    from astragal.play import Answer, Answerer, Ask, Scripted, Session, Then

LEFT_OPEN = "up to the GM"
"""Stands in for a text that nobody gave."""
SOMEBODY = "somebody"


def add_to(app: typer.Typer) -> None:
    """Add the command `test`."""
    app.command("test")(make_test)


def make_test(
    sheets: Annotated[
        list[str] | None,
        typer.Argument(help="Sheets (files, or pre-made sheets by name); the first one tests."),
    ] = None,
    game: Annotated[str, typer.Option(help="The game.")] = "burning_wheel",
    procedure: Annotated[str, typer.Option(help="The procedure of the game, by name.")] = "",
    rating: Annotated[str, typer.Option(help="A rating such as B4, instead of a sheet.")] = "",
    ability: Annotated[str, typer.Option(help="The ability tested.")] = "",
    intent: Annotated[str, typer.Option(help="The intent.")] = "",
    task: Annotated[str, typer.Option(help="The task.")] = "",
    ob: Annotated[int | None, typer.Option("--ob", help="The obstacle.")] = None,
    failure: Annotated[str, typer.Option(help="What happens on a failure.")] = "",
    time: Annotated[str, typer.Option(help="How long it takes.")] = "",
    advantage: Annotated[str, typer.Option(help="An advantage, in a sentence.")] = "",
    disadvantage: Annotated[
        list[str] | None, typer.Option(help="A disadvantage. May be repeated.")
    ] = None,
    fork: Annotated[
        list[str] | None, typer.Option(help="A FoRK, by the name of the skill. May be repeated.")
    ] = None,
    helper: Annotated[
        list[str] | None,
        typer.Option("--helper", help="A helper, as SHEET:ABILITY. May be repeated."),
    ] = None,
    gear: Annotated[list[str] | None, typer.Option(help="Gear used. May be repeated.")] = None,
    carefully: Annotated[bool, typer.Option("--carefully", help="Work carefully.")] = False,
    boon: Annotated[int | None, typer.Option(help="Persona spent on dice.")] = None,
    versus: Annotated[
        str, typer.Option(help="The other side of a versus test: SHEET:ABILITY, or a rating.")
    ] = "",
    set_: Annotated[
        list[str] | None, typer.Option("--set", help="An argument of the procedure: FIELD=VALUE.")
    ] = None,
    answer: AnswerOption = None,
    faces: FacesOption = None,
    seed: SeedOption = None,
    ask: AskOption = None,
    json: JsonOption = False,
) -> int:
    """Make a test, with its odds."""
    from astragal.cli.screen import screen
    from astragal.odds.plain import find_game, plain

    one_source_of_dice(faces, seed)
    the_game = find_game(game)
    given = {"obstacle": ob, "boon": boon, "forks": fork, "disadvantages": disadvantage}
    answers: dict[str, Any] = {key: value for key, value in given.items() if value is not None}
    said = {"on_failure": failure, "time": time, "advantage": advantage}
    answers |= {key: value for key, value in said.items() if value}
    if carefully:
        answers["carefully"] = True
    sides = _Sides(the_game, sheets or [])
    characters = sides.characters
    arguments: dict[str, Any]
    if the_game.name == "burning_wheel" and procedure in ("", "standard_test", "versus_test"):
        if rating:
            sides.seat_somebody(rating, ability)
        if not characters:
            raise BadInput("sheet", None, "a sheet, or --rating with a rating such as B4")
        untrained = ask or any(text.startswith("roots=") for text in answer or [])
        arguments = sides.declaration(intent, task, ability, gear or [], untrained=bool(untrained))
        arguments["helpers"] = [sides.helper(text, answers) for text in helper or []]
        if versus:
            procedure = "versus_test"
            arguments = {"sides": [arguments, sides.opponent(versus)]}
        procedure = procedure or "standard_test"
    else:
        for option, value in (("--rating", rating), ("--helper", helper), ("--versus", versus)):
            if value:
                expected = "an option of this test; use --set and --answer instead"
                raise BadInput(option, value, expected)
        declared = {"ability": ability, "intent": intent, "task": task, "gear": gear}
        arguments = {field: value for field, value in declared.items() if value}
    arguments |= dict(parse_setting(text, "--set") for text in set_ or [])
    answers |= dict(parse_setting(text, "--answer") for text in answer or [])
    start: Then[Any]
    if not characters and not procedure:
        trial = plain(the_game.name, **arguments)
        start, answers = trial.start, {**trial.answers, **answers}
    else:
        the_procedure = the_game.procedure(procedure or the_game.main_test, "--procedure")
        if characters and "character" in the_procedure.arguments.__struct_fields__:
            arguments.setdefault("character", next(iter(characters)))
        typed = the_game.read(arguments, the_procedure.arguments, "arguments")
        start = the_procedure.start(typed, the_game.table(characters))
    asking = sys.stdin.isatty() if ask is None else ask
    run = ProcedureRun(the_game, start, answers, asking)
    return run.play(faces, seed, as_json=json, console=screen(beside_json=json))


def one_source_of_dice(faces: list[str] | None, seed: str | None) -> None:
    """Dice are rolled from a seed or typed in, not both."""
    if faces and seed is not None:
        raise BadInput("--seed", seed, "no seed together with --faces")


def play_foretold(
    game: Game,
    trial: Trial,
    settings: list[str],
    asking: bool,
    faces: list[str] | None,
    seed: str | None,
    *,
    as_json: bool,
) -> int:
    """Play something whose odds have been shown, with these answers in addition."""
    from astragal.cli.screen import screen

    answers = trial.answers | dict(parse_setting(text, "--answer") for text in settings)
    run = ProcedureRun(game, trial.start, answers, asking, foretold=True)
    return run.play(faces, seed, as_json=as_json, console=screen(beside_json=as_json))


class _Sides:
    """Who takes part in a test, from sheets; in the Burning Wheel also from a single rating."""

    def __init__(self, game: Game, names: list[str]) -> None:
        self._game = game
        self._files: dict[str, Path] = {}
        self.characters: dict[str, Any] = {}
        for name in names:
            self._sit(name)

    def _sit(self, name: str) -> str:
        from astragal.cli.files import find_sheet, read_raw

        path = find_sheet(name, self._game)
        known = self._files.setdefault(path.stem, path)
        if not known.samefile(path):
            expected = f"a file with another name: {path.stem} is already used for {known}"
            raise BadInput("sheet", name, expected)
        if path.stem not in self.characters:
            self.characters[path.stem] = self._game.read_sheet(read_raw(path), path.stem)
        return path.stem

    def seat_somebody(self, rating: str, ability: str) -> None:
        """Seat somebody with one rating and nothing else."""
        raw = {"name": "Somebody", "skills": {ability or "the ability": rating}}
        sheet = self._game.read_sheet(raw, "--rating")
        if not next(sheet.abilities()).exponent:
            raise BadInput("--rating", rating, "at least one die", "tests.amb.zero_dice")
        self.characters[SOMEBODY] = sheet

    def declaration(
        self, intent: str, task: str, ability: str, gear: list[str], *, untrained: bool
    ) -> dict[str, Any]:
        who, sheet = next(iter(self.characters.items()))
        if not ability:
            names = [rated.name for rated in sheet.abilities()]
            if len(names) > 1:
                raise BadInput("--ability", "", f"an ability of {sheet.name}: {', '.join(names)}")
            ability = names[0]
        if sheet.find(ability) is None and not untrained:
            try:
                sheet.ability(ability, "--ability")
            except BadInput as bad:
                luck = "; for Beginner's Luck add a root, as in --answer roots=Perception"
                raise BadInput(bad.place, bad.value, bad.expected + luck) from None
        does = task or f"tries with {ability}"
        return {
            "character": who,
            "intent": intent or does,
            "task": does,
            "ability": ability,
            "gear": gear,
        }

    def helper(self, text: str, answers: dict[str, Any]) -> str:
        """Seat a helper and note what they help with."""
        name, _, ability = text.partition(":")
        who = self._sit(name)
        if ability:
            seat = self.characters[who].seat(who)
            answers[f"{seat}/help"] = self.characters[who].ability(ability, "--helper").name
            answers[f"{seat}/help_how"] = f"helps with {ability}"
        return who

    def opponent(self, text: str) -> dict[str, Any]:
        """The other side: a sheet and an ability, or just a rating."""
        name, _, ability = text.partition(":")
        if not ability and name[:1].upper() in "BGW" and name[1:].isdigit():
            raw = {"name": "The other side", "npc": True, "skills": {"the ability": name}}
            self.characters["other_side"] = self._game.read_sheet(raw, "--versus")
            who, ability = "other_side", "the ability"
        else:
            who = self._sit(name)
            if not ability:
                raise BadInput("--versus", text, "SHEET:ABILITY, or a rating such as B4")
        task = f"resists with {ability}"
        return {"character": who, "intent": task, "task": task, "ability": ability}


class ProcedureRun:
    """One run of a procedure: scripted where options spoke, asked or default elsewhere."""

    def __init__(
        self,
        game: Game,
        start: Then[Any],
        answers: dict[str, Any],
        asking: bool,
        *,
        foretold: bool = False,
    ) -> None:
        """Take the procedure and its answers; ``foretold`` where its odds are shown already."""
        self._game = game
        self._foretold = foretold
        self._start = start
        self._answers = answers
        self._asking = asking

    def play(
        self,
        faces: list[str] | None,
        seed: str | None,
        *,
        as_json: bool,
        console: Any,
    ) -> int:
        """Play it to its end and write what happened; the status for the command."""
        from astragal.cli.card_screen import CardScreen
        from astragal.cli.terminal import Terminal
        from astragal.cli.transcript import transcript
        from astragal.dice import Secure, Seeded
        from astragal.play import Scripted, Session, by

        otherwise: Answerer = Terminal(console) if self._asking else _nothing_special
        answerer = Scripted(self._answers, otherwise)
        card = CardScreen(console, self._game.wanted, _written(answerer), _nothing_special)
        thrower = _Typed(faces) if faces else by(Secure() if seed is None else Seeded(seed))
        session: Session[Any] = Session(self._start, thrower)
        if not (self._asking or as_json or self._foretold):
            self._foretell()
        shown = 0
        while session.waiting:
            ask = session.waiting[0]
            if self._asking and not as_json:
                console.print(transcript(session.events[shown:]))
                shown = len(session.events)
            if self._asking and len(session.waiting) == 1:
                card.release(session)
            else:
                session.answer(ask.seat, answerer(ask))
        if answerer.unused:
            asked = "a question that is asked in this test"
            raise BadInput(
                f"--answer {answerer.unused[0]}", self._answers[answerer.unused[0]], asked
            )
        if isinstance(thrower, _Typed):
            thrower.finish()
        if as_json:
            from astragal.cli.screen import print_json

            print_json(self._game.write(session.result))
        else:
            from astragal.cli.screen import write

            write(transcript(session.events[shown:]))
        return 0

    def _foretell(self) -> None:
        """The odds of the very procedure that is about to be played, and their picture."""
        from rich.text import Text

        from astragal.cli.charts import bars, percent
        from astragal.cli.screen import screen, write
        from astragal.play import Scripted, exact

        wanted = self._game.wanted
        outcomes = exact(self._start, Scripted(self._answers, _nothing_special))
        if any(wanted(outcome) is None for outcome in outcomes.weights):
            return
        chance = outcomes.where(lambda outcome: bool(wanted(outcome)))
        write(Text(f"Chance of success: {percent(chance)}", style="bold"))
        if all(isinstance(getattr(o, "successes", None), int) for o in outcomes.weights):
            good = {outcome.successes for outcome in outcomes.weights if wanted(outcome)}
            successes = outcomes.map(lambda o: o.successes)
            write(bars(successes, good.__contains__, screen_width=screen().width))


def _written(answers: Scripted) -> Callable[[Ask], TypedAnswer | None]:
    """What the options say to a question."""
    from astragal.cli.card_screen import TypedAnswer

    def given(ask: Ask) -> TypedAnswer | None:
        said = answers.written_for(ask)
        return None if said is None else TypedAnswer(said)

    return given


def _nothing_special(ask: Ask) -> Answer:
    """What holds where nobody is asked, and what the odds suppose for questions still to come."""
    from astragal.play import Text, Unanswered, defaults

    if isinstance(ask.question, Text) and ask.question.required:
        return LEFT_OPEN
    try:
        return defaults(ask)
    except Unanswered as open_question:
        how = "--ob" if ask.key == "obstacle" else f"--answer {ask.key}=VALUE"
        expected = f"{open_question.expected} (give it with {how}, or use --ask)"
        raise BadInput(ask.key, None, expected, ask.because) from None


class _Typed:
    """Faces of real dice, given as options, one list for each roll."""

    def __init__(self, rolls: list[str]) -> None:
        self._rolls = [_faces(text) for text in rolls]
        self._thrown = 0

    def __call__(self, effect: Any) -> Any:
        from astragal.play import rolled_from

        if self._thrown >= len(self._rolls):
            wanted = f"faces for {effect.label} ({effect.expression.notation})"
            raise BadInput("--faces", None, wanted)
        self._thrown += 1
        return rolled_from(effect, self._rolls[self._thrown - 1])

    def finish(self) -> None:
        """Refuse faces that no roll asked for."""
        if self._thrown < len(self._rolls):
            raise BadInput(
                "--faces", self._rolls[self._thrown], "no more faces: every roll has been made"
            )


def _faces(text: str) -> list[int]:
    from astragal.cli.terminal import whole_number

    faces = [whole_number(part) for part in text.replace(",", " ").split()]
    numbers = [face for face in faces if isinstance(face, int)]
    if not faces or len(numbers) < len(faces):
        raise BadInput("--faces", text, "numbers, as in 1,2,2,4,5")
    return numbers


def parse_setting(text: str, option: str) -> tuple[str, Any]:
    """FIELD=VALUE, where the value may be a number, true, a list or just words."""
    field, equals, value = text.partition("=")
    field = field.strip()
    if not equals or not field:
        raise BadInput(option, text, "FIELD=VALUE")
    try:
        return field, tomllib.loads(f"value = {value}")["value"]
    except (ValueError, RecursionError):  # no TOML, or a number or nesting beyond all reason
        return field, value
