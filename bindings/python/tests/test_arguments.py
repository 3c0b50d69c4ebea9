"""Wrong, unusual and shared arguments: an error before anything is written, or the same result."""

from __future__ import annotations

import _thread
import json
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import komabako
from komabako import features

FUNCTIONS = {
    "decode_board": komabako.decode_board,
    "key64": komabako.key64,
    "key128": komabako.key128,
    "canonical": komabako.records.canonical,
    "to_hcp": lambda p, **rest: komabako.recode(p, "hcp", **rest),
    "flip": komabako.flip,
    "mirror": komabako.mirror,
    "planes": features.dlshogi,
    "bits": lambda p, **rest: features.dlshogi(p, "bits", **rest),
    "halfkp": features.halfkp,
    "halfka_hm": features.halfka_hm,
    "legal_mask": komabako.legal_mask,
    "labels": komabako.labels,
    "is_legal": komabako.is_legal,
    "targets": komabako.targets,
}


def parts(result: Any) -> Any:
    return list(result) if isinstance(result, (tuple, list)) else [result]


def equal(one: Any, two: Any) -> bool:
    return all((a == b).all() and a.shape == b.shape for a, b in zip(parts(one), parts(two)))


@pytest.mark.parametrize("name", FUNCTIONS)
def test_strides_threads_and_out_do_not_change_results(name: str, psv: Any) -> None:
    function = FUNCTIONS[name]
    expected = function(psv)
    for count in (2, 8, 0):
        assert equal(function(psv, threads=count), expected)
    strided = np.repeat(psv, 3)[::3]
    assert not strided.flags.c_contiguous and equal(function(strided), expected)
    assert equal(function(psv[::-1]), [part[::-1] for part in parts(expected)])
    frozen = psv.copy()
    frozen.flags.writeable = False
    assert equal(function(frozen), expected)
    masked, faults = function(psv, on_error="mask")
    assert equal(masked, expected) and not faults.any()
    out = [np.full_like(part, 7) for part in parts(expected)]
    given = type(expected)(*out) if isinstance(expected, tuple) else out[0]
    made = function(psv, out=given)
    assert all(a is b for a, b in zip(parts(made), out)) and equal(made, expected)
    empty = parts(function(psv[:0]))
    assert [part.shape for part in empty] == [(0, *part.shape[1:]) for part in parts(expected)]


@pytest.mark.parametrize("count", [1, 2, 16, 17])
@pytest.mark.parametrize("name", [*FUNCTIONS, "to_sfen", "nyugyoku", "by_color", "compact"])
def test_small_and_large_calls_agree(name: str, count: int, psv: Any) -> None:
    function = {
        **FUNCTIONS,
        "to_sfen": komabako.to_sfen,
        "nyugyoku": lambda p, **rest: features.dlshogi(p, "bits", nyugyoku=True, **rest),
        "by_color": lambda p, **rest: features.halfka_hm(p, perspective="black", **rest),
        "compact": lambda p, **rest: komabako.legal_mask(p, 1496, **rest),
    }[name]
    # Words are turned to words, and records to records.
    takes_words = name not in ("labels", "is_legal", "targets", "flip", "mirror")
    many = parts(function(psv)) if name != "to_sfen" else [function(psv)]
    # Records, records with a stride, records with an equal but distinct dtype object, and words.
    some = psv[5 : 5 + count]
    equal_dtype = np.dtype([(field, psv.dtype[field]) for field in psv.dtype.names])
    forms = [(some, {}), (np.repeat(some, 3)[::3], {}), (some.astype(equal_dtype), {}), (some.view(np.recarray), {})]
    if takes_words:
        forms += [(some["sfen"], {"codec": "psv"}), (some["sfen"].copy(), {"codec": "psv-lenient"})]
    for positions, rest in forms:
        made = function(positions, **rest)
        for part, whole in zip([made] if name == "to_sfen" else parts(made), many):
            expected = whole[5 : 5 + count]
            assert part == expected if name == "to_sfen" else (part == expected).all()
            if name != "to_sfen":
                assert part.shape == expected.shape and part.dtype == expected.dtype
                assert part.flags.c_contiguous and part.flags.writeable and (part.flags.owndata or part.dtype.names)
    if name == "to_sfen":
        assert type(function(some)) is list
    else:
        assert type(function(some)) is type(function(psv))
    bad = some.copy()
    bad["sfen"][-1] = 0xFF
    with pytest.raises(komabako.errors.DecodeError) as raised:
        function(bad)
    assert raised.value.record == count - 1 and raised.value.byte == 40 * (count - 1)


