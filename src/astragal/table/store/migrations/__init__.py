"""The migrations of the store, oldest first, in ``versions``; Alembic runs them.

Each has ``upgrade(op)`` and ``downgrade(op)``, where ``op`` are Alembic's operations. A new one
goes with a change of ``schema.py`` and of the number there.
"""
