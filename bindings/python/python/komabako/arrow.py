"""Converts records to and from Arrow tables and Parquet files with pyarrow: `pip install "./bindings/python[arrow]"` from a clone.

| profile | columns | use |
|---|---|---|
| ``record`` | ``record`` | transport: lossless |
| ``packed`` | ``position``, ``score``, ``move16``, ``ply``, ``result`` | training, joins |
| ``board`` | ``board``, ``hands``, ``side``, and the labels of ``packed`` | the smallest in game order; SQL over squares |
| ``text`` | ``sfen``, ``move``, ``score``, ``ply``, ``result`` | publishing: readable in every Parquet viewer |

The metadata of a field says how to interpret it: ``komabako.codec``, ``komabako.move_encoding``, ``komabako.result``. ``result`` is
from the view of the side to move: 1, 0, -1, or ``win``, ``draw``, ``loss``. Unknown values are null. All profiles except ``record``
lose the padding of records.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, Dict, Iterable, Iterator, List, Optional, Sequence, Union

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from . import __version__, _stores
from ._arguments import records as records_of
from .dtypes import DTYPES, Dtype, HuffmanCodedPosAndEval, PackedSfenValue
from .errors import FormatError
from .files import PathLike, records_in
from .moves import move16, moves_from_usi, moves_to_usi
from .positions import decode_board, encode_board, from_sfen, to_sfen
from .training import targets

PROFILES = ("record", "packed", "board", "text")

#: The results of the profile `text`, in the order of its dictionary.
_RESULTS = ("loss", "draw", "win")

#: The fields of the score and the ply, by format.
_SCORE = {"psv": "score", "hcpe": "eval", "compact36": "score", "compact32": "score", "ext36": "score"}
_PLY = {"psv": "gamePly", "compact36": "ply"}


def fixed_size_rows(array: Any, size: int) -> NDArray[np.uint8]:
    """Return the bytes of an Arrow array, or a stream of arrays, of binary values of one size as u1[n,size].

    Nothing is copied, except to join the arrays of a stream, and values of the type ``binary_view``.
    """
    if not hasattr(array, "__arrow_c_array__"):
        stream = pa.chunked_array(array)
        parts = [fixed_size_rows(part, size) for part in stream.chunks or [pa.array([], stream.type)]]
        return parts[0] if len(parts) == 1 else np.concatenate(parts)
    column = pa.array(array)
    if column.null_count:
        raise ValueError("the Arrow array has nulls")
    kind = column.type
    if pa.types.is_binary_view(kind):
        # Polars exports columns in this type, whose values need not be consecutive.
        column, kind = column.cast(pa.large_binary()), pa.large_binary()
    if pa.types.is_fixed_size_binary(kind) and kind.byte_width == size:
        data = column.buffers()[1]
        start = column.offset * size
    elif pa.types.is_binary(kind) or pa.types.is_large_binary(kind):
        wide = np.int64 if pa.types.is_large_binary(kind) else np.int32
        offsets = np.frombuffer(column.buffers()[1] or b"", wide)[column.offset :][: len(column) + 1]
        if len(column) and not (np.diff(offsets) == size).all():
            raise ValueError(f"the Arrow array has values that are not of {size} bytes")
        data = column.buffers()[2]
        start = int(offsets[0]) if len(column) else 0
    else:
        raise ValueError(f"an Arrow array of positions is binary of {size} bytes, not {kind}")
    if not len(column):
        return np.empty((0, size), np.uint8)
    return np.frombuffer(data, np.uint8, len(column) * size, start).reshape(-1, size)


def _binary(rows: NDArray[Any], size: int) -> Any:
    """Return rows of bytes as an Arrow array, without a copy if they are contiguous."""
    rows = np.ascontiguousarray(rows)
    return pa.Array.from_buffers(pa.binary(size), len(rows), [None, pa.py_buffer(rows)])


def _bytes_of(column: Any, size: int) -> NDArray[np.uint8]:
    chunks = [fixed_size_rows(chunk, size) for chunk in column.chunks]
    return np.concatenate(chunks) if chunks else np.empty((0, size), np.uint8)


def _field(name: str, kind: Any, **metadata: str) -> Any:
    return pa.field(name, kind, metadata={f"komabako.{key}": value for key, value in metadata.items()} or None)


def _result(records: Any) -> Any:
    """Return the results for the side to move: 1 win, 0 draw, -1 loss, null if unknown."""
    value = targets(records).result
    known = ~np.isnan(value)
    return pa.array(np.where(known, value * 2 - 1, 0).astype(np.int8), mask=~known)


def to_arrow(records: Any, profile: str = "packed", source: str = "") -> Any:
    """Convert records to a `pyarrow.Table` with the columns of a profile.

    Examples
    --------
    >>> import numpy as np, komabako
    >>> from komabako.arrow import from_arrow, to_arrow
    >>> records = np.zeros(1, komabako.PackedSfenValue)
    >>> records["sfen"] = komabako.from_sfen(["startpos"], "psv")
    >>> table = to_arrow(records, "text")
    >>> table.column_names, table["result"].to_pylist()
    (['sfen', 'move', 'score', 'ply', 'result'], ['draw'])
    >>> bool((from_arrow(table) == records).all())
    True
    """
    if profile not in PROFILES:
        raise ValueError(f"profile is one of {', '.join(PROFILES)}, not {profile!r}")
    rows = records_of(records, "to_arrow")
    layout, array = rows.layout, rows.records
    assert layout is not None and array is not None
    columns: Dict[Any, Any] = {}
    if profile == "record":
        size = array.dtype.itemsize
        columns[_field("record", pa.binary(size), codec=layout.codec, format=layout.format)] = _binary(rows.bytes, size)
        return _table(columns, layout.format, source)

    if profile == "packed":
        if layout.codec not in ("psv", "hcp"):
            raise ValueError(f"the profile packed holds words of psv or hcp; recode the records of {layout.format} first")
        position = _field("position", pa.binary(32), codec=layout.codec)
        columns[position] = _binary(rows.bytes[:, :32], 32)
    elif profile == "board":
        boards = decode_board(array)
        columns[_field("board", pa.binary(81))] = _binary(boards.board, 81)
        columns[_field("hands", pa.binary(14))] = _binary(boards.hands, 14)
        columns[_field("side", pa.bool_())] = pa.array(boards.side != 0)
    else:
        columns[_field("sfen", pa.string())] = pa.array(to_sfen(array), pa.string())
    moves = None if layout.move is None else array[layout.move].view(np.uint16)
    if profile == "text":
        texts = [None] * len(array) if moves is None else moves_to_usi(moves, layout.encoding)
        texts = [None if text in (None, "none") else text for text in texts]
        columns[_field("move", pa.string())] = pa.array(texts, pa.string())
    columns[_field("score", pa.int16())] = _known(array, _SCORE.get(layout.format), pa.int16())
    if profile != "text":
        moves16 = pa.nulls(len(array), pa.uint16()) if moves is None else pa.array(moves, mask=moves == 0)
        columns[_field("move16", pa.uint16(), move_encoding=layout.encoding)] = moves16
    ply = _PLY.get(layout.format)
    plies = pa.nulls(len(array), pa.uint16()) if ply is None else pa.array(array[ply], mask=array[ply] == 0)
    columns[_field("ply", pa.uint16())] = plies
    result = _result(array)
    if profile == "text":
        numbers = pa.array(np.asarray(result.fill_null(0)) + np.int8(1), mask=np.asarray(result.is_null()))
        result = pa.DictionaryArray.from_arrays(numbers, pa.array(_RESULTS))
    columns[_field("result", result.type, result="side-to-move")] = result
    return _table(columns, layout.format, source)


def _known(records: Any, field: Optional[str], kind: Any) -> Any:
    return pa.nulls(len(records), kind) if field is None else pa.array(np.ascontiguousarray(records[field]), kind)


def _table(columns: Dict[Any, Any], format: str, source: str) -> Any:
    metadata = {"komabako.version": __version__, "komabako.format": format, "komabako.source": source}
    return pa.table(list(columns.values()), schema=pa.schema(list(columns), metadata=metadata))


def from_arrow(table: Any) -> NDArray[Any]:
    """Convert a table of any profile to records.

    The dtype is the original one for the profile `record`, `HuffmanCodedPosAndEval` for positions packed with hcp, and
    `PackedSfenValue` otherwise. Unknown labels become 0.
    """
    if not isinstance(table, pa.Table):
        table = pa.table(table)
    names = set(table.column_names)
    if "record" in names:
        return _whole_records(table)
    codec = "psv"
    if "position" in names:
        codec = _metadata(table.field("position"), "codec", "psv")
        words = _bytes_of(table["position"], 32)
    elif "board" in names:
        hands = _bytes_of(table["hands"], 14).reshape(-1, 2, 7)
        words = encode_board(_bytes_of(table["board"], 81), hands, _numbers(table["side"], np.uint8), codec)
    elif "sfen" in names:
        words = from_sfen(table["sfen"].to_pylist(), codec)
    else:
        raise ValueError(f"no profile has the columns {table.column_names}")
    if codec not in ("psv", "hcp"):
        raise ValueError(f"positions packed by {codec!r} have no records")
    records = np.zeros(len(words), PackedSfenValue if codec == "psv" else HuffmanCodedPosAndEval)
    target = "A" if codec == "psv" else "C"
    if "move16" in names:
        source = _metadata(table.field("move16"), "move_encoding", "A")
        moves = _numbers(table["move16"], np.uint16)
        moves = moves if source == target else move16(moves, source, target)
    elif "move" in names:
        moves = moves_from_usi([text or "none" for text in table["move"].to_pylist()], target)
    else:
        moves = np.zeros(len(words), np.uint16)
    result = _results(table["result"]) if "result" in names else np.zeros(len(words), np.int8)
    score = _numbers(table["score"], np.int16) if "score" in names else np.zeros(len(words), np.int16)
    if codec == "psv":
        records["sfen"], records["score"], records["move"], records["game_result"] = words, score, moves, result
        if "ply" in names:
            records["gamePly"] = _numbers(table["ply"], np.uint16)
    else:
        records["hcp"], records["eval"], records["bestMove16"] = words, score, moves.view(np.int16)
        # 1: Black won, 2: White won. `result` is for the side to move, so White (side 1) swaps the two.
        side = decode_board(words, codec="hcp").side
        records["gameResult"] = np.where(result == 0, 0, 1 + ((result < 0) ^ (side == 1)))
    return records


def _whole_records(table: Any) -> NDArray[Any]:
    format = _metadata(table.field("record"), "format", "")
    dtype: Optional[Dtype] = DTYPES.get(format)
    if dtype is None:
        raise ValueError("the field record does not say its format (komabako.format)")
    return _bytes_of(table["record"], dtype.itemsize).reshape(-1).view(dtype)


def _metadata(field: Any, name: str, default: str) -> str:
    value = (field.metadata or {}).get(f"komabako.{name}".encode())
    return default if value is None else value.decode()


def _numbers(column: Any, dtype: Any) -> Any:
    return np.asarray(column.cast(pa.from_numpy_dtype(dtype)).fill_null(0), dtype)


def _results(column: Any) -> Any:
    if pa.types.is_integer(column.type):
        return _numbers(column, np.int8)
    texts = column.cast(pa.string()).to_pylist()
    unknown = set(texts) - {None, *_RESULTS}
    if unknown:
        raise ValueError(f"a result is one of {', '.join(_RESULTS)}, not {unknown.pop()!r}")
    return np.array([0 if text is None else _RESULTS.index(text) - 1 for text in texts], np.int8)


def write_parquet(
    inputs: Union[Any, Sequence[Any]],
    out: PathLike,
    profile: str = "text",
    rows: int = 100_000,
    *,
    source: str = "",
    force: bool = False,
) -> int:
    """Write records (arrays or files, one or a list) to a Parquet file with row groups of ``rows`` rows.

    Returns the number of records. Inputs and ``out`` may be URLs of object stores. The file appears complete or not at all; an
    existing file is replaced only with ``force``. Memory use is one row group. Compression is zstd level 3. The file has a page
    index, and page boundaries depend on the content (content-defined chunking), so that deduplicating stores find equal chunks.
    """
    if rows < 1:
        raise ValueError(f"rows is a number from 1, not {rows}")
    if _stores.is_url(out):
        url = str(out)
        if not force and _stores.exists(url):
            raise _already_exists(_stores.name_of(url))
        with _stores.Upload(url) as local:
            return _write_groups(inputs, local, profile, rows, source)
    out = Path(out)
    if out.exists() and not force:
        raise _already_exists(out)
    unfinished = out.with_name(f"{out.name}.{os.getpid()}.tmp")
    try:
        written = _write_groups(inputs, unfinished, profile, rows, source)
        if not force and out.exists():
            raise _already_exists(out)
        os.replace(unfinished, out)
    finally:
        if unfinished.exists():
            unfinished.unlink()
    return written


def _already_exists(path: Any) -> FormatError:
    return FormatError(str(path), "exists", f"{path}: already exists; force=True replaces it")


def _write_groups(inputs: Any, path: Path, profile: str, rows: int, source: str) -> int:
    written, writer = 0, None
    try:
        for group in _groups(inputs, rows):
            table = to_arrow(group, profile, source)
            if writer is None:
                writer = _writer(path, table.schema)
            writer.write_table(table, row_group_size=rows)
            written += len(table)
    finally:
        if writer is not None:
            writer.close()
    return written


def _groups(inputs: Any, rows: int) -> Iterator[Any]:
    """Yield the records of all inputs in groups of ``rows``, at least one group."""
    items: Iterable[Any] = [inputs] if isinstance(inputs, (str, os.PathLike, np.ndarray)) else inputs
    waiting: List[Any] = []
    count, empty, done = 0, None, False
    for item in items:
        records = item if isinstance(item, np.ndarray) else records_in(item)
        empty = records[:0]
        for first in range(0, len(records), rows):
            part = records[first : first + rows]
            while len(part):
                taken = part[: rows - count]
                waiting.append(taken)
                count, part = count + len(taken), part[len(taken) :]
                if count == rows:
                    yield np.concatenate(waiting)
                    waiting, count, done = [], 0, True
    if waiting:
        yield np.concatenate(waiting)
    elif not done:
        if empty is None:
            raise ValueError("no inputs")
        yield empty


def _writer(path: Path, schema: Any) -> Any:
    return pq.ParquetWriter(
        os.fspath(path),
        schema,
        compression="zstd",
        compression_level=3,
        use_dictionary=[field.name for field in schema if pa.types.is_dictionary(field.type)],
        write_page_index=True,
        use_content_defined_chunking=True,
    )


def read_parquet(path: PathLike, columns: Optional[Sequence[str]] = None) -> Any:
    """Read a Parquet file, which may be a URL of an object store, or some of its columns, as a `pyarrow.Table`.

    `from_arrow` converts the table to records.
    """
    wanted = None if columns is None else list(columns)
    if _stores.is_url(path):
        with _stores.random(str(path)) as file:
            return pq.read_table(file, columns=wanted)
    return pq.read_table(os.fspath(path), columns=wanted)


def iter_parquet(path: PathLike, rows: int = 100_000, columns: Optional[Sequence[str]] = None) -> Iterator[Any]:
    """Yield a Parquet file as tables of at most ``rows`` rows, in order. Memory use is one row group, not the file."""
    if rows < 1:
        raise ValueError(f"rows is a number from 1, not {rows}")
    wanted = None if columns is None else list(columns)
    with _stores.random(str(path)) if _stores.is_url(path) else open(path, "rb") as source:
        file = pq.ParquetFile(source)
        for group in range(file.num_row_groups):
            # Not `iter_batches`, which fetches all groups ahead.
            table = file.read_row_group(group, columns=wanted)
            for first in range(0, len(table), rows):
                yield table.slice(first, rows)
