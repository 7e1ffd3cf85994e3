"""Long proofs, for whoever has an hour: `make proof`.

`kills` puts servers and databases to troubles while people play, and compares what everybody
recorded with the log; `messages` searches what seats are sent for what is not theirs; `inputs`
sends nonsense (by HTTP with `plain_http`) and looks for failures. `counts` keeps how far each has
come, so that a run that was stopped goes on. All of them use what the tests use.
"""

import sys
from pathlib import Path

TESTS = Path(__file__).parents[1] / "tests"
if str(TESTS) not in sys.path:
    sys.path.insert(0, str(TESTS))
