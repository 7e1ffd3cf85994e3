"""Random arguments of procedures, and random valid answers to questions."""

from __future__ import annotations

from random import Random
from typing import Any

from astragal.games import Game
from astragal.games.forms import Field, form_of
from astragal.play import GM, Faces, Number, PickOne, PickSeveral, Script, Split, Text, YesNo
from astragal.table.log.state import Campaign, OpenQuestion
from astragal.table.running.votes import procedures_of
from scripts_at_random import random_script

SEVERAL = {"texts", "characters", "owns", "choices", "numbers", "groups"}
IN_THE_SCENE = {
    "burning_wheel": {
        "enemies": {"character": "mara", "name": "WORD", "grudge": "WORD"},
        "fates": {"wish": "WORD", "granted": True},
        "rides": {
            "character": "mara",
            "ability": "Will",
            "intent": "WORD",
            "successes": 2,
            "passed": True,
        },
        "series": {"title": "WORD", "characters": ["mara", "tam"]},
    },
    "cores": {"factoids_used": "WORD", "tapped": "WORD"},
    "percentile": {
        "tasks": {
            "title": "WORD",
            "character": "WORD",
            "skill": "Dodge",
            "measure": "total_degrees",
            "needed": 5,
            "each": 1,
            "unit": "hours",
        }
    },
    "signs": {
        "attempts": {
            "character": "ysolde",
            "goal": "WORD",
            "successes": 1,
            "passed": True,
        }
    },
}
"""What the GM may secretly write into the lists of a scene."""


class RandomValues:
    """What somebody may write into a form or answer, drawn from one source of chance."""

    def __init__(self, game: Game, rng: Random, players: list[str]) -> None:
        self.game = game
        self.rng = rng
        self.players = players

    def text(self) -> str:
        return self.rng.choice(("opens the door", "asks around", "runs <b>fast</b>", "waits"))

    def filled(self, name: str, campaign: Campaign, seat: str) -> dict[str, Any]:
        procedure = procedures_of(self.game)[name]
        fields = form_of(self.game, procedure).fields
        return self._fill(fields, campaign, seat, {})

    def _fill(
        self, fields: tuple[Field, ...], campaign: Campaign, seat: str, around: dict[str, Any]
    ) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for field in fields:
            if not field.required and self.rng.random() < (0.9 if field.seldom else 0.6):
                continue
            if field.kind in SEVERAL:
                least = field.least or (1 if field.required else 0)
                many = range(self.rng.randint(least, max(least, min(field.most or 3, 3))))
                value: Any = [self._value(field, campaign, seat, {**around, **found}) for _ in many]
                if field.kind in ("characters", "owns", "choices"):
                    value = list(dict.fromkeys(value))
            else:
                value = self._value(field, campaign, seat, {**around, **found})
            found[field.name] = value
        return found

    def _value(self, field: Field, campaign: Campaign, seat: str, around: dict[str, Any]) -> Any:
        rng = self.rng
        standing = campaign.standing
        match field.kind:
            case "character" | "characters":
                hidden = rng.random() < 0.1
                there = [
                    key
                    for key, each in standing.characters.items()
                    if seat == GM or hidden or not each.hidden
                ]
                mine = [k for k in there if standing.characters[k].sheet["player"] == seat]
                return rng.choice(mine if mine and rng.random() < 0.5 else there or ["nobody"])
            case "choice" | "choices":
                return rng.choice(field.choices).key if field.choices else "x"
            case "number" | "numbers":
                least = field.least if field.least is not None else 0
                return rng.randint(least, min(field.most or least + 5, least + 5))
            case "yes_no":
                return rng.random() < 0.5
            case "ability" | "own" | "owns":
                key = around.get(field.of, "")
                if key in standing.characters:
                    sheet = self.game.read(standing.characters[key].sheet, self.game.sheet, "sheet")
                    abilities = self.game.abilities(sheet)
                    if abilities:
                        return rng.choice(abilities).key
                return "Sword"
            case "seat":
                return rng.choice([GM, *self.players])
            case "group" | "groups":
                return self._fill(field.fields, campaign, seat, around)
            case "counts":
                return {}
        return self.text()

    def valid(self, asked: OpenQuestion) -> Any:
        question, rng = asked.question, self.rng
        if question.default is not None and rng.random() < 0.5:
            return question.default
        match question:
            case YesNo():
                return rng.random() < 0.5
            case PickOne(options=options):
                return rng.choice(options).key if options else ""
            case PickSeveral(options=options, least=least, most=most):
                keys = [option.key for option in options]
                top = min(len(keys), len(keys) if most is None else most)
                return rng.sample(keys, rng.randint(min(least, top), top))
            case Number(least=least, most=most):
                return rng.randint(least, most)
            case Split():
                return rng.choice(question.every_answer(2000) or [()])
            case Script(openers=openers) if openers:
                return list(random_script(question, rng))
            case Script(cards=cards, slots=slots, once=once):
                keys = [card.key for card in cards]
                return rng.sample(keys, slots) if once else rng.choices(keys, k=slots)
            case Text():
                return self.text()
            case Faces(count=count, sides=sides):
                return [rng.randint(1, sides) for _ in range(count)]
        raise AssertionError(question)
