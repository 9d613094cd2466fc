//! Every flag of a match: one row each, from which the parser, the help page, manual
//! pages, completions, the list of what a running match may be told, and
//! `docs/flags.md` are made.

use std::path::PathBuf;

use super::super::draft::{EngineDraft, GameWord};
use super::flag::{Flag, Values, keep, on, set, value};
use super::{engine_keys, sections};

const ENGINES: &[Flag] = &[
    Flag::new(
        "engine",
        Values::Some,
        "KEY=VALUE...",
        "an engine: cmd name args arg dir env.NAME proto option.NAME tc st \
         nodes depth timemargin ponder handicap restart stderr=FILE whitepov \
         bench=N; cmd=builtin is ours; a relative cmd is looked for in dir \
         first",
        |flags, given| {
            let mut engine = EngineDraft::default();
            engine_keys::engine(&mut engine, "engine", &given.values, &mut flags.notes)?;
            flags.draft.engines.push(engine);
            Ok(())
        },
    )
    .other_keys(&["engines"]),
    Flag::new(
        "each",
        Values::Some,
        "KEY=VALUE...",
        "the same for all engines",
        |flags, given| {
            engine_keys::engine(
                &mut flags.draft.each,
                "each",
                &given.values,
                &mut flags.notes,
            )
        },
    ),
    Flag::new(
        "quick",
        Values::Some,
        "cmd=A cmd=B book=F",
        "two engines and a book, at 10+0.1",
        |flags, given| sections::quick(&mut flags.draft, &given.values),
    )
    .not_in_a_file(),
    Flag::new(
        "startup-ms",
        Values::One,
        "MS",
        "time for the handshake, as startup-ms= of -each",
        |flags, given| set(&mut flags.draft.each.startup_ms, given.whole()),
    )
    .not_in_a_file(),
    Flag::new(
        "ucinewgame-ms",
        Values::One,
        "MS",
        "time to get ready for a new game",
        |flags, given| set(&mut flags.draft.each.new_game_ms, given.whole()),
    )
    .not_in_a_file(),
    Flag::new(
        "ping-ms",
        Values::One,
        "MS",
        "time for an answer to isready",
        |flags, given| set(&mut flags.draft.each.ping_ms, given.whole()),
    )
    .not_in_a_file(),
];

const GAMES: &[Flag] = &[
    Flag::new(
        "game",
        Values::One,
        "NAME",
        "chess, liberty, leiser or gyges",
        |flags, given| set(&mut flags.draft.game, given.word().map(GameWord)),
    ),
    Flag::new(
        "rules",
        Values::Some,
        "WORDS",
        "rules of the game that are not the usual ones",
        |flags, given| keep(&mut flags.draft.rules, given.text()),
    ),
    Flag::new(
        "variant",
        Values::One,
        "NAME",
        "standard, fischerandom, or a game",
        |flags, given| keep(&mut flags.draft.variant, given.first().into()),
    ),
    Flag::new(
        "tournament",
        Values::One,
        "KIND",
        "round-robin, gauntlet, swiss, knockout or pyramid",
        |flags, given| set(&mut flags.draft.tournament, given.word()),
    )
    .also(&["format"])
    .other_keys(&["format"]),
    Flag::new(
        "seeds",
        Values::One,
        "N",
        "challengers of a gauntlet, seeded engines of a knockout",
        |flags, given| set(&mut flags.draft.seeds, given.whole()),
    ),
    Flag::new(
        "rounds",
        Values::One,
        "N",
        "how often everybody meets",
        |flags, given| set(&mut flags.draft.rounds, given.whole()),
    )
    .changeable(),
    Flag::new(
        "games",
        Values::One,
        "N",
        "games of one encounter",
        |flags, given| set(&mut flags.draft.games, given.whole()),
    ),
    Flag::new(
        "repeat",
        Values::Maybe,
        "[N]",
        "games with the same opening, 2 without a number",
        |flags, given| {
            if given.values.is_empty() {
                return keep(&mut flags.draft.repeat, 2);
            }
            set(&mut flags.draft.repeat, given.whole())
        },
    ),
    Flag::new(
        "noswap",
        Values::None,
        "",
        "colours are not exchanged within an encounter",
        |flags, _| keep(&mut flags.draft.noswap, true),
    ),
    Flag::new(
        "reverse",
        Values::None,
        "",
        "the second engine of an encounter has White first",
        |flags, _| keep(&mut flags.draft.reverse, true),
    ),
    Flag::new(
        "srand",
        Values::One,
        "SEED",
        "seed of everything drawn by lot",
        |flags, given| set(&mut flags.draft.srand, given.whole()),
    ),
    Flag::new(
        "openings",
        Values::Some,
        "file=F format=epd|pgn|fen|polyglot|moves|random|chess960|... \
         order=random plies=N start=N policy=default|encounter|round",
        "where games start",
        |flags, given| {
            set(
                &mut flags.draft.openings,
                sections::openings(
                    flags.below.openings.as_ref(),
                    &given.values,
                    &mut flags.notes,
                ),
            )
        },
    ),
];

