"""Columns beside the records of Batches: numbers in the same order."""

import pickle
from pathlib import Path
from typing import Any, List

import komabako
import numpy as np
import pytest
from komabako.errors import FormatError

COUNT = 1000


@pytest.fixture
def files(tmp_path: Path) -> List[Path]:
    """Two files of records whose ply is their number, and columns of it."""
    sample = np.fromfile(Path(__file__).parents[3] / "data/sample.psv", komabako.PackedSfenValue)[:COUNT].copy()
    sample["gamePly"] = np.arange(COUNT)
    paths = [tmp_path / "a.psv", tmp_path / "b.psv"]
    sample[:300].tofile(paths[0])
    sample[300:].tofile(paths[1])
    np.arange(COUNT, dtype="<u4").tofile(tmp_path / "count.u32")
    (np.arange(COUNT, dtype="<f4") / 4).tofile(tmp_path / "result.f32")
    return paths


def columns(paths: List[Path]) -> Any:
    return {"count": paths[0].parent / "count.u32", "result": str(paths[0].parent / "result.f32")}


@pytest.mark.parametrize("order", ["shuffle", "blocks", "file"])
@pytest.mark.parametrize("prefetch", [0, 2])
def test_columns_come_in_the_order_of_the_records(files: List[Path], order: Any, prefetch: int) -> None:
    batches = komabako.Batches(files, 64, order=order, seed=3, columns=columns(files), prefetch=prefetch)
    plain = komabako.Batches(files, 64, order=order, seed=3)
    seen = 0
    for (records, beside), alone in zip(batches, plain):
        assert records.tobytes() == alone.tobytes()
        assert beside["count"].dtype == np.uint32 and (beside["count"] == records["gamePly"]).all()
        assert beside["result"].dtype == np.float32 and (4 * beside["result"] == records["gamePly"]).all()
        seen += len(records)
    assert seen == COUNT


def test_columns_are_kept_by_copies_and_given_to_transforms(files: List[Path]) -> None:
    batches = komabako.Batches(files, 64, seed=3, columns=columns(files), transform=lambda pair: pair[0]["gamePly"] - pair[1]["count"])
    assert not any(difference.any() for difference in batches)
    shards = [komabako.Batches(files, 64, seed=3, columns=columns(files)).shard(index, 2) for index in range(2)]
    numbers = np.concatenate([beside["count"] for shard in shards for _, beside in shard])
    assert sorted(numbers) == list(range(COUNT))
    twice = np.arange(2 * COUNT).reshape(COUNT, 2)
    for records, beside in komabako.Batches(files, 64, seed=3, columns={"twice": twice}):
        assert (beside["twice"][:, 1] == 2 * records["gamePly"].astype(np.int64) + 1).all()
    copy = pickle.loads(pickle.dumps(komabako.Batches(files, 64, seed=3, columns=columns(files))))
    assert all((beside["count"] == records["gamePly"]).all() for records, beside in copy)


def test_columns_of_another_length_or_kind_are_refused(files: List[Path]) -> None:
    place = files[0].parent
    (place / "short.f32").write_bytes(bytes(4 * COUNT - 4))
    (place / "numbers.csv").write_text("1")
    for name in ["short.f32", "numbers.csv"]:
        with pytest.raises(FormatError, match=name):
            komabako.Batches(files, 64, columns={"x": place / name})
    with pytest.raises(ValueError, match="999 rows"):
        komabako.Batches(files, 64, columns={"x": np.zeros(999)})
    with pytest.raises(FileNotFoundError):
        komabako.Batches(files, 64, columns={"x": place / "none.f32"})
    with pytest.raises(ValueError, match="columns="):
        komabako.Batches(files, 64, order="riffle", columns=columns(files))  # type: ignore[call-overload]
