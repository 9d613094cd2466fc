// Generated from crates/desk/src/wire by `cargo xtask types`. Do not edit.
export type Game = 'chess' | 'liberty' | 'leiser' | 'gyges';
export type Side = 'white' | 'black';
export type Reason = 'checkmate' | 'stalemate' | 'material' | 'dead-position' | 'fifty-moves' | 'seventy-five-moves' | 'threefold' | 'fivefold' | 'elimination' | 'king-zapped' | 'goal' | 'no-move';
export type Outcome = { winner: Side | null, reason: Reason };
export type MoveView = { text: string, notation: string, squares: Array<string>, suffix: string | null, tactical: boolean };
export type PieceView = { square: string, file: number | null, rank: number | null, piece: string, side: Side | null };
export type BeamView = { king: string, path: Array<string>, struck: string | null };
export type FireView = { stomped: string | null, shots: Array<BeamView> };
export type BounceView = { squares: Array<string>, bounces: Array<string> };

export type StudyId = number;
export type NodeId = number;
export type EngineId = number;
export type TableId = number;
export type EventId = number;
export type JobId = number;

export type StudyStart = { game: Game, rules: string, position: string };
export type Preset = { name: string, position: string };
export type RulesChoice = { rules: string, name: string, presets: Array<Preset> };
export type GameInfo = { game: Game, rules: Array<RulesChoice> };
export type LastMove = { side: Side, fire: FireView | null, bounces: BounceView | null, captured: string | null } & MoveView;
export type BoardView = { game: Game, rules: string, text: string, size: [number, number], side: Side, number: number, pieces: Array<PieceView>, check: Array<string>, outcome: Outcome | null, claim: Outcome | null, moves: Array<MoveView>, move_count: number, beams: Array<BeamView>, last: LastMove | null };
export type Pending = { text: string, ply: number };
export type EditorView = { start: StudyStart, size: [number, number], pieces: Array<[string, string]>, fields: Array<[string, string]>, errors: Array<string>, text: string | null };

export type ScoreView = { cp: number | null, mate: number | null, win: number, wdl: [number, number, number] | null };
export type SearchLimits = { movetime: number | null, depth: number | null, nodes: number | null };
export type Focus = { study: StudyId, node: NodeId, engines: Array<EngineId>, lines: number, limits: SearchLimits, moves: Array<string>, threat: boolean };
export type LineView = { rank: number, depth: number, score: ScoreView, moves: Array<string>, notation: Array<string>, squares: Array<string> };
export type EngineAnalysis = { engine: EngineId, search: number, study: StudyId, node: NodeId, running: boolean, side: Side, depth: number, seldepth: number | null, nodes: number, nps: number, time: number, hashfull: number | null, tbhits: number | null, lines: Array<LineView>, trouble: string | null, said: string | null };
export type AnalysisView = { focus: Focus | null, engines: Array<EngineAnalysis> };

export type EngineState = { state: 'off' } | { state: 'starting', awaiting: string } | { state: 'idle' } | { state: 'searching' } | { state: 'registration' } | { state: 'refuses' } | { state: 'not-responding' } | { state: 'dead', words: string };
export type OptionKindView = { kind: 'check', default: boolean } | { kind: 'spin', default: number, min: number, max: number } | { kind: 'combo', default: string, values: Array<string> } | { kind: 'button' } | { kind: 'text', default: string, path: boolean };
export type OptionView = { name: string, kind: OptionKindView, value: string | null, managed: boolean };
export type EngineView = { id: EngineId, name: string, identity: string | null, author: string | null, builtin: boolean, games: Array<Game>, command: string, args: Array<string>, folder: string | null, init: Array<string>, state: EngineState, options: Array<OptionView>, findings: Array<string>, about: string | null };
export type HandshakeStep = { step: string, done: boolean | null, words: string };
export type Engines = { engines: Array<EngineView>, adding: Array<HandshakeStep> };
export type NewEngine = { command: string, args: Array<string>, folder: string | null, game: Game | null, name: string | null };
export type EngineChange = { change: 'name', name: string } | { change: 'option', name: string, value: string | null } | { change: 'press', name: string } | { change: 'reset' } | { change: 'register', name: string, code: string } | { change: 'register-later' } | { change: 'command', command: string, args: Array<string>, folder: string | null, init: Array<string> } | { change: 'duplicate' } | { change: 'remove' } | { change: 'restore' } | { change: 'place', index: number };
export type LogLine = { at: number, way: string, text: string };
export type LogView = { engine: EngineId, first: number, lines: Array<LogLine> };

