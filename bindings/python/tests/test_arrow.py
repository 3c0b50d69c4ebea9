"""Arrow and Parquet profiles."""

from __future__ import annotations

import os
import sys
import threading
import warnings
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Iterator, List

import numpy as np
import pytest

import komabako

from conftest import ROOT, engine

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")

from komabako._whole import unfinished_file  # noqa: E402
from komabako.arrow import (  # noqa: E402
    PROFILES,
    from_arrow,
    iter_parquet,
    read_parquet,
    to_arrow,
    write_parquet,
)


@pytest.fixture(scope="module")
def hcpe() -> Any:
    return np.fromfile(ROOT / "data/sample.hcpe", komabako.HuffmanCodedPosAndEval)


@pytest.mark.parametrize("profile", PROFILES)
def test_tables_are_read_back(psv: Any, hcpe: Any, profile: str) -> None:
    assert (from_arrow(to_arrow(psv, profile)) == psv).all()
    back = from_arrow(to_arrow(hcpe, profile))
    if profile in ("record", "packed"):
        assert (back == hcpe).all()
    else:
        # Boards and texts do not name the record format: they become PSV, without a ply, which hcpe lacks.
        expected = psv.copy()
        expected["gamePly"] = 0
        assert (back == expected).all()


@pytest.mark.parametrize("profile", PROFILES)
def test_parquet_is_read_back(psv: Any, profile: str, tmp_path: Any) -> None:
    out = tmp_path / "a.parquet"
    assert write_parquet(psv, out, profile, rows=300, source="the sample") == len(psv)
    file = pq.ParquetFile(out)
    assert [file.metadata.row_group(group).num_rows for group in range(7)] == [300] * 6 + [200]
    assert file.metadata.row_group(0).column(0).compression == "ZSTD"
    table = read_parquet(out)
    assert table.schema.metadata[b"komabako.source"] == b"the sample"
    assert (from_arrow(table) == psv).all()
    parts = list(iter_parquet(out, 130))
    assert max(len(part) for part in parts) == 130 and parts[0].schema.metadata == table.schema.metadata
    assert (np.concatenate([from_arrow(part) for part in parts]) == psv).all()
    assert [part.column_names for part in iter_parquet(out, 2_000, table.column_names[:1])][0] == table.column_names[:1]
    assert os.listdir(tmp_path) == ["a.parquet"]


def test_several_files_become_one(psv: Any, tmp_path: Any) -> None:
    psv[:700].tofile(tmp_path / "a.psv")
    psv[:0].tofile(tmp_path / "b.psv")
    inputs = [tmp_path / "a.psv", tmp_path / "b.psv", psv[700:]]
    assert write_parquet(inputs, tmp_path / "a.parquet", "packed", rows=512) == len(psv)
    assert (from_arrow(read_parquet(tmp_path / "a.parquet")) == psv).all()
    assert write_parquet(tmp_path / "b.psv", tmp_path / "b.parquet") == 0
    assert len(from_arrow(read_parquet(tmp_path / "b.parquet"))) == 0
    with pytest.raises(ValueError):
        write_parquet([], tmp_path / "c.parquet")


def test_whatever_yields_arrays_becomes_a_file(psv: Any, tmp_path: Any) -> None:
    with komabako.create(tmp_path / "a.psv.zst") as file:
        file.write(psv)
    assert write_parquet(komabako.open(tmp_path / "a.psv.zst"), tmp_path / "a.parquet", "packed") == len(psv)
    assert write_parquet((psv[first:][:300] for first in range(0, len(psv), 300)), tmp_path / "b.parquet", rows=999) == len(psv)
    for name in ("a", "b"):
        assert (from_arrow(read_parquet(tmp_path / f"{name}.parquet")) == psv).all()


