//! [`Members`]: the places of an archive's records, from the ends of its members.

use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::ops::Range;
use std::sync::Arc;

use komabako_archive::{
    ArchiveError, BlockHeader, Column, Fault, Footer, Header, Index, Parser, Source, decode_range,
};

use super::{ArchiveReader, Contents, MOST_RESERVED, decoder_memory, format_of};
use crate::engine::parallel::{ProgressSender, each};
use crate::io::compression::Content;
use crate::io::input::{Counter, Spread, Watch};
use crate::{DatasetError, FileFormat, Step};

/// The members of an archive in a file.
pub(crate) struct Members {
    /// The format of all records.
    source: Source,
    members: Vec<Member>,
    /// The names of the users' columns behind the first block of each member: a reader of some records may not come to them.
    columns: Vec<String>,
}

/// The place of a block in an archive.
#[derive(Clone, Copy)]
pub(crate) struct BlockPlace {
    /// Its number.
    pub number: u64,
    /// The offset of its header in the file.
    pub offset: u64,
    /// The number of its first record in its member.
    pub first: u64,
    /// The same over all members.
    pub record: u64,
    pub records: u64,
}

struct Member {
    start: u64,
    header: Header,
    index: Index,
    /// Where the index is, behind the blocks.
    index_offset: u64,
}

/// The block with which to start reading.
struct Start {
    /// Where it is in the file.
    offset: u64,
    parser: Parser,
}

/// A sample has at least this many records, or all of a shorter range: enough for three drops or
/// promotions, which show another encoding of moves.
const LEAST_SAMPLE: u64 = 256;

impl Members {
    /// Finds the members of a file of `size` bytes, from its end. `None` if one has no header, footer or index, they contradict each
    /// other, or members hold records of different formats: what is wrong, the reader of the whole file reports.
    pub fn find(file: &mut (impl Read + Seek), size: u64) -> io::Result<Option<Members>> {
        let mut members = Vec::new();
        let mut columns = Vec::new();
        let mut source = None;
        let mut end = size;
        while end > 0 {
            let Some(place) = end.checked_sub(Footer::SIZE as u64) else { return Ok(None) };
            let mut bytes = [0; Footer::SIZE];
            read_at(file, place, &mut bytes)?;
            let Ok(footer) = Footer::parse(&bytes) else { return Ok(None) };
            let Some(start) = end.checked_sub(footer.length) else { return Ok(None) };
            let mut fixed = [0; Header::FIXED];
            read_at(file, start, &mut fixed)?;
            let Ok(rest) = Header::length_of_rest(&fixed) else { return Ok(None) };
            let mut head = fixed.to_vec();
            file.take(rest as u64).read_to_end(&mut head)?;
            let Ok(header) = Header::parse(&head) else { return Ok(None) };
            if *source.get_or_insert(header.source) != header.source {
                return Ok(None);
            }
            let Some(index) = read_index(file, start, &footer)? else { return Ok(None) };
            columns.append(&mut first_columns(file, start, &index, footer.index)?);
            members.push(Member { start, header, index, index_offset: footer.index });
            end = start;
        }
        members.reverse();
        Ok(source.map(|source| Members { source, members, columns }))
    }

    /// The names of the users' columns behind the first block of each member.
    pub fn columns(&self) -> &[String] {
        &self.columns
    }

