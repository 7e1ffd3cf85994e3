"""Words, songs, prayers and orders in a fight cost no action."""

from __future__ import annotations

import pytest

from astragal.errors import BadInput
from astragal.games.burning_wheel.conflicts.fight.hesitation import hesitate
from astragal.games.burning_wheel.conflicts.fight.social_and_magic import spoken_length
from astragal.games.burning_wheel.conflicts.fight.tandem_actions import speak, syllables
from games.burning_wheel.in_a_fight import FIGHTER, fight, run

LEADER = {"skills": {**FIGHTER["skills"], "Command": "B4"}}


@pytest.mark.rules("fight.tandem.speech", "fight.tandem.song_prayer", "fight.xref.prayer_length")
def test_everybody_who_does_not_hesitate_may_say_a_few_words():
    said = run(speak, fight(), answers={"ann/speech": "Mother of us all, hear me"})
    assert "Ann: Mother of us all, hear me." in said.told
    assert said.played.asked == ["speech", "speech"]
    assert {ask.kind for ask in said.played.asks.values()} == {"aside"}
    assert said.fight == fight()
    assert run(speak, hesitate(fight(), "ann", 2)).played.seats == {"speech": "bob"}


@pytest.mark.rules("fight.tandem.speech")
def test_more_than_eight_syllables_are_refused():
    eight = "By the light of our mother, burn"
    assert f"Ann: {eight}." in run(speak, fight(), answers={"ann/speech": eight}).told
    with pytest.raises(BadInput, match="at most 8 syllables"):
        run(speak, fight(), answers={"ann/speech": f"{eight} now"})


@pytest.mark.parametrize(
    ("words", "count"),
    [
        ("Run!", 1),
        ("Surrender now", 4),
        ("Behind you", 3),
        ("Get the table", 4),
        ("Hold the line", 3),
    ],
)
def test_syllables_are_counted_about_right(words, count):
    assert syllables(words) == count


@pytest.mark.rules("fight.social.command")
def test_an_order_of_three_words_shortens_the_hesitation_of_ones_own():
    at = hesitate(fight(ann=LEADER, cat={}), "cat", 4)
    answers = {"command": "Stand your ground!", "obstacle": 2}
    after = run(speak, at, answers=answers, rolls=[3])
    assert after.who("cat").hesitates == 2  # one, and one for the extra success
    assert after.played.asked.count("speech") == 1  # Bob's; the order was Ann's
    ruled = run(speak, at, answers={**answers, "recovers": 4}, rolls=[2])
    assert not ruled.who("cat").is_hesitating
    failed = run(speak, at, answers=answers, rolls=[1])
    assert failed.who("cat").hesitates == 4
    assert failed.played.asked.count("speech") == 1  # it was shouted all the same
    with pytest.raises(BadInput, match="at most 3 short words"):
        run(speak, at, answers={"command": "Get up and fight"})


def test_nobody_commands_the_enemy_nor_without_the_skill():
    assert "command" not in run(speak, hesitate(fight(ann=LEADER), "bob", 2)).played.asked
    assert "command" not in run(speak, hesitate(fight(cat={}), "cat", 2)).played.asked


# --- Prayers and spells as weapons -----------------------------------------------------------

PIOUS = {"attributes": {**FIGHTER["attributes"], "Faith": "B5"}}
MAGE = {"skills": {"Sorcery": "B5"}}


@pytest.mark.rules("fight.xref.prayer_length")
def test_a_prayer_is_the_longest_weapon_in_its_volley_also_against_missiles():
    at = fight(ann=PIOUS, bob={"weapons": [{"weapon": "crossbow"}]})
    prayed = run(speak, at, answers={"ann/speech": "Mother, stay his hand"})
    assert "Ann prays: Mother, stay his hand." in prayed.told
    assert spoken_length(prayed.fight, "ann") == "longest"
    assert spoken_length(run(speak, prayed.fight).fight, "ann") == ""
    cursed = run(speak, at, answers={"ann/speech": "Rot!", "prays": False})
    assert spoken_length(cursed.fight, "ann") == ""
    assert "prays" not in run(speak, fight(), answers={"ann/speech": "Rot!"}).played.asked


@pytest.mark.rules("fight.xref.spell_length")
@pytest.mark.parametrize(
    ("form", "blade", "missile"),
    [
        ("personal_origin_caster_or_single_target_area", "shortest", "shortest"),
        ("personal_origin_presence_area", "longest", "shortest"),
        ("presence_origin_other_area", "longest", "shortest"),
        ("presence_origin_presence_area", "longest", "shortest"),
        ("sight_origin", "longest", "longest"),
        ("natural_effect_area", "longest", "longest"),
    ],
)
def test_a_spell_is_a_weapon_of_its_form_in_a_volley_in_which_it_is_cast(form, blade, missile):
    for bob, length in (({}, blade), ({"weapons": [{"weapon": "crossbow"}]}, missile)):
        at = fight(ann=MAGE, bob=bob).change("ann", announced=("incant",))
        cast = run(speak, at, answers={"spell_form": form})
        assert spoken_length(cast.fight, "ann") == length
        assert "spell_form" not in run(speak, cast.fight).played.asked
        done = run(speak, cast.fight.change("ann", announced=("avoid",)))
        assert spoken_length(done.fight, "ann") == ""
