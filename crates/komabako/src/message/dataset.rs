//! The report of an error of the library of files: its sentence, and the advice.

use std::io;
use std::path::Path;

use komabako::dataset::archive::{ArchiveError, Fault};
use komabako::dataset::error::{
    Damage, Evidence, Reason as FormatReason, RecordError, SystemError, TailCause,
};
use komabako::dataset::kifu::BadGame;
use komabako::dataset::large::NotAveraged;
use komabako::dataset::move16::MoveFault;
use komabako::dataset::preflight::Shortage;
use komabako::dataset::repair::{RepairError, is_repairable};
use komabako::dataset::rescore::RescoreError;
use komabako::dataset::stats::{SavedError, SavedFault};
use komabako::dataset::{Compression, DatasetError, Output, RecordFault};

use super::lang::Lang;
use super::mismatch;
use super::reason::Reason;
use super::report::Report;
use crate::standard;

texts! {
    record_help =>
        "keep bad records apart with `--on-error collect=FILE`, or leave them out with `--on-error skip`",
        "`--on-error collect=FILE` で別のファイルに集めるか、`--on-error skip` で飛ばしてください";
    record_first_help =>
        "separate bad records first: `komabako cat --check --on-error collect=BAD IN -o OUT` keeps them in BAD",
        "先に不正なレコードを除いてください。`komabako cat --check --on-error collect=BAD IN -o OUT` は BAD に分けて残します";
    foreign_record_help =>
        "another program may have written it in another form: `komabako info FILE` checks a sample, and \
         `komabako repair IN OUT` restores such records (`--rejects FILE` keeps those that it cannot restore); `--on-error collect=FILE` \
         keeps records apart that are still bad then",
        "別のプログラムの形で書かれているかもしれません。`komabako info FILE` で標本を調べ、`komabako repair IN OUT` で元に戻せます (直せないものは \
         `--rejects FILE` に残ります)。それでも残るものは `--on-error collect=FILE` で別のファイルに集めてください";
    special_move_help =>
        "the record is good: write a format that has such moves (psv, csv), or keep it apart with `--on-error collect=FILE`",
        "レコードに誤りはありません。この指し手を表せる形式 (psv、csv) で書くか、`--on-error collect=FILE` で別のファイルに集めてください";
    special_move_first_help => "the record is good: write a format that has such moves (psv, csv)",
        "レコードに誤りはありません。この指し手を表せる形式 (psv、csv) で書いてください";
    foreign_record_first_help =>
        "another program may have written it in another form: `komabako info FILE` checks a sample, and \
         `komabako repair IN OUT` restores such records (`--rejects FILE` keeps those that it cannot restore)",
        "別のプログラムの形で書かれているかもしれません。`komabako info FILE` で標本を調べ、`komabako repair IN OUT` で元に戻せます (直せないものは \
         `--rejects FILE` に残ります)";
    stdout_help => "make room on the disk, or write to another place; the output so far is incomplete",
        "空きを作るか、別の場所に書いてください。これまでに出力した分は不完全です";
    check_file_help => "check that the file is complete, and check its disk or connection",
        "ファイルが完全か、ディスクや接続に問題がないか確かめてください";
    recursive_help => "search it for game records with `--recursive`, or name the files in it",
        "`--recursive` で中の棋譜を探すか、中のファイルを指定してください";
    read_once_in_split_help => "write it to a file first; with `--records` or `--bytes` it is read only once",
        "先にファイルに書き出してください。`--records` と `--bytes` なら 1 回で済みます";
    open_files_limit_help => "raise the limit of open files (`ulimit -n 4096`), or ask for fewer parts",
        "開けるファイル数の上限を上げるか (`ulimit -n 4096`)、パートの数を減らしてください";
    fewer_parts_help => "ask for fewer parts", "パートの数を減らしてください";
    columns_help =>
        "rename or rearrange the columns to sfen, move, score, ply, result; those after move may be missing, cells may be empty",
        "列を sfen、move、score、ply、result の名前と順にしてください。move より後の列はなくてもよく、空のセルも使えます";
    bad_game_help =>
        "correct the game, or leave it out with --on-error collect=FILE, which lists such games, or --on-error skip",
        "棋譜を直すか、--on-error collect=FILE (一覧を残す) か --on-error skip で除いてください";
    cancelled_to_stdout => "cancelled; the output so far is incomplete",
        "中断しました。これまでに出力した分は不完全です";
}

