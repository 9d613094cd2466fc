// Generated from crates/desk/src/wire by `cargo xtask types`; changes belong there.
/* eslint-disable */

export type EngineId = number;

export type EventId = number;

export type JobId = number;

export type NodeId = number;

export type StudyId = number;

export type TableId = number;

/**
 * The live analysis of a tab.
 */
export type AnalysisView = {
/**
 * What is looked at, if anything.
 */
focus: Focus | null,
/**
 * By engine, in the order of the focus.
 */
engines: Array<EngineAnalysis>, };

/**
 * An answer.
 */
export type Answer = { "answer": "done" } | { "answer": "board", "of": BoardView } | { "answer": "moves", "of": Array<MoveView> } | { "answer": "editor", "of": EditorView } | { "answer": "study", "of": number } | { "answer": "node", "of": number } | { "answer": "import", "of": ImportView } | { "answer": "text", "of": string } | { "answer": "table", "of": number } | { "answer": "engine", "of": number } | { "answer": "job", "of": number } | { "answer": "event", "of": number } | { "answer": "games", "of": Array<LibraryGame> } | { "answer": "explored", "of": Explored };

/**
 * What can be asked.
 */
export type Ask = { "ask": "position", start: StudyStart, moves?: Array<string>, } | { "ask": "moves", start: StudyStart, moves: Array<string>, prefix: Array<string>, } | { "ask": "edit", editor: EditorView, } | { "ask": "new-study", start: StudyStart, title: string | null, } | { "ask": "paste", text: string, game: Game | null,
/**
 * The name of the file the text is from; the library shows it.
 */
name: string | null,
/**
 * A single game goes to the library, too.
 */
library: boolean, } | { "ask": "look", study: number, node: number, } | { "ask": "play", study: number, node: number, text: string, } | { "ask": "play-line", study: number, node: number, moves: Array<string>, } | { "ask": "edit-study", study: number, edit: Edit, } | { "ask": "export", study: number, node: number | null, } | { "ask": "delete-study", study: number, } | { "ask": "restore-study", study: number, } | { "ask": "new-table", table: NewTable, } | { "ask": "act", table: number, action: TableAction, } | { "ask": "look-table", table: number, ply: number, } | { "ask": "study-table", table: number, } | { "ask": "analyse", focus: Focus, } | { "ask": "stop-analysis" } | { "ask": "preview", study: number, node: number, moves: Array<string>, } | { "ask": "add-engine", engine: NewEngine, } | { "ask": "stop-adding" } | { "ask": "change-engine", engine: number, change: EngineChange, } | { "ask": "stop-engine", engine: number, } | { "ask": "report", study: number | null, games: Array<number>, engine: number, limits: SearchLimits, } | { "ask": "check", engine: number, game: Game, only: Array<string>, thorough: boolean, } | { "ask": "cancel-job", job: number, } | { "ask": "forget-job", job: number, } | { "ask": "new-event", event: NewEvent, } | { "ask": "attach-event", path: string, } | { "ask": "control-event", event: number, command: string, } | { "ask": "forget-event", event: number, } | { "ask": "study-event-game", event: number, game: number, } | { "ask": "export-event", event: number, } | { "ask": "find-games", query: LibraryQuery, } | { "ask": "open-game", id: number, } | { "ask": "export-games", ids: Array<number>, } | { "ask": "delete-games", ids: Array<number>, } | { "ask": "restore-games", ids: Array<number>, } | { "ask": "explore", start: StudyStart, moves: Array<string>, } | { "ask": "remember", name: string, value: string, };

/**
 * A laser beam of Leiserchess.
 */
export type BeamView = {
/**
 * The square of the King that fires.
 */
king: string,
/**
 * The squares after it in order. A square can occur twice.
 */
path: Array<string>,
/**
 * The square it strikes, if it does not leave the board.
 */
struck: string | null, };

/**
 * A position with everything that is needed to show it and to play on.
 */
export type BoardView = {
/**
 * The game.
 */
game: Game,
/**
 * The rules, as text.
 */
rules: string,
/**
 * The position as text: FEN, L-FEN, Leiserchess FEN, setpos.
 */
text: string,
/**
 * Files and ranks.
 */
size: [number, number],
/**
 * Whose turn it is.
 */
side: Side,
/**
 * The number of the move, from 1.
 */
number: number,
/**
 * The pieces, in a fixed order.
 */
pieces: Array<PieceView>,
/**
 * Squares of the King in check.
 */
check: Array<string>,
/**
 * How it ended, if it did.
 */
outcome: Outcome | null,
/**
 * A draw that may be claimed.
 */
claim: Outcome | null,
/**
 * All legal moves, or as many as fit.
 */
moves: Array<MoveView>,
/**
 * How many there are in all.
 */
move_count: number,
/**
 * The laser beams that would be fired now, White's first (Leiserchess).
 */
beams: Array<BeamView>,
/**
 * The move that led here.
 */
last: LastMove | null, };

/**
 * A chain of bounces of a Gyges move.
 */
export type BounceView = {
/**
 * Every square in order, the start first, the end last.
 */
squares: Array<string>,
/**
 * The squares of the pieces bounced on, in order.
 */
bounces: Array<string>, };

