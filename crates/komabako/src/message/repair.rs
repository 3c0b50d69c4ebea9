//! Texts of `repair`: changes, unrepairable records, and the advice for these.

use komabako::dataset::repair::{Change, DecidedBy, RepairError, Unrepairable};

use super::lang::Lang;

texts! {
    records_to_terminal => "records are binary and are not written to a terminal", "レコードはバイナリなので端末には出力しません";
    changed_label => "changed", "変更";
    moves_decided(letter, legal, encoding_dependent) =>
        "; moves in encoding {letter}, in which {legal} of {encoding_dependent} sampled drops and promotions are legal",
        "、指し手はエンコーディング {letter} (標本の駒打ちと成り {encoding_dependent} 手のうち {legal} 手が合法)";
    moves_given(letter) => "; moves in encoding {letter}, as given", "、指し手は指定どおりエンコーディング {letter}";
    change_count(count, change) => "{count} {change}", "{change}: {count}";
    moves_mixed(encodings) => "; moves mixed, in encodings {encodings}", "、指し手は混在 (エンコーディング {encodings})";
    moves_read(read, decided) => "drops and promotions read as {read} (decided by {decided})",
        "駒打ちと成りの読み方 {read} (根拠 {decided})";
}

impl Lang {
    /// The advice for a file that cannot be repaired.
    pub fn repair_advice(self, error: &RepairError) -> String {
        match_text!(self, error;
            RepairError::Format(_) =>
                "psv, hcpe, hcpe2, packed_sfen, sspfv1, sspfv1-ext and ext36 can be; `komabako validate` reports the faults of \
                 any format",
                "対象は psv、hcpe、hcpe2、packed_sfen、sspfv1、sspfv1-ext、ext36 です。どの形式でも `komabako validate` で誤りを調べられます";
            RepairError::Formats(..) => "repair one format at a time", "形式ごとに分けて修復してください";
            RepairError::Converts { from, .. } => "repair into {from} first, then `komabako convert`",
                "まず {from} に修復し、その後 `komabako convert` で変換してください";
            RepairError::OtherFormat { found, .. } => "read it with `--from {found}`", "`--from {found}` で読んでください";
            RepairError::Stream(_) => "give a file, or name the encoding: `--moves a`, `b`, `c` or `mixed`",
                "ファイルで渡すか、`--moves a`、`b`、`c`、`mixed` のいずれかを指定してください";
            RepairError::Undecided { .. } =>
                "if the file is mixed, have each move decided separately with `--moves mixed`; if you know the encoding, name it: \
                 `--moves a` (YaneuraOu), `b` (rshogi before 2026), `c` (Apery, cshogi)",
                "混在しているなら `--moves mixed` で 1 手ずつ決められます。分かっていれば `--moves a` (やねうら王)、`b` (2026 年より前の \
                 rshogi)、`c` (Apery、cshogi) で指定してください";
            RepairError::Record(error) => { self.unrepairable_advice(error.fault.name()) };
        )
    }

    /// The advice for a record that cannot be repaired, by the name of the reason.
    fn unrepairable_advice(self, name: &str) -> String {
        match_text!(self, name;
            "PHANTOM_PAWNS" =>
                "decide with `--phantom-pawns strip` (pawns were removed) or `keep` (other pieces were), or set such \
                 records aside with `--rejects FILE`",
                "`--phantom-pawns strip` (歩が除かれている) か `keep` (ほかの駒が除かれている) を指定するか、`--rejects FILE` で別のファイルに移してください";
            "MOVE_AMBIGUOUS" =>
                "set such records aside with `--rejects FILE`, or name the encoding for undecided moves: `--tie-break a`, `b` or `c`",
                "`--rejects FILE` で別のファイルに移すか、決め手のない指し手の読み方を `--tie-break a`、`b`、`c` で指定してください";
            "CODEC_AMBIGUOUS" =>
                "if the file was joined from others, repair those one by one; or set such records aside with `--rejects FILE`",
                "複数のファイルをつないだものなら、元のファイルを 1 つずつ修復してください。`--rejects FILE` で別のファイルに移すこともできます";
            name if name.starts_with("MOVE_ENCODING_") =>
                "the file may be mixed: try `--moves mixed`, or set such records aside with `--rejects FILE`",
                "混在しているかもしれません。`--moves mixed` を試すか、`--rejects FILE` で別のファイルに移してください";
            _ => "set such records aside with `--rejects FILE`",
                "`--rejects FILE` で、修復できないレコードを別のファイルに移してください";
        )
    }

    /// Why a record cannot be repaired.
    pub fn unrepairable(self, reason: &Unrepairable) -> String {
        match reason {
            Unrepairable::Finding(finding) => self.finding(finding),
            _ => format!("{} ({})", self.say(reason), reason.name()),
        }
    }

    /// The evidence that decided the reading of a move.
    pub fn decided_by(self, decided_by: DecidedBy) -> String {
        match_text!(self, decided_by;
            DecidedBy::Legality => "legality", "合法性";
            DecidedBy::NextPosition => "the next position", "次の局面";
            DecidedBy::Mate => "mate in one", "1 手詰";
            DecidedBy::Neighbours => "neighbouring moves", "前後の指し手";
            DecidedBy::TieBreak => "--tie-break", "--tie-break";
        )
    }

    /// A change made to records.
    pub fn change(self, change: Change) -> String {
        match_text!(self, change;
            Change::VariantB => "positions of variant B (YaneuraOu before 2024) made canonical",
                "局面を変種 B (2024 年より前のやねうら王) から正規の形に変更";
            Change::VariantC => "positions of variant C (rshogi) made canonical", "局面を変種 C (rshogi) から正規の形に変更";
            Change::VariantOther => "positions with another order of hands made canonical",
                "持ち駒の並びが違う局面を正規の形に変更";
            Change::TailOrder => "positions with another order off the board made canonical",
                "盤外の駒の並びが違う局面を正規の形に変更";
            Change::PhantomPawns => "of these, with zeros read as removed pieces, not as pawns",
                "うち末尾の 0 を歩でなく、除かれた駒と解釈";
            Change::Codec => "positions rewritten from the codec of another format", "局面を別の形式の符号語から書き直し";
            Change::Move => "moves rewritten in the format's encoding", "指し手をこの形式のエンコーディングに変更";
            Change::Score => "scores with the sign changed", "評価値の符号を反転";
            Change::Result => "results with the winner changed", "勝敗を反転";
        )
    }
}