const ENDS: &[Flag] = &[
    Flag::new(
        "resign",
        Values::Any,
        "movecount=N score=CP [twosided=true]",
        "a lost game is given up",
        |flags, given| {
            set(
                &mut flags.draft.resign,
                sections::resign(flags.below.resign.as_ref(), &given.values, &mut flags.notes),
            )
        },
    ),
    Flag::new(
        "draw",
        Values::Any,
        "movenumber=N movecount=N score=CP",
        "a drawn game is given up, after movenumber moves of both sides",
        |flags, given| {
            set(
                &mut flags.draft.draw,
                sections::draw(flags.below.draw.as_ref(), &given.values, &mut flags.notes),
            )
        },
    ),
    Flag::new(
        "maxmoves",
        Values::One,
        "N",
        "a game of so many moves is drawn; 0 is off",
        |flags, given| set(&mut flags.draft.maxmoves, given.whole()),
    ),
    Flag::new(
        "tb",
        Values::One,
        "FOLDERS",
        "Syzygy tables that end games",
        |flags, given| {
            let paths = std::env::split_paths(given.first());
            let paths = paths.filter(|path| !path.as_os_str().is_empty());
            flags.tables().paths = paths.collect();
            Ok(())
        },
    ),
    Flag::new(
        "tbpieces",
        Values::One,
        "N",
        "only positions of at most so many pieces",
        |flags, given| {
            flags.tables().pieces = given.whole()?;
            Ok(())
        },
    )
    .key("tb"),
    Flag::new(
        "tbignore50",
        Values::None,
        "",
        "wins that the fifty-move rule would spoil count",
        |flags, _| on(&mut flags.tables().ignore50),
    )
    .key("tb"),
    Flag::new(
        "tbadjudicate",
        Values::One,
        "BOTH|WIN_LOSS|DRAW",
        "results that are taken from tables",
        |flags, given| {
            flags.tables().adjudicate = given.word()?;
            Ok(())
        },
    )
    .key("tb"),
    Flag::new(
        "sprt",
        Values::Any,
        "elo0=A elo1=B alpha=P beta=P model=normalized|logistic|bayesian",
        "a sequential test that ends the match",
        |flags, given| {
            set(
                &mut flags.draft.sprt,
                sections::sprt(flags.below.sprt.as_ref(), &given.values),
            )
        },
    ),
];

const RUNNING: &[Flag] = &[
    Flag::new(
        "concurrency",
        Values::One,
        "N",
        "games at once, no more than there are processors for",
        |flags, given| set(&mut flags.draft.concurrency, given.whole()),
    )
    .changeable(),
    Flag::new(
        "force-concurrency",
        Values::None,
        "",
        "more games than there are processors for",
        |flags, _| keep(&mut flags.draft.force_concurrency, true),
    ),
    Flag::new(
        "use-affinity",
        Values::Maybe,
        "[CPUS]",
        "binds every game to processors of its own",
        |flags, given| {
            flags.draft.affinity = Some(true);
            if given.values.is_empty() {
                return Ok(());
            }
            set(
                &mut flags.draft.processors,
                sections::processors(given.flag.name, given.first()),
            )
        },
    )
    .key("affinity")
    .other_keys(&["use-affinity", "processors"])
    .changeable(),
    Flag::new(
        "recover",
        Values::None,
        "",
        "a crashed engine is started again",
        |flags, _| keep(&mut flags.draft.recover, true),
    )
    .changeable(),
    Flag::new(
        "wait",
        Values::One,
        "MS",
        "the pause between two games",
        |flags, given| {
            set(
                &mut flags.draft.wait,
                value("wait", given.first(), "number of milliseconds"),
            )
        },
    )
    .changeable(),
    Flag::new(
        "clock",
        Values::One,
        "fair|wall",
        "what the machine takes is given back, or not",
        |flags, given| set(&mut flags.draft.clock, given.word()),
    ),
    Flag::new(
        "strict",
        Values::None,
        "",
        "warnings about an engine make exit code 5",
        |flags, _| keep(&mut flags.draft.strict, true),
    )
    .changeable(),
];

