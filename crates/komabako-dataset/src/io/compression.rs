//! [`Compression`]: recognised by content, chosen by extension.

use core::fmt;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use flate2::bufread::MultiGzDecoder;
use flate2::write::GzEncoder;
use komabako_messages::{Lang, Message};
use liblzma::bufread::XzDecoder;
use liblzma::stream::{CONCATENATED, Check, Stream};
use liblzma::write::XzEncoder;

use crate::FileFormat;
use crate::io::archive::{About, ArchiveReader, ArchiveWriter, Archiving, Contents};
use crate::io::error::DatasetError;

/// A stream's content.
pub(crate) type Content<'a> = Box<dyn Read + Send + 'a>;

/// The compression of a file.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[non_exhaustive]
pub enum Compression {
    /// No compression.
    #[default]
    None,
    /// Zstandard, `.zst`.
    Zstd,
    /// gzip, `.gz`.
    Gzip,
    /// xz, `.xz`.
    Xz,
    /// An archive of records, `.kmb`.
    Archive(Archiving),
}

/// zstd's own default; fast enough to keep up with the conversion on one core.
const ZSTD_LEVEL: i32 = 3;
/// The largest window that zstd's decoder accepts, 2 GiB, as a power of two: `zstd --long=31`. By default the
/// decoder refuses windows above 128 MiB.
const ZSTD_WINDOW_LOG: u32 = if usize::BITS < 64 { 30 } else { 31 };
/// The window that a zstd file may have without its memory being announced: that of the levels up to 19.
const ORDINARY_WINDOW: u64 = 8 << 20;
const XZ_LEVEL: u32 = 6;

/// The extensions of common compressions and archives that are neither read nor written.
const UNSUPPORTED: &[&str] = &["7z", "br", "bz2", "lz4", "lzma", "rar", "zip", "zstd"];

/// The bytes that a decoder reads from its source at a time. Few under the fuzzer, where each execution allocates them.
const SOURCE_BUFFER: usize = if cfg!(fuzzing) { 1 << 12 } else { 1 << 17 };

/// The name.
impl Message for Compression {
    fn write(&self, _: Lang, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl Compression {
    /// All variants, including no compression.
    pub const ALL: &[Compression] =
        &[Compression::None, Compression::Zstd, Compression::Gzip, Compression::Xz, Compression::ARCHIVE];

    /// An archive, as small as possible.
    pub const ARCHIVE: Compression = Compression::Archive(Archiving::SMALL);

    /// This compression of records of a format, which an archive names.
    ///
    /// # Errors
    /// [`DatasetError::NotArchived`].
    pub(crate) fn holding(self, format: FileFormat) -> Result<Compression, DatasetError> {
        match self {
            Compression::Archive(archiving) => Ok(Compression::Archive(archiving.holding(format)?)),
            other => Ok(other),
        }
    }

    /// Whether it is an archive, which holds records and nothing else.
    pub(crate) const fn is_archive(self) -> bool {
        matches!(self, Compression::Archive(_))
    }

    /// The name for programs: `none`, `zstd`, `gzip`, `xz`, `kmb`.
    pub const fn name(self) -> &'static str {
        match self {
            Compression::None => "none",
            Compression::Zstd => "zstd",
            Compression::Gzip => "gzip",
            Compression::Xz => "xz",
            Compression::Archive(_) => "kmb",
        }
    }

    /// The extension without its dot, or `None` for [`Compression::None`].
    pub const fn extension(self) -> Option<&'static str> {
        match self {
            Compression::None => None,
            Compression::Zstd => Some("zst"),
            Compression::Gzip => Some("gz"),
            Compression::Xz => Some("xz"),
            Compression::Archive(_) => Some("kmb"),
        }
    }

