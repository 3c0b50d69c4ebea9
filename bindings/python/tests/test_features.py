"""Features, labels and masks against their definition in Python."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import komabako
from komabako import features

import reference

COUNT = 300


@pytest.fixture(scope="module")
def some(psv: Any) -> Any:
    return psv[:: len(psv) // COUNT][:COUNT]


@pytest.fixture(scope="module")
def parsed(some: Any) -> Any:
    return [reference.Position(sfen) for sfen in komabako.to_sfen(some)]


def test_boards(some: Any, parsed: Any) -> None:
    boards = komabako.decode_board(some)
    for row, position in enumerate(parsed):
        assert boards.board[row].tolist() == position.board
        assert boards.hands[row].tolist() == position.hands
        assert boards.side[row] == position.side
        assert boards.kings[row].tolist() == [position.board.index(8), position.board.index(24)]


def fnv(data: bytes) -> int:
    value = 0xCBF29CE484222325
    for byte in data:
        value = (value ^ byte) * 0x100000001B3 & 0xFFFFFFFFFFFFFFFF
    return value


def test_all_records_have_the_features_of_other_programs(psv: Any) -> None:
    # Made by hand with cshogi 1.1 and nnue-pytorch's loader; `tests/all/goldens.rs` of komabako-features has the same numbers.
    bits = features.dlshogi(psv, "bits")
    assert fnv(bits.features1.tobytes()) == 0x921A408E4BE472BA
    assert fnv(bits.features2.tobytes()) == 0x2507472124B617DA
    labels = [np.flatnonzero(mask).astype("<u2").tobytes() for mask in komabako.legal_mask(psv, dtype=bool)]
    assert fnv(b"".join(labels)) == 0x21909A2D2BD574F6
    for kernel, expected in ((features.halfkp, 0x2B06B7C7EE5AB69F), (features.halfka_hm, 0x03E349913D603A93)):
        indices = np.sort(kernel(psv, perspective="black"), axis=2)
        assert fnv(indices[indices >= 0].astype("<i4").tobytes()) == expected


def test_dlshogi_planes(some: Any, parsed: Any) -> None:
    planes = features.dlshogi(some)
    assert planes.features1.dtype == np.float32 and planes.features1.shape == (COUNT, 62, 9, 9)
    for row, position in enumerate(parsed):
        first, second = reference.dlshogi(position)
        assert (planes.features1[row].reshape(62, 81) == first).all(), row
        assert (planes.features2[row] == second[:, None, None]).all(), row


def test_all_forms_of_planes_agree(some: Any) -> None:
    floats = features.dlshogi(some)
    for dtype in (np.float16, np.uint8):
        for plane, other in zip(floats, features.dlshogi(some, dtype)):
            assert other.dtype == dtype and (plane == other).all()
    bits = features.dlshogi(some, "bits")
    first = np.unpackbits(bits.features1, axis=1, bitorder="little")
    assert (first[:, : 62 * 81].reshape(-1, 62, 9, 9) == floats.features1).all() and not first[:, 62 * 81 :].any()
    second = np.unpackbits(bits.features2, axis=1, bitorder="little")
    assert (second[:, :57] == floats.features2[:, :, 0, 0]).all() and not second[:, 57:].any()


def test_planes_of_entered_kings() -> None:
    # Black: the king has entered, one piece of ten and 19 points of 28 are missing. White: only the king has entered.
    words = komabako.from_sfen(["9/PPPPK4/PPPPP4/9/9/9/9/9/4k4 b r 1", "9/9/9/9/9/9/9/9/K7k w - 1"], codec="psv")
    lacking = [0, 1 + 1, 11 + 19, 31]
    planes = features.dlshogi(words, np.uint8, codec="psv", nyugyoku=True)
    assert planes.features2.shape == (2, 119, 9, 9)
    for row, expected in enumerate([lacking, [0]]):
        found = planes.features2[row, 57:]
        assert (found == found[:, :1, :1]).all() and np.flatnonzero(found[:, 0, 0]).tolist() == expected
    assert (planes.features2[:, :57] == features.dlshogi(words, np.uint8, codec="psv").features2).all()
    bits = features.dlshogi(words, "bits", codec="psv", nyugyoku=True)
    second = np.unpackbits(bits.features2, axis=1, bitorder="little")
    assert (second[:, :119] == planes.features2[:, :, 0, 0]).all() and not second[:, 119:].any()


@pytest.mark.parametrize("mirrors", [False, True])
def test_nnue(some: Any, parsed: Any, mirrors: bool) -> None:
    kernel = features.halfka_hm if mirrors else features.halfkp
    by_side, by_color = kernel(some), kernel(some, perspective="black")
    sparse = kernel(some, offsets=True)
    for row, position in enumerate(parsed):
        for half in (0, 1):
            expected = reference.nnue(position, half, mirrors)
            assert sorted(by_color[row, half][by_color[row, half] >= 0].tolist()) == expected
            # From the side to move's perspective, White's half comes first if White is to move.
            assert (by_side[row, half ^ position.side] == by_color[row, half]).all()
            at = 2 * row + (half ^ position.side)
            flat = sparse.indices[sparse.offsets[at] : sparse.offsets[at + 1]]
            assert sorted(flat.tolist()) == expected
    assert sparse.offsets[-1] == len(sparse.indices)


def test_labels_and_masks(some: Any, parsed: Any) -> None:
    texts = komabako.moves_to_usi(some["move"])
    labels = komabako.labels(some)
    compact = komabako.labels(some, kind=1496)
    mask = komabako.legal_mask(some, dtype=bool)
    small = komabako.legal_mask(some, 1496, bool)
    # The compact numbers are in the order of the labels.
    assert (np.argsort(labels, kind="stable") == np.argsort(compact, kind="stable")).all()
    for row, (text, position) in enumerate(zip(texts, parsed)):
        assert labels[row] == reference.label(text, position.side)
        assert mask[row, labels[row]] and small[row, compact[row]]
        assert mask[row].sum() == small[row].sum()
    bits = np.unpackbits(komabako.legal_mask(some), axis=1, bitorder="little")[:, :2187]
    assert (bits == mask).all()


def test_each_legal_move_has_the_label_of_the_mask(some: Any) -> None:
    every = np.arange(1 << 16, dtype=np.uint16)
    for record in some[:3]:
        repeated = np.repeat(np.array([record]), len(every))
        legal = every[komabako.is_legal(repeated, every, "A")]
        mask = komabako.legal_mask(repeated[:1], dtype=bool)[0]
        assert sorted(komabako.labels(repeated[: len(legal)], legal).tolist()) == np.flatnonzero(mask).tolist()


def test_special_moves_have_no_label(some: Any) -> None:
    moves = np.array([0, 0x81, 0x102, 0x183], np.uint16)
    assert komabako.labels(some[:4], moves).tolist() == [-1] * 4
    assert not komabako.is_legal(some[:4], moves, "A").any()


def test_targets_of_both_conventions(psv: Any) -> None:
    hcpe = komabako.recode(psv, komabako.HuffmanCodedPosAndEval, allow_loss=True)
    for records in (psv, hcpe):
        made = komabako.targets(records)
        expected = 1 / (1 + np.exp(-psv["score"].astype(np.float64) / 756.0864962951762))
        plain = np.abs(psv["score"]) < 30_000
        assert np.allclose(made.value[plain], expected[plain], atol=1e-6)
        assert (made.result == (psv["game_result"] + 1) / 2).all()
    mate = psv[:3].copy()
    mate["score"] = [2_000, -32_768, 1_999]
    assert komabako.targets(mate, mate=2_000).value.tolist()[:2] == [1.0, 0.0]


def test_a_missing_king_is_a_fault() -> None:
    words = komabako.from_sfen(["4k4/9/9/9/9/9/9/9/9 b -", "4k4/9/9/9/9/9/9/9/4K4 b -"], codec="c250")
    with pytest.raises(komabako.errors.DecodeError) as raised:
        features.halfkp(words, codec="c250")
    assert (raised.value.record, raised.value.fault) == (0, "KING_MISSING")
    indices, faults = features.halfkp(words, codec="c250", on_error="mask")
    assert faults.tolist() == [komabako.errors.Fault.KING_MISSING, 0]
    assert not indices[0].any() and (indices[1] == -1).all()
    sparse, _ = features.halfkp(words, codec="c250", on_error="mask", offsets=True)
    assert sparse.offsets.tolist() == [0, 0, 0, 0, 0]
