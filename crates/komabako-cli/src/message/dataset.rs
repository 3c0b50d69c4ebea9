//! Texts for the errors and bad records of the library of files, with advice.

use std::io;

use komabako::dataset::error;
use komabako::dataset::error::{Damage, Evidence, RecordError, Tail, TailCause};
use komabako::dataset::preflight::Shortage;
use komabako::dataset::stats::{SavedError, SavedFault};
use komabako::dataset::{DatasetError, RecordFault};

use super::common::grouped;
use super::lang::Lang;
use super::reason::Reason;
use super::report::Report;
use crate::escape::Escaped;
use crate::standard;

texts! {
    is_read_only(format) {
        "{format} can be read but not written",
        "{format} は読み込み専用の形式です"
    }
    is_of_games(format) {
        "{format} holds games, and sampled, shuffled or deduplicated records do not form games",
        "{format} は棋譜の形式で、抽出、シャッフル、重複除去をしたレコードは棋譜になりません"
    }
    games_help() {
        "write records, e.g. with `--to psv` or `--to hcpe`; `komabako split --ratio` draws whole games",
        "`--to psv` や `--to hcpe` でレコードとして書いてください。対局ごとの抽出は `komabako split --ratio` でできます"
    }
    read_only_help() { "choose another format with `--to`, see `komabako formats`", "`--to` で別の形式を選んでください (`komabako formats` を参照)" }
    exists(path) { "{path}: already exists", "{path}: すでに存在します" }
    exists_help() { "choose another name, or overwrite it with `--force`", "別の名前にするか、`--force` で上書きしてください" }
    appeared(path) {
        "{path}: appeared while the job ran, and was not replaced; the output was not written",
        "{path}: 処理の間に作られたため、置き換えませんでした。出力は書いていません"
    }
    appeared_help() {
        "see what wrote that file, and run the job again with another name",
        "そのファイルを書いたものを確かめ、別の名前でやり直してください"
    }
    is_same_file(path) { "{path}: is used twice", "{path}: 二重に指定されています" }
    same_file_help() { "inputs are never overwritten; choose another name", "入力は上書きしません。別の名前にしてください" }
    cannot_create(path, why) { "{path}: cannot create: {why}", "{path}: 作成できません: {why}" }
    create_help() { "check that the directory exists and is writable", "ディレクトリがあり、書き込めることを確かめてください" }
    no_output_format(name) {
        "{name}: the name does not say which format to write",
        "{name}: 名前から出力形式が分かりません"
    }
    output_format_help() { "name it with `--to`, see `komabako formats`", "`--to` で形式を指定してください (`komabako formats` を参照)" }
    no_output_compression(name) {
        "{name}: this compression cannot be written",
        "{name}: この圧縮形式では出力できません"
    }
    output_compression_help() { "choose a name that ends in `.kmb`, `.zst`, `.gz` or `.xz`, or is not compressed", "末尾が `.kmb`、`.zst`、`.gz`、`.xz` の名前か、圧縮しない名前にしてください" }
    not_archived(format) {
        "an archive (`.kmb`) holds records of psv or hcpe, and not of {format}",
        "アーカイブ (`.kmb`) に入るのは psv か hcpe のレコードです ({format} は入りません)"
    }
    not_archived_help() { "choose one of them with `--to`", "`--to` で psv か hcpe を指定してください" }
    compressed_archive(name) {
        "{name}: an archive is not compressed once more, since nothing is left to save",
        "{name}: アーカイブをさらに圧縮しても小さくならないため、扱いません"
    }
    compressed_archive_help() {
        "choose a name that ends in `.kmb`; decompress an input first (`zstd -d`, `gzip -d`, `xz -d`)",
        "末尾が `.kmb` の名前にしてください。入力は先に展開してください (`zstd -d`、`gzip -d`、`xz -d`)"
    }
    other_archive(input, found, given) {
        "{input}: is an archive of {found}, and not of {given}",
        "{input}: {given} ではなく {found} のアーカイブです"
    }
    other_archive_help() { "leave `--from` out: an archive says what it holds", "`--from` を外してください。形式はアーカイブに記されています" }
    newer_archive(input, records, damage) {
        "{input}: this archive was written by a newer version, after {records}: {damage}",
        "{input}: 新しいバージョンで書かれたアーカイブです ({records}の後): {damage}"
    }
    newer_archive_help() { "update komabako, and keep the file", "ファイルはそのままにして、komabako を更新してください" }
    damaged_edge(input, records, damage) {
        "{input}: damaged archive, but no record is lost by it, after {records}: {damage}",
        "{input}: アーカイブが壊れていますが、これで失われるレコードはありません ({records}の後): {damage}"
    }
    damaged_edge_help() {
        "`komabako cat IN.kmb -o OUT.kmb --salvage` writes header and index anew, with all records",
        "`komabako cat IN.kmb -o OUT.kmb --salvage` でヘッダーと索引を作り直せます。レコードはすべて残ります"
    }
    not_appended(path) {
        "{path}: records are added only to an archive (`.kmb`) that ends whole",
        "{path}: 追加できるのは、末尾まで完全なアーカイブ (`.kmb`) だけです"
    }
    not_appended_help() {
        "repair it first: `komabako cat IN.kmb -o OUT.kmb --salvage`; or write another file without `--append`",
        "先に `komabako cat IN.kmb -o OUT.kmb --salvage` で修復するか、`--append` なしで別のファイルに書き出してください"
    }
    damaged_archive(input, records, damage) {
        "{input}: damaged archive, after {records}: {damage}",
        "{input}: アーカイブが壊れています (完全な {records} の後): {damage}"
    }
    unrecognized(input) { "{input}: the format is not recognised", "{input}: 形式を判別できません" }
    unrecognized_help() { "name it with `--from` if you know it, see `komabako formats`", "分かっていれば `--from` で形式を指定してください (`komabako formats` を参照)" }
    ends_early(input, records, offset) {
        "{input}: the compressed data ends early, after {records} ({offset} bytes)",
        "{input}: 圧縮データが途中で終わっています (完全な {records}、{offset} バイトの後)"
    }
    corrupt(input, records, offset) {
        "{input}: the compressed data is corrupt, after {records} ({offset} bytes), which may be wrong too",
        "{input}: 圧縮データが壊れています (完全な {records}、{offset} バイトの後)。それより前にも誤りがあるかもしれません"
    }
    cannot_read_past(input, offset, why) {
        "{input}: cannot read past byte {offset} of its content: {why}",
        "{input}: 内容のバイト {offset} から先を読み込めません: {why}"
    }
    read_help() {
        "check that the file is complete, and check its disk or connection",
        "ファイルが完全か、ディスクや接続に問題がないか確かめてください"
    }
    mixed_formats(one, other) {
        "bad records of {one} and {other} cannot be collected in one file",
        "{one} と {other} の不正なレコードを 1 つのファイルには集められません"
    }
    mixed_formats_help() { "convert one format at a time", "形式ごとに分けて変換してください" }
    record_help() {
        "keep bad records apart with `--on-error collect=FILE`, or leave them out with `--on-error skip`",
        "`--on-error collect=FILE` で別のファイルに集めるか、`--on-error skip` で飛ばしてください"
    }
    record_first_help() {
        "separate bad records first: `komabako cat --check --on-error collect=BAD IN -o OUT` keeps them in BAD",
        "先に不正なレコードを除いてください。`komabako cat --check --on-error collect=BAD IN -o OUT` は BAD に分けて残します"
    }
    foreign_record_help() {
        "another program may have written it in another form: `komabako info FILE` checks a sample, and \
         `komabako repair IN OUT` restores such records (`--rejects FILE` keeps those that it cannot restore); use `--on-error skip` only for \
         records that are still bad then",
        "別のプログラムの書き方かもしれません。`komabako info FILE` で標本を調べ、`komabako repair IN OUT` で元に戻せます (直せないものは \
         `--rejects FILE` に残ります)。それでも残るものだけを `--on-error skip` で飛ばしてください"
    }
    foreign_record_first_help() {
        "another program may have written it in another form: `komabako info FILE` checks a sample, and \
         `komabako repair IN OUT` restores such records (`--rejects FILE` keeps those that it cannot restore)",
        "別のプログラムの書き方かもしれません。`komabako info FILE` で標本を調べ、`komabako repair IN OUT` で元に戻せます (直せないものは \
         `--rejects FILE` に残ります)"
    }
    tail_help() {
        "check that the file is complete, or keep the whole records before it with `--salvage`",
        "ファイルが完全か確かめるか、`--salvage` でその前の完全なレコードを残してください"
    }
    columns_help() {
        "rearrange the columns to sfen, move, score, ply, result; the last ones may be missing, cells may be empty",
        "列を sfen、move、score、ply、result の順に並べ替えてください。末尾の列はなくてもよく、空のセルも使えます"
    }
    truncated(input, length, records, offset) {
        "{input}: truncated: {records}, then {length} of another (from byte {offset})",
        "{input}: 途中で切れています: 完全な {records}の後に {length}の端数 (バイト {offset} から)"
    }
    damaged(input, records, offset, why) {
        "{input}: damaged at byte {offset}, after {records}: {why}",
        "{input}: バイト {offset} で壊れています (完全な {records}の後): {why}"
    }
    unfinished(directory) {
        "{directory}: left by an unfinished job with this output",
        "{directory}: この出力の、終わっていない処理が残したものです"
    }
    unfinished_help() {
        "continue with `--resume`; or remove what that job left: `komabako clean --all` and the output's directory",
        "`--resume` で続けるか、`komabako clean --all` に出力のディレクトリを指定して、その処理が残したものを削除してください"
    }
    in_use(directory) {
        "{directory}: in use by another job",
        "{directory}: 別の処理が使用中です"
    }
    in_use_help() {
        "wait until it ends, or name another output or `--tmp-dir`",
        "終わるまで待つか、出力か `--tmp-dir` を別のものにしてください"
    }
    changed(directory, what) {
        "{directory}: left by another job: {what} differs",
        "{directory}: 別の処理が残したものです (相違点: {what})"
    }
    changed_help() {
        "continue with `--resume` and the arguments of that job; or remove what it left: `komabako clean --all` and the output's \
         directory",
        "その処理と同じ指定に `--resume` を付けて続けるか、`komabako clean --all` に出力のディレクトリを指定して、その処理が残したものを削除してください"
    }
    deletes_reference(path) {
        "{path}: is an input to delete and a reference to keep",
        "{path}: 削除する入力であり、残す参照 (`--reference`) でもあります"
    }
    deletes_reference_help() {
        "leave out `--delete-inputs`, or name another reference",
        "`--delete-inputs` を外すか、別の `--reference` を指定してください"
    }
    partition_deletes(partition) {
        "partition {partition} must not delete the inputs: the other partitions are made from them",
        "分担 {partition} では入力を削除できません。ほかの分担も同じ入力から作られます"
    }
    partition_deletes_help() {
        "leave out `--delete-inputs`; delete the inputs yourself once all partitions are complete",
        "`--delete-inputs` を外し、すべての分担が揃ってから入力を削除してください"
    }
    partition_undivided(partition) {
        "partition {partition}: this output cannot be divided",
        "分担 {partition}: この出力は分担できません"
    }
    saved_other_help() {
        "`stats --merge` takes files that `stats --save` has written",
        "`stats --merge` には `stats --save` で書いたファイルを指定してください"
    }
    saved_version_help() { "merge them with the program that saved them", "保存したプログラムで結合してください" }
    saved_damaged_help() { "count this part again with `stats --save`", "この部分を集計し直してください" }
    saved_other_division_help() {
        "merge parts with the same N of `--partition I/N`",
        "`--partition I/N` の N が同じものを結合してください"
    }
    saved_twice_help() { "give each part once", "同じ部分は 1 度だけ指定してください" }
    cannot_delete(path, why) { "{path}: cannot delete: {why}", "{path}: 削除できません: {why}" }
    delete_help() {
        "the output is complete; remove the inputs yourself, or run the command again with `--resume`",
        "出力は完成しています。入力を手動で削除するか、同じコマンドを `--resume` を付けて実行してください"
    }
    is_complete(output) {
        "{output}: complete, but the run that wrote it was stopped while it removed its inputs and temporary files",
        "{output}: 完成していますが、書き出した実行が、入力と一時ファイルの削除中に止められています"
    }
    is_complete_help() {
        "finish that with `--resume`; do not write the output again, inputs may be gone",
        "`--resume` を付けて実行すると、残りが削除されます。入力がもうない場合があるので、出力を作り直さないでください"
    }
    deletes_without_file(output) {
        "{output}: is not a file, so the inputs cannot be deleted",
        "{output}: ファイルではないため、入力を削除できません"
    }
    deletes_without_file_help() {
        "write to a file, or leave `--delete-inputs` out",
        "ファイルに書き出すか、`--delete-inputs` を外してください"
    }
    special_file(path) {
        "{path}: is a pipe or a device; only files are read in a searched folder",
        "{path}: パイプまたはデバイスです。フォルダーの検索で読むのはファイルだけです"
    }
    special_file_help() {
        "move it to another folder, or name the files to read instead of the folder",
        "ほかのフォルダーへ移すか、フォルダーではなく読むファイルを指定してください"
    }
    altered(path) {
        "{path}: changed while it was being read, or ends before its size; the output was not written",
        "{path}: 読んでいる間に内容が変わったか、サイズより前で終わっています。出力は書いていません"
    }
    altered_help() {
        "run the job again when no program writes to it; if none does, copy it and read the copy",
        "書き込むものがなくなってから、やり直してください。書き込むものがないなら、コピーしてそれを読んでください"
    }
    part_damaged(path) { "{path}: temporary file is corrupt (checksum mismatch)", "{path}: 一時ファイルが壊れています (チェックサムが一致しません)" }
    part_help() {
        "check the disk, remove what the job left with `komabako clean --all` and the directory of its output, and start again",
        "ディスクを確かめ、`komabako clean --all` に出力のディレクトリを指定してその処理が残したものを削除し、やり直してください"
    }
    too_little_memory(needed, allowed) {
        "the job needs {needed} of memory, but the limit is {allowed}",
        "メモリが {needed} 必要ですが、使えるのは {allowed} です"
    }
    memory_help() {
        "raise `--max-memory` if the command has it, use fewer `--threads` or `--parts`, or take fewer records",
        "`--max-memory` があれば増やすか、`--threads`、`--parts`、レコードのどれかを減らしてください"
    }
    too_little_disk(path, needed, free) {
        "{path}: the job needs {needed} there, but {free} are free",
        "{path}: {needed} 必要ですが、空きは {free} です"
    }
    disk_help() {
        "make room on the disk or write elsewhere; `--tmp-dir` moves the temporary files of commands that have them, and \
         `shuffle --phased` has none",
        "空きを作るか、別の場所に書いてください。一時ファイルを使うコマンドでは `--tmp-dir` でその場所を指定でき、\
         `shuffle --phased` は一時ファイルを作りません"
    }
    stdout_help() {
        "make room on the disk, or write to another place; the output so far is incomplete",
        "空きを作るか、別の場所に書いてください。これまでに出力した分は不完全です"
    }
    cancelled_to_stdout() {
        "cancelled; the output so far is incomplete",
        "中断しました。これまでに出力した分は不完全です"
    }
    no_thread(why) { "cannot start a thread: {why}", "スレッドを開始できません: {why}" }
    no_thread_help() {
        "use a smaller `--threads`, or raise the limit of processes or memory (`ulimit -a`)",
        "`--threads` を小さくするか、プロセス数やメモリの上限 (`ulimit -a`) を上げてください"
    }
    cancelled() { "cancelled; no partial file was left", "中断しました。不完全なファイルは残していません" }
}

