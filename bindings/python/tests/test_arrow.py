"""Arrow and Parquet profiles."""

from __future__ import annotations

import os
from typing import Any

import numpy as np
import pytest

import komabako

from conftest import ROOT

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")

from komabako.arrow import PROFILES, from_arrow, iter_parquet, read_parquet, to_arrow, write_parquet  # noqa: E402


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
    assert (from_arrow(viewed)["sfen"] == psv["sfen"]).all()
    viewed = table.set_column(0, "position", table["position"].cast(pa.binary()).cast(pa.binary_view()))
    assert (from_arrow(viewed)["sfen"] == psv["sfen"]).all()


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
    with pytest.raises(komabako.EncodeError):
        from_arrow(pa.table({"sfen": ["nonsense"]}))


def test_failed_write_leaves_no_file(psv: Any, tmp_path: Any) -> None:
    records = psv[:600].copy()
    records["sfen"][500] = 0xFF
    with pytest.raises(komabako.DecodeError):
        write_parquet(records, tmp_path / "a.parquet", "text", rows=100)
    assert os.listdir(tmp_path) == []
    (tmp_path / "a.parquet").write_bytes(b"mine")
    with pytest.raises(komabako.FormatError) as raised:
        write_parquet(psv, tmp_path / "a.parquet")
    assert raised.value.kind == "exists" and (tmp_path / "a.parquet").read_bytes() == b"mine"
    write_parquet(psv, tmp_path / "a.parquet", force=True)
    assert len(read_parquet(tmp_path / "a.parquet", ["score"])) == len(psv)
