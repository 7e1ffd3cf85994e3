"""`python -m astragal` is the same as the command `astragal`."""

import sys

from astragal.cli import main

if __name__ == "__main__":
    sys.exit(main())
