from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from astragal.errors import BadInput, NotAllowed
from astragal.games.burning_wheel.beliefs.trait_vote import Vote, carries, evolves_into
from astragal.games.burning_wheel.sheet.parts import Artha, TraitKind
from astragal.play import GM, DecisionEvent
from games.burning_wheel.playing import play, table

BOTH = {"participants": ["rich", "andy"]}


def seated(options=None, **more):
    rich = {"traits": ["Loud", "Proud"], **more}
    return table(options=options, rich=rich, andy={"traits": ["Meek"]}, away={"traits": ["Gone"]})


def gain(who="rich", trait="Bold", by="gm", **votes):
    answers = {f"{by}/nominate_{who}": trait}
    return answers | {f"{seat}/vote_{who}_{trait}": vote for seat, vote in votes.items()}


def names(played, who="rich"):
    return [trait.name for trait in played.table.character(who).traits]


@pytest.mark.rules("beliefs.vote.unanimous_to_gain")
@pytest.mark.parametrize(
    ("votes", "gained"),
    [
        ({"gm": "yes", "andy": "yes"}, True),
        ({"gm": "yes", "andy": "no"}, False),
        ({"gm": "yes", "andy": "abstain"}, True),
        ({"gm": "abstain", "andy": "abstain"}, False),
    ],
)
def test_a_new_trait_takes_everyone(votes, gained):
    played = play("trait_vote", BOTH, seated(), gain(**votes))
    assert ("Bold" in names(played)) is gained
    assert (("rich", "Bold") in played.outcome.gained) is gained


@pytest.mark.rules("beliefs.vote.unanimous_to_gain")
@pytest.mark.parametrize(("away", "gained"), [("yes", True), ("no", False)])
def test_one_vote_against_outweighs_any_majority(away, gained):
    three = {"participants": ["rich", "andy", "away"]}
    played = play("trait_vote", three, seated(), gain(gm="yes", andy="yes", away=away))
    assert ("Bold" in names(played)) is gained
    (count,) = played.outcome.votes
    assert (count.character, count.motion) == ("rich", "Bold")
    assert (count.yes, count.no) == ((3, 0) if gained else (2, 1))
    assert ("3 for, 0 against" if gained else "fails: 2 for, 1 against.") in played.told


@pytest.mark.rules("beliefs.vote.unanimous_to_gain", "beliefs.vote.sequence")
def test_what_several_suggest_is_one_trait_and_one_vote():
    twice = gain(gm="yes", andy="yes") | {"andy/nominate_rich": "bold"}
    played = play("trait_vote", BOTH, seated({"beliefs_new_traits_per_vote": "no_limit"}), twice)
    assert names(played) == ["Loud", "Proud", "Bold"]
    assert played.outcome.gained == (("rich", "Bold"),)
    assert played.asked.count("vote_rich_Bold") == 2  # the GM's and Andy's


def test_a_trait_is_not_gained_twice():
    with pytest.raises(BadInput, match="trait: found 'loud', expected a trait that Rich does not"):
        play("trait_vote", BOTH, seated(), {"andy/nominate_rich": "loud"})


@pytest.mark.rules("beliefs.vote.loss_by_owner_majority", "beliefs.vote.loss_by_gm_unanimous")
def test_a_loss_that_the_owner_proposes_as_well_takes_a_majority_and_one_vote():
    both = {"gm/lose_rich": "Loud", "rich/lose_rich": "Loud"}
    votes = {"gm/vote_rich_Loud": "yes", "rich/vote_rich_Loud": "yes", "andy/vote_rich_Loud": "no"}
    played = play("trait_vote", BOTH, seated(), both | votes)
    assert played.outcome.lost == (("rich", "Loud"),)
    assert names(played) == ["Proud"]
    assert played.asked.count("vote_rich_Loud") == 3
    assert [(each.yes, each.no, each.abstained) for each in played.outcome.votes] == [(2, 1, 0)]
    other = {"gm/lose_rich": "Loud", "rich/lose_rich": "Proud"}
    played = play("trait_vote", BOTH, seated(), other | votes)
    assert played.outcome.lost == ()  # the GM's own still takes everyone


@pytest.mark.rules("beliefs.vote.who_is_eligible")
@pytest.mark.parametrize("who", [[], ["rich", "andy", "rich"]])
def test_everyone_who_took_part_is_named_once(who):
    with pytest.raises(BadInput, match=r"participants: found .* each once"):
        play("trait_vote", {"participants": who}, seated())


