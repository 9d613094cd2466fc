//! Lines and their types.

use std::time::Duration;

use quadrille_games::Game;
use quadrille_games::random::SplitMix64;
use quadrille_games::records::GameResult;
use quadrille_server::message::{
    Ask, Clocks, Colour, GameView, GoLimits, Id, List, Name, Offer, PlayerView, Rating, SeekView,
    StandingView, StartView, Tell, Time, ToClient, ToServer, TournamentState, TournamentView,
    Welcome, Wish, You,
};

/// Draws values of every kind.
struct Draw(SplitMix64);

impl Draw {
    fn of<T: Clone>(&mut self, list: &[T]) -> T {
        list[self.0.index(list.len())].clone()
    }

    fn id(&mut self) -> u64 {
        self.0.below(1000)
    }

    fn maybe<T>(&mut self, value: T) -> Option<T> {
        (self.0.below(2) == 0).then_some(value)
    }

    fn name(&mut self) -> Name {
        let letters: Vec<char> = "abzAZ019_.-".chars().collect();
        let length = 1 + self.0.index(20);
        let name: String = (0..length).map(|_| self.of(&letters)).collect();
        name.parse().expect("a name")
    }

    /// A text of several words, as it comes back from a line.
    fn text(&mut self) -> String {
        let words = [
            "White",
            "mates",
            "4k3/8/8",
            "w",
            "-",
            "0",
            "\u{e9}t\u{e9}",
            "id",
            "fen",
        ];
        let length = 1 + self.0.index(6);
        (0..length)
            .map(|_| self.of(&words))
            .collect::<Vec<_>>()
            .join(" ")
    }

    fn time(&mut self) -> Time {
        Time {
            base: Duration::from_millis(1 + self.0.below(9_000_000)),
            increment: Duration::from_millis(self.0.below(60_000)),
        }
    }

    fn wish(&mut self) -> Wish {
        let (preset, rules) = (self.of(&["Mini chess", "Horde"]), self.of(&["2016", "a b"]));
        let word = self.name().to_string();
        let fen = self.text();
        Wish {
            game: self.of(&Game::ALL),
            preset: self.maybe(preset.into()),
            rules: self.maybe(rules.into()),
            time: self.time(),
            rated: self.0.below(2) == 0,
            colour: self.of(Colour::ALL),
            word: self.maybe(word),
            fen: self.maybe(fen),
        }
    }

    fn rating(&mut self) -> Rating {
        Rating {
            points: self.0.below(4000) as i32 - 500,
            provisional: self.0.below(2) == 0,
        }
    }

    fn duration(&mut self) -> Duration {
        Duration::from_millis(self.0.below(10_000_000))
    }

    fn ask(&mut self) -> Ask {
        let id = self.id();
        let game = self.maybe(id);
        match self.0.below(18) {
            0 => Ask::Seek(self.wish()),
            1 => Ask::Challenge {
                name: self.name(),
                wish: self.wish(),
            },
            2 => {
                let (level, engine) = (1 + self.0.below(8) as u8, self.name());
                Ask::Play {
                    level: self.maybe(level),
                    engine: self.maybe(engine),
                    wish: self.wish(),
                }
            }
            3 => Ask::Unseek(id),
            4 => Ask::Accept(id),
            5 => Ask::Decline(id),
            6 => Ask::Join(self.name()),
            7 => Ask::Resign(game),
            8 => Ask::Abort(game),
            9 => Ask::Offer(self.of(Offer::ALL), game),
            10 => Ask::No(self.of(Offer::ALL), game),
            11 => Ask::List(self.of(List::ALL)),
            12 => Ask::Watch(id),
            13 => Ask::Unwatch(game),
            14 => Ask::Register("s3cret!".into()),
            15 => Ask::Say(self.text()),
            16 => Ask::Enter(id),
            _ => Ask::Leave(id),
        }
    }

    fn client_line(&mut self) -> ToServer {
        let text = self.text();
        match self.0.below(20) {
            0 => ToServer::Id(Id::Name(text)),
            1 => ToServer::Id(Id::Author(text)),
            2 => ToServer::Id(Id::Version(self.0.below(9) as u32)),
            3 => ToServer::Id(Id::Pieces("kmqcaehuriwbznxlop".into())),
            4 => ToServer::Id(Id::Feature("boardsize".into())),
            5 => ToServer::Id(Id::Username(text)),
            6 => ToServer::Id(Id::Games(vec![Game::Gyges, Game::Chess])),
            7 => ToServer::Id(Id::Lobby(1)),
            8 => ToServer::Id(Id::Account(text)),
            9 => ToServer::Id(Id::Password(text)),
            10 => ToServer::Id(Id::Token(text)),
            11 => ToServer::Option("option name Hash type spin default 1".into()),
            12 => ToServer::UciOk,
            13 => ToServer::ReadyOk,
            14 => ToServer::BestMove("g10g7".into()),
            15 => ToServer::Info("depth 3 pv e2e4".into()),
            16 => ToServer::Quit,
            _ => ToServer::Lobby(self.ask()),
        }
    }

