from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import komabako

ROOT = Path(__file__).parents[3]


@pytest.fixture(scope="session")
def psv() -> Any:
    """The repository's 2,000 sample records."""
    return np.fromfile(ROOT / "data/sample.psv", komabako.PackedSfenValue)


@pytest.fixture(scope="session")
def words(psv: Any) -> Any:
    return psv["sfen"]