impl Lang {
    /// The report of an error of a file, with advice.
    pub fn dataset_error(self, error: &DatasetError) -> Report {
        let what = match (error, error.of_job()) {
            (DatasetError::Record(error), _) => self.record_error(error),
            (_, Some(RepairError::Record(error))) => self.record_error(error),
            _ => self.say(error),
        };
        let report = Report { help: self.advice(error), ..Report::plain(what) };
        match error {
            // It has several lines, which are escaped one by one.
            DatasetError::Unrecognized { .. } => Report { what: self.say(error), ..report },
            _ if error.of_job().is_some_and(RescoreError::quotes_engine) => {
                Report { what: self.say(error), ..report }
            }
            DatasetError::Mismatch(mismatch) => Report { mismatch: Some(mismatch.clone()), ..report },
            _ => report,
        }
    }

    /// The advice for an error of a file, in terms of the program's options and commands.
    fn advice(self, error: &DatasetError) -> Option<String> {
        Some(match_text!(self, error;
            DatasetError::Open(_, error) => { self.opening_advice(error) };
            DatasetError::SpecialFile(_) =>
                "move it to another folder, or name the files to read instead of the folder",
                "ほかのフォルダーへ移すか、フォルダーではなく読むファイルを指定してください";
            DatasetError::Read { error, .. } => { self.reading_advice(error) };
            DatasetError::Unsupported { what, .. } => { self.say(&what.advice()?) };
            DatasetError::Utf16(_) => "if it is text, save it as UTF-8", "テキストなら UTF-8 で保存し直してください";
            DatasetError::Unrecognized { why, .. } if why.iter().any(has_other_columns) => { self.columns_help() };
            DatasetError::Unrecognized { input, .. } if Compression::is_unsupported(Path::new(&**input)) =>
                "unpack it first: files of this compression are not read",
                "この圧縮形式は読めません。先に展開してください";
            DatasetError::Unrecognized { .. } => "name it with `--from` if you know it, see `komabako formats`",
                "分かっていれば `--from` で形式を指定してください (`komabako formats` を参照)";
            DatasetError::OutputFormat(_) => "name it with `--to`, see `komabako formats`",
                "`--to` で形式を指定してください (`komabako formats` を参照)";
            DatasetError::OutputCompression(_) =>
                "choose a name that ends in `.kmb`, `.zst`, `.gz` or `.xz`, or is not compressed",
                "末尾が `.kmb`、`.zst`、`.gz`、`.xz` の名前か、圧縮しない名前にしてください";
            DatasetError::NotArchived(_) => "choose one of them with `--to`",
                "`--to` で psv か hcpe を指定してください";
            DatasetError::CompressedArchive(_) =>
                "choose a name that ends in `.kmb`; decompress an input first (`zstd -d`, `gzip -d`, `xz -d`)",
                "末尾が `.kmb` の名前にしてください。入力は先に展開してください (`zstd -d`、`gzip -d`、`xz -d`)";
            DatasetError::NotAppended(_) =>
                "repair it first: `komabako cat IN.kmb -o OUT.kmb --salvage`; or write another file without `--append`",
                "先に `komabako cat IN.kmb -o OUT.kmb --salvage` で修復するか、`--append` なしで別のファイルに書き出してください";
            DatasetError::OtherArchive { .. } => "leave `--from` out: an archive says what it holds",
                "`--from` を外してください。形式はアーカイブに記されています";
            DatasetError::GamesInOrder(_) =>
                "write records, e.g. with `--to psv` or `--to hcpe`; `komabako split --ratio` draws whole games",
                "`--to psv` や `--to hcpe` でレコードとして書いてください。対局ごとの抽出は `komabako split --ratio` でできます";
            DatasetError::ReadOnly(_) => "choose another format with `--to`, see `komabako formats`",
                "`--to` で別の形式を選んでください (`komabako formats` を参照)";
            DatasetError::Exists(_) => "choose another name, or overwrite it with `--force`",
                "別の名前にするか、`--force` で上書きしてください";
            DatasetError::Appeared(_) => "see what wrote that file, and run the job again with another name",
                "そのファイルを書いたものを確かめ、別の名前でやり直してください";
            DatasetError::Unnamed { error, .. } => { self.naming_advice(error) };
            DatasetError::SameFile(_) => "choose a name that is neither an input's nor another output's",
                "入力ともほかの出力とも違う名前にしてください";
            DatasetError::Create(_, error) => { self.creation_advice(error) };
            DatasetError::Write(_, error) => { self.writing_advice(error) };
            DatasetError::MixedFormats(..) => "convert one format at a time",
                "形式ごとに分けて変換してください";
            DatasetError::RejectsName(..) =>
                "choose a name that ends in an extension of that format, or in none that is known",
                "その形式の拡張子か、形式を表さない拡張子の名前にしてください";
            DatasetError::FieldMissing(..) => "`komabako formats` lists the labels of each format",
                "各形式が持つ項目は `komabako formats` を参照";
            DatasetError::PartNames { .. } =>
                "give `--into` once with `{{}}` for the number (`--into part-{{}}.psv`), or with `--ratio` or `--parts` once per part",
                "`--into part-{{}}.psv` のように番号の位置を `{{}}` で示すか、`--ratio` か `--parts` では `--into` をパートの数だけ指定してください";
            DatasetError::PartFormats(..) =>
                "name all parts alike, or name the format with `--to`; `komabako convert` changes that of a part",
                "拡張子を揃えるか、`--to` で形式を指定してください。パートの形式は `komabako convert` で変えられます";
            DatasetError::TooManyParts { .. } =>
                "ask for fewer parts, or set their size with `--records` or `--bytes`",
                "数を減らすか、`--records` か `--bytes` でパートの大きさを指定してください";
            DatasetError::Ratio => "give up to 256 weights, not all 0, e.g. `--ratio 98:1:1`",
                "`--ratio 98:1:1` のように 256 個まで、すべてが 0 ではない数を指定してください";
            DatasetError::ReadOnce(_) => "write it to a file first", "先にファイルに書き出してください";
            DatasetError::RepairedOnce(_) =>
                "repair it to a file first, without `--repair`: `komabako repair IN OUT`",
                "先に `--repair` なしで `komabako repair IN OUT` を実行し、その出力を読んでください";
            DatasetError::ScoreSign(_) => "write a column of `.i16` or `.f32`",
                "`.i16` か `.f32` の列に書いてください";
            DatasetError::ScoreSize { .. } | DatasetError::ScoreCount { .. } =>
                "check that the column belongs to these records; to take the scores from a file of records, use `--by position`",
                "このレコードの評価値の列か確かめてください。レコードのファイルなら、`--by position` で局面ごとに入れられます";
            DatasetError::Record(error) => { self.record_advice(error, true) };
            DatasetError::Tail(tail) => { self.tail_advice(tail.cause) };
            DatasetError::Shortage(Shortage::Memory { .. }) =>
                "raise `--max-memory` if the command has it, use fewer `--threads` or `--parts`, or take fewer records",
                "`--max-memory` があれば増やすか、`--threads`、`--parts`、レコードのどれかを減らしてください";
            DatasetError::Shortage(Shortage::Disk { .. }) =>
                "make room on the disk or write elsewhere; `--tmp-dir` moves the temporary files of commands that have them, and \
                 `shuffle --phased` has none",
                "空きを作るか、別の場所に書いてください。一時ファイルを使うコマンドでは `--tmp-dir` でその場所を指定でき、\
                 `shuffle --phased` は一時ファイルを作りません";
            DatasetError::Unfinished(_) =>
                "continue with `--resume`; or remove what that job left: `komabako clean --all` and the output's directory",
                "`--resume` で続けるか、`komabako clean --all` に出力のディレクトリを指定して、その処理が残したものを削除してください";
            DatasetError::Complete(_) =>
                "finish that with `--resume`; do not write the output again, inputs may be gone",
                "`--resume` を付けて実行すると、残りが削除されます。入力がもうない場合があるので、出力を作り直さないでください";
            DatasetError::DeletesWithoutFile(_) => "write to a file, or leave `--delete-inputs` out",
                "ファイルに書き出すか、`--delete-inputs` を外してください";
            DatasetError::InUse(_) => "wait until it ends, or name another output or `--tmp-dir`",
                "終わるまで待つか、出力か `--tmp-dir` を別のものにしてください";
            DatasetError::Changed { .. } =>
                "continue with `--resume` and the arguments of that job; or remove what it left: `komabako clean --all` and the output's \
                 directory",
                "その処理と同じ指定に `--resume` を付けて続けるか、`komabako clean --all` に出力のディレクトリを指定して、その処理が残したものを削除してください";
            DatasetError::DeletesReference(_) => "leave out `--delete-inputs`, or name another reference",
                "`--delete-inputs` を外すか、別の `--reference` を指定してください";
            DatasetError::PartitionDeletes(_) =>
                "leave out `--delete-inputs`; delete the inputs yourself once all partitions are complete",
                "`--delete-inputs` を外し、すべての分担が揃ってから入力を削除してください";
            DatasetError::Delete(..) =>
                "the output is complete; run the command again with `--resume` once the inputs can be deleted; or delete them yourself, and \
                 what the job left with `komabako clean --all` and the output's directory",
                "出力は完成しています。入力を削除できるようにして同じコマンドを `--resume` を付けて実行するか、入力を手動で削除し、\
                 `komabako clean --all` に出力のディレクトリを指定して、その処理が残したものも削除してください";
            DatasetError::Altered(_) =>
                "run the job again when no program writes to it; if none does, copy it and read the copy",
                "書き込むプログラムが終わってから、やり直してください。そのようなプログラムがなければ、コピーしてそれを読んでください";
            DatasetError::Part(_) =>
                "check the disk, remove what the job left with `komabako clean --all` and the directory of its output, and start again",
                "ディスクを確かめ、`komabako clean --all` に出力のディレクトリを指定してその処理が残したものを削除し、やり直してください";
            DatasetError::Mismatch(mismatch) => { mismatch::advice(mismatch, self) };
            DatasetError::Thread(_) =>
                "use a smaller `--threads`, or raise the limit of processes or memory",
                "`--threads` を小さくするか、プロセス数やメモリの上限を上げてください";
            DatasetError::PartitionUndivided(_) | DatasetError::Cancelled => { return None };
            DatasetError::Job(_) => { self.job_advice(error)? };
        ))
    }