/**
 * A rule that was broken.
 */
export type CheckFinding = {
/**
 * The stable name of the check: `go.depth`.
 */
id: string,
/**
 * `error`, `warning` or `note`.
 */
severity: string,
/**
 * What an engine should do.
 */
title: string,
/**
 * The document of the rule.
 */
document: string,
/**
 * The section or command in it.
 */
section: string,
/**
 * What it says, in our words.
 */
says: string,
/**
 * What was seen instead.
 */
seen: string,
/**
 * How often.
 */
count: number,
/**
 * How to mend it.
 */
hint: string,
/**
 * The part of the conversation that shows it.
 */
transcript: Array<LogLine>, };

/**
 * Something that was measured several times.
 */
export type CheckMeasure = {
/**
 * What, in a few words.
 */
what: string,
/**
 * How often.
 */
count: number,
/**
 * Half of them are not above this.
 */
median: number,
/**
 * Nine of ten are not above this.
 */
p90: number,
/**
 * None is above this.
 */
worst: number, };

/**
 * A check of an engine, as far as it is.
 */
export type CheckView = {
/**
 * What it calls itself, or the name of its program.
 */
name: string,
/**
 * Its author, as it says.
 */
author: string | null,
/**
 * The program and its arguments.
 */
command: string,
/**
 * What it was spoken to in: `uci`, `ulci`, `leiser`, `ugi`.
 */
dialect: string,
/**
 * What it plays.
 */
game: Game,
/**
 * What is wrong, the worst first.
 */
findings: Array<CheckFinding>,
/**
 * The names of the checks that were passed.
 */
passed: Array<string>,
/**
 * The names of those that could not be made, and why.
 */
skipped: Array<[string, string]>,
/**
 * What was measured on the way.
 */
measures: Array<CheckMeasure>,
/**
 * The part that runs now, by name.
 */
now: string | null,
/**
 * How often the engine had to be started again because it had died or hung.
 */
restarts: number,
/**
 * How long it took, in seconds.
 */
seconds: number,
/**
 * Whether all that was asked for was looked at.
 */
complete: boolean, };

/**
 * Both clocks.
 */
export type ClockView = {
/**
 * Milliseconds left when this was said, White's first.
 */
left: [number, number],
/**
 * Whose clock runs.
 */
running: Side | null, };

/**
 * A row of the cross-table.
 */
export type CrossRow = {
/**
 * The name.
 */
name: string,
/**
 * Games won, drawn, lost.
 */
results: [number, number, number],
/**
 * Points.
 */
points: number,
/**
 * Elo beside the others and half its 95 % interval.
 */
elo: [number, number] | null,
/**
 * Against each of the table, in its order: points and games; `None` for
 * itself.
 */
against: Array<[number, number] | null>, };

/**
 * A change of a tree.
 */
export type Edit = { "edit": "delete", node: number, } | { "edit": "delete-variations" } | { "edit": "promote", node: number, } | { "edit": "demote", node: number, } | { "edit": "make-main", node: number, } | { "edit": "comment", node: number, text: string, } | { "edit": "nags", node: number, nags: Array<number>, } | { "edit": "shapes", node: number, shapes: Array<Shape>, } | { "edit": "title", title: string, } | { "edit": "tag", name: string, value: string, } | { "edit": "undo" } | { "edit": "redo" };

/**
 * The position editor: what the page changed goes in, and the same with
 * everything that is wrong comes out.
 */
export type EditorView = {
/**
 * The game and its rules; where `position` is not empty the pieces and fields
 * are taken from it, and those given are not looked at.
 */
start: StudyStart,
/**
 * Files and ranks.
 */
size: [number, number],
/**
 * Square and piece, in the letters of position texts.
 */
pieces: Array<[string, string]>,
/**
 * Everything beside the pieces: name and value.
 */
fields: Array<[string, string]>,
/**
 * What is wrong, in sentences; empty if it can be played.
 */
errors: Array<string>,
/**
 * The text of the position, if it can be played.
 */
text: string | null, };

/**
 * What one engine thinks.
 */
export type EngineAnalysis = {
/**
 * The engine.
 */
engine: number,
/**
 * Rises with every search: lines of a smaller number are old.
 */
search: number,
/**
 * The position that `lines` are about.
 */
study: number,
/**
 * The position that `lines` are about.
 */
node: number,
/**
 * Whether they are about what the other side would do.
 */
threat: boolean,
/**
 * The moves that the search is confined to; all where it is empty.
 */
only: Array<string>,
/**
 * Whether it is searching.
 */
running: boolean,
/**
 * Whose turn it is in the position searched.
 */
side: Side,
/**
 * The best lines, the best first.
 */
lines: Array<LineView>,
/**
 * Why there is nothing, in English.
 */
trouble: string | null,
/**
 * The last words of the engine to people (`info string`).
 */
said: string | null,
/**
 * Plies.
 */
depth: number,
/**
 * Plies of the longest line.
 */
seldepth: number | null,
/**
 * Positions.
 */
nodes: number,
/**
 * Positions in a second: as the engine counts them, or by its nodes and time.
 */
nps: number,
/**
 * Milliseconds.
 */
time: number,
/**
 * How full the hash table is, in thousandths.
 */
hashfull: number | null,
/**
 * Endgame tables.
 */
tbhits: number | null, };

