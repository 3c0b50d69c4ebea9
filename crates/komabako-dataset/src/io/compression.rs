//! [`Compression`]: recognised by content, chosen by extension.

use core::fmt;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use flate2::bufread::MultiGzDecoder;
use flate2::write::GzEncoder;
use liblzma::bufread::XzDecoder;
use liblzma::write::XzEncoder;

/// How a file is compressed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Compression {
    /// Not at all.
    #[default]
    None,
    /// Zstandard, `.zst`.
    Zstd,
    /// gzip, `.gz`.
    Gzip,
    /// xz, `.xz`.
    Xz,
}

/// zstd's own default; fast enough to keep up with the conversion on one core.
const ZSTD_LEVEL: i32 = 3;
const XZ_LEVEL: u32 = 6;

impl Compression {
    /// Every way, none included.
    pub const ALL: [Compression; 4] =
        [Compression::None, Compression::Zstd, Compression::Gzip, Compression::Xz];

    /// The name for programs: `none`, `zstd`, `gzip`, `xz`.
    pub const fn name(self) -> &'static str {
        match self {
            Compression::None => "none",
            Compression::Zstd => "zstd",
            Compression::Gzip => "gzip",
            Compression::Xz => "xz",
        }
    }

    /// The extension without its dot, or `None` for [`Compression::None`].
    pub const fn extension(self) -> Option<&'static str> {
        match self {
            Compression::None => None,
            Compression::Zstd => Some("zst"),
            Compression::Gzip => Some("gz"),
            Compression::Xz => Some("xz"),
        }
    }

    /// The bytes with which compressed data starts; none for [`Compression::None`].
    const fn magic(self) -> &'static [u8] {
        match self {
            Compression::None => &[],
            Compression::Zstd => &[0x28, 0xb5, 0x2f, 0xfd],
            Compression::Gzip => &[0x1f, 0x8b],
            Compression::Xz => &[0xfd, b'7', b'z', b'X', b'Z', 0x00],
        }
    }

    /// What a path's extension says; [`Compression::None`] if it names no compression.
    pub fn from_path(path: &Path) -> Compression {
        let named = |compression: &Compression| match (compression.extension(), path.extension()) {
            (Some(known), Some(extension)) => extension.eq_ignore_ascii_case(known),
            _ => false,
        };
        Compression::ALL.into_iter().find(named).unwrap_or_default()
    }

    /// What the first bytes of a file say.
    pub fn from_magic(head: &[u8]) -> Compression {
        Compression::ALL
            .into_iter()
            .find(|compression| *compression != Compression::None && head.starts_with(compression.magic()))
            .unwrap_or_default()
    }

    /// A reader of what the compressed stream holds; streams that follow each other in it are joined.
    ///
    /// # Errors
    /// The decoder cannot be made: out of memory.
    pub fn decoder<'a>(self, source: impl Read + Send + 'a) -> io::Result<Box<dyn Read + Send + 'a>> {
        let failed = Arc::new(AtomicBool::new(false));
        let watched = Watched { source, failed: Arc::clone(&failed) };
        let source = BufReader::with_capacity(1 << 17, watched);
        Ok(match self {
            Compression::None => Box::new(source),
            Compression::Zstd => Box::new(Decoding { decoder: zstd::Decoder::with_buffer(source)?, failed }),
            Compression::Gzip => Box::new(Decoding { decoder: MultiGzDecoder::new(source), failed }),
            Compression::Xz => {
                let decoder = ToTheLast { decoder: XzDecoder::new_multi_decoder(source), error: None };
                Box::new(Decoding { decoder, failed })
            }
        })
    }

    /// A writer that compresses into `sink`; zstd on `threads` threads, the others on the caller's.
    ///
    /// # Errors
    /// The encoder cannot be made: out of memory.
    pub fn encoder<W: Write>(self, sink: W, threads: usize) -> io::Result<Encoder<W>> {
        Ok(Encoder(match self {
            Compression::None => Kind::None(sink),
            Compression::Zstd => {
                let mut encoder = zstd::Encoder::new(sink, ZSTD_LEVEL)?;
                encoder.include_checksum(true)?;
                if threads > 1 {
                    encoder.multithread(threads as u32)?;
                }
                Kind::Zstd(encoder)
            }
            Compression::Gzip => Kind::Gzip(GzEncoder::new(sink, flate2::Compression::default())),
            Compression::Xz => Kind::Xz(XzEncoder::new(sink, XZ_LEVEL)),
        }))
    }

    /// The memory that an encoder takes on so many threads: zstd keeps some windows a thread, xz its dictionary and the
    /// matches in it.
    pub(crate) fn encoder_memory(self, threads: usize) -> u64 {
        match self {
            Compression::None | Compression::Gzip => 1 << 20,
            Compression::Zstd => (threads as u64 + 2) << 24,
            Compression::Xz => 96 << 20,
        }
    }
}

