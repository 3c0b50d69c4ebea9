//! Texts of `solve`.

use std::path::Path;

use komabako::board::{BaseKind, Hand};
use komabako::tsume::{Convention, DualClass, Finding, FindingKind, FirstCheck, Length, Reason, Soundness};

use super::grouped;
use super::lang::Lang;
use super::report::Report;

texts! {
    solve_input_help =>
        "give an SFEN, a file with one SFEN per line, a game record, a file of records, or `-` for standard input; no \
         answer was written",
        "SFEN、1 行に 1 つの SFEN を書いたファイル、棋譜、レコードのファイル、または標準入力の `-` を指定してください。答えは書いていません";
    solve_problem_help =>
        "correct this position, or solve the others with `--on-error skip` or `--on-error collect=FILE`; the problems before it \
         are solved, and `--skip-solved` skips them",
        "この局面を直すか、`--on-error skip` または `--on-error collect=FILE` で残りを解いてください。前の問題は解けています。\
         `--skip-solved` で飛ばせます";
    solve_others_help =>
        "correct it, or solve the others with `--on-error skip` or `--on-error collect=FILE`; no answer was written",
        "これを直すか、`--on-error skip` または `--on-error collect=FILE` で残りを解いてください。答えは書いていません";
    solve_tail_help =>
        "check that the file is complete, or solve its whole records with `--on-error skip` or `--on-error collect=FILE`",
        "ファイルが完全か確かめるか、`--on-error skip` または `--on-error collect=FILE` で完全なレコードを解いてください";
    solve_progress(done, count, good) => "{done} of {count} problems, {good}",
        "{count} 問中 {done} 問まで終了 ({good})";
    solve_solved(good) => "{good} solved", "解けたもの {good} 問";
    solve_sound(good) => "{good} sound", "完全作 {good} 問";
    solve_interrupted(done, count) =>
        "stopped after {done} of {count} problems; `--skip-solved` continues from an output",
        "{count} 問中 {done} 問で中断しました。`--skip-solved` に出力を渡すと続きから解けます";
    solve_spent(nodes, milliseconds) => "{nodes}, {milliseconds} ms", "{nodes}、{milliseconds} ミリ秒";
    solve_split_help =>
        "write one file per problem with `--split --output answers.kif`; CSA and USI hold several games in a file, but no variations",
        "`--split --output answers.kif` で 1 問ずつ書いてください。CSA と USI は複数の棋譜を収められますが、変化は失われます";
    solve_defend => "`--root defend` asks whether the side to move is mated",
        "`--root defend` で、手番の玉が詰んでいるかを調べられます";
    solve_turn_and_defend => "to ask whether it is mated, give the move to the other side and use `--root defend`",
        "その玉が詰んでいるかは、手番を逆にして `--root defend` で調べられます";
    solve_split_without_file => "`--split` needs the name of a file of game records",
        "`--split` には棋譜のファイル名が必要です";
    variations_stopped(why) => "the variations are missing: {why}", "変化手順がありません: {why}";
    raise_memory(why) => "{why}: raise --memory", "{why}。--memory を増やしてください";
    nothing_left => "nothing left over", "余り駒なし";
    pieces_are_left(pieces) => "left over: {pieces}", "余り駒: {pieces}";
    line_is_unfinished => "the line is unfinished: a limit ended the search for the rest",
        "手順は途中までです (残りの探索が上限に達しました)";
    longest_defence(plies) => "the longest defence lasts {plies} plies", "最長の応手では {plies} 手";
    another_length_is_stated(plies) => "the author states {plies} plies", "作者の記載は {plies} 手";
    needless_pieces(pieces) => "not needed, one by one: {pieces}", "1 枚ずつなら外しても成立する駒: {pieces}";
    no_needless_piece => "every piece is needed", "外しても成立する駒はありません";
    needless_not_examined => "the pieces were not examined, since the problem is not sound",
        "完全作でないため、外しても成立する駒は調べていません";
    hands_are_completed => "the defender holds all remaining pieces; `--hands as-given` leaves the hand as it is",
        "玉方の持ち駒は残り全部としました。`--hands as-given` なら指定のままです";
    needless_pieces_are_open => "whether other pieces are needed is undecided: `--nodes` and `--time` allow more",
        "ほかの駒は未確定です。`--nodes` や `--time` で増やせます";
    line_has_plies(plies) => "the line shown has {plies} plies", "示した手順は {plies} 手";
    no_mate => "no mate", "不詰";
    findings_label => "findings of the checker", "検討の指摘";
    no_check => "no check is possible", "王手がありません";
    no_mate_within(plies) => "no mate within {plies}", "{plies}以内には詰みません";
    escapes_by(reply) => "the defender escapes by {reply}", "玉方は {reply} で逃れます";
    refuted_by(check, reply) => "{check} is answered by {reply}", "{check} には {reply}";
    at_ply(number) => "ply {number}", "{number} 手目";
    not_decided(nodes) => "not decided within {nodes} nodes; `--nodes` allows more",
        "{nodes} ノード以内では未確定です。`--nodes` で増やせます";
    not_examined(nodes) =>
        "not decided: the {nodes} nodes for all searches of this report are used up; `--nodes` allows more",
        "未確定です (検査全体の {nodes} ノードを使い切りました)。`--nodes` で増やせます";
    shorter_is_open(why) => "a mate; whether there is a shorter one: {why}", "詰みます。より早い詰みは{why}";
    line_not_utf8 => "the line is not UTF-8", "UTF-8 ではない行です";
    solve_unfinished(part) => "{part}: unfinished output of an earlier run",
        "{part}: 以前の実行の途中までの結果があります";
    solve_unfinished_help(part) => "continue it with `--skip-solved {part}`, or rename it; it is unchanged",
        "`--skip-solved {part}` で続きから解くか、別の名前に変えてください。ファイルはそのままです";
    solve_rename_help => "give it another name, or name another output; it is unchanged",
        "それを別の名前に変えるか、別の出力を指定してください。ファイルはそのままです";
    solve_kept(part, argument) => "{part}: the answers so far; `--skip-solved {argument}` continues from them",
        "{part}: ここまでの結果。`--skip-solved {argument}` で続きから解けます";
    solve_kept_apart(part) => "{part}: the output so far; give it another name before the next run",
        "{part}: ここまでの結果。次に実行する前に別の名前に変えてください";
    solve_no_certificate(path) => "{path}: not written, since no answer has a certificate",
        "{path}: 証明書が 1 つもないため、書きませんでした";
    solve_appeared_meanwhile(path) => "{path}: appeared while the problems were solved, and is not replaced",
        "{path}: 解いている間に作られたため、置き換えませんでした";
    solve_appeared_help(part) => "all answers are in {part}; give that file another name",
        "結果はすべて {part} にあります。そのファイルに別の名前を付けてください";
    solve_unsynced_help(part) => "all of it is in {part}, perhaps not on the disk yet; check the disk, and give that file another name",
        "結果はすべて {part} にありますが、ディスクに書けていないかもしれません。ディスクを確かめ、そのファイルに別の名前を付けてください";
    solve_files_written(count, first, last) => "games written, one file each: {count} ({first} … {last})",
        "書いた棋譜ファイル: {count} 個 ({first} … {last})";
    solve_reads_stdin =>
        "reading positions from standard input, one per line, up to Ctrl-D (Ctrl-Z on Windows); see `komabako help solve`",
        "標準入力から局面を 1 行に 1 つずつ読みます (終わりは Ctrl-D、Windows では Ctrl-Z。詳しくは `komabako help solve`)";
    solve_write_help =>
        "the answers so far are kept; make room on the disk, and continue with `--skip-solved`",
        "ここまでの結果は残っています。空きを作り、`--skip-solved` で続けてください";
    solve_write_apart_help =>
        "the answers so far are kept; make room on the disk, and write the rest to another file",
        "ここまでの結果は残っています。空きを作り、残りは別のファイルに書いてください";
    record_of(path, number) => "{path}: record {number}", "{path}: レコード {number}";
    solve_progress_so_far(done, good) => "{done} problems, {good}", "{done} 問まで終了 ({good})";
    solve_interrupted_so_far(done) =>
        "stopped after {done} problems; `--skip-solved` continues from an output",
        "{done} 問で中断しました。`--skip-solved` に出力を渡すと続きから解けます";
}

