"""Batches of the loader: the same records as by other ways, the arrays of the other functions, and every epoch resumable."""

from __future__ import annotations

import _thread
import json
import os
import pickle
import subprocess
import sys
import threading
import time
import warnings
from pathlib import Path
from typing import Any, Dict, List

import numpy as np
import pytest

import komabako
from komabako import errors
from komabako.loader import merge_states

ROOT = Path(__file__).parents[3]
SAMPLE = ROOT / "data/sample.psv"


def loaded(paths: Any = SAMPLE, size: int = 100, **options: Any) -> Any:
    return komabako.Batches(paths, size, **{"order": "riffle", "seed": 3, **options})


def joined(batches: Any) -> Any:
    return np.concatenate(list(batches))


def counted(records: Any) -> Dict[bytes, int]:
    counts: Dict[bytes, int] = {}
    for record in records:
        counts[record.tobytes()] = counts.get(record.tobytes(), 0) + 1
    return counts


@pytest.fixture(scope="module")
def sample() -> Any:
    return np.fromfile(SAMPLE, komabako.PackedSfenValue)


@pytest.mark.parametrize("order", ["riffle", "stream", "file", "shuffle"])
def test_every_record_comes_once_an_epoch(order: str, sample: Any) -> None:
    batches = loaded(order=order, block=300, memory=1 << 16)
    assert len(batches) == 20 and batches.records == 2_000
    first, second = joined(batches), joined(batches)
    assert batches.epoch == 2
    assert counted(first) == counted(second) == counted(sample)
    assert (first == sample).all() == (order == "file")
    assert (first == second).all() == (order == "file")


def test_an_order_of_before_has_the_same_bytes() -> None:
    for order in ("shuffle", "file"):
        before = joined(komabako.Batches(SAMPLE, 64, order=order, seed=9))
        assert (joined(komabako.Batches(SAMPLE, 64, order=order, seed=9, threads=1)) == before).all()


@pytest.mark.parametrize("threads", [0, 1, 3])
@pytest.mark.parametrize("prefetch", [0, 1, 5])
def test_threads_do_not_change_batches(threads: int, prefetch: int) -> None:
    first = list(loaded(features="halfkp"))
    again = list(loaded(features="halfkp", threads=threads, prefetch=prefetch))
    assert len(first) == len(again)
    for one, other in zip(first, again):
        assert (one.records == other.records).all() and (one.stm == other.stm).all()


def test_arrays_are_those_of_the_functions() -> None:
    batches = loaded(
        features="halfka_hm2", policy="moves", planes="f32", targets={"curve": "logistic", "scale": 600, "lambda": 0.25, "wdl": True}
    )
    for batch in batches:
        assert isinstance(batch, komabako.loader.Batch)
        indices = komabako.features.halfka_hm(batch.records)
        assert (batch.stm == indices[:, 0]).all() and (batch.nstm == indices[:, 1]).all()
        assert (batch.moves == komabako.labels(batch.records)).all()
        first, second = komabako.features.dlshogi(batch.records)
        assert (batch.features1 == first).all() and (batch.features2 == second).all()
        targets = komabako.targets(batch.records, scale=600, mate=32_767)
        assert np.abs(batch.targets - (0.25 * targets.value + 0.75 * targets.result)).max() < 1e-6
        assert (batch.wdl.argmax(axis=1) == 2 * targets.result).all()
        assert (batch.weights == 1).all() and batch.buckets is None
    for planes, dtype in (("f16", np.float16), ("u8", np.uint8)):
        batch = next(iter(loaded(planes=planes)))
        first, second = komabako.features.dlshogi(batch.records, dtype)
        assert batch.features1.dtype == dtype and (batch.features1 == first).all() and (batch.features2 == second).all()


def test_layouts_have_the_same_inputs() -> None:
    padded, pairs, flat = (next(iter(loaded(features="kp", layout=layout, seed=1))) for layout in ("padded", "coo", "offsets"))
    for row in range(100):
        expected = sorted(padded.stm[row][padded.stm[row] >= 0])
        assert pairs.stm[pairs.stm[:, 0] == row, 1].tolist() == expected
        assert sorted(flat.stm[flat.stm_offsets[row] : flat.stm_offsets[row + 1]]) == expected
    assert len(flat.nstm) == flat.nstm_offsets[-1] and len(flat.stm_offsets) == 101


def test_buckets_are_numbered_as_their_names_say() -> None:
    batch = next(iter(loaded(buckets="hand64z_k3k3")))
    assert batch.buckets.dtype == np.int32 and 0 <= batch.buckets.min() and batch.buckets.max() < 64 * 9
    table = (np.zeros(81 * 1548, np.int32), 0)
    halves = next(iter(loaded(buckets="progress2", progress=table)))
    assert (halves.buckets == 1).all()


