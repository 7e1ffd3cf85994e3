"""A conflict at one keyboard: several people share a screen, and nobody sees another's script.

Secret questions are asked on a cleared screen that is cleared again afterwards, and no script is
printed before its volley is shown. Output to a pipe is plain text.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from astragal.errors import BadInput

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

    from astragal.play import Answer, Answerer, Ask, Session, State, Then


class SharedKeyboard:
    """Asks whose turn it is; a secret is asked on a screen that is cleared afterwards.

    Only what is ``for_players``, and what has no default, is asked unless ``every`` question is.
    """

    def __init__(
        self,
        console: Console,
        terminal: Answerer,
        *,
        for_players: Callable[[Ask], bool],
        every: bool = False,
    ) -> None:
        """Ask at this terminal."""
        self._console = console
        self._terminal = terminal
        self._for_players = for_players
        self._every = every

    def __call__(self, ask: Ask) -> Answer:
        """The answer of whoever is asked."""
        wanted = self._every or self._for_players(ask)
        if not wanted and ask.question.default is not None:
            default: Answer = ask.question.default
            return default
        if not ask.secret:
            return self._terminal(ask)
        if not self._console.is_terminal:
            return self._terminal(ask)
        # On the alternate screen, so that nothing can be scrolled back to.
        self._console.set_alt_screen(True)
        self._console.clear()
        try:
            self._console.print(f"\nSecret: only {ask.seat} may look. [Enter]", end="")
            sys.stdin.readline()
            return self._terminal(ask)
        finally:
            self._console.clear()
            self._console.set_alt_screen(False)


def by_default(example: str) -> Answerer:
    """Answers where nobody is asked; a script has no default and must be given."""

    def answer(ask: Ask) -> Answer:
        from astragal.play import Script, Text, Unanswered

        if ask.question.default is not None:
            default: Answer = ask.question.default
            return default
        if isinstance(ask.question, Text):
            return "..."
        if isinstance(ask.question, Script):
            expected = f"a script: --answer {ask.seat}/script={example}, or --auto"
            raise BadInput("script", None, expected, ask.because)
        raise Unanswered(ask)

    return answer


def at_one_keyboard(
    start: Then[Any],
    answers: dict[str, Any],
    *,
    what: str,
    example: str,
    for_players: Callable[[Ask], bool],
    seed: str | None,
    asking: bool,
    every: bool,
    as_json: bool,
    partner: Callable[[State, Ask], Answer | None] | None = None,
) -> int:
    """Play a conflict to its end, and print its story, or the outcome as JSON.

    A ``partner`` is offered every question first, and answers what is its own to answer.

    Where people are asked, the story is printed as far as it has come before each question;
    ``example`` is a script as it is given on the command line.
    """
    from astragal.cli.screen import print_json, screen, write
    from astragal.cli.terminal import Terminal
    from astragal.dice import Secure, Seeded
    from astragal.games.burning_wheel import GAME
    from astragal.play import Scripted, Session, by

    console = screen()
    others: Answerer = by_default(example)
    if asking:
        others = SharedKeyboard(console, Terminal(console), for_players=for_players, every=every)
    answerer = Scripted(answers, others)
    session: Session[Any] = Session(start, by(Secure() if seed is None else Seeded(seed)))
    shown = 0
    while session.waiting:
        ask = session.waiting[0]
        own = None if partner is None else partner(session.state, ask)
        if own is not None:
            session.answer(ask.seat, own)
            continue
        if asking and not as_json:
            console.print(story(public(session)[shown:]))
            shown = len(public(session))
        session.answer(ask.seat, answerer(ask))
    if answerer.unused:
        key = answerer.unused[0]
        raise BadInput(f"--answer {key}", answers[key], f"a question of this {what}")
    if as_json:
        print_json(GAME.write(session.result))
    else:
        write(story(public(session)[shown:]))
    return 0


def public(session: Session[Any]) -> list[Any]:
    """What everyone at the screen may see: facts and rolls, but no scripts.

    Speeches are told as facts already, and changes of sheets do not belong to the story.
    """
    from astragal.play import Change, DecisionEvent, SealedEvent, seen_by

    seen = seen_by(session.events, "everyone at the screen")
    return [event for event in seen if not isinstance(event, Change | DecisionEvent | SealedEvent)]


def story(events: list[Any]) -> RenderableType:
    """The story of a conflict: exchanges, volleys and the end stand out, the rolls do not."""
    from rich.console import Group
    from rich.padding import Padding
    from rich.text import Text

    from astragal.cli.transcript import told
    from astragal.games.burning_wheel.sheet.facts import DiceGathered
    from astragal.play import RollEvent, Tell

    lines: list[RenderableType] = []
    for event in events:
        fact = event.fact if isinstance(event, Tell) else None
        text = told(event)
        if text is None:
            continue
        role = fact.role if fact is not None else ""
        if role == "heading":
            lines.append(Text(f"\n{text}", style="bold cyan"))
        elif fact is not None and fact.cards:
            lines.append(Text(f"\n{text}", style="bold"))
        elif role == "effect":
            lines.append(Padding(Text(f"{text}", style="italic"), (0, 0, 0, 2)))
        elif role == "conclusion":
            lines.append(Text(f"\n{text}\n", style="bold"))
        elif isinstance(fact, DiceGathered) and len(fact.dice.lines) == 1 and fact.obstacle is None:
            continue  # the roll itself says as much
        elif isinstance(event, RollEvent) or isinstance(fact, DiceGathered):
            lines.append(Padding(text, (0, 0, 0, 4)))
        else:
            lines.append(Padding(text, (0, 0, 0, 2)))
    return Group(*lines)
