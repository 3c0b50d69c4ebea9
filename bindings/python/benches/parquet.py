"""Measures writing a Parquet file, reading it back, and queries by other engines: `parquet.py RECORDS.psv [PROFILE]`.

Prints a line `program,work,records,unit,figure` per row: wall time in seconds, the peak memory of the process in MiB (its own
pages, without the mapped input), bytes per record, and the query results, which must agree. Each job runs in a process of its
own, and komabako's jobs run on a tenth of the records too, to show that memory does not grow with the number of records.
"""

from __future__ import annotations

import multiprocessing
import os
import sys
import tempfile
from pathlib import Path
from typing import Any, Callable

import numpy as np

import komabako
from komabako import PackedSfenValue
from memory import own_memory, watched

PROFILE = sys.argv[2] if len(sys.argv) > 2 else "text"
#: The query: the numbers of all records and of records won by the side to move, and the sum of the scores.
QUERY = "select count(*), count(*) filter (where result = {win}), sum(score) from '{path}'"
WIN = "'win'" if PROFILE == "text" else "1"


def _run(function: Callable[..., Any], arguments: Any, answer: Any) -> None:
    answer.send(watched(lambda: function(*arguments), own_memory, 0.01))


def measured(program: str, work: str, records: int, function: Callable[..., Any], *arguments: Any) -> Any:
    here, there = multiprocessing.get_context("spawn").Pipe()
    process = multiprocessing.get_context("spawn").Process(target=_run, args=(function, arguments, there))
    process.start()
    there.close()
    found, seconds, peak = here.recv()
    process.join()
    print(f"{program},{work},{records},s,{seconds:.1f}")
    print(f"{program},{work},{records},MiB,{peak:.0f}", flush=True)
    return found


def write(source: Path, out: Path) -> int:
    from komabako.arrow import write_parquet

    return write_parquet(source, out, PROFILE)


def read_back(source: Path, out: Path) -> int:
    """Return the number of records that are unchanged."""
    from komabako.arrow import from_arrow, iter_parquet

    expected, first, equal = komabako.memmap(source, PackedSfenValue), 0, 0
    for table in iter_parquet(out):
        records = from_arrow(table)
        equal += int((records == expected[first : first + len(records)]).sum())
        first += len(records)
    return equal


def pyarrow_query(path: Path) -> Any:
    import pyarrow.compute as pc
    import pyarrow.dataset

    rows = wins = total = 0
    for batch in pyarrow.dataset.dataset(path).to_batches(columns=["result", "score"]):
        rows += batch.num_rows
        wins += pc.sum(pc.equal(batch["result"].cast("string"), "win" if PROFILE == "text" else "1")).as_py() or 0
        total += pc.sum(batch["score"]).as_py() or 0
    return rows, wins, total


def duckdb_query(path: Path) -> Any:
    import duckdb

    return tuple(map(int, duckdb.sql(QUERY.format(path=path, win=WIN)).fetchall()[0]))


def polars_query(path: Path) -> Any:
    import polars

    won = polars.col("result").cast(polars.String) == ("win" if PROFILE == "text" else "1")
    scores = polars.col("score").cast(polars.Int64).sum()
    counted = polars.scan_parquet(path).select(polars.len().alias("n"), won.sum().alias("wins"), scores)
    return tuple(map(int, counted.collect().row(0)))


def main() -> None:
    source = Path(sys.argv[1])
    records = np.memmap(source, PackedSfenValue, mode="r")
    with tempfile.TemporaryDirectory(prefix="komabako-") as directory:
        place = Path(directory)
        small = place / "small.psv"
        records[: len(records) // 10].tofile(small)
        for path in (small, source):
            count = path.stat().st_size // 40
            out = place / f"{path.stem}.parquet"
            assert measured("komabako", f"write {PROFILE}", count, write, path, out) == count
            print(f"komabako,write {PROFILE},{count},bytes a record,{os.path.getsize(out) / count:.1f}")
            equal = measured("komabako", f"read {PROFILE}", count, read_back, path, out)
            print(f"komabako,read {PROFILE},{count},equal,{equal}", flush=True)
        won, total = int((records["game_result"] == 1).sum()), int(records["score"].sum(dtype=np.int64))
        for program, query in (("pyarrow", pyarrow_query), ("duckdb", duckdb_query), ("polars", polars_query)):
            found = measured(program, f"query {PROFILE}", len(records), query, place / f"{source.stem}.parquet")
            assert found == (len(records), won, total), (program, found, won, total)
            print(f"{program},query {PROFILE},{len(records)},rows,{found[0]}", flush=True)


if __name__ == "__main__":
    main()
