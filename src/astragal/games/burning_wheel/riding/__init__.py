"""Riding and mounted combat.

In the book's order: ``mounts`` (into the saddle and out of it), ``riding_tests``, ``maneuvers``,
``falls``, ``joust``, ``unhorsing`` and ``nerves`` (mounts and Steel). Pursuit on mounts is part of
the chase (``movement/mounted_chase``), what riding does to every test is in
``conditions/mounted``, and mounted combat in Fight! is in ``conflicts/fight``.
"""