@pytest.mark.parametrize("profile", PROFILES)
def test_files_have_the_layout_that_was_measured(psv: Any, profile: str, tmp_path: Any) -> None:
    write_parquet(psv, tmp_path / "a.parquet", profile)
    group = pq.ParquetFile(tmp_path / "a.parquet").metadata.row_group(0)
    columns = [group.column(index) for index in range(group.num_columns)]
    for column in columns:
        assert column.compression == "ZSTD" and column.has_offset_index and column.has_column_index
        # Only results repeat often enough for a dictionary.
        has_dictionary = profile == "text" and column.path_in_schema == "result"
        assert column.has_dictionary_page == has_dictionary, column.path_in_schema
    assert all(column.physical_type in ("FIXED_LEN_BYTE_ARRAY", "BYTE_ARRAY", "INT32", "BOOLEAN") for column in columns)
    types = {field.name: str(field.type) for field in to_arrow(psv, profile).schema}
    labels = {"score": "int16", "move16": "uint16", "ply": "uint16", "result": "int8"}
    assert types == {
        "record": {"record": "fixed_size_binary[40]"},
        "packed": {"position": "fixed_size_binary[32]", **labels},
        "board": {"board": "fixed_size_binary[81]", "hands": "fixed_size_binary[14]", "side": "bool", **labels},
        "text": {
            "sfen": "string",
            "move": "string",
            "score": "int16",
            "ply": "uint16",
            "result": "dictionary<values=string, indices=int8, ordered=0>",
        },
    }[profile]


def test_other_libraries_tables_become_records(psv: Any) -> None:
    table = to_arrow(psv, "packed")

    class StreamOnly:
        def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
            return table.__arrow_c_stream__(requested_schema)

    class ArrayOnly:
        def __arrow_c_array__(self, requested_schema: Any = None) -> Any:
            return table.to_batches()[0].__arrow_c_array__(requested_schema)

    assert (from_arrow(StreamOnly()) == psv).all() and (from_arrow(ArrayOnly()) == psv).all()
    viewed = table.set_column(0, "position", table["position"].cast(pa.binary()))
    assert (from_arrow(viewed, codec="psv")["sfen"] == psv["sfen"]).all()
    viewed = table.set_column(0, "position", table["position"].cast(pa.binary()).cast(pa.binary_view()))
    assert (from_arrow(viewed, codec="psv")["sfen"] == psv["sfen"]).all()


def test_text_columns_agree_with_records(psv: Any) -> None:
    table = to_arrow(psv, "text")
    assert table.schema.names == ["sfen", "move", "score", "ply", "result"]
    with open(ROOT / "data/sample.tsv", encoding="utf-8") as file:
        next(file)
        for row, line in zip(table.to_pylist(), file):
            sfen, move, score, ply, result = line.rstrip("\n").split("\t")
            assert sfen.rsplit(" ", 1)[0] == row["sfen"] or sfen == row["sfen"]
            assert (move, int(score), int(ply)) == (row["move"], row["score"], row["ply"])
            assert {"1": "win", "0": "draw", "-1": "loss"}[result] == row["result"]


def test_field_metadata_describes_the_encoding(psv: Any, hcpe: Any) -> None:
    for records, codec, encoding in ((psv, b"psv", b"A"), (hcpe, b"hcp", b"C")):
        schema = to_arrow(records, "packed").schema
        assert schema.field("position").metadata[b"komabako.codec"] == codec
        assert schema.field("move16").metadata[b"komabako.move_encoding"] == encoding
        assert schema.field("result").metadata[b"komabako.result"] == b"side-to-move"
    assert to_arrow(hcpe, "packed")["ply"].null_count == len(hcpe)
    assert to_arrow(hcpe, "packed")["result"].to_pylist() == psv["game_result"].tolist()


def test_unknown_values_are_null_and_read_back_as_zero(psv: Any) -> None:
    records = psv[:2].copy()
    records["move"][0] = records["gamePly"][1] = 0
    for profile in ("packed", "board", "text"):
        table = to_arrow(records, profile)
        move = table["move" if profile == "text" else "move16"]
        assert [move[0].as_py() is None, table["ply"][1].as_py() is None] == [True, True]
        assert (from_arrow(table) == records).all()