const OUTPUT: &[Flag] = &[
    Flag::new(
        "pgnout",
        Values::Some,
        "file=F notation=san|lan|uci append=false min nodes seldepth nps \
         hashfull tbhits pv timeleft latency",
        "games as PGN",
        |flags, given| {
            set(
                &mut flags.draft.pgnout,
                sections::pgnout(flags.below.pgnout.as_ref(), &given.values, &mut flags.notes),
            )
        },
    )
    .changeable(),
    Flag::new(
        "epdout",
        Values::Some,
        "file=F",
        "final positions",
        |flags, given| {
            set(
                &mut flags.draft.epdout,
                sections::epdout(flags.below.epdout.as_ref(), &given.values),
            )
        },
    )
    .changeable(),
    Flag::new(
        "store",
        Values::One,
        "FILE",
        "everything that was played, safe after every ply; to resume",
        |flags, given| keep(&mut flags.draft.store, given.first().into()),
    ),
    Flag::new(
        "log",
        Values::Some,
        "file=F [tapes=FOLDER] [engine=NAME] [level=trace|info|warn]",
        "what was said; tapes= is a folder for a tape of every engine (quadrille tape)",
        |flags, given| {
            set(
                &mut flags.draft.log,
                sections::log(flags.below.log.as_ref(), &given.values, &mut flags.notes),
            )
        },
    )
    .changeable(),
    Flag::new(
        "debug",
        Values::Maybe,
        "[on|off]",
        "what was said, to standard error",
        |flags, given| {
            let log = flags.draft.log.take();
            set(&mut flags.draft.log, sections::debug(log, &given.values))
        },
    )
    .key("log")
    .changeable(),
    Flag::new(
        "event",
        Values::Some,
        "NAME",
        "name of the event in records",
        |flags, given| keep(&mut flags.draft.event, given.text()),
    ),
    Flag::new(
        "site",
        Values::Some,
        "NAME",
        "place of the event in records",
        |flags, given| keep(&mut flags.draft.site, given.text()),
    ),
    Flag::new(
        "report",
        Values::Some,
        "penta=true|false",
        "statistics of pairs of games, or of single games",
        |flags, given| {
            set(
                &mut flags.draft.pentanomial,
                sections::report(&given.values),
            )
        },
    )
    .key("pentanomial")
    .other_keys(&["penta"]),
    Flag::new(
        "ratinginterval",
        Values::One,
        "N",
        "ratings are shown every N games; 0 is off",
        |flags, given| set(&mut flags.draft.ratinginterval, given.whole()),
    )
    .changeable(),
    Flag::new(
        "scoreinterval",
        Values::One,
        "N",
        "scores are shown every N games; 0 is off",
        |flags, given| set(&mut flags.draft.scoreinterval, given.whole()),
    )
    .changeable(),
    Flag::new(
        "show-latency",
        Values::None,
        "",
        "shows how long this program itself takes",
        |flags, _| keep(&mut flags.draft.show_latency, true),
    )
    .changeable(),
    Flag::new(
        "output",
        Values::Some,
        "format=fastchess|cutechess",
        "scores and ratings as these programs print them",
        |flags, given| set(&mut flags.output, sections::output(&given.values)),
    )
    .aside(),
    Flag::new(
        "json",
        Values::None,
        "",
        "one event on a line (docs/json.md)",
        |flags, _| on(&mut flags.json),
    )
    .aside(),
    Flag::new("quiet", Values::None, "", "only the result", |flags, _| {
        on(&mut flags.quiet)
    })
    .aside(),
];

const COMMAND: &[Flag] = &[
    Flag::new(
        "config",
        Values::Some,
        "FILE",
        "a description in TOML; flags go over it",
        |_, _| Ok(()),
    )
    .aside(),
    Flag::new(
        "resume",
        Values::One,
        "STORE",
        "goes on with a match",
        |flags, given| keep(&mut flags.resume, given.first().into()),
    )
    .aside(),
    Flag::new(
        "control",
        Values::Some,
        "STORE pause|resume|stop|abort|concurrency N",
        "tells a running match what to do",
        |flags, given| {
            let store = PathBuf::from(given.first());
            keep(&mut flags.control, (store, given.values[1..].to_vec()))
        },
    )
    .aside(),
    Flag::new("help", Values::None, "", "this page", |flags, _| {
        on(&mut flags.help)
    })
    .also(&["h"])
    .aside(),
    Flag::new("version", Values::None, "", "the version", |flags, _| {
        on(&mut flags.version)
    })
    .aside(),
];

const IGNORED: &[Flag] = &[
    Flag::ignored(
        "autosaveinterval",
        Values::One,
        "every ply is saved at once",
    ),
    Flag::ignored("outcomeinterval", Values::One, "every result is shown"),
    Flag::ignored(
        "resultformat",
        Values::One,
        "the table has one form; scripts use --json",
    ),
    Flag::ignored("crc32", Values::Any, "the store checks itself"),
    Flag::ignored("bookmode", Values::One, "books are searched in place"),
    Flag::ignored("check-mate-pvs", Values::None, "it is always checked"),
    Flag::ignored("testenv", Values::None, "there is no such mode"),
];

/// All flags by section, in the order of the help page.
pub const FLAGS: &[(&str, &[Flag])] = &[
    ("Engines", ENGINES),
    ("Games", GAMES),
    ("Ends", ENDS),
    ("Running", RUNNING),
    ("Output", OUTPUT),
    ("The command itself", COMMAND),
    ("Read for the sake of old command lines", IGNORED),
];

/// All flags.
pub fn flags() -> impl Iterator<Item = &'static Flag> {
    FLAGS.iter().flat_map(|(_, flags)| flags.iter())
}