def test_ranks_share_the_records(sample: Any) -> None:
    whole = list(loaded(block=100, streams=4, size=120, order="riffle"))
    for world in (2, 4):
        ranks = [list(loaded(block=100, streams=4, size=120 // world, rank=rank, world=world)) for rank in range(world)]
        for step, batch in enumerate(whole):
            parts = np.concatenate([rank[step] for rank in ranks if step < len(rank)])
            assert counted(parts) == counted(batch)
    assert counted(np.concatenate(whole)) == counted(sample)


def test_batches_resume_after_each_step() -> None:
    batches = loaded(size=300, block=128, memory=1 << 15, features="halfkp")
    states: List[Any] = [batches.state_dict()]
    made = []
    for batch in batches:
        made.append(batch.records)
        states.append(json.loads(json.dumps(batches.state_dict())))
    for step, state in enumerate(states[:-1]):
        again = loaded(size=300, block=128, memory=1 << 15, features="halfkp")
        again.load_state_dict(state)
        rest = [batch.records for batch in again]
        assert len(rest) == len(made) - step
        assert all((one == other).all() for one, other in zip(rest, made[step:]))
    with pytest.raises(komabako.errors.LoaderError, match="seed"):
        loaded(seed=4, size=300, block=128, memory=1 << 15).load_state_dict(states[1])
    with pytest.raises(komabako.errors.LoaderError):
        batches.load_state_dict({"epoch": 1})


def test_merged_states_of_ranks_resume_on_others(sample: Any) -> None:
    halves = [sample[:900], sample[900:]]
    plan: Dict[str, Any] = dict(block=100, streams=4, weights=[2, 1], epoch_records=1_200, order="riffle")
    ranks = [loaded(halves, size=60, rank=rank, world=2, **plan) for rank in range(2)]
    seen = [next(iter(batches)) for batches in ranks]
    states = [batches.state_dict() for batches in ranks]
    with pytest.raises(komabako.errors.LoaderError, match="merge_states"):
        loaded(halves, size=30, rank=3, world=4, **plan).load_state_dict(states[0])
    for rank in range(4):
        batches = loaded(halves, size=30, rank=rank, world=4, **plan)
        batches.load_state_dict(merge_states(states))
        seen.extend(batches)
    assert counted(np.concatenate(seen)) == counted(joined(loaded(halves, size=120, **plan)))
    with pytest.raises(komabako.errors.LoaderError, match="steps"):
        merge_states([states[0], loaded(halves, size=60, rank=1, world=2, **plan).state_dict()])
    with pytest.raises(komabako.errors.LoaderError):
        merge_states([])


def test_other_ranks_need_the_same_records_a_step() -> None:
    state = loaded(size=120, streams=4, block=100).state_dict()
    with pytest.raises(errors.LoaderError, match="120 records a step.* of 480: take a `batch` of 120 / 4"):
        loaded(size=120, streams=4, block=100, rank=0, world=4).load_state_dict(state)


def test_much_that_is_dropped_is_said(sample: Any) -> None:
    # Each file has one block more for the first rank.
    files = [sample[:1_500]] * 4
    with pytest.warns(errors.LeftOutWarning, match="drops 20.. of 6000 records: take a smaller block"):
        loaded(files, size=16, block=500, world=2, drop_last=True)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        loaded(files, size=16, block=50, world=2, drop_last=True)
        loaded(files, size=16, block=500, world=2)


def test_a_pickle_goes_on_where_it_was() -> None:
    batches = loaded(size=300)
    iterator = iter(batches)
    next(iterator)
    copy = pickle.loads(pickle.dumps(batches))
    assert (joined(iterator) == joined(copy)).all()


def test_shards_share_an_epoch(sample: Any) -> None:
    batches = loaded(size=48, block=100, streams=4)
    parts = [batches.shard(index, 4) for index in range(4)]
    assert counted(np.concatenate([joined(part) for part in parts])) == counted(sample)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_a_forked_child_opens_the_files_anew() -> None:
    batches = loaded()
    iterator = iter(batches)
    first = next(iterator)
    child = os.fork()
    if child == 0:
        try:
            next(iterator)
        except RuntimeError:
            os._exit(7 if (next(iter(batches)) == first).all() else 8)
        os._exit(9)
    assert os.waitpid(child, 0)[1] >> 8 == 7


@pytest.mark.parametrize("order", ["riffle", "blocks"])
@pytest.mark.parametrize("options", [{}, {"num_workers": 2}, {"num_workers": 2, "persistent_workers": True}])
def test_each_epoch_of_torch_has_another_order(order: str, options: Dict[str, Any], sample: Any) -> None:
    pytest.importorskip("torch")
    import torch.utils.data

    from komabako.torch import Dataset

    more = {"block": 100, "streams": 4} if order == "riffle" else {"pool": 2}
    batches = komabako.Batches(SAMPLE, 48, order=order, seed=2, transform=lambda records: records.tobytes(), **more)
    loader = torch.utils.data.DataLoader(Dataset(batches), batch_size=None, **options)
    epochs = [np.frombuffer(b"".join(loader), komabako.PackedSfenValue) for _ in range(3)]
    assert all(counted(epoch) == counted(sample) for epoch in epochs)
    assert len({epoch.tobytes() for epoch in epochs}) == 3
    if "persistent_workers" not in options:
        batches.set_epoch(0)
        assert b"".join(loader) == epochs[0].tobytes()


@pytest.mark.parametrize("is_persistent", [False, True])
def test_a_look_at_a_batch_leaves_the_workers_of_torch_in_one_epoch(is_persistent: bool, sample: Any) -> None:
    pytest.importorskip("torch")
    import torch.utils.data

    from komabako.torch import Dataset

    batches = komabako.Batches(SAMPLE, 10, seed=2, transform=lambda records: records.tobytes())
    loader = torch.utils.data.DataLoader(Dataset(batches), batch_size=None, num_workers=3, persistent_workers=is_persistent)
    next(iter(loader))
    epochs = [np.frombuffer(b"".join(loader), komabako.PackedSfenValue) for _ in range(2)]
    assert all(counted(epoch) == counted(sample) for epoch in epochs)
    assert len({epoch.tobytes() for epoch in epochs}) == 2


def test_records_are_selected(sample: Any, tmp_path: Path) -> None:
    kept = joined(loaded(where="won and ply > 20"))
    expected = sample[(sample["game_result"] == 1) & (sample["gamePly"] > 20)]
    assert counted(kept) == counted(expected)
    by_chance = joined(loaded(keep=[("ply", [(0, 0.0), (60, 0.0), (61, 1.0)])]))
    assert counted(by_chance) == counted(sample[sample["gamePly"] > 60])
    halved = joined(loaded(keep=[("white_to_move", 0.5, 2.0)]))
    assert 1_000 < len(halved) < 2_000
    weighted = list(loaded(keep=[("white_to_move", 1.0, 2.0)], policy="moves"))
    white = np.concatenate([komabako.decode_board(batch.records).side for batch in weighted]) == 1
    assert (np.concatenate([batch.weights for batch in weighted]) == np.where(white, 2, 1)).all()


def test_sources_of_any_format_are_mixed(sample: Any, tmp_path: Path) -> None:
    archive, packed = tmp_path / "a.kmb", tmp_path / "b.psv.zst"
    for path in (archive, packed):
        with komabako.create(path) as file:
            file.write(sample)
    assert counted(joined(loaded(archive))) == counted(sample)
    assert counted(joined(loaded([packed, archive], order="stream"))) == {key: 2 * count for key, count in counted(sample).items()}
    with pytest.raises(komabako.errors.LoaderError, match="b.psv.zst"):
        loaded(packed)
    shares = loaded([komabako.Source(SAMPLE, weight=3), komabako.Source(ROOT / "data/sample.hcpe", weight=1)], epoch_records=400)
    assert len(joined(shares)) == 400


def test_options_that_contradict_are_named(tmp_path: Path) -> None:
    for options, named in (
        ({"where": "scroe > 1"}, "score"),
        ({"features": "halfq"}, "halfkp"),
        ({"buckets": "k4k4"}, "k4k4"),
        ({"order": "riffle", "memory": 1}, "memory"),
        ({"order": "blocks", "features": "halfkp"}, "blocks"),
        ({"order": "stream", "pool": 3}, "pool"),
        ({"keep": ["won"]}, "keep"),
        ({"rank": 2, "world": 2, "order": "riffle"}, "rank"),
    ):
        with pytest.raises(ValueError, match=named):
            komabako.Batches(SAMPLE, 64, **options)  # type: ignore[arg-type]
    for name, value in (
        ("seed", -1),
        ("seed", 1.5),
        ("prefetch", 1.5),
        ("memory", -1),
        ("block", "a"),
        ("threads", -1),
        ("weights", [1.5]),
        ("rank", True),
        ("world", 0),
    ):
        with pytest.raises(ValueError, match=f"^{name.removesuffix('s')}"):
            loaded([SAMPLE], **{name: value})
    with pytest.raises(FileNotFoundError, match="missing.psv") as raised:
        loaded(tmp_path / "missing.psv")
    assert raised.value.filename == str(tmp_path / "missing.psv")
    with pytest.raises(ValueError, match="s3://a/b.psv"):
        loaded("s3://a/b.psv")


def test_options_are_numbers_of_numpy(sample: Any) -> None:
    plain = loaded([SAMPLE], seed=5, weights=[2], epoch_records=300, targets={"curve": "logistic", "scale": 600})
    numbers = loaded(
        [SAMPLE],
        seed=np.int64(5),
        weights=np.array([2]),
        epoch_records=np.uint32(300),
        targets={"curve": "logistic", "scale": np.float32(600)},
    )
    for one, other in zip(plain, numbers):
        assert (one.records == other.records).all() and (one.targets == other.targets).all()
    assert (joined(komabako.Batches(SAMPLE, 64, seed=np.int64(9))) == joined(komabako.Batches(SAMPLE, 64, seed=9))).all()


def test_a_source_alone_is_one_source(sample: Any) -> None:
    assert counted(joined(komabako.Batches(komabako.Source(SAMPLE), 64))) == counted(sample)


def test_advice_of_the_loader_works(sample: Any, tmp_path: Path) -> None:
    path = tmp_path / "a.dat"
    path.write_bytes(b"no records" * 100)
    with pytest.raises(errors.FormatError, match=r"; give komabako\.Source\(path, format=…\) if you know it$") as unknown:
        loaded(path)
    assert loaded(komabako.Source(path, format="psv")).records == 25
    path.write_bytes(sample.tobytes() + b"12345")
    with pytest.raises(errors.FormatError, match=r"; check that .* `komabako cat IN -o OUT --salvage`") as cut:
        loaded(path)
    assert unknown.value.path == cut.value.path == str(path)
    whole = tmp_path / "b.psv"
    command = [sys.executable, "-m", "komabako", "cat", "--from", "psv", path, "-o", whole, "--salvage"]
    # It exits with 1, since something is not read.
    subprocess.run(command, check=False, capture_output=True, timeout=100)
    assert counted(joined(loaded(whole))) == counted(sample)


@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="names are Unicode text here")
def test_names_need_not_be_unicode(sample: Any, tmp_path: Path) -> None:
    path = tmp_path / os.fsdecode(b"\x93\xfa.psv")
    sample.tofile(path)
    batches = loaded(path)
    state = batches.state_dict()
    assert counted(joined(batches)) == counted(sample)
    batches.load_state_dict(state)
    assert counted(joined(batches)) == counted(sample)


def test_ctrl_c_before_the_first_batch_is_ctrl_c() -> None:
    # In a process that has made no array yet: NumPy's functions are not loaded.
    code = f"""if True:
        import _thread, threading, komabako
        batches = komabako.Batches([{str(SAMPLE)!r}] * 400, 1_000_000, order="riffle", where="see(move) > -99999")
        threading.Timer(0.1, _thread.interrupt_main).start()
        try:
            next(iter(batches))
            print("no Ctrl-C")
        except BaseException as error:
            print(type(error).__name__)
        """
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=100, check=True)
    assert ran.stdout == "KeyboardInterrupt\n", ran.stderr


def test_ctrl_c_ends_the_wait_for_a_batch(sample: Any) -> None:
    # Seconds of work for the first batch.
    batches = loaded(np.tile(sample, 3_000), size=6_000_000, where="see(move) > -99999")
    before = batches.state_dict()
    timer = threading.Timer(0.3, _thread.interrupt_main)
    started = time.monotonic()
    timer.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            next(iter(batches))
    finally:
        timer.cancel()
    assert time.monotonic() - started < 2
    assert batches.state_dict() == before


def test_bad_records_are_raised_skipped_or_weightless(sample: Any, tmp_path: Path) -> None:
    path = tmp_path / "bad.psv"
    bad = sample[:200].copy()
    bad["sfen"][7] = 0xFF
    bad.tofile(path)
    with pytest.raises(komabako.errors.LoaderError, match="bad.psv.*record 7|record 7.*bad.psv"):
        list(loaded(path, features="halfkp"))
    skipping = loaded(path, features="halfkp", on_error="skip")
    assert sum(len(batch.records) for batch in skipping) == 199 and skipping.left_out == (0, 1)
    weightless = list(loaded(path, features="halfkp", on_error="weight0"))
    assert sum((batch.weights == 0).sum() for batch in weightless) == 1


@pytest.mark.parametrize("order", ["file", "riffle"])
def test_a_batch_whose_transform_fails_comes_again(order: Any) -> None:
    calls = 0

    def fail_once(records: Any) -> Any:
        nonlocal calls
        calls += 1
        if calls == 3:
            raise RuntimeError
        return records

    expected = [batch.tobytes() for batch in komabako.Batches(SAMPLE, 400, order=order, threads=1)]
    batches = komabako.Batches(SAMPLE, 400, order=order, threads=1, transform=fail_once)
    made = []
    with pytest.raises(RuntimeError):
        for batch in batches:
            made.append(batch.tobytes())
    other = komabako.Batches(SAMPLE, 400, order=order, threads=1)
    other.load_state_dict(batches.state_dict())
    assert made + [batch.tobytes() for batch in other] == expected
    assert made + [batch.tobytes() for batch in batches] == expected