    /// The records with some numbers of an archive in a file.
    pub fn content_of(
        &self,
        watch: &Watch,
        records: Range<u64>,
        counter: &Counter,
        contents: Contents,
    ) -> io::Result<Content<'static>> {
        let Some(Start { offset, parser }) = self.start_of(records.start) else {
            return Ok(Box::new(io::empty()));
        };
        let content = Box::new(BufReader::new(counter.counting(watch.content(offset)?)));
        Ok(Box::new(ArchiveReader::of_range(content, parser, records, contents)))
    }

    /// The format of all records.
    pub fn format(&self) -> FileFormat {
        format_of(self.source)
    }

    /// The number of all records.
    pub fn records(&self) -> u64 {
        self.members.iter().map(|member| member.index.records()).sum()
    }

    /// The memory for decoding the largest block.
    pub fn decoder_memory(&self) -> u64 {
        let mut most = 0;
        for Member { index, index_offset, .. } in &self.members {
            for (number, block) in index.blocks.iter().enumerate() {
                let end = index.blocks.get(number + 1).map_or(*index_offset, |next| next.offset);
                most = most.max(decoder_memory(block.records.into(), self.source, end - block.offset));
            }
        }
        most
    }

    /// The headers of the members.
    pub fn headers(&self) -> impl Iterator<Item = &Header> {
        self.members.iter().map(|member| &member.header)
    }

    /// The format of all records.
    pub fn source(&self) -> Source {
        self.source
    }

    /// The places of all blocks of records.
    pub fn blocks(&self) -> impl Iterator<Item = BlockPlace> {
        let entries = self.members.iter().flat_map(|member| {
            let start = member.start;
            member.index.blocks.iter().map(move |block| (start, block))
        });
        let mut number = 0;
        let mut record = 0;
        entries.map(move |(start, block)| {
            let records = u64::from(block.records);
            let place =
                BlockPlace { number, offset: start + block.offset, first: block.first, record, records };
            number += 1;
            record += records;
            place
        })
    }

    /// Stretches of the records of blocks at equal distances that have some of the `wanted` records; of a block only the start is
    /// decoded, or what is wanted of it if it is the only one: that is left in the contents. Damaged blocks are left out.
    ///
    /// # Errors
    /// That of opening the file again for a thread, or of starting the thread; inside, that of reading.
    pub fn stretches(
        &self,
        open: &dyn Fn() -> Result<Watch, DatasetError>,
        spread: Spread,
        wanted: &Range<u64>,
        contents: &Contents,
    ) -> Result<io::Result<Vec<Vec<u8>>>, DatasetError> {
        let is_wanted =
            |block: &BlockPlace| block.record < wanted.end && wanted.start < block.record + block.records;
        let blocks: Vec<BlockPlace> = self.blocks().filter(is_wanted).collect();
        let chosen = blocks.len().min(spread.stretches as usize);
        let of_block = Spread { stretches: spread.stretches.div_ceil(chosen.max(1) as u64), ..spread };
        // Six times the sample: neighbours belong to one game, and would repeat one answer.
        let apart = if of_block.stretches == 1 { 1 } else { 6 };
        let most = of_block.stretches * of_block.records * apart;
        // A few records are not worth a large sample.
        let most = most.min((wanted.end - wanted.start).max(LEAST_SAMPLE));
        let decode = |place: &BlockPlace, start: u64, file: &mut Arc<File>| {
            let Some((header, payload)) = place.read(file)? else { return Ok(Vec::new()) };
            let range = start as usize..(start + most) as usize;
            Ok(decode_range(self.source, &header, &payload, range).unwrap_or_default())
        };
        let decoded = if let [place] = &blocks[..] {
            let last_start = place.records.saturating_sub(most);
            let start = wanted.start.saturating_sub(place.record).min(last_start);
            let records = decode(place, start, &mut open()?.file());
            if let Ok(records) = &records
                && wanted.end <= place.record + start + most
            {
                contents.set_sampled(place.record + start, records.clone());
            }
            vec![records]
        } else {
            let threads = contents.threads().min(chosen);
            let files: Result<Vec<Watch>, DatasetError> = (0..threads).map(|_| open()).collect();
            let start_of = |number: usize, file: &mut Watch, _: &ProgressSender| {
                Ok(decode(&blocks[number * blocks.len() / chosen], 0, &mut file.file()))
            };
            each(0..chosen, &mut files?, &mut Step::default(), &mut (), start_of)?
        };
        let size = self.source.record_size();
        let stretches = |records: io::Result<Vec<u8>>| Ok(of_block.of_bytes(&records?, size));
        let stretches = decoded.into_iter().map(stretches).collect::<io::Result<Vec<_>>>();
        Ok(stretches.map(|stretches| stretches.into_iter().flatten().collect()))
    }

    /// The block that holds a record, by the index of its member; `None` if there is no such record.
    fn start_of(&self, record: u64) -> Option<Start> {
        let mut before = 0;
        for Member { start, index, .. } in &self.members {
            let Some(entry) = index.find(record - before) else {
                before += index.records();
                continue;
            };
            let earlier = index.blocks.partition_point(|block| block.first < entry.first);
            let passed = Index { blocks: index.blocks[..earlier].to_vec() };
            return Some(Start {
                offset: start + entry.offset,
                parser: Parser::within(*start, entry.offset, before, passed, self.source),
            });
        }
        None
    }
}

