"""The program: `python -m komabako`, and the script `komabako`."""

from __future__ import annotations

import signal
import sys

from ._native import run_program


def main() -> int:
    """Runs the program on the process's arguments and returns its exit code."""
    # Python's handler would only note Ctrl-C and act when the program is over; the program's own ends it cleanly.
    if signal.getsignal(signal.SIGINT) != signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    return run_program(["komabako", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
