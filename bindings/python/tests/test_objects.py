"""Positions, mates and games: the same as the program, and as the functions on arrays."""

from __future__ import annotations

import copy
import json
import os
import pickle
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any, List

import numpy as np
import pytest

import komabako
from komabako import errors, objects

from conftest import ROOT

KIFU = ROOT / "crates/komabako-kifu/tests/data"
START = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1"


def program(*arguments: Any) -> Any:
    command = [sys.executable, "-m", "komabako", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)


def test_a_position_is_made_of_any_source(psv: Any) -> None:
    assert komabako.Position().sfen == START
    assert komabako.Position("startpos").sfen == START
    played = komabako.Position("position startpos moves 7g7f 3c3d")
    assert (played.ply, played.side) == (3, 0)
    hcpe = komabako.recode(psv[:40], komabako.HuffmanCodedPosAndEval, allow_loss=True)
    texts = komabako.to_sfen(psv[:40])
    for index, text in enumerate(texts):
        ply = psv["gamePly"][index]
        for record in (psv[index], psv[index : index + 1]):
            assert komabako.Position(record).sfen == f"{text} {ply}"
        assert komabako.Position(hcpe[index]).sfen == f"{text} 1"
        word = psv["sfen"][index]
        for given in (word, word.tobytes(), word.reshape(1, 32)):
            assert komabako.Position(given, codec="psv").sfen == f"{text} 1"
    with pytest.raises(ValueError, match="one record, not of 2"):
        komabako.Position(psv[:2])


def test_a_position_of_a_position_is_a_copy() -> None:
    position = komabako.Position("startpos moves 7g7f")
    made = komabako.Position(position)
    made.pop()
    assert made == komabako.Position() and position.ply == 2


def test_what_is_no_position_is_refused(psv: Any) -> None:
    for text, fault in [("lnsg", "SFEN"), ("4k4/9/9/9/9/9/9/9/9 w - 1", ""), ("4k4/4R4/9/9/9/9/9/9/4K4 b - 1", "POSITION_OPPONENT_IN_CHECK")]:
        if not fault:
            assert komabako.Position(text).side == 1
            continue
        with pytest.raises(errors.PlayError) as caught:
            komabako.Position(text)
        assert caught.value.fault == fault
    with pytest.raises(errors.PlayError, match="not legal"):
        komabako.Position("startpos moves 7g7e")
    bad = psv[:1].copy()
    bad["sfen"] = 0xFF
    with pytest.raises(errors.DecodeError):
        komabako.Position(bad)


def test_moves_are_made_and_taken_back(psv: Any) -> None:
    for record in psv[::97]:
        position = komabako.Position(record)
        before = position.sfen
        for move in position.legal_moves:
            position.push(move)
            assert position.sfen != before and position.ply == record["gamePly"] + 1
            assert position.pop() == move
            assert (move == np.array([move, 0], "u2")).tolist() == [True, False]
            assert position.sfen == before
        moves = [move.usi for move in position.legal_moves]
        assert [int(move) for move in position.legal_moves] == position.legal_moves16
        assert moves == komabako.moves_to_usi(position.legal_moves16)
        for given in (moves[0], position.legal_moves16[0], np.uint16(position.legal_moves16[0])):
            position.push(given)
            position.pop()
    with pytest.raises(IndexError):
        position.pop()


def test_legal_moves_are_those_of_the_mask(psv: Any) -> None:
    mask = komabako.legal_mask(psv[:200], dtype=bool)
    for record, row in zip(psv[:200], mask):
        labels = [move.label for move in komabako.Position(record).legal_moves]
        assert len(set(labels)) == len(labels) and sorted(labels) == np.flatnonzero(row).tolist()


