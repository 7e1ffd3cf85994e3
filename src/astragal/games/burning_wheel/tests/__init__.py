"""The Hub: tests, from the intent to what follows from the roll.

In the book's order: ``partial_records``, ``intent``, ``terms``, ``circumstances``, ``gear``,
``possessions``, ``helping``, ``attempts``, ``conclusions``, ``tests``, ``results``,
``let_it_ride``, ``linked``, ``versus``, ``versus_verdict``, ``broken_ties``, ``simultaneous``,
``instructions``, ``any_test``, ``die_of_fate``, ``mishaps``.
"""