def test_bare_words_have_no_labels(psv: Any) -> None:
    words = np.empty(3, komabako.PackedSfen)
    words["sfen"] = psv["sfen"][:3]
    table = to_arrow(words, "packed")
    assert all(table[name].null_count == 3 for name in ("score", "move16", "ply", "result"))
    assert (from_arrow(table)["sfen"] == words["sfen"]).all()
    assert (from_arrow(to_arrow(words, "record")) == words).all()


def test_columns_without_a_copy(psv: Any) -> None:
    words = np.ascontiguousarray(psv)
    buffer = to_arrow(words, "record")["record"].chunk(0).buffers()[1]
    assert buffer.address == words.ctypes.data


def test_other_tables_are_refused(psv: Any, tmp_path: Any) -> None:
    with pytest.raises(ValueError, match="columns"):
        from_arrow(pa.table({"a": [1]}))
    with pytest.raises(ValueError, match="format"):
        from_arrow(pa.table({"record": pa.array([b"x" * 40], pa.binary(40))}))
    with pytest.raises(ValueError, match="result"):
        from_arrow(pa.table({"sfen": ["startpos"], "result": ["unknown"]}))
    with pytest.raises(ValueError, match="profile"):
        to_arrow(psv, "all")
    with pytest.raises(komabako.errors.EncodeError):
        from_arrow(pa.table({"sfen": ["nonsense"]}))


def test_failed_write_leaves_no_file(psv: Any, tmp_path: Any) -> None:
    records = psv[:600].copy()
    records["sfen"][500] = 0xFF
    with pytest.raises(komabako.errors.DecodeError):
        write_parquet(records, tmp_path / "a.parquet", "text", rows=100)
    assert os.listdir(tmp_path) == []
    (tmp_path / "a.parquet").write_bytes(b"mine")
    with pytest.raises(komabako.errors.ExistingFileError) as raised:
        write_parquet(psv, tmp_path / "a.parquet")
    assert isinstance(raised.value, FileExistsError) and raised.value.filename == str(tmp_path / "a.parquet")
    assert raised.value.kind == "exists" and (tmp_path / "a.parquet").read_bytes() == b"mine"
    write_parquet(psv, tmp_path / "a.parquet", force=True)
    assert len(read_parquet(tmp_path / "a.parquet", ["score"])) == len(psv)


def without_metadata(table: Any) -> Any:
    return pa.table({name: table[name] for name in table.column_names})


def test_inputs_of_one_file_have_one_layout(psv: Any, hcpe: Any, tmp_path: Any) -> None:
    hcpe[:5].tofile(tmp_path / "a.hcpe")
    os.mkdir(tmp_path / "out")
    for rows in (3, 5, 100):
        for profile in PROFILES:
            with pytest.raises(ValueError, match=r"inputs\[1\]: records of another dtype than those of inputs\[0\]"):
                write_parquet([psv[:5], hcpe[:5]], tmp_path / "out/a.parquet", profile, rows=rows)
    with pytest.raises(ValueError, match=r"a\.hcpe: records of another dtype than those of inputs\[0\]"):
        write_parquet([psv[:5], tmp_path / "a.hcpe"], tmp_path / "out/a.parquet", rows=5)
    assert os.listdir(tmp_path / "out") == []
    # Both dtypes of hcpe are one layout.
    other = hcpe.view([(name, "<u2") if name == "bestMove16" else (name, kind[0]) for name, kind in hcpe.dtype.fields.items()])
    for first, second in ((hcpe, other), (other, hcpe)):
        assert write_parquet([first[:5], second[5:9]], tmp_path / "a.parquet", "packed", rows=7, force=True) == 9
        assert (from_arrow(read_parquet(tmp_path / "a.parquet")) == hcpe[:9]).all()