    /// The advice for too many open files. Windows has no limit to raise.
    fn open_files_help(self) -> String {
        if cfg!(windows) { self.fewer_parts_help() } else { self.open_files_limit_help() }
    }

    /// The advice for an error of one job.
    fn job_advice(self, error: &DatasetError) -> Option<String> {
        if let Some(error) = error.of_job() {
            return Some(self.repair_advice(error));
        }
        if let Some(error) = error.of_job() {
            return Some(self.rescore_advice(error));
        }
        if let Some(fault) = error.of_job() {
            return Some(match_text!(self, fault;
                NotAveraged::Kept => "add `--keep mean`, with `--by position` or `--by move`; or leave `--columns` out",
                    "`--keep mean` を付け、`--by` は position か move にしてください。または `--columns` を外してください";
                NotAveraged::Shuffled => "leave `--shuffle-seed` or `--columns` out", "`--shuffle-seed` か `--columns` を外してください";
            ));
        }
        if let Some(SavedError { fault, .. }) = error.of_job() {
            return Some(self.saved_advice(fault));
        }
        let game = error.of_job::<BadGame>()?;
        Some(self.left_out_game_help(game).unwrap_or_else(|| self.bad_game_help()))
    }

    /// The advice for a bad record; `can_skip`: the command has `--on-error`.
    pub fn record_advice(self, error: &RecordError, can_skip: bool) -> String {
        match error.fault {
            // Nothing is wrong with it: another format can hold it.
            RecordFault::Move(MoveFault::NoSpecial(..)) if can_skip => self.special_move_help(),
            RecordFault::Move(MoveFault::NoSpecial(..)) => self.special_move_first_help(),
            // Another program may have written it in another form, which `repair` restores.
            RecordFault::Unpack(_) | RecordFault::Move(_) if error.format.is_some_and(is_repairable) => {
                if can_skip {
                    self.foreign_record_help()
                } else {
                    self.foreign_record_first_help()
                }
            }
            _ if can_skip => self.record_help(),
            _ => self.record_first_help(),
        }
    }

