"""Random play: anything that people at a table may do, in any order, with secrets marked.

Every secret carries a word of its own. The words and who may know them are kept here, apart from
what the table itself thinks that a seat may see, so that the two can be compared.
"""

from __future__ import annotations

import json
from collections import Counter
from random import Random
from typing import Any

from astragal.errors import Refusal
from astragal.games import Game
from astragal.games.ready import ready_paths, ready_sheet
from astragal.play import GM
from astragal.table.commands import commands as do
from astragal.table.log.state import Campaign, Role
from astragal.table.running.votes import procedures_of
from table.company import Company
from table.random_values import IN_THE_SCENE, RandomValues
from table.words import Secrets

NAMES = ("anna", "ben", "cleo", "dov")
SKETCHES = {
    "burning_wheel": "{}, Sword 3",
    "cores": "{}, others d6",
    "percentile": "{}, 35s",
    "signs": "{}, others d6",
}
DICE = ("1d6", "3d6+1", "5B", "2d10", "d100", "4G")
SPOKEN = {
    "about", "case", "failure", "goal", "how", "intent", "item", "loses", "next", "question",
    "situation", "sought", "source", "success", "task", "title", "what", "wins", "wish",
}  # fmt: skip
"""Arguments that are people's own words."""


class RandomPlay(RandomValues):
    """One campaign, played at random."""

    def __init__(self, company: Company, game: Game, rng: Random) -> None:
        super().__init__(game, rng, [])
        self.company = company
        self.secrets = Secrets()
        self.names: dict[str, str] = {}
        """The words in the names of hidden characters, by key."""
        self.sheets: dict[str, list[str]] = {}
        """The words on the sheets of the GM's characters, by key."""
        self.behind_the_screen: dict[str, str] = {}
        """The words in the GM's secret procedures, by id."""
        self.done: Counter[str] = Counter()
        self.refused: Counter[str] = Counter()
        self.why_not: list[str] = []
        self.inspected = 0
        """Messages that were searched for secrets."""
        self.gathered = 1
        """The entry with which everybody sits there."""
        self.count = 0
        self.gives_to_table = False
        """Whether the GM gives characters to the table, and advice may be asked for."""

    async def gather(self) -> None:
        """Everybody sits down; some bring a character, some are given one."""
        rng, company = self.rng, self.company
        self.players = list(NAMES[: rng.randint(1, 3)])
        if self.game.demo is not None and not (await self.state()).standing.characters:
            for key, cast in self.game.demo.characters.items():
                await company.gm(do.AddCharacter(key, ready=cast.ready, hidden=cast.hidden))
        given = [key for key in (await self.state()).standing.characters if self.is_open_to(key)]
        for seat in self.players:
            await company.sit(seat, plays=given.pop(0) if given else "")
        await company.sit("watcher", Role.SPECTATOR)
        self.gathered = (await self.state()).seq
        for client in company.clients.values():
            await client.hear()

    def is_open_to(self, key: str) -> bool:
        demo = self.game.demo
        return demo is not None and key in demo.characters and demo.characters[key].seat != GM

    async def state(self) -> Campaign:
        return await self.company.state()

    async def step(self) -> tuple[str, Any, Exception | None]:
        """One command of somebody; whether it was refused."""
        campaign = await self.state()
        kind = self.rng.choices(list(WEIGHTS), list(WEIGHTS.values()))[0]
        if self.gives_to_table and self.rng.random() < 0.05:
            kind = "partner"
        if self.rng.random() < 0.5 and (campaign.paused is not None or campaign.session is None):
            kind = "pause" if campaign.paused is not None else "session"
        if kind == "answer" and not any(p.questions for p in campaign.standing.open.values()):
            kind = "begin"
        kind, seat, command, after = self.made(kind, campaign)
        return seat, command, await self.attempt(kind, seat, command, after)

    def made(self, kind: str, campaign: Campaign) -> tuple[str, str, Any, Any]:
        """A command of this kind, or words where there is none: kind, seat, command, what after."""
        made = getattr(self, f"_{kind}")(campaign)
        if made is None:
            kind, made = "say", self._say(campaign)
        return (kind, *made)

    async def attempt(
        self, kind: str, seat: str, command: Any, after: Any, mark: str = ""
    ) -> Refusal | None:
        """Give a command; why it was refused, if it was."""
        try:
            await self.company.do(seat, command, mark)
        except Refusal as refusal:
            self.refused[kind] += 1
            self.why_not.append(f"{kind}: {refusal}")
            return refusal
        await self.carried_out(kind, after)
        return None

    async def carried_out(self, kind: str, after: Any) -> None:
        """Note who knows what, now that a command is in the log."""
        await self.company.tables.partners.written()
        self.done[kind] += 1
        if after is not None:
            after(await self.state())
        self._look_behind_the_screen(await self.state())

    def _look_behind_the_screen(self, campaign: Campaign) -> None:
        """Who is asked in secret learns what it is about; what it leaves on a sheet, all may."""
        standing = campaign.standing
        for id, word in self.behind_the_screen.items():
            if id in standing.open:
                self.secrets.told(word, GM, *(q.seat for q in standing.open[id].questions))
            if word in str(standing.characters):
                self.secrets.told(word)

    # --- who and what ----------------------------------------------------------------------

    def _somebody(self) -> str:
        return self.rng.choice([GM, GM, *self.players, *self.players])

    def _anybody(self) -> str:
        return self.rng.choice([GM, *self.players, "watcher"])

    def _new_key(self) -> str:
        self.count += 1
        return f"k{self.count}"

    # --- playing ---------------------------------------------------------------------------

    def _begin(self, campaign: Campaign) -> Any:
        seat = self._somebody()
        rng = self.rng
        demo = self.game.demo
        if demo is not None and rng.random() < 0.7:
            suggestion = rng.choice(demo.suggestions)
            seat = GM if rng.random() < 0.5 else seat
            name, arguments = suggestion.procedure, dict(suggestion.arguments)
        else:
            name = rng.choice(list(procedures_of(self.game)))
            arguments = self.filled(name, campaign, seat)
        secret = seat == GM and rng.random() < 0.25
        word = self.secrets.word(GM) if secret else ""
        if secret:
            arguments = self._planted(arguments, word)

        def begun(after: Campaign) -> None:
            if secret:
                self.behind_the_screen[f"p{after.seq}"] = word
            else:
                self._step_forward(str(arguments), after)

        return seat, do.BeginProcedure(name, arguments, secret), begun

    def _planted(self, arguments: Any, word: str) -> Any:
        """Arguments with a word in all that people say in them."""
        if isinstance(arguments, dict):
            return {
                name: f"{each} {word}"
                if name in SPOKEN and isinstance(each, str)
                else self._planted(each, word)
                for name, each in arguments.items()
            }
        if isinstance(arguments, list):
            return [self._planted(each, word) for each in arguments]
        return arguments

    def _step_forward(self, named: str, campaign: Campaign) -> None:
        """A hidden character that the GM brings into an open scene is seen by all."""
        for key in campaign.standing.characters:
            if f"'{key}'" in named and key in self.names:
                self.secrets.told(self.names[key])
                self.secrets.told(f'"{key}"')

    def _answer(self, campaign: Campaign) -> Any:
        asked = [(p, q) for p in campaign.standing.open.values() for q in p.questions]
        if not asked:
            return None
        procedure, question = self.rng.choice(asked)
        answer = self.valid(question)
        seat = GM if question.seat not in (GM, *self.players) else question.seat
        if seat == question.seat and self.rng.random() < 0.9:
            return seat, do.AnswerQuestion(procedure.id, question.step, answer), None
        # Whoever is answered for reads the answer, and why it was given.
        reason = "she is out of the room"
        if procedure.secret:
            reason = self.secrets.word(GM, question.seat)
        instead = do.AnswerQuestion(procedure.id, question.step, answer, question.seat, reason)
        return GM, instead, None

    def _wrong_answer(self, campaign: Campaign) -> Any:
        asked = [(p, q) for p in campaign.standing.open.values() for q in p.questions]
        if not asked:
            return None
        procedure, question = self.rng.choice(asked)
        wrong = self.rng.choice(
            (
                (question.seat, do.AnswerQuestion(procedure.id, question.step, ["nonsense"])),
                (
                    question.seat,
                    do.AnswerQuestion(procedure.id, question.step + 1, self.valid(question)),
                ),
                (
                    question.seat,
                    do.AnswerQuestion(procedure.id, question.step - 1, self.valid(question)),
                ),
                (self._anybody(), do.AnswerQuestion("p99999", 0, True)),
                ("watcher", do.AnswerQuestion(procedure.id, question.step, self.valid(question))),
                (
                    self._anybody(),
                    do.AnswerQuestion(procedure.id, question.step, {"deep": [1, None]}),
                ),
            )
        )
        return (*wrong, None)

    def _draft(self, campaign: Campaign) -> Any:
        if not campaign.standing.open:
            return None
        procedure = self.rng.choice(list(campaign.standing.open.values()))
        seat = self.rng.choice(self.players)
        word = self.secrets.word(seat)
        ready = [do.ReadyAnswer("not_asked", "Will this be asked?", word)]
        ready += [
            do.ReadyAnswer(q.key, q.prompt, self.valid(q))
            for q in procedure.questions
            if q.seat == seat and q.key != "faces"
        ]
        kind = self.rng.choice([do.DraftAnswers, do.DraftAnswers, do.ReleaseDice])
        return seat, kind(procedure.id, tuple(ready)), None

    def _hold(self, campaign: Campaign) -> Any:
        if not campaign.standing.open:
            return None
        procedure = self.rng.choice(list(campaign.standing.open.values()))
        return GM, do.HoldCard(procedure.id, not procedure.held), None

    def _withdraw(self, campaign: Campaign) -> Any:
        if not campaign.standing.open:
            return None
        procedure = self.rng.choice(list(campaign.standing.open.values()))
        reason = self.secrets.word(GM) if procedure.secret else "never mind"
        return self.rng.choice([procedure.by, GM]), do.CancelProcedure(procedure.id, reason), None

    def _throw(self, campaign: Campaign) -> Any:
        seat, secret = self._somebody(), self.rng.random() < 0.5
        label = self.secrets.word(seat, GM) if secret else "luck"
        return seat, do.ThrowDice(self.rng.choice(DICE), label, secret), None

    def _own_dice(self, campaign: Campaign) -> Any:
        return self._somebody(), do.UseOwnDice(self.rng.random() < 0.5), None

    # --- talking ---------------------------------------------------------------------------

    def _say(self, campaign: Campaign) -> Any:
        seat = self._anybody()
        to = tuple(self.rng.sample([GM, *self.players, "watcher"], self.rng.randint(0, 2)))
        text = self.secrets.word(seat, *to) if to else "listen, all of you"
        return seat, do.SendMessage(text, to), None

    def _note(self, campaign: Campaign) -> Any:
        seat = self._anybody()
        mine = [note.id for note in campaign.notes.values() if note.seat == seat]
        id = self.rng.choice(mine) if mine and self.rng.random() < 0.5 else self._new_key()
        if id in mine and self.rng.random() < 0.2:
            return seat, do.WriteNote(id, ""), None
        shared = self.rng.random() < 0.3
        text = "for all to read" if shared else self.secrets.word(seat)
        return seat, do.WriteNote(id, text, shared), None

    # --- sheets ----------------------------------------------------------------------------

    def _edit(self, campaign: Campaign) -> Any:
        there = list(campaign.standing.characters)
        if not there:
            return None
        key, seat = self.rng.choice(there), self._somebody()
        character = campaign.standing.characters[key]
        if character.hidden or character.sheet["player"] == GM:
            concept = self._gms(key, campaign)
        else:
            concept = self.rng.choice(("a sailor", "a <i>thief</i>", "nobody in particular"))
        is_free = seat == GM or campaign.free_edits or character.fresh
        why = "" if is_free else self.secrets.word(GM, seat)
        return seat, do.EditSheet(key, "concept", concept, why), None

    def _nod(self, campaign: Campaign) -> Any:
        if not campaign.proposals:
            return None
        proposal = self.rng.choice(list(campaign.proposals.values()))
        yes = self.rng.random() < 0.5
        if yes:
            self.secrets.told(proposal.why)
        reason = "" if yes else self.secrets.word(GM, proposal.seat)
        return GM, do.ReviewEdit(proposal.id, yes, reason), None

    def _gms(self, key: str, campaign: Campaign) -> str:
        player = str(campaign.standing.characters[key].sheet["player"])
        word = self.secrets.word(GM, player)
        self.sheets.setdefault(key, []).append(word)
        return word

    def _join(self, campaign: Campaign) -> Any:
        rng = self.rng
        key = self._new_key()
        if rng.random() < 0.3:
            seat = rng.choice(self.players)
            ready = rng.choice(list(ready_paths(self.game)))
            return seat, do.AddCharacter(key, ready=ready), None
        hidden = rng.random() < 0.6
        name, concept = f"N{self.secrets.word(GM)}", self.secrets.word(GM)
        if not hidden:
            self.secrets.told(name[1:])
        else:
            self.names[key] = name[1:]
            self.secrets.known[f'"{key}"'] = {GM}
        self.sheets[key] = [concept]
        if rng.random() < 0.5:
            return (
                GM,
                do.AddCharacter(key, sketch=SKETCHES[self.game.name].format(name), hidden=hidden),
                None,
            )
        sheet = {**ready_sheet(self.game, rng.choice(list(ready_paths(self.game))))}
        return (
            GM,
            do.AddCharacter(key, {**sheet, "name": name, "concept": concept}, hidden=hidden),
            None,
        )

    def _give(self, campaign: Campaign) -> Any:
        there = list(campaign.standing.characters)
        if not there:
            return None
        key = self.rng.choice(there)
        seat = self.rng.choice([GM, *self.players])
        hidden = self.rng.random() < 0.2 and key in self.names

        def given(after: Campaign) -> None:
            readers = (GM, seat) if hidden else ()
            if not hidden:
                self.secrets.told(self.names.pop(key, ""))
                self.secrets.told(f'"{key}"')
            elif key in self.names:
                self.secrets.told(self.names[key], GM, seat)
                self.secrets.told(f'"{key}"', GM, seat)
            if hidden or seat != GM:
                for word in self.sheets.get(key, ()):
                    self.secrets.told(word, *readers)

        return GM, do.GiveCharacter(key, seat, hidden), given

    def _partner(self, campaign: Campaign) -> Any:
        there = campaign.standing.characters
        gms = [key for key, each in there.items() if each.sheet["player"] == GM]
        if not gms:
            return None
        key, dial = self.rng.choice(gms), self.rng.randint(0, 100)
        temperament: Any = self.rng.choice(("any", "bold", "careful", "sly"))
        return GM, do.GiveToTable(key, self.rng.random() < 0.9, dial, temperament), None

    def _leave(self, campaign: Campaign) -> Any:
        mine = [key for key in campaign.standing.characters if key.startswith("k")]
        return (GM, do.RemoveCharacter(self.rng.choice(mine)), None) if mine else None

    # --- the GM's commands ---------------------------------------------------------------------

    def _rule(self, campaign: Campaign) -> Any:
        rng = self.rng
        there = list(campaign.standing.characters)
        if rng.random() < 0.5:
            field, entry = rng.choice(list(IN_THE_SCENE[self.game.name].items()))
            word, reason = self.secrets.word(GM), self.secrets.word(GM)
            there_already = list(campaign.standing.scene[field])
            if there_already and rng.random() < 0.4:
                # What others see of an open change of such a list is no more than they knew.
                rng.shuffle(there_already)
                fewer = do.RuledValue("scene", field, there_already[1:])
                return GM, do.MakeRuling("tidying up", (fewer,)), None
            new = json.loads(json.dumps(entry).replace("WORD", word))
            value = do.RuledValue("scene", field, [*there_already, new])
            return GM, do.MakeRuling(reason, (value,), True), None
        if not there:
            return None
        key = rng.choice(there)
        character = campaign.standing.characters[key]
        open_to_all = not character.hidden and character.sheet["player"] != GM
        concept = "somebody else" + str(campaign.seq) if open_to_all else self._gms(key, campaign)
        values = [do.RuledValue(key, "concept", concept)]
        if self.game.name == "burning_wheel" and rng.random() < 0.5:
            values.append(do.RuledValue(key, "artha.fate", rng.randint(0, 9)))
        return GM, do.MakeRuling("because I say so", tuple(values)), None

    def _undo(self, campaign: Campaign) -> Any:
        first = min(self.gathered, campaign.seq - 1)  # with nobody there nothing can be played
        to = self.rng.choice((campaign.seq - 1, self.rng.randint(first, campaign.seq)))
        return GM, do.UndoEntries(to, "that did not happen"), self._nothing_is_sure

    def _nothing_is_sure(self, campaign: Campaign) -> None:
        """After an undo sheets are what they were; who may know them is looked up anew."""
        for key, character in campaign.standing.characters.items():
            player = str(character.sheet["player"])
            if not character.hidden and key in self.names:
                self.secrets.told(self.names.pop(key))
                self.secrets.told(f'"{key}"')
            if character.hidden:
                for word in (self.names.get(key, ""), f'"{key}"', *self.sheets.get(key, ())):
                    self.secrets.told(word, GM, player)
            if player != GM:
                for word in self.sheets.get(key, ()):
                    self.secrets.told(word, *((GM, player) if character.hidden else ()))

    def _pause(self, campaign: Campaign) -> Any:
        return GM, do.ResumeGame() if campaign.paused is not None else do.PauseGame("tea"), None

    def _session(self, campaign: Campaign) -> Any:
        return GM, do.BeginDiceSession() if campaign.session is None else do.EndDiceSession(), None

    def _title(self, campaign: Campaign) -> Any:
        return (
            GM,
            do.ChangeTitle("Another title", self.rng.random() < 0.5, advice=self.gives_to_table),
            None,
        )

    def _read(self, campaign: Campaign) -> Any:
        if self.game.name != "burning_wheel":
            return None
        return (
            GM,
            do.ChangeHouseRules({"edition": self.rng.choice(("gold", "revised", "nonsense"))}),
            None,
        )

    def _forbidden(self, campaign: Campaign) -> Any:
        """What is not theirs to do."""
        seat = self.rng.choice([*self.players, "watcher"])
        hidden = [k for k, each in campaign.standing.characters.items() if each.hidden]
        secret = [p.id for p in campaign.standing.open.values() if p.secret]
        tries: list[Any] = [
            do.UndoEntries(1),
            do.EndDiceSession(),
            do.EditSheet("who_is_that", "concept", "x"),
            do.BeginProcedure("test", {"character": "who_is_that"}),
            do.AddCharacter("k_other", sketch="A guard", hidden=True),
            *(do.EditSheet(key, "concept", "x") for key in hidden),
            *(do.CancelProcedure(id) for id in secret),
            *(do.AnswerQuestion(id, 0, True) for id in secret),
            *(
                do.BeginProcedure(s.procedure, {**s.arguments, "character": key})
                for key in hidden[:1]
                for s in (self.game.demo.suggestions[:1] if self.game.demo else ())
            ),
        ]
        return seat, self.rng.choice(tries), None


WEIGHTS = {
    "begin": 14,
    "answer": 40,
    "wrong_answer": 4,
    "draft": 8,
    "hold": 1,
    "withdraw": 2,
    "throw": 4,
    "own_dice": 2,
    "say": 4,
    "note": 4,
    "edit": 5,
    "nod": 3,
    "join": 4,
    "give": 4,
    "leave": 1,
    "rule": 4,
    "undo": 3,
    "pause": 1,
    "session": 1,
    "title": 1,
    "read": 1,
    "forbidden": 4,
}
