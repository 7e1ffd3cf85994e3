"""Range and Cover: missiles, from the far end of their reach until it is too close to shoot.

In the book's order: ``skirmish``, ``ranges``, ``starting``, ``exchange``, ``state``, ``maneuvers``,
``maneuvers_in_words``, ``volley``, ``spells_and_prayers``, ``positioning``, ``resolving``,
``spending``, ``shots``, ``hesitation``, ``melee``, ``outcome``, ``picture``, ``rehearsal``,
``policies``. Riders: ``mounted``, ``mounts_hit``.
"""
