"""Conflicts that are played out in steps; they share :mod:`scripting` and never import each other.

The modules: ``scripting``.
"""
