"""Memory of benchmarks: the current memory of a process, and its peak during a call."""

from __future__ import annotations

import threading
import time
from pathlib import Path
from typing import Any, Callable, Tuple


def own_memory() -> float:
    """Return the memory of this process's own pages in MiB, without mapped files."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("RssAnon:"):
            return int(line.split()[1]) / 1024
    raise OSError("the system does not say")


def watched(function: Callable[[], Any], memory: Callable[[], float], interval: float) -> Tuple[Any, float, float]:
    """Call ``function`` and sample ``memory`` every ``interval`` seconds. Returns its result, its wall time in seconds, and the peak."""
    peak, over = 0.0, threading.Event()

    def watch() -> None:
        nonlocal peak
        while not over.wait(interval):
            peak = max(peak, memory())

    watcher = threading.Thread(target=watch)
    watcher.start()
    started = time.perf_counter()
    try:
        found = function()
        seconds = time.perf_counter() - started
    finally:
        over.set()
        watcher.join()
    return found, seconds, max(peak, memory())
