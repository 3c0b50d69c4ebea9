from __future__ import annotations

import importlib
import os
from pathlib import Path
from typing import Any, Optional

import numpy as np
import pytest

import komabako

ROOT = Path(__file__).parents[3]


def engine(name: str, program: Optional[str] = "") -> Any:
    """A module, or a program by its path, that is too large to be asked of everyone: without it a test is skipped, or fails
    where `cargo xtask python --all` wants all of them."""
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
