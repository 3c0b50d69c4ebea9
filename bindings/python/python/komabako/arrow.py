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
import re
import warnings
from pathlib import Path
from typing import Any, Callable, Dict, Iterable, Iterator, Optional, Sequence, Tuple, Union

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from . import _native, _stores
from ._buffers import fixed_size_rows
from ._native import __version__
from ._pieces import groups, locate
from ._whole import already_exists, unfinished_file
from .dtypes import DTYPES, Dtype, HuffmanCodedPosAndEval, Layout, PackedSfenValue, layout_of
from .errors import DecodeError, EncodeError, KomabakoError, LeftOutWarning
from .files import PathLike
from .moves import move16, moves_from_usi, moves_to_usi
from .positions import decode_board, encode_board, from_sfen, recode, to_sfen
from .training import targets

PROFILES = ("record", "packed", "board", "text")

#: The results of the profile `text`, in the order of its dictionary.
_RESULTS = ("loss", "draw", "win")

#: The fields of the score and the ply, by format.
_SCORE = {"psv": "score", "hcpe": "eval", "compact36": "score", "compact32": "score", "ext36": "score"}
_PLY = {"psv": "gamePly", "compact36": "ply"}

#: The columns that have the position, by the one that tells the profile.
_POSITION = {"record": ("record",), "position": ("position",), "board": ("board", "hands", "side"), "sfen": ("sfen",)}

#: The codecs of positions in records that keep a label in the bytes of the position.
_WITHOUT_LABEL = {"c250-payload": "c250", "r238-result": "r238"}


def _binary(rows: NDArray[Any], size: int) -> Any:
    """Return rows of bytes as an Arrow array, without a copy if they are contiguous."""
    rows = np.ascontiguousarray(rows)
    return pa.Array.from_buffers(pa.binary(size), len(rows), [None, pa.py_buffer(rows)])


def _bytes_of(column: Any, size: int) -> NDArray[np.uint8]:
    chunks = [fixed_size_rows(chunk, size) for chunk in column.chunks]
    return np.concatenate(chunks) if chunks else np.empty((0, size), np.uint8)


def _field(name: str, kind: Any, **metadata: str) -> Any:
    return pa.field(name, kind, metadata={f"komabako.{key}": value for key, value in metadata.items()} or None)


_SKIP = 'on_error="skip" leaves bad records out'
_OTHER_DTYPE = "dtype=komabako.dtypes.Ext36 or komabako.dtypes.SspfExt can represent it"
_LENIENT = 'codec="psv-lenient" reads PSV of older programs'
#: The faults of positions that only the words of SSPFv1's extension, C250 and R238 can represent.
_NEED_EXT = ("KING_MISSING", "PIECE_REMOVED")


class _Checks:
    """Calls batch functions for a table: raises for a bad record, or marks it to be left out.

    ``size`` is the size of the records, or None if they are rows of a table, which have no bytes to name.
    """

    def __init__(self, count: int, on_error: str, size: Optional[int] = None) -> None:
        if on_error not in ("raise", "skip"):
            raise ValueError(f'on_error is "raise" or "skip", not {on_error!r}')
        self.skips, self._size = on_error == "skip", size
        self.good = np.ones(count, np.bool_)

    def call(self, function: Callable[..., Any], *arguments: Any, numbers: Any = None, offset: int = 0, **options: Any) -> Any:
        """Call a function for all records, or those with some numbers. ``offset`` is that of the bytes that it reads of a record."""
        if self.skips:
            result, faults = function(*arguments, on_error="mask", **options)
            bad = np.flatnonzero(faults)
            self.good[bad if numbers is None else numbers[bad]] = False
            return result
        try:
            return function(*arguments, **options)
        except (DecodeError, EncodeError) as error:
            if numbers is not None:
                error.record = int(numbers[error.record])
            if isinstance(error, DecodeError):
                error.byte = None if self._size is None else error.record * self._size + offset
            error.advice = _SKIP
            if self._size is None and error.fault in _NEED_EXT:
                error.advice = _OTHER_DTYPE
            elif self._size is not None and error.fault == "TAIL_ORDER":
                error.advice = _LENIENT
            raise

    def refuse(self, bad: Any, fault: str, text: Callable[[int], str]) -> None:
        """Raise `EncodeError` for the first bad record, or mark all of them."""
        if self.skips:
            self.good &= ~bad
        elif bad.any():
            record = int(np.argmax(bad))
            error = EncodeError(record, fault, text(record))
            error.advice = _SKIP
            raise error