def test_tables_without_metadata_need_arguments(psv: Any, hcpe: Any) -> None:
    for records, codec, encoding in ((psv, "psv", "A"), (hcpe, "hcp", "C")):
        packed = without_metadata(to_arrow(records, "packed"))
        with pytest.raises(komabako.errors.KomabakoError, match='column position does not say its codec: give it, such as codec="psv"'):
            from_arrow(packed)
        with pytest.raises(komabako.errors.KomabakoError, match='column move16 does not say its encoding: give it, such as encoding="A"'):
            from_arrow(packed, codec=codec)
        assert (from_arrow(packed, codec=codec, encoding=encoding) == records).all()
        assert (from_arrow(packed.drop_columns(["move16"]), codec=codec)["score" if codec == "psv" else "eval"] == psv["score"]).all()
        board = without_metadata(to_arrow(records, "board"))
        with pytest.raises(komabako.errors.KomabakoError, match="encoding"):
            from_arrow(board)
        assert (from_arrow(board, records.dtype, encoding=encoding)["score" if codec == "psv" else "eval"] == psv["score"]).all()
        whole = without_metadata(to_arrow(records, "record"))
        with pytest.raises(komabako.errors.KomabakoError, match="give dtype="):
            from_arrow(whole)
        assert (from_arrow(whole, records.dtype) == records).all()
    with pytest.raises(ValueError, match="whose metadata says 'psv'"):
        from_arrow(to_arrow(psv, "packed"), codec="hcp")
    with pytest.raises(ValueError, match="whose metadata says 'C'"):
        from_arrow(to_arrow(hcpe, "packed"), encoding="A")
    with pytest.raises(ValueError, match="dtype="):
        from_arrow(to_arrow(psv, "text"), codec="psv")
    with pytest.raises(ValueError, match="recode"):
        from_arrow(to_arrow(psv, "record"), komabako.HuffmanCodedPosAndEval)


@pytest.mark.parametrize("profile", PROFILES)
def test_polars_and_duckdb_keep_the_values(psv: Any, profile: str, tmp_path: Any) -> None:
    polars, duckdb = engine("polars"), engine("duckdb")
    path = tmp_path / "a.parquet"
    write_parquet(psv, path, profile)
    given: Any = {
        "record": {"dtype": komabako.PackedSfenValue},
        "packed": {"codec": "psv", "encoding": "A"},
        "board": {"encoding": "A"},
        "text": {},
    }[profile]
    assert (from_arrow(polars.read_parquet(path), **given) == psv).all()
    assert (from_arrow(duckdb.sql(f"select * from '{path}'").to_arrow_table(), **given) == psv).all()


def test_results_as_a_dictionary_of_any_strings(psv: Any) -> None:
    table = to_arrow(psv[:5], "text")
    column = table["result"].combine_chunks()
    # As Polars exports them.
    viewed = pa.DictionaryArray.from_arrays(column.indices.cast(pa.uint32()), column.dictionary.cast(pa.string_view()))
    assert (from_arrow(table.set_column(4, "result", viewed)) == psv[:5]).all()


ALL_DTYPES = [
    komabako.PackedSfenValue,
    komabako.HuffmanCodedPosAndEval,
    komabako.HuffmanCodedPos,
    komabako.PackedSfen,
    komabako.dtypes.Sspf,
    komabako.dtypes.SspfExt,
    komabako.dtypes.C250,
    komabako.dtypes.R238,
    komabako.dtypes.Compact36,
    komabako.dtypes.Compact32,
    komabako.dtypes.Ext36,
]


@pytest.mark.parametrize("dtype", ALL_DTYPES, ids=lambda dtype: dtype.names[0] + str(dtype.itemsize))
def test_records_of_any_dtype_are_made(psv: Any, dtype: Any) -> None:
    expected = komabako.recode(psv, dtype, allow_loss=True)
    if dtype == komabako.dtypes.C250:
        # The payload is not a column.
        expected["word"][:, 31] &= 0x03
    for profile in ("packed", "board", "text"):
        made = from_arrow(to_arrow(psv, profile), dtype)
        assert made.dtype == dtype and (made == expected).all()
    for profile in ("record", "board", "text"):
        assert (from_arrow(to_arrow(expected, profile), dtype) == expected).all()


