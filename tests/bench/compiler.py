"""The machine's C compiler, for references to measure against."""

from __future__ import annotations

import ctypes
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

FLAGS = ("-O3", "-march=native", "-ffp-contract=off", "-shared", "-fPIC")


def find() -> str | None:
    """$CC, or the first of cc, gcc and clang that exists."""
    names = [os.environ.get("CC", ""), "cc", "gcc", "clang"]
    return next((found for name in names if name and (found := shutil.which(name))), None)


def build(source: Path) -> tuple[ctypes.CDLL | None, str]:
    """The compiled source, or None; and a sentence on the compiler or on what was missing."""
    compiler = find()
    if compiler is None:
        return None, "no C compiler here (looked for $CC, cc, gcc, clang)"
    with tempfile.TemporaryDirectory(prefix="sudoku-tui-bench-") as folder:
        target = Path(folder) / f"{source.stem}.so"
        made = subprocess.run([compiler, *FLAGS, "-o", str(target), str(source)],
                              capture_output=True, text=True, check=False)
        if made.returncode:
            said = made.stderr.strip().splitlines() or [f"exit status {made.returncode}"]
            return None, f"{compiler} refuses {source.name}: {said[-1]}"
        version = subprocess.run([compiler, "--version"], capture_output=True, text=True, check=False)
        return ctypes.CDLL(str(target)), f"{version.stdout.splitlines()[0]} {' '.join(FLAGS[:2])}"
