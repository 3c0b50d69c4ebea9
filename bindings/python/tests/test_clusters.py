"""Ray and Spark, started on this machine: their results equal those of the program."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any, List

import numpy as np
import pytest

import komabako
from komabako import PackedSfenValue
from komabako.errors import Fault

from conftest import Cluster

SEED = 7


@pytest.fixture(scope="module")
def files(psv: Any, tmp_path_factory: Any) -> List[Path]:
    """Three files: two with duplicate records, some of them with another score, and an empty one."""
    directory = tmp_path_factory.mktemp("records")
    again = psv[500:900].copy()
    again["score"] += 1
    paths = [directory / name for name in ("a.psv", "empty.psv", "b.psv")]
    psv.tofile(paths[0])
    psv[:0].tofile(paths[1])
    np.concatenate([again, psv[:300], again[:50]]).tofile(paths[2])
    return paths


def program(*arguments: Any) -> bytes:
    """The bytes that the program writes to its last argument."""
    words = [str(argument) for argument in arguments]
    done = subprocess.run([sys.executable, "-m", "komabako", *words, "--force"], capture_output=True, check=False)
    # Exit code 1: bad records were found.
    assert done.returncode in (0, 1), done.stderr.decode()
    return Path(words[-1]).read_bytes()


def in_splits(cluster: Cluster, files: Any) -> Any:
    return cluster.records(files, 333)


def test_records_are_numbered_in_the_order_of_the_inputs(cluster: Cluster, files: Any) -> None:
    rows = cluster.rows(in_splits(cluster, files))
    rows.sort(key=lambda row: int(row["number"]))
    assert [row["number"] for row in rows] == list(range(2_750))
    assert b"".join(bytes(row["record"]) for row in rows) == b"".join(path.read_bytes() for path in files)


@pytest.mark.parametrize("by", ["position", "record"])
def test_dedup_keeps_the_same_records_as_the_program(cluster: Cluster, files: Any, by: str, tmp_path: Any) -> None:
    kept = cluster.module.dedup(in_splits(cluster, files), PackedSfenValue, by, parts=5)
    rows = sorted(cluster.rows(kept), key=lambda row: int(row["number"]))
    expected = program("dedup", "--by", by, *files, tmp_path / "out.psv")
    assert b"".join(bytes(row["record"]) for row in rows) == expected
    written = cluster.module.write(kept, tmp_path / "parts", PackedSfenValue)
    records = [np.fromfile(path, PackedSfenValue) for path in written]
    assert sum(map(len, records)) * 40 == len(expected)
    assert Counter(bytes(record) for part in records for record in part) == Counter(
        expected[start : start + 40] for start in range(0, len(expected), 40)
    )


def test_dedup_omits_bad_records_on_request(cluster: Cluster, psv: Any, tmp_path: Any) -> None:
    records = psv.copy()
    records["sfen"][[3, 1_700], 1] ^= 0xFF
    path = tmp_path / "bad.psv"
    records.tofile(path)
    # By its number in the inputs, not in a task.
    with pytest.raises(Exception, match=r'record (3|1700), as psv: .*; on_error="skip" leaves bad records out'):
        cluster.rows(cluster.module.dedup(cluster.records(path, 1_000), PackedSfenValue))
    with pytest.raises(Exception, match="record (3|1700), as psv: .*; `validate` counts all bad records"):
        cluster.rows(cluster.module.keys(cluster.records(path, 1_000), PackedSfenValue))
    kept = cluster.module.dedup(cluster.records(path, 1_000), PackedSfenValue, on_error="skip")
    expected = program("dedup", "--on-error", "skip", path, tmp_path / "out.psv")
    rows = sorted(cluster.rows(kept), key=lambda row: int(row["number"]))
    assert b"".join(bytes(row["record"]) for row in rows) == expected


def test_shuffled_parts_joined_are_the_programs_output(cluster: Cluster, files: Any, tmp_path: Any) -> None:
    expected = program("shuffle", "--seed", SEED, *files, tmp_path / "out.psv")
    for parts in (1, 3):
        shuffled = cluster.module.shuffle(in_splits(cluster, files), SEED, parts=parts)
        written = cluster.module.write(shuffled, tmp_path / f"parts-{parts}", PackedSfenValue)
        assert b"".join(Path(path).read_bytes() for path in written) == expected
        assert len(written) == parts
        with pytest.raises(komabako.errors.FormatError, match="has part-00000.psv already; force=True") as raised:
            cluster.module.write(shuffled, tmp_path / f"parts-{parts}", PackedSfenValue)
        assert raised.value.kind == "exists"
        assert cluster.module.write(shuffled, tmp_path / f"parts-{parts}", PackedSfenValue, force=True) == written
        assert b"".join(Path(path).read_bytes() for path in written) == expected
        rows = sorted(cluster.rows(shuffled), key=lambda row: (int(row["part"]), int(row["place"])))
        assert b"".join(bytes(row["record"]) for row in rows) == expected


def test_faults_are_counted(cluster: Cluster, files: Any, psv: Any, tmp_path: Any) -> None:
    records = psv.copy()
    records["sfen"][[3, 1_700], 1] ^= 0xFF
    records["move"][[7, 8, 9]] = 0x7FFF
    path = tmp_path / "bad.psv"
    records.tofile(path)
    for level in ("codec", "legality"):
        found = cluster.module.validate(cluster.records(path, 300), PackedSfenValue, level)
        expected = Counter(Fault(fault) for fault in komabako.validate(records, level=level))
        assert found == dict(expected)
        report = validated(path, ["codec"] if level == "codec" else ["codec", "rules", "move", "result"])
        assert sum(found.values()) - found[Fault(0)] == report


def validated(path: Path, levels: List[str]) -> int:
    """The number of records that the program finds bad at these levels, each counted at one level."""
    import json

    command = [sys.executable, "-m", "komabako", "validate", str(path), "--level", ",".join(levels), "--json"]
    report = json.loads(subprocess.run(command, capture_output=True, check=False).stdout)
    return sum(int(level["bad_total"]) for level in report["files"][0]["levels"])


def test_features_are_computed_from_records(cluster: Cluster, files: Any, psv: Any) -> None:
    def features(records: Any) -> Any:
        return {"key": komabako.key64(records).view(np.int64), "score": records["score"].astype(np.int32)}

    schema = () if cluster.module.__name__.endswith("ray") else ("key long, score int",)
    made = cluster.module.map_records(cluster.records(files[0], 700), PackedSfenValue, features, *schema)
    rows = [(int(row["key"]), int(row["score"])) for row in cluster.rows(made)]
    keys = komabako.key64(psv).view(np.int64).tolist()
    assert Counter(rows) == Counter(zip(keys, psv["score"].tolist()))


def test_keys_are_numbered(cluster: Cluster, files: Any) -> None:
    rows = cluster.rows(cluster.module.keys(in_splits(cluster, files), PackedSfenValue))
    records = np.concatenate([np.fromfile(path, PackedSfenValue) for path in files])
    expected = komabako.key128(records).view(np.int64).tolist()
    found = sorted((int(row["number"]), int(row["k0"]), int(row["k1"])) for row in rows)
    assert found == [(number, *key) for number, key in enumerate(expected)]


def test_arguments_are_checked(cluster: Cluster, files: Any, tmp_path: Any) -> None:
    records = in_splits(cluster, files)
    with pytest.raises(ValueError, match="position"):
        cluster.module.dedup(records, PackedSfenValue, "score")
    with pytest.raises(ValueError, match="parts"):
        cluster.module.shuffle(records, 1, parts=0)
    with pytest.raises(ValueError, match="no files"):
        cluster.records([], 10)
    (tmp_path / "a.hcpe").write_bytes(bytes(38))
    with pytest.raises(ValueError, match="another dtype"):
        cluster.records([*files, tmp_path / "a.hcpe"], 10)


def test_a_table_beyond_the_offsets_of_arrow_is_refused() -> None:
    pytest.importorskip("pyarrow")
    from komabako import _tables

    # Takes no memory: all rows are the same one.
    many = np.broadcast_to(np.zeros(1, PackedSfenValue), (60_000_000,))
    with pytest.raises(ValueError, match="larger ``parts``"):
        _tables.table_of(np.arange(3), many)


def test_a_directory_with_parts_is_refused_before_the_job(psv: Any, tmp_path: Any) -> None:
    pytest.importorskip("pyarrow")
    from komabako import _tables

    out = tmp_path / "out"
    assert _tables.made_directory(out, False) == str(out)
    (out / "notes.txt").touch()
    _tables.made_directory(out, False)
    table = _tables.table_of(np.arange(3), psv[:3], part=np.array([0, 0, 1], np.int32))
    # A task that is repeated replaces its own part.
    for _ in range(2):
        assert _tables.write_parts(table, str(out), PackedSfenValue)["records"].to_pylist() == [2, 1]
    assert sorted(path.name for path in out.iterdir()) == ["notes.txt", "part-00000.psv", "part-00001.psv"]
    with pytest.raises(komabako.errors.FormatError) as raised:
        _tables.made_directory(out, False)
    assert raised.value.kind == "exists"
    _tables.made_directory(out, True)


def test_a_part_that_cannot_be_written_leaves_no_file(psv: Any, tmp_path: Any, monkeypatch: Any) -> None:
    pytest.importorskip("pyarrow")
    from komabako import _tables

    class FullDisk(List[int]):
        def tofile(self, path: Any) -> None:
            Path(path).write_bytes(b"half")
            names.append(Path(path).name)
            raise OSError("no space")

    names: List[str] = []
    table = _tables.table_of(np.arange(3), psv[:3], part=np.zeros(3, np.int32))
    monkeypatch.setattr(_tables, "records_of", lambda table, dtype: FullDisk())
    for _ in range(2):
        with pytest.raises(OSError, match="no space"):
            _tables.write_parts(table, str(tmp_path), PackedSfenValue)
    # Tasks on other machines may have the same process number.
    assert len(set(names)) == 2 and list(tmp_path.iterdir()) == []
