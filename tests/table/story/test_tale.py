"""What a procedure came to, in one paragraph."""

from __future__ import annotations

import pytest

from astragal.table.log.items import DecidedItem, NamedTally, ToldItem
from astragal.table.story.tale import tale_of


def pool(obstacle: int) -> ToldItem:
    numbers = (NamedTally("dice", 4, ()), NamedTally("obstacle", obstacle, ()))
    return ToldItem("Mara rolls 4D against Ob 3", "gathered", numbers=numbers, role="pool")


def outcome(sentence: str) -> ToldItem:
    return ToldItem(sentence, "came", role="outcome")


def helped(*who: str) -> DecidedItem:
    return DecidedItem("gm", "allow_help", "Allow help from", list(who), ", ".join(who))


BEGAN = "Standard test: talk the gate open (Mara's Persuasion)"


@pytest.mark.parametrize(
    ("items", "told"),
    [
        (
            (pool(3), outcome("Mara: 3 successes. Success, exactly. Talk the gate open.")),
            "Talk the gate open (Mara's Persuasion): 3 of 3. Success, exactly.",
        ),
        (
            (helped("Tam: distracts him"), pool(3), outcome("Mara: 1 success. Failure.")),
            "Talk the gate open (Mara's Persuasion): 1 of 3, Tam helped. Failure.",
        ),
        (
            (helped("Tam", "Ysmay"), pool(2), outcome("Mara: 2 successes. Success.")),
            "Talk the gate open (Mara's Persuasion): 2 of 2, Tam and Ysmay helped. Success.",
        ),
        ((helped(), pool(1), outcome("Mara: 2 successes. Success.")), None),
        ((), "Talk the gate open (Mara's Persuasion)."),
    ],
)
def test_a_test_is_one_paragraph(items: tuple[ToldItem, ...], told: str | None):
    said = str(tale_of(BEGAN, items))
    assert said == (told or "Talk the gate open (Mara's Persuasion): 2 of 1. Success.")


def test_two_sides_are_both_told_and_a_conclusion_stands_alone():
    sides = (outcome("Mara: 0 successes. Loses."), outcome("Tam: 2 successes. Wins."))
    assert tale_of("Versus test: hide", sides).outcome == (
        "Mara: 0 successes. Loses. Tam: 2 successes. Wins."
    )
    ended = ToldItem("Dunn wins the duel.", "concluded", role="conclusion")
    later = ToldItem("Mara may raise it again.", "noted")
    assert tale_of("Duel of Wits: the roll", (*sides, ended, later)).outcome == (
        "Dunn wins the duel."
    )


def test_what_has_no_outcome_is_told_by_its_last_sentence():
    noted = (ToldItem("Mara is nominated.", "noted"), ToldItem("mara earns 1 fate.", "noted"))
    assert str(tale_of("Award or nominate for artha.", noted)) == (
        "Award or nominate for artha: Mara earns 1 fate."
    )


@pytest.mark.parametrize(
    ("began", "sentence", "told"),
    [
        ("Test: skate (Robin's Physical)", "Robin: 9 against DN 8, success.", "9 against DN 8,"),
        ("Purge: bake (Jo)", "Jo: 9 against DN 8, success.", "9 against DN 8, success."),
        ("Movement: Ilse", "Ilse (AgB 3) moves 4 in a turn.", "Ilse (AgB 3) moves 4"),
        ("Opposed test: ask (Jo's Social against Sam's Resolve)", "Jo: 4.", "Jo: 4."),
        ("New scene: the gym", "The gym. Present: Jo.", "Present: Jo."),
    ],
)
def test_whoever_it_is_about_alone_is_not_named_twice(began: str, sentence: str, told: str):
    tale = tale_of(began, (ToldItem(sentence, "noted"),))
    assert tale.outcome.startswith(told)
    assert tale.about == ("Movement" if began == "Movement: Ilse" else tale.about)
    assert str(tale).count("Ilse") <= 1
