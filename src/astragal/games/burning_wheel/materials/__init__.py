"""Materials: breaking through things, shooting through them, being thrown against them.

In the book's order: ``materials``, ``hacking``, ``breaking_through``, ``shooting_through``,
``thrown_against``.
"""
