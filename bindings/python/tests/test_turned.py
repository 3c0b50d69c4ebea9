"""Mirrored and flipped records and moves, moves of labels, conditions, and policies of candidates."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import komabako
from komabako import errors

from conftest import ROOT


@pytest.mark.parametrize("turn", [komabako.mirror, komabako.flip])
@pytest.mark.parametrize("format", ["psv", "hcpe", "ext36"])
def test_labels_of_turned_records_are_legal_moves_of_turned_positions(turn: Any, format: Any, psv: Any) -> None:
    records = psv if format == "psv" else komabako.recode(psv, format, allow_loss=True)
    turned = turn(records, threads=2)
    assert turned.dtype == records.dtype and not (turned == records).all()
    assert komabako.is_legal(turned).all() and not komabako.validate(turned).any()
    mask = komabako.legal_mask(turned, dtype=bool)
    labels = komabako.labels(turned)
    assert mask[np.arange(len(psv)), labels].all()
    assert turn(turned).tobytes() == records.tobytes()
    if turn is komabako.flip:
        # The side to move sees the same.
        assert (labels == komabako.labels(records)).all()
        one, other = komabako.targets(turned), komabako.targets(records)
        assert np.array_equal(one.value, other.value, equal_nan=True) and np.array_equal(one.result, other.result, equal_nan=True)
        first, second = komabako.features.dlshogi(turned[:50]), komabako.features.dlshogi(records[:50])
        assert (first.features1 == second.features1).all() and (first.features2 == second.features2).all()


def test_words_are_turned_to_words(psv: Any) -> None:
    words = psv["sfen"]
    assert (komabako.mirror(words, codec="psv") == komabako.mirror(psv)["sfen"]).all()
    assert (komabako.flip(psv[["sfen"]].astype(komabako.PackedSfen))["sfen"] == komabako.flip(psv)["sfen"]).all()
    out = np.empty_like(psv)
    assert komabako.mirror(psv, out=out) is out and (out == komabako.mirror(psv)).all()


def test_moves_are_turned(psv: Any) -> None:
    moves = komabako.moves_from_usi(["7g7f", "8h2b+", "G*5e", "none", "resign", "win"])
    assert komabako.moves_to_usi(komabako.mirror_moves(moves)) == ["3g3f", "2h8b+", "G*5e", "none", "resign", "win"]
    assert komabako.moves_to_usi(komabako.flip_moves(moves)) == ["3c3d", "2b8h+", "G*5e", "none", "resign", "win"]
    apery = komabako.move16(psv["move"], "yaneuraou", "apery")
    assert (komabako.mirror_moves(apery, "apery") == komabako.move16(komabako.mirror(psv)["move"], "A", "C")).all()
    with pytest.raises(errors.DecodeError):
        komabako.flip_moves([0x7F7F])
    assert komabako.flip_moves([0x7F7F, 0], on_error="mask")[1].tolist() == [errors.Fault.MOVE_TO, 0]
    with pytest.raises(ValueError, match="yaneuraou"):
        komabako.mirror_moves([1], "cshogi")  # type: ignore[call-overload]


def test_bad_moves_of_records_are_faults(psv: Any) -> None:
    records = psv[:3].copy()
    records["move"][1] = 0x7F7F
    with pytest.raises(errors.DecodeError) as caught:
        komabako.mirror(records)
    assert caught.value.record == 1
    made, faults = komabako.mirror(records, on_error="mask")
    assert faults.tolist() == [0, errors.Fault.MOVE_TO, 0] and not made[1].tobytes().strip(b"\0")


@pytest.mark.parametrize("kind", [2187, 1496])
@pytest.mark.parametrize("format", ["psv", "hcpe"])
def test_moves_from_labels_invert_labels(kind: Any, format: Any, psv: Any) -> None:
    records = komabako.recode(psv, format, allow_loss=True) if format == "hcpe" else psv
    moves = records["move" if format == "psv" else "bestMove16"].view(np.uint16)
    labels = komabako.labels(records, kind=kind)
    assert (komabako.moves_from_labels(labels, records, kind, threads=2) == moves).all()
    assert (komabako.moves_from_labels(labels, psv["sfen"], kind, codec="psv", encoding="apery") == komabako.move16(psv["move"])).all()


def test_labels_that_no_legal_move_has_are_faults(psv: Any) -> None:
    assert komabako.moves_from_labels([-1], psv[:1]).tolist() == [0]
    for label in (0, 2187, -2, 1 << 40):
        with pytest.raises(errors.DecodeError) as caught:
            komabako.moves_from_labels([label], komabako.Position().record())
        assert caught.value.fault == "MOVE_UNREACHABLE"
    for bad in ([1.5], [1, 2], 3):
        with pytest.raises(ValueError, match="labels"):
            komabako.moves_from_labels(bad, psv[:1])


EXPRESSIONS = [
    "ply > 40",
    "not in_check and not capture and abs(score) < 2000",
    "won or drawn",
    "black_to_move and hand_pieces > 3",
    "gives_check",
]


@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_conditions_equal_the_programs(expression: str, psv: Any, tmp_path: Path) -> None:
    path, out = tmp_path / "a.psv", tmp_path / "b.psv"
    psv.tofile(path)
    command = [sys.executable, "-m", "komabako", "filter", str(path), str(out), "--where", expression]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert ran.returncode == 0, ran.stderr
    chosen = komabako.where(psv, expression, threads=2)
    assert chosen.dtype == bool and 0 < chosen.sum() < len(psv)
    assert psv[chosen].tobytes() == out.read_bytes()


def test_conditions_have_the_errors_of_the_program(psv: Any) -> None:
    with pytest.raises(errors.ExpressionError, match="did you mean `score`") as caught:
        komabako.where(psv, "ply > 3 and scroe < 1")
    assert caught.value.column == 13 and "in_check" in (caught.value.names or "")
    with pytest.raises(errors.ExpressionError, match="equality is written"):
        komabako.where(psv, "ply = 3")
    hcpe = komabako.recode(psv, "hcpe", allow_loss=True)
    with pytest.raises(ValueError, match="ply, which hcpe do not have"):
        komabako.where(hcpe, "ply > 3")
    with pytest.raises(ValueError, match="score, which words do not have"):
        komabako.where(psv["sfen"], "score > 3", codec="psv")
    assert (komabako.where(psv["sfen"], "white_to_move", codec="psv") == (komabako.decode_board(psv).side == 1)).all()
    bad = psv[:2].copy()
    bad["sfen"][1] = 0xFF
    assert komabako.where(bad, "true", on_error="mask")[0].tolist() == [True, False]


@pytest.fixture(scope="module")
def hcpe3(tmp_path_factory: Any) -> Path:
    """Games of GenSfen's text, whose moves have one candidate each, and a game that is written by hand."""
    path = tmp_path_factory.mktemp("hcpe3") / "a.hcpe3"
    start = komabako.Position().pack("hcp")
    moves = komabako.moves_from_usi(["7g7f", "2g2f", "3c3d", "8c8d", "2g2f"], "apery")

    def entry(move: Any, score: int, candidates: Any) -> bytes:
        flat = [number for pair in candidates for number in pair]
        return np.array([move, score, len(candidates), *flat], "<u2").tobytes()

    game = start + np.array([3], "<u2").tobytes() + bytes([1, 0])
    game += entry(moves[0], 50, [(moves[0], 30), (moves[1], 10)])
    game += entry(moves[2], 65_500, [(moves[2], 7)])
    game += entry(moves[4], 20, [])
    path.write_bytes(game * 3)
    return path


