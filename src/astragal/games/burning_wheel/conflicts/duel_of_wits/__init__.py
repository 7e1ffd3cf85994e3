"""The Duel of Wits.

In the book's order: ``duel``, ``challenge``, ``bodies``, ``exchange``, ``actions``, ``matrix``,
``matrix_in_words``, ``logged_rolls``, ``volley``, ``instead_of_words``, ``bearing_pain``,
``state``, ``outcome``, ``compromise``, ``policies``, ``rehearsal``.
"""