    fn reading_advice(self, error: &io::Error) -> String {
        match_text!(self, error.kind();
            _ if standard::is_empty(error) =>
                "check the command that should have written it; if you want an empty file, move or remove the old one first",
                "入力を書き出すはずのコマンドを確かめてください。空のファイルにしたいときは、先に古いファイルを削除してください";
            io::ErrorKind::OutOfMemory =>
                "give the program more memory, or compress the file again with a smaller window (`zstd -dc --long=31 FILE | zstd`)",
                "使えるメモリを増やすか、小さいウィンドウで圧縮し直してください (`zstd -dc --long=31 FILE | zstd`)";
            _ => { self.check_file_help() };
        )
    }

    /// The advice for an end of a file that cannot be read.
    fn tail_advice(self, cause: TailCause) -> String {
        match_text!(self, cause;
            TailCause::Damaged(Damage::Columns) => { self.columns_help() };
            cause if cause.is_unsupported() => "update komabako, and keep the file",
                "ファイルはそのままにして、komabako を更新してください";
            cause if cause.spares_records() =>
                "`komabako cat IN.kmb -o OUT.kmb --salvage` writes header and index anew, with all records",
                "`komabako cat IN.kmb -o OUT.kmb --salvage` でヘッダーと索引を作り直せます。レコードはすべて残ります";
            TailCause::Archive(ArchiveError { fault: Fault::MixedSources, .. }) =>
                "archives of different formats are joined in it: cut it at that byte into two (`head -c`, `tail -c`), and again where a \
                 part still has both",
                "形式の違うアーカイブがつながっています。そのバイトで 2 つに切り (`head -c`、`tail -c`)、まだ混ざっていればさらに切り分けてください";
            TailCause::Archive(_) =>
                "check that the file is complete, or keep all other records with `--salvage`",
                "ファイルが完全か確かめるか、`--salvage` でほかのレコードをすべて残してください";
            _ => "check that the file is complete, or keep the whole records before it with `--salvage`",
                "ファイルが完全か確かめるか、`--salvage` でその前の完全なレコードを残してください";
        )
    }