/**
 * A change of an engine.
 */
export type EngineChange = { "change": "name", name: string, } | { "change": "option", name: string, value: string | null, } | { "change": "press", name: string, } | { "change": "reset" } | { "change": "register", name: string, code: string, } | { "change": "register-later" } | { "change": "command", command: string, args: Array<string>, folder: string | null, init: Array<string>, } | { "change": "duplicate" } | { "change": "remove" } | { "change": "restore" } | { "change": "place", index: number, };

/**
 * What an engine is doing.
 */
export type EngineState = { "state": "off" } | { "state": "starting",
/**
 * For what, in English.
 */
awaiting: string, } | { "state": "idle" } | { "state": "searching" } | { "state": "registration" } | { "state": "refuses" } | { "state": "not-responding" } | { "state": "dead",
/**
 * Why, in English.
 */
words: string, };

/**
 * An engine as it is shown.
 */
export type EngineView = {
/**
 * Its number.
 */
id: number,
/**
 * The name to show.
 */
name: string,
/**
 * What it says it is.
 */
identity: string | null,
/**
 * Who wrote it.
 */
author: string | null,
/**
 * Ours, always there.
 */
builtin: boolean,
/**
 * Games it plays.
 */
games: Array<Game>,
/**
 * The program; nothing for a page without the right to know.
 */
command: string,
/**
 * Its arguments.
 */
args: Array<string>,
/**
 * The folder it is started in.
 */
folder: string | null,
/**
 * Lines sent before the handshake.
 */
init: Array<string>,
/**
 * What it is doing.
 */
state: EngineState,
/**
 * Its options, with the values set here.
 */
options: Array<OptionView>,
/**
 * What it did wrong, in sentences.
 */
findings: Array<string>,
/**
 * What it says of itself (`UCI_EngineAbout`).
 */
about: string | null, };

/**
 * All engines, in the user's order, and a handshake that is under way.
 */
export type Engines = {
/**
 * The engines.
 */
engines: Array<EngineView>,
/**
 * Steps of the handshake of an engine that is being added.
 */
adding: Array<HandshakeStep>, };

/**
 * An event in a list.
 */
export type EventInfo = {
/**
 * Its number.
 */
id: number,
/**
 * Its name.
 */
name: string,
/**
 * The game.
 */
game: Game,
/**
 * Whether it runs, here or elsewhere.
 */
running: boolean,
/**
 * Games finished.
 */
finished: number,
/**
 * Games in all, where that is known.
 */
games: number | null, };

/**
 * An event.
 */
export type EventView = {
/**
 * What the list says.
 */
info: EventInfo,
/**
 * Paused, stopping: in English; nothing while all is well.
 */
state: string | null,
/**
 * Run by another process of this machine.
 */
elsewhere: boolean,
/**
 * Its store is not in our data folder: it is watched here, and stays when it is
 * forgotten.
 */
attached: boolean,
/**
 * The table, best first.
 */
table: Array<CrossRow>,
/**
 * The player that was entered first: Elo and test are about that one.
 */
first: string,
/**
 * With two players, Elo of the first and the half width of its 95 % interval.
 */
elo: [number, number] | null,
/**
 * Points of the Elo graph: games, Elo, half width.
 */
elo_points: Array<[number, number, number]>,
/**
 * The test.
 */
sprt: SprtView | null,
/**
 * What is being played.
 */
live: Array<LiveGame>,
/**
 * Finished games, the newest first; at most 500.
 */
games: Array<GameRowView>,
/**
 * What engines did wrong, in sentences.
 */
findings: Array<string>,
/**
 * Games at once.
 */
concurrency: number, };

/**
 * What was played from a position.
 */
export type Explored = {
/**
 * ECO code and name, in chess.
 */
opening: [string, string] | null,
/**
 * Moves, the most frequent first.
 */
moves: Array<ExploredMove>, };

/**
 * A move and how it scored.
 */
export type ExploredMove = {
/**
 * As engines write it.
 */
text: string,
/**
 * As people read it.
 */
notation: string,
/**
 * Won by White, drawn, won by Black.
 */
results: [number, number, number],
/**
 * The name of what it leads to.
 */
name: string | null, };

/**
 * What a Leiserchess move does to the pieces.
 */
export type FireView = {
/**
 * The square of the Pawn that was stomped.
 */
stomped: string | null,
/**
 * The shots in order.
 */
shots: Array<BeamView>, };

/**
 * What the engines of a tab shall look at.
 */
export type Focus = {
/**
 * The study.
 */
study: number,
/**
 * The node.
 */
node: number,
/**
 * The engines, in order; those that are not here stop.
 */
engines: Array<number>,
/**
 * Best lines of each.
 */
lines: number,
/**
 * How long.
 */
limits: SearchLimits,
/**
 * Only these moves; all where it is empty.
 */
moves: Array<string>,
/**
 * What the other side would do if it were its turn.
 */
threat: boolean, };

/**
 * What a page sends.
 */
