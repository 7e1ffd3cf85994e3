"""Artha: what it buys before and after a roll, how it is earned, and Aristeia.

In the book's order: ``on_a_roll``, ``before_the_roll``, ``spending``, ``complications``,
``bearing_pain``, ``awards``, ``session_artha``, ``starting_artha``, ``epiphany``, ``aristeia``.
"""