impl Lang {
    /// The report of an error of a file, with advice.
    pub fn dataset_error(self, error: &DatasetError) -> Report {
        match error {
            DatasetError::Open(path, error) => {
                Report::new(self.cannot_open(path.display(), self.io(error)), self.opening_help(error))
            }
            DatasetError::SpecialFile(path) => {
                Report::new(self.special_file(path.display()), self.special_file_help())
            }
            DatasetError::Read { input, offset, error } => {
                let what = self.cannot_read_past(input, grouped(*offset), self.io(error));
                let help = match error.kind() {
                    _ if standard::is_empty(error) => self.empty_input_help(),
                    io::ErrorKind::OutOfMemory => self.memory_read_help(),
                    _ => self.read_help(),
                };
                Report::new(what, help)
            }
            DatasetError::Unsupported { input, what } => {
                Report::plain(format!("{input}: {}", self.say(&what.with_advice())))
            }
            DatasetError::Unrecognized { input, why } => {
                let has_other_columns = |reason: &error::Reason| {
                    let error::Reason::Evidence(evidence) = reason else { return false };
                    matches!(evidence, Evidence::Damaged { damage: Damage::Columns, .. })
                };
                let help = if why.iter().any(has_other_columns) {
                    self.columns_help()
                } else {
                    self.unrecognized_help()
                };
                let mut report = Report::new(self.unrecognized(input), help);
                for reason in why {
                    report.what += &format!("\n  {}", Escaped(self.say(reason)));
                }
                report
            }
            DatasetError::OutputFormat(name) => {
                Report::new(self.no_output_format(name), self.output_format_help())
            }
            DatasetError::OutputCompression(name) => {
                Report::new(self.no_output_compression(name), self.output_compression_help())
            }
            DatasetError::NotArchived(format) => {
                Report::new(self.not_archived(format), self.not_archived_help())
            }
            DatasetError::NotAppended(path) => {
                Report::new(self.not_appended(path.display()), self.not_appended_help())
            }
            DatasetError::CompressedArchive(name) => {
                Report::new(self.compressed_archive(name), self.compressed_archive_help())
            }
            DatasetError::OtherArchive { input, given, found } => {
                Report::new(self.other_archive(input, found, given), self.other_archive_help())
            }
            DatasetError::GamesInOrder(format) => Report::new(self.is_of_games(format), self.games_help()),
            DatasetError::ReadOnly(format) => Report::new(self.is_read_only(format), self.read_only_help()),
            DatasetError::Exists(path) => Report::new(self.exists(path.display()), self.exists_help()),
            DatasetError::Appeared(path) => Report::new(self.appeared(path.display()), self.appeared_help()),
            DatasetError::SameFile(path) => {
                Report::new(self.is_same_file(path.display()), self.same_file_help())
            }
            DatasetError::Create(path, error) => {
                Report::new(self.cannot_create(path.display(), self.io(error)), self.creation_help(error))
            }
            DatasetError::Write(name, error) => {
                Report::new(self.cannot_write(name, self.io(error)), self.writing_help(error))
            }
            DatasetError::MixedFormats(one, other) => {
                Report::new(self.mixed_formats(one, other), self.mixed_formats_help())
            }
            DatasetError::FieldMissing(input, field) => {
                Report::new(self.lacks_field(input, field.name()), self.lacks_field_help())
            }
            DatasetError::PartNames { parts: Some(parts) } => {
                Report::new(self.names_of_parts(parts), self.part_names_help())
            }
            DatasetError::PartNames { parts: None } => {
                Report::new(self.names_of_unknown(), self.part_names_help())
            }
            DatasetError::TooManyParts { parts, most } => {
                Report::new(self.too_many_parts(grouped(*parts), grouped(*most)), self.too_many_parts_help())
            }
            DatasetError::Ratio => Report::new(self.no_ratio(), self.ratio_help()),
            DatasetError::ReadOnce(input) => Report::new(self.read_once(input), self.read_once_help()),
            DatasetError::ScoreSize(column, bytes) => {
                Report::new(self.score_size(column, self.bytes(*bytes)), self.score_help())
            }
            DatasetError::ScoreCount { column, scores, records } => Report::new(
                self.score_count(column, self.scores(*scores), self.records(*records)),
                self.score_help(),
            ),
            DatasetError::Record(error) => {
                let help = match error.fault {
                    // Skipping a record that another program wrote would lose it.
                    RecordFault::Unpack(_) | RecordFault::Move(_) => self.foreign_record_help(),
                    _ => self.record_help(),
                };
                Report::new(self.record_error(error), help)
            }
            DatasetError::Tail(tail) => {
                let help = match tail.cause {
                    TailCause::Damaged(Damage::Columns) => self.columns_help(),
                    cause if cause.is_unsupported() => self.newer_archive_help(),
                    cause if cause.spares_records() => self.damaged_edge_help(),
                    _ => self.tail_help(),
                };
                Report::new(self.tail(tail), help)
            }
            DatasetError::Shortage(shortage) => self.shortage(shortage),
            DatasetError::Unfinished(directory) => {
                Report::new(self.unfinished(directory.display()), self.unfinished_help())
            }
            DatasetError::Complete(output) => {
                Report::new(self.is_complete(output.display()), self.is_complete_help())
            }
            DatasetError::DeletesWithoutFile(output) => {
                Report::new(self.deletes_without_file(output), self.deletes_without_file_help())
            }
            DatasetError::InUse(directory) => {
                Report::new(self.in_use(directory.display()), self.in_use_help())
            }
            DatasetError::Changed { directory, what } => {
                Report::new(self.changed(directory.display(), self.say(what)), self.changed_help())
            }
            DatasetError::DeletesReference(path) => {
                Report::new(self.deletes_reference(path.display()), self.deletes_reference_help())
            }
            DatasetError::PartitionDeletes(partition) => {
                Report::new(self.partition_deletes(partition), self.partition_deletes_help())
            }
            DatasetError::PartitionUndivided(partition) => Report::plain(self.partition_undivided(partition)),
            DatasetError::Delete(path, error) => {
                Report::new(self.cannot_delete(path.display(), self.io(error)), self.delete_help())
            }
            DatasetError::Altered(path) => Report::new(self.altered(path.display()), self.altered_help()),
            DatasetError::Part(path) => Report::new(self.part_damaged(path.display()), self.part_help()),
            DatasetError::Mismatch(mismatch) => self.mismatch(mismatch),
            DatasetError::Thread(error) => Report::new(self.no_thread(self.io(error)), self.no_thread_help()),
            DatasetError::Cancelled => Report::plain(self.cancelled()),
            DatasetError::Job(job) => {
                if let Some(error) = error.of_job() {
                    self.repair_error(error)
                } else if let Some(error) = error.of_job() {
                    self.saved_error(error)
                } else if let Some(error) = error.of_job() {
                    self.rescore_error(error)
                } else if let Some(game) = error.of_job() {
                    Report::new(self.bad_game(game), self.kifu_bad_game_help())
                } else {
                    Report::plain(self.say(&&**job))
                }
            }
        }
    }