export type FromPage = { "say": "ask",
/**
 * Comes back with the answer.
 */
id: number,
/**
 * What is asked.
 */
ask: Ask, } | { "say": "follow",
/**
 * What.
 */
topic: Topic,
/**
 * What the page has already.
 */
version: number | null, } | { "say": "leave",
/**
 * What.
 */
topic: Topic, } | { "say": "join",
/**
 * `host:port`, `tls://host:port`; nothing for the game server that the page
 * came from.
 */
address: string | null, } | { "say": "tell",
/**
 * Without its end.
 */
line: string, } | { "say": "part" };

/**
 * The four games.
 */
export type Game = "chess" | "liberty" | "leiser" | "gyges";

/**
 * One of the games, and how it can begin.
 */
export type GameInfo = {
/**
 * Which.
 */
game: Game,
/**
 * Its rule sets; the first is the usual one.
 */
rules: Array<RulesChoice>, };

/**
 * A finished game in a list.
 */
export type GameRowView = {
/**
 * Its number.
 */
game: number,
/**
 * The round.
 */
round: number,
/**
 * White's name and Black's.
 */
names: [string, string],
/**
 * `1-0`, `0-1`, `1/2-1/2`.
 */
result: string,
/**
 * How it ended, in English.
 */
reason: string,
/**
 * Plies.
 */
plies: number,
/**
 * The opening, for people.
 */
opening: string, };

/**
 * One step of a handshake, in order.
 */
export type HandshakeStep = {
/**
 * What is done: `start`, `greet`, `options`, `ready`, `kept`.
 */
step: string,
/**
 * Whether it worked; `None` while it is under way.
 */
done: boolean | null,
/**
 * What was found, or what is wrong and what to do, in English.
 */
words: string, };

/**
 * What became of a text that was pasted, dropped or loaded.
 */
export type ImportView = {
/**
 * A single game or position: the study that it is now.
 */
study: number | null,
/**
 * Games in the library: their source there.
 */
source: number | null,
/**
 * How many.
 */
games: number,
/**
 * What could not be read, with line and reason.
 */
troubles: Array<string>, };

/**
 * Kinds of jobs.
 */
export type JobKind = "report" | "import" | "tournament" | "check";

/**
 * How a job stands.
 */
export type JobState = "waiting" | "running" | "done" | "failed" | "cancelled";

/**
 * A job in the list.
 */
export type JobView = {
/**
 * Its number.
 */
id: number,
/**
 * What it does.
 */
kind: JobKind,
/**
 * For people.
 */
title: string,
/**
 * How it stands.
 */
state: JobState,
/**
 * What is done and what there is in all, in the units of the kind.
 */
done: number,
/**
 * See [`done`](Self::done).
 */
all: number,
/**
 * Milliseconds left, as far as one can say.
 */
left: number | null,
/**
 * When it began: milliseconds since 1970.
 */
began: number,
/**
 * What went wrong, in English.
 */
words: string | null,
/**
 * The study it belongs to.
 */
study: number | null, };

/**
 * The move before a position, with what there is to animate.
 */
export type LastMove = {
/**
 * Who made it.
 */
side: Side,
/**
 * What its laser did (Leiserchess).
 */
fire: FireView | null,
/**
 * Where it bounced (Gyges).
 */
bounces: BounceView | null,
/**
 * The square of what it captured or stomped, where a piece is gone.
 */
captured: string | null,
/**
 * As engines write it.
 */
text: string,
/**
 * As people read it.
 */
notation: string,
/**
 * The names of its squares in the order of the engine text: two, or one
 * for a Leiserchess turn, or three with a second step or a drop. The goals
 * of Gyges are `P1` and `P2`.
 */
squares: Array<string>,
/**
 * The letter behind the squares: what a Pawn becomes, or how a piece
 * turns.
 */
suffix: string | null,
/**
 * Whether it captures, zaps, promotes or wins at once, in the sense of
 * [`MoveKind::Tactical`](crate::MoveKind::Tactical).
 */
tactical: boolean, };

/**
 * How strong an engine plays.
 */
export type Level = { "level": "full" } | { "level": "step", "of": number } | { "level": "elo", "of": number };

/**
 * A game in a list.
 */
export type LibraryGame = {
/**
 * Its number.
 */
id: number,
/**
 * The game.
 */
game: Game,
/**
 * White's name.
 */
white: string,
/**
 * Black's name.
 */
black: string,
/**
 * `1-0`, `0-1`, `1/2-1/2` or `*`.
 */
result: string,
/**
 * As the record has it.
 */
date: string,
/**
 * As the record has it.
 */
event: string,
/**
 * ECO code and name.
 */
opening: [string, string] | null,
/**
 * Plies.
 */
plies: number,
/**
 * What is wrong with its record, if anything.
 */
trouble: string | null,
/**
 * The study that it is open in.
 */
study: number | null, };

/**
 * What is looked for; everything that is set must be so.
 */
export type LibraryQuery = {
/**
 * The game.
 */
game: Game | null,
/**
 * Part of a player's name.
 */
player: string | null,
/**
 * `1-0`, `0-1`, `1/2-1/2` or `*`.
 */
result: string | null,
/**
 * Part of an opening's name, or the beginning of a code.
 */
opening: string | null,
/**
 * Where it came from.
 */
source: number | null,
/**
 * A position that occurred in it.
 */
position: StudyStart | null,
/**
 * Leaves out so many.
 */
skip: number,
/**
 * At most so many.
 */
most: number, };

