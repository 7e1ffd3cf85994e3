"""A ready session: the harbour quarter, a debt, a roll of dues, and a hidden door."""

from __future__ import annotations

from astragal.games.demo import Cast, Demo, Suggestion
from astragal.play import GM

DEMO = Demo(
    title="The Roll of Dues",
    premise=(
        "Captain Orrin has bought up every debt in the harbour quarter, and tonight the proof of "
        "it lies in the customs house. Mara and her brother mean to have it before the tide "
        "turns, if the harbourmaster can be moved, or the smugglers' door be found."
    ),
    characters={
        "mara": Cast("mara"),
        "tam": Cast("tam"),
        "captain_orrin": Cast("captain_orrin", seat=GM, hidden=True),
        "advocate_ysmay": Cast("advocate_ysmay", seat=GM),
        "harbourmaster_dunn": Cast("harbourmaster_dunn", seat=GM, hidden=True),
        "serjeant_hale": Cast("serjeant_hale", seat=GM),
        "ketil_the_loud": Cast("ketil_the_loud", seat=GM),
    },
    scene={"calendar": {"day": 0, "seconds": 22 * 3600, "began": [10, 3]}},
    suggestions=(
        Suggestion(
            "Mara looks for the smugglers' door",
            "standard_test",
            {
                "character": "mara",
                "intent": "get into the customs house unseen",
                "task": "asks the night porters for the smugglers' door",
                "ability": "Streetwise",
                "helpers": ["tam"],
                "gear": ["lantern"],
            },
        ),
        Suggestion(
            "Mara argues with the harbourmaster: a Duel of Wits",
            "duel_of_wits",
            {
                "about": "whether the roll of dues may be seen",
                "sides": [
                    {
                        "character": "mara",
                        "skill": "Persuasion",
                        "case": "The roll belongs to all who pay the dues.",
                        "wins": "Dunn opens the roll to Mara, tonight",
                        "loses": "Mara says who sent her",
                        "helpers": ["advocate_ysmay"],
                    },
                    {
                        "character": "harbourmaster_dunn",
                        "skill": "Oratory",
                        "case": "For thirty years nobody has read it but the sworn.",
                        "wins": "Mara says who sent her",
                        "loses": "Dunn opens the roll to Mara, tonight",
                    },
                ],
            },
        ),
        Suggestion(
            "Tam finds the night watchman where he should not be: a Steel test",
            "steel_test",
            {
                "character": "tam",
                "cause": "surprise",
                "source": "the watchman, cold and still, behind the third curtain",
            },
        ),
        Suggestion(
            "Mara and Serjeant Hale meet Ketil the Loud on the stairs: a Fight!",
            "fight",
            {
                "about": "who goes up to the customs house",
                "sides": [
                    {"fighters": [{"character": "mara"}, {"character": "serjeant_hale"}]},
                    {"fighters": [{"character": "ketil_the_loud"}]},
                ],
            },
        ),
    ),
)