def test_a_move_has_its_texts() -> None:
    position = komabako.Position("startpos moves 7g7f 3c3d 8h2b+")
    move = next(move for move in position.legal_moves if move.usi == "3a2b")
    assert (move.csa, move.ki2, str(move)) == ("-3122GI", "△同　銀", "3a2b")
    assert move == int(move) == np.uint16(move) and hash(move) == hash(int(move))
    assert move != "3a2b" and repr(move) == "<komabako.Move 3a2b>"
    assert np.array([move], np.uint16).tolist() == [int(move)]
    assert position.is_legal("3a2b") and not position.is_legal("3a2c") and not position.is_legal(0xFFFF)


def test_illegal_moves_leave_the_position() -> None:
    position = komabako.Position()
    for move, fault in [("7g7e", "MOVE_UNREACHABLE"), ("3c3d", "MOVE_OPPONENTS_PIECE"), (0, "MOVE_MALFORMED"), ("seven", "MOVE_TEXT")]:
        with pytest.raises(errors.PlayError) as caught:
            position.push(move)
        assert caught.value.fault == fault
    with pytest.raises(TypeError, match="a move is"):
        position.push(1.5)  # type: ignore[arg-type]
    assert position.sfen == START


def test_the_state_of_a_game_is_known() -> None:
    position = komabako.Position("4k4/9/4P4/9/9/9/9/9/4K4 b G 1")
    assert not position.is_check and not position.is_mate and not position.declares_win
    assert position.hands == ((0, 0, 0, 0, 1, 0, 0), (0,) * 7)
    assert (position.piece_at("5c"), position.piece_at("5a"), position.piece_at("1a"), position.piece_at(44)) == ("P", "k", None, "K")
    position.push("G*5b")
    assert position.is_check and position.is_mate and position.legal_moves == []
    assert komabako.Position("+P+P+P+P+P+P+P+PK/+P+P7/9/9/9/9/9/9/4k4 b 2R2B2G 1").declares_win
    for square in ("0a", "1j", "7", 81, None):
        with pytest.raises(ValueError, match="square"):
            position.piece_at(square)  # type: ignore[arg-type]


def test_repetitions_are_found() -> None:
    position = komabako.Position()
    for _ in range(3):
        assert position.repetition is None
        for move in ("5i5h", "5a5b", "5h5i", "5b5a"):
            position.push(move)
    assert position.repetition == "draw"
    checked = komabako.Position("4k4/9/9/9/9/9/9/5K3/r8 w - 1 moves 9i9h")
    for _ in range(3):
        for move in ("4h4i", "9h9i", "4i4h", "9i9h"):
            checked.push(move)
    assert checked.repetition == "win"
    checked.push("4h4i")
    assert checked.repetition == "loss"


def test_positions_are_packed_and_recorded(psv: Any) -> None:
    for record in psv[::211]:
        position = komabako.Position(record)
        assert position.pack() == record["sfen"].tobytes()
        hcp = komabako.recode(psv[:0], "hcp")
        assert hcp.shape == (0, 32)
        assert position.pack("hcp") == komabako.recode(np.array([record]), "hcp").tobytes()
        winner = {1: ("black", "white"), -1: ("white", "black"), 0: ("draw", "draw")}[int(record["game_result"])][position.side]
        made = position.record(int(record["score"]), winner, int(record["move"]))  # type: ignore[arg-type]
        record = record.copy()
        record["padding"] = 0
        assert made.tobytes() == record.tobytes()
    assert komabako.Position().record(format="hcpe").dtype == komabako.HuffmanCodedPosAndEval
    with pytest.raises(ValueError, match="black"):
        position.record(result="me")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="psv"):
        position.record(format="csv")  # type: ignore[arg-type]


def test_a_record_does_not_drop_what_is_given() -> None:
    position = komabako.Position()
    assert position.record(None, None, None, "psv").tobytes() == position.record(0, "draw", None, "psv").tobytes()
    for format, given, word in (
        ("ext36", {"result": "black"}, "result"),
        ("hcp", {"score": 0}, "score"),
        ("hcp", {"move": "7g7f"}, "move"),
        ("hcp", {"result": "draw"}, "result"),
    ):
        assert len(position.record(format=format)) == 1  # type: ignore[arg-type]
        with pytest.raises(errors.LossError, match=word) as raised:
            position.record(format=format, **given)  # type: ignore[arg-type]
        assert len(raised.value.losses) == 1 and "allow_loss" not in str(raised.value)