/**
 * What the library holds.
 */
export type LibraryView = {
/**
 * Games in all.
 */
games: number,
/**
 * Where they came from.
 */
sources: Array<SourceView>, };

/**
 * A best line.
 */
export type LineView = {
/**
 * Its rank, from 1.
 */
rank: number,
/**
 * Its depth, in plies; less than that of the search while the next iteration
 * runs.
 */
depth: number,
/**
 * Its score. Bounds are never shown: the last exact one stays.
 */
score: ScoreView,
/**
 * The moves as engines write them.
 */
moves: Array<string>,
/**
 * The moves as people read them, with as many as are legal.
 */
notation: Array<string>,
/**
 * The squares of the first move, for an arrow.
 */
squares: Array<string>, };

/**
 * A game that is being played.
 */
export type LiveGame = {
/**
 * Its number.
 */
game: number,
/**
 * White's name and Black's.
 */
names: [string, string],
/**
 * The board; its list of moves is empty.
 */
board: BoardView,
/**
 * The clocks, where they are known.
 */
clock: ClockView | null,
/**
 * What the last mover thinks.
 */
score: ScoreView | null,
/**
 * And how deep it looked.
 */
depth: number | null,
/**
 * Moves so far as people read them, the last ones.
 */
moves: Array<string>, };

/**
 * A line of a conversation.
 */
export type LogLine = {
/**
 * Milliseconds since the engine was started.
 */
at: number,
/**
 * `>` to the engine, `<` from it, `!` its standard error, `#` ours.
 */
way: string,
/**
 * The line.
 */
text: string, };

/**
 * A part of a conversation.
 */
export type LogView = {
/**
 * The engine.
 */
engine: number,
/**
 * The number of the first line here. If it is larger than what the page has
 * plus one, lines in between are no longer there.
 */
first: number,
/**
 * The lines.
 */
lines: Array<LogLine>, };

/**
 * A moment at which a game turned.
 */
export type MomentView = {
/**
 * The node behind the move.
 */
node: number,
/**
 * Who moved.
 */
side: Side,
/**
 * The move that was made.
 */
played: string,
/**
 * The move that would have been better.
 */
best: string,
/**
 * From 0 to 1.
 */
loss: number, };

/**
 * A move in words.
 */
export type MoveView = {
/**
 * As engines write it.
 */
text: string,
/**
 * As people read it.
 */
notation: string,
/**
 * The names of its squares in the order of the engine text: two, or one
 * for a Leiserchess turn, or three with a second step or a drop. The goals
 * of Gyges are `P1` and `P2`.
 */
squares: Array<string>,
/**
 * The letter behind the squares: what a Pawn becomes, or how a piece
 * turns.
 */
suffix: string | null,
/**
 * Whether it captures, zaps, promotes or wins at once, in the sense of
 * [`MoveKind::Tactical`](crate::MoveKind::Tactical).
 */
tactical: boolean, };

/**
 * An engine to add.
 */
export type NewEngine = {
/**
 * The program, or `tcp://host:port`.
 */
command: string,
/**
 * Its arguments.
 */
args: Array<string>,
/**
 * The folder to start it in.
 */
folder: string | null,
/**
 * The game; found out where it is missing.
 */
game: Game | null,
/**
 * The name to show; its own where it is missing.
 */
name: string | null, };

/**
 * An event to begin.
 */
export type NewEvent = {
/**
 * Its name.
 */
name: string,
/**
 * The game and its rules; the position is where games begin without a book.
 */
start: StudyStart,
/**
 * Who plays.
 */
engines: Array<number>,
/**
 * `round-robin`, `gauntlet`, `knockout`, `swiss` or `sprt`.
 */
format: string,
/**
 * Rounds.
 */
rounds: number,
/**
 * Games of a pairing in a round.
 */
games: number,
/**
 * The clocks.
 */
time: TimeSetting,
/**
 * Games at once.
 */
concurrency: number,
/**
 * Openings, one a line: positions or moves; empty for the built-in ones.
 */
openings: string,
/**
 * For a test: the two hypotheses in Elo.
 */
sprt: [number, number] | null, };

/**
 * A game to begin.
 */
export type NewTable = {
/**
 * Where it begins.
 */
start: StudyStart,
/**
 * White's seat and Black's.
 */
seats: [Seat, Seat],
/**
 * The clocks.
 */
time: TimeSetting, };

/**
 * What is told about a topic.
 */
export type News = { "news": "studies", "of": Array<StudyInfo> } | { "news": "study", "of": StudyView } | { "news": "tables", "of": Array<TableInfo> } | { "news": "table", "of": TableView } | { "news": "clock", "of": TableStatus } | { "news": "engines", "of": Engines } | { "news": "log", "of": LogView } | { "news": "analysis", "of": AnalysisView } | { "news": "lines", "of": EngineAnalysis } | { "news": "jobs", "of": Array<JobView> } | { "news": "report", "of": ReportView } | { "news": "check", "of": CheckView } | { "news": "events", "of": Array<EventInfo> } | { "news": "event", "of": EventView } | { "news": "live", "of": LiveGame } | { "news": "library", "of": LibraryView } | { "news": "settings", "of": Array<[string, string]> } | { "news": "gone" };