    /// A bad record and where it is.
    pub fn record_error<F: Reason>(self, error: &RecordError<F>) -> String {
        let &RecordError { ref input, format, record, offset, line, ref fault } = error;
        let fault = fault.explain(self);
        self.say(&RecordError { input: input.clone(), format, record, offset, line, fault })
    }

    /// A fault of a record, with its name.
    pub fn record_fault(self, fault: &RecordFault) -> String {
        match fault {
            RecordFault::Unpack(error) => self.say(error),
            RecordFault::Pack(error) => format!("{} ({})", self.say(error), error.name()),
            _ => format!("{} ({})", self.say(fault), fault.name()),
        }
    }

    /// The advice for a file that cannot be opened.
    fn opening_advice(self, error: &io::Error) -> String {
        match_text!(self, error.kind();
            _ if SystemError(error).has_too_many_open() => { self.open_files_help() };
            io::ErrorKind::IsADirectory => "name the files in it one by one, or with a shell wildcard",
                "中のファイルを 1 つずつ、またはシェルのワイルドカードで指定してください";
            io::ErrorKind::NotFound
            | io::ErrorKind::PermissionDenied
            | io::ErrorKind::NotADirectory
            | io::ErrorKind::InvalidFilename => "check the name, and that you have permission to read it",
                "名前と、読み取り権限を確かめてください";
            _ => { self.check_file_help() };
        )
    }

    /// The advice for a complete output that is kept under another name.
    fn naming_advice(self, error: &io::Error) -> String {
        match_text!(self, error.kind();
            io::ErrorKind::AlreadyExists => "see what wrote the file of this name, and rename the one that is kept",
                "この名前のファイルを書いたものを確かめ、残したファイルの名前を変えてください";
            // Windows does not replace a file that another program has open.
            io::ErrorKind::PermissionDenied =>
                "close the programs that have a file of this name open, or check that you have permission to write here; then rename \
                 the file that is kept",
                "この名前のファイルをほかのプログラムで開いていれば閉じるか、書き込み権限を確かめてから、残したファイルの名前を変えてください";
            _ => "check the disk or the connection to it, and rename the file that is kept",
                "ディスクやその接続を確かめてから、残したファイルの名前を変えてください";
        )
    }

