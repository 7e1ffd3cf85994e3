"""How much pressing a conflict costs: every Roll, Done and locked script of every seat is counted.

Both seats type in their dice, so that each fight goes the same way every time; typing a throw
is no card.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import pytest

from astragal.games import game_named
from astragal.play import GM
from astragal.table.commands import commands as do
from astragal.table.log.items import ToldItem
from astragal.table.log.state import OpenQuestion
from astragal.table.views.types import CardView
from table.company import Company, played

DUEL = next(
    each.arguments
    for each in game_named("burning_wheel").demo.suggestions
    if each.procedure == "duel_of_wits"
)
Scripts = Sequence[Sequence[str]]


class Pressing:
    """Everybody presses what has to be pressed, and changes nothing that is not needed."""

    def __init__(
        self,
        at: Company,
        procedure: str,
        successes: Callable[[str], int],
        scripts: Mapping[str, Scripts] = {},
        keeps_rolling: Sequence[str] = (),
    ) -> None:
        self.at = at
        self.procedure = procedure
        self.successes = successes
        self.scripts: dict[str, Iterator[Sequence[str]]] = {
            seat: iter(each) for seat, each in scripts.items()
        }
        self.keeps_rolling = keeps_rolling
        self.presses: Counter[str] = Counter()
        self.cards: list[CardView] = []
        """What was seen by whoever pressed, each time."""

    async def to_the_end(self) -> None:
        while await self.at.is_open(self.procedure):
            await self._next()
            assert sum(self.presses.values()) < 100, "it does not end"

    async def to_the_end_of_the_exchange(self) -> None:
        while not (await self._scripts_asked()):
            await self._next()

    async def _scripts_asked(self) -> bool:
        return any(each.key == "script" for each in (await self.at.open(self.procedure)).questions)

    async def _next(self) -> None:
        going_on = await self.at.open(self.procedure)
        for asked in going_on.questions:
            if asked.key == "faces":
                await self._answer(asked, self._faces(asked))
                return
        for asked in going_on.questions:
            if asked.key == "script":
                self.presses[asked.seat] += 1
                cards = next(self.scripts[asked.seat])
                await self._answer(asked, list(cards)[-asked.question.slots :])
                return
        # Before the first cards lie open, nobody learns what others are asked.
        cards = [await self._card(each) for each in (GM, "anna")]
        seat = next(who for card in cards for who in card.releasers if who not in card.ready)
        self.presses[seat] += 1
        mine = await self._card(seat)
        assert seat in mine.releasers, "whoever has to press must see it"
        assert not mine.refusal
        self.cards.append(mine)
        needed = tuple(
            do.ReadyAnswer(line.key, line.prompt, 2)
            for line in mine.lines
            if line.is_open and line.seat == seat
        )
        stays = seat in self.keeps_rolling
        await self.at.do(seat, do.ReleaseDice(self.procedure, needed, stays=stays))

    async def _card(self, seat: str) -> CardView:
        return await self.at.tables.card(self.at.id, seat, self.procedure)

    async def _answer(self, asked: OpenQuestion, answer: Any) -> None:
        await self.at.do(asked.seat, do.AnswerQuestion(self.procedure, asked.step, answer))

    def _faces(self, asked: OpenQuestion) -> list[int]:
        """So many successes, and no ones; among several dice a six, on which Luck may be spent."""
        count = asked.question.count
        good = min(self.successes(asked.prompt), count)
        best = [6 if count > 1 else 4, *[4] * (count - 1)]
        return best[:good] + [2] * (count - good)


async def told(at: Company) -> list[ToldItem]:
    entries = await at.log()
    found = (item for entry in entries for item in getattr(entry.event, "items", ()))
    return [item for item in found if isinstance(item, ToldItem)]


async def with_own_dice(at: Company, *shown: str) -> None:
    for key in shown:
        await at.gm(do.GiveCharacter(key, GM))
    for seat in ("anna", "ben", GM):
        await at.do(seat, do.UseOwnDice(True))


# --- Duel of Wits ----------------------------------------------------------------------------

WITH_DISMISS: Mapping[str, Scripts] = {
    "anna": [("point", "rebuttal", "point"), ("point", "rebuttal", "point")],
    GM: [("dismiss", "point", "rebuttal"), ("avoid", "point", "rebuttal")],
}
DICE_IN_EVERY_VOLLEY: Mapping[str, Scripts] = {
    "anna": [("point", "rebuttal", "point"), ("avoid", "point", "point")],
    GM: [("rebuttal", "point", "avoid"), ("point", "rebuttal", "point")],
}


async def a_duel(
    at: Company,
    scripts: Mapping[str, Scripts],
    mara: int,
    dunn: int,
    keeps_rolling: Sequence[str] = (),
) -> Pressing:
    await with_own_dice(at, "harbourmaster_dunn")
    duel = await at.begin("anna", "duel_of_wits", **DUEL)

    def successes(label: str) -> int:
        return mara if "Mara" in label else dunn

    pressing = Pressing(at, duel, successes, scripts, keeps_rolling)
    await pressing.to_the_end()
    return pressing


@pytest.mark.parametrize(
    ("scripts", "mara", "dunn"), [(WITH_DISMISS, 3, 1), (DICE_IN_EVERY_VOLLEY, 1, 3)]
)
@played
async def test_a_duel_of_two_exchanges_is_at_most_30_cards_8_of_them_the_gms(
    at: Company, scripts: Mapping[str, Scripts], mara: int, dunn: int
):
    pressing = await a_duel(at, scripts, mara, dunn)
    assert sum(pressing.presses.values()) <= 30
    assert pressing.presses[GM] <= 8
    shown = [item for item in await told(at) if item.cards]
    assert len(shown) > 3, "it went into a second exchange"


@played
async def test_no_card_goes_beyond_the_volley_that_lies_open(at: Company):
    """Each speaker has one action in a volley; a card with two would show what comes next."""
    pressing = await a_duel(at, WITH_DISMISS, 3, 1)
    assert any(line.key == "after_roll" for card in pressing.cards for line in card.lines)
    for card in pressing.cards:
        prompts = [line.prompt for line in card.lines if line.key == "speech"]
        speakers = [prompt.partition(",")[0] for prompt in prompts]
        assert len(speakers) == len(set(speakers))
        after_a_roll = any(line.key == "after_roll" for line in card.lines)
        assert not (after_a_roll and prompts)


@played
async def test_what_the_gm_says_of_the_circumstances_holds_for_the_rest_of_the_duel(at: Company):
    await with_own_dice(at, "harbourmaster_dunn")
    duel = await at.begin("anna", "duel_of_wits", **DUEL)
    pressing = Pressing(at, duel, lambda label: 1, WITH_DISMISS)
    while not any(line.key == "speech" for card in pressing.cards for line in card.lines):
        card = await at.tables.card(at.id, GM, duel)
        for line in card.lines:
            if line.key == "disadvantages" and "Mara" in line.prompt and not line.drafted:
                said = do.ReadyAnswer(line.key, line.prompt, ["rain"])
                await at.gm(do.DraftAnswers(duel, (said,)))
        await pressing._next()
    await pressing.to_the_end_of_the_exchange()
    stood = [
        (line.prompt, line.answer, line.standing)
        for card in pressing.cards[3:]
        for line in card.lines
        if line.key == "disadvantages" and not line.drafted
    ]
    assert ("Disadvantages (Mara)", ("rain",), True) in stood
    assert all(not answer for prompt, answer, _ in stood if "Dunn" in prompt)


# --- Quick combat ----------------------------------------------------------------------------

GUARD = {
    "name": "The guard",
    "npc": True,
    "player": GM,
    "stats": {
        "Will": "B4",
        "Perception": "B4",
        "Power": "B4",
        "Forte": "B4",
        "Agility": "B4",
        "Speed": "B4",
    },
    "attributes": {"Health": "B4", "Steel": "B4", "Reflexes": "B4"},
    "skills": {"Sword": "B4"},
    "weapons": [{"weapon": "sword"}],
    "armor": {"torso": {"location": "torso", "type": "chainmail"}},
}


@played
async def test_a_bloody_versus_test_comes_to_the_wound_in_at_most_12_taps(at: Company):
    await at.gm(do.AddCharacter("guard", sheet=GUARD))
    await with_own_dice(at)
    fight = await at.begin(
        "ben",
        "bloody_versus",
        attacker={"character": "tam"},
        defender={"character": "guard", "weapon": "sword"},
    )
    begun = 1
    pressing = Pressing(at, fight, lambda label: 4 if "Tam" in label else 0)
    await pressing.to_the_end()
    assert begun + sum(pressing.presses.values()) <= 12
    last = (await told(at))[-1]
    assert last.role == "conclusion"
    assert "wound" in last.sentence


# --- Fight! ----------------------------------------------------------------------------------

FIGHT = {
    "sides": [
        {"fighters": [{"character": "rival"}]},
        {"fighters": [{"character": "guard"}]},
    ]
}
ATTACKS = ("maintain", "strike", "block", "maintain", "strike", "maintain", "block")
DEFENDS = ("maintain", "block", "maintain", "block", "maintain", "block", "block")


@played
async def test_a_volley_of_a_fight_without_artha_costs_each_side_at_most_one_press(at: Company):
    """Besides, a player is asked for bids and forfeits before it, and can say not to be."""
    await at.gm(do.AddCharacter("guard", sheet=GUARD))
    await at.gm(do.AddCharacter("rival", sheet={**GUARD, "name": "The rival"}))
    await at.gm(do.GiveCharacter("rival", "anna"))
    await with_own_dice(at)
    fight = await at.begin("anna", "fight", **FIGHT)
    scripts = {"anna": [ATTACKS], GM: [DEFENDS]}
    pressing = Pressing(at, fight, lambda label: 2 if "rival, first" in label else 1, scripts)
    await pressing.to_the_end_of_the_exchange()
    begun = Counter(pressing.presses)
    for _ in range(2):
        await pressing._next()
    await pressing.to_the_end_of_the_exchange()
    presses = pressing.presses - begun
    keys = [line.key for card in pressing.cards for line in card.lines if line.seat == "anna"]
    asked = sum(key in ("bid", "forfeit") for key in keys)
    assert presses[GM] <= 1 + 3, "the script, and one in each volley"
    assert presses["anna"] - asked <= 1 + 3
    assert asked <= 3


# --- Dice that need no further release -------------------------------------------------------


@played
async def test_a_side_that_keeps_rolling_presses_only_for_its_scripts(at: Company):
    pressing = await a_duel(at, DICE_IN_EVERY_VOLLEY, 1, 3, keeps_rolling=(GM,))
    body, scripts = 1, 2
    assert pressing.presses[GM] == body + scripts
    assert pressing.presses["anna"] > body + scripts


@played
async def test_who_keeps_rolling_may_stop_it(at: Company):
    await with_own_dice(at, "harbourmaster_dunn")
    duel = await at.begin("anna", "duel_of_wits", **DUEL)
    pressing = Pressing(at, duel, lambda label: 1, WITH_DISMISS, keeps_rolling=(GM,))
    while GM not in (await at.tables.card(at.id, "anna", duel)).rolls_on:
        await pressing._next()
    await at.gm(do.ReleaseDice(duel, on=False))
    assert (await at.open(duel)).rolls_on == ()