/**
 * A node: a move and what is written to it.
 */
export type NodeView = {
/**
 * Its number.
 */
id: number,
/**
 * The node before; `None` for the start.
 */
parent: number | null,
/**
 * The move as engines write it; empty for the start.
 */
text: string,
/**
 * The move as people read it.
 */
notation: string,
/**
 * Who made it; at the start, whose turn it is.
 */
side: Side,
/**
 * The number of the move, as it is printed.
 */
number: number,
/**
 * Glyphs, as numbers of the standard: 1 is `!`, 2 is `?`.
 */
nags: Array<number>,
/**
 * What is written before it.
 */
before: string,
/**
 * What is written behind it, without what stands in the fields below.
 */
comment: string,
/**
 * Arrows and circles.
 */
shapes: Array<Shape>,
/**
 * The evaluation written to it, for White: centipawns, or mate in so many
 * moves.
 */
evaluation: ScoreView | null,
/**
 * The clock after it, in milliseconds.
 */
clock: number | null,
/**
 * Time spent, in milliseconds.
 */
spent: number | null, };

/**
 * The five kinds of options.
 */
export type OptionKindView = { "kind": "check", default: boolean, } | { "kind": "spin", default: number, min: number, max: number, } | { "kind": "combo", default: string, values: Array<string>, } | { "kind": "button" } | { "kind": "text", default: string, path: boolean, };

/**
 * An option.
 */
export type OptionView = {
/**
 * Its name, as the engine wrote it.
 */
name: string,
/**
 * Its kind.
 */
kind: OptionKindView,
/**
 * The value set here, if it is not the default.
 */
value: string | null,
/**
 * Set by the program itself: shown, not to be changed.
 */
managed: boolean, };

/**
 * A finished game: who won, if there is a winner, and why it is over.
 */
export type Outcome = {
/**
 * `None` is a draw.
 */
winner: Side | null,
/**
 * The rule that ended the game.
 */
reason: Reason, };

/**
 * A move that is shown before it is confirmed.
 */
export type Pending = {
/**
 * The move as engines write it.
 */
text: string,
/**
 * The ply it was meant for.
 */
ply: number, };

/**
 * A piece on the board.
 */
export type PieceView = {
/**
 * The name of its square; the goals of Gyges are `P1` and `P2`.
 */
square: string,
/**
 * File counted from 0 at the left, `None` in a goal.
 */
file: number | null,
/**
 * Rank counted from 0 at White's side, `None` in a goal.
 */
rank: number | null,
/**
 * The letters of position texts (upper case for White), or the number of
 * rings.
 */
piece: string,
/**
 * Whose it is; `None` in Gyges, where all pieces are neutral.
 */
side: Side | null, };

/**
 * How a player played.
 */
export type PlayerReport = {
/**
 * From 0 to 100.
 */
accuracy: number,
/**
 * `?!`
 */
inaccuracies: number,
/**
 * `?`
 */
mistakes: number,
/**
 * `??`
 */
blunders: number,
/**
 * The mean loss of a move, in centipawns.
 */
loss: number,
/**
 * Milliseconds a move took on average, where the record has clocks.
 */
time: number | null, };

/**
 * A move that was made.
 */
export type PlyView = {
/**
 * As engines write it.
 */
text: string,
/**
 * As people read it.
 */
notation: string,
/**
 * Who made it.
 */
side: Side,
/**
 * The number of the move.
 */
number: number,
/**
 * Milliseconds it took.
 */
spent: number,
/**
 * The mover's clock after it, in milliseconds.
 */
clock: number | null,
/**
 * What the engine that made it thought, for White; told when the game is
 * over, or at once where no person plays.
 */
score: ScoreView | null, };

/**
 * A position of a report.
 */
export type PositionReport = {
/**
 * The ply.
 */
ply: number,
/**
 * The node.
 */
node: number,
/**
 * The score.
 */
score: ScoreView,
/**
 * The best move here as people read it.
 */
best: string | null,
/**
 * How much win chance the move that led here lost, from 0 to 1.
 */
loss: number,
/**
 * The glyph of the move that led here: 2, 4 or 6, or none.
 */
nag: number | null, };

/**
 * A position to begin with.
 */
export type Preset = {
/**
 * For people.
 */
name: string,
/**
 * What stands in [`StudyStart::position`].
 */
position: string, };

/**
 * The rule that ended a game.
 */
export type Reason = "checkmate" | "stalemate" | "material" | "dead-position" | "fifty-moves" | "seventy-five-moves" | "threefold" | "fivefold" | "elimination" | "king-zapped" | "goal" | "no-move";

/**
 * Why something was not done. The page has its own words for the codes it
 * knows, and these for the others.
 */
export type Refusal = {
/**
 * Which kind of mistake.
 */
code: RefusalCode,
/**
 * What was wrong, with what, and what would be right, in English.
 */
words: string, };

/**
 * Kinds of mistakes.
 */
export type RefusalCode = "message" | "gone" | "move" | "position" | "record" | "turn" | "declined" | "engine" | "value" | "forbidden" | "too-much" | "absent" | "machine";