    /// The bytes with which compressed data starts; none for [`Compression::None`].
    const fn magic(self) -> &'static [u8] {
        match self {
            Compression::None => &[],
            Compression::Zstd => &[0x28, 0xb5, 0x2f, 0xfd],
            Compression::Gzip => &[0x1f, 0x8b],
            Compression::Xz => &[0xfd, b'7', b'z', b'X', b'Z', 0x00],
            Compression::Archive(_) => &komabako_archive::MAGIC,
        }
    }

    /// The number of bytes at the start of a file that determine its compression, and the memory to decompress it.
    pub const HEAD: usize = 64;

    /// The compression that a path's extension names; [`Compression::None`] if it names none.
    pub fn from_path(path: &Path) -> Compression {
        let named = |compression: &Compression| match (compression.extension(), path.extension()) {
            (Some(known), Some(extension)) => extension.eq_ignore_ascii_case(known),
            _ => false,
        };
        Compression::ALL.iter().copied().find(named).unwrap_or_default()
    }

    /// Whether a path's extension names a compression or an archive that is not supported. Records written to such a name would be
    /// taken for compressed ones.
    pub fn is_unsupported(path: &Path) -> bool {
        let Some(extension) = path.extension() else { return false };
        UNSUPPORTED.iter().any(|known| extension.eq_ignore_ascii_case(known))
    }

    /// The compression from the first [`Compression::HEAD`] bytes of a file, or all if there are fewer. Skippable frames,
    /// with which every file of `pzstd` starts, count as zstd unless something else is seen to follow them.
    pub fn from_magic(head: &[u8]) -> Compression {
        let head = &head[..head.len().min(Compression::HEAD)];
        let frame = zstd_frame(head);
        let is_zstd = frame.len() < 4 || frame.starts_with(Compression::Zstd.magic());
        if frame.len() < head.len() && is_zstd {
            return Compression::Zstd;
        }
        let is_of = |compression: &Compression| match compression {
            Compression::None => false,
            Compression::Gzip => is_gzip(head),
            Compression::Zstd | Compression::Xz | Compression::Archive(_) => {
                head.starts_with(compression.magic())
            }
        };
        Compression::ALL.iter().copied().find(is_of).unwrap_or_default()
    }

    /// A reader of the decompressed content; consecutive compressed streams are concatenated.
    ///
    /// # Errors
    /// The decoder cannot be created: out of memory.
    pub fn decoder<'a>(self, source: impl Read + Send + 'a) -> io::Result<Box<dyn Read + Send + 'a>> {
        self.decoder_of(Box::new(source)).map_err(of_memory)
    }

    /// Compiled once, not for each kind of source.
    fn decoder_of(self, source: Content<'_>) -> io::Result<Content<'_>> {
        // Decoders wrap errors of their source in their own; this flag distinguishes the two.
        let failed = Arc::new(AtomicBool::new(false));
        let watched = Watched { source, failed: Arc::clone(&failed) };
        let source = BufReader::with_capacity(SOURCE_BUFFER, watched);
        Ok(match self {
            Compression::None => Box::new(source),
            Compression::Zstd => {
                let mut decoder = zstd::Decoder::with_buffer(source)?;
                decoder.window_log_max(ZSTD_WINDOW_LOG)?;
                Box::new(Decoding { decoder, failed })
            }
            Compression::Gzip => Box::new(Decoding { decoder: MultiGzDecoder::new(source), failed }),
            Compression::Xz => {
                // Like `XzDecoder::new_multi_decoder`, which panics if memory runs out.
                let stream = Stream::new_stream_decoder(u64::MAX, CONCATENATED)?;
                let decoder =
                    DrainBeforeError { decoder: XzDecoder::new_stream(source, stream), error: None };
                Box::new(Decoding { decoder, failed })
            }
            Compression::Archive(_) => Box::new(ArchiveReader::new(Box::new(source), Contents::default())),
        })
    }

    /// A writer that compresses into `sink`; zstd and archives on `threads` threads, the others on the caller's.
    ///
    /// # Errors
    /// The encoder cannot be created: out of memory.
    pub fn encoder<W: Write>(self, sink: W, threads: usize) -> io::Result<Encoder<W>> {
        self.encoder_of(sink, threads).map_err(of_memory)
    }

    fn encoder_of<W: Write>(self, sink: W, threads: usize) -> io::Result<Encoder<W>> {
        let sink = Retrying(sink);
        Ok(Encoder(match self {
            Compression::None => Kind::None(sink),
            Compression::Zstd => {
                let mut encoder = zstd::Encoder::new(sink, ZSTD_LEVEL)?;
                // Without a checksum, a flipped bit in a file is silently decompressed to another record.
                encoder.include_checksum(true)?;
                // One worker gives the same bytes as many, but none would give others.
                encoder.multithread(threads.max(1) as u32)?;
                Kind::Zstd(encoder)
            }
            Compression::Gzip => Kind::Gzip(GzEncoder::new(sink, flate2::Compression::default())),
            Compression::Xz => {
                // Not `XzEncoder::new`: liblzma 0.4.9 unwraps the result of `Stream::new_easy_encoder` there
                // (src/write.rs:42), which allocates 94 MiB at this level, and so panics if memory runs out.
                let stream = Stream::new_easy_encoder(XZ_LEVEL, Check::Crc64)?;
                Kind::Xz(XzEncoder::new_stream(sink, stream))
            }
            Compression::Archive(archiving) => {
                Kind::Archive(Box::new(ArchiveWriter::new(sink, archiving, threads)))
            }
        }))
    }

    /// The unusually large memory for decompressing a file, from its [first bytes](Compression::HEAD): for zstd the
    /// window of the first frame, if that is larger than 8 MiB and visible.
    pub fn decoder_memory(self, head: &[u8]) -> u64 {
        let window = match self {
            Compression::Zstd => zstd_window(zstd_frame(head)).unwrap_or(0),
            _ => 0,
        };
        if window > ORDINARY_WINDOW { window } else { 0 }
    }

    /// The bytes of an encoder's temporary files for content of `bytes`: those of an archive in no order.
    pub(crate) fn spilled(self, bytes: u64) -> u64 {
        match self {
            Compression::Archive(archiving) => archiving.spilled(bytes),
            _ => 0,
        }
    }

    /// The memory of an encoder on `threads` threads: zstd keeps several windows per thread, xz its dictionary and the
    /// matches in it.
    pub(crate) fn encoder_memory(self, threads: usize) -> u64 {
        match self {
            Compression::None | Compression::Gzip => 1 << 20,
            Compression::Zstd => (threads as u64 + 2) << 24,
            Compression::Xz => 96 << 20,
            Compression::Archive(archiving) => {
                (threads as u64 + 1) * archiving.memory() + archiving.unordered.unwrap_or(0)
            }
        }
    }
}

