/** Errors of the module in Japanese, by name; the sentences are the same as in the program. */

import type { ModuleError } from '../module.js';
import type { Kind } from '../model/piece.js';
import { fileOf, parseSquare, rankOf } from '../model/square.js';

type Sentence = string | ((error: ModuleError) => string);

const KINDS: Readonly<Record<Kind, string>> = { K: '玉', R: '飛', B: '角', G: '金', S: '銀', N: '桂', L: '香', P: '歩' };
const color = (error: ModuleError) => (error.color === 'white' ? '後手' : '先手');
const kind = (error: ModuleError) => (error.kind ? KINDS[error.kind] : '駒');
const quoted = (error: ModuleError) => error.quoted ?? '';
const square = (error: ModuleError) => {
  const index = parseSquare(error.square ?? '');
  return index === null ? '' : `${fileOf(index)}${rankOf(index)}`;
};

/** Why no game can be played from a position. */
function unplayable(error: ModuleError): string {
  switch (error.fault) {
    case 'SECOND_KING':
      return `${color(error)}の玉が 2 枚あります`;
    case 'TOO_MANY':
      return `${kind(error)}が多すぎます`;
    case 'NIFU':
      return `${color(error)}が ${error.count ?? ''} 筋で二歩`;
    case 'DEAD_END':
      return `${color(error)}の ${square(error)} ${kind(error)}は行き所のない駒`;
    case 'IN_CHECK':
      return `手番でない${color(error)}に王手が掛かっている`;
    default:
      return error.sentence;
  }
}

