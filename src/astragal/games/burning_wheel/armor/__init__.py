"""Armor and shields: the dice, their wear and care, and what happens between a hit and a wound.

In the book's order: ``armor``, ``equipment_dice``, ``hits``, ``care``, ``shields``,
``halves``, ``shield_in_hand``, ``shield_cover``, ``block_and_strike``.
"""
