"""Errors that say what to do, names, and calls with one record."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import komabako
from komabako import errors

from conftest import ROOT


def test_the_top_level_has_few_names() -> None:
    assert len(dir(komabako)) <= 36 and set(dir(komabako)) == {*komabako.__all__, "open"}
    for name in dir(komabako):
        assert getattr(komabako, name) is not None
    names: Any = {}
    exec("from komabako import *", names)
    assert "open" not in names and names["labels"] is komabako.labels
    assert dir(komabako.features) == komabako.features.__all__
    with pytest.raises(AttributeError, match="komabako.dtypes.C250"):
        komabako.C250
    with pytest.raises(AttributeError, match="komabako.errors.DecodeError"):
        komabako.DecodeError
    assert (komabako.features.HALFKP_SIZE, komabako.features.HALFKA_HM_SIZE) == (125_388, 73_305)


def test_formats_are_named_alike(psv: Any) -> None:
    hcpe = komabako.recode(psv, komabako.HuffmanCodedPosAndEval, allow_loss=True)
    assert komabako.recode(psv, "hcpe", allow_loss=True).tobytes() == hcpe.tobytes()
    assert (komabako.recode(hcpe, "psv") == psv["sfen"]).all()
    expected = komabako.key64(psv)
    bytes_of = lambda records: records.view(np.uint8).reshape(len(records), -1)
    for given, codec in [
        (psv, "psv"),
        (psv, komabako.PackedSfenValue),
        (hcpe, "hcpe"),
        (bytes_of(hcpe), "hcpe"),
        (hcpe.tobytes(), komabako.HuffmanCodedPosAndEval),
        (psv["sfen"], komabako.PackedSfen),
        (psv["sfen"], "packed_sfen"),
        (hcpe["hcp"], "hcp"),
    ]:
        assert (komabako.key64(given, codec=codec) == expected).all()
    assert (komabako.labels(bytes_of(hcpe), codec="hcpe") == komabako.labels(psv)).all()
    with pytest.raises(ValueError, match="hcp"):
        komabako.from_sfen(["startpos"], "hcpe")  # type: ignore[call-overload]
    names = komabako.move16(psv["move"], "yaneuraou", "rshogi")
    assert (komabako.move16(psv["move"], "A", "B") == names).all()
    assert (komabako.moves_to_usi(names, "rshogi")) == komabako.moves_to_usi(psv["move"])


def test_what_is_no_array_is_named(psv: Any) -> None:
    for given, text in [
        (psv[0], r"records\[:1\]"),
        (None, "not None"),
        (["startpos"], "from_sfen"),
        ("startpos", "from_sfen"),
        (np.ma.masked_array(psv["sfen"]), "mask"),
        (3, "not 3"),
    ]:
        with pytest.raises(ValueError, match=text):
            komabako.decode_board(given, codec="psv")
    with pytest.raises(ValueError, match=r"records\[:1\]"):
        komabako.decode_board(psv[0])
    with pytest.raises(ValueError, match="from_sfen"):
        komabako.labels(["startpos"])  # type: ignore[call-overload]


def test_errors_of_files_are_pythons_too(tmp_path: Path) -> None:
    missing = tmp_path / "nope.psv"
    for read in (komabako.open, komabako.memmap):
        with pytest.raises(FileNotFoundError):
            read(missing)
    with pytest.raises(errors.FormatError) as caught:
        komabako.open(missing)
    assert isinstance(caught.value, ValueError) and caught.value.filename == str(missing) and "nope.psv" in str(caught.value)
    again = pickle.loads(pickle.dumps(caught.value))
    assert type(again) is errors.MissingFileError and again.path == str(missing)
    missing.write_bytes(b"x")
    with pytest.raises(FileExistsError, match="force=True"):
        komabako.create(missing).write(komabako.Position().record())
    cut = tmp_path / "cut.psv"
    cut.write_bytes((ROOT / "data/sample.psv").read_bytes()[:100])
    with pytest.raises(errors.FormatError, match="salvage=True"):
        komabako.open(cut).read()


def test_files_are_read_at_once_and_in_with_statements(psv: Any) -> None:
    with komabako.open(ROOT / "data/sample.psv") as file:
        assert file.read().tobytes() == psv.tobytes()
    with pytest.raises(ValueError, match="on_error"):
        file.read(on_error="mask")  # type: ignore[arg-type]
