//! The help page of `quadrille match` and the reference of its flags, made of the rows in
//! `quadrille_match::config::FLAGS`.

use std::fmt::Write as _;

use quadrille_match::config::{FLAGS, Flag, flags};

const USAGE: &str = "\
Engines against engines, any of the four games

Usage: quadrille match -engine cmd=PROGRAM ... -engine cmd=PROGRAM ... FLAGS
       quadrille match --config match.toml [FLAGS]
       quadrille match --resume STORE [-rounds N] [-concurrency N] [-pgnout F] ...
       quadrille match --control STORE pause|resume|stop|abort|concurrency N

Flags are those of fastchess and cutechess-cli; one dash or two.
";

const ELSEWHERE: &str = "
Elsewhere (docs/cluster.md)
  --nats URL    workers play the games; cmd= is then a name in their files
  --nats-creds F  --nats-user U --nats-password P  --nats-token T  --nats-nkey F
  --nats-ca F  --nats-cert F --nats-key F      also from NATS_URL, NATS_CREDS, ...
  --nats-patience S  --nats-reference NPS  --nats-slowest FACTOR
  --nats-spot-check 2%   games that a second worker checks; bench= in -engine names
                         the signature that an engine must have on every worker

quadrille event STORE shows what is in a store and exports it.

Keys: p pause, + and - games at once, q stop (twice: at once), ? keys. ctrl-c,
SIGTERM and SIGHUP are like q (under nohup the match goes on without its terminal).

Exit codes: 0 played to the end, or the test accepted elo1; 1 an engine or the
machine ended it; 2 wrong command line or file, or a program that is not there;
3 the test accepted elo0; 4 stopped, to be resumed; 5 -strict and there were
warnings; 6 every game was played and the test is not decided.
";

/// Column in which explanations begin.
const MARGIN: usize = 26;
/// Width of the page.
const WIDTH: usize = 86;

/// The help page.
pub(crate) fn page() -> String {
    let mut text = String::from(USAGE);
    for (title, flags) in FLAGS {
        let shown: Vec<&Flag> = flags.iter().filter(|flag| !flag.is_ignored()).collect();
        if shown.is_empty() {
            continue;
        }
        let _ = write!(text, "\n{title}\n");
        for flag in shown {
            write_flag(&mut text, flag);
        }
    }
    text + ELSEWHERE
}

/// Writes a flag, what it takes, and its explanation beside it or below.
fn write_flag(text: &mut String, flag: &Flag) {
    let mut column = 0;
    let head = format!("  -{}", flag.name);
    fold(text, &mut column, 6, &format!("{head} {}", flag.takes));
    if column + 2 > MARGIN {
        text.push('\n');
        column = 0;
    }
    let _ = write!(text, "{:1$}", "", MARGIN - column);
    column = MARGIN;
    fold(text, &mut column, MARGIN, flag.help);
    text.push('\n');
}

/// Writes words, and goes on in the next line where one is full.
fn fold(text: &mut String, column: &mut usize, indent: usize, words: &str) {
    let blanks = words.len() - words.trim_start().len();
    let _ = write!(text, "{:blanks$}", "");
    *column += blanks;
    for (index, word) in words.split_whitespace().enumerate() {
        let width = word.chars().count();
        if index > 0 && *column + 1 + width > WIDTH {
            let _ = write!(text, "\n{:indent$}", "");
            *column = indent;
        } else if index > 0 {
            text.push(' ');
            *column += 1;
        }
        text.push_str(word);
        *column += width;
    }
}

/// The flags that mean something here, with their explanations.
pub(crate) fn known_flags() -> impl Iterator<Item = &'static Flag> {
    flags().filter(|flag| !flag.is_ignored())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `docs/flags.md`: every flag with its key in a file.
    fn reference() -> String {
        let mut text = String::from(
            "# Flags of `quadrille match`\n\n\
             One row for each flag, made of the same table as the parser and the help page. \"Later\" marks what\n\
             may be given to a match that has begun, with `--resume`. [matches.md](matches.md) explains them.\n",
        );
        for (title, flags) in FLAGS {
            let _ = write!(
                text,
                "\n## {title}\n\n| flag | values | what it does | key in TOML | later |\n|---|---|---|---|---|\n"
            );
            for flag in *flags {
                let names = std::iter::once(&flag.name).chain(flag.also);
                let names: Vec<String> = names.map(|name| format!("`-{name}`")).collect();
                let values = match flag.takes {
                    "" => String::new(),
                    takes => format!("`{}`", takes.replace('|', "\\|")),
                };
                let key = flag.key.map_or_else(String::new, |key| format!("`{key}`"));
                let help = if flag.is_ignored() {
                    format!("does nothing here: {}", flag.help)
                } else {
                    flag.help.to_owned()
                };
                let later = if flag.is_changeable() { "yes" } else { "" };
                let _ = writeln!(
                    text,
                    "| {} | {values} | {help} | {key} | {later} |",
                    names.join(", ")
                );
            }
        }
        text
    }

    #[test]
    fn no_line_of_the_page_is_wider_than_it() {
        for line in page().lines() {
            assert!(line.chars().count() <= WIDTH, "{line}");
        }
    }

    #[test]
    fn the_reference_is_what_the_rows_say() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/flags.md");
        if std::env::var_os("QUADRILLE_WRITE").is_some() {
            std::fs::write(path, reference()).expect("docs/flags.md");
        }
        let written = std::fs::read_to_string(path).expect("docs/flags.md");
        assert!(
            written == reference(),
            "docs/flags.md is old: QUADRILLE_WRITE=1 cargo test -p quadrille the_reference writes it"
        );
    }
}
