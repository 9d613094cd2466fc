//! What is seen of an analysis while it runs.

use std::time::Duration;

use quadrille_analysis::{AnalysisEvent, Summary};

use quadrille_net::sanitize::printable;

use crate::printer::{Page, Printer};

/// How often the line is drawn anew.
const PAUSE: Duration = Duration::from_millis(250);

/// One line below the text that scrolls by, on a terminal.
pub(super) struct Status {
    shown: bool,
    line: String,
}

impl Status {
    pub(super) fn new(shown: bool) -> Self {
        Self {
            shown,
            line: String::new(),
        }
    }
}

impl Page for Status {
    fn pause(&self) -> Option<Duration> {
        self.shown.then_some(PAUSE)
    }

    fn lay_out(&mut self, text: Vec<u8>, last: bool) -> Vec<u8> {
        if !self.shown {
            return text;
        }
        let mut out = b"\r\x1b[K".to_vec();
        out.extend(text);
        if !last {
            out.extend(self.line.as_bytes());
        }
        out
    }
}

/// Follows the events.
#[derive(Default)]
pub(super) struct Progress {
    games: u64,
    ended: u64,
}

impl Progress {
    /// Says what is done before the first position is looked at. The line is drawn
    /// after a while, so that it is seen only if that takes long.
    pub(super) fn reading(&mut self, games: usize, printer: &Printer<Status>) {
        self.games = games as u64;
        let line = self.reading_line();
        printer.page(|status| status.line = line);
    }

    /// `reading 100 games`
    fn reading_line(&self) -> String {
        format!("reading {}", counted(self.games, "game", "games"))
    }

    pub(super) fn see(&mut self, event: &AnalysisEvent, printer: &Printer<Status>) {
        match event {
            AnalysisEvent::Start {
                games,
                positions,
                engines,
                ..
            } => {
                self.games = *games;
                let line = self.line(0, positions * engines.len() as u64, None);
                printer.page(|status| status.line = line);
            }
            AnalysisEvent::Position {
                done, total, left, ..
            } => {
                let line = self.line(*done, *total, *left);
                printer.page(|status| status.line = line);
            }
            AnalysisEvent::GameEnd { .. } => self.ended += 1,
            AnalysisEvent::GameKept {
                number,
                line,
                reason,
                ..
            } => {
                self.ended += 1;
                let reason = printable(reason);
                printer.say(&format!(
                    "game {number}, line {line}: stays as it is: {reason}\n"
                ));
            }
            AnalysisEvent::GameStart { .. } | AnalysisEvent::End { .. } => {}
        }
    }

    /// `game 3 of 100, 843 of 7000 positions (12 %), 2:13 left`
    fn line(&self, done: u64, total: u64, left: Option<Duration>) -> String {
        let percent = (done * 100).checked_div(total).unwrap_or(100);
        let game = (self.ended + 1).min(self.games);
        let left = left.map_or_else(String::new, |left| format!(", {} left", clock(left)));
        let games = self.games;
        format!("game {game} of {games}, {done} of {total} positions ({percent} %){left}")
    }
}

fn clock(time: Duration) -> String {
    let seconds = time.as_secs();
    match seconds / 3600 {
        0 => format!("{}:{:02}", seconds / 60, seconds % 60),
        hours => format!("{hours}:{:02}:{:02}", seconds / 60 % 60, seconds % 60),
    }
}

fn counted(number: u64, one: &str, many: &str) -> String {
    let word = if number == 1 { one } else { many };
    format!("{number} {word}")
}

/// `12 games analysed, 1 stays as it was; 843 positions searched, 12 known, in 2:13`
pub(super) fn summary(summary: &Summary) -> String {
    let mut words = format!("{} analysed", counted(summary.analysed, "game", "games"));
    if summary.kept > 0 {
        let kept = counted(summary.kept, "stays", "stay");
        words = format!("{words}, {kept} as before");
    }
    format!(
        "{words}; {} searched, {} known, in {}\n",
        counted(summary.searched, "position", "positions"),
        summary.cached,
        clock(summary.elapsed)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_says_how_far_it_is() {
        let progress = Progress {
            games: 100,
            ended: 2,
        };
        let left = Some(Duration::from_secs(133));
        assert_eq!(
            progress.line(843, 7000, left),
            "game 3 of 100, 843 of 7000 positions (12 %), 2:13 left"
        );
        assert_eq!(
            progress.line(0, 0, None),
            "game 3 of 100, 0 of 0 positions (100 %)"
        );
        assert_eq!(progress.reading_line(), "reading 100 games");
    }

    #[test]
    fn the_summary_is_a_sentence() {
        let one = Summary {
            analysed: 1,
            kept: 1,
            searched: 80,
            cached: 3,
            elapsed: Duration::from_secs(3700),
            cancelled: false,
        };
        assert_eq!(
            summary(&one),
            "1 game analysed, 1 stays as before; 80 positions searched, 3 known, in 1:01:40\n"
        );
    }
}
