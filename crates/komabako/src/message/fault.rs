//! Faults of a line or a word, and the advice for them.

use komabako::messages::WithAdvice;

use super::lang::Lang;
use crate::fault::Fault;
use crate::hex::HexError;

impl Lang {
    /// The text of a fault.
    pub fn fault(self, fault: &Fault) -> String {
        match fault {
            // The caller prints the column.
            Fault::Sfen(error) => self.say(&error.what()),
            Fault::Moves(why) => why.clone(),
            Fault::Pack(error) => format!("{} ({})", self.say(error), error.name()),
            Fault::Unpack(error) => self.say(error),
            Fault::Hex(error) => self.hex_error(*error),
        }
    }

    /// The advice for a fault.
    pub fn fault_help(self, fault: &Fault) -> String {
        let help = match_text!(self, fault;
            Fault::Sfen(_) | Fault::Moves(_) =>
                "correct the line, or continue with `--on-error skip` or `--on-error inline`",
                "行を直すか、`--on-error skip` または `--on-error inline` で続行してください";
            Fault::Pack(_) =>
                "choose a format that holds the position (`komabako formats`), or continue with `--on-error skip`",
                "局面を表せる形式を選ぶか (`komabako formats`)、`--on-error skip` で続行してください";
            Fault::Hex(_) | Fault::Unpack(_) =>
                "check that `--format` is right, or continue with `--on-error skip` or `--on-error inline`",
                "`--format` が正しいか確かめるか、`--on-error skip` または `--on-error inline` で続行してください";
        );
        match fault {
            Fault::Sfen(error) => self.say(&WithAdvice(help, error.fault.advice())),
            _ => help,
        }
    }

    fn hex_error(self, error: HexError) -> String {
        match_text!(self, error;
            HexError::Digit(_) => "not a hexadecimal digit", "16 進の数字ではありません";
            HexError::Length { digits, expected } => "{digits} hexadecimal digits; a word has {expected}",
                "16 進で {digits} 桁です。符号語は {expected} 桁です";
        )
    }
}