def test_small_arrays_of_wrong_shape_are_refused_like_large_ones(psv: Any) -> None:
    words = psv["sfen"][:1]
    for positions, codec in (
        (psv[:1].reshape(1, 1), None),
        (psv[:1], "hcp"),
        (words, None),
        (words, "no"),
        (words[:, :31], "psv"),
        (words[0], "psv"),
        (words.astype(np.int8), "psv"),
    ):
        for function in (komabako.decode_board, komabako.key64, komabako.to_sfen, features.halfkp, komabako.legal_mask):
            with pytest.raises(ValueError):
                function(positions, codec=codec)
    for to in ("no", "r238-result", "c250-payload"):
        with pytest.raises(ValueError):
            komabako.recode(psv[:1], to)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_bad_records_become_zeros_and_others_are_unaffected(name: str, psv: Any) -> None:
    function = FUNCTIONS[name]
    records = np.resize(psv, 600)
    expected = function(records)
    # Records at both ends of blocks of 256, and one inside a block.
    bad = [0, 255, 256, 300, 599]
    records["sfen"][bad] = 0xFF
    result, faults = function(records, on_error="mask")
    assert np.flatnonzero(faults).tolist() == bad
    for part, before in zip(parts(result), parts(expected)):
        assert not part[bad].tobytes().strip(b"\0")
        assert (np.delete(part, bad, axis=0) == np.delete(before, bad, axis=0)).all()
    with pytest.raises(komabako.errors.DecodeError) as raised:
        function(records[1:])
    assert raised.value.record == 254


def test_validate_recode_and_decode_report_the_same_faults(psv: Any) -> None:
    rng = np.random.default_rng(1)
    words = np.resize(psv["sfen"], (3000, 32)).copy()
    words[np.arange(3000), rng.integers(0, 32, 3000)] ^= rng.integers(0, 256, 3000).astype(np.uint8)
    for codec, other, given in (("psv", "hcp", words), ("hcp", "psv", rng.integers(0, 256, (3000, 32), np.uint8))):
        recoded, faults = komabako.recode(given, other, codec=codec, on_error="mask")
        # Boards are decoded by way of positions.
        boards, expected = komabako.decode_board(given, codec=codec, on_error="mask")
        good = faults == 0
        assert (faults == expected).all() and len(np.unique(faults)) > 5
        assert good.any() == (codec == "psv")
        assert (komabako.validate(given, level="codec", codec=codec) == expected).all()
        assert not recoded[~good].any()
        for part, same in zip(komabako.decode_board(recoded[good], codec=other), boards):
            assert (part == same[good]).all()
        back = komabako.recode(recoded[good], codec, codec=other)
        assert (back == given[good]).all()


@pytest.mark.parametrize("name", FUNCTIONS)
def test_wrong_outputs_are_refused_before_anything_is_written(name: str, psv: Any) -> None:
    function = FUNCTIONS[name]
    some = psv[:4]
    expected = parts(function(some))
    wrong = [
        lambda part: np.empty((5, *part.shape[1:]), part.dtype),
        lambda part: np.empty(part.shape, np.complex64),
        lambda part: np.repeat(part, 2, axis=0)[::2],
        lambda part: part.tolist(),
    ]
    for make in wrong:
        out = [np.zeros_like(part) for part in expected[:-1]] + [make(expected[-1])]
        with pytest.raises(ValueError):
            function(some, out=out if len(out) > 1 else out[0])
        assert not any(part.any() for part in out[:-1])
    frozen = [part.copy() for part in expected]
    frozen[-1].flags.writeable = False
    with pytest.raises(ValueError, match="read-only"):
        function(some, out=frozen if len(frozen) > 1 else frozen[0])