impl BlockPlace {
    /// The error for a fault of the block.
    pub fn error(&self, fault: Fault) -> ArchiveError {
        let BlockPlace { number, offset, record, records, .. } = *self;
        ArchiveError { offset, block: number, record, lost: records, fault }
    }

    /// Reads its header and payload; `None` if the header is not that of the block.
    pub fn read(&self, file: &mut (impl Read + Seek)) -> io::Result<Option<(BlockHeader, Vec<u8>)>> {
        let mut head = [0; BlockHeader::SIZE];
        read_at(file, self.offset, &mut head)?;
        let Ok(header) = BlockHeader::parse(&head) else { return Ok(None) };
        if header.first != self.first || u64::from(header.records) != self.records {
            return Ok(None);
        }
        let mut payload = Vec::with_capacity((header.payload as usize).min(MOST_RESERVED));
        file.take(u64::from(header.payload)).read_to_end(&mut payload)?;
        Ok(Some((header, payload)))
    }
}

/// The index of a member; `None` if it is damaged, or contradicts the footer.
fn read_index(file: &mut (impl Read + Seek), start: u64, footer: &Footer) -> io::Result<Option<Index>> {
    let mut head = [0; BlockHeader::SIZE];
    read_at(file, start + footer.index, &mut head)?;
    let Ok(header) = BlockHeader::parse(&head) else { return Ok(None) };
    let mut payload = vec![0; header.payload as usize];
    file.read_exact(&mut payload)?;
    let Ok(index) = Index::parse(&payload) else { return Ok(None) };
    let is_whole = header.is_index() && header.check_payload(&payload).is_ok();
    let is_before_index = index.blocks.last().is_none_or(|block| block.offset < footer.index);
    if is_whole && is_before_index && index.records() == footer.records {
        return Ok(Some(index));
    }
    Ok(None)
}

/// The names of the users' columns behind the first block of a member. What is damaged has none.
fn first_columns(
    file: &mut (impl Read + Seek),
    start: u64,
    index: &Index,
    index_offset: u64,
) -> io::Result<Vec<String>> {
    let mut names = Vec::new();
    let Some(first) = index.blocks.first() else { return Ok(names) };
    let end = index.blocks.get(1).map_or(index_offset, |next| next.offset);
    let mut place = first.offset;
    while place < end {
        let mut head = [0; BlockHeader::SIZE];
        read_at(file, start + place, &mut head)?;
        let Ok(header) = BlockHeader::parse(&head) else { break };
        if place > first.offset {
            let mut name = Vec::new();
            file.take(Column::LONGEST_NAME.min(header.payload.into())).read_to_end(&mut name)?;
            names.push(Column::name_of(&name).unwrap_or("?").to_owned());
        }
        place += BlockHeader::SIZE as u64 + u64::from(header.payload);
    }
    Ok(names)
}

fn read_at(file: &mut (impl Read + Seek), offset: u64, bytes: &mut [u8]) -> io::Result<()> {
    file.seek(SeekFrom::Start(offset))?;
    file.read_exact(bytes)
}
