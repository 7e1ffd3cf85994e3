"""Advancement: the log of tests, new skills, practice and instruction.

In the book's order: ``log``, ``new_skills``, ``practice``, ``instruction``, ``corrections``.
"""