    /// The advice for a file that cannot be written.
    fn writing_advice(self, error: &io::Error) -> String {
        match_text!(self, error.kind();
            _ if SystemError(error).has_too_many_open() => { self.open_files_help() };
            io::ErrorKind::PermissionDenied =>
                "check that you have permission to write it, or choose another name; no partial file was left",
                "書き込み権限を確かめるか、別の名前にしてください。不完全なファイルは残していません";
            io::ErrorKind::NotFound =>
                "another program removed the directory or the unfinished file; write to another place, or run the job again",
                "ほかのプログラムがディレクトリか書きかけのファイルを削除しました。別の場所に書くか、やり直してください";
            io::ErrorKind::BrokenPipe => "the program that was reading ended; see why, and run the job again",
                "読んでいたプログラムが先に終わりました。その理由を確かめ、やり直してください";
            io::ErrorKind::FileTooLarge =>
                "raise the limit of file sizes (`ulimit -f`), or choose a disk that holds larger files; no partial file was left",
                "ファイルサイズの上限 (`ulimit -f`) を上げるか、大きいファイルを置けるディスクに書いてください。不完全なファイルは残していません";
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded =>
                "make room on the disk or choose another place; no partial file was left",
                "空きを作るか、別の場所にしてください。不完全なファイルは残していません";
            io::ErrorKind::OutOfMemory =>
                "give the program more memory, or use fewer `--threads` or another compression; no partial file was left",
                "使えるメモリを増やすか、`--threads` を減らすか、別の圧縮形式にしてください。不完全なファイルは残していません";
            _ => "check the disk or the connection to it, or choose another place; no partial file was left",
                "ディスクやその接続を確かめるか、別の場所にしてください。不完全なファイルは残していません";
        )
    }

    /// The advice for a file that cannot be created.
    fn creation_advice(self, error: &io::Error) -> String {
        match_text!(self, error.kind();
            _ if SystemError(error).has_too_many_open() => { self.open_files_help() };
            io::ErrorKind::IsADirectory =>
                "name a file in it, or give the folder to `convert --out-dir`, which creates it",
                "中のファイル名まで指定するか、フォルダーを作る `convert --out-dir` に指定してください";
            io::ErrorKind::InvalidFilename if cfg!(windows) =>
                "choose a shorter name, without `:`, `?` and `*`, that is not a device's, such as `con`",
                "`:`、`?`、`*` を含まず、`con` などのデバイス名でもない、短い名前にしてください";
            io::ErrorKind::InvalidFilename =>
                "choose a shorter name: the temporary file next to it has a name {bytes} bytes longer",
                "名前を短くしてください (一時ファイルの名前はこれより {bytes} バイト長くなります)",
                bytes = Output::LONGER_NAME;
            _ => "check that the directory exists and is writable",
                "ディレクトリがあり、書き込めることを確かめてください";
        )
    }

    /// The advice for saved statistics that cannot be merged.
    fn saved_advice(self, fault: &SavedFault) -> String {
        match_text!(self, fault;
            SavedFault::Other => "give a file that `komabako stats --save` wrote",
                "`komabako stats --save` で書いたファイルを指定してください";
            SavedFault::Version(_) => "merge them with the program that saved them",
                "保存したプログラムで結合してください";
            SavedFault::Damaged => "count this part again with `stats --save`", "この部分を集計し直してください";
            SavedFault::Twice(_) => "give each part once",
                "同じ部分は 1 度だけ指定してください";
            SavedFault::OtherDivision(_) => "merge parts with the same N of `--partition I/N`",
                "`--partition I/N` の N が同じものを結合してください";
        )
    }
}

fn has_other_columns(reason: &FormatReason) -> bool {
    let FormatReason::Evidence(evidence) = reason else { return false };
    matches!(evidence, Evidence::Damaged { damage: Damage::Columns, .. })
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

    #[test]
    fn advice_to_make_room_is_for_a_full_disk() {
        use io::ErrorKind::{BrokenPipe, FileTooLarge, NotFound, QuotaExceeded, StorageFull};
        let open_files = io::Error::from_raw_os_error(if cfg!(windows) { 4 } else { 24 });
        assert_eq!(Lang::En.writing_advice(&open_files), Lang::En.open_files_help());
        for kind in [StorageFull, QuotaExceeded, FileTooLarge, NotFound, BrokenPipe] {
            let advice = Lang::En.writing_advice(&kind.into());
            assert_eq!(advice.contains("make room"), matches!(kind, StorageFull | QuotaExceeded), "{kind}");
            assert_eq!(advice.contains("ulimit -f"), kind == FileTooLarge, "{kind}");
            // A pipe is no file.
            assert_eq!(advice.contains("partial file"), !matches!(kind, NotFound | BrokenPipe), "{kind}");
        }
    }
}
