"""What is in the package: what it imports, its names, its version."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

import komabako

ROOT = Path(__file__).parents[3]


def test_nothing_but_numpy_is_imported() -> None:
    code = (
        "import sys, komabako; assert 'numpy' not in sys.modules; komabako.decode_board; "
        "print([name for name in ('pyarrow', 'torch', 'pandas') if name in sys.modules])"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    assert ran.stdout.strip() == "[]"


def test_every_name_of_the_package_is_there() -> None:
    for name in komabako.__all__:
        assert getattr(komabako, name) is not None
    assert callable(komabako.targets)
    with pytest.raises(AttributeError):
        komabako.no_such_name


def test_the_version_is_that_of_the_workspace() -> None:
    manifest = (ROOT / "Cargo.toml").read_text(encoding="utf-8")
    found = re.search(r'^version = "(.*)"', manifest, re.MULTILINE)
    assert found and found[1] == komabako.__version__