reports! {
    solve_empty as "empty_input" => "the input has no position", "入力に局面がありません",
        help "check the command or the file that it comes from: blank lines and comments (`#`) are no positions",
        "入力の元のコマンドやファイルを確かめてください。空行とコメント (`#`) は局面に数えません";
    not_text(path) as "not_text" => "{path}: neither lines of SFEN nor a known file of records or games",
        "{path}: SFEN の行でも、既知のレコードや棋譜のファイルでもありません",
        help "name the format of its records with --from; the file is unchanged",
        "レコードの形式を --from で指定してください。ファイルはそのままです";
    solve_cannot_continue(path) as "unfinished_output" =>
        "{path}: only TSV and JSON can be continued in the same file",
        "{path}: 同じファイルに続けて書けるのは TSV と JSON だけです",
        help "write the rest to another file; this one is unchanged",
        "残りは別のファイルに書いてください。このファイルはそのままです";
    solve_other_columns(path) as "unfinished_output" => "{path}: written with other columns",
        "{path}: 列が異なります",
        help "give `--check` as in the run that wrote it; if another version wrote it, write the rest to another file; this one is unchanged",
        "書いたときと同じ `--check` の指定にしてください。別のバージョンで書いたものなら、残りを別のファイルに書いてください。このファイルはそのままです";
    solve_strict(option) as "convention" => "{option} counts without useless interpositions, not strictly",
        "{option} は無駄合を数えません (strict ではありません)",
        help "leave out `--convention strict`, or ask for both lengths with `--convention both`",
        "`--convention strict` を外すか、`--convention both` で両方の手数を求めてください";
    solve_in_use(part) as "in_use" => "{part}: in use by another run",
        "{part}: 別の実行が使用中です",
        help "wait until it ends, or name another output", "終わるまで待つか、別の出力を指定してください";
}