def test_tsume_positions_are_read_back() -> None:
    records = np.zeros(1, komabako.dtypes.SspfExt)
    records["sspf_ext"] = komabako.from_sfen(["4k4/9/4G4/9/9/9/9/9/9 b G 1"], "sspfv1-ext")
    for profile in ("board", "text"):
        table = to_arrow(records, profile)
        with pytest.raises(komabako.errors.EncodeError, match="dtype=komabako.dtypes.Ext36"):
            from_arrow(table)
        assert (from_arrow(table, komabako.dtypes.SspfExt) == records).all()
        with counted(1):
            assert len(from_arrow(table, on_error="skip")) == 0


def test_boards_have_only_moves_that_can_be_read_back(hcpe: Any) -> None:
    records = hcpe[:9].copy()
    records["bestMove16"][4] = 5 * 128 + 5
    with pytest.raises(komabako.errors.DecodeError) as raised:
        to_arrow(records, "board")
    assert (raised.value.record, raised.value.byte) == (4, 4 * 38 + 34)
    with counted(1):
        table = to_arrow(records, "board", on_error="skip")
    assert len(from_arrow(table)) == 8
    # Packed moves keep their bits.
    assert (from_arrow(to_arrow(records, "packed")) == records).all()


def bad_records(psv: Any) -> Any:
    """Records of which 3 has a bad position, 5 a bad move and 7 a bad result."""
    records = psv[:10].copy()
    records["sfen"][3] = 0xFF
    records["move"][5] = 5 * 128 + 5
    records["game_result"][7] = 5
    return records


