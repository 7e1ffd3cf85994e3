"""Movement: paces, and the chase.

In the book's order: ``movement``, ``chase``, ``chase_lengths``, ``mounted_chase``.
"""
