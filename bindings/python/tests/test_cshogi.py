"""The calls of `docs/en/cshogi.md` beside cshogi, line by line. cshogi (GPL) is no dependency: without it the tests are skipped."""

from __future__ import annotations

import importlib
import re
from pathlib import Path
from typing import Any, List

import numpy as np
import pytest

import komabako
from komabako import Position, features

from conftest import ROOT

KIFU = ROOT / "crates/komabako-kifu/tests/data"
GAME = "startpos moves 7g7f 3c3d 8h2b+ 3a2b"


@pytest.fixture(scope="module")
def cshogi() -> Any:
    module = pytest.importorskip("cshogi", reason="cshogi (GPL) is not installed")
    for name in ("CSA", "KI2", "KIF", "dlshogi"):
        importlib.import_module(f"cshogi.{name}")
    return module


@pytest.fixture(scope="module")
def some(psv: Any) -> Any:
    return psv[::20]


@pytest.fixture(scope="module")
def hcpe(some: Any) -> Any:
    return komabako.recode(some, komabako.HuffmanCodedPosAndEval, allow_loss=True)


@pytest.fixture
def boards(cshogi: Any, some: Any) -> List[Any]:
    """A board of cshogi for each record."""
    made = []
    for record in some:
        board = cshogi.Board()
        board.set_psfen(record["sfen"])
        made.append(board)
    return made


def test_every_call_of_the_page_is_made_here() -> None:
    page = (ROOT / "bindings/python/docs/en/cshogi.md").read_text(encoding="utf-8")
    rows = [line.split("|")[1] for line in page.splitlines() if line.startswith("| `")]
    names = {name for row in rows for name in re.findall(r"(?:board|cshogi|dlshogi|Parser|parser|solver|KI2|DfPn\(\))\.(\w+)", row)}
    own = Path(__file__).read_text(encoding="utf-8").replace("other.", "parser.")
    assert len(names) > 45 and [name for name in sorted(names) if not re.search(rf"\.{name}\b", own)] == []


def test_positions(cshogi: Any, psv: Any, some: Any, hcpe: Any, boards: List[Any]) -> None:
    assert (np.fromfile(ROOT / "data/sample.psv", cshogi.PackedSfenValue) == psv.astype(cshogi.PackedSfenValue)).all()
    theirs = np.fromfile(ROOT / "data/sample.hcpe", cshogi.HuffmanCodedPosAndEval)
    assert theirs.tobytes() == np.fromfile(ROOT / "data/sample.hcpe", komabako.HuffmanCodedPosAndEval).tobytes()
    made = komabako.decode_board(some)
    words = {"psv": komabako.recode(hcpe, "psv"), "hcp": komabako.recode(some, "hcp")}
    sfens, keys, faults = komabako.to_sfen(some), komabako.key64(some), komabako.validate(some)
    hashes = set()
    for index, board in enumerate(boards):
        assert made.board[index].tolist() == list(board.pieces)
        assert made.hands[index].tolist() == [list(hand) for hand in board.pieces_in_hand]
        assert made.side[index] == board.turn
        assert made.kings[index].tolist() == [board.king_square(0), board.king_square(1)]
        assert sfens[index] == board.sfen().rsplit(" ", 1)[0]
        assert board.is_ok() and faults[index] == 0
        hashes.add((board.zobrist_hash(), int(keys[index])))
        packed = {"psv": np.zeros(1, cshogi.dtypeHcp), "hcp": np.zeros(1, cshogi.dtypeHcp)}
        board.set_hcp(hcpe["hcp"][index])
        board.to_psfen(packed["psv"])
        board.set_sfen(sfens[index] + " 1")
        board.to_hcp(packed["hcp"])
        for codec in ("psv", "hcp"):
            word = komabako.from_sfen([sfens[index]], codec)  # type: ignore[call-overload]
            assert packed[codec].tobytes() == word.tobytes() == words[codec][index].tobytes()
    assert len(hashes) == len({key for _, key in hashes}) == len({key for key, _ in hashes})


