"""Advancement: the log of tests, new skills, practice and instruction.

In the book's order: ``requirements``, ``log``, ``growing_faith``, ``new_skills``,
``practice_cycles``, ``practice``, ``instruction``, ``corrections``.
"""