@pytest.mark.parametrize(("custom", "owner_asked"), [("no", False), ("yes", True)])
def test_whether_the_owner_votes_on_a_new_trait(custom, owner_asked):
    at = seated({"beliefs_owner_votes_on_gain": custom})
    answers = gain(gm="yes", andy="yes")
    if owner_asked:
        answers["rich/vote_rich_Bold"] = "no"
    played = play("trait_vote", BOTH, at, answers)
    assert ("Bold" in names(played)) is not owner_asked


@pytest.mark.rules("beliefs.vote.loss_by_gm_unanimous", "beliefs.vote.loss_by_owner_majority")
@pytest.mark.parametrize(
    ("proposer", "votes", "lost"),
    [
        ("gm", {"gm": "yes", "rich": "yes", "andy": "yes"}, True),
        ("gm", {"gm": "yes", "rich": "no", "andy": "yes"}, False),
        ("rich", {"gm": "no", "rich": "yes", "andy": "yes"}, True),
        ("rich", {"gm": "no", "rich": "yes", "andy": "abstain"}, False),
        ("rich", {"gm": "no", "rich": "yes", "andy": "no"}, False),
    ],
)
def test_what_it_takes_to_lose_a_trait(proposer, votes, lost):
    answers = {f"{proposer}/lose_rich": "Loud"}
    answers |= {f"{seat}/vote_rich_Loud": vote for seat, vote in votes.items()}
    played = play("trait_vote", BOTH, seated(), answers)
    assert names(played) == (["Proud"] if lost else ["Loud", "Proud"])


@pytest.mark.rules("beliefs.vote.loss_who_proposes", "beliefs.vote.who_nominates")
def test_who_is_asked_for_what():
    played = play("trait_vote", BOTH, seated())
    asked = [(e.ask.seat, e.ask.key) for e in played.events if isinstance(e, DecisionEvent)]
    assert {seat for seat, key in asked if key == "nominate_rich"} == {GM, "rich", "andy"}
    assert {seat for seat, key in asked if key == "lose_rich"} == {GM, "rich"}
    assert {seat for seat, key in asked if key == "lose_andy"} == {GM, "andy"}


@pytest.mark.rules("beliefs.vote.who_is_eligible")
def test_only_those_who_took_part_are_discussed_and_every_one_of_them_is():
    played = play("trait_vote", BOTH, seated())
    assert {key for key in played.asked if key.startswith("nominate")} == {
        "nominate_rich",
        "nominate_andy",
    }
    with pytest.raises(BadInput, match="participants"):
        play("trait_vote", {"participants": []}, seated())
    with pytest.raises(BadInput, match="found 'ghost'"):
        play("trait_vote", {"participants": ["ghost"]}, seated())


@pytest.mark.rules("beliefs.vote.sequence")
def test_nobody_votes_before_everybody_was_discussed():
    answers = gain(gm="yes", andy="yes") | gain("andy", "Wise", gm="yes", rich="yes")
    asked = play("trait_vote", BOTH, seated(), answers).asked
    first_vote = next(i for i, key in enumerate(asked) if key.startswith("vote_"))
    assert all(not key.startswith(("nominate", "lose")) for key in asked[first_vote:])
    votes = [key for key in asked if key.startswith("vote_")]
    assert votes == ["vote_rich_Bold"] * 2 + ["vote_andy_Wise"] * 2  # character by character


@pytest.mark.rules("beliefs.vote.when")
def test_a_vote_waits_for_the_end_of_a_story():
    with pytest.raises(NotAllowed, match=r"beliefs\.vote\.when"):
        play("trait_vote", BOTH, seated(), {"story_over": False})


@pytest.mark.rules("beliefs.vote.kinds_awardable")
@pytest.mark.parametrize("kind", list(TraitKind))
def test_every_kind_may_be_awarded(kind):
    answers = gain(gm="yes", andy="yes") | {"trait_kind": kind.value}
    played = play("trait_vote", BOTH, seated(), answers)
    assert played.table.character("rich").traits[-1].kind is kind


@pytest.mark.rules("beliefs.vote.body_traits")
def test_a_lost_finger_must_have_been_lost():
    answers = gain(trait="Nine-fingered", gm="yes", andy="yes") | {"alters_body": True}
    played = play("trait_vote", BOTH, seated(), answers)
    assert played.table.character("rich").traits[-1].body
    del answers["gm/vote_rich_Nine-fingered"], answers["andy/vote_rich_Nine-fingered"]
    refused = play("trait_vote", BOTH, seated(), answers | {"borne_out": False})
    assert "Nine-fingered" not in names(refused)


