//! [`Courier`]: takes pieces of bytes from the thread that makes them to another that writes them.

use std::sync::mpsc::{self, Receiver, Sender};

use crate::DatasetError;

/// Takes pieces to a [`Recipient`] on another thread.
///
/// A fixed number of pieces goes round, so that memory is bounded: who hands over a full one gets an empty one for it, and
/// waits until there is one. Who drops a courier waits for the recipient's end, so that nothing is written afterwards.
pub(crate) struct Courier<R> {
    /// `None` once no more is to come.
    full: Option<Sender<Addressed>>,
    back: Receiver<Answer<R>>,
    /// How many pieces there are, and those of them that are here.
    pieces: usize,
    here: Vec<Vec<u8>>,
}

/// Takes the pieces, in the order in which they were handed over.
pub(crate) trait Recipient {
    /// Takes one with its address, such as the number of a file.
    fn take(&mut self, address: usize, piece: &[u8]) -> Result<(), DatasetError>;
}

/// The other end of a courier's way, for the thread of the recipient.
pub(crate) struct Round<R> {
    recipient: R,
    full: Receiver<Addressed>,
    back: Sender<Answer<R>>,
}

type Addressed = (usize, Vec<u8>);

enum Answer<R> {
    /// A piece to be filled again.
    Empty(Vec<u8>),
    /// The recipient is gone.
    Failed(DatasetError),
    /// All has been taken.
    Done(R),
}

impl<R: Recipient> Courier<R> {
    /// A courier with `pieces` chunks beside the one that is being filled, and the half that [runs](Round::run) on the other thread.
    pub fn new(recipient: R, pieces: usize) -> (Courier<R>, Round<R>) {
        let (full_sender, full) = mpsc::channel();
        let (back, answers) = mpsc::channel();
        let here = vec![Vec::new(); pieces];
        (Courier { full: Some(full_sender), back: answers, pieces, here }, Round { recipient, full, back })
    }

    /// Hands a piece over, and returns an empty one.
    ///
    /// # Errors
    /// What the recipient has failed with, at this piece or at one before; then it takes no more
    /// ([`DatasetError::Cancelled`]).
    pub fn hand_over(&mut self, address: usize, piece: Vec<u8>) -> Result<Vec<u8>, DatasetError> {
        let Some(full) = &self.full else { return Err(DatasetError::Cancelled) };
        // If nobody takes it, the answer says why.
        let _ = full.send((address, piece));
        if self.here.is_empty() {
            self.await_piece()?;
        }
        Ok(self.here.pop().expect("one is here"))
    }

    /// Waits until all that was handed over is taken.
    ///
    /// # Errors
    /// As [`Courier::hand_over`].
    pub fn settle(&mut self) -> Result<(), DatasetError> {
        if self.full.is_none() {
            return Err(DatasetError::Cancelled);
        }
        while self.here.len() < self.pieces {
            self.await_piece()?;
        }
        Ok(())
    }

    /// Waits until a piece is back.
    fn await_piece(&mut self) -> Result<(), DatasetError> {
        match self.answer() {
            Answer::Empty(piece) => {
                self.here.push(piece);
                Ok(())
            }
            Answer::Failed(error) => {
                self.full = None;
                Err(error)
            }
            Answer::Done(_) => unreachable!("more may come"),
        }
    }

    /// Waits until all is taken, and returns the recipient.
    ///
    /// # Errors
    /// As [`Courier::hand_over`].
    pub fn finish(mut self) -> Result<R, DatasetError> {
        if self.full.take().is_none() {
            return Err(DatasetError::Cancelled);
        }
        loop {
            match self.answer() {
                Answer::Empty(_) => {}
                Answer::Failed(error) => return Err(error),
                Answer::Done(recipient) => return Ok(recipient),
            }
        }
    }

    fn answer(&self) -> Answer<R> {
        self.back.recv().expect("the recipient says when it fails")
    }
}

impl<R> Drop for Courier<R> {
    fn drop(&mut self) {
        self.full = None;
        while self.back.recv().is_ok() {}
    }
}

impl<R: Recipient> Round<R> {
    /// Gives the recipient what is handed over, until all is taken or it fails.
    pub fn run(self) {
        let Round { mut recipient, full, back } = self;
        for (address, mut piece) in full {
            if let Err(error) = recipient.take(address, &piece) {
                // What it leaves behind is removed before anybody hears of it.
                drop(recipient);
                let _ = back.send(Answer::Failed(error));
                return;
            }
            piece.clear();
            // The courier may be dropped.
            let _ = back.send(Answer::Empty(piece));
        }
        let _ = back.send(Answer::Done(recipient));
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::thread;
    use std::time::Duration;

    use super::*;

    /// Collects chunks, and fails at the chunk `fail`.
    #[derive(Default)]
    struct Shelf(Vec<(usize, Vec<u8>)>);

    impl Recipient for Shelf {
        fn take(&mut self, address: usize, piece: &[u8]) -> Result<(), DatasetError> {
            if piece == b"fail" {
                return Err(DatasetError::Part("shelf".into()));
            }
            self.0.push((address, piece.to_vec()));
            Ok(())
        }
    }

    #[test]
    fn pieces_arrive_in_order_and_come_back_empty() {
        for pieces in 1..4 {
            let (mut courier, round) = Courier::new(Shelf::default(), pieces);
            thread::spawn(move || round.run());
            let mut piece = Vec::new();
            for number in 0..100_u8 {
                piece.push(number);
                piece = courier.hand_over(usize::from(number % 7), piece).unwrap();
                assert!(piece.is_empty());
                if number % 11 == 3 {
                    courier.settle().unwrap();
                }
            }
            let expected: Vec<_> =
                (0..100_u8).map(|number| (usize::from(number % 7), vec![number])).collect();
            assert_eq!(courier.finish().unwrap().0, expected);
        }
    }

    #[test]
    fn a_failure_is_told_once_and_nothing_is_taken_after_it() {
        for later in [0, 1, 5] {
            let (mut courier, round) = Courier::new(Shelf::default(), 2);
            thread::spawn(move || round.run());
            let mut told = courier.hand_over(0, b"fail".to_vec()).err();
            for _ in 0..later {
                let error = courier.hand_over(0, b"more".to_vec()).err();
                assert!(told.is_none() || matches!(error, Some(DatasetError::Cancelled)), "{error:?}");
                told = told.or(error);
            }
            let end = courier.finish().err();
            assert!(matches!(told.or(end), Some(DatasetError::Part(_))));
        }
    }

    /// Takes its time.
    struct Slow<'a>(&'a AtomicBool);

    impl Recipient for Slow<'_> {
        fn take(&mut self, _: usize, _: &[u8]) -> Result<(), DatasetError> {
            thread::sleep(Duration::from_millis(20));
            self.0.store(true, Ordering::Relaxed);
            Ok(())
        }
    }

    #[test]
    fn who_drops_a_courier_waits_for_the_end() {
        let is_written = AtomicBool::new(false);
        thread::scope(|scope| {
            let (mut courier, round) = Courier::new(Slow(&is_written), 2);
            scope.spawn(move || round.run());
            courier.hand_over(0, Vec::new()).unwrap();
            drop(courier);
            assert!(is_written.load(Ordering::Relaxed));
        });
    }
}