@contextmanager
def counted(bad: int) -> Iterator[None]:
    """Expects one warning of the records that are left out, if any are."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        yield
    assert [str(warning.message) for warning in caught] == [f"left out {bad} bad records"] * bool(bad)
    assert all(warning.filename == __file__ for warning in caught)


@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="names are Unicode text here")
def test_names_need_not_be_unicode(psv: Any, tmp_path: Any) -> None:
    path = tmp_path / os.fsdecode(b"\x93\xfa.parquet")
    assert write_parquet(psv, path) == len(psv)
    with open(path, "rb") as file:
        assert pq.read_table(file).num_rows == len(psv)


def test_bad_records_are_named_or_skipped(psv: Any) -> None:
    records = bad_records(psv)
    kept = {"record": [], "packed": [3, 7], "board": [3, 7], "text": [3, 5, 7]}
    for profile, left_out in kept.items():
        good = np.delete(records, left_out)
        with counted(len(left_out)):
            table = to_arrow(records, profile, on_error="skip")
        assert from_arrow(table).tobytes() == good.tobytes()
        assert table.schema.equals(to_arrow(good, profile).schema, check_metadata=True)
    for record, place in ((3, 0), (5, 34), (7, 0)):
        with pytest.raises(komabako.errors.DecodeError, match='on_error="skip" leaves bad records out') as raised:
            to_arrow(np.concatenate([psv[:2], records[record : record + 1]]), "text")
        assert (raised.value.record, raised.value.byte) == (2, 2 * 40 + place)
    with pytest.raises(ValueError, match='"raise" or "skip"'):
        to_arrow(psv, on_error="mask")


def test_bad_rows_are_named_or_skipped(psv: Any) -> None:
    board, text, packed = (to_arrow(psv[:5], profile) for profile in ("board", "text", "packed"))

    def replaced(table: Any, name: str, value: Any, kind: Any = None) -> Any:
        values = table[name].to_pylist()
        values[3] = value
        index = table.column_names.index(name)
        if kind is None:
            kind = pa.string() if pa.types.is_dictionary(table[name].type) else table[name].type
        return table.set_column(index, table.field(name).with_type(kind), pa.array(values, kind))

    tables = {
        "side is null": replaced(board, "side", None),
        "board is null": replaced(board, "board", None),
        "position is null": replaced(packed, "position", None),
        "sfen is null": replaced(text, "sfen", None),
        "a result is 1, 0 or -1, not 5": replaced(packed, "result", 5),
        "a result is 1, 0 or -1, not 0.5": replaced(packed, "result", 0.5, pa.float32()),
        "score is an integer from -32768 to 32767, not 40000": replaced(packed, "score", 40_000, pa.int64()),
        "score is an integer from -32768 to 32767, not nan": replaced(text, "score", float("nan"), pa.float64()),
        "ply is an integer from 0 to 65535, not 7.5": replaced(text, "ply", 7.5, pa.float64()),
        "move16 is an integer from 0 to 65535, not -1": replaced(board, "move16", -1, pa.int32()),
        "a result is one of loss, draw, win, not 'Win'": replaced(text, "result", "Win"),
        "record 3": replaced(text, "move", "7g7g"),
        "as psv": replaced(packed, "position", b"\xff" * 32),
    }
    for message, table in tables.items():
        dtype = komabako.dtypes.Ext36 if message == "as psv" else None
        with pytest.raises((komabako.errors.DecodeError, komabako.errors.EncodeError), match=message) as raised:
            from_arrow(table, dtype)
        assert raised.value.record == 3 and "record 3" in str(raised.value) and "skip" in str(raised.value)
        assert "byte" not in str(raised.value)
        with counted(1):
            assert len(from_arrow(table, dtype, on_error="skip")) == 4
    # Whole numbers of other types are the same.
    assert (from_arrow(replaced(packed, "result", packed["result"][3].as_py(), pa.float64())) == from_arrow(packed)).all()
    sfens = pa.table({"sfen": ["lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 25", "startpos"]})
    assert from_arrow(sfens)["gamePly"].tolist() == [25, 0]
    # Bare words stay as they are.
    assert (from_arrow({"position": [b"\xff" * 32]}, codec="hcp")["hcp"] == 0xFF).all()


def test_missing_columns_are_named(psv: Any) -> None:
    for name in ("hands", "side"):
        with pytest.raises(komabako.errors.KomabakoError, match=f"needs the column {name}"):
            from_arrow(to_arrow(psv[:5], "board").drop_columns([name]))


def test_bad_records_of_files_are_named_by_file_and_number(psv: Any, tmp_path: Any) -> None:
    psv.tofile(tmp_path / "a.psv")
    records = np.tile(psv, 2)
    records["sfen"][3_345] = 0xFF
    records.tofile(tmp_path / "b.psv")
    out = tmp_path / "a.parquet"
    named = {
        str(tmp_path / "b.psv"): ["a.psv", "b.psv"],
        "inputs[1]": [psv[:1_999], records],
    }
    for name, inputs in named.items():
        given = [tmp_path / item if isinstance(item, str) else item for item in inputs]
        for rows in (1_000, 999, 100_000):
            with pytest.raises(komabako.errors.DecodeError) as raised:
                write_parquet(given, out, "packed", rows=rows)
            assert (raised.value.path, raised.value.record, raised.value.byte) == (name, 3_345, 3_345 * 40)
            assert str(raised.value).startswith(f"{name}: record 3345 (byte 133800), as psv: ")
    for inputs in (komabako.open(tmp_path / "b.psv"), [psv, komabako.open(tmp_path / "b.psv")]):
        with pytest.raises(komabako.errors.DecodeError) as raised:
            write_parquet(inputs, out, rows=1_000)
        assert (raised.value.path, raised.value.record) == (str(tmp_path / "b.psv"), 3_345)
    with pytest.raises(komabako.errors.DecodeError) as raised:
        write_parquet(records, out, rows=1_000)
    assert (raised.value.path, raised.value.record) == (None, 3_345)
    assert not out.exists()
    with counted(1):
        assert write_parquet([psv, records], out, rows=1_000, on_error="skip") == 5_999
    assert (from_arrow(read_parquet(out)) == np.delete(np.tile(psv, 3), 5_345)).all()


def test_records_of_older_programs_become_text(psv: Any, tmp_path: Any) -> None:
    strict = komabako.from_sfen(["lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/2SGKGSNL b NL"], "psv")
    # The last ten bits are the lance and the knight in hand. The older rshogi wrote the knight first.
    bits = np.unpackbits(strict, bitorder="little")
    bits[-10:] = np.roll(bits[-10:], 5)
    records = np.zeros(1, komabako.PackedSfenValue)
    records["sfen"] = np.packbits(bits, bitorder="little")
    for profile in ("packed", "board", "text"):
        with pytest.raises(komabako.errors.DecodeError, match='codec="psv-lenient" reads'):
            to_arrow(records, profile)
        table = to_arrow(records, profile, codec="psv-lenient")
        back = from_arrow(table)
        assert (back["sfen"] == (records["sfen"] if profile == "packed" else strict)).all()
    assert (from_arrow(to_arrow(records, "packed", codec="psv-lenient"), codec="psv-lenient")["sfen"] == strict).all()
    assert write_parquet(records, tmp_path / "a.parquet", codec="psv-lenient") == 1
    with pytest.raises(ValueError, match="hcp"):
        to_arrow(records, "text", codec="hcp")


def test_an_empty_file_is_an_input_however_it_is_given(psv: Any, tmp_path: Any) -> None:
    psv[:0].tofile(tmp_path / "empty.psv")
    path = tmp_path / "empty.psv"
    for number, inputs in enumerate([path, [path], komabako.open(path), [komabako.open(path)], psv[:0]]):
        assert write_parquet(inputs, tmp_path / f"{number}.parquet") == 0
        assert len(from_arrow(read_parquet(tmp_path / f"{number}.parquet"))) == 0
    assert write_parquet([komabako.open(path), psv[:3]], tmp_path / "a.parquet") == 3
    with pytest.raises(ValueError, match="no inputs"):
        write_parquet(iter([]), tmp_path / "b.parquet")


def test_calls_with_the_same_output_do_not_disturb_each_other(psv: Any, tmp_path: Any) -> None:
    out = tmp_path / "a.parquet"

    def interrupted(force: bool) -> Any:
        yield psv[:500]
        assert write_parquet(psv[1_000:], out, rows=500, force=force) == 1_000
        yield psv[500:1_000]

    with pytest.raises(komabako.errors.FormatError) as raised:
        write_parquet(interrupted(False), out, rows=500)
    assert raised.value.kind == "exists" and (from_arrow(read_parquet(out)) == psv[1_000:]).all()
    assert write_parquet(interrupted(True), out, rows=500, force=True) == 1_000
    assert (from_arrow(read_parquet(out)) == psv[:1_000]).all()
    assert os.listdir(tmp_path) == ["a.parquet"]

    def write(number: int) -> None:
        try:
            write_parquet([psv[number * 250 :][:250]] * 8, tmp_path / "b.parquet", rows=100)
            written.append(number)
        except komabako.errors.FormatError as error:
            assert error.kind == "exists"

    written: List[int] = []
    threads = [threading.Thread(target=write, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    (number,) = written
    assert (from_arrow(read_parquet(tmp_path / "b.parquet")) == np.tile(psv[number * 250 :][:250], 8)).all()


@pytest.mark.parametrize("has_links", [True, False])
def test_a_file_that_appears_meanwhile_is_kept(has_links: bool, tmp_path: Any, monkeypatch: Any) -> None:
    def fails(source: Any, target: Any) -> None:
        raise PermissionError("this file system has no links")

    if not has_links:
        monkeypatch.setattr(os, "link", fails)
    path = tmp_path / "a"
    with pytest.raises(komabako.errors.FormatError):
        with unfinished_file(path, force=False) as unfinished:
            unfinished.write_bytes(b"ours")
            path.write_bytes(b"theirs")
    assert path.read_bytes() == b"theirs" and os.listdir(tmp_path) == ["a"]
    with unfinished_file(path, force=True) as unfinished:
        unfinished.write_bytes(b"ours")
    with unfinished_file(tmp_path / "b", force=False) as unfinished:
        unfinished.write_bytes(b"ours")
    assert sorted(os.listdir(tmp_path)) == ["a", "b"] and path.read_bytes() == Path(tmp_path / "b").read_bytes() == b"ours"
    (tmp_path / "c").touch()
    assert path.stat().st_mode == (tmp_path / "c").stat().st_mode