@pytest.mark.rules("beliefs.vote.limit_short", "beliefs.vote.limit_long")
@pytest.mark.parametrize(
    ("custom", "story", "most"),
    [
        ("short_1_long_3", "short", 1),
        ("short_1_long_3", "long", 3),
        ("short_1_long_2", "short", 1),
        ("short_1_long_2", "long", 2),
        ("no_limit", "short", 4),
    ],
)
def test_the_most_new_traits_from_one_vote(custom, story, most):
    at = table(
        options={"beliefs_new_traits_per_vote": custom},
        rich={}, andy={}, ben={}, cat={},
    )  # fmt: skip
    everyone = ["rich", "andy", "ben", "cat"]
    answers = {}
    for by in ("gm", "andy", "ben", "cat"):
        trait = f"From-{by}"
        answers |= gain(trait=trait, by=by, gm="yes", andy="yes", ben="yes", cat="yes")
    played = play("trait_vote", {"participants": everyone, "story": story}, at, answers)
    assert len(names(played)) == most
    if most == 1:
        chosen = play(
            "trait_vote",
            {"participants": everyone, "story": story},
            at,
            answers | {"keep": ["From-ben"]},
        )
        assert names(chosen) == ["From-ben"]


@pytest.mark.rules("beliefs.vote.artha_does_not_bypass")
def test_artha_opens_a_trait_but_the_vote_decides():
    bits = {
        "beliefs": [{"text": "The duke must pay", "spent": {"persona": 2}}, "Gold is dust"],
        "instincts": [{"text": "Never run", "spent": {"deeds": 1}}],
    }
    answers = {"evolve#1": "Duke-slayer", "evolve_kind#1": "call_on:0", "evolve#2": ""}
    for vote, gained in (("yes", True), ("no", False)):
        votes = {"gm/vote_rich_Duke-slayer": "yes", "andy/vote_rich_Duke-slayer": vote}
        played = play("trait_vote", BOTH, seated(**bits), answers | votes)
        assert ("Duke-slayer" in names(played)) is gained
        # two bits have marks, so two questions; the marks are wiped whatever the vote said
        assert played.asked.count("evolve") == 2
        rich = played.table.character("rich")
        assert {bit.spent for bit in (*rich.beliefs, *rich.instincts)} == {Artha()}
        assert [bit.text for bit in rich.beliefs] == ["The duke must pay", "Gold is dust"]


@pytest.mark.rules("artha.evolve.fate", "artha.evolve.persona", "artha.evolve.deeds")
def test_what_each_kind_of_artha_opens():
    def kinds(**spent):
        return [(kind.value, most) for kind, most, _ in evolves_into(Artha(**spent))]

    assert kinds() == []
    assert kinds(fate=3) == [("character", 0)]
    assert kinds(persona=1) == [("die", 3), ("call_on", 0)]
    assert kinds(deeds=1) == [("die", 0)]
    assert kinds(fate=1, deeds=1) == [("character", 0), ("die", 0)]  # every class marked


@pytest.mark.rules("artha.evolve.persona", "artha.evolve.deeds")
@pytest.mark.parametrize(("spent", "points", "fits"), [
    ("persona", 3, True), ("persona", 4, False), ("deeds", 4, True), ("deeds", 3, False),
])  # fmt: skip
def test_persona_buys_minor_and_deeds_major_die_traits(spent, points, fits):
    kind = "die:3" if spent == "persona" else "die:0"
    at = seated(beliefs=[{"text": "The duke must pay", "spent": {spent: 1}}])
    answers = {"evolve": "Iron arm", "evolve_kind": kind, "evolve_points": points}
    if not fits:
        with pytest.raises(BadInput, match="evolve_points"):
            play("trait_vote", BOTH, at, answers)
        return
    answers |= {"gm/vote_rich_Iron arm": "yes", "andy/vote_rich_Iron arm": "yes"}
    assert play("trait_vote", BOTH, at, answers).table.character("rich").traits[-1].points == points


def test_the_vote_starts_the_count_of_sessions_anew():
    at = table(scene={"since_trait_vote": 9}, rich={}, andy={})
    assert play("trait_vote", BOTH, at).table.scene.since_trait_vote == 0


@given(st.lists(st.sampled_from(list(Vote)), min_size=1, max_size=6))
def test_counting_votes_against_the_words(votes):
    cast = [vote for vote in votes if vote is not Vote.ABSTAIN]
    unanimous = bool(cast) and set(cast) == {Vote.YES}
    majority = cast.count(Vote.YES) * 2 > len(cast)
    assert carries(tuple(votes), unanimous=True) is unanimous
    assert carries(tuple(votes), unanimous=False) is majority


def test_more_yes_votes_never_lose_a_motion():
    for votes in product(Vote, repeat=3):
        for unanimous in (True, False):
            if carries(votes, unanimous=unanimous):
                assert carries((*votes, Vote.YES), unanimous=unanimous)
