"""One module for each change of the tables, named by its number and what it brings."""