/// Whether a file starts as in RFC 1952 §2.3, as far as `head` goes. The two bytes of magic alone are too few: records are
/// like random bytes, and one file in 65,536 starts with them. With the method, which is 8, and the three flags that are 0,
/// it is one in 2^27.
fn is_gzip(head: &[u8]) -> bool {
    let fits = |rest: &[u8]| match rest {
        [] => true,
        [method] => *method == 8,
        [method, flags, ..] => *method == 8 && flags & 0xe0 == 0,
    };
    head.strip_prefix(Compression::Gzip.magic()).is_some_and(fits)
}

/// The data after the skippable frames at the start of zstd data (RFC 8878 §3.1.2). Such a frame is a magic number with four
/// variable bits, a length in four bytes, and that many bytes. Empty if the data after them is not in `head`.
fn zstd_frame(mut head: &[u8]) -> &[u8] {
    while let Some((&[magic, 0x2a, 0x4d, 0x18], rest)) = head.split_first_chunk()
        && magic >> 4 == 0x5
    {
        let length = rest.first_chunk().map_or(usize::MAX, |&length| u32::from_le_bytes(length) as usize);
        head = rest.get(length.saturating_add(4)..).unwrap_or(&[]);
    }
    head
}

/// The size of the window that a zstd frame requires (RFC 8878 §3.1.1.1).
fn zstd_window(frame: &[u8]) -> Option<u64> {
    let (&descriptor, fields) = frame.strip_prefix(Compression::Zstd.magic())?.split_first()?;
    if descriptor & 0x20 == 0 {
        let window = fields.first()?;
        let base = 1_u64 << (10 + (window >> 3));
        return Some(base + base / 8 * u64::from(window & 7));
    }
    // A single segment has no window size; its window is as large as its content. The dictionary's number comes first.
    let content = fields.get([0, 1, 2, 4][usize::from(descriptor & 3)]..)?;
    let number = |length: usize| {
        let bytes = content.get(..length)?;
        Some(bytes.iter().rev().fold(0, |number: u64, &byte| number << 8 | u64::from(byte)))
    };
    match descriptor >> 6 {
        0 => number(1),
        1 => Some(number(2)? + 256),
        2 => number(4),
        _ => number(8),
    }
}