export type Shape = { colour: string, from: string, to: string | null };
export type NodeView = { id: NodeId, parent: NodeId | null, text: string, notation: string, side: Side, number: number, nags: Array<number>, before: string, comment: string, shapes: Array<Shape>, evaluation: ScoreView | null, clock: number | null, spent: number | null };
export type StudyInfo = { id: StudyId, game: Game, title: string, changed: number, moves: number };
export type StudyView = { id: StudyId, start: StudyStart, title: string, tags: Array<[string, string]>, result: string, opening: [string, string] | null, nodes: Array<NodeView> };
export type Edit = { edit: 'delete', node: NodeId } | { edit: 'delete-variations' } | { edit: 'promote', node: NodeId } | { edit: 'demote', node: NodeId } | { edit: 'make-main', node: NodeId } | { edit: 'comment', node: NodeId, text: string } | { edit: 'nags', node: NodeId, nags: Array<number> } | { edit: 'shapes', node: NodeId, shapes: Array<Shape> } | { edit: 'title', title: string } | { edit: 'tag', name: string, value: string } | { edit: 'undo' } | { edit: 'redo' };

export type Level = { level: 'full' } | { level: 'step', of: number } | { level: 'elo', of: number };
export type Seat = { seat: 'person', name: string } | { seat: 'guest', name: string } | { seat: 'engine', engine: EngineId, level: Level };
export type TimeSetting = { time: 'unlimited', engine: number } | { time: 'clock', base: number, increment: number, moves: number } | { time: 'per-move', each: number };
export type NewTable = { start: StudyStart, seats: [Seat, Seat], time: TimeSetting };
export type SeatState = 'idle' | 'thinking' | 'starting' | 'away' | 'broken';
export type SeatView = { seat: Seat, name: string, mine: boolean, link: string | null, state: SeatState, trouble: string | null };
export type PlyView = { text: string, notation: string, side: Side, number: number, spent: number, clock: number | null, score: ScoreView | null };
export type ClockView = { left: [number, number], running: Side | null };
export type TableEnd = { end: 'rules', outcome: Outcome } | { end: 'resigned', loser: Side } | { end: 'time', loser: Side, draw: boolean } | { end: 'agreed' } | { end: 'engine', loser: Side, words: string } | { end: 'aborted' };
export type TableInfo = { id: TableId, game: Game, names: [string, string], end: TableEnd | null, plies: number, position: string, changed: number };
export type TableView = { id: TableId, start: StudyStart, seats: [SeatView, SeatView], time: TimeSetting, plies: Array<PlyView>, board: BoardView, end: TableEnd | null, clock: ClockView | null, draw_offer: Side | null, takeback: Side | null, hint: string | null, opening: [string, string] | null };
export type TableAction = { do: 'move', text: string, ply: number } | { do: 'take-back' } | { do: 'resign', side: Side } | { do: 'offer-draw', side: Side } | { do: 'accept-draw' } | { do: 'decline-draw' } | { do: 'claim-draw' } | { do: 'accept-take-back' } | { do: 'decline-take-back' } | { do: 'hint' } | { do: 'pause' } | { do: 'resume' } | { do: 'abort' } | { do: 'rematch' } | { do: 'name', name: string };

export type JobKind = 'report' | 'import' | 'tournament' | 'check';
export type JobState = 'waiting' | 'running' | 'done' | 'failed' | 'cancelled';
export type JobView = { id: JobId, kind: JobKind, title: string, state: JobState, done: number, all: number, left: number | null, began: number, words: string | null, study: StudyId | null };
export type PositionReport = { ply: number, node: NodeId, score: ScoreView, best: string | null, loss: number, nag: number | null };
export type PlayerReport = { accuracy: number, inaccuracies: number, mistakes: number, blunders: number, loss: number, time: number | null };
export type MomentView = { node: NodeId, side: Side, played: string, best: string, loss: number };
export type ReportView = { study: StudyId, by: string, positions: Array<PositionReport>, players: [PlayerReport, PlayerReport] | null, moments: Array<MomentView> };

export type SourceView = { id: number, name: string, games: number };
export type LibraryView = { games: number, sources: Array<SourceView> };
export type LibraryQuery = { game: Game | null, player: string | null, result: string | null, opening: string | null, source: number | null, position: StudyStart | null, skip: number, most: number };
export type LibraryGame = { id: number, game: Game, white: string, black: string, result: string, date: string, event: string, opening: [string, string] | null, plies: number, trouble: string | null, study: StudyId | null };
export type ImportView = { study: StudyId | null, source: number | null, games: number, troubles: Array<string> };
export type ExploredMove = { text: string, notation: string, results: [number, number, number], name: string | null };
export type Explored = { opening: [string, string] | null, moves: Array<ExploredMove> };

export type NewEvent = { name: string, start: StudyStart, engines: Array<EngineId>, format: string, rounds: number, games: number, time: TimeSetting, concurrency: number, openings: string, sprt: [number, number] | null };
export type EventInfo = { id: EventId, name: string, game: Game, running: boolean, finished: number, games: number | null };
export type CrossRow = { name: string, results: [number, number, number], points: number, elo: [number, number] | null, against: Array<[number, number] | null> };
export type SprtView = { elo: [number, number], llr: number, bounds: [number, number], accepted: string | null, points: Array<[number, number]> };
export type LiveGame = { game: number, names: [string, string], board: BoardView, clock: ClockView | null, score: ScoreView | null, depth: number | null, moves: Array<string> };
export type GameRowView = { game: number, round: number, names: [string, string], result: string, reason: string, plies: number, opening: string };
export type EventView = { info: EventInfo, state: string | null, elsewhere: boolean, table: Array<CrossRow>, elo: [number, number] | null, elo_points: Array<[number, number, number]>, sprt: SprtView | null, live: Array<LiveGame>, games: Array<GameRowView>, findings: Array<string>, concurrency: number };