    fn saved_error(self, error: &SavedError) -> Report {
        let help = match &error.fault {
            SavedFault::Other => self.saved_other_help(),
            SavedFault::Version(_) => self.saved_version_help(),
            SavedFault::Damaged => self.saved_damaged_help(),
            SavedFault::Twice(_) => self.saved_twice_help(),
            SavedFault::OtherDivision(_) => self.saved_other_division_help(),
        };
        Report::new(self.say(error), help)
    }

    fn shortage(self, shortage: &Shortage) -> Report {
        match shortage {
            Shortage::Memory { needed, allowed } => Report::new(
                self.too_little_memory(self.size(*needed), self.size(*allowed)),
                self.memory_help(),
            ),
            Shortage::Disk { path, needed, free } => Report::new(
                self.too_little_disk(path.display(), self.size(*needed), self.size(*free)),
                self.disk_help(),
            ),
        }
    }

    /// A bad record and where it is.
    pub fn record_error<F: Reason>(self, error: &RecordError<F>) -> String {
        let &RecordError { ref input, record, offset, line, ref fault } = error;
        let fault = fault.explain(self);
        self.say(&RecordError { input: input.clone(), record, offset, line, fault })
    }

    /// An unreadable end of an input.
    pub fn tail(self, tail: &Tail) -> String {
        let Tail { input, records, offset, length, cause } = tail;
        let records = self.whole_records(*records);
        let offset = grouped(*offset);
        match cause {
            TailCause::Truncated => self.truncated(input, self.bytes(*length), records, offset),
            TailCause::Compressed => self.ends_early(input, records, offset),
            TailCause::Corrupt => self.corrupt(input, records, offset),
            TailCause::Damaged(why) => self.damaged(input, records, offset, self.say(why)),
            TailCause::Archive(damage) if cause.is_unsupported() => {
                self.newer_archive(input, records, self.say(damage))
            }
            TailCause::Archive(damage) if cause.spares_records() => {
                self.damaged_edge(input, records, self.say(damage))
            }
            TailCause::Archive(damage) => self.damaged_archive(input, records, self.say(damage)),
        }
    }

    /// A fault of a record, with its name.
    pub fn record_fault(self, fault: &RecordFault) -> String {
        match fault {
            RecordFault::Unpack(error) => self.say(error),
            RecordFault::Pack(error) => format!("{} ({})", self.say(error), error.name()),
            _ => format!("{} ({})", self.say(fault), fault.name()),
        }
    }
}

#[cfg(test)]
mod tests {
    use komabako::dataset::error::ResumeMismatch;

    use super::*;

    #[test]
    fn resume_mismatch_is_in_the_language() {
        let error = |what| DatasetError::Changed { directory: "d".into(), what };
        let text = |lang: Lang, what| lang.dataset_error(&error(what)).what;
        assert_eq!(text(Lang::En, ResumeMismatch::Seed), "d: left by another job: the seed differs");
        let seed = ResumeMismatch::Seed;
        let file = ResumeMismatch::File("駒.psv".to_owned());
        assert_eq!(text(Lang::Ja, seed), "d: 別の処理が残したものです (相違点: 乱数シード)");
        assert_eq!(text(Lang::Ja, file), "d: 別の処理が残したものです (相違点: 駒.psv)");
    }
}
