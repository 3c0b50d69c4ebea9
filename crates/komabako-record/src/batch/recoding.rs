//! [`recoding`]: words of one format to words of another in one step.

use komabako_codec::{Backend, SliceError, UnpackError, Word, recode};
use komabako_variants::WordFormat;

/// Recodes words of one format as words of another; stops at the first refused word.
pub(crate) type Recode = fn(Backend, &[Word], &mut [Word]) -> Result<(), SliceError<UnpackError>>;

/// The function that recodes words in one step, if one exists. For the same format it checks and copies the words.
pub(crate) fn recoding(from: WordFormat, to: WordFormat) -> Option<Recode> {
    match (from, to) {
        (WordFormat::PackedSfen, WordFormat::Hcp) => Some(recode::psv_to_hcp),
        (WordFormat::Hcp, WordFormat::PackedSfen) => Some(recode::hcp_to_psv),
        (WordFormat::PackedSfen, WordFormat::PackedSfen) => Some(|backend, words, copies| {
            copies.copy_from_slice(words);
            recode::check_psv(backend, words)
        }),
        (WordFormat::Hcp, WordFormat::Hcp) => Some(|backend, words, copies| {
            copies.copy_from_slice(words);
            recode::check_hcp(backend, words)
        }),
        _ => None,
    }
}
