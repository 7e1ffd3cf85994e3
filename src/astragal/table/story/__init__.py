"""The log as a story: one paragraph for each test, and the evening in pictures.

``tale`` says what a procedure came to, ``chapters`` puts the entries of a log into paragraphs
under headings, ``figures`` counts luck, artha and logged tests, ``pictures`` draws them, and
``document`` writes all of it as Markdown or HTML. All of them read what one seat may see.
"""