def test_moves(cshogi: Any, some: Any, hcpe: Any, boards: List[Any]) -> None:
    moves = komabako.move16(some["move"], "A", "C")
    back, texts = komabako.move16(moves, "C", "A"), komabako.moves_to_usi(moves, "C")
    legal, mask = komabako.is_legal(some), komabako.legal_mask(some, dtype=bool)
    for index, board in enumerate(boards):
        psv = int(some["move"][index])
        assert moves[index] == cshogi.move16_from_psv(psv) and back[index] == cshogi.move16_to_psv(int(moves[index]))
        move = board.move_from_usi(texts[index])
        assert cshogi.move_to_usi(move) == texts[index] and cshogi.move16(move) == moves[index]
        assert komabako.moves_from_usi([texts[index]], "C") == moves[index]
        assert legal[index] and board.is_legal(move)
        labels = sorted(cshogi.dlshogi.make_move_label(move, board.turn) for move in board.legal_moves)
        assert np.flatnonzero(mask[index]).tolist() == labels


def test_inputs_and_targets(cshogi: Any, some: Any, hcpe: Any, boards: List[Any]) -> None:
    dlshogi = cshogi.dlshogi
    labels, targets = komabako.labels(some), komabako.targets(hcpe)
    for entering in (False, True):
        dlshogi.use_nyugyoku_features(entering)
        first, second = features.dlshogi(some, nyugyoku=entering)
        for index, board in enumerate(boards):
            made = np.zeros((62, 9, 9), np.float32), np.zeros((119 if entering else 57, 9, 9), np.float32)
            dlshogi.make_input_features(board, *made)
            assert (made[0] == first[index]).all() and (made[1] == second[index]).all()
    dlshogi.use_nyugyoku_features(False)
    for index, board in enumerate(boards):
        move = board.move_from_psv(int(some["move"][index]))
        assert labels[index] == dlshogi.make_move_label(move, board.turn)
    value = 1 / (1 + np.exp(-hcpe["eval"].astype(np.float64) / 756.0864962951762))
    assert np.abs(value - targets.value).max() < 1e-6
    won = np.where(hcpe["gameResult"] == 0, 0.5, (hcpe["gameResult"] - 1 == [board.turn for board in boards]).astype(float))
    assert (won == targets.result).all()


def test_one_position(cshogi: Any, some: Any) -> None:
    board, position = cshogi.Board(Position().sfen), Position()
    assert board.sfen() == position.sfen
    for text in GAME.split()[2:]:
        move = position.legal_moves[[move.usi for move in position.legal_moves].index(text)]
        theirs = board.move_from_usi(text)
        assert cshogi.move_to_csa(theirs) == move.csa[1:]
        # cshogi does not abbreviate 同.
        assert text == "3a2b" or cshogi.KI2.move_to_ki2(theirs, board) == move.ki2
        board.push_usi(text)
        position.push(text)
        assert board.sfen() == position.sfen and board.move_number == position.ply
    board.pop()
    assert position.pop() == "3a2b" or board.sfen() == position.sfen
    for record in some:
        board.set_sfen(komabako.to_sfen(np.array([record]))[0] + f" {record['gamePly']}")
        position = Position(record)
        assert sorted(map(cshogi.move_to_usi, board.legal_moves)) == sorted(move.usi for move in position.legal_moves)
        assert len(position.legal_moves16) == len(list(board.legal_moves))
        assert (board.is_check(), board.is_game_over(), board.is_nyugyoku()) == (position.is_check, position.is_mate, position.declares_win)
        names = [" PLNSBRGK"[piece & 7 or piece & 8] for piece in board.pieces]
        for square in range(81):
            piece = board.piece(square)
            text = (position.piece_at(square) or " ").lstrip("+")
            assert text.upper() == (" " if piece == 0 else names[square]) and text.islower() == (piece >= 16)
        assert [list(hand) for hand in position.hands] == [list(hand) for hand in board.pieces_in_hand]
        if position.legal_moves16:
            board.push(next(iter(board.legal_moves)))
            board.pop()
            assert board.sfen() == position.sfen
    assert "<svg" in str(board.to_svg()) and position._repr_svg_().startswith("<svg")