def test_candidates_are_read_with_their_records(hcpe3: Path) -> None:
    batches = list(komabako.open(hcpe3, candidates=True).iter_batches(4))
    assert [len(batch.records) for batch in batches] == [4, 4, 1]
    plain = np.concatenate(list(komabako.open(hcpe3)))
    assert np.concatenate([batch.records for batch in batches]).tobytes() == plain.tobytes()
    first = batches[0]
    assert first.offsets.tolist() == [0, 2, 3, 3, 5] and first.visits.tolist() == [30, 10, 7, 30, 10]
    assert komabako.moves_to_usi(first.moves, "apery") == ["7g7f", "2g2f", "3c3d", "7g7f", "2g2f"]
    with pytest.raises(ValueError, match="hcpe3"):
        next(komabako.open(ROOT / "data/sample.psv", candidates=True).iter_batches())


def test_policies_are_shares_of_visits(hcpe3: Path) -> None:
    batch = next(komabako.open(hcpe3, candidates=True).iter_batches(3))
    made = komabako.policy(batch)
    assert made.shape == (3, 2187) and made.dtype == np.float32 and made.sum(axis=1).tolist() == [1.0, 1.0, 0.0]
    played = komabako.labels(batch.records)
    assert made[0, played[0]] == 0.75 and made[1, played[1]] == 1.0
    cold, warm = komabako.policy(batch, 0.0), komabako.policy(batch, 2.0)
    assert cold[0].max() == 1.0 and abs(warm[0, played[0]] - 3**0.5 / (1 + 3**0.5)) < 1e-6
    bad = batch._replace(moves=batch.moves.copy())
    bad.moves[1] = komabako.moves_from_usi(["2g2e"], "apery")[0]
    with pytest.raises(errors.DecodeError) as caught:
        komabako.policy(bad)
    assert (caught.value.record, caught.value.fault) == (0, "MOVE_UNREACHABLE")
    made, faults = komabako.policy(bad, on_error="mask")
    assert faults.tolist() == [errors.Fault.MOVE_UNREACHABLE, 0, 0] and not made[0].any()
    for temperature in (-1.0, float("nan")):
        with pytest.raises(ValueError, match="temperature"):
            komabako.policy(batch, temperature)
    with pytest.raises(ValueError, match="offsets"):
        komabako.policy(batch._replace(offsets=batch.offsets[:-1]))
    for name, wrong in (("offsets", 0.5), ("moves", 1 << 16), ("moves", 0.5), ("visits", 1 << 16), ("visits", -100), ("visits", 0.5)):
        with pytest.raises(ValueError, match=f"^{name} are integers"):
            komabako.policy(batch._replace(**{name: getattr(batch, name) + np.full(1, wrong)}))
    assert (komabako.policy(batch._replace(moves=batch.moves.view("i2"), visits=batch.visits.tolist())) == komabako.policy(batch)).all()


def test_the_loader_has_the_same_policies(hcpe3: Path) -> None:
    options: Any = {"order": "file", "policy": {"visits": {"temperature": 1.0, "layout": "dense"}}}
    [batch] = list(komabako.Batches(hcpe3, 64, **options))
    candidates = next(komabako.open(hcpe3, candidates=True).iter_batches(64))
    kept = np.diff(candidates.offsets) > 0
    assert (batch.probabilities == komabako.policy(candidates)[kept]).all()
    options["policy"] = {"visits": {"temperature": 1.0, "layout": "csr"}}
    [ragged] = list(komabako.Batches(hcpe3, 64, **options))
    dense = np.zeros_like(batch.probabilities)
    rows = np.repeat(np.arange(len(dense)), np.diff(ragged.class_offsets))
    dense[rows, ragged.classes] = ragged.probabilities
    assert (dense == batch.probabilities).all()
