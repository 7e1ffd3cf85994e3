"""Only one attempt: the result for a goal stands for the Scene.

Each Test is kept in the scene under its character and goal (signs.attempt.once), whichever
Score or Runic Power was used. Attack rolls are never kept (signs.attack.repeat). Here too a
Scene, and with it a scenario, comes to its end.
"""

from __future__ import annotations

from astragal.errors import BadInput, NotAllowed
from astragal.games.game import SCENE, Arguments, Outcome, Procedure
from astragal.play import GM, Play, Step, Text, ask, confirm, consent, note

from .boons import lapse
from .scene import Scene, SignsTable, TriedGoal, same_words
from .successes import counted


def not_tried_before(table: SignsTable, character: str, goal: str) -> Step[None]:
    """Refuse a Test whose result stands already.

    In the same Scene nobody may roll for that goal again (signs.attempt.scene), unless the
    table lets other characters try what one has tried (signs.amb.attempt_scope). In a later
    Scene the GM may allow it, if circumstances have changed (signs.amb.scenario_or_scene). What
    is barred is the action (signs.attempt.once): two can have a goal in the same words.
    """
    tried = [a for a in table.scene.attempts if same_words(a.goal, goal)]
    if not goal.strip():
        tried = [a for a in tried if a.character == character]
        if tried and (yield from _is_another_goal(table.character(character).name)):
            return None
    now = [a for a in tried if a.scene == table.scene.number]
    own = [a for a in tried if a.character == character]
    name = table.character(character).name
    for attempt in now:
        if attempt.character == character:
            return (yield from _another_action(_stands(attempt, table), "signs.attempt.scene"))
    if now and table.options["signs_another_character_may_try"] == "no":
        what = f"{_stands(now[-1], table)}, also for other characters"
        return (yield from _another_action(what, "signs.amb.attempt_scope"))
    if not own:
        return None
    if table.options["signs_second_attempt"] == "never_in_the_scenario":
        what = f"{name} has already tried this in this scenario"
        return (yield from _another_action(what, "signs.attempt.once"))
    changed = yield from ask(
        GM,
        "second_attempt",
        f"{name} tried this in an earlier Scene ({counted(own[-1].successes)}). What has changed "
        "to allow another Test? Leave empty to refuse.",
        Text(default=""),
        because="signs.amb.scenario_or_scene",
    )
    if not changed:
        raise NotAllowed(
            f"{name} tried this in an earlier Scene, and the GM does not allow another attempt",
            "signs.amb.scenario_or_scene",
        )
    said = f"Circumstances have changed: {changed}. {name} may try again."
    return (yield from note(said, "signs.amb.scenario_or_scene"))


def _another_action(tried: str, rule: str) -> Step[None]:
    """Refuse what was tried, unless the GM says that this is a different action."""
    prompt = f"{tried}. Is this a different action?"
    because = "signs.attempt.once"
    different = yield from confirm(GM, "different_action", prompt, default=False, because=because)
    if not different:
        raise NotAllowed(tried, rule)
    yield from note("This is a different action.", because)


def _is_another_goal(name: str) -> Step[bool]:
    """Whether a goal that nobody wrote down is another than before; the GM heard both."""
    prompt = f"{name} has already made a Test here. Is this another goal?"
    return (yield from consent(GM, "new_goal", prompt, because="signs.attempt.once"))


def _stands(attempt: TriedGoal, table: SignsTable) -> str:
    name = table.character(attempt.character).name
    result = counted(attempt.successes)
    return f"{name} has already tried this; the result ({result}) stands for the Scene"


def keep(table: SignsTable, *attempts: TriedGoal) -> Step[SignsTable]:
    """Keep what was rolled for a goal; help that was offered for it has had its time."""
    for attempt in attempts:
        offers = tuple(
            offer
            for offer in table.scene.offers
            if offer.character != attempt.character or not same_words(offer.goal, attempt.goal)
        )
        table = yield from table.amend(SCENE, "offers", offers, because="signs.help.before")
    kept = (*table.scene.attempts, *attempts)
    return (yield from table.amend(SCENE, "attempts", kept, because="signs.attempt.scene"))


