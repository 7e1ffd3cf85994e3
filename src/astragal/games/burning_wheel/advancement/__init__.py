"""Advancement: the log of tests, new skills, practice and instruction.

In the book's order: ``requirements``, ``log``, ``new_skills``, ``practice_cycles``, ``practice``,
``instruction``, ``corrections``.
"""
