"""Combat in one roll: simple martial tests and bloody versus tests.

In the book's order: ``simple``, ``bloody_versus``, ``two_pools``.
"""