def test_an_output_that_is_an_input_is_refused(psv: Any) -> None:
    words = psv["sfen"].copy()
    with pytest.raises(ValueError, match="shares"):
        komabako.flip(words, codec="psv", out=words)
    boards = komabako.decode_board(psv[:4])
    with pytest.raises(ValueError, match="shares"):
        komabako.decode_board(psv[:4], out=boards._replace(kings=boards.hands.reshape(-1)[:8].reshape(4, 2)))


@pytest.mark.parametrize(
    "positions",
    [
        None,
        7,
        "text",
        [1, 2, 3],
        b"123",
        np.zeros((2, 31), np.uint8),
        np.zeros((2, 32), np.int8),
        np.zeros(32, np.uint8),
        np.zeros((2, 2, 32), np.uint8),
        np.zeros(2, np.dtype([("a", "u1", 32)])),
        np.zeros((1, 1), komabako.PackedSfenValue),
        np.array(None, object),
    ],
)
def test_arrays_without_positions_are_refused(positions: Any) -> None:
    for function in (komabako.decode_board, komabako.key64, features.dlshogi, komabako.validate, komabako.to_sfen):
        with pytest.raises(ValueError):
            function(positions, codec="psv")


def test_masks_are_not_ignored(psv: Any, tmp_path: Path) -> None:
    records = np.ma.array(psv[:4], mask=[0, 1, 1, 0])  # type: ignore[no-untyped-call]
    moves = np.ma.array(psv["move"][:4], mask=[0, 1, 1, 0])  # type: ignore[no-untyped-call]
    boards = komabako.decode_board(psv[:4])
    side = np.ma.array(boards.side, mask=[0, 1, 1, 0])  # type: ignore[no-untyped-call]
    for call in (
        lambda: komabako.key64(records),
        lambda: komabako.targets(records),
        lambda: komabako.recode(records, komabako.HuffmanCodedPosAndEval, allow_loss=True),
        lambda: komabako.create(tmp_path / "a.psv").write(records),
        lambda: komabako.Batches(records, 2),
        lambda: komabako.Batches(records, 2, order="riffle"),
        lambda: komabako.labels(psv[:4], moves),
        lambda: komabako.is_legal(psv[:4], moves),
        lambda: komabako.move16(moves),
        lambda: komabako.moves_to_usi(moves),
        lambda: komabako.moves_from_labels(moves.astype(np.int64), psv[:4]),
        lambda: komabako.encode_board(boards.board, boards.hands, side, "psv"),
    ):
        with pytest.raises(ValueError, match="a masked array, whose mask would be ignored"):
            call()
    assert (komabako.labels(psv[:4], moves.data) == komabako.labels(psv[:4])).all()


def test_none_is_named(psv: Any) -> None:
    for call in (
        lambda: komabako.recode(None, "hcp"),  # type: ignore[call-overload]
        lambda: komabako.recode(psv, None),  # type: ignore[call-overload]
        lambda: komabako.legal_mask(psv, dtype=None),
        lambda: features.dlshogi(psv, None),
    ):
        with pytest.raises(ValueError, match="None"):
            call()


