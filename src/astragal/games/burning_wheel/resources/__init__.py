"""Resources: tests, tax, cash, funds and loans, haggling, jobs and maintenance.

In the book's order: ``resources_test``, ``means``, ``tax``, ``linked_skill``,
``purchases``, ``haggling``,
``cash_funds_loans``, ``home_and_rank``, ``raising_cash``, ``maintenance``, ``jobs``, ``coins``.
"""