/// The node limits of a search and of all searches of a report.
#[derive(Clone, Copy)]
pub struct NodeLimits {
    pub search: Option<u64>,
    pub report: Option<u64>,
}

impl Lang {
    /// The report of a file that took the output's name during the run; the answers stay in `part`.
    pub fn solve_appeared(self, path: &Path, part: &Path) -> Report {
        Report::new(self.solve_appeared_meanwhile(path.display()), self.solve_appeared_help(part.display()))
    }

    /// The pieces that the attacker has left; `sfen` is this hand in SFEN.
    pub fn pieces_left(self, hand: Hand, sfen: String) -> String {
        match self {
            _ if hand.is_empty() => self.nothing_left(),
            Lang::En => self.pieces_are_left(sfen),
            Lang::Ja => self.pieces_are_left(hand_ja(hand)),
        }
    }

    /// The length of a line.
    pub fn mate_plies(self, length: impl TryInto<u64>) -> String {
        self.plies_counted(length.try_into().unwrap_or(u64::MAX))
    }

    /// `Mate in 7 (tsume; strict 9)`.
    pub fn mate_length(self, length: Length, convention: Convention, strict: Option<u16>) -> String {
        let plies = length.plies();
        match self {
            Lang::En => {
                let at_most = if length.is_exact() { "" } else { "at most " };
                let convention = match convention {
                    Convention::Strict => "strict",
                    Convention::Tsume => "tsume",
                };
                let strict = strict.map_or_else(String::new, |strict| format!("; strict {strict}"));
                format!("Mate in {at_most}{plies} ({convention}{strict})")
            }
            Lang::Ja => {
                let at_most = if length.is_exact() { "" } else { "以内" };
                let convention = match convention {
                    Convention::Strict => " (無駄合を含む)",
                    Convention::Tsume => "",
                };
                let strict = strict.filter(|&strict| strict != plies);
                let strict =
                    strict.map_or_else(String::new, |strict| format!(" (無駄合を含めて {strict}手)"));
                format!("{plies}手詰{at_most}{convention}{strict}")
            }
        }
    }

    /// Whether a problem is sound.
    pub fn soundness(self, soundness: Soundness) -> String {
        match_text!(self, soundness;
            Soundness::Sound => "sound", "完全作";
            Soundness::Defective => "not sound", "不完全作";
            Soundness::Undecided => "undecided: a search reached its limit", "未確定: 上限に達した探索があります";
        )
    }

    /// That there is no mate, or none within a number of plies.
    pub fn refuted(self, within: Option<u16>) -> String {
        match within {
            Some(plies) => self.no_mate_within(self.mate_plies(plies)),
            None => self.no_mate(),
        }
    }

    /// What a first check leads to.
    pub fn first_check(self, check: &FirstCheck) -> String {
        match check.length {
            Ok(Some(length)) => self.mate_plies(length),
            Ok(None) => self.no_mate(),
            Err(reason) => self.no_verdict(reason, None),
        }
    }

    /// Why the verdict is unknown.
    pub fn no_verdict(self, reason: Reason, excluded: Option<u16>) -> String {
        let mut why = self.say(&reason);
        if reason == Reason::Memory {
            why = self.raise_memory(why);
        }
        match_text!(self, excluded;
            None => "unknown: {why}", "不明: {why}";
            Some(excluded) => "unknown: {why}; no mate in {excluded} or fewer", "不明: {why} ({excluded}手以内には詰みません)";
        )
    }

    /// The text of a finding or, if it is undecided, the reason.
    pub fn solve_finding(self, finding: &Finding, limits: NodeLimits) -> String {
        let why = match (finding.reason, limits) {
            (None, _) => return self.found(finding),
            (Some(Reason::Nodes), NodeLimits { search: Some(nodes), .. }) => self.not_decided(grouped(nodes)),
            (Some(Reason::ReportNodes), NodeLimits { report: Some(nodes), .. }) => {
                self.not_examined(grouped(nodes))
            }
            (Some(reason), _) => self.no_verdict(reason, None),
        };
        // A mate is known at this ply of the author's line.
        if finding.length.is_some() { self.shorter_is_open(why) } else { why }
    }

