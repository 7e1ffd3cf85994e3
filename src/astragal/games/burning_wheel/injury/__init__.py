"""Injury: taking wounds, bleeding, treatment, recovery, and the will to live.

In the book's order: ``injury``, ``bleeding``, ``time_passes``, ``shrugging_off``,
``treatment``, ``healing_tables``, ``health_tests``, ``recovery``, ``will_to_live``,
``great_falls``.
"""