def test_advice_of_single_positions_works(psv: Any, tmp_path: Path) -> None:
    bad = psv[:1].copy()
    bad["sfen"] = 0xFF
    with pytest.raises(errors.DecodeError, match=r"; komabako\.validate finds bad records$"):
        komabako.Position(bad)
    assert komabako.validate(bad) != 0
    problem = komabako.Position("4k4/9/4G4/9/9/9/9/9/9 b G 1")
    with pytest.raises(errors.EncodeError, match="; the codec sspfv1-ext can represent it$"):
        problem.pack("hcp")
    assert komabako.to_sfen(problem.pack("sspfv1-ext"), codec="sspfv1-ext") == ["4k4/9/4G4/9/9/9/9/9/9 b G"]
    with pytest.raises(errors.EncodeError, match="; the format ext36 can hold it, without the result$"):
        problem.record(100, "black", "G*5b")
    made = problem.record(100, move="G*5b", format="ext36")
    assert komabako.targets(made, scale=100).value[0] > 0.7 and komabako.moves_to_usi(made["move"]) == ["G*5b"]
    assert komabako.Position(made).sfen == problem.sfen
    with pytest.raises(errors.EncodeError, match="; the format ext36 can hold it, without the result$"):
        komabako.recode(made, komabako.PackedSfenValue, allow_loss=True)
    with pytest.raises(errors.EncodeError, match="; the codec sspfv1-ext can represent it$"):
        komabako.recode(made, "psv")
    with pytest.raises(errors.EncodeError, match="; another format may hold it$"):
        komabako.Position(START.replace("b - 1", "b - 70000")).record()


def test_positions_are_equal_copied_pickled_and_drawn() -> None:
    one, other = komabako.Position("startpos moves 7g7f 3c3d 2g2f"), komabako.Position("startpos moves 2g2f 3c3d 7g7f")
    assert one == other and hash(one) == hash(other) and one != komabako.Position() and one != 3
    for again in (pickle.loads(pickle.dumps(one)), copy.copy(one), copy.deepcopy(one)):
        assert again == one and again.sfen == one.sfen
        assert again.pop() == "2g2f" or again.ply == 3
        assert one.ply == 4
    assert "| p  p  p  p  p  p  .  p  p | c\n" in repr(one) and repr(one).endswith("White to move, move 4")
    picture = one._repr_svg_()
    assert picture.startswith("<svg ") and picture.count("rotate(180)") == 21 and "<text" not in picture and "url(" not in picture


def mates_of_the_program(sfens: List[str], tmp_path: Path, *options: str) -> List[Any]:
    path = tmp_path / "problems.sfen"
    path.write_text("".join(f"{sfen}\n" for sfen in sfens))
    ran = program("solve", path, "--json", "--time", "600s", *options)
    return json.loads(ran.stdout)["problems"]  # type: ignore[no-any-return]


@pytest.mark.parametrize("convention", ["tsume", "strict"])
def test_mates_equal_the_programs(convention: Any, psv: Any, tmp_path: Path) -> None:
    late = psv[psv["gamePly"] > 100][:60]
    expected = mates_of_the_program(komabako.to_sfen(late), tmp_path, "--nodes", "2000", "--convention", convention)
    for threads in (1, 2):
        mates = komabako.solve(late, nodes=2_000, convention=convention, threads=threads)
        assert mates.verdict.tolist() == [problem["verdict"] for problem in expected]
        assert mates.length.tolist() == [problem["length"] or 0 for problem in expected]
        assert mates.exact.tolist() == [problem["exact"] for problem in expected]
        assert mates.lines == [problem["line"] for problem in expected]
    found = mates.verdict == "mate"
    assert 0 < found.sum() < len(late)
    assert (komabako.is_legal(late[found], mates.first[found], "A")).all() and not mates.first[~found].any()
    within = komabako.solve(late, nodes=2_000, max_plies=3, convention=convention)
    assert (within.length <= 3).all()
    # A longer mate may exist, as for the program.
    expected = mates_of_the_program(komabako.to_sfen(late), tmp_path, "--nodes", "2000", "--convention", convention, "--mate-in", "3")
    assert within.verdict.tolist() == [problem["verdict"] for problem in expected] and "no-mate-within" in within.verdict