def test_numbers_out_of_range_are_named(psv: Any, tmp_path: Path) -> None:
    position = komabako.Position()
    (tmp_path / "a.usi").write_text("startpos moves 7g7f resign\n")
    [game] = komabako.games(tmp_path / "a.usi")
    psv.tofile(tmp_path / "a.psv")
    calls: Any = {
        "score": lambda: position.record(40_000),
        "a score": lambda: game.records(missing_score=99_999),
        "nodes": lambda: komabako.solve(psv[:1], nodes=-1),
        "max_plies": lambda: komabako.solve(psv[:1], max_plies=-1),
        "rank": lambda: komabako.Batches(tmp_path / "a.psv", 10, rank=0.5, world=2),  # type: ignore[call-overload]
        "count": lambda: komabako.splits.splits(tmp_path / "a.psv", 700.5),  # type: ignore[arg-type]
        "not 3": lambda: komabako.Position(3),
    }
    for name, call in calls.items():
        with pytest.raises(ValueError, match=name):
            call()
    batches = komabako.Batches(tmp_path / "a.psv", 10, order="blocks", pool=np.int64(4))  # type: ignore[call-overload]
    json.dumps(batches.state_dict())


def test_formats_that_are_no_codecs_of_words_are_explained(psv: Any) -> None:
    for call in (
        lambda: komabako.from_sfen(["startpos"], "hcpe"),  # type: ignore[call-overload]
        lambda: komabako.Position().pack("hcpe"),  # type: ignore[arg-type]
    ):
        with pytest.raises(ValueError, match="records of hcpe are packed by hcp"):
            call()
    with pytest.raises(ValueError, match=r'numpy.array\(moves, "u2"\)'):
        komabako.is_legal(psv[:1], komabako.Position(psv[:1]).legal_moves[:1])


def test_wrong_options_are_refused(psv: Any) -> None:
    words = psv["sfen"]
    for call in (
        lambda: komabako.decode_board(words),
        lambda: komabako.decode_board(words, codec="no"),
        lambda: komabako.decode_board(words, codec="psv\0"),
        lambda: komabako.decode_board(psv, codec="hcp"),
        lambda: komabako.decode_board(psv, threads=-1),
        lambda: komabako.decode_board(psv, threads=10**9),
        lambda: komabako.decode_board(psv, threads=1.5),
        lambda: komabako.decode_board(psv[:1], threads=1.0),
        lambda: komabako.decode_board(psv[:1], threads=True),
        lambda: komabako.key64(psv, threads=np.True_),
        lambda: komabako.decode_board(psv, on_error="ignore"),
        lambda: komabako.labels(psv, kind=7),
        lambda: komabako.labels(words, codec="psv"),
        lambda: komabako.labels(psv, psv["move"][:-1]),
        lambda: komabako.labels(psv, psv["move"].astype(np.float32)),
        lambda: komabako.labels(psv, np.full(len(psv), 70_000)),
        lambda: komabako.moves_from_labels(np.full(len(psv), 2**64 - 1, np.uint64), psv),
        lambda: komabako.labels(psv, psv["move"], encoding="D"),
        lambda: komabako.legal_mask(psv, kind=9),
        lambda: komabako.legal_mask(psv, dtype=np.float32),
        lambda: komabako.recode(psv, "no"),
        lambda: komabako.recode(psv, np.float32),
        lambda: komabako.recode(words, komabako.HuffmanCodedPosAndEval, codec="psv"),
        lambda: komabako.validate(psv, level="all"),
        lambda: komabako.targets(words),
        lambda: komabako.targets(psv, scale=0),
        lambda: komabako.targets(psv, scale=1e-50),
        lambda: komabako.targets(psv, scale=1e50),
        lambda: komabako.targets(psv, scale=float("inf")),
        lambda: komabako.targets(psv, scale=float("nan")),
        lambda: komabako.targets(psv, mate=0),
        lambda: komabako.from_sfen("startpos", "psv"),
        lambda: komabako.from_sfen([1], "psv"),
        lambda: komabako.from_sfen(["startpos"], "no"),
        lambda: features.dlshogi(psv, np.int32),
        lambda: features.halfkp(psv, perspective="white"),
        lambda: komabako.encode_board(np.zeros(81), np.zeros((1, 2, 7)), [0], "psv"),
        lambda: komabako.encode_board(np.zeros((1, 81), int) - 1, np.zeros((1, 2, 7), int), [0], "psv"),
    ):
        with pytest.raises(ValueError):
            call()


