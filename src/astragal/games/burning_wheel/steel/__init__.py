"""Steel: when it is tested, the dice, and hesitation.

In the book's order: ``steel``, ``dice_and_hesitation``, ``unrolled_tests``.
"""