/// The compressed data makes no sense or ends early: marks an error of a decoder that is not its source's.
#[derive(Debug)]
struct Corrupt(io::Error);

impl fmt::Display for Corrupt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl core::error::Error for Corrupt {}

/// Whether an error means that compressed data makes no sense or ends early, rather than that it cannot be read.
pub(crate) fn is_corruption(error: &io::Error) -> bool {
    error.get_ref().is_some_and(|cause| cause.is::<Corrupt>())
}

/// Whether an error means that compressed data may be valid as far as it goes.
pub(crate) fn ends_early(error: &io::Error) -> bool {
    is_corruption(error) && error.kind() == io::ErrorKind::UnexpectedEof
}

/// A source that remembers whether it failed.
struct Watched<'a> {
    source: Content<'a>,
    failed: Arc<AtomicBool>,
}

impl Read for Watched<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.source.read(buffer).inspect_err(|_| self.failed.store(true, Ordering::Relaxed))
    }
}

/// A decoder whose own errors are distinguished from its source's.
struct Decoding<D> {
    decoder: D,
    failed: Arc<AtomicBool>,
}

impl<D: Read> Read for Decoding<D> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.decoder.read(buffer).map_err(|error| {
            if self.failed.swap(false, Ordering::Relaxed) {
                return error;
            }
            if lacks_memory(&error) {
                return of_memory(error);
            }
            let kind = match error.kind() {
                kind @ io::ErrorKind::UnexpectedEof => kind,
                _ => io::ErrorKind::InvalidData,
            };
            io::Error::new(kind, Corrupt(error))
        })
    }
}

/// An error of a library, with its own kind if memory ran out.
fn of_memory(error: io::Error) -> io::Error {
    if lacks_memory(&error) { io::Error::new(io::ErrorKind::OutOfMemory, error) } else { error }
}

/// Whether a decoder or an encoder fails because it has too little memory, or would need more than allowed. zstd reports this only in the text.
fn lacks_memory(error: &io::Error) -> bool {
    const OF_ZSTD: [&str; 2] =
        ["Frame requires too much memory for decoding", "Allocation error : not enough memory"];
    let of_xz = error.get_ref().and_then(|cause| cause.downcast_ref());
    matches!(of_xz, Some(liblzma::stream::Error::Mem)) || OF_ZSTD.contains(&error.to_string().as_str())
}

/// An xz decoder that returns what it has decoded before it fails: the library's own withholds the last bytes.
struct DrainBeforeError<R> {
    decoder: XzDecoder<R>,
    error: Option<io::Error>,
}

impl<R: BufRead> Read for DrainBeforeError<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if let Some(error) = self.error.take() {
            return Err(error);
        }
        let before = self.decoder.total_out();
        self.decoder.read(buffer).or_else(|error| match self.decoder.total_out() - before {
            0 => Err(error),
            decoded => {
                self.error = Some(error);
                Ok(decoded as usize)
            }
        })
    }
}

/// A compressing writer, created by [`Compression::encoder`]. Dropping it leaves the compressed stream unfinished;
/// [`Encoder::finish`] completes it.
pub struct Encoder<W: Write>(Kind<W>);

