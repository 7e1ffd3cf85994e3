"""Every performance figure of the project, each beside its peer in one run: `make bench`.

Objects are made anew for each repeat, because libraries (ours too) remember what they have
worked out; the best of several repeats counts. Nothing here is a test: a slow machine prints
slower figures, and that is all.
"""