/**
 * A report about a game, as far as it is.
 */
export type ReportView = {
/**
 * The study it is about.
 */
study: number,
/**
 * Who made it: engine and limits, in words.
 */
by: string,
/**
 * The positions of the main line that are done, by ply from 0.
 */
positions: Array<PositionReport>,
/**
 * White and Black, once there is something to say.
 */
players: [PlayerReport, PlayerReport] | null,
/**
 * Where the game turned, most important first.
 */
moments: Array<MomentView>, };

/**
 * The rooms of a page.
 */
export type Room = "play" | "analyse" | "library" | "engines" | "tournaments" | "check" | "online" | "learn" | "settings";

/**
 * A rule set.
 */
export type RulesChoice = {
/**
 * What stands in [`StudyStart::rules`]; empty for the usual rules.
 */
rules: string,
/**
 * For people.
 */
name: string,
/**
 * Positions to begin with; the first is the usual one.
 */
presets: Array<Preset>, };

/**
 * A score, seen from White.
 */
export type ScoreView = {
/**
 * Hundredths of a Pawn, or of what a game counts in.
 */
cp: number | null,
/**
 * Moves to mate or to another certain win; negative if Black wins. 0 with
 * [`win`](Self::win) 0 or 1 is the end itself.
 */
mate: number | null,
/**
 * White's expected score, from 0 to 1: the engine's own where it told, by our
 * scale of the game otherwise.
 */
win: number,
/**
 * White's wins, draws and losses in thousandths, as the engine told them.
 */
wdl: [number, number, number] | null, };

/**
 * How long to think. Nothing set is without end.
 */
export type SearchLimits = {
/**
 * Milliseconds.
 */
movetime: number | null,
/**
 * Plies.
 */
depth: number | null,
/**
 * Positions.
 */
nodes: number | null, };

/**
 * Who plays.
 */
export type Seat = { "seat": "person",
/**
 * Their name; empty for none.
 */
name: string, } | { "seat": "guest",
/**
 * Their name; empty until they say it.
 */
name: string, } | { "seat": "engine",
/**
 * Which.
 */
engine: number,
/**
 * How strong.
 */
level: Level, };

/**
 * What a player is doing.
 */
export type SeatState = "idle" | "thinking" | "starting" | "away" | "broken";

/**
 * A seat as it is shown.
 */
export type SeatView = {
/**
 * Who was meant to sit there.
 */
seat: Seat,
/**
 * The name to show.
 */
name: string,
/**
 * Whether the page that looks may move for this seat.
 */
mine: boolean,
/**
 * For a guest's seat: the link to give them, for those who may know it. What
 * stands behind the address of the server: `?guest=TOKEN#/play/12`.
 */
link: string | null,
/**
 * What is wrong with it, in English.
 */
trouble: string | null, };

/**
 * An arrow, or a circle where `to` is missing.
 */
export type Shape = {
/**
 * `G`, `R`, `B` or `Y`, as records write it.
 */
colour: string,
/**
 * A square.
 */
from: string,
/**
 * Another square.
 */
to: string | null, };

/**
 * The two players. White moves first in all four games; Gyges itself speaks
 * of player One (South) and player Two (North).
 */
export type Side = "white" | "black";

/**
 * Where games came from: a file, or playing here.
 */
export type SourceView = {
/**
 * Its number.
 */
id: number,
/**
 * For people.
 */
name: string,
/**
 * Games.
 */
games: number, };

/**
 * A sequential test.
 */
export type SprtView = {
/**
 * The hypotheses.
 */
elo: [number, number],
/**
 * The log likelihood ratio.
 */
llr: number,
/**
 * Its bounds.
 */
bounds: [number, number],
/**
 * `H0`, `H1` or nothing yet.
 */
accepted: string | null,
/**
 * Points of the graph: games, ratio.
 */
points: Array<[number, number]>, };

/**
 * A study in a list.
 */
export type StudyInfo = {
/**
 * Its number.
 */
id: number,
/**
 * The game.
 */
game: Game,
/**
 * For people.
 */
title: string,
/**
 * When it was last changed: milliseconds since 1970.
 */
changed: number,
/**
 * Moves in all its lines.
 */
moves: number, };

/**
 * Where something begins.
 */
export type StudyStart = {
/**
 * The game.
 */
game: Game,
/**
 * The rules; empty for the usual ones. In chess `chess960` for castling by
 * its rules.
 */
rules: string,
/**
 * The position; empty for the usual one. In chess also the number of a
 * Chess960 start position, from 0 to 959.
 */
position: string, };

/**
 * A whole tree.
 */
export type StudyView = {
/**
 * Its number.
 */
id: number,
/**
 * Where it begins.
 */
start: StudyStart,
/**
 * For people.
 */
title: string,
/**
 * The tags of its record.
 */
tags: Array<[string, string]>,
/**
 * The result in its record: `1-0`, `0-1`, `1/2-1/2` or `*`.
 */
result: string,
/**
 * ECO code and name, in chess.
 */
opening: [string, string] | null,
/**
 * All nodes, a parent before its children, the main line's child first; the
 * first is the start.
 */
nodes: Array<NodeView>, };

