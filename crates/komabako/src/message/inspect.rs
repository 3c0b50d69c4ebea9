//! Texts of `inspect`.

use super::lang::Lang;

texts! {
    position_at_column(column, why) => "position, column {column}: {why}", "局面の {column} 桁目: {why}";
    inspect_help => "give an SFEN, 64 hexadecimal digits (60 of r238), or a file with `--record N`",
        "SFEN、16 進 64 桁 (r238 は 60 桁) の符号語、または `--record N` とファイルを指定してください";
    record_heading(path, record, offset, format) => "{path}: record {record}, byte {offset} ({format})",
        "{path}: レコード {record}、バイト {offset} ({format})";
    game_heading(game, number) => "game {game}, move {number}", "対局 {game}、{number} 手目";
    not_held(format, why) => "{format} cannot hold it: {why}", "{format} では表せません: {why}";
    also_taken(format) => "also a valid word of {format}", "{format} の符号語としても正しい";
    refused(format, why) => "not {format}: {why}", "{format} ではない: {why}";
    not_playable(why) => "not playable: {why}", "対局できない局面: {why}";
    words_heading => "Words", "各形式の符号語";
    fields_heading(format) => "{format}, field by field", "{format} のフィールド";
    codes_heading(format) => "{format}, code by code", "{format} の符号";
    square_heading(square) => "Bits of {square}", "{square} のビット";
    no_bits_of_squares => "one number: no bit of it belongs to a single square",
        "1 つの数なので、1 マスだけのビットはありません";
    field_heading => "field", "フィールド";
    bits_heading => "bits", "ビット";
    meaning_heading => "meaning", "意味";
    value_heading => "value, first bit first", "値 (最初のビットから)";
}

reports! {
    no_such_record(path, record, count) as "usage" =>
        "{path}: no record {record}; the number of records is {count}",
        "{path}: レコード {record} はありません。レコード数は {count} です",
        help "records are counted from 0", "レコードは 0 から数えます";
}

/// The words of the codecs' explanations; a longer one precedes the ones that it contains.
const GLOSSARY: &[(&str, &str)] = &[
    ("Black to move", "先手番"),
    ("White to move", "後手番"),
    ("no position has it", "この番号の局面はない"),
    ("both kings", "両方の玉"),
    ("Black's king only", "先手の玉のみ"),
    ("White's king only", "後手の玉のみ"),
    ("no kings", "玉なし"),
    ("others on the board; number", "枚のほかの駒が盤上。番号"),
    ("pawns, lances, knights, silvers, golds, inverted:", "枚 (歩・香・桂・銀・金)、反転:"),
    ("pawns, lances, knights, silvers, golds:", "枚 (歩・香・桂・銀・金):"),
    (" pawns, ", " 枚の歩、"),
    ("pieces besides the kings", "枚 (玉を除く)"),
    ("not pawns", "枚 (歩以外)"),
    ("tail of", "盤外"),
    (" off the board,", " 枚のうち"),
    ("of the bishops and rooks are White's", "枚の角・飛が後手の駒"),
    ("of the bishops and rooks are promoted", "枚の角・飛が成駒"),
    ("White's on the board", "枚が盤上の後手の駒"),
    ("in White's hand", "枚が後手の持ち駒"),
    ("White's", "枚が後手の駒"),
    ("on no square", "盤外"),
    ("no pair", "組でない"),
    ("in hands", "枚 (後手の持ち駒 / 持ち駒)"),
    ("in hand", "持ち駒"),
    ("missing", "なし"),
    (" is occupied", " に駒あり"),
    (" is empty", " に駒なし"),
    ("payload", "付加情報"),
    ("silvers, golds, bishops, rooks", "枚 (銀・金・角・飛)"),
    ("knights, golds, bishops, rooks", "枚 (桂・金・角・飛)"),
    ("silvers, golds", "枚 (銀・金)"),
    ("knights, golds", "枚 (桂・金)"),
    ("bishops, rooks", "枚 (角・飛)"),
    ("rooks", "枚 (飛)"),
    ("removed", "駒箱"),
    ("promoted ", "成"),
    ("promoted", "枚 (成駒)"),
    ("pieces", "枚"),
    ("no square", "盤外"),
    ("empty", "空き"),
    ("Black", "先手"),
    ("White", "後手"),
    ("pawn", "歩"),
    ("lance", "香"),
    ("knight", "桂"),
    ("silver", "銀"),
    ("gold", "金"),
    ("bishop", "角"),
    ("rook", "飛"),
    ("king", "玉"),
    (" of ", " / "),
    (", ", "、"),
];

impl Lang {
    /// The meaning of a field or a code of a word: the codec's English, translated word by word for Japanese.
    pub fn meaning(self, text: &str) -> String {
        match self {
            Lang::En => text.to_owned(),
            Lang::Ja => GLOSSARY.iter().fold(text.to_owned(), |text, (en, ja)| text.replace(en, ja)),
        }
    }
}
