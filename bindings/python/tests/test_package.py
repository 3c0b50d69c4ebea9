"""The package: the program, the imports, the version."""

from __future__ import annotations

import importlib.metadata
import json
import re
import subprocess
import sys
import sysconfig
from pathlib import Path
from typing import Any

import pytest

import komabako

ROOT = Path(__file__).parents[3]


def program(*arguments: str, **options: Any) -> Any:
    command = [sys.executable, "-m", "komabako", *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False, **options)


def test_the_program_runs() -> None:
    ran = program("stats", "--json", str(ROOT / "data/sample.psv"))
    assert ran.returncode == 0 and json.loads(ran.stdout)["records"] > 0, ran.stderr
    assert program("--version").stdout.split() == ["komabako", komabako.__version__]


def test_exit_codes_equal_the_programs(tmp_path: Path) -> None:
    bad = tmp_path / "bad.psv"
    bad.write_bytes((ROOT / "data/sample.psv").read_bytes()[:4_000] + b"\xff" * 40)
    assert program("validate", "--from", "psv", str(bad)).returncode == 1
    assert program("no-such-command").returncode == 2


def test_ctrl_c_ends_the_program() -> None:
    if sys.platform == "win32":
        pytest.skip("signals are sent otherwise there")
    import signal

    command = [sys.executable, "-m", "komabako", "validate", "--from", "psv", "-"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as running:
        assert running.stdin is not None
        running.stdin.write(b"\0" * 40)
        running.stdin.flush()
        try:
            running.wait(1)
        except subprocess.TimeoutExpired:
            pass
        running.send_signal(signal.SIGINT)
        assert running.wait(20) in (130, -signal.SIGINT)


def test_the_program_starts_without_numpy() -> None:
    code = (
        "import sys; sys.argv = ['komabako', '--version']; from komabako.__main__ import main; code = main(); "
        "sys.exit(code or 'numpy' in sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, timeout=60)


def test_the_script_is_the_program() -> None:
    script = Path(sys.executable).parent / ("komabako.exe" if sys.platform == "win32" else "komabako")
    if not script.exists():
        pytest.skip("the package is not installed by pip")
    ran = subprocess.run([script, "--version"], capture_output=True, text=True, timeout=60, check=True)
    assert ran.stdout.split() == ["komabako", komabako.__version__]


def test_nothing_but_numpy_is_imported() -> None:
    code = (
        "import sys, komabako; assert 'numpy' not in sys.modules; komabako.decode_board; "
        "print([name for name in ('pyarrow', 'torch', 'pandas') if name in sys.modules])"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    assert ran.stdout.strip() == "[]"


def test_numpy_is_the_only_package_that_is_needed() -> None:
    # As in a bare environment: only the standard library, NumPy and the package can be imported.
    code = """
import sys

class Bare:
    def find_spec(self, name, path=None, target=None):
        top = name.split(".")[0]
        if top not in sys.stdlib_module_names and top not in ("numpy", "komabako"):
            raise ModuleNotFoundError(f"{name} is not in a bare environment", name=top)

sys.meta_path.insert(0, Bare())
import komabako
from komabako import features
words = komabako.from_sfen(["startpos"], "psv")
for name in komabako.__all__:
    getattr(komabako, name)
komabako.decode_board(words, codec="psv"), features.dlshogi(words, codec="psv"), komabako.legal_mask(words, codec="psv")
for name in ("arrow", "jax", "ray", "spark", "torch"):
    try:
        __import__(f"komabako.{name}")
    except ModuleNotFoundError:
        continue
    sys.exit(f"komabako.{name} was imported")
"""
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert ran.returncode == 0, ran.stderr


def test_the_metadata_of_the_package() -> None:
    metadata = importlib.metadata.metadata("komabako")
    assert metadata["Requires-Python"] == ">=3.10" and metadata["Version"] == komabako.__version__
    needed = importlib.metadata.requires("komabako") or []
    assert [line for line in needed if "extra ==" not in line] == ["numpy>=1.23"]
    assert set(metadata.get_all("Provides-Extra") or []) >= {"arrow", "docs", "jax", "ray", "spark", "test", "torch"}
    scripts = importlib.metadata.distribution("komabako").entry_points
    assert [(script.name, script.value) for script in scripts] == [("komabako", "komabako.__main__:main")]


def test_the_package_has_its_licences() -> None:
    distribution = importlib.metadata.distribution("komabako")
    assert distribution.metadata["License-Expression"] == "(MIT OR Apache-2.0) AND OFL-1.1"
    for name in ("LICENSE-APACHE", "LICENSE-MIT", "LICENSE-OFL"):
        folder = ROOT / "crates/komabako-picture" if name == "LICENSE-OFL" else ROOT
        expected = (folder / name).read_text(encoding="utf-8")
        assert distribution.read_text(f"licenses/{name}") == expected
        assert (ROOT / "bindings/python" / name).read_text(encoding="utf-8") == expected


def test_free_threaded_python_stays_free_threaded() -> None:
    if not sysconfig.get_config_var("Py_GIL_DISABLED"):
        pytest.skip("this Python has its lock")
    code = "import sys, komabako; komabako.decode_board; assert not sys._is_gil_enabled()"
    subprocess.run([sys.executable, "-W", "error", "-c", code], check=True, timeout=60)


def test_every_public_name_exists() -> None:
    for name in komabako.__all__:
        assert getattr(komabako, name) is not None
    assert callable(komabako.targets)
    with pytest.raises(AttributeError):
        komabako.no_such_name


def test_version_equals_the_workspaces() -> None:
    manifest = (ROOT / "Cargo.toml").read_text(encoding="utf-8")
    found = re.search(r'^version = "(.*)"', manifest, re.MULTILINE)
    assert found and found[1] == komabako.__version__
