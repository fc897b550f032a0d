"""The bench is a package, `tests.bench`: its tests import it under that name from wherever pytest is started."""

import sys
from pathlib import Path

ROOT = str(Path(__file__).parents[2])
if ROOT not in sys.path:
    sys.path.insert(0, ROOT)