/// The compressed data makes no sense: what an error of a decoder holds that is not one of its source.
#[derive(Debug)]
struct Corrupt(io::Error);

impl fmt::Display for Corrupt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl core::error::Error for Corrupt {}

/// Whether an error says that compressed data makes no sense, and not that it cannot be read.
pub(crate) fn is_corruption(error: &io::Error) -> bool {
    error.get_ref().is_some_and(|cause| cause.is::<Corrupt>())
}

/// A source that remembers whether it failed.
struct Watched<R> {
    source: R,
    failed: Arc<AtomicBool>,
}

impl<R: Read> Read for Watched<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.source.read(buffer).inspect_err(|_| self.failed.store(true, Ordering::Relaxed))
    }
}

/// A decoder whose own errors are told from those of its source.
struct Decoding<D> {
    decoder: D,
    failed: Arc<AtomicBool>,
}

impl<D: Read> Read for Decoding<D> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.decoder.read(buffer).map_err(|error| {
            let ends_early = error.kind() == io::ErrorKind::UnexpectedEof;
            if ends_early || self.failed.swap(false, Ordering::Relaxed) {
                return error;
            }
            io::Error::new(io::ErrorKind::InvalidData, Corrupt(error))
        })
    }
}

/// A decoder of xz that gives what it has decoded before it fails: the library's own says nothing of the last bytes.
struct ToTheLast<R> {
    decoder: XzDecoder<R>,
    error: Option<io::Error>,
}

impl<R: BufRead> Read for ToTheLast<R> {
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

/// A writer that compresses, made by [`Compression::encoder`]. Dropping it leaves the compressed stream unfinished;
/// [`Encoder::finish`] completes it.
pub struct Encoder<W: Write>(Kind<W>);

enum Kind<W: Write> {
    None(W),
    Zstd(zstd::Encoder<'static, W>),
    Gzip(GzEncoder<W>),
    Xz(XzEncoder<W>),
}

impl<W: Write> Encoder<W> {
    /// Writes what is buffered and the end of the compressed stream, and returns the sink.
    ///
    /// # Errors
    /// The sink cannot be written.
    pub fn finish(self) -> io::Result<W> {
        let mut sink = match self.0 {
            Kind::None(sink) => sink,
            Kind::Zstd(encoder) => encoder.finish()?,
            Kind::Gzip(encoder) => encoder.finish()?,
            Kind::Xz(encoder) => encoder.finish()?,
        };
        sink.flush()?;
        Ok(sink)
    }
}

impl<W: Write> Write for Encoder<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.0 {
            Kind::None(sink) => sink.write(bytes),
            Kind::Zstd(encoder) => encoder.write(bytes),
            Kind::Gzip(encoder) => encoder.write(bytes),
            Kind::Xz(encoder) => encoder.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.0 {
            Kind::None(sink) => sink.flush(),
            Kind::Zstd(encoder) => encoder.flush(),
            Kind::Gzip(encoder) => encoder.flush(),
            Kind::Xz(encoder) => encoder.flush(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_comes_before_garbage_is_decoded() {
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
}