    fn seek(&mut self) -> SeekView {
        SeekView {
            id: self.id(),
            by: self.name(),
            rating: self.rating(),
            wish: self.wish(),
        }
    }

    fn tell(&mut self) -> Tell {
        let (id, name, game) = (self.id(), self.name(), self.of(&Game::ALL));
        let offer = self.of(Offer::ALL);
        match self.0.below(19) {
            0 => Tell::Welcome(Welcome {
                name,
                account: self.0.below(2) == 0,
                token: "abc123".into(),
                chat: self.0.below(2) == 0,
                register: self.0.below(2) == 0,
                games: vec![game],
                program: self.text(),
            }),
            1 => Tell::Seek(self.seek()),
            2 => Tell::SeekGone(id),
            3 => Tell::Challenge(self.seek()),
            4 => Tell::Declined { id, by: name },
            5 => Tell::Start(StartView {
                id,
                players: [name, self.name()],
                ratings: [self.rating(), self.rating()],
                game,
                rules: self.of(&["", "2016"]).into(),
                time: self.time(),
                rated: self.0.below(2) == 0,
                you: self.of(You::ALL),
            }),
            6 => Tell::Offer {
                id,
                offer,
                by: name,
            },
            7 => Tell::OfferGone { id, offer },
            8 => Tell::Takeback { id, plies: 3 },
            9 => Tell::Away {
                id,
                name,
                grace: self.maybe(Duration::from_mins(1)),
            },
            10 => Tell::End {
                id,
                result: self.of(&[GameResult::WhiteWins, GameResult::Draw, GameResult::Open]),
                reason: self.text(),
            },
            11 => Tell::Rating {
                game,
                name,
                old: self.rating(),
                new: self.rating(),
            },
            12 => Tell::Player(PlayerView {
                name,
                person: self.0.below(2) == 0,
                account: self.0.below(2) == 0,
                ratings: vec![(game, self.rating())],
                playing: self.maybe(id),
                program: self.text(),
            }),
            13 => Tell::Game(GameView {
                id,
                players: [name, self.name()],
                game,
                time: self.time(),
                rated: self.0.below(2) == 0,
                plies: 12,
            }),
            14 => Tell::ListEnd(self.of(List::ALL)),
            15 => Tell::Error(self.text()),
            16 => Tell::Said {
                name,
                id,
                text: self.text(),
            },
            17 => Tell::Tournament(TournamentView {
                id,
                state: self.of(TournamentState::ALL),
                round: 1,
                rounds: 5,
                players: 8,
                game,
                time: self.time(),
                title: self.text(),
            }),
            _ => Tell::Standing(StandingView {
                id,
                place: 1,
                name,
                half_points: 7,
            }),
        }
    }

    fn server_line(&mut self) -> ToClient {
        let text = self.text();
        let clocks = Clocks {
            white: self.duration(),
            black: self.duration(),
            white_increment: self.duration(),
            black_increment: self.duration(),
        };
        match self.0.below(20) {
            0 => ToClient::Uci,
            1 => ToClient::IsReady,
            2 => ToClient::NewGame,
            3 => ToClient::SetOption {
                name: "Skill Level".into(),
                value: self.maybe("7".into()),
            },
            4 => ToClient::Position {
                start: self.of(&["startpos", "4k3/8/4K3 w - - 0 1"]).into(),
                moves: self.of(&[vec![], vec!["e2e4".into(), "g10g7".into()]]),
            },
            5 => ToClient::Go {
                clocks,
                nodes: self.maybe(20),
                limits: GoLimits {
                    movetime: self.maybe(Duration::from_millis(70)),
                    depth: self.maybe(20),
                    mate: self.maybe(3),
                    infinite: self.0.below(2) == 0,
                    searchmoves: self.maybe("e2e4".into()).into_iter().collect(),
                },
            },
            6 => ToClient::Clock(clocks),
            7 => ToClient::Stop,
            8 => ToClient::Note(text),
            9 => ToClient::ClientError(text),
            10 => ToClient::ServerError(text),
            11 => ToClient::Thought("depth 3 score cp 12 pv e2e4".into()),
            12 => ToClient::Quit,
            _ => ToClient::Lobby(self.tell()),
        }
    }
}

