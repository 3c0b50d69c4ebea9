//! [`Members`]: the places of an archive's records, from the ends of its members.

use std::io::{self, BufReader, Read, Seek, SeekFrom};

use komabako_archive::{BlockHeader, Footer, Header, Index, Parser, Source};

use super::ArchiveReader;
use crate::io::detect::Content;
use crate::io::input::{Counter, Watch};

/// The members of an archive in a file.
pub(crate) struct Members {
    /// The format of all records.
    source: Source,
    members: Vec<Member>,
}

struct Member {
    start: u64,
    footer: Footer,
}

/// The block with which to start reading.
struct Start {
    /// Where it is in the file.
    offset: u64,
    parser: Parser,
    /// The records of the block before the wanted one.
    skipped: u64,
}

impl Members {
    /// Finds the members of a file of `size` bytes, from its end. `None` if one has no footer: it is damaged, which its reader
    /// reports.
    pub fn find(file: &mut (impl Read + Seek), size: u64) -> io::Result<Option<Members>> {
        let mut members = Vec::new();
        let mut end = size;
        while end > 0 {
            let Some(place) = end.checked_sub(Footer::SIZE as u64) else { return Ok(None) };
            let mut bytes = [0; Footer::SIZE];
            read_at(file, place, &mut bytes)?;
            let Ok(footer) = Footer::parse(&bytes) else { return Ok(None) };
            let Some(start) = end.checked_sub(footer.length) else { return Ok(None) };
            members.push(Member { start, footer });
            end = start;
        }
        members.reverse();
        let mut number = [0; 1];
        read_at(file, Header::SOURCE, &mut number)?;
        Ok(Source::from_number(number[0]).map(|source| Members { source, members }))
    }

    /// The content of an archive in a file from a byte on, a record's first.
    pub fn content_from(&self, watch: &Watch, byte: u64, counter: &Counter) -> io::Result<Content<'static>> {
        let size = self.source.record_size() as u64;
        if byte >= self.records() * size {
            return Ok(Box::new(io::empty()));
        }
        let reader = |offset, parser, skipped: u64| {
            let content = BufReader::new(counter.counting(watch.content(offset)?));
            let skipped = usize::try_from(skipped).unwrap_or(usize::MAX);
            Ok(Box::new(ArchiveReader::starting_at(content, parser, self.source, skipped)) as Content)
        };
        match self.start_of(&mut watch.file(), byte / size)? {
            Some(start) => reader(start.offset, start.parser, start.skipped * size),
            // Without an index all that comes before is read too.
            None => reader(0, Parser::new(), byte),
        }
    }

    /// The number of all records.
    pub fn records(&self) -> u64 {
        self.members.iter().map(|member| member.footer.records).sum()
    }

    /// The block that holds a record, by the index of its member; `None` if there is no such record, or the index is damaged.
    fn start_of(&self, file: &mut (impl Read + Seek), record: u64) -> io::Result<Option<Start>> {
        let mut before = 0;
        for Member { start, footer } in &self.members {
            if record - before >= footer.records {
                before += footer.records;
                continue;
            }
            let mut head = [0; BlockHeader::SIZE];
            read_at(file, start + footer.index, &mut head)?;
            let Ok(header) = BlockHeader::parse(&head) else { return Ok(None) };
            let mut payload = vec![0; header.payload as usize];
            file.read_exact(&mut payload)?;
            if header.check_payload(&payload).is_err() {
                return Ok(None);
            }
            let Ok(mut index) = Index::parse(&payload) else { return Ok(None) };
            let Some(entry) = index.find(record - before).copied() else { return Ok(None) };
            index.blocks.retain(|block| block.first < entry.first);
            return Ok(Some(Start {
                offset: start + entry.offset,
                parser: Parser::within(*start, entry.offset, before, index, self.source),
                skipped: record - before - entry.first,
            }));
        }
        Ok(None)
    }
}

fn read_at(file: &mut (impl Read + Seek), offset: u64, bytes: &mut [u8]) -> io::Result<()> {
    file.seek(SeekFrom::Start(offset))?;
    file.read_exact(bytes)
}
