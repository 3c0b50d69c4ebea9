"""Publishes records as a Parquet file and queries it with DuckDB: `pip install duckdb pyarrow`, then

python bindings/python/examples/publish.py data/sample.psv sample.parquet
"""

from __future__ import annotations

import sys

import duckdb

from komabako.arrow import write_parquet

source, target = sys.argv[1:]
count = write_parquet(source, target, "text", source=f"made of {source}")
print(f"{count} records in {target}")

games = duckdb.read_parquet(target)

print("How often does the side to move win, by its score?")
duckdb.sql(
    """
    select floor(score / 500) * 500 as score, count(*) as records,
           round(avg(case result when 'win' then 1 when 'draw' then 0.5 else 0 end), 2) as result
    from games where abs(score) < 2000 group by 1 order by 1
    """
).show()

print("Which moves are played most in the opening?")
duckdb.sql(
    "select move, count(*) as records from games where ply <= 20 and move is not null group by move order by 2 desc, 1 limit 5"
).show()
