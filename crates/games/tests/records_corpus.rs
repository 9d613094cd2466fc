//! Odd files: what is read out of them, and what is said about it.

use quadrille_games::chess::Chess;
use quadrille_games::records::{Code, Reader, WriteOptions};

/// A file, the moves of its games as we would write them (one game per
/// entry), and the words of all diagnostics in order.
type Case = (&'static [u8], &'static [&'static str], &'static str);

fn check(cases: &[Case]) {
    for (file, games, words) in cases {
        let shown = String::from_utf8_lossy(file);
        let mut found = Vec::new();
        let mut codes = Vec::new();
        let mut reader = Reader::<Chess, _>::new(*file);
        let options = WriteOptions::default().one_line();
        while let Some(record) = reader.read_record().expect("bytes in memory") {
            let text = record.to_pgn_with(&options);
            let (_, moves) = text.split_once("\n\n").expect("a blank line");
            found.push(moves.trim_end().to_owned());
            codes.extend(reader.diagnostics().iter().map(|d| d.code.as_str()));
            // What was read once reads the same ever after.
            let exact = record.to_pgn();
            let mut again = Reader::<Chess, _>::new(exact.as_bytes());
            let back = again.read_record().expect("bytes in memory");
            assert_eq!(back, Some(record), "{shown:?}\nwritten as\n{exact}");
        }
        codes.extend(reader.diagnostics().iter().map(|d| d.code.as_str()));
        assert_eq!(found, *games, "{shown:?}");
        assert_eq!(codes.join(" "), *words, "{shown:?}");
    }
}

#[test]
fn plain_games() {
    check(&[
        (b"", &[], ""),
        (b"  \n\n \t\r\n", &[], ""),
        (b"*", &["*"], ""),
        (b"1. e4 e5 *", &["1. e4 e5 *"], ""),
        (b"1. e4 e5 2. Nf3 1-0\n", &["1. e4 e5 2. Nf3 1-0"], ""),
        (
            b"[Event \"x\"]\n\n*\n\n[Event \"y\"]\n\n1. d4 0-1\n",
            &["*", "1. d4 0-1"],
            "",
        ),
        (b"1. f3 e5 2. g4 Qh4# 0-1", &["1. f3 e5 2. g4 Qh4# 0-1"], ""),
        (
            b"1. e4 e5 *\n\n1. d4 d5 *",
            &["1. e4 e5 *", "1. d4 d5 *"],
            "",
        ),
        (b"e4 e5 Nf3 *", &["1. e4 e5 2. Nf3 *"], ""),
    ]);
}

#[test]
fn line_ends_and_encodings() {
    check(&[
        (
            b"\xef\xbb\xbf[Event \"x\"]\r\n\r\n1. e4 e5 1-0\r\n",
            &["1. e4 e5 1-0"],
            "",
        ),
        (b"[Event \"x\"]\r\r1. e4\re5 1-0\r", &["1. e4 e5 1-0"], ""),
        (b"[Event \"x\"]\n\n\t1.\te4\te5\t1-0", &["1. e4 e5 1-0"], ""),
        (b"[White \"M\xfcller\"]\n\n*", &["*"], "not-utf8"),
        (
            b"1. e4 {Gr\xfc\xdfe} *",
            &["1. e4 { Gr\u{fc}\u{df}e } *"],
            "not-utf8",
        ),
        ("1. e4 {Grüße} *".as_bytes(), &["1. e4 { Grüße } *"], ""),
        (
            b"1. e4 {one\r\ntwo\rthree\nfour} *",
            &["1. e4 { one two three four } *"],
            "",
        ),
        (
            b"% hidden 1. d4\n1. e4\n%also hidden\n e5 *",
            &["1. e4 e5 *"],
            "",
        ),
        (b"1. e4 e5\x0b\x0c *", &["1. e4 e5 *"], ""),
    ]);
}

#[test]
fn tags_of_every_shape() {
    check(&[
        (
            b"[Event\"x\"][Site \"y\"] [Date \"z\"]\n1. e4 *",
            &["1. e4 *"],
            "",
        ),
        (b"[Event \"a \\\"b\\\" \\\\ c\"]\n\n*", &["*"], ""),
        (b"[Event \"a \"b\" c\"]\n\n*", &["*"], "tag-quotes"),
        (b"[Event x y]\n\n*", &["*"], "tag-quotes"),
        (b"[Event \"x\"\n[Site \"y\"]\n\n*", &["*"], "tag-bracket"),
        (b"[Event \"x]\n[Site \"y\"]\n\n*", &["*"], "tag-quotes"),
        (b"[Event \"two\nlines\"]\n\n1. e4 *", &["1. e4 *"], ""),
        (b"[Event \"x\"]\n[Event \"y\"]\n\n*", &["*"], "tag-repeated"),
        (b"[White Elo \"2000\"]\n\n*", &["*"], "tag-name"),
        (
            b"[]\n[ \"x\"]\n[Event \"x\"]\n\n*",
            &["*"],
            "tag-quotes tag-empty tag-empty",
        ),
        (
            b"[Event \"x\"]\n1. e4 *\n[Event \"y\"]\n1. d4 *",
            &["1. e4 *", "1. d4 *"],
            "",
        ),
        (
            b"[Event \"x\"]\n\n[Site \"y\"]\n\n1. e4 *",
            &["1. e4 *"],
            "",
        ),
        (
            b"[Event \"x\"]\n\n[Event \"y\"]\n\n1. e4 *",
            &["*", "1. e4 *"],
            "moves-missing",
        ),
        (b"[Event \"x\"]", &["*"], "result-missing"),
    ]);
}

#[test]
fn results() {
    check(&[
        (b"1. e4 1/2", &["1. e4 1/2-1/2"], "result-spelling"),
        (
            "1. e4 ½-½".as_bytes(),
            &["1. e4 1/2-1/2"],
            "result-spelling",
        ),
        (b"1. e4 \xbd", &["1. e4 1/2-1/2"], "result-spelling"),
        (b"1. e4 e5", &["1. e4 e5 *"], "result-missing"),
        (
            b"[Result \"1-0\"]\n\n1. e4 e5\n\n[Event \"y\"]\n\n*",
            &["1. e4 e5 1-0", "*"],
            "result-missing",
        ),
        (
            b"[Result \"1-0\"]\n\n1. e4 0-1",
            &["1. e4 0-1"],
            "result-disagrees",
        ),
        (
            b"[Result \"won\"]\n\n1. e4 0-1",
            &["1. e4 0-1"],
            "result-odd",
        ),
        (b"1. e4 1-0 {resigns}", &["1. e4 { resigns } 1-0"], ""),
        (
            b"1. e4 1-0 ; resigns\n1. d4 *",
            &["1. e4 { resigns } 1-0", "1. d4 *"],
            "",
        ),
        (
            b"1. e4 1-0 thanks to all\n[Event \"y\"]\n*",
            &["1. e4 1-0", "*"],
            "text-after-result",
        ),
        (b"1. e4 1-0 1-0\n", &["1. e4 1-0"], "text-after-result"),
        (
            b"1. e4 (1. d4 1-0) e5 *",
            &["1. e4 (1. d4) 1... e5 *"],
            "result-in-variation",
        ),
        (b"1. e4 * 1. d4 *", &["1. e4 *", "1. d4 *"], ""),
        (
            b"1. e4 *[Event \"y\"]\n1. d4 *",
            &["1. e4 *", "1. d4 *"],
            "",
        ),
    ]);
}

#[test]
fn text_between_games() {
    check(&[
        (
            b"Games of the club\n=====\n[Event \"x\"]\n\n1. e4 *\n",
            &["1. e4 *"],
            "text-between-games text-between-games",
        ),
        (b"1. e4 *\n\nThe end.\n", &["1. e4 *"], "text-between-games"),
        (
            b"1. e4 *\n\n{the end}\n",
            &["1. e4 *"],
            "text-between-games",
        ),
        (
            b"{a word first}\n[Event \"x\"]\n\n1. e4 *",
            &["{ a word first } 1. e4 *"],
            "",
        ),
        (
            b"\x00\x01\xff\xfe\n1. e4 *",
            &["1. e4 *"],
            "text-between-games",
        ),
    ]);
}

#[test]
fn comments() {
    check(&[
        (
            b"{start} 1. {before} e4 {after} {again} e5 *",
            &["{ start } 1. { before } e4 { after } { again } 1... e5 *"],
            "",
        ),
        (
            b"1. e4 ; to the } end\n e5 *",
            &["1. e4 { to the ) end } 1... e5 *"],
            "",
        ),
        (
            b"1. e4 {never closed",
            &["1. e4 { never closed } *"],
            "comment-open result-missing",
        ),
        (b"1. e4 {} e5 *", &["1. e4 e5 *"], ""),
        (b"1. e4 {a {b} e5 *", &["1. e4 { a {b } 1... e5 *"], ""),
        (b"1. e4 } e5 *", &["1. e4 e5 *"], "stray"),
        (
            b"1. e4 {[%clk 0:01:00][%eval 0.2]} e5 *",
            &["1. e4 { [%clk 0:01:00][%eval 0.2] } 1... e5 *"],
            "",
        ),
        (
            b"1. e4{x}e5{y}2.Nf3{z}*",
            &["1. e4 { x } 1... e5 { y } 2. Nf3 { z } *"],
            "",
        ),
        (
            b"1. e4 {this comment was never closed and is long enough to be looked at twice, \
              because short ones cannot hide the tags of a game\n\n[Event \"next\"]\n\n1. d4 {ok} *",
            &[
                "1. e4 { this comment was never closed and is long enough to be looked at twice, \
                 because short ones cannot hide the tags of a game } *",
                "1. d4 { ok } *",
            ],
            "comment-open result-missing",
        ),
        (
            b"1. e4 e5 2. {dangling} *",
            &["1. e4 e5 { dangling } *"],
            "",
        ),
    ]);
}

#[test]
fn move_numbers() {
    check(&[
        (b"1.e4 e5 2.Nf3 Nc6 *", &["1. e4 e5 2. Nf3 Nc6 *"], ""),
        (b"1 . e4 1 ... e5 2 Nf3 *", &["1. e4 e5 2. Nf3 *"], ""),
        (
            b"1...e4 1.....e5 99999999999999999999. Nf3 *",
            &["1. e4 e5 2. Nf3 *"],
            "",
        ),
        (
            "1. e4 1… e5 2.…Nf3 … Nc6 *".as_bytes(),
            &["1. e4 e5 2. Nf3 Nc6 *"],
            "",
        ),
        (b"1.e4 1.e5 2.Nf3 *", &["1. e4 e5 2. Nf3 *"], ""),
        (b"1e4 e5 *", &[], "text-between-games"),
        (b"1. e4 e5 2Nf3 *", &["1. e4 e5 2. Nf3 *"], "move-spelling"),
    ]);
}

#[test]
fn glyphs() {
    check(&[
        (
            b"1. e4! e5?! 2. Nf3!! Nc6?? 3. Bb5!? a6? *",
            &["1. e4 $1 e5 $6 2. Nf3 $3 Nc6 $4 3. Bb5 $5 a6 $2 *"],
            "",
        ),
        (
            b"1. e4 $1$2 $146 e5 $255 *",
            &["1. e4 $1 $2 $146 e5 $255 *"],
            "",
        ),
        (
            b"1. e4 $256 e5 $ 2. Nf3 $x *",
            &["1. e4 e5 2. Nf3 *"],
            "nag-range nag-range nag-range move-unreadable",
        ),
        (
            b"1. e4 += e5 +- 2. Nf3 N Nc6 D *",
            &["1. e4 $14 e5 $18 2. Nf3 $146 Nc6 $220 *"],
            "",
        ),
        ("1. e4 ± e5 ∞ *".as_bytes(), &["1. e4 $16 e5 $13 *"], ""),
        (b"1. e4!!! e5 *", &["1. e4 $3 e5 *"], "glyph-odd"),
        (b"[Event \"x\"]\n$1 1. e4 e5 *", &["1. e4 $1 e5 *"], ""),
        (
            b"1. e4 ($142 1. d4) e5 *",
            &["1. e4 (1. d4 $142) 1... e5 *"],
            "",
        ),
        (
            b"1. e4 (! {x}) e5 *",
            &["1. e4 { x } 1... e5 *"],
            "nag-without-move variation-empty",
        ),
    ]);
}

#[test]
fn spellings_of_moves() {
    check(&[
        (b"1. e2-e4 e7-e5 2. Ng1-f3 *", &["1. e4 e5 2. Nf3 *"], ""),
        (
            "1. e4 e5 2. ♘f3 ♞c6 *".as_bytes(),
            &["1. e4 e5 2. Nf3 Nc6 *"],
            "",
        ),
        (
            b"1. e4 d5 2. e5 f5 3. exf6 e.p. *",
            &["1. e4 d5 2. e5 f5 3. exf6 *"],
            "suffix-ignored",
        ),
        (
            b"1. Nf3 Nf6 2. g3 g6 3. Bg2 Bg7 4. 0-0 0-0 *",
            &["1. Nf3 Nf6 2. g3 g6 3. Bg2 Bg7 4. O-O O-O *"],
            "",
        ),
        (
            b"[FEN \"8/P6k/8/8/8/8/8/K7 w - - 0 1\"]\n\n1. a8(Q) *",
            &["1. a8=Q *"],
            "",
        ),
        (
            b"[FEN \"8/P6k/8/8/8/8/8/K7 w - - 0 1\"]\n\n1. a8Q *",
            &["1. a8=Q *"],
            "",
        ),
        (
            b"[FEN \"8/7k/8/8/8/8/8/K7 b - - 0 31\"]\n\n31... Kg7 32. Ka2 *",
            &["31... Kg7 32. Ka2 *"],
            "",
        ),
        (
            b"1. e4, e5, *",
            &["1. e4 e5 *"],
            "move-spelling move-spelling",
        ),
        (
            b"1. e4 e5 (1... -- 2. d4) 2. -- Nc6 *",
            &["1. e4 e5 (1... -- 2. d4) 2. -- Nc6 *"],
            "",
        ),
        (
            b"1. e4 Z0 2. 0000 @@@@ 3. null! pass 4. -- *",
            &["1. e4 -- 2. -- -- 3. -- $1 -- 4. -- *"],
            "move-spelling move-spelling move-spelling move-spelling move-spelling",
        ),
        (
            b"1. e4+- e5N *",
            &["1. e4 $18 e5 $146 *"],
            "move-spelling move-spelling",
        ),
    ]);
}

#[test]
fn moves_that_end_a_line() {
    check(&[
        (
            b"1. e4 e5 2. Ke3 Nc6 3. d4 *\n\n1. d4 *",
            &["1. e4 e5 *", "1. d4 *"],
            "move-illegal",
        ),
        (
            b"1. e4 (1. d4 d5 2. Qh8 (2. c4) e6) e5 *",
            &["1. e4 (1. d4 d5) 1... e5 *"],
            "move-illegal",
        ),
        (
            b"1. e4 e5 2. Qh5 Nc6 3. Qxf7+ -- 4. d4 *",
            &["1. e4 e5 2. Qh5 Nc6 3. Qxf7+ *"],
            "null-move",
        ),
        (
            b"1. f3 e5 2. g4 Qh4# (2... Nc6 3. -- d5) 3. -- 0-1",
            &["1. f3 e5 2. g4 Qh4# (2... Nc6 3. -- d5) 0-1"],
            "null-move",
        ),
        (b"1. e4e5 *", &["*"], "move-illegal"),
        (
            b"1. d4 d5 2. Nf3 Nf6 3. Nd2 *",
            &["1. d4 d5 2. Nf3 Nf6 *"],
            "move-ambiguous",
        ),
        (b"1. hello world *", &["*"], "move-unreadable"),
        (b"[FEN \"nonsense\"]\n\n1. e4 *", &["*"], "bad-position"),
        (b"[Variant \"Gyges\"]\n\n1. 2|3 *", &["*"], "other-game"),
        (b"[Variant \"Crazyhouse\"]\n\n1. e4 *", &["*"], "other-game"),
        (b"[Variant \"From Position\"]\n\n1. e4 *", &["1. e4 *"], ""),
    ]);
}

#[test]
fn variations() {
    check(&[
        (
            b"1. e4 (1. d4 d5 (1... Nf6 2. c4)) (1. c4) e5 *",
            &["1. e4 (1. d4 d5 (1... Nf6 2. c4)) (1. c4) 1... e5 *"],
            "",
        ),
        (b"1. e4 (1. d4) *", &["1. e4 (1. d4) *"], ""),
        (
            b"[Event \"x\"]\n(1. d4) 1. e4 *",
            &["1. e4 *"],
            "variation-without-move",
        ),
        (b"1. e4 () e5 *", &["1. e4 e5 *"], "variation-empty"),
        (
            b"1. e4 (1. d4 d5 *\n\n[Event \"y\"]\n\n*",
            &["1. e4 (1. d4 d5) *", "*"],
            "result-in-variation variation-open",
        ),
        (
            b"1. e4 (1. d4",
            &["1. e4 (1. d4) *"],
            "variation-open result-missing",
        ),
        (b"1. e4 ) e5 *", &["1. e4 e5 *"], "stray-close"),
        (
            b"1. e4 ( {why not} 1. d4 {?} ) {back} e5 *",
            &["1. e4 { back } (1. { why not } d4 { ? }) 1... e5 *"],
            "",
        ),
        (
            b"1. e4 [%clk 1] e5 > *",
            &["1. e4 e5 *"],
            "bracket-in-moves stray",
        ),
        (
            b"1. e4 [Site \"y\"]\n\n1. d4 *",
            &["1. e4 *", "1. d4 *"],
            "result-missing",
        ),
    ]);
}

#[test]
fn places_are_exact() {
    let file =
        b"[Event \"x\"]\r\n\r\n1. e4 e5\r\n2. Qh5 Ke9 1-0\n\nhello\n\n[Event \"y\"]\n\n1. e4 e4 *";
    let mut reader = Reader::<Chess, _>::new(&file[..]);
    let mut found = Vec::new();
    while reader.read_record().expect("bytes in memory").is_some() {
        for d in reader.diagnostics() {
            found.push((d.code, d.game, d.line, d.column));
        }
    }
    assert_eq!(
        found,
        [
            (Code::MoveUnreadable, 1, 4, 8),
            (Code::TextBetweenGames, 2, 6, 1),
            (Code::MoveIllegal, 2, 10, 7),
        ]
    );
}
