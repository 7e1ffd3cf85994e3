"""Burning rogues: setting up a game, one-off characters, crucial opponents, ready characters.

In the book's order: ``set_up``, ``fitting_in``, ``quick_characters``, ``one_off``, ``one_line``,
``growing_characters``, ``crucial_characters``, ``ready_characters``.
"""