@pytest.mark.parametrize("name", [*FUNCTIONS, "to_sfen"])
def test_numbers_of_threads_are_integers(name: str, psv: Any) -> None:
    function = {**FUNCTIONS, "to_sfen": komabako.to_sfen}[name]
    for count in (1, 17):
        expected = function(psv[:count])
        for good in (np.int64(2), np.uint8(1), np.array(2)):
            made = function(psv[:count], threads=good)
            assert made == expected if name == "to_sfen" else equal(made, expected)
        for bad in (True, False, np.True_, 1.0, np.float32(1), "1", None, -1, 1025):
            with pytest.raises(ValueError, match="threads"):
                function(psv[:count], threads=bad)


def test_every_score_has_a_value_for_every_scale(psv: Any) -> None:
    psv = psv.copy()
    psv["score"][:3] = 0, 1, -1
    for scale in (1e-44, 1e-30, 1.0, np.float64(600), 3e38):
        values = komabako.targets(psv, scale=scale).value
        assert not np.isnan(values).any() and values[0] == 0.5


@pytest.mark.parametrize("name", FUNCTIONS)
def test_two_threads_with_one_output(name: str, psv: Any) -> None:
    function, many = FUNCTIONS[name], np.tile(psv, 5)
    out = function(many)
    start = threading.Barrier(2)
    refused = []

    def work() -> None:
        start.wait()
        for _ in range(30):
            try:
                function(many, out=out)
            except ValueError as error:
                refused.append(str(error))

    with ThreadPoolExecutor(2) as pool:
        for done in [pool.submit(work) for _ in range(2)]:
            done.result()
    assert all("in use by another call" in text for text in refused)


def test_broadcast_arrays_are_read(psv: Any) -> None:
    # A stride of 0: all rows are the same word.
    many = np.broadcast_to(psv["sfen"][0], (100_000, 32))
    sides = komabako.decode_board(many, codec="psv", threads=2).side
    assert (sides == sides[0]).all() and len(sides) == 100_000
    inner = np.zeros((4, 64), np.uint8)
    inner[:, ::2] = psv["sfen"][:4]
    assert komabako.to_sfen(inner[:, ::2], codec="psv") == komabako.to_sfen(psv[:4])


def test_other_containers_of_words(psv: Any) -> None:
    words = psv["sfen"].copy()
    expected = komabako.to_sfen(psv)
    for container in (words.tobytes(), bytearray(words.tobytes()), memoryview(words)):
        assert komabako.to_sfen(container, codec="psv") == expected
    pyarrow = pytest.importorskip("pyarrow")
    values = [word.tobytes() for word in words]
    for kind in (pyarrow.binary(32), pyarrow.binary(), pyarrow.large_binary()):
        array = pyarrow.array(values, kind)
        assert komabako.to_sfen(array, codec="psv") == expected
        assert komabako.to_sfen(array[7:9], codec="psv") == expected[7:9]
    for bad in (pyarrow.array([b"short"]), pyarrow.array([None, values[0]]), pyarrow.array([1])):
        with pytest.raises(ValueError):
            komabako.to_sfen(bad, codec="psv")
    assert komabako.to_sfen(psv, arrow=True).to_pylist() == expected


class ArrayOnly:
    """A column of a library that exports Arrow's array interface and nothing else."""

    def __init__(self, column: Any) -> None:
        self._column = column

    def __arrow_c_array__(self, requested_schema: Any = None) -> Any:
        return self._column.__arrow_c_array__(requested_schema)


class StreamOnly:
    """A column of a library that exports Arrow's stream interface and nothing else."""

    def __init__(self, column: Any) -> None:
        self._column = column

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        return self._column.__arrow_c_stream__(requested_schema)


