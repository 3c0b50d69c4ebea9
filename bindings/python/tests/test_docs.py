"""The documentation: its Python blocks run and print what it says, and the Japanese pages have the same blocks.

A block that starts with `# needs: NAME` is run if the package NAME is installed. Blocks that need a GPU, a cluster or a network are
only compiled. A block of `text` after a block of Python is its output.
"""

from __future__ import annotations

import ast
import contextlib
import io
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any, Dict, List, NamedTuple, Optional

import numpy as np
import pytest

import komabako

from conftest import ROOT, engine

HERE = ROOT / "bindings/python"
DOCS = HERE / "docs"
PAGES = ["cshogi.md", "loaders.md", "parquet.md", "clusters.md"]
NEVER_RUN = ("GPU", "cluster", "network")


class Block(NamedTuple):
    line: int
    code: str
    needs: Optional[str]
    #: The lines that it prints, or None if the page does not show them.
    prints: Optional[str]


def blocks_of(page: Path) -> List[Block]:
    found = []
    text = page.read_text(encoding="utf-8")
    for match in re.finditer(r"^```python\n(.*?)^```\n(?:\n*```text\n(.*?)^```\n)?", text, re.DOTALL | re.MULTILINE):
        code = match[1]
        needs = re.match(r"# needs: (\w+)\n", code)
        found.append(Block(text[: match.start()].count("\n") + 2, code, needs and needs[1], match[2]))
    return found


def documents() -> List[Path]:
    return [HERE / "README.md", DOCS / "index.md", *(DOCS / "en" / page for page in PAGES)]


def translation(page: Path) -> Path:
    if page.parent.name == "en":
        return DOCS / "ja" / page.name
    return page.with_name(page.name.replace(".md", ".ja.md"))


PACKAGES = sorted(
    {
        (page, block.needs)
        for page in documents()
        for block in blocks_of(page)
        if block.needs is not None and block.needs not in NEVER_RUN
    }
)


@pytest.fixture
def place(psv: Any, tmp_path: Path, monkeypatch: Any) -> Path:
    """A directory with the files that the pages name."""
    hcpe = komabako.recode(psv, komabako.HuffmanCodedPosAndEval, allow_loss=True)
    psv.tofile(tmp_path / "train.psv")
    psv[:1_200].tofile(tmp_path / "a.psv")
    psv[1_200:].tofile(tmp_path / "b.psv")
    hcpe.tofile(tmp_path / "train.hcpe")
    for name in ("train.psv.zst", "train.hcpe3.zst"):
        with komabako.create(tmp_path / name, allow_loss=True) as file:
            file.write(psv)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(page: Path, package: Optional[str]) -> None:
    names: Dict[str, Any] = {}
    for block in blocks_of(page):
        code = compile("\n" * (block.line - 1) + block.code, str(page), "exec")
        if block.needs not in (None, package):
            continue
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            # Later blocks may not depend on one that is not always run.
            exec(code, names if block.needs is None else dict(names))
        if block.prints is not None:
            assert printed.getvalue() == block.prints, f"{page}:{block.line}"


@pytest.mark.parametrize("page", documents(), ids=lambda page: page.name)
def test_blocks_run(page: Path, place: Path) -> None:
    if any("arrow" in block.code and block.needs is None for block in blocks_of(page)):
        pytest.importorskip("pyarrow")
    run(page, None)


@pytest.mark.parametrize("page, package", PACKAGES, ids=lambda value: getattr(value, "name", value))
def test_blocks_with_a_package_run(page: Path, package: str, place: Path) -> None:
    engine(package)
    pytest.importorskip("pyarrow")
    # In another process: JAX has threads, which do not survive the forks of PyTorch's loaders in other tests.
    code = "import sys; from pathlib import Path; import test_docs; test_docs.run(Path(sys.argv[1]), sys.argv[2])"
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parent)}
    command = [sys.executable, "-c", code, str(page), package]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False, env=environment, cwd=place)
    assert ran.returncode == 0, ran.stderr


@pytest.mark.parametrize("page", documents(), ids=lambda page: page.name)
def test_translations_have_the_same_blocks(page: Path) -> None:
    ours, theirs = blocks_of(page), blocks_of(translation(page))
    assert len(ours) == len(theirs)
    for one, other in zip(ours, theirs):
        # Comments and line breaks may differ.
        assert ast.dump(ast.parse(one.code)) == ast.dump(ast.parse(other.code)), f"{page}:{one.line}"
        assert (one.needs, one.prints) == (other.needs, other.prints), f"{page}:{one.line}"


@pytest.mark.parametrize("page", documents(), ids=lambda page: page.name)
def test_translations_have_the_same_tables_and_headings(page: Path) -> None:
    def outline(text: str) -> List[str]:
        plain = re.sub(r"^```.*?^```$", "", text, flags=re.DOTALL | re.MULTILINE)
        return [re.match(r"#+|\|", line)[0] for line in plain.splitlines() if re.match(r"#+ |\|", line)]  # type: ignore[index]

    assert outline(page.read_text(encoding="utf-8")) == outline(translation(page).read_text(encoding="utf-8"))


