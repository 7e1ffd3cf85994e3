"""The Duel of Wits.

In the book's order: ``challenge``, ``bodies``, ``duel``, ``actions``, ``matrix``,
``matrix_in_words``, ``volley``, ``state``, ``outcome``, ``compromise``, ``policies``,
``rehearsal``.
"""
