"""What a page draws of a moment, and the cards that it says are barred."""

from __future__ import annotations

import pytest

from astragal.errors import BadInput
from astragal.games.burning_wheel.conflicts.fight.interactions import meeting
from astragal.games.burning_wheel.conflicts.fight.meetings import ActionsMeet, MeetingShown
from astragal.games.burning_wheel.conflicts.fight.script import ask_script
from astragal.games.burning_wheel.conflicts.fight.state import Lock
from astragal.play import CardPair
from astragal.table.running.recording import told
from games.burning_wheel.in_a_fight import fight


def shown(attack: str, action: str, attacker: str = "Ann", target: str = "Bob") -> MeetingShown:
    said = [each.replace("_", " ").capitalize() for each in (attack, action)]
    return MeetingShown(attacker, said[0], target, said[1], meeting(attack, action))


@pytest.mark.parametrize(
    ("attack", "action", "effect"),
    [
        ("strike", "block", "Block against the Strike."),
        ("push", "avoid", "Avoid and Natural Defenses against the Push."),
        ("lock", "strike", "Natural Defenses against the Lock."),
        ("strike", "strike", "Nothing opposes the Strike."),
        ("great_strike", "block", "Only a true shield stops the Great strike."),
        ("feint", "block", "The Feint works: a free Strike at Bob."),
        ("feint", "avoid", "The Feint is useless against this."),
    ],
)
def test_it_says_what_stands_against_an_attack(attack, action, effect):
    assert shown(attack, action).effect == effect


def test_two_who_attack_each_other_are_one_pair():
    both = (shown("strike", "push"), shown("push", "strike", "Bob", "Ann"))
    fact = ActionsMeet(2, both)
    effect = "Nothing opposes the Strike. Natural Defenses against the Push."
    assert fact.meetings == (CardPair("Ann", "Strike", "Bob", "Push", effect),)
    assert told(fact, ()).meetings == fact.meetings
    assert fact.headline == "Action 2"


@pytest.mark.rules("fight.lock.inside")
def test_what_cannot_be_scripted_here_says_why():
    at = fight(ann={"weapons": [{"weapon": "knife or shiv"}]}, locks=(Lock("bob", "ann", 1),))
    question = ask_script(at, "ann").question
    barred = {each.key: (each.note, each.rule) for each in question.barred}
    assert barred["withdraw"] == ("you are held", "fight.lock.inside")
    assert "leave" in barred
    offered = {each.key for each in (*question.openers, *question.cards)}
    assert not offered & set(barred)
    script = ("withdraw", "block", "block", "maintain", "block", "maintain", "block")
    with pytest.raises(BadInput, match=r"you are held \[fight.lock.inside\]"):
        question.check(script)


def test_everything_is_offered_or_barred_or_of_no_use():
    question = ask_script(fight(), "ann").question
    assert {each.key for each in question.barred} == {"block_and_strike", "leave"}
    (block, _) = question.barred
    assert "Shield Training" in block.note