def test_what_is_no_problem_is_a_fault(psv: Any) -> None:
    words = komabako.from_sfen([START, "9/9/9/9/9/9/9/9/4K4 b - 1", "4k4/4R4/9/9/9/9/9/9/4K4 b - 1"], "sspfv1-ext")
    with pytest.raises(errors.DecodeError) as caught:
        komabako.solve(words, codec="sspfv1-ext")
    assert (caught.value.record, caught.value.fault) == (1, "POSITION_KING_MISSING")
    mates, faults = komabako.solve(words, codec="sspfv1-ext", nodes=100, on_error="mask")
    assert [errors.Fault(fault).name for fault in faults] == ["GOOD", "POSITION_KING_MISSING", "POSITION_OPPONENT_IN_CHECK"]
    assert mates.lines[1:] == [[], []]
    with pytest.raises(ValueError, match="tsume"):
        komabako.solve(psv[:1], convention="short")  # type: ignore[call-overload]
    assert len(komabako.solve(psv[:0]).length) == 0


def test_games_of_every_format_are_read() -> None:
    paths = sorted(path for path in KIFU.iterdir() if path.suffix in (".kif", ".kifu", ".ki2", ".ki2u", ".csa", ".jkf", ".usi"))
    for path in paths:
        games = list(komabako.games(path))
        assert games, path
        for game in games:
            assert game.path == str(path) and game.format in ("kif", "ki2", "csa", "csa3", "jkf", "usi")
            position = komabako.Position(game.sfen)
            words = game.positions()
            assert words.shape == (len(game) + 1, 32) and len(game.times) == len(game.scores) == len(game)
            assert len(game.comments) == len(game) + 1
            scores = game.records("ext36", missing_score=12_345, unfinished="draw")["score"]
            assert np.where(np.isnan(game.scores), 12_345, game.scores).tolist() == scores.tolist()
            for move, word in zip(game.moves, words):
                assert position.pack() == word.tobytes()
                position.push(move)
    assert list(komabako.games([])) == []


def test_records_of_games_equal_the_programs(tmp_path: Path) -> None:
    out = tmp_path / "out.psv"
    inputs = sorted(KIFU.glob("*.kifu"))
    ran = program("convert", *inputs, out, "--missing-score", "0", "--unfinished", "draw")
    assert ran.returncode == 0, ran.stderr
    games = list(komabako.games(inputs))
    made = np.concatenate([game.records(missing_score=0, unfinished="draw") for game in games])
    assert made.tobytes() == out.read_bytes() and len(made) > 100
    assert sum(len(game.records("hcpe", missing_score=0, unfinished="draw")) for game in games) == len(made)


CSA = """V2.2
N+Sakata
N-Kimura
$EVENT:A match
$START_TIME:2026/01/02 10:00:00
'black_rate:a:1500.5
PI
+
+7776FU
T12
'** 30 -3334FU
-3334FU
T3
'** -41
%TORYO
"""

KIF = """手合割：平手
手数----指手---------消費時間--
   1 ７六歩(77)   ( 0:16/00:00:16)
*first
*second
   2 ３四歩(33)   ( 0:00/00:00:00)
   3 ２六歩(27)
   4 投了

変化：3手
   3 ６六歩(67)
*other
   4 ８四歩(83)

変化：4手
   4 ３五歩(34)

変化：1手
   1 ２六歩(27)
"""