/**
 * What a player does.
 */
export type TableAction = { "do": "move", text: string, ply: number, } | { "do": "take-back" } | { "do": "resign", side: Side, } | { "do": "offer-draw", side: Side, } | { "do": "accept-draw" } | { "do": "decline-draw" } | { "do": "claim-draw" } | { "do": "accept-take-back" } | { "do": "decline-take-back" } | { "do": "hint" } | { "do": "pause" } | { "do": "resume" } | { "do": "abort" } | { "do": "rematch" } | { "do": "name", name: string, };

/**
 * How a game ended.
 */
export type TableEnd = { "end": "rules",
/**
 * Which.
 */
outcome: Outcome, } | { "end": "resigned",
/**
 * Who.
 */
loser: Side, } | { "end": "time",
/**
 * Whose.
 */
loser: Side,
/**
 * Nevertheless a draw.
 */
draw: boolean, } | { "end": "agreed" } | { "end": "engine",
/**
 * Whose.
 */
loser: Side,
/**
 * How, in English.
 */
words: string, } | { "end": "aborted" };

/**
 * A game in a list.
 */
export type TableInfo = {
/**
 * Its number.
 */
id: number,
/**
 * The game.
 */
game: Game,
/**
 * White's name and Black's.
 */
names: [string, string],
/**
 * How it ended, if it did.
 */
end: TableEnd | null,
/**
 * Plies made.
 */
plies: number,
/**
 * The position now, for a small picture.
 */
position: string,
/**
 * When something last happened: milliseconds since 1970.
 */
changed: number, };

/**
 * What changes in a game without a ply: clocks, offers, what the players are doing.
 * Kept small, because it is told often: what is not there is left out.
 */
export type TableStatus = {
/**
 * Both clocks.
 */
clock?: ClockView,
/**
 * Who offers a draw.
 */
draw_offer?: Side,
/**
 * Who asks to take moves back (of a guest).
 */
takeback?: Side,
/**
 * A move that an engine would play for the person, if they asked.
 */
hint?: string,
/**
 * Whether it was interrupted: the clocks stand and engines rest.
 */
paused: boolean,
/**
 * What White is doing, and Black.
 */
states: [SeatState, SeatState], };

/**
 * The board of a game, and who plays: what changes with every ply.
 */
export type TableView = {
/**
 * Its number.
 */
id: number,
/**
 * Where it began.
 */
start: StudyStart,
/**
 * White's seat and Black's.
 */
seats: [SeatView, SeatView],
/**
 * The clocks.
 */
time: TimeSetting,
/**
 * The moves.
 */
plies: Array<PlyView>,
/**
 * The board now.
 */
board: BoardView,
/**
 * When a move, a take-back or the end last changed the board: milliseconds since
 * 1970. With the number of plies, the version of the board.
 */
changed: number,
/**
 * How it ended, if it did.
 */
end: TableEnd | null,
/**
 * ECO code and name, in chess.
 */
opening: [string, string] | null,
/**
 * The table where it goes on after a [`TableAction::Rematch`].
 */
next: number | null, };

/**
 * How time is counted. Times are milliseconds.
 */
export type TimeSetting = { "time": "unlimited",
/**
 * Milliseconds.
 */
engine: number, } | { "time": "clock",
/**
 * Milliseconds.
 */
base: number,
/**
 * Milliseconds.
 */
increment: number,
/**
 * Moves.
 */
moves: number, } | { "time": "per-move",
/**
 * Milliseconds.
 */
each: number, };

/**
 * What a page hears.
 */
export type ToPage = { "say": "hello",
/**
 * Name and version of the program.
 */
program: string,
/**
 * Another number after the server was started again: versions of topics
 * begin anew.
 */
run: string,
/**
 * What this server can do: a static page has no tournaments.
 */
rooms: Array<Room>,
/**
 * The games, with their rule sets and presets.
 */
games: Array<GameInfo>,
/**
 * Where everything is kept, for those who may know it: the data folder of
 * a server, nothing for a static page.
 */
data: string | null, } | { "say": "answer",
/**
 * Of the question.
 */
id: number,
/**
 * The answer.
 */
answer: Answer, } | { "say": "refused",
/**
 * Of the question.
 */
id: number,
/**
 * Why.
 */
refusal: Refusal, } | { "say": "unkept",
/**
 * In English.
 */
words: string | null, } | { "say": "heard",
/**
 * Without its end.
 */
line: string, } | { "say": "parted",
/**
 * Why, in English.
 */
words: string, } | { "say": "news",
/**
 * Which.
 */
topic: Topic,
/**
 * Rises with every change.
 */
version: number,
/**
 * The news.
 */
news: News, };

/**
 * What can be followed.
 */
export type Topic = { "topic": "studies" } | { "topic": "study", "id": number } | { "topic": "tables" } | { "topic": "table", "id": number } | { "topic": "clock", "id": number } | { "topic": "engines" } | { "topic": "log", "id": number } | { "topic": "analysis" } | { "topic": "jobs" } | { "topic": "report", "id": number } | { "topic": "check", "id": number } | { "topic": "events" } | { "topic": "event", "id": number } | { "topic": "library" } | { "topic": "settings" };
