"""Procedures: beginning them, giving them answers in turn, cancelling them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from msgspec.structs import replace

from astragal.dice import parse
from astragal.dice.notation import spoken_dice
from astragal.errors import BadInput, Refusal
from astragal.games.forms import characters_in, named_in, signed
from astragal.games.game import SCENE
from astragal.play import GM, OutOfStep, Roll, check_answer
from astragal.table.commands import commands as do
from astragal.table.commands.seat import Forbidden, SeatAt
from astragal.table.log import events as happened
from astragal.table.log.events import AnyEvent
from astragal.table.log.items import ChangedItem, Item, RolledItem
from astragal.table.log.standing import changed
from astragal.table.log.state import (
    TABLE,
    Character,
    OpenProcedure,
    PendingAnswer,
    PreparedAnswer,
    ProcedureInput,
    Restorable,
)
from astragal.table.running.card import (
    DraftLine,
    TableCard,
    has_dice,
    table_card,
    waits_at,
    waits_for_somebody,
)
from astragal.table.running.dice import AT_FIRST, StepDice
from astragal.table.running.partners import partner_for
from astragal.table.running.recording import DiceThrow, items, rolled, sealed
from astragal.table.running.session import FACES, Advance, RunningProcedure, check_step
from astragal.table.running.votes import procedure_of, voters_in
from astragal.table.secrecy.audiences import Readers
from astragal.table.secrecy.known_scene import told_openly
from astragal.table.secrecy.redaction import discreetly, mentioned, without_secrets

MOST_OPEN = 40
MOST_OPEN_EACH = 12
"""How many procedures that one player began may be open."""
MOST_DRAFTS = 60
"""How many lines of one procedure a seat may have drafted."""
LONGEST_ABOUT = 400
UNLABELLED = "Dice"
"""What a roll is called for which somebody gave no label."""


class _Steps:
    """A procedure that is given one thing after the other, all in one entry of the log."""

    def __init__(self, procedure: OpenProcedure, running: RunningProcedure) -> None:
        self.procedure = procedure
        self.running = running
        self.given: list[ProcedureInput] = []
        self.items: list[Item] = []
        self.taken = 0
        self.over = False

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

    def forget(self, draft: PreparedAnswer | None) -> None:
        """A draft holds for one question."""
        kept = list(self.procedure.prepared)
        if draft in kept:
            kept.remove(draft)
            self.procedure = replace(self.procedure, prepared=tuple(kept))


class ProcedureCommands:
    """The commands of one seat that begin, answer and cancel procedures."""

    def __init__(self, at: SeatAt, running: Callable[[OpenProcedure], RunningProcedure]) -> None:
        """``running`` gives the session that plays a procedure, or begins one."""
        self._at = at
        self._running = running

    def _hidden(self) -> Readers:
        return self._at.hidden

    def begin(self, command: do.BeginProcedure) -> AnyEvent:
        """Begin a procedure of the game, or one that every game has."""
        at = self._at
        game, standing = at.game, at.standing
        procedure = procedure_of(game, command.procedure)
        if not at.is_gm and procedure.gm_only:
            raise Forbidden(f"Only the GM can start this: {procedure.title}.")
        if command.secret and not at.is_gm:
            raise Forbidden("Only the GM can act in secret.")
        if len(standing.open) >= MOST_OPEN:
            raise Refusal(f"{MOST_OPEN} tests and actions are already open. Finish one first.")
        if not at.is_gm and sum(p.by == at.seat for p in standing.open.values()) >= MOST_OPEN_EACH:
            raise Refusal(
                f"You already have {MOST_OPEN_EACH} tests and actions open. Finish one first."
            )
        begun_by = [p.by for p in standing.open.values() if p.by != GM]
        at.check_share("open tests and actions", begun_by.count(at.seat), len(begun_by), MOST_OPEN)
        asked = signed(game, procedure, command.arguments, at.seat)
        read = game.read(asked, procedure.arguments, "arguments")
        for seat in voters_in(read):
            at.players_seat(seat)
        arguments = game.write(read)
        named = named_in(game, procedure, arguments)
        for name, is_free in named:
            if not is_free and name != GM:  # some ask for a character, or the GM
                at.character(name)
        # The name of a hidden character, used by somebody who does not know it, is only a word.
        words = {name for name, _ in named}
        there = {
            key: each.sheet
            for key, each in standing.characters.items()
            if key in at.known or key not in words
        }
        held = characters_in(game, procedure, arguments, tuple(there))
        mine = [key for key in held if at.plays(key)]
        if held and not mine and not at.is_gm:
            raise Forbidden("Choose a character of your own, or ask the GM.")
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
        advance = self._running(begun).begin(self._dice(begun), self._hidden)
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
        return happened.ProcedureBegan(begun, advance.over)

    def _dice(
        self,
        procedure: OpenProcedure,
        pending: PendingAnswer = AT_FIRST,
        thrown: Iterable[Item] = (),
    ) -> StepDice:
        secretly = GM if procedure.secret else ""
        return self._at.dice(procedure.id, secretly, pending, thrown)

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
            if isinstance(item, ChangedItem) and item.target in elsewhere:
                other = elsewhere[item.target]
                if item.target not in at.known or (other.secret and not at.is_gm):
                    raise Refusal("This would change somebody who is busy. Wait for the GM.")
                busy = at.name(item.target)
                raise Refusal(
                    f"This would change {busy}, who is busy. Finish this first: {other.title}."
                )
        told = self._discreetly(advance.items, procedure)
        return advance if told is advance.items else replace(advance, items=told)

    def _discreetly(self, told: Iterable[Item], procedure: OpenProcedure) -> tuple[Item, ...]:
        """A hidden character that the GM names is shown; one that is in it because all are is not.

        So does a hidden character of a player whom it names for another reason.
        """
        at = self._at
        there = at.standing.characters
        hidden = [
            key
            for key, each in there.items()
            if each.hidden and (key in procedure.characters or each.sheet["player"] != GM)
        ]
        told = tuple(told)
        hidden = mentioned(hidden, told, at.standing)
        if not hidden:
            return told
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

    def answer(self, command: do.AnswerQuestion) -> AnyEvent:
        """Answer an open question, for oneself or (as the GM) for somebody else."""
        at = self._at
        procedure = at.going_on(command.procedure)
        who = command.seat or at.seat
        if who != at.seat:
            if not at.is_gm:
                raise Forbidden("Only the GM can answer for somebody else.")
            if not command.reason.strip():
                raise BadInput("reason", command.reason, "a reason for answering for somebody else")
        question = check_step(procedure, who, command.step)
        answer: Any = check_answer(question, command.answer, "answer")
        if procedure.pending is not None and question.key == FACES:
            faces: tuple[int, ...] = answer
            pending = procedure.pending
            pending = replace(pending, handfuls=(*pending.handfuls, faces))
        else:
            pending = PendingAnswer(who, answer, at.seat if who != at.seat else "", command.reason)
        return self._answered(procedure, pending)

    def write_script(self, command: do.WriteScript) -> AnyEvent:
        """The table writes a script for a character of the GM's, which nobody sees."""
        at = self._at
        procedure = at.going_on(command.procedure)
        question = check_step(procedure, GM, command.step)
        if partner_for(procedure, question, at.standing) != (command.character, command.partner):
            raise Refusal("This script is for somebody else to write.")
        answer: Any = check_answer(question, command.answer, "answer")
        return self._answered(procedure, PendingAnswer(GM, answer, TABLE))

    def _answered(self, procedure: OpenProcedure, pending: PendingAnswer) -> AnyEvent:
        steps = _Steps(procedure, self._running(procedure))
        self._step(steps, pending)
        self._settle(steps)
        return self._came(steps, pending.reason)

    def draft(self, command: do.DraftAnswers) -> AnyEvent:
        """Change one's own lines of a card; if it waited only for that, it goes on."""
        procedure = self._card_open(command.procedure)
        return self._go_on(self._drafted(procedure, command.answers))

    def release(self, command: do.ReleaseDice) -> AnyEvent:
        """Be ready, and if everybody is and nothing is missing, answer everything and roll."""
        at = self._at
        procedure = self._card_open(command.procedure)
        procedure = self._drafted(procedure, command.answers)
        others = tuple(seat for seat in procedure.ready if seat != at.seat)
        rolls_on = tuple(seat for seat in procedure.rolls_on if seat != at.seat)
        if not command.on:
            return self._go_on(replace(procedure, ready=others, rolls_on=rolls_on))
        card = self._card(procedure)
        if at.seat not in card.releasers:
            who = ", ".join(map(at.seat_name, card.releasers)) or "nobody"
            raise Forbidden(f"You have nothing to confirm here: this is waiting for {who}.")
        if card.refusal is not None:
            raise card.refusal
        rolls_on += (at.seat,) if command.stays else ()
        return self._go_on(replace(procedure, ready=(*others, at.seat), rolls_on=rolls_on))

    def hold(self, command: do.HoldCard) -> AnyEvent:
        """Hold a card, or let it go."""
        procedure = self._card_open(command.procedure)
        if procedure.held == command.on:
            raise Refusal(f"The card is {'already' if command.on else 'not'} on hold.")
        return self._go_on(replace(procedure, held=command.on))

    def _card_open(self, id: str) -> OpenProcedure:
        procedure = self._at.going_on(id)
        if procedure.pending is not None:
            raise Refusal("Dice are being rolled. Wait for them.")
        return procedure

    def _card(
        self,
        procedure: OpenProcedure,
        ends_with: Callable[[DraftLine], bool] | None = None,
        just_now: Sequence[Item] = (),
    ) -> TableCard:
        """The card with everybody's drafts, as only the table may know it."""
        running = self._running(procedure)
        running.procedure = procedure
        return table_card(
            running,
            procedure.prepared,
            asks_consent=self._at.campaign.asks_consent,
            ends_with=ends_with,
            just_now=just_now,
        )

    def _drafted(self, procedure: OpenProcedure, said: Iterable[do.ReadyAnswer]) -> OpenProcedure:
        """A procedure with other drafts of this seat; an answer that cannot be is refused."""
        at = self._at
        for each in said:
            card = self._card(procedure)
            asks = (*(line.ask for line in card.lines), *card.together)
            line = at.seat, each.key, each.prompt
            ask = next((a for a in asks if (a.seat, a.key, a.prompt) == line), None)
            kept = tuple(draft for draft in procedure.prepared if draft.line != line)
            if each.answer is not None:
                answer = each.answer
                if ask is not None:
                    answer = at.game.write(check_answer(ask, answer, each.key))
                # What is asked by nobody yet may turn out to be a secret.
                is_open = ask is not None and not ask.secret and ask not in card.together
                kept += (PreparedAnswer(*line, answer, each.reason, is_open),)
            if sum(draft.seat == at.seat for draft in kept) > MOST_DRAFTS:
                raise Refusal(f"You have already drafted {MOST_DRAFTS} answers here.")
            procedure = replace(procedure, prepared=kept)
        return procedure

    def _go_on(self, procedure: OpenProcedure) -> AnyEvent:
        """The card as it is then, or what comes of it where nothing is missing any more."""
        steps = _Steps(procedure, self._running(procedure))
        self._settle(steps)
        if steps.taken:
            return self._came(steps, "")
        before = self._at.going_on(procedure.id)
        return happened.AnswersDrafted(
            procedure.id,
            procedure.prepared,
            procedure.ready,
            procedure.held,
            secret=_shown_of(before) == _shown_of(procedure),
            rolls_on=procedure.rolls_on,
        )

    def _settle(self, steps: _Steps) -> None:
        """Answer every line of a card that waits for nobody, and so with those that follow."""
        while not steps.over and steps.procedure.pending is None:
            if waits_for_somebody(steps.procedure):
                return
            is_anybody_ready = steps.procedure.ready or steps.procedure.rolls_on
            # While nobody is, one line that waits for somebody says enough.
            ends_with = None if is_anybody_ready else waits_at
            card = self._card(steps.procedure, ends_with, steps.items)
            if not card.is_released(steps.procedure):
                return
            if card.refusal is not None:
                raise card.refusal
            for line in card.lines:
                reason = line.draft.reason if line.draft else ""
                steps.forget(line.draft)
                self._step(steps, PendingAnswer(line.ask.seat, line.answer, "", reason))
            steps.procedure = replace(steps.procedure, ready=(), held=False)

    def _step(self, steps: _Steps, pending: PendingAnswer) -> None:
        """Give one answer, or the last handful of dice that it waited for."""
        dice = self._dice(steps.procedure, pending, steps.items)
        running = steps.running
        running.procedure = steps.procedure
        if pending.seat:
            advance = running.answer(pending, dice, self._hidden)
        else:
            advance = running.begin(dice, self._hidden, pending, steps.procedure.taken + 1)
        steps.take(self._checked(advance, steps.procedure))

    def _came(self, steps: _Steps, reason: str) -> AnyEvent:
        procedure = steps.procedure
        waits = procedure.pending
        if waits is not None:
            waits = replace(waits, answer=self._at.game.write(waits.answer))
        return happened.AnswerGiven(
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
            procedure.rolls_on,
        )

    def withdraw(self, command: do.CancelProcedure) -> AnyEvent:
        """Cancel a procedure."""
        at = self._at
        procedure = at.going_on(command.procedure)
        if procedure.by != at.seat and not at.is_gm:
            raise Forbidden("Only the GM, or the player who started it, can cancel this.")
        if has_dice(procedure) and not at.is_gm:
            raise Forbidden("The dice are on the table, so only the GM can cancel this.")
        return happened.ProcedureCancelled(procedure.id, command.reason, procedure.secret)

    def throw(self, command: do.ThrowDice) -> AnyEvent:
        """Just throw dice."""
        at = self._at
        try:
            expression = parse(spoken_dice(command.dice))
        except BadInput as bad:
            raise BadInput("dice", command.dice, f"dice, as in 3d6+1, 5D or G4 ({bad})") from None
        roll = Roll(expression, command.label or UNLABELLED, at.seat)
        dice = at.dice(secretly=at.seat if command.secret else "")
        result = dice.by_server(roll)
        (throw,) = dice.throws
        told = rolled(roll, result.value, result.faces, throw)
        return happened.DiceThrown(told, at.audience(command.secret))

    def rebased(self, procedure: OpenProcedure, changes: list[ChangedItem]) -> OpenProcedure:
        """A procedure in progress as if the ruling had been made before it began.

        What was rolled and answered stays; if it no longer fits, the ruling is refused.
        """
        at = self._at
        if procedure.pending is not None:
            raise Refusal(f"Dice are being rolled for {procedure.title}. Wait for them.")
        begun = Restorable({key: Character(s) for key, s in procedure.sheets.items()})
        ruled = changed(begun, tuple(c for c in changes if c.target != SCENE), at.game)
        sheets = {key: each.sheet for key, each in ruled.characters.items()}
        anew = replace(procedure, sheets=sheets)
        running = RunningProcedure(at.game, anew)
        try:
            session = running.resumed()
        except (OutOfStep, Refusal) as refusal:
            raise Refusal(
                f"With this, {procedure.title} would have gone differently. "
                f"Undo it first ({refusal})."
            ) from None
        throws = [
            DiceThrow(item.index, item.throws, item.typed, item.session, item.stream, item.mixed)
            for item in procedure.story
            if isinstance(item, RolledItem)
        ]
        given = procedure.given
        told = items(session.events, throws, at.game, self._hidden, given)
        story = self._discreetly(told, procedure)
        story = self._openly(anew, (), story)
        story += tuple(sealed(each.seat) for each in given[len(given) - session.sealed :])
        return replace(anew, story=story, questions=running.open_questions(procedure.taken))


def _shown_of(procedure: OpenProcedure) -> tuple[object, ...]:
    """What others see of a card's drafts."""
    drafts = tuple(draft for draft in procedure.prepared if draft.open)
    return drafts, procedure.ready, procedure.held, procedure.rolls_on