def test_a_game_has_its_header_and_columns(tmp_path: Path) -> None:
    path = tmp_path / "a.csa"
    path.write_text(CSA)
    [game] = komabako.games(path)
    assert game.names == ("Sakata", "Kimura") and game.ratings == (1500.5, None)
    assert (game.event, game.date, game.result, game.end, game.number) == ("A match", "2026/01/02 10:00:00", "white", "TORYO", None)
    assert komabako.moves_to_usi(game.moves) == ["7g7f", "3c3d"] and game.times.tolist() == [12.0, 3.0]
    assert game.scores.tolist() == [30.0, 41.0]
    assert game.records()["score"].tolist() == [30, 41] and game.records()["game_result"].tolist() == [-1, 1]
    assert ("先手", "Sakata") in game.header and len(game) == 2 and "2 moves, TORYO" in repr(game)
    with pytest.raises(ValueError, match="draw"):
        game.records(unfinished="keep")  # type: ignore[arg-type]


def test_variations_are_a_tree(tmp_path: Path) -> None:
    path = tmp_path / "a.kifu"
    path.write_text(KIF, encoding="utf-8")
    [game] = komabako.games(path)
    assert game.comments == ["", "first\nsecond", "", ""] and game.end == "TORYO"
    by_ply = {line.ply: line for line in game.variations}
    assert sorted(by_ply) == [1, 3]
    assert isinstance(by_ply[1], objects.Variation) and by_ply[1].moves == ["2g2f"]
    third = by_ply[3]
    assert (third.moves, third.comments) == (["6g6f", "8c8d"], ["other", ""])
    assert [(line.ply, line.moves, line.variations) for line in third.variations] == [(4, ["3d3e"], [])]


def test_a_variation_may_be_an_ending_only(tmp_path: Path) -> None:
    path = tmp_path / "a.kifu"
    moves = "   1 ７六歩(77)\n   2 ３四歩(33)\n   3 投了\n"
    path.write_text(f"手合割：平手\n{moves}\n変化：2手\n   2 中断 ( 0:05/00:00:05)\n*later\n", encoding="utf-8")
    [game] = komabako.games(path)
    assert [tuple(line) for line in game.variations] == [(2, [], [], [], [], "CHUDAN", "later", 5.0)]


def test_endings_have_their_comments_and_times(tmp_path: Path) -> None:
    text = KIF.replace("   4 投了\n", "   4 投了         ( 0:30/00:00:30)\n*resigned\n*early\n")
    text = text.replace("   4 ８四歩(83)\n", "   4 ８四歩(83)   ( 0:05/00:00:05)\n   5 中断         ( 0:02/00:00:18)\n*later\n")
    path = tmp_path / "a.kifu"
    path.write_text(text, encoding="utf-8")
    [game] = komabako.games(path)
    assert (game.end, game.end_comment, game.end_time) == ("TORYO", "resigned\nearly", 30.0)
    assert len(game) == len(game.times) == len(game.comments) - 1 == 3
    by_ply = {line.ply: line for line in game.variations}
    third, first = by_ply[3], by_ply[1]
    assert (third.end, third.end_comment, third.end_time) == ("CHUDAN", "later", 2.0)
    assert third.moves == ["6g6f", "8c8d"] and third.times == [None, 5.0]
    assert (first.times, first.end, first.end_comment, first.end_time) == ([None], None, "", None)
    path = tmp_path / "a.csa"
    path.write_text("V2.2\nPI\n+\n+7776FU\nT1\n%TORYO\nT30\n'*resigned\n")
    [game] = komabako.games(path)
    assert (game.end, game.end_comment, game.end_time, game.comments) == ("TORYO", "resigned", 30.0, ["", ""])
    path.write_text("V2.2\nPI\n+\n+7776FU\n")
    [game] = komabako.games(path)
    assert (game.end, game.end_comment, game.end_time) == (None, "", None)


def test_moves_and_games_are_copied(tmp_path: Any) -> None:
    path = tmp_path / "a.usi"
    path.write_text("startpos moves 7g7f 3c3d resign")
    [game] = komabako.games(path)
    for one in (game, komabako.Position().legal_moves[0]):
        assert copy.copy(one) is one and copy.deepcopy([one]) == [one]


