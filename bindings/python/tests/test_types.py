"""Type checkers find the planted errors of `typed.py`, and only them."""

from __future__ import annotations

import importlib.util
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any, List, Set

import pytest

import komabako

PLACE = Path(komabako.__file__).parents[1]
TYPED = Path(__file__).with_name("typed.py")


def planted() -> Set[int]:
    lines = TYPED.read_text(encoding="utf-8").splitlines()
    return {number for number, line in enumerate(lines, 1) if line.endswith("# error")}


def run(command: List[str], tmp_path: Path) -> str:
    environment: Any = dict(os.environ)
    # The package as the tests import it: mypy finds an installed one by itself.
    if PLACE.name != "site-packages":
        environment["MYPYPATH"] = str(PLACE)
    ran = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False, cwd=tmp_path, env=environment)
    return ran.stdout + ran.stderr


def test_mypy_finds_each_error(tmp_path: Path) -> None:
    pytest.importorskip("mypy")
    found = run([sys.executable, "-m", "mypy", "--strict", "--follow-imports=silent", str(TYPED)], tmp_path)
    errors = {int(line) for line in re.findall(r"typed\.py:(\d+): error", found)}
    assert len(planted()) == 15 and errors == planted(), found


def test_pyright_finds_each_error(tmp_path: Path) -> None:
    if importlib.util.find_spec("pyright") is None:
        pytest.skip("pyright is not installed")
    (tmp_path / "pyrightconfig.json").write_text(f'{{"extraPaths": ["{PLACE.as_posix()}"]}}')
    found = run([sys.executable, "-m", "pyright", "-p", str(tmp_path), "--pythonpath", sys.executable, str(TYPED)], tmp_path)
    errors = {int(line) for line in re.findall(r"typed\.py:(\d+):\d+ - error", found)}
    assert errors == planted(), found