#: Public names that are not at the top level, by module.
ELSEWHERE = {
    "dtypes": ("Sspf", "SspfExt", "C250", "R238", "Compact36", "Compact32", "Ext36"),
    "errors": (
        "KomabakoError",
        "DecodeError",
        "EncodeError",
        "PlayError",
        "GameError",
        "ExpressionError",
        "FormatError",
        "MissingFileError",
        "ExistingFileError",
        "LoaderError",
        "LossError",
        "LeftOutWarning",
        "Fault",
    ),
    "loader": ("Batch", "merge_states"),
    "objects": ("Game", "Mates", "Move", "Variation"),
    "positions": ("Boards",),
    "records": ("canonical",),
    "splits": ("Split", "read_split", "splits"),
    "streams": ("Candidates", "RecordFile", "RecordWriter"),
    "training": ("Targets",),
}


def test_every_public_name_has_its_entry() -> None:
    found = re.findall(r"^::: komabako\.(\S+)$", (DOCS / "api.md").read_text(encoding="utf-8"), re.MULTILINE)
    expected = set(dir(komabako)) - {"errors", "features"}
    expected |= {f"features.{name}" for name in komabako.features.__all__}
    expected |= {f"{module}.{name}" for module, names in ELSEWHERE.items() for name in names}
    for module in ("arrow", "jax", "ray", "spark", "torch"):
        expected |= {f"{module}.{name}" for name in defined_in(HERE / f"python/komabako/{module}.py")}
    assert len(found) == len(set(found))
    # `fixed_size_rows` is shared by modules of the package.
    assert set(found) == expected - {"arrow.fixed_size_rows"}


SECTIONS = ("Parameters", "Returns", "Raises", "Examples")


def test_every_public_function_is_described_in_full() -> None:
    described = [f"komabako.{name}" for name in dir(komabako) if callable(getattr(komabako, name))]
    described += [f"komabako.features.{name}" for name in ("dlshogi", "halfkp", "halfka_hm")]
    described += ["komabako.records.canonical", "komabako.splits.splits", "komabako.splits.read_split"]
    for name in described:
        named = komabako
        for part in name.split(".")[1:]:
            named = getattr(named, part)
        text = named.__doc__ or ""
        # A class is its own result.
        needed = [section for section in SECTIONS if section != "Returns" or not isinstance(named, type)]
        missing = [section for section in needed if f"{section}\n{'-' * len(section)}\n" in re.sub(r"^ +", "", text, flags=re.MULTILINE)]
        assert missing == needed, f"{name} lacks {set(needed) - set(missing)}"


@pytest.mark.parametrize("module", ["arrow", "jax", "ray", "spark", "torch"])
def test_functions_of_other_packages_are_described_in_full(module: str) -> None:
    # As text: the packages need not be installed.
    tree = ast.parse((HERE / f"python/komabako/{module}.py").read_text(encoding="utf-8"))
    functions = [node for node in tree.body if isinstance(node, ast.FunctionDef) and not node.name.startswith("_")]
    assert functions
    for function in functions:
        text = ast.get_docstring(function) or ""
        missing = [section for section in SECTIONS if f"{section}\n{'-' * len(section)}\n" not in text]
        assert not missing, f"{module}.{function.name} lacks {missing}"


def test_methods_of_objects_are_described() -> None:
    for kind in (komabako.Position, komabako.objects.Move, komabako.objects.Game):
        for name, member in vars(kind).items():
            assert name.startswith("_") or member.__doc__, f"{kind.__name__}.{name}"
    methods = [name for name in vars(komabako.Position) if not name.startswith("_")]
    assert len(methods) <= 20


def defined_in(path: Path) -> List[str]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return [
        node.name for node in tree.body if isinstance(node, (ast.ClassDef, ast.FunctionDef)) and not node.name.startswith("_")
    ]


def test_the_navigation_has_every_page() -> None:
    listed = re.findall(r"(\S+\.md)$", (HERE / "mkdocs.yml").read_text(encoding="utf-8"), re.MULTILINE)
    assert sorted(listed) == sorted(path.relative_to(DOCS).as_posix() for path in DOCS.rglob("*.md"))


def test_numbers_of_the_pages_are_those_of_the_package(psv: Any) -> None:
    sizes = [part.nbytes for part in komabako.features.dlshogi(psv[:1], "bits")]
    floats = [part.nbytes for part in komabako.features.dlshogi(psv[:1], np.float32)]
    text = (DOCS / "en/loaders.md").read_text(encoding="utf-8")
    assert f"{sum(sizes)} bytes" in text and f"{sum(floats):,}" in text