def test_columns_of_other_libraries(psv: Any) -> None:
    pa = pytest.importorskip("pyarrow")
    expected = komabako.key64(psv)
    values = [word.tobytes() for word in psv["sfen"]]
    for kind in (pa.binary(32), pa.binary(), pa.large_binary(), pa.binary_view()):
        whole = pa.array(values, kind)
        parts = pa.chunked_array([whole[:700], whole[700:700], whole[700:]])
        for column in (ArrayOnly(whole), StreamOnly(parts), parts, pa.chunked_array([whole]), pa.table({"p": parts})["p"]):
            assert (komabako.key64(column, codec="psv") == expected).all(), kind
        # A slice starts inside its buffers.
        assert (komabako.key64(parts[650:750], codec="psv") == expected[650:750]).all()
        assert len(komabako.key64(pa.chunked_array([], kind), codec="psv")) == 0
    whole = pa.array(values, pa.binary(32))
    address = whole.buffers()[1].address
    for column in (ArrayOnly(whole), StreamOnly(pa.chunked_array([whole]))):
        # No copy: the rows are at the address of the column.
        from komabako.arrow import fixed_size_rows

        assert fixed_size_rows(column, 32).ctypes.data == address
    for bad in (
        pa.chunked_array([], pa.int64()),
        pa.chunked_array([[b"short"]]),
        pa.chunked_array([[None, values[0]]]),
        pa.table({"p": whole}),
    ):
        with pytest.raises(ValueError):
            komabako.key64(bad, codec="psv")


@pytest.mark.parametrize("threads", [1, 2])
def test_ctrl_c_interrupts_a_long_call(threads: int, psv: Any) -> None:
    # One word in place of 200 million: tens of seconds of work.
    many = np.broadcast_to(psv["sfen"][0], (200_000_000, 32))
    timer = threading.Timer(0.3, _thread.interrupt_main)
    started = time.monotonic()
    timer.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            komabako.validate(many, codec="psv", threads=threads)
    finally:
        timer.cancel()
    assert time.monotonic() - started < 5


@pytest.mark.parametrize("name", FUNCTIONS)
def test_eight_threads_on_one_array(name: str, psv: Any) -> None:
    many = np.tile(psv, 3)
    many.flags.writeable = False
    function = FUNCTIONS[name]
    expected = function(many)
    start = threading.Barrier(8)

    def work(index: int) -> bool:
        start.wait()
        return all(equal(function(many, threads=index % 3), expected) for _ in range(2))

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(work, range(8)))


def test_first_bad_record_does_not_depend_on_threads(psv: Any) -> None:
    many = np.tile(psv, 70)
    many["sfen"][[100_001, 100_900, 139_000]] = 0xFF
    for count in (1, 2, 3, 8):
        with pytest.raises(komabako.errors.DecodeError) as raised:
            komabako.key64(many, threads=count)
        assert raised.value.record == 100_001
        faults = komabako.key64(many, on_error="mask", threads=count)[1]
        assert np.flatnonzero(faults).tolist() == [100_001, 100_900, 139_000]


def test_array_changed_during_the_call_gives_values_or_faults(psv: Any) -> None:
    many = np.tile(psv, 20)
    stop = threading.Event()

    def disturb() -> None:
        generator = np.random.default_rng(1)
        while not stop.is_set():
            rows = generator.integers(0, len(many), 1_000)
            many["sfen"][rows] = generator.integers(0, 256, (1_000, 32), np.uint8)

    other = threading.Thread(target=disturb)
    other.start()
    try:
        for _ in range(10):
            boards, faults = komabako.decode_board(many, on_error="mask", threads=2)
            assert not boards.board[faults != 0].any()
            assert (boards.board < 32).all() and (boards.kings[faults == 0] <= 80).all()
    finally:
        stop.set()
        other.join()
