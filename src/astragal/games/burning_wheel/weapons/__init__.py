"""Weapons: damage, blows and shots, speed, gunpowder and bombs.

In the book's order: ``damage``, ``wielding``, ``openings``, ``blows``, ``locations``, ``speed``,
``missiles``, ``loading``, ``shooting``, ``barbs``, ``fuses``, ``bombs``, ``bombs_at_range``,
``explosions``, ``shaded_damage``.
"""