enum Kind<W: Write> {
    None(Retrying<W>),
    Zstd(zstd::Encoder<'static, Retrying<W>>),
    Gzip(GzEncoder<Retrying<W>>),
    Xz(XzEncoder<Retrying<W>>),
    Archive(Box<ArchiveWriter<Retrying<W>>>),
}

/// A sink that tries again when a signal interrupts it: at the end of a stream an encoder would fail.
struct Retrying<W>(W);

impl<W: Write> Write for Retrying<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        loop {
            match self.0.write(bytes) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                written => return written,
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        loop {
            match self.0.flush() {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                flushed => return flushed,
            }
        }
    }
}

impl<W: Write> Encoder<W> {
    /// Sets what the header of an archive says besides the format, before anything is written.
    pub(crate) fn describe(&mut self, about: About) {
        if let Kind::Archive(writer) = &mut self.0 {
            writer.describe(about);
        }
    }

    /// Sets the directory for temporary files, of which only an archive in no order may need some.
    pub(crate) fn spill_in(&mut self, place: &Path) {
        if let Kind::Archive(writer) = &mut self.0 {
            writer.spill_in(place);
        }
    }

    /// Writes the buffered data and the end of the compressed stream, and returns the sink.
    ///
    /// # Errors
    /// The sink cannot be written.
    pub fn finish(self) -> io::Result<W> {
        let mut sink = match self.0 {
            Kind::None(sink) => sink,
            Kind::Zstd(encoder) => encoder.finish().map_err(of_memory)?,
            Kind::Gzip(encoder) => encoder.finish()?,
            Kind::Xz(encoder) => encoder.finish().map_err(of_memory)?,
            Kind::Archive(writer) => writer.finish()?,
        };
        sink.flush()?;
        Ok(sink.0)
    }
}

