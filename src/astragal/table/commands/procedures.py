"""Conducting procedures: beginning them, giving them answers in turn, calling them off."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import msgspec
from msgspec.structs import replace

from astragal.dice import parse
from astragal.errors import BadInput, Refusal
from astragal.games.forms import characters_in, named_in, signed
from astragal.games.game import SCENE
from astragal.play import GM, OutOfStep, Roll, Seat
from astragal.table.commands import commands as do
from astragal.table.commands.seat import Forbidden, Looking
from astragal.table.log import events as happened
from astragal.table.log.events import AnyEvent
from astragal.table.log.fold import changed
from astragal.table.log.items import Changed, Item
from astragal.table.log.items import Rolled as RolledItem
from astragal.table.log.state import (
    Character,
    Given,
    OpenProcedure,
    OpenQuestion,
    Pending,
    Prepared,
    Standing,
)
from astragal.table.running.recording import Throw, items, rolled, sealed
from astragal.table.running.session import FACES, Advance, Running, check_step
from astragal.table.running.votes import procedure_of, voters_in
from astragal.table.secrecy.known_scene import told_openly
from astragal.table.secrecy.redaction import discreetly, without_secrets

MOST_OPEN = 40
MOST_OPEN_EACH = 12
"""So many procedures may be open that one player has begun."""
LONGEST_ABOUT = 400


class _Steps:
    """A procedure that is given one thing after the other, all in one entry of the log."""

    def __init__(self, procedure: OpenProcedure, running: Running) -> None:
        self.procedure = procedure
        self.running = running
        self.given: list[Given] = []
        self.items: list[Item] = []
        self.taken = 0
        self.over = False

    @property
    def thrown(self) -> int:
        """The number of the next throw, if there were any so far."""
        return max((i.index + 1 for i in self.items if isinstance(i, RolledItem)), default=0)

    def take(self, advance: Advance) -> None:
        """The procedure has come further."""
        self.given += advance.given
        self.items += advance.items
        self.taken += 1
        self.over = advance.over
        self.procedure = replace(
            self.procedure,
            given=self.procedure.given + advance.given,
            taken=self.procedure.taken + 1,
            questions=advance.questions,
            pending=advance.pending,
        )

    def ready(self) -> tuple[Prepared, OpenQuestion] | None:
        """What was prepared for a question that is open now."""
        if self.over or self.procedure.pending is not None:
            return None
        for question in self.procedure.questions:
            for prepared in self.procedure.prepared:
                if prepared.answers(question):
                    return prepared, question
        return None

    def forget(self, prepared: Prepared) -> None:
        """What was prepared holds for one question."""
        kept = list(self.procedure.prepared)
        kept.remove(prepared)
        self.procedure = replace(self.procedure, prepared=tuple(kept))


class Conduct:
    """The procedures of a table, conducted for one seat."""

    def __init__(self, at: Looking, running: Callable[[OpenProcedure], Running]) -> None:
        """``running`` gives the session that plays a procedure, or begins one."""
        self._at = at
        self._running = running

    def begin(self, command: do.Begin) -> AnyEvent:
        """Begin a procedure of the game, or of the house."""
        at = self._at
        game, standing = at.game, at.standing
        procedure = procedure_of(game, command.procedure)
        if not at.is_gm and procedure.gm_only:
            raise Forbidden(f"only the GM begins this: {procedure.title}")
        if command.secret and not at.is_gm:
            raise Forbidden("only the GM plays in secret")
        if len(standing.open) >= MOST_OPEN:
            raise Refusal(f"{MOST_OPEN} things are going on already: finish one of them first")
        if not at.is_gm and sum(p.by == at.seat for p in standing.open.values()) >= MOST_OPEN_EACH:
            raise Refusal(f"{MOST_OPEN_EACH} things that you began are going on: finish one first")
        asked = signed(game, procedure, command.arguments, at.seat)
        read = game.read(asked, procedure.arguments, "arguments")
        for seat in voters_in(read):
            at.players_seat(seat)
        arguments = game.write(read)
        named = named_in(game, procedure, arguments)
        for name, is_free in named:
            if not is_free and name != GM:  # some ask for a character, or the GM
                at.character(name)
        # Whoever happens to say the name of somebody hidden has only said a word.
        words = {name for name, _ in named}
        there = {
            key: each.sheet
            for key, each in standing.characters.items()
            if key in at.known or key not in words
        }
        held = characters_in(game, procedure, arguments, tuple(there))
        mine = [key for key in held if at.plays(key)]
        if held and not mine and not at.is_gm:
            raise Forbidden("begin with a character of your own, or ask the GM")
        at.check_free(held)
        begun = OpenProcedure(
            id=f"p{at.campaign.seq + 1}",
            name=procedure.name,
            title=procedure.title,
            about=game.about(procedure, arguments, at.names)[:LONGEST_ABOUT],
            arguments=arguments,
            by=at.seat,
            characters=tuple(held),
            sheets=there,
            scene=standing.scene,
            options=standing.options,
            known_scene=None if command.secret else standing.known_scene,
            without=tuple(key for key in standing.characters if key not in there),
            hidden=tuple(key for key, each in standing.characters.items() if each.hidden),
            secret=command.secret,
        )
        advance = self._running(begun).begin(at.dice(), at.hidden)
        advance = self._checked(advance, begun)
        begun = replace(
            begun,
            sheets={},
            scene={},
            options={},
            known_scene=None,
            given=advance.given,
            questions=advance.questions,
            pending=advance.pending,
            story=self._openly(begun, (), advance.items),
        )
        return happened.Began(begun, advance.over)

    def _checked(self, advance: Advance, procedure: OpenProcedure) -> Advance:
        """What came of it, with those who may know of it.

        What happens here may not change the sheet of somebody who is busy elsewhere.
        """
        at = self._at
        elsewhere = {
            key: other
            for other in at.standing.open.values()
            if other.id != procedure.id
            for key in other.characters
        }
        for item in advance.items:
            if isinstance(item, Changed) and item.target in elsewhere:
                other = elsewhere[item.target]
                if item.target not in at.known or (other.secret and not at.is_gm):
                    raise Refusal("this would change somebody who is busy: wait for the GM")
                busy = at.name(item.target)
                raise Refusal(f"this would change {busy}, who is busy: finish {other.title} first")
        return replace(advance, items=self._discreetly(advance.items, procedure))

    def _discreetly(self, told: Iterable[Item], procedure: OpenProcedure) -> tuple[Item, ...]:
        """Whom the GM names steps forward; whoever is in it because all are stays hidden.

        So does a hidden character of a player whom it names for another reason.
        """
        at = self._at
        there = at.standing.characters
        hidden = [
            key
            for key, each in there.items()
            if each.hidden and (key in procedure.characters or each.sheet["player"] != GM)
        ]
        if not hidden:
            return tuple(told)
        what = procedure_of(at.game, procedure.name)
        named = {name for name, _ in named_in(at.game, what, procedure.arguments)}
        return discreetly(told, [key for key in hidden if key not in named], at.standing)

    def _openly(
        self, procedure: OpenProcedure, before: Iterable[Item], told: Iterable[Item]
    ) -> tuple[Item, ...]:
        """What came of it, with what others see of changes in a scene they do not know all of."""
        at = self._at
        if procedure.secret or procedure.known_scene is None:
            return tuple(told)
        spoken = (procedure.about, procedure.arguments, procedure.given, *before)
        told = without_secrets(told, at.standing, spoken)
        return told_openly(procedure, before, told, at.game, at.hidden.hidden)

    def answer(self, command: do.Answer) -> AnyEvent:
        """Answer an open question, for oneself or (as the GM) for somebody else."""
        at = self._at
        procedure = at.going_on(command.procedure)
        who = command.seat or at.seat
        if who != at.seat:
            if not at.is_gm:
                raise Forbidden("only the GM answers for somebody else")
            if not command.reason.strip():
                raise BadInput("reason", command.reason, "why the GM answers for somebody else")
        question = check_step(procedure, who, command.step)
        answer: Any = question.question.check(command.answer, "answer")
        if procedure.pending is not None and question.key == FACES:
            faces: tuple[int, ...] = answer
            pending = procedure.pending
            pending = replace(pending, handfuls=(*pending.handfuls, faces))
        else:
            pending = Pending(who, answer, at.seat if who != at.seat else "", command.reason)
        steps = _Steps(procedure, self._running(procedure))
        self._step(steps, pending)
        self._go_on(steps)
        return self._came(steps, pending.reason)

    def prepare(self, command: do.Prepare) -> AnyEvent:
        """Say beforehand what one will answer, and answer what is asked already."""
        at = self._at
        procedure = at.going_on(command.procedure)
        if procedure.pending is not None:
            raise Refusal("dice are being thrown: wait for them")
        mine = tuple(Prepared(at.seat, *msgspec.structs.astuple(each)) for each in command.answers)
        others = tuple(each for each in procedure.prepared if each.seat != at.seat)
        steps = _Steps(replace(procedure, prepared=others + mine), self._running(procedure))
        self._go_on(steps, strictly=at.seat)
        return self._came(steps, "")

    def _step(self, steps: _Steps, pending: Pending) -> None:
        """Give one answer, or the last handful of dice that it waited for."""
        dice = self._at.dice(pending, steps.thrown)
        running, hidden = steps.running, self._at.hidden
        running.procedure = steps.procedure
        if pending.seat:
            advance = running.answer(pending, dice, hidden)
        else:
            advance = running.begin(dice, hidden, pending, steps.procedure.taken + 1)
        steps.take(self._checked(advance, steps.procedure))

    def _go_on(self, steps: _Steps, strictly: Seat = "") -> None:
        """Give what was prepared, for as long as what is asked is what was prepared for.

        What no longer fits is forgotten, and the question is asked. Of whoever prepares it just
        now (``strictly``) a wrong answer to what is asked already is refused instead.
        """
        while (ready := steps.ready()) is not None:
            prepared, question = ready
            steps.forget(prepared)
            now = prepared.seat == strictly and not steps.given
            try:
                answer = question.question.check(prepared.answer, prepared.key)
                self._step(steps, Pending(prepared.seat, answer))
            except Refusal:
                if now:
                    raise
                steps.running.session = None  # it may have come further than that

    def _came(self, steps: _Steps, reason: str) -> AnyEvent:
        procedure = steps.procedure
        waits = procedure.pending
        if waits is not None:
            waits = replace(waits, answer=self._at.game.write(waits.answer))
        return happened.Answered(
            procedure.id,
            tuple(steps.given),
            self._openly(procedure, procedure.story, steps.items),
            procedure.questions,
            waits,
            reason,
            steps.over,
            procedure.secret,
            steps.taken,
            procedure.prepared,
        )

    def withdraw(self, command: do.Withdraw) -> AnyEvent:
        """Call a procedure off."""
        at = self._at
        procedure = at.going_on(command.procedure)
        if procedure.by != at.seat and not at.is_gm:
            raise Forbidden("whoever began it may call it off, or the GM")
        return happened.Withdrawn(procedure.id, command.reason, procedure.secret)

    def throw(self, command: do.Throw) -> AnyEvent:
        """Just throw dice."""
        at = self._at
        try:
            expression = parse(command.dice)
        except BadInput as bad:
            raise BadInput("dice", command.dice, f"dice, as in 3d6+1 or 5B ({bad})") from None
        roll = Roll(expression, command.label or "just so", at.seat)
        dice = at.dice()
        result = dice.by_server(roll)
        (throw,) = dice.throws
        told = rolled(roll, result.value, result.faces, throw)
        return happened.Threw(told, at.audience(command.secret))

    def rebased(self, procedure: OpenProcedure, changes: list[Changed]) -> OpenProcedure:
        """A procedure in progress as it stands if the ruling had held from its beginning.

        What was rolled and answered stays; if it no longer fits, the ruling is refused.
        """
        at = self._at
        if procedure.pending is not None:
            raise Refusal(f"dice are being thrown for {procedure.title}: wait for them")
        begun = Standing({key: Character(s) for key, s in procedure.sheets.items()})
        ruled = changed(begun, tuple(c for c in changes if c.target != SCENE), at.game)
        sheets = {key: each.sheet for key, each in ruled.characters.items()}
        anew = replace(procedure, sheets=sheets)
        running = Running(at.game, anew)
        try:
            session = running.resumed()
        except (OutOfStep, Refusal) as refusal:
            raise Refusal(
                f"{procedure.title} would have gone otherwise with that: undo it first ({refusal})"
            ) from None
        throws = [
            Throw(item.index, item.throws, item.typed, item.session)
            for item in procedure.story
            if isinstance(item, RolledItem)
        ]
        given = procedure.given
        told = items(session.events, throws, at.game, at.hidden, given)
        story = self._discreetly(told, procedure)
        story = self._openly(anew, (), story)
        story += tuple(sealed(each.seat) for each in given[len(given) - session.sealed :])
        return replace(anew, story=story, questions=running.open_questions(procedure.taken))