def test_repetitions(cshogi: Any) -> None:
    board, position = cshogi.Board(), Position()
    names = {cshogi.NOT_REPETITION: None, cshogi.REPETITION_DRAW: "draw", cshogi.REPETITION_WIN: "win", cshogi.REPETITION_LOSE: "loss"}
    for _ in range(3):
        for text in ("5i5h", "5a5b", "5h5i", "5b5a"):
            board.push_usi(text)
            position.push(text)
    # cshogi calls the second occurrence a draw already.
    assert names[board.is_draw()] == position.repetition == "draw"


def test_mates(cshogi: Any, psv: Any) -> None:
    late = psv[psv["gamePly"] > 100][:60]
    mates = komabako.solve(late, nodes=50_000)
    solver = cshogi.DfPn()
    solver.set_max_depth(31)
    solver.set_max_search_node(1_000_000)
    same = 0
    for index, record in enumerate(late):
        board = cshogi.Board()
        board.set_psfen(record["sfen"])
        if mates.verdict[index] == "unknown":
            continue
        is_mate = mates.verdict[index] == "mate"
        assert solver.search(board) == is_mate
        if is_mate:
            line = [cshogi.move_to_usi(move) for move in solver.get_pv(board)]
            assert line[0] == cshogi.move_to_usi(solver.get_move(board)) and len(line) % 2 == 1
            same += line[0] == mates.lines[index][0] == komabako.moves_to_usi(mates.first[index : index + 1])[0]
    # There may be several mates.
    assert same > 0


@pytest.mark.parametrize("suffix", ["csa", "kifu"])
def test_games(cshogi: Any, suffix: str) -> None:
    compared = 0
    for path in sorted(KIFU.glob(f"[0-9][0-9][0-9].{suffix}")):
        games = list(komabako.games(path))
        if suffix == "csa":
            theirs = cshogi.CSA.Parser.parse_file(str(path), encoding="utf-8")
        else:
            theirs = [cshogi.KIF.Parser.parse_file(str(path))]
        for game, other in zip(games, theirs):
            if suffix == "kifu" and game.sfen != Position().sfen:
                # cshogi reads some handicaps as even games.
                continue
            assert game.sfen == cshogi.Board(other.sfen).sfen()
            if suffix == "csa":
                assert other.endgame == (f"%{game.end}" if game.end else "")
                # cshogi knows no winner of a game that ended by a mate.
                assert other.win == {"black": 1, "white": 2}.get(game.result, 0) or game.end == "TSUMI"
            # cshogi appends the moves of variations in KIF.
            moves = [cshogi.move_to_usi(move) for move in other.moves][: len(game)]
            assert komabako.moves_to_usi(game.moves) == moves
            # cshogi gives 0 for times that the file does not have.
            assert np.nan_to_num(game.times).astype(int).tolist() == list(other.times)[: len(game)]
            assert [name or None for name in other.names] == list(game.names)
            compared += len(game)
    assert compared > 500


def test_columns_of_a_game_of_floodgate(cshogi: Any, tmp_path: Path) -> None:
    lines = ["V2", "N+a", "N-b", "'black_rate:a:1500.5", "'white_rate:b:900.0", "PI", "+"]
    lines += ["+7776FU", "T12", "'** 30 -3334FU", "-3334FU", "T3", "'** -41", "%TORYO", ""]
    path = tmp_path / "a.csa"
    path.write_text("\n".join(lines), encoding="ascii")
    [game], [other] = komabako.games(path), cshogi.CSA.Parser.parse_file(str(path))
    assert tuple(other.ratings) == game.ratings == (1500.5, 900.0)
    assert other.scores == [30, -41] and game.scores.tolist() == [30, 41]
    # cshogi leaves out the stars.
    assert game.comments == ["", *(f"* {text}" for text in other.comments)]