    /// The name of what was found.
    fn found(self, finding: &Finding) -> String {
        match (finding.kind, finding.class) {
            (FindingKind::LastMove, _) => self.last_move(finding.length),
            (kind, Some(class)) => self.dual_class(kind, class),
            (kind, None) => self.check_finding(kind),
        }
    }

    /// The name of another mate at the last ply. 最終手余詰 is a move that mates at once; a longer mate is a dual like any other,
    /// but no more of a defect.
    fn last_move(self, length: Option<u16>) -> String {
        match_text!(self, length;
            Some(1) => "mates at the last ply too", "最終手余詰";
            _ => "a longer mate at the last ply (a dual, no defect)", "最終手での余詰 (長手数。欠陥とは数えない)";
        )
    }

    /// The name of another check that mates, of a class.
    fn dual_class(self, kind: FindingKind, class: DualClass) -> String {
        match_text!(self, class;
            DualClass::FirstMove => "a dual at the first move", "余詰 (初手)";
            DualClass::LaterMove => "a dual at a later move", "余詰 (途中)";
            DualClass::Order if kind == FindingKind::Dual =>
                "a dual: the same checks in another order", "余詰 (手順の非限定)";
            DualClass::Order => "mates by way of the main line, with moves in another order", "合流 (手順前後)";
            DualClass::Detour => "mates by way of the main line, later", "合流 (迂回)";
            DualClass::Promotion => "the same mate, promoting or not", "非限定 (成・不成)";
            DualClass::Distance => "the same mate from another distance", "非限定 (距離)";
        )
    }

    /// The name of a finding.
    fn check_finding(self, kind: FindingKind) -> String {
        match_text!(self, kind;
            FindingKind::NoMate => "no mate", "不詰";
            FindingKind::Sooner => "a shorter mate", "早詰";
            FindingKind::Dual => "a dual", "余詰";
            FindingKind::Rejoin => "mates by way of the main line", "合流 (迂回・手順前後)";
            FindingKind::Unspecified => "the same mate (promotion or distance)", "非限定";
            FindingKind::LastMove => { self.last_move(None) };
            FindingKind::EqualDefence => "a reply of the same length", "変同";
            FindingKind::LongerDefence => "a longer reply", "変長";
            FindingKind::LeftOver => "pieces are left over", "駒余り";
            FindingKind::UselessInterposition => "a useless interposition", "無駄合";
            FindingKind::ReturningInterposition =>
                "an interposition after whose capture the position comes back (counted)", "原型復帰型無駄合 (手数に数える)";
            FindingKind::VariationDual => "a dual in a variation", "変化別詰";
            FindingKind::VariationLength => "a variation of another length", "変化の手数の相違";
            FindingKind::VariationEscapes => "a variation that does not mate", "変化の不詰";
            FindingKind::Undecided => "undecided", "未確定";
        )
    }
}

/// A hand in the notation of problems: `飛、歩三`.
fn hand_ja(hand: Hand) -> String {
    const NUMBERS: [&str; 10] = ["", "一", "二", "三", "四", "五", "六", "七", "八", "九"];
    let kinds = BaseKind::SFEN_HAND.into_iter().filter(|&kind| hand.count(kind) > 0);
    let texts = kinds.map(|kind| match usize::from(hand.count(kind)) {
        1 => Lang::Ja.say(&kind),
        count => format!("{}{}{}", Lang::Ja.say(&kind), ["", "十"][count / 10], NUMBERS[count % 10]),
    });
    texts.collect::<Vec<_>>().join("、")
}

#[cfg(test)]
mod tests {
    use komabako::board::{Color, sfen};

    use super::*;

    #[test]
    fn leftover_pieces_are_kanji_in_japanese() {
        let left = |hand: &str| {
            let setup = sfen::parse(format!("4k4/9/9/9/9/9/9/9/4K4 b {hand} 1").as_bytes()).unwrap().setup;
            let hand = setup.hand(Color::Black);
            [Lang::En, Lang::Ja].map(|lang| lang.pieces_left(hand, "2G".to_owned()))
        };
        assert_eq!(left("2G"), ["left over: 2G", "余り駒: 金二"]);
        assert_eq!(left("R2G10P")[1], "余り駒: 飛、金二、歩十");
        assert_eq!(left("18P")[1], "余り駒: 歩十八");
        assert_eq!(left("-"), ["nothing left over", "余り駒なし"]);
    }
}