const SENTENCES: Readonly<Record<string, Sentence>> = {
  // Words
  KING_MISSING: (error) => `${color(error)}の玉がない局面は、この形式では表せません`,
  PIECE_REMOVED: (error) => `盤にも持ち駒にもない${kind(error)}があり、この形式では表せません`,
  KING_CODE: '玉の位置が盤のマスではありません',
  BASE_KING_MISSING: '玉がありません（SSPFv1 の拡張形式でのみ表せます）',
  KINGS_COLLIDE: '両方の玉が同じマスにあります',
  PIECE_TOTAL: '玉以外の駒が 38 枚を超えています',
  NONPAWN_TOTAL: '玉と歩以外の駒が 20 枚を超えています',
  PAWN_COUNT: '歩が 18 枚を超えています',
  PT1_TAIL: 'pt_bit1 の終わりより後のビットが立っています',
  PT2_TAIL: 'pt_bit2 の終わりより後のビットが立っています',
  LANCE_COUNT: '香が 4 枚を超えています',
  KNIGHT_COUNT: '桂が 4 枚を超えています',
  SILVER_COUNT: '銀が 4 枚を超えています',
  GBR_TOTAL: '金・角・飛が合わせて 8 枚を超えています',
  PT3_TAIL: 'pt_bit3 の終わりより後のビットが立っています',
  GOLD_COUNT: '金が 4 枚を超えています',
  BR_TOTAL: '角・飛が合わせて 4 枚を超えています',
  PT4_TAIL: 'pt_bit4 の終わりより後のビットが立っています',
  BISHOP_COUNT: '角が 2 枚を超えています',
  ROOK_COUNT: '飛が 2 枚を超えています',
  PROMOTED_TAIL: 'is_promoted の終わりより後のビットが立っています',
  REMOVED_COLOR: '駒箱の駒に手番の色が付いています',
  BASE_PIECE_REMOVED: '駒箱の駒があります（SSPFv1 の拡張形式でのみ表せます）',
  TAIL_ORDER: '盤外の駒の並びが正規の順ではありません',
  SIDE_POPCOUNT: '1 の数が 35 から 40 で、どちらの手番でもありません',
  BISHOP_CODE: 'この符号の角の組はありません',
  ROOK_CODE: 'この符号の飛の組はありません',
  MAJORS_COLLIDE: '玉・角・飛のうち 2 枚が同じマスにあります',
  MAJOR_PROMOTED: '盤外の角か飛が成っています',
  PAYLOAD: '付加情報が 0 ではありません',
  TAIL_CODE: '盤外の駒にこの符号はありません',
  PHANTOM_PAWNS: '末尾の 0 が先手の持ち駒の歩か、省略された駒か決められません',
  LENGTH: '符号の終わりが 256 ビット目と一致しません',
  RANGE: '番号が局面の総数以上です。ビット 238、239 は 0 ですか',
  HEX_DIGIT: '16 進の数字ではありません',
  HEX_LENGTH: '16 進の桁数が奇数です',
  WORD_SIZE: 'この長さの符号語はありません',
  PAYLOAD_RANGE: '付加情報は 0 から 63 です',
  // Moves
  MOVE_MALFORMED: '指し手になっていません',
  MOVE_NOT_IN_HAND: (error) => `持ち駒に${kind(error)}がありません`,
  MOVE_OCCUPIED: (error) => `${square(error)} にはすでに駒があります`,
  MOVE_NO_PIECE: (error) => `${square(error)} に駒がありません`,
  MOVE_OPPONENTS_PIECE: (error) => `${square(error)} の駒は相手の駒です`,
  MOVE_OWN_PIECE: (error) => `${square(error)} には自分の駒があります`,
  MOVE_UNREACHABLE: 'その駒はそこへ動けないか、間に駒があります',
  MOVE_PROMOTION: 'その手では成れません',
  MOVE_DEAD_END: '行き所のない駒になります',
  MOVE_NIFU: (error) => `${error.count ?? ''} 筋で二歩になります`,
  MOVE_KING_IN_CHECK: '玉に王手がかかったままになります',
  MOVE_PAWN_DROP_MATE: '打ち歩詰めです',
  // Texts
  EMPTY: '文字がありません',
  SFEN: (error) => `SFEN として読めません${error.quoted ? `（ここは「${error.quoted}」）` : ''}`,
  ENCODING: '文字コードが UTF-8 でも CP932 でも EUC-JP でもありません。UTF-8 で保存し直してください',
  SYNTAX: (error) => `「${quoted(error)}」を解釈できません。直すか、その行を除いてください`,
  HANDICAP: (error) => `手合割「${quoted(error)}」には盤面図が必要です。盤面図を加えるか手合割を直してください`,
  UNKNOWN_HANDICAP: (error) => `手合割「${quoted(error)}」は不明です。${(error.names ?? []).join('、')}などの名前に直すか、盤面図を加えてください`,
  PASS: (error) => `「${quoted(error)}」は将棋の指し手ではありません。その前で終わりとし、続きは別の棋譜にしてください`,
  BOARD_ROW: '盤面図は 9 段 9 筋です。この段を直してください',
  HAND: (error) => `持駒「${quoted(error)}」は駒の数を超えているか、駒ではありません。直してください`,
  SETUP: (error) => `この局面からは指せません: ${unplayable(error)}。局面を直してください`,
  POSITION: 'この局面からは指せません（玉、二歩、行き所のない駒、手番でない側への王手）。局面を直してください',
  OPPONENT_IN_CHECK: '手番でない側の玉に王手がかかっています',
  ILLEGAL_MOVE: (error) => `「${quoted(error)}」は指せません`,
  AMBIGUOUS: (error) => `「${quoted(error)}」に当てはまる手が複数あります（${(error.moves ?? []).join('、')}）`,
  SIDE: '手番を読めません',
  MOVE_NUMBER: '手数が続いていません',
  VARIATION: '変化の手数が合いません',
  // Records
  VARIANT_B: '2024 年より前のやねうら王の PSV（変種 B）で、正規の形ではありません',
  VARIANT_C: 'rshogi の PSV（変種 C）で、正規の形ではありません',
  VARIANT_OTHER: '持ち駒の並びが正規の形ではありません',
  CODEC_SSPFV1: 'この形式では意味をなさず、SSPFv1 の符号語としてなら読めます',
  CODEC_PSV: 'この形式では意味をなさず、PSV の符号語としてなら読めます',
  CODEC_HCP: 'この形式では意味をなさず、HCP の符号語としてなら読めます',
  CODEC_NSHOGI: 'この形式では意味をなさず、nshogi の符号語としてなら読めます',
  MOVE_ENCODING_A: '指し手がこの形式では非合法ですが、やねうら王のエンコーディングなら合法です',
  MOVE_ENCODING_B: '指し手がこの形式では非合法ですが、2026 年より前の rshogi のエンコーディングなら合法です',
  MOVE_ENCODING_C: '指し手がこの形式では非合法ですが、Apery のエンコーディングなら合法です',
  MOVE_ENCODING_A_OR_B: '指し手がこの形式では非合法ですが、ほかのエンコーディングなら合法です',
  MOVE_ENCODING_B_OR_C: '指し手がこの形式では非合法ですが、ほかのエンコーディングなら合法です',
  MOVE_ENCODING_BY_NEXT: '次の局面は、指し手を別のエンコーディングで読んだ後のものです',
  SCORE_NONE: '評価値が「なし」を表す値です',
  SCORE_RANGE: '評価値が詰みの値を超えています',
  PADDING: '最後のバイトが 0 ではありません',
  PLY_RANGE: '手数が長すぎます',
  PLY_PARITY: '手数と手番が合いません（先手番は奇数のはず）',
  TRUNCATED: 'この局面の途中でファイルが終わっています',
  DAMAGED: 'ここから先は局面として読めません',
  SAMPLE_SIZE: 'この形式は局面ごとに長さが違います。komabako sample なら抽出できます',
  SEED: '乱数の種は 0 以上の整数です',
  // The page itself
  UNSUPPORTED: (error) => `読めない種類のファイルです (${error.sentence})`,
  COMPRESSION: '圧縮データが壊れているか、途中で切れています',
  PERFT_TOO_DEEP: 'この深さは局面数が 100 億を超える見込みです。深さを減らしてください',
  OUT_OF_MEMORY: 'メモリが足りません。表の大きさを減らしてやり直してください',
  CANCELLED: '中止しました',
};

export function errorTextJa(error: ModuleError): string {
  const sentence = SENTENCES[error.name];
  const what = sentence === undefined ? error.sentence : typeof sentence === 'string' ? sentence : sentence(error);
  const game = error.game === undefined ? '' : `${error.game} 局目 `;
  const place = error.line === undefined ? '' : `${game}${error.line} 行 ${error.column ?? 1} 桁: `;
  const bits = error.field === undefined ? '' : `（フィールド ${error.field}${error.bit === undefined ? '' : `、ビット ${error.bit}`}）`;
  return `${place}${what}${bits}`;
}
