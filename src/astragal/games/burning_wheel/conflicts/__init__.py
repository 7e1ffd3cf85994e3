"""Conflicts that are played out in steps; they share these modules and never import each other.

The modules: ``scripting``, ``rolls``.
"""