def _result(records: Any, codec: Optional[str], checks: _Checks) -> Any:
    """Return the results for the side to move: 1 win, 0 draw, -1 loss, null if unknown."""
    result = checks.call(targets, records, codec=codec).result
    known = ~np.isnan(result)
    return pa.array(np.where(known, result * 2 - 1, 0).astype(np.int8), mask=~known)


def to_arrow(
    records: Any, profile: str = "packed", source: str = "", *, codec: Optional[str] = None, on_error: str = "raise"
) -> Any:
    """Convert records to a `pyarrow.Table` with the columns of a profile.

    Parameters
    ----------
    records
        Records of a known dtype.
    profile
        ``"record"``, which checks nothing, ``"packed"``, ``"board"`` or ``"text"``.
    source
        Where the records are from, for the metadata.
    codec
        ``"psv-lenient"`` reads PSV of older programs; the profiles `record` and `packed` keep its bytes.
    on_error
        ``"raise"``, or ``"skip"`` to leave out bad records, which a `LeftOutWarning` counts: positions that do not decode, invalid
        results, and, in the profiles `board` and `text`, moves that `from_arrow` would refuse.

    Returns
    -------
    pyarrow.Table
        A row for each record.

    Raises
    ------
    DecodeError
        For a bad record.

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
    table = _table_of(records, profile, source, codec=codec, on_error=on_error)
    _warn(len(records) - len(table))
    return table


def _warn(left_out: int) -> None:
    """Say how many records the caller of the public function does not get."""
    if left_out:
        warnings.warn(f"left out {left_out} bad records", LeftOutWarning, stacklevel=3)


def _table_of(records: Any, profile: str, source: str, *, codec: Optional[str], on_error: str) -> Any:
    """`to_arrow` without the warning."""
    if profile not in PROFILES:
        raise ValueError(f"profile is one of {', '.join(PROFILES)}, not {profile!r}")
    rows = _native.record_bytes(records, codec, "to_arrow")
    array: NDArray[Any] = records
    layout = _layout(array.dtype)
    size = array.dtype.itemsize
    checks = _Checks(len(array), on_error, size)
    columns: Dict[Any, Any] = {}
    if profile == "record":
        columns[_field("record", pa.binary(size), codec=layout.codec, format=layout.format)] = _binary(rows, size)
        return _table(columns, layout.format, source)

    if profile == "packed":
        if layout.codec not in ("psv", "hcp"):
            raise ValueError(f"the profile packed holds words of psv or hcp; recode the records of {layout.format} first")
        position = _field("position", pa.binary(32), codec=layout.codec)
        columns[position] = _binary(rows[:, :32], 32)
    elif profile == "board":
        boards = checks.call(decode_board, array, codec=codec)
        columns[_field("board", pa.binary(81))] = _binary(boards.board, 81)
        columns[_field("hands", pa.binary(14))] = _binary(boards.hands, 14)
        columns[_field("side", pa.bool_())] = pa.array(boards.side != 0)
    else:
        columns[_field("sfen", pa.string())] = pa.array(checks.call(to_sfen, array, codec=codec), pa.string())
    moves = None if layout.move is None else array[layout.move].view(np.uint16)
    place = 0 if layout.move is None or array.dtype.fields is None else array.dtype.fields[layout.move][1]
    if profile == "text":
        texts = [None] * len(array) if moves is None else checks.call(moves_to_usi, moves, layout.encoding, offset=place)
        texts = [None if text in (None, "none") else text for text in texts]
        columns[_field("move", pa.string())] = pa.array(texts, pa.string())
    columns[_field("score", pa.int16())] = _known(array, _SCORE.get(layout.format), pa.int16())
    if profile != "text":
        if profile == "board" and moves is not None and layout.encoding != "A":
            # The records that `from_arrow` makes of boards have moves in A.
            checks.call(move16, moves, layout.encoding, "A", offset=place)
        moves16 = pa.nulls(len(array), pa.uint16()) if moves is None else pa.array(moves, mask=moves == 0)
        columns[_field("move16", pa.uint16(), move_encoding=layout.encoding)] = moves16
    ply = _PLY.get(layout.format)
    plies = pa.nulls(len(array), pa.uint16()) if ply is None else pa.array(array[ply], mask=array[ply] == 0)
    columns[_field("ply", pa.uint16())] = plies
    result = _result(array, codec, checks)
    if profile == "text":
        numbers = pa.array(np.asarray(result.fill_null(0)) + np.int8(1), mask=np.asarray(result.is_null()))
        result = pa.DictionaryArray.from_arrays(numbers, pa.array(_RESULTS))
    columns[_field("result", result.type, result="side-to-move")] = result
    table = _table(columns, layout.format, source)
    return table if checks.good.all() else table.filter(pa.array(checks.good))


def _known(records: Any, field: Optional[str], kind: Any) -> Any:
    return pa.nulls(len(records), kind) if field is None else pa.array(np.ascontiguousarray(records[field]), kind)


def _table(columns: Dict[Any, Any], format: str, source: str) -> Any:
    metadata = {"komabako.version": __version__, "komabako.format": format, "komabako.source": source}
    return pa.table(list(columns.values()), schema=pa.schema(list(columns), metadata=metadata))


def from_arrow(
    table: Any,
    dtype: Optional[Dtype] = None,
    *,
    codec: Optional[str] = None,
    encoding: Optional[str] = None,
    on_error: str = "raise",
) -> NDArray[Any]:
    """Convert a table of any profile to records.

    Columns for which the dtype has no field are left out. Unknown labels become 0. In tables of Polars and DuckDB the metadata is lost:
    they need ``codec`` and ``encoding``, in the profile `record` ``dtype``.

    Parameters
    ----------
    table
        A table with the columns of a profile, or what `pyarrow.table` takes.
    dtype
        The dtype of the records. By default it is the original one for the profile `record`, `HuffmanCodedPosAndEval` for positions
        packed with hcp, and `PackedSfenValue` otherwise. Positions that PSV cannot represent, such as tsume problems, need another, such
        as `Ext36`.
    codec
        The codec of the column ``position``.
    encoding
        The encoding of the column ``move16``.
    on_error
        ``"raise"``, or ``"skip"`` to leave out bad rows.

    Returns
    -------
    NDArray
        Records.

    Raises
    ------
    DecodeError, EncodeError
        For a bad row.
    ValueError
        For a table of no profile, or one that does not say what is needed.

    Examples
    --------
    >>> import komabako
    >>> from komabako.arrow import from_arrow, to_arrow
    >>> from_arrow(to_arrow(komabako.Position().record(score=30)))["score"].tolist()
    [30]
    """
    if not isinstance(table, pa.Table):
        table = pa.table(table)
    names = set(table.column_names)
    kind = next((name for name in _POSITION if name in names), None)
    if kind is None:
        raise ValueError(f"no profile has the columns {table.column_names}")
    for name in _POSITION[kind]:
        if name not in names:
            raise KomabakoError(f"a table with the column {kind} needs the column {name} too")
    if codec is not None and kind != "position":
        raise ValueError("codec= is the codec of the column position, which the table does not have; dtype= is that of the records")
    rows = len(table)
    table = _without_nulls(table, _POSITION[kind], on_error)
    if kind == "record":
        _warn(rows - len(table))
        return _whole_records(table, dtype)
    checks = _Checks(len(table), on_error)
    if kind == "position":
        codec = _setting(table.field("position"), "codec", "codec", codec, "psv")
    if dtype is None:
        if codec not in (None, "psv", "psv-lenient", "hcp"):
            raise ValueError(f"positions packed by {codec!r} have no records by default: give dtype=")
        dtype = HuffmanCodedPosAndEval if codec == "hcp" else PackedSfenValue
    layout = _layout(dtype)
    records = np.zeros(len(table), dtype)
    target = _WITHOUT_LABEL.get(layout.codec, layout.codec)
    words = _words(table, kind, codec, target, checks)
    assert records.dtype.names is not None
    records[records.dtype.names[0]] = words
    if layout.move is not None:
        records[layout.move] = _moves(table, encoding, layout, checks).view(records.dtype[layout.move])
    for column, field in (("score", _SCORE.get(layout.format)), ("ply", _PLY.get(layout.format))):
        if field is not None and column in names:
            records[field] = _numbers(table, column, records.dtype[field], checks)
        elif column == "ply" and field is not None and kind == "sfen":
            records[field] = [_ply(text) for text in table["sfen"].to_pylist()]
    if "result" in names:
        _set_results(records, layout, words, target, _results(table["result"], checks), checks)
    if not checks.good.all():
        records = records[checks.good]
    _warn(rows - len(records))
    return records


def _layout(dtype: Dtype) -> Layout:
    layout = layout_of(np.dtype(dtype))
    if layout is None:
        raise ValueError(f"the dtype {dtype} is not one of komabako's")
    return layout


def _without_nulls(table: Any, names: Iterable[str], on_error: str) -> Any:
    """Refuse rows without a position, or leave them out."""
    checks = _Checks(len(table), on_error)
    for name in names:
        if table[name].null_count:
            checks.refuse(np.asarray(table[name].is_null()), "OTHER", lambda record: f"{name} is null")
    return table if checks.good.all() else table.filter(pa.array(checks.good))


def _words(table: Any, kind: str, codec: Optional[str], target: str, checks: _Checks) -> NDArray[np.uint8]:
    """Return the positions of a table, packed by the codec ``target``."""
    words: NDArray[np.uint8]
    if kind == "position":
        assert codec is not None
        words = _bytes_of(table["position"], _native.word_size(codec))
        if codec != target:
            words = checks.call(recode, words, target, codec=codec)
    elif kind == "board":
        hands = _bytes_of(table["hands"], 14).reshape(-1, 2, 7)
        side = _numbers(table, "side", np.uint8, checks)
        words = checks.call(encode_board, _bytes_of(table["board"], 81), hands, side, target)
    else:
        words = checks.call(from_sfen, table["sfen"].to_pylist(), target)
    return words


def _moves(table: Any, encoding: Optional[str], layout: Layout, checks: _Checks) -> NDArray[np.uint16]:
    """Return the moves of a table in the encoding of a layout, 0 if unknown."""
    moves = np.zeros(len(table), np.uint16)
    if "move16" in table.column_names:
        column = table["move16"]
        if column.null_count < len(column):
            source = _setting(table.field("move16"), "move_encoding", "encoding", encoding, "A")
            moves = _numbers(table, "move16", np.uint16, checks)
            if source != layout.encoding:
                moves = checks.call(move16, moves, source, layout.encoding)
    elif "move" in table.column_names:
        texts = [text or "none" for text in table["move"].to_pylist()]
        moves = checks.call(moves_from_usi, texts, layout.encoding)
    return moves


def _set_results(
    records: Any, layout: Layout, words: NDArray[np.uint8], codec: str, result: NDArray[np.int8], checks: _Checks
) -> None:
    """Set the results of records, given for the side to move."""
    if layout.format == "psv":
        records["game_result"] = result
        return
    if layout.format != "hcpe" and layout.codec != "r238-result":
        return
    # 1: Black won, 2: White won. White (side 1) swaps the two.
    decided = np.flatnonzero(result)
    side = checks.call(decode_board, words[decided], codec=codec, numbers=decided).side
    absolute = np.zeros(len(result), np.uint8)
    absolute[decided] = 1 + ((result[decided] < 0) ^ (side == 1))
    if layout.format == "hcpe":
        records["gameResult"] = absolute
    else:
        # In the two bits that a rank leaves free.
        records["rank_and_result"][:, 29] |= absolute << 6


def _whole_records(table: Any, dtype: Optional[Dtype]) -> NDArray[Any]:
    format = _metadata(table.field("record"), "format")
    own: Optional[Dtype] = None if format is None else DTYPES.get(format)
    if dtype is None:
        dtype = own
    elif own is not None and _layout(own) != _layout(dtype):
        raise ValueError(f"the column record has records of {format}: convert them by komabako.recode")
    if dtype is None:
        raise KomabakoError(
            "the column record does not say its format: give dtype= (Polars and DuckDB drop the metadata komabako.format)"
        )
    _layout(dtype)
    return _bytes_of(table["record"], np.dtype(dtype).itemsize).reshape(-1).view(dtype)


def _setting(field: Any, name: str, argument: str, given: Optional[str], example: str) -> str:
    """Return a setting from the metadata of a field, or else the argument."""
    found = _metadata(field, name)
    if found is None and given is None:
        raise KomabakoError(
            f'the column {field.name} does not say its {argument}: give it, such as {argument}="{example}" '
            f"(Polars and DuckDB drop the metadata komabako.{name})"
        )
    if found is not None and given is not None and found != given and (given, found) != ("psv-lenient", "psv"):
        raise ValueError(f"{argument}={given!r} was given for the column {field.name}, whose metadata says {found!r}")
    setting = given or found
    assert setting is not None
    return setting


def _metadata(field: Any, name: str) -> Optional[str]:
    value: Optional[bytes] = (field.metadata or {}).get(f"komabako.{name}".encode())
    return None if value is None else value.decode()


def _numbers(table: Any, name: str, dtype: Any, checks: _Checks) -> Any:
    """Return a column of integers, 0 for nulls."""
    column, kind = table[name], pa.from_numpy_dtype(dtype)
    try:
        return np.asarray(column.cast(kind).fill_null(0), dtype)
    except pa.ArrowInvalid:
        if not pa.types.is_integer(column.type) and not pa.types.is_floating(column.type):
            raise
    least, most = np.iinfo(dtype).min, np.iinfo(dtype).max
    values = column.fill_null(0).to_pylist()
    is_good = np.array([least <= value <= most and value == int(value) for value in values])
    checks.refuse(~is_good, "OTHER", lambda record: f"{name} is an integer from {least} to {most}, not {values[record]}")
    return np.array([int(value) if good else 0 for value, good in zip(values, is_good)], dtype)


def _ply(sfen: str) -> int:
    """Return the ply at the end of SFEN text, 0 if there is none."""
    found = re.search(r" ([0-9]{1,5})$", sfen)
    ply = 0 if found is None else int(found[1])
    return ply if ply < 1 << 16 else 0


def _results(column: Any, checks: _Checks) -> NDArray[np.int8]:
    if pa.types.is_integer(column.type) or pa.types.is_floating(column.type):
        numbers = np.asarray(column.fill_null(0))
        bad = ~np.isin(numbers, (-1, 0, 1))
        checks.refuse(bad, "RESULT", lambda record: f"a result is 1, 0 or -1, not {numbers[record]}")
        signs: NDArray[np.int8] = np.where(bad, 0, numbers).astype(np.int8)
        return signs
    # Not by a cast: Arrow has none for the dictionaries of Polars.
    values = column.to_pylist()
    codes: Dict[Optional[str], int] = {None: 0}
    codes.update((text, index - 1) for index, text in enumerate(_RESULTS))
    bad = np.array([value not in codes for value in values], np.bool_)
    checks.refuse(bad, "RESULT", lambda record: f"a result is one of {', '.join(_RESULTS)}, not {values[record]!r}")
    return np.array([codes.get(value, 0) for value in values], np.int8)


def write_parquet(
    inputs: Union[Any, Sequence[Any]],
    out: PathLike,
    profile: str = "text",
    rows: int = 100_000,
    *,
    source: str = "",
    force: bool = False,
    codec: Optional[str] = None,
    on_error: str = "raise",
) -> int:
    """Write records (arrays or files, one or a list) to a Parquet file with row groups of ``rows`` rows.

    The file appears complete or not at all. Memory use is one row group. Compression is zstd level 3. The file has a page index, and page
    boundaries depend on the content (content-defined chunking), so that deduplicating stores find equal chunks.

    Parameters
    ----------
    inputs
        Arrays or files of records of one dtype, one or a list. Files may be URLs of object stores, as ``out`` may.
    out
        The file to write.
    profile, source, codec, on_error
        As for `to_arrow`.
    rows
        The rows of a row group.
    force
        Replace an existing file.

    Returns
    -------
    int
        The number of records.

    Raises
    ------
    FormatError
        If the file exists, or an input cannot be read.
    DecodeError
        For a bad record, named by its input and its number there.

    Examples
    --------
    >>> import komabako, pathlib, tempfile
    >>> from komabako.arrow import write_parquet
    >>> write_parquet(komabako.Position().record(), pathlib.Path(tempfile.mkdtemp(), "a.parquet"))
    1
    """
    if rows < 1:
        raise ValueError(f"rows is a number from 1, not {rows}")
    options = {"profile": profile, "source": source, "codec": codec, "on_error": on_error}
    if _stores.is_url(out):
        url = str(out)
        if not force and _stores.exists(url):
            raise already_exists(_stores.name_of(url))
        with _stores.Upload(url) as local:
            written, left_out = _write_groups(inputs, local, rows, options)
            if not force and _stores.exists(url):
                raise already_exists(_stores.name_of(url))
        _warn(left_out)
        return written
    out = Path(out)
    if out.exists() and not force:
        raise already_exists(out)
    with unfinished_file(out, force) as unfinished:
        written, left_out = _write_groups(inputs, unfinished, rows, options)
    _warn(left_out)
    return written


def _write_groups(inputs: Any, path: Path, rows: int, options: Dict[str, Any]) -> Tuple[int, int]:
    """Return the numbers of records that were written and left out."""
    # Opened here, since pyarrow opens only names that are Unicode text.
    with open(path, "wb") as file:
        return _write_to(file, inputs, rows, options)


def _write_to(file: Any, inputs: Any, rows: int, options: Dict[str, Any]) -> Tuple[int, int]:
    written, left_out, writer = 0, 0, None
    try:
        for pieces in groups(inputs, rows):
            # A view, since arrays with signed and unsigned moves have no dtype in common.
            dtype = pieces[0].records.dtype
            group = np.concatenate([piece.records.view(dtype) for piece in pieces])
            try:
                table = _table_of(group, **options)
            except (DecodeError, EncodeError) as error:
                locate(error, pieces, dtype.itemsize)
                raise
            if writer is None:
                writer = _writer(file, table.schema)
            writer.write_table(table, row_group_size=rows)
            written += len(table)
            left_out += len(group) - len(table)
    finally:
        if writer is not None:
            writer.close()
    return written, left_out


def _writer(file: Any, schema: Any) -> Any:
    return pq.ParquetWriter(
        file,
        schema,
        compression="zstd",
        compression_level=3,
        use_dictionary=[field.name for field in schema if pa.types.is_dictionary(field.type)],
        write_page_index=True,
        use_content_defined_chunking=True,
    )


def read_parquet(path: PathLike, columns: Optional[Sequence[str]] = None) -> Any:
    """Read a Parquet file. `from_arrow` converts the table to records.

    Parameters
    ----------
    path
        A path, or a URL of an object store.
    columns
        The names of the columns to read; None reads all.

    Returns
    -------
    pyarrow.Table
        The columns.

    Raises
    ------
    OSError
        If the file cannot be read.

    Examples
    --------
    >>> import komabako, pathlib, tempfile
    >>> from komabako.arrow import read_parquet, write_parquet
    >>> path = pathlib.Path(tempfile.mkdtemp(), "a.parquet")
    >>> _ = write_parquet(komabako.Position().record(), path)
    >>> read_parquet(path, ["ply"])["ply"].to_pylist()
    [1]
    """
    wanted = None if columns is None else list(columns)
    if _stores.is_url(path):
        with _stores.random(str(path)) as file:
            return pq.read_table(file, columns=wanted)
    return pq.read_table(os.fspath(path), columns=wanted)


def iter_parquet(path: PathLike, rows: int = 100_000, columns: Optional[Sequence[str]] = None) -> Iterator[Any]:
    """Read a Parquet file as one table after the other. Memory use is one row group, not the file.

    Parameters
    ----------
    path, columns
        As for `read_parquet`.
    rows
        The most rows of a table.

    Returns
    -------
    Iterator[pyarrow.Table]
        Tables, in order.

    Raises
    ------
    OSError
        If the file cannot be read.

    Examples
    --------
    >>> import komabako, pathlib, tempfile
    >>> from komabako.arrow import iter_parquet, write_parquet
    >>> path = pathlib.Path(tempfile.mkdtemp(), "a.parquet")
    >>> _ = write_parquet(komabako.Position().record(), path)
    >>> [len(table) for table in iter_parquet(path)]
    [1]
    """
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