export type Room = 'play' | 'analyse' | 'library' | 'engines' | 'tournaments' | 'check' | 'learn' | 'settings';
export type RefusalCode = 'message' | 'gone' | 'move' | 'position' | 'record' | 'turn' | 'engine' | 'value' | 'forbidden' | 'too-much' | 'absent' | 'machine';
export type Refusal = { code: RefusalCode, words: string };
export type Topic = { topic: 'studies' } | { topic: 'study', id: StudyId } | { topic: 'tables' } | { topic: 'table', id: TableId } | { topic: 'engines' } | { topic: 'log', id: EngineId } | { topic: 'analysis' } | { topic: 'jobs' } | { topic: 'report', id: JobId } | { topic: 'events' } | { topic: 'event', id: EventId } | { topic: 'library' } | { topic: 'settings' };
export type News = { news: 'studies', of: Array<StudyInfo> } | { news: 'study', of: StudyView } | { news: 'tables', of: Array<TableInfo> } | { news: 'table', of: TableView } | { news: 'engines', of: Engines } | { news: 'log', of: LogView } | { news: 'analysis', of: AnalysisView } | { news: 'lines', of: EngineAnalysis } | { news: 'jobs', of: Array<JobView> } | { news: 'report', of: ReportView } | { news: 'events', of: Array<EventInfo> } | { news: 'event', of: EventView } | { news: 'live', of: LiveGame } | { news: 'library', of: LibraryView } | { news: 'settings', of: Array<[string, string]> } | { news: 'gone' };
export type Ask = { ask: 'position', start: StudyStart, moves?: Array<string> } | { ask: 'moves', start: StudyStart, moves: Array<string>, prefix: Array<string> } | { ask: 'edit', editor: EditorView } | { ask: 'new-study', start: StudyStart, title: string | null } | { ask: 'paste', text: string, game: Game | null } | { ask: 'look', study: StudyId, node: NodeId } | { ask: 'play', study: StudyId, node: NodeId, text: string } | { ask: 'play-line', study: StudyId, node: NodeId, moves: Array<string> } | { ask: 'edit-study', study: StudyId, edit: Edit } | { ask: 'export', study: StudyId, node: NodeId | null } | { ask: 'delete-study', study: StudyId } | { ask: 'restore-study', study: StudyId } | { ask: 'new-table', table: NewTable } | { ask: 'act', table: TableId, action: TableAction } | { ask: 'look-table', table: TableId, ply: number } | { ask: 'study-table', table: TableId } | { ask: 'analyse', focus: Focus } | { ask: 'stop-analysis' } | { ask: 'preview', study: StudyId, node: NodeId, moves: Array<string> } | { ask: 'add-engine', engine: NewEngine } | { ask: 'change-engine', engine: EngineId, change: EngineChange } | { ask: 'stop-engine', engine: EngineId } | { ask: 'report', study: StudyId | null, games: Array<number>, engine: EngineId, limits: SearchLimits } | { ask: 'cancel-job', job: JobId } | { ask: 'forget-job', job: JobId } | { ask: 'new-event', event: NewEvent } | { ask: 'attach-event', path: string } | { ask: 'control-event', event: EventId, command: string } | { ask: 'study-event-game', event: EventId, game: number } | { ask: 'export-event', event: EventId } | { ask: 'export-games', ids: Array<number> } | { ask: 'find-games', query: LibraryQuery } | { ask: 'open-game', id: number } | { ask: 'delete-games', ids: Array<number> } | { ask: 'restore-games', ids: Array<number> } | { ask: 'explore', start: StudyStart, moves: Array<string> } | { ask: 'remember', name: string, value: string };
export type Answer = { answer: 'done' } | { answer: 'board', of: BoardView } | { answer: 'moves', of: Array<MoveView> } | { answer: 'editor', of: EditorView } | { answer: 'study', of: StudyId } | { answer: 'node', of: NodeId } | { answer: 'import', of: ImportView } | { answer: 'text', of: string } | { answer: 'table', of: TableId } | { answer: 'engine', of: EngineId } | { answer: 'job', of: JobId } | { answer: 'event', of: EventId } | { answer: 'games', of: Array<LibraryGame> } | { answer: 'explored', of: Explored };
export type FromPage = { say: 'ask', id: number, ask: Ask } | { say: 'follow', topic: Topic, version: number | null } | { say: 'leave', topic: Topic };
export type ToPage = { say: 'hello', program: string, run: string, rooms: Array<Room>, games: Array<GameInfo>, data: string | null } | { say: 'answer', id: number, answer: Answer } | { say: 'refused', id: number, refusal: Refusal } | { say: 'news', topic: Topic, version: number, news: News };
