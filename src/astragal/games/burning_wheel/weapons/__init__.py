"""Weapons: damage, blows and shots, speed, gunpowder and bombs.

In the book's order: ``damage``, ``wielding``, ``from_the_saddle``, ``openings``, ``blows``,
``locations``, ``speed``, ``missiles``, ``loading``, ``shooting``, ``gunpowder``, ``barbs``,
``fuses``, ``bombs``, ``bombs_at_range``, ``explosions``, ``shaded_damage``.
"""