#[test]
fn what_is_written_is_read_again() {
    let mut draw = Draw(SplitMix64::new(13));
    for _ in 0..20_000 {
        let said = draw.client_line();
        assert_eq!(ToServer::parse(&said.to_string()), said, "{said}");
        let said = draw.server_line();
        assert_eq!(ToClient::parse(&said.to_string()), said, "{said}");
    }
}

/// Lines of random words and pieces of words: nothing panics, and what is read
/// is written on one line that moves no cursor.
#[test]
fn no_line_is_too_odd() {
    let pieces = [
        "lobby",
        "seek",
        "id",
        "game",
        "chess",
        "time",
        "+",
        "5+3",
        "fen",
        "word",
        "rated",
        "no",
        "draw",
        "\x1b[2J",
        "\u{202e}",
        "=",
        ",",
        "99999999999999999999",
        "-1",
        "position",
        "moves",
        "go",
        "wtime",
        "info",
        "string",
        "\t",
        "\u{e9}",
        "name",
        "by",
        "a",
        "play",
        "level",
        "9",
        "welcome",
        "end",
        "result",
        "1-0",
        "nan",
        "1e9+1",
        ".",
        "..",
        "+.",
        "NaN+inf",
    ];
    let mut random = SplitMix64::new(7);
    for _ in 0..50_000 {
        let length = random.index(9);
        let line: Vec<&str> = (0..length)
            .map(|_| pieces[random.index(pieces.len())])
            .collect();
        let line = line.join(if random.below(9) == 0 { "" } else { " " });
        for text in [
            ToServer::parse(&line).to_string(),
            ToClient::parse(&line).to_string(),
        ] {
            assert!(!text.contains(['\n', '\r', '\x1b', '\u{202e}']), "{text:?}");
        }
    }
}

#[test]
fn lines_are_read_with_tolerance() {
    let wish = |line: &str| match ToServer::parse(line) {
        ToServer::Lobby(Ask::Seek(wish)) => wish,
        other => panic!("{line}: {other:?}"),
    };
    let plain = wish("  lobby\tseek   time 300+5 ");
    assert_eq!(plain, Wish::new(Game::Chess, Time::seconds(300, 5)));
    assert!(wish("lobby seek rated time 60").rated);
    assert!(!wish("lobby seek rated no time 60").rated);
    let full = wish("lobby seek newer thing game liberty preset Mini_chess time 1.5+0.25");
    assert_eq!(full.preset.as_deref(), Some("Mini chess"));
    assert_eq!(full.time.to_string(), "1.5+0.25");
    let wrong = |line: &str, wanted: &str| match ToServer::parse(line) {
        ToServer::Wrong(wrong) => assert!(wrong.to_string().contains(wanted), "{line}: {wrong}"),
        other => panic!("{line}: {other:?}"),
    };
    wrong("lobby", "right would be");
    wrong("lobby seek game chess", "time is missing");
    wrong("lobby seek game draughts time 60", "draughts");
    wrong("lobby seek time 0+0", "without time");
    wrong("lobby seek time 1e9", "300+5");
    wrong("lobby seek time 999999", "300+5");
    wrong("lobby dance", "dance");
    wrong("lobby accept id x", "id x");
    wrong("lobby challenge ../etc time 60", "letters");
    assert_eq!(ToServer::parse("\r"), ToServer::Empty);
    assert_eq!(
        ToServer::parse("id version x"),
        ToServer::Id(Id::Other("version".into()))
    );
    // The reference's host writes searchmoves as `moves` behind its limits.
    let go = ToClient::parse("go wtime 5 winc 1 btime 6 binc 1 moves e2e4");
    assert!(matches!(go, ToClient::Go { clocks, .. } if clocks.black.as_millis() == 6));
    assert_eq!(
        ToServer::parse("bestmove"),
        ToServer::BestMove("0000".into())
    );
}

#[test]
fn names_are_letters_digits_and_little_else() {
    for good in ["a", "Ann", "x_y.z-9", "abcdefghijklmnopqrst"] {
        assert!(good.parse::<Name>().is_ok(), "{good}");
    }
    for bad in [
        "",
        "abcdefghijklmnopqrstu",
        "a b",
        "a/b",
        "\u{e9}",
        "a\n",
        "..\\",
        "\x1b",
    ] {
        assert!(bad.parse::<Name>().is_err(), "{bad:?}");
    }
}
