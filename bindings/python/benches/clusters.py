"""Compares the program, Ray and Spark on one machine with the same jobs on one file: `clusters.py RECORDS.psv`.

Prints a line `program,work,records,unit,figure` per row: seconds, the peak memory of all processes in MiB (shared pages counted
once), and the number of bad, kept or equal records, which must agree.
"""

from __future__ import annotations

import filecmp
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, Callable, Dict, List

import komabako
from komabako import Fault, PackedSfenValue
from memory import watched

SOURCE = Path(sys.argv[1])
RECORDS = SOURCE.stat().st_size // 40
PARTS, SEED = 16, 7
LEVELS = "codec,rules,move,result"


#: The peak memory of the program's last run, in MiB.
program_memory: List[float] = []


def row(program: str, work: str, unit: str, figure: Any) -> None:
    print(f"{program},{work},{RECORDS},{unit},{figure}", flush=True)


def memory() -> float:
    """Return the memory of all descendant processes in MiB."""
    parents: Dict[int, List[int]] = {}
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            fields = (entry / "stat").read_text().rsplit(")", 1)[1].split()
            parents.setdefault(int(fields[1]), []).append(int(entry.name))
        except OSError:
            pass
    total, waiting = 0, list(parents.get(os.getpid(), []))
    while waiting:
        process = waiting.pop()
        waiting += parents.get(process, [])
        try:
            for line in Path(f"/proc/{process}/smaps_rollup").read_text().splitlines():
                if line.startswith("Pss:"):
                    total += int(line.split()[1])
        except OSError:
            pass
    return total / 1024


def measured(program: str, work: str, do: Callable[[], Any]) -> Any:
    result, seconds, peak = watched(do, memory, 0.5)
    peak = max(peak, program_memory.pop() if program_memory else 0)
    row(program, work, "s", f"{seconds:.1f}")
    row(program, work, "MiB", f"{peak:.0f}")
    return result


def program(*arguments: Any) -> Any:
    """Run the program and return its report."""
    command = [sys.executable, "-m", "komabako", *map(str, arguments), "--json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
        assert process.stdout is not None
        report = json.loads(process.stdout.read())
        # A short run may end before `watched` samples its memory, so take its peak from the system.
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    program_memory.append(usage.ru_maxrss / 1024)
    return report


def main() -> None:
    place = Path(tempfile.mkdtemp(prefix="komabako-"))
    report = measured("komabako", "validate", lambda: program("validate", SOURCE, "--level", LEVELS))
    bad = {level["level"]: level["bad_total"] for level in report["files"][0]["levels"]}
    row("komabako", "validate", "bad", sum(bad.values()))
    report = measured("komabako", "dedup", lambda: program("dedup", SOURCE, place / "kept.psv"))
    kept = report["written"]
    row("komabako", "dedup", "kept", kept)
    measured("komabako", "shuffle", lambda: program("shuffle", SOURCE, place / "shuffled.psv", "--seed", SEED))

    def compare(name: str, module: Any, records: Any) -> None:
        found = measured(name, "validate", lambda: module.validate(records, PackedSfenValue))
        row(name, "validate", "bad", RECORDS - found[Fault.GOOD])
        survivors = measured(name, "dedup", lambda: module.dedup(records, PackedSfenValue, parts=PARTS).count())
        row(name, "dedup", "kept", survivors)
        assert survivors == kept
        shuffled = module.shuffle(records, SEED, parts=PARTS)
        paths = measured(name, "shuffle", lambda: module.write(shuffled, place / name, PackedSfenValue))
        with open(place / "joined.psv", "wb") as joined:
            for path in paths:
                with open(path, "rb") as part:
                    shutil.copyfileobj(part, joined)
        assert filecmp.cmp(place / "joined.psv", place / "shuffled.psv", shallow=False)
        row(name, "shuffle", "equal", RECORDS)
        shutil.rmtree(place / name)

    import ray
    import ray.data

    import komabako.ray

    measured("ray", "start", lambda: ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, logging_level="ERROR"))
    ray.data.DataContext.get_current().enable_progress_bars = False
    compare("ray", komabako.ray, komabako.ray.records(SOURCE))
    ray.shutdown()

    from pyspark.sql import SparkSession

    import komabako.spark

    os.environ["PYSPARK_PYTHON"] = sys.executable
    builder = SparkSession.builder.master("local[2]").appName("komabako").config("spark.ui.enabled", "false")
    session = measured("spark", "start", lambda: builder.config("spark.driver.memory", "3g").getOrCreate())
    session.sparkContext.setLogLevel("ERROR")
    compare("spark", komabako.spark, komabako.spark.records(session, SOURCE))
    session.stop()
    shutil.rmtree(place)


if __name__ == "__main__":
    main()