impl<W: Write> Write for Encoder<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.0 {
            Kind::None(sink) => sink.write(bytes),
            Kind::Zstd(encoder) => encoder.write(bytes).map_err(of_memory),
            Kind::Gzip(encoder) => encoder.write(bytes),
            Kind::Xz(encoder) => encoder.write(bytes).map_err(of_memory),
            Kind::Archive(writer) => writer.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.0 {
            Kind::None(sink) => sink.flush(),
            Kind::Zstd(encoder) => encoder.flush(),
            Kind::Gzip(encoder) => encoder.flush(),
            Kind::Xz(encoder) => encoder.flush(),
            Kind::Archive(writer) => writer.flush(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A frame with a window of 2 to the power of `window_log`: the content uncompressed, in one block.
    fn zstd_of(content: &[u8], window_log: u8) -> Vec<u8> {
        let block = (content.len() as u32) << 3 | 1;
        let header = [Compression::Zstd.magic(), &[0, (window_log - 10) << 3], &block.to_le_bytes()[..3]];
        [&header.concat()[..], content].concat()
    }

    fn decoded(packed: &[u8]) -> Vec<u8> {
        let compression = Compression::from_magic(packed);
        let mut content = Vec::new();
        compression.decoder(packed).unwrap().read_to_end(&mut content).unwrap();
        content
    }

    #[test]
    fn windows_above_the_decoder_s_default_are_read_and_announced() {
        for (window_log, memory) in [(21, 0), (23, 0), (24, 1 << 24), (28, 1 << 28), (31, 1 << 31)] {
            let packed = zstd_of(b"startpos\n", window_log);
            assert_eq!(Compression::Zstd.decoder_memory(&packed), memory, "{window_log}");
            assert_eq!(decoded(&packed), b"startpos\n", "{window_log}");
        }
    }

    /// A single segment of 256 + 0x0102 bytes, and one whose size takes eight bytes after a dictionary's number.
    #[test]
    fn the_window_of_a_single_segment_is_its_content() {
        assert_eq!(zstd_window(b"\x28\xb5\x2f\xfd\x60\x02\x01"), Some(0x102 + 256));
        let long = b"\x28\xb5\x2f\xfd\xe3DICT\x01\x02\x03\x04\x05\x06\x07\x08";
        assert_eq!(zstd_window(long), Some(0x0807_0605_0403_0201));
        for length in 0..long.len() {
            assert_eq!(zstd_window(&long[..length]), None, "{length}");
        }
    }

    #[test]
    fn skippable_frames_before_zstd_are_skipped() {
        let frame = |length: u8, magic: u8| {
            let mut frame = vec![magic, 0x2a, 0x4d, 0x18, length, 0, 0, 0];
            frame.resize(8 + usize::from(length), 7);
            frame
        };
        let packed = zstd_of(b"startpos\n", 28);
        // As `pzstd` writes them, several of them, and one that hides the data after it.
        for frames in [frame(4, 0x50), [frame(0, 0x5f), frame(9, 0x51)].concat(), frame(200, 0x50)] {
            let file = [&frames[..], &packed].concat();
            assert_eq!(Compression::from_magic(&file), Compression::Zstd);
            assert_eq!(decoded(&file), b"startpos\n");
        }
        let pzstd = [&frame(4, 0x50)[..], &packed].concat();
        assert_eq!(Compression::Zstd.decoder_memory(&pzstd), 1 << 28);
        // Records that start like a skippable frame, and continue like nothing compressed.
        let records = [&frame(4, 0x50)[..], b"records"].concat();
        assert_eq!(Compression::from_magic(&records), Compression::None);
        assert_eq!(Compression::from_magic(&frame(4, 0x60)), Compression::None);
    }

    /// Found by chance in a test: a file of one record was refused as corrupt data.
    #[test]
    fn records_may_start_with_the_two_bytes_of_gzip() {
        for head in [&[0x1f, 0x8b, 7, 0][..], &[0x1f, 0x8b, 8, 0x20], &[0x1f, 0x8b, 0]] {
            assert_eq!(Compression::from_magic(head), Compression::None, "{head:?}");
        }
        // Cut off at any place, and with all allowed flags.
        for head in [&[0x1f, 0x8b][..], &[0x1f, 0x8b, 8], &[0x1f, 0x8b, 8, 0x1f, 1]] {
            assert_eq!(Compression::from_magic(head), Compression::Gzip, "{head:?}");
        }
    }

    #[test]
    fn bytes_before_garbage_are_decoded() {
        let content: Vec<u8> =
            (0..300_000_u32).flat_map(|number| number.wrapping_mul(number).to_le_bytes()).collect();
        for compression in [Compression::Zstd, Compression::Gzip, Compression::Xz] {
            let mut encoder = compression.encoder(Vec::new(), 1).unwrap();
            encoder.write_all(&content).unwrap();
            let mut packed = encoder.finish().unwrap();
            packed.extend_from_slice(b"garbage that is none of these formats");
            let mut decoded = Vec::new();
            let error = compression.decoder(&packed[..]).unwrap().read_to_end(&mut decoded).unwrap_err();
            assert!(is_corruption(&error) && decoded == content, "{compression:?}: {}", decoded.len());
        }
    }

    /// Every other call fails, as if a signal came.
    struct Interrupted {
        written: Vec<u8>,
        calls: u32,
    }

    impl Interrupted {
        fn call(&mut self) -> io::Result<()> {
            self.calls += 1;
            if self.calls % 2 == 1 { Err(io::ErrorKind::Interrupted.into()) } else { Ok(()) }
        }
    }

    impl Write for Interrupted {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.call()?;
            self.written.write(bytes)
        }

        fn flush(&mut self) -> io::Result<()> {
            self.call()
        }
    }

    #[test]
    fn interrupted_writes_are_tried_again() {
        for &compression in Compression::ALL {
            let sink = Interrupted { written: Vec::new(), calls: 0 };
            let mut encoder = compression.encoder(sink, 1).unwrap();
            encoder.write_all(&[0; 400]).unwrap();
            let written = encoder.finish().unwrap().written;
            let mut content = Vec::new();
            compression.decoder(&written[..]).unwrap().read_to_end(&mut content).unwrap();
            assert_eq!(content, [0; 400], "{compression:?}");
        }
    }
}
