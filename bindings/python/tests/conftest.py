from __future__ import annotations

import importlib
import os
import shutil
import sys
from pathlib import Path
from typing import Any, Callable, Iterator, List, NamedTuple, Optional

import numpy as np
import pytest

import komabako

ROOT = Path(__file__).parents[3]


def engine(name: str, program: Optional[str] = "") -> Any:
    """A module, or the path of a program, that is too large to require: without it a test is skipped, or fails under
    `cargo xtask python --all`, which requires all of them."""
    if os.environ.get("KOMABAKO_ENGINES") != "all":
        if program is None:
            pytest.skip(f"{name} is not installed")
        return None if program else pytest.importorskip(name)
    assert program is not None, f"{name} is not installed"
    return None if program else importlib.import_module(name)


@pytest.fixture(scope="session")
def psv() -> Any:
    """The repository's 2,000 sample records."""
    return np.fromfile(ROOT / "data/sample.psv", komabako.PackedSfenValue)


@pytest.fixture(scope="session")
def words(psv: Any) -> Any:
    return psv["sfen"]


class Cluster(NamedTuple):
    """A module of the package with its engine."""

    module: Any
    records: Callable[..., Any]
    rows: Callable[[Any], List[Any]]


@pytest.fixture(scope="module", params=["ray", "spark"])
def cluster(request: Any) -> Iterator[Cluster]:
    if request.param == "ray":
        ray = engine("ray")
        engine("ray.data")
        ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, logging_level="ERROR")
        ray.data.DataContext.get_current().enable_progress_bars = False
        import komabako.ray as module

        yield Cluster(module, module.records, lambda dataset: dataset.take_all())
        ray.shutdown()
        return
    engine("pyspark")
    engine("java", shutil.which("java"))
    from pyspark.sql import SparkSession

    import komabako.spark as module  # type: ignore[no-redef]

    os.environ["PYSPARK_PYTHON"] = sys.executable
    builder = SparkSession.builder.master("local[2]").appName("komabako")
    session = builder.config("spark.ui.enabled", "false").getOrCreate()
    session.sparkContext.setLogLevel("ERROR")
    yield Cluster(
        module,
        lambda paths, count: module.records(session, paths, count),
        lambda frame: [row.asDict() for row in frame.collect()],
    )
    session.stop()
