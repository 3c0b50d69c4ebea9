"""Words, records, text and keys."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import komabako

from conftest import ROOT

CODECS = ["psv", "hcp", "sspfv1", "nshogi", "sspfv1-ext", "c250", "r238"]


def test_dtypes_equal_cshogis() -> None:
    assert komabako.PackedSfenValue.descr == [
        ("sfen", "|u1", (32,)),
        ("score", "<i2"),
        ("move", "<u2"),
        ("gamePly", "<u2"),
        ("game_result", "|i1"),
        ("padding", "|u1"),
    ]
    assert komabako.HuffmanCodedPosAndEval.descr == [
        ("hcp", "|u1", (32,)),
        ("eval", "<i2"),
        ("bestMove16", "<i2"),
        ("gameResult", "|i1"),
        ("dummy", "|u1"),
    ]
    sizes = {"psv": 40, "hcpe": 38, "compact36": 36, "compact32": 32, "ext36": 36, "r238": 30}
    from komabako.dtypes import DTYPES

    assert {name: DTYPES[name].itemsize for name in sizes} == sizes


def test_boards_of_a_position_without_a_king() -> None:
    # A promoted pawn of White's on 1a, Black's king on 9i, and a piece of each kind in hand, more of Black's lances.
    words = komabako.from_sfen(["8+p/9/9/9/9/9/9/9/K8 w 3L2N2SG2rb2g2n5p 1"], "c250")
    boards = komabako.decode_board(words, codec="c250")
    assert np.flatnonzero(boards.board[0]).tolist() == [0, 80] and boards.board[0, [0, 80]].tolist() == [1 + 8 + 16, 8]
    # Pawn, lance, knight, silver, gold, bishop, rook.
    assert boards.hands[0].tolist() == [[0, 3, 2, 2, 1, 0, 0], [5, 0, 2, 0, 2, 1, 2]]
    assert (boards.side[0], boards.kings[0].tolist()) == (1, [80, 81])
    assert boards._fields == ("board", "hands", "side", "kings")
    assert [part.dtype for part in boards] == [np.uint8] * 4 and boards.hands.shape == (1, 2, 7)


def test_records_of_other_programs_have_other_signs(psv: Any) -> None:
    hcpe = komabako.recode(psv, komabako.HuffmanCodedPosAndEval, allow_loss=True)
    # dlshogi's move is unsigned, and so is the result in some trainers.
    unsigned = np.dtype([("hcp", "u1", 32), ("eval", "<i2"), ("bestMove16", "<u2"), ("gameResult", "u1"), ("dummy", "u1")])
    other = hcpe.view(unsigned)
    for function in (komabako.decode_board, komabako.labels, komabako.targets, komabako.is_legal):
        for one, two in zip(*(made if isinstance(made, tuple) else (made,) for made in (function(hcpe), function(other)))):
            assert (one == two).all()
    one, two = (komabako.recode(records, komabako.PackedSfenValue, allow_loss=True) for records in (hcpe, other))
    assert (one == two).all()


def changed(dtype: Any, **fields: Any) -> Any:
    """The dtype with other types of some fields."""
    return np.dtype([(name, *fields.get(name, (dtype[name].base, dtype[name].shape))) for name in dtype.names])


def permuted(dtype: Any) -> Any:
    """The dtype with the offsets of two fields of two bytes exchanged."""
    first, second = [name for name in dtype.names if dtype[name].itemsize == 2][:2]
    offsets = {name: dtype.fields[name][1] for name in dtype.names}
    offsets[first], offsets[second] = offsets[second], offsets[first]
    names = list(dtype.names)
    formats, places = [dtype[name] for name in names], [offsets[name] for name in names]
    return np.dtype({"names": names, "formats": formats, "offsets": places, "itemsize": dtype.itemsize})


def test_dtypes_with_other_types_or_offsets_are_refused(psv: Any, tmp_path: Any) -> None:
    hcpe = np.fromfile(ROOT / "data/sample.hcpe", komabako.HuffmanCodedPosAndEval)
    padded = np.dtype({"names": psv.dtype.names, "formats": [psv.dtype[name] for name in psv.dtype.names], "itemsize": 48})
    (tmp_path / "a.psv").write_bytes(psv.tobytes())
    for records, dtype, field in (
        (psv, psv.dtype.newbyteorder(">"), "score is >i2"),
        (psv, changed(psv.dtype, score=(">i2",)), "score is >i2"),
        (psv, changed(psv.dtype, score=("<u2",)), "score is <u2"),
        (psv, changed(psv.dtype, score=("<f2",)), "score is <f2"),
        (psv, changed(psv.dtype, move=(">u2",)), "move is >u2"),
        (psv, changed(psv.dtype, gamePly=("<i2",)), "gamePly is <i2"),
        (psv, changed(psv.dtype, sfen=("i1", 32)), "sfen is"),
        (psv, permuted(psv.dtype), "score is <i2 at byte 34"),
        (psv, padded, "48 bytes"),
        (hcpe, changed(hcpe.dtype, bestMove16=(">i2",)), "bestMove16 is >i2"),
        (hcpe, changed(hcpe.dtype, eval=("<u2",)), "eval is <u2"),
    ):
        # One record takes the fast path once its dtype is known.
        other = np.zeros(20, dtype)
        for some in (other[:1], other[:1], other):
            for call in (
                lambda: komabako.targets(some),
                lambda: komabako.key64(some),
                lambda: komabako.decode_board(some),
                lambda: komabako.recode(some, "hcp"),
                lambda: komabako.recode(some, komabako.dtypes.Compact36, allow_loss=True),
                lambda: komabako.recode(psv, dtype, allow_loss=True),
                lambda: komabako.open(tmp_path / "a.psv", dtype),
                lambda: komabako.create(tmp_path / "b.psv").write(some),
            ):
                with pytest.raises(ValueError, match=field):
                    call()
        with pytest.raises(ValueError, match="astype"):
            komabako.key64(other)
    # These `astype` does not convert.
    for dtype in (changed(psv.dtype, sfen=("u1", (4, 8))), changed(psv.dtype, sfen=("V32",)), np.dtype([("word", "u1", 8)])):
        with pytest.raises(ValueError, match="is not one of komabako's; give the field"):
            komabako.key64(np.zeros(1, dtype))
    # The advice is right.
    big = psv.astype(psv.dtype.newbyteorder(">"))
    assert big.tobytes() != psv.tobytes() and big.astype(komabako.PackedSfenValue).tobytes() == psv.tobytes()


def test_dtypes_that_differ_in_form_only_are_accepted(psv: Any) -> None:
    aligned = np.dtype([(name, psv.dtype[name]) for name in psv.dtype.names], align=True)
    native = changed(psv.dtype, score=("i2",), move=("u2",), gamePly=("u2",))
    signs = changed(psv.dtype, move=("<i2",), game_result=("u1",), padding=("i1",))
    expected = komabako.targets(psv)
    for dtype in (aligned, native, signs, np.dtype((np.record, psv.dtype))):
        for one, two in zip(komabako.targets(psv.view(dtype)), expected):
            assert (one == two).all()


def older_word() -> Any:
    """A word of an older program, and the canonical one of the same position."""
    canonical = komabako.from_sfen(["lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/2SGKGSNL b NL"], "psv")
    # The last ten bits are the lance and the knight in hand. The older rshogi wrote the knight first.
    bits = np.unpackbits(canonical, bitorder="little")
    bits[-10:] = np.roll(bits[-10:], 5)
    return np.packbits(bits, bitorder="little").reshape(1, 32), canonical


def test_words_of_older_programs_are_recoded() -> None:
    word, canonical = older_word()
    with pytest.raises(komabako.errors.DecodeError):
        komabako.decode_board(word, codec="psv")
    assert (komabako.recode(word, "psv", codec="psv-lenient") == canonical).all()
    assert komabako.to_sfen(word, codec="psv-lenient") == komabako.to_sfen(canonical, codec="psv")
    records = np.zeros(1, komabako.PackedSfenValue)
    records["sfen"] = word
    assert (komabako.recode(records, komabako.PackedSfenValue, codec="psv-lenient")["sfen"] == canonical).all()


def test_every_function_reads_records_of_older_programs() -> None:
    word, canonical = older_word()
    older, newer = np.zeros((2, 1), komabako.PackedSfenValue)
    older["sfen"], newer["sfen"] = word, canonical
    for records in (older, newer):
        records["score"], records["game_result"], records["move"] = 300, 1, komabako.moves_from_usi(["7g7f"])
    for function in (komabako.targets, komabako.labels, komabako.decode_board, komabako.is_legal, komabako.key64):
        made, expected = function(older, codec="psv-lenient"), function(newer)
        for one, two in zip(*(result if isinstance(result, tuple) else (result,) for result in (made, expected))):
            assert (one == two).all()
        # A mask would drop the record.
        with pytest.raises(komabako.errors.DecodeError, match="psv-lenient") as raised:
            function(older)
        assert raised.value.fault == "TAIL_ORDER" and "mask" not in str(raised.value)
    for codec in ("hcp", "r238", "no"):
        for call in (
            lambda: komabako.targets(newer, codec=codec),
            lambda: komabako.recode(newer, komabako.dtypes.Compact36, codec=codec, allow_loss=True),
        ):
            with pytest.raises(ValueError, match="codec"):
                call()


def test_positions_that_a_codec_cannot_represent_name_one_that_can() -> None:
    sfen = "4k4/9/9/9/9/9/9/9/9 b -"
    with pytest.raises(komabako.errors.EncodeError, match="sspfv1-ext"):
        komabako.from_sfen([sfen], "hcp")
    assert komabako.to_sfen(komabako.from_sfen([sfen], "sspfv1-ext"), codec="sspfv1-ext") == [sfen]


@pytest.mark.parametrize("codec", CODECS)
def test_every_codec_packs_what_it_unpacks(words: Any, codec: str) -> None:
    packed = komabako.recode(words, codec, codec="psv")
    assert packed.shape == (len(words), 30 if codec == "r238" else 32)
    assert (komabako.recode(packed, "psv", codec=codec) == words).all()
    boards = komabako.decode_board(packed, codec=codec)
    assert (komabako.encode_board(*boards[:3], codec=codec) == packed).all()
    assert komabako.to_sfen(packed, codec=codec) == komabako.to_sfen(words, codec="psv")
    assert (komabako.from_sfen(komabako.to_sfen(packed, codec=codec), codec) == packed).all()


@pytest.mark.parametrize("codec", CODECS)
def test_keys_do_not_depend_on_the_codec(words: Any, codec: str) -> None:
    packed = komabako.recode(words, codec, codec="psv")
    for key in (komabako.key64, komabako.key128, komabako.records.canonical):
        assert (key(packed, codec=codec) == key(words, codec="psv")).all()
    assert len(np.unique(komabako.key64(words, codec="psv"))) == len(np.unique(komabako.records.canonical(words, codec="psv"), axis=0))


@pytest.mark.parametrize("view", [komabako.flip, komabako.mirror])
def test_views_are_their_own_inverse(words: Any, view: Any) -> None:
    seen = view(words, codec="psv")
    assert (seen != words).any() and (view(seen, codec="psv") == words).all()


def test_flip_and_mirror_move_squares(words: Any) -> None:
    board = komabako.decode_board(words, codec="psv").board
    mirrored = komabako.decode_board(komabako.mirror(words, codec="psv"), codec="psv").board
    assert (mirrored.reshape(-1, 9, 9)[:, ::-1] == board.reshape(-1, 9, 9)).all()
    flipped = komabako.decode_board(komabako.flip(words, codec="psv"), codec="psv")
    assert (np.where(board, board ^ 16, 0)[:, ::-1] == flipped.board).all()
    assert (flipped.side != komabako.decode_board(words, codec="psv").side).all()


def test_records_are_converted_like_the_program_does(psv: Any) -> None:
    hcpe = komabako.recode(psv, komabako.HuffmanCodedPosAndEval, allow_loss=True)
    assert hcpe.tobytes() == (ROOT / "data/sample.hcpe").read_bytes()
    with pytest.raises(komabako.errors.LossError) as raised:
        komabako.recode(psv, komabako.HuffmanCodedPosAndEval)
    assert raised.value.losses
    back = komabako.recode(hcpe, komabako.PackedSfenValue, allow_loss=True)
    for field in ("sfen", "score", "move", "game_result"):
        assert (back[field] == psv[field]).all()


def test_compact_records_hold_all_but_the_padding(psv: Any) -> None:
    compact = komabako.recode(psv, komabako.dtypes.Compact36, allow_loss=True)
    assert (komabako.recode(compact, komabako.PackedSfenValue, allow_loss=True) == psv).all()
    assert komabako.to_sfen(compact) == komabako.to_sfen(psv)
    assert (komabako.labels(compact) == komabako.labels(psv)).all()


def test_records_are_recoded_in_place(psv: Any) -> None:
    words = np.empty(len(psv), komabako.PackedSfen)
    words["sfen"] = psv["sfen"]
    expected = komabako.recode(words, komabako.HuffmanCodedPos)
    raw = words["sfen"].copy()
    assert komabako.recode(raw, "hcp", codec="psv", out=raw) is raw
    assert (raw == expected["hcp"]).all()
    # The words are replaced on every path, with a mask too.
    for count in (1, 16, 17):
        raw = psv["sfen"][:count].copy()
        made, faults = komabako.recode(raw, "hcp", codec="psv", out=raw, on_error="mask", threads=2)
        assert made is raw and not faults.any() and (raw == expected["hcp"][:count]).all()
    # Records of the same dtype, from the lenient codec to the strict one.
    word, canonical = older_word()
    records = psv[:3].copy()
    records["sfen"][1] = word
    assert komabako.recode(records, komabako.PackedSfenValue, codec="psv-lenient", out=records) is records
    assert (records["sfen"][1] == canonical).all() and (records[::2] == psv[:3:2]).all()


def test_an_output_of_another_dtype_is_refused_before_it_is_written(psv: Any) -> None:
    words = np.empty(3, komabako.PackedSfen)
    words["sfen"] = psv["sfen"][:3]
    before = words.tobytes()
    unsigned = changed(komabako.HuffmanCodedPosAndEval, bestMove16=("<u2",))
    hcpe = np.zeros(3, unsigned)
    for call in (
        lambda: komabako.recode(words, "hcp", out=words),
        lambda: komabako.recode(words, komabako.HuffmanCodedPos, out=words),
        lambda: komabako.recode(words, komabako.HuffmanCodedPos, out=np.empty(3, komabako.PackedSfen)),
        lambda: komabako.recode(psv[:3], komabako.HuffmanCodedPosAndEval, out=hcpe, allow_loss=True),
    ):
        with pytest.raises(ValueError, match="out must be"):
            call()
    # Other views of the same memory.
    for call in (
        lambda: komabako.recode(words, komabako.HuffmanCodedPos, out=words.view(komabako.HuffmanCodedPos)),
        lambda: komabako.recode(words, "hcp", out=words["sfen"]),
    ):
        with pytest.raises(ValueError, match="shares"):
            call()
    raw = words["sfen"].copy()
    for to in ("r238", "no"):
        with pytest.raises(ValueError):
            komabako.recode(raw, to, codec="psv", out=raw)
    assert words.tobytes() == raw.tobytes() == before and not hcpe["hcp"].any()


def test_surrogates_are_faults_of_their_record() -> None:
    for text in ("\ud800", "startpos\udfff", "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b \udc80 1"):
        words, faults = komabako.from_sfen(["startpos", text, "startpos"], "psv", on_error="mask")
        assert faults.tolist() == [0, komabako.errors.Fault.SFEN, 0] and not words[1].any() and (words[0] == words[2]).all()
        with pytest.raises(komabako.errors.EncodeError) as raised:
            komabako.from_sfen(["startpos", text], "psv")
        assert raised.value.record == 1
    moves, faults = komabako.moves_from_usi(["7g7f", None, float("nan")], on_error="mask")  # type: ignore[list-item]
    assert faults.tolist() == [0, komabako.errors.Fault.MOVE_TEXT, komabako.errors.Fault.MOVE_TEXT] and moves[0]
    with pytest.raises(komabako.errors.EncodeError, match="record 1: the SFEN is null"):
        komabako.from_sfen(["startpos", None], "psv")  # type: ignore[list-item]
    with pytest.raises(ValueError, match="item 1 is 7"):
        komabako.moves_from_usi(["7g7f", 7])  # type: ignore[list-item]
    moves, faults = komabako.moves_from_usi(["7g7f", "\ud800", "7g7\udc80"], on_error="mask")
    assert faults[0] == 0 and faults[1:].all() and moves[0] and not moves[1:].any()
    with pytest.raises(komabako.errors.DecodeError) as bad_move:
        komabako.moves_from_usi(["7g7f", "7g7\udc80"])
    assert bad_move.value.record == 1


def test_validation_names_the_fault(psv: Any) -> None:
    records = psv[:6].copy()
    assert not komabako.validate(psv).any()
    records["sfen"][1] = 0xFF
    records["move"][2] = 0x7FFF
    records["game_result"][3] = 5
    records["move"][4] = 0x81
    faults = [komabako.errors.Fault(fault).name for fault in komabako.validate(records)]
    assert faults[0] == faults[5] == "GOOD" and faults[2:5] == ["MOVE_TO", "RESULT", "MOVE_PASS"]
    assert (komabako.validate(records, level="codec") != 0).tolist() == [False, True, False, False, False, False]


def test_errors_name_the_record(psv: Any) -> None:
    records = psv[:10].copy()
    records["sfen"][7] = 0xFF
    with pytest.raises(komabako.errors.DecodeError) as raised:
        komabako.decode_board(records)
    error = raised.value
    assert (error.record, error.byte, error.codec) == (7, 280, "psv") and error.bit is not None
    assert komabako.errors.Fault[error.fault] and "record 7" in str(error)
    with pytest.raises(komabako.errors.EncodeError) as refused:
        komabako.from_sfen(["startpos", "9/9/9/9/9/9/9/9/9 b -"], "psv")
    assert (refused.value.record, refused.value.fault) == (1, "KING_MISSING")
    with pytest.raises(komabako.errors.EncodeError) as refused:
        komabako.from_sfen(["nonsense"], "psv")
    assert refused.value.fault == "SFEN"
    board = komabako.decode_board(psv[:2])
    board.board[1, 0] = 99
    words, faults = komabako.encode_board(*board[:3], codec="psv", on_error="mask")
    assert faults.tolist() == [0, komabako.errors.Fault.ARRAY_PIECE] and not words[1].any()


def test_faults_have_the_numbers_of_the_native_half() -> None:
    from komabako._native import FAULTS

    assert [fault.name for fault in komabako.errors.Fault][1:-1] == FAULTS
    assert [fault.value for fault in komabako.errors.Fault] == [*range(len(FAULTS) + 1), 255]


@settings(max_examples=200, deadline=None)
@given(st.lists(st.binary(min_size=32, max_size=32), min_size=1, max_size=20), st.sampled_from(CODECS))
def test_any_bytes_are_a_position_or_a_fault(raw: Any, codec: str) -> None:
    size = 30 if codec == "r238" else 32
    words = np.frombuffer(b"".join(word[:size] for word in raw), np.uint8).reshape(-1, size)
    boards, faults = komabako.decode_board(words, codec=codec, on_error="mask")
    bad = faults != 0
    assert not (faults == komabako.errors.Fault.OTHER).any()
    assert not boards.board[bad].any() and not boards.hands[bad].any() and not boards.kings[bad].any()
    good = words[~bad]
    # A position has exactly one word, except in C250, whose last bits hold a payload.
    if codec != "c250":
        assert (komabako.encode_board(*(part[~bad] for part in boards[:3]), codec=codec) == good).all()
    assert (komabako.records.canonical(good, codec=codec) == komabako.records.canonical(words, codec=codec, on_error="mask")[0][~bad]).all()


def test_moves(psv: Any) -> None:
    moves = psv["move"]
    for encoding in "ABC":
        there = komabako.move16(moves, "A", encoding)
        assert (komabako.move16(there, encoding, "A") == moves).all()
        texts = komabako.moves_to_usi(there, encoding)
        assert (komabako.moves_from_usi(texts, encoding) == there).all()
    assert komabako.is_legal(psv).all()
    bits, faults = komabako.move16(np.array([0x7FFF, 0x1E3B], np.uint16), "A", "C", on_error="mask")
    assert bits.tolist() == [0, 0x1E3B] and faults.tolist() == [komabako.errors.Fault.MOVE_TO, 0]
    with pytest.raises(komabako.errors.DecodeError):
        komabako.move16([0x7FFF])
    signed = psv["move"].astype("<u2").view("<i2")
    assert komabako.moves_to_usi(signed) == komabako.moves_to_usi(moves)
