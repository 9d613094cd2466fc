//! The help page of `quadrille match`.

pub(crate) const TEXT: &str = "\
Engines against engines, any of the four games

Usage: quadrille match -engine cmd=PROGRAM ... -engine cmd=PROGRAM ... FLAGS
       quadrille match --config match.toml [FLAGS]
       quadrille match --resume STORE [-rounds N] [-concurrency N] [-pgnout F] ...
       quadrille match --control STORE pause|resume|stop|abort|concurrency N

Flags are those of fastchess and cutechess-cli; one dash or two.

Engines
  -engine KEY=VALUE...   cmd name args dir proto option.NAME tc st nodes depth
                         timemargin ponder handicap restart stderr=FILE whitepov bench=N;
                         cmd=builtin is ours; a relative cmd is looked for in dir first
  -each KEY=VALUE...     the same for all
Games
  -game chess|liberty|leiser|gyges    -rules WORDS    -variant fischerandom
  -tournament round-robin|gauntlet|swiss|knockout|pyramid    -seeds N
  -rounds N  -games N  -repeat [N]  -noswap  -reverse  -srand SEED
  -openings file=F format=epd|pgn|fen|polyglot|moves|random|chess960|... order=random
            plies=N start=N policy=default|encounter|round
Ends
  -resign movecount=N score=CP [twosided=true]   -maxmoves N (0 is off)
  -draw movenumber=N movecount=N score=CP     after N moves of both sides
  -tb FOLDERS  -tbpieces N  -tbignore50  -tbadjudicate BOTH|WIN_LOSS|DRAW
  -sprt elo0=A elo1=B alpha=P beta=P model=normalized|logistic|bayesian
Running
  -concurrency N (no more than there are processors for)  -force-concurrency
  -use-affinity [CPUS]  -recover  -wait MS
  -clock fair|wall   what the machine takes is given back, or not      -strict
Elsewhere (docs/cluster.md)
  --nats URL    workers play the games; cmd= is then a name in their files
  --nats-creds F  --nats-user U --nats-password P  --nats-token T  --nats-nkey F
  --nats-ca F  --nats-cert F --nats-key F      also from NATS_URL, NATS_CREDS, ...
  --nats-patience S  --nats-reference NPS  --nats-slowest FACTOR
  --nats-spot-check 2%   games that a second worker checks; bench= in -engine names
                         the signature that an engine must have on every worker
Output
  -pgnout file=F notation=san|lan|uci min nodes seldepth nps hashfull tbhits pv
          timeleft latency          -epdout file=F
  -store FILE   everything that was played, safe after every ply; to resume
  -log file=F [engine=NAME] [level=trace|info|warn]   what was said; -debug
  -log tapes=FOLDER [engine=NAME]   a tape of every engine (quadrille tape)
  -event NAME  -site NAME  -ratinginterval N  -scoreinterval N  -show-latency
  --json        one event on a line (docs/json.md)   --quiet    only the result
  quadrille event STORE shows what is in a store and exports it

Keys: p pause, + and - games at once, q stop (twice: at once), ? keys. ctrl-c,
SIGTERM and SIGHUP are like q (under nohup the match goes on without its terminal).

Exit codes: 0 played to the end, or the test accepted elo1; 1 an engine or the
machine ended it; 2 wrong command line or file, or a program that is not there;
3 the test accepted elo0; 4 stopped, to be resumed; 5 -strict and there were
warnings; 6 every game was played and the test is not decided.
";
