"""The repository's published vectors, packed and unpacked."""

from __future__ import annotations

from typing import Any, Dict, List

import numpy as np
import pytest

import komabako

from conftest import ROOT

VECTORS = ROOT / "crates/komabako-testkit/vectors"
#: File, column, codec.
COLUMNS = [
    ("base_public", "packed_sfen_hex", "psv"),
    ("base_public", "hcp_hex", "hcp"),
    ("base_public", "sspfv1_hex", "sspfv1"),
    ("handicap_public", "psv", "psv"),
    ("handicap_public", "hcp", "hcp"),
    ("handicap_public", "sspfv1_ext", "sspfv1-ext"),
    ("ext_public", "sspfv1_ext_hex", "sspfv1-ext"),
    ("rank_public", "rank_hex_le30", "r238"),
    ("formats_public", "psv", "psv"),
    ("formats_public", "hcp", "hcp"),
    # Some positions lack pieces, so their words are of the extension.
    ("formats_public", "sspfv1", "sspfv1-ext"),
    ("formats_public", "nshogi", "nshogi"),
]


def table(name: str) -> List[Dict[str, str]]:
    with open(VECTORS / f"{name}.tsv", encoding="utf-8") as file:
        header = next(file).rstrip("\n").split("\t")
        return [dict(zip(header, line.rstrip("\n").split("\t"))) for line in file]


@pytest.mark.parametrize("name, column, codec", COLUMNS)
def test_known_words(name: str, column: str, codec: str) -> None:
    rows = [row for row in table(name) if row[column] != "-"]
    size = 30 if codec == "r238" else 32
    words: Any = np.frombuffer(bytes.fromhex("".join(row[column] for row in rows)), np.uint8).reshape(-1, size)
    sfens = [row["sfen"] for row in rows]
    assert len(sfens) and (komabako.from_sfen(sfens, codec) == words).all()
    # Some words have hands in another than the canonical order, so the comparison is of repacked words.
    assert (komabako.from_sfen(komabako.to_sfen(words, codec=codec), codec) == words).all()


def test_compact_words_have_a_payload() -> None:
    rows = table("compact_public")
    words = np.frombuffer(bytes.fromhex("".join(row["compact_hex"] for row in rows)), komabako.dtypes.C250)
    expected = komabako.from_sfen([row["sfen"] for row in rows], "sspfv1-ext")
    assert (komabako.records.canonical(words) == expected).all()
    # Without the dtype, words are plain positions, and a payload is a fault.
    faults = komabako.validate(words["word"], level="codec", codec="c250")
    payloads = np.array([int(row["payload"]) for row in rows])
    assert ((faults == komabako.errors.Fault.PAYLOAD) == (payloads != 0)).all()


def test_bad_words_are_refused_for_the_published_reason() -> None:
    codecs = {"ext": "sspfv1-ext", "c250": "c250", "base": "sspfv1"}
    for row in table("invalid_public"):
        word = np.frombuffer(bytes.fromhex(row["hex"]), np.uint8).reshape(1, -1)
        _, faults = komabako.decode_board(word, codec=codecs[row["codec"]], on_error="mask")
        assert komabako.errors.Fault(faults[0]).name == row["error"], row


def test_known_records() -> None:
    rows = table("records_public")
    assert rows
    sizes = {40: komabako.PackedSfenValue, 38: komabako.HuffmanCodedPosAndEval}
    for row in rows:
        cells = [bytes.fromhex(cell) for name, cell in row.items() if len(cell) in (80, 76) and name != "sfen"]
        records = [np.frombuffer(cell, sizes[len(cell)]) for cell in cells]
        assert len(records) == 2
        keys = [komabako.key128(record).tolist() for record in records]
        assert keys[0] == keys[1]
        assert komabako.labels(records[0]).tolist() == komabako.labels(records[1]).tolist()
        assert komabako.targets(records[0]).result.tolist() == komabako.targets(records[1]).result.tolist()