def test_bad_games_are_raised_skipped_or_given(tmp_path: Path) -> None:
    text = "startpos moves 7g7f\nstartpos moves 7g7e\nstartpos moves 2g2f\n"
    (tmp_path / "a.usi").write_text(text)
    with zipfile.ZipFile(tmp_path / "b.zip", "w") as archive:
        archive.writestr("c.csa", CSA)
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "d.csa").write_text(CSA)
    reading = komabako.games(tmp_path / "a.usi")
    assert len(next(reading)) == 1  # type: ignore[arg-type]
    with pytest.raises(errors.GameError) as caught:
        next(reading)
    error = caught.value
    assert (error.game, error.line, error.column, error.fault) == (2, 2, 16, "ILLEGAL_MOVE") and error.path.endswith("a.usi")
    assert len(list(reading)) == 1
    assert len(list(komabako.games(tmp_path, recursive=True, on_error="skip"))) == 4
    found = list(komabako.games([tmp_path / "a.usi", tmp_path / "b.zip"], on_error="yield"))
    assert [type(one).__name__ for one in found] == ["Game", "GameError", "Game", "Game"]
    assert found[3].path.endswith("b.zip!c.csa")
    assert [one.number for one in found if isinstance(one, objects.Game)] == [1, 3, None]
    with pytest.raises(errors.FormatError):
        komabako.games(tmp_path / "missing.kif")
    with pytest.raises(errors.FormatError):
        komabako.games(tmp_path)
    with pytest.raises(ValueError, match="yield"):
        komabako.games(tmp_path / "a.usi", on_error="keep")  # type: ignore[call-overload]


def test_games_of_many_files_are_in_the_order_of_names(tmp_path: Path) -> None:
    for number in range(300):
        # A folder `1` comes before a file `1.b`, though a dot comes before a slash.
        path = tmp_path / str(number % 7) / f"{number}.usi" if number % 3 else tmp_path / f"{number % 7}.b" / f"{number}.usi"
        path.parent.mkdir(exist_ok=True)
        # Some have more games than a thread reads ahead.
        games = 700 if number % 50 == 0 else number % 4
        path.write_text("startpos moves 7g7f 3c3d\n" * games + "startpos moves 7g7e\n")
    with zipfile.ZipFile(tmp_path / "2.a.zip", "w") as archive:
        for number in range(1, 41):
            archive.writestr(f"{number:02}.usi", "startpos moves 2g2f\n" * number)
    with pytest.warns(errors.LeftOutWarning, match="left out 300 bad games"):
        seen = [(game.path, game.number) for game in komabako.games(tmp_path, recursive=True, on_error="skip")]
    paths = [path for path in sorted(tmp_path.rglob("*")) if path.is_file()]
    assert seen == [(game.path, game.number) for path in paths for game in komabako.games(path, on_error="skip")]
    found = list(komabako.games(tmp_path, recursive=True, on_error="yield"))
    assert sum(isinstance(game, komabako.errors.GameError) for game in found) == 300 == len(found) - len(seen)
    with pytest.raises(komabako.errors.GameError, match="7g7e"):
        list(komabako.games(tmp_path, recursive=True))


def test_an_iterator_of_games_may_be_dropped(tmp_path: Path) -> None:
    path = tmp_path / "many.usi"
    path.write_text("startpos moves 7g7f\n" * 5_000)
    reading = komabako.games(path)
    assert next(reading).moves.tolist()
    del reading
    assert sum(1 for _ in komabako.games(path)) == 5_000


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_games_of_a_process_before_a_fork_are_an_error(tmp_path: Path) -> None:
    path = tmp_path / "many.usi"
    path.write_text("startpos moves 7g7f\n" * 5_000)
    reading = komabako.games(path)
    next(reading)
    child = os.fork()
    if child == 0:
        try:
            for _ in reading:
                pass
        except RuntimeError as error:
            os._exit(7 if "before a fork" in str(error) else 8)
        os._exit(9)
    assert os.waitpid(child, 0)[1] >> 8 == 7