# --- Procedures ----------------------------------------------------------------------------


class StandingResult(Arguments, frozen=True):
    """Which goal, and whose attempt if several have tried."""

    goal: str
    character: str = ""


class StandingOutcome(Outcome, frozen=True):
    """A result that stands for the whole Scene."""

    character: str
    successes: int
    passed: bool


def standing_result(arguments: StandingResult, table: SignsTable) -> Play[StandingOutcome]:
    """The same goal comes up again in the Scene: the result stands, nothing is rolled.

    signs.attempt.scene.
    """
    if arguments.character:
        table.character(arguments.character)
    for attempt in reversed(table.scene.attempts):
        if (
            attempt.scene == table.scene.number
            and same_words(attempt.goal, arguments.goal)
            and arguments.character in ("", attempt.character)
        ):
            name = table.character(attempt.character).name
            goal = f" ({attempt.goal})" if attempt.goal else ""
            said = f"The result stands: {name} has {counted(attempt.successes)}{goal}."
            yield from note(said, "signs.attempt.scene")
            return StandingOutcome(attempt.character, attempt.successes, attempt.passed)
    here = [a for a in table.scene.attempts if a.scene == table.scene.number]
    tried = "; ".join(a.goal or "said at the table" for a in here)
    expected = f"a goal that was tried in this Scene ({tried or 'there are none'})"
    raise BadInput("goal", arguments.goal, expected, "signs.attempt.scene")


class EndScene(Arguments, frozen=True):
    """The Scene ends; the next one can have a title."""

    next: str = ""


class EndOutcome(Outcome, frozen=True):
    """The Scene that begins, and what lapsed with the old one."""

    scene: int
    lapsed: tuple[str, ...] = ()


def end_scene(arguments: EndScene, table: SignsTable) -> Play[EndOutcome]:
    """The Scene ends: what was tried in it is no longer barred outright.

    signs.attempt.scene. Boons and Banes given until the end of the ``scene`` lapse.
    """
    table, lapsed = yield from lapse(table, "scene")
    because = "signs.attempt.scene"
    number = table.scene.number + 1
    table = yield from table.amend(SCENE, "offers", (), because=because)
    table = yield from table.amend(SCENE, "number", number, because=because)
    table = yield from table.amend(SCENE, "title", arguments.next, because=because)
    yield from _begins(table.scene, because)
    return EndOutcome(number, lapsed)


class EndScenario(Arguments, frozen=True):
    """The scenario ends; the next one begins with its first Scene."""

    next: str = ""


def end_scenario(arguments: EndScenario, table: SignsTable) -> Play[EndOutcome]:
    """The scenario ends: every goal may be tried anew (signs.attempt.once).

    Boons and Banes given until the end of the ``scene`` or the ``scenario`` lapse.
    """
    table, with_scene = yield from lapse(table, "scene")
    table, with_scenario = yield from lapse(table, "scenario")
    because = "signs.attempt.once"
    for path, after in (("attempts", ()), ("offers", ()), ("number", 1), ("title", arguments.next)):
        table = yield from table.amend(SCENE, path, after, because=because)
    yield from _begins(table.scene, because)
    return EndOutcome(1, with_scene + with_scenario)


def _begins(scene: Scene, rule: str) -> Step[None]:
    title = f": {scene.title}" if scene.title else ""
    yield from note(f"Scene {scene.number} begins{title}.", rule)


PROCEDURES = (
    Procedure("standing_result", "Look up a result that stands", StandingResult, standing_result),
    Procedure("end_scene", "End the Scene", EndScene, end_scene, gm_only=True, touches_all=True),
    Procedure(
        "end_scenario",
        "End the scenario",
        EndScenario,
        end_scenario,
        gm_only=True,
        touches_all=True,
    ),
)
