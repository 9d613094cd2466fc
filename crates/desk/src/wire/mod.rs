//! Everything that page and server say to each other, as JSON.
//!
//! A page *asks*, and every question with a number gets one answer with that
//! number, or a refusal. A page *follows* topics, and gets the whole of a topic at
//! once and again whenever it changes, with a version that rises. After a broken
//! connection it follows again with the version it has, and hears only what is
//! newer. What changes often and is large has smaller news of its own
//! ([`News::Lines`], [`News::Live`]).
//!
//! TypeScript for all of it is generated (`cargo xtask types`).

mod analysis;
mod board;
mod check;
mod engines;
mod jobs;
mod library;
mod study;
mod table;
mod tournament;

pub use analysis::{AnalysisView, EngineAnalysis, Focus, LineView, ScoreView, SearchLimits};
pub use board::{BoardView, EditorView, GameInfo, LastMove, Pending, Preset, RulesChoice};
pub use check::{CheckFinding, CheckMeasure, CheckView};
pub use engines::{
    EngineChange, EngineId, EngineState, EngineView, Engines, HandshakeStep, LogLine, LogView,
    NewEngine, OptionKindView, OptionView,
};
pub use jobs::{
    JobId, JobKind, JobState, JobView, MomentView, PlayerReport, PositionReport, ReportView,
};
pub use library::{
    Explored, ExploredMove, ImportView, LibraryGame, LibraryQuery, LibraryView, SourceView,
};
pub use study::{Edit, NodeId, NodeView, Shape, StudyId, StudyInfo, StudyStart, StudyView};
pub use table::{
    ClockView, Level, NewTable, PlyView, Seat, SeatState, SeatView, TableAction, TableEnd, TableId,
    TableInfo, TableStatus, TableView, TimeSetting,
};
pub use tournament::{
    CrossRow, EventId, EventInfo, EventView, GameRowView, LiveGame, NewEvent, SprtView,
};

use quadrille_games::Game;
use serde::{Deserialize, Serialize};

/// What a page sends.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "say", rename_all = "kebab-case")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub enum FromPage {
    /// A question or a wish.
    Ask {
        /// Comes back with the answer.
        id: u32,
        /// What is asked.
        ask: Ask,
    },
    /// From now on this is to be told.
    Follow {
        /// What.
        topic: Topic,
        /// What the page has already.
        #[serde(default)]
        version: Option<u32>,
    },
    /// No longer.
    Leave {
        /// What.
        topic: Topic,
    },
    /// Goes to a game server: the page becomes a client of it and hears its lines
    /// as [`ToPage::Heard`]. One at a time; another one is left.
    Join {
        /// `host:port`, `tls://host:port`; nothing for the game server that the page
        /// came from.
        address: Option<String>,
    },
    /// A line for the game server.
    Tell {
        /// Without its end.
        line: String,
    },
    /// Leaves the game server.
    Part,
}

/// What a page hears.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "say", rename_all = "kebab-case")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub enum ToPage {
    /// The first words after the connection is made.
    Hello {
        /// Name and version of the program.
        program: String,
        /// Another number after the server was started again: versions of topics
        /// begin anew.
        run: String,
        /// What this server can do: a static page has no tournaments.
        rooms: Vec<Room>,
        /// The games, with their rule sets and presets.
        games: Vec<GameInfo>,
        /// Where everything is kept, for those who may know it: the data folder of
        /// a server, nothing for a static page.
        data: Option<String>,
    },
    /// To a question.
    Answer {
        /// Of the question.
        id: u32,
        /// The answer.
        answer: Box<Answer>,
    },
    /// Instead of an answer.
    Refused {
        /// Of the question.
        id: u32,
        /// Why.
        refusal: Refusal,
    },
    /// What happens now cannot be kept, and why; it is tried again and again. Without
    /// words: everything is kept now.
    Unkept {
        /// In English.
        words: Option<String>,
    },
    /// A line of the game server.
    Heard {
        /// Without its end.
        line: String,
    },
    /// The connection to the game server is over.
    Parted {
        /// Why, in English.
        words: String,
    },
    /// About a topic that is followed.
    News {
        /// Which.
        topic: Topic,
        /// Rises with every change.
        version: u32,
        /// The news.
        news: Box<News>,
    },
}

/// The rooms of a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[expect(missing_docs, reason = "the names say it")]
pub enum Room {
    Play,
    Analyse,
    Library,
    Engines,
    Tournaments,
    Check,
    Online,
    Learn,
    Settings,
}

/// Why something was not done. The page has its own words for the codes it
/// knows, and these for the others.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Refusal {
    /// Which kind of mistake.
    pub code: RefusalCode,
    /// What was wrong, with what, and what would be right, in English.
    pub words: String,
}

/// Kinds of mistakes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub enum RefusalCode {
    /// The message itself cannot be read.
    Message,
    /// There is no such thing any more.
    Gone,
    /// A move that the rules do not allow.
    Move,
    /// A position or a rule set that cannot be.
    Position,
    /// A record that cannot be read.
    Record,
    /// It is not your turn, or the game is over.
    Turn,
    /// The other side does not want it.
    Declined,
    /// An engine could not be started, or has died.
    Engine,
    /// A value that cannot be.
    Value,
    /// That needs the right token.
    Forbidden,
    /// Too much at once.
    TooMuch,
    /// This place cannot do that (a page without a server).
    Absent,
    /// The machine: a full disk, a file that cannot be read.
    Machine,
}

/// What can be followed.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(tag = "topic", content = "id", rename_all = "kebab-case")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub enum Topic {
    /// The list of studies.
    Studies,
    /// One of them: its tree.
    Study(StudyId),
    /// The list of games that are played or were.
    Tables,
    /// One of them: its board and who plays.
    Table(TableId),
    /// Its clocks and offers.
    Clock(TableId),
    /// The engines.
    Engines,
    /// What one of them and we said to each other.
    Log(EngineId),
    /// The live analysis of this tab.
    Analysis,
    /// Everything that takes long.
    Jobs,
    /// A report, as far as it is.
    Report(JobId),
    /// A check of an engine, as far as it is.
    Check(JobId),
    /// The list of events.
    Events,
    /// One of them.
    Event(EventId),
    /// What the library holds.
    Library,
    /// What is remembered for the user.
    Settings,
}

/// What is told about a topic.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "news", content = "of", rename_all = "kebab-case")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[expect(
    clippy::large_enum_variant,
    reason = "it is boxed in the message that carries it"
)]
pub enum News {
    /// [`Topic::Studies`]
    Studies(Vec<StudyInfo>),
    /// [`Topic::Study`]: the whole tree.
    Study(StudyView),
    /// [`Topic::Tables`]
    Tables(Vec<TableInfo>),
    /// [`Topic::Table`]
    Table(TableView),
    /// [`Topic::Clock`]
    Clock(TableStatus),
    /// [`Topic::Engines`]
    Engines(Engines),
    /// [`Topic::Log`]: the newest lines; `first` says how they follow.
    Log(LogView),
    /// [`Topic::Analysis`]
    Analysis(AnalysisView),
    /// [`Topic::Analysis`]: the newest lines of one engine.
    Lines(EngineAnalysis),
    /// [`Topic::Jobs`]
    Jobs(Vec<JobView>),
    /// [`Topic::Report`]
    Report(ReportView),
    /// [`Topic::Check`]
    Check(CheckView),
    /// [`Topic::Events`]
    Events(Vec<EventInfo>),
    /// [`Topic::Event`]: all of it.
    Event(EventView),
    /// [`Topic::Event`]: one of its boards.
    Live(LiveGame),
    /// [`Topic::Library`]
    Library(LibraryView),
    /// [`Topic::Settings`]: name and value as JSON text.
    Settings(Vec<(String, String)>),
    /// What was followed is no more.
    Gone,
}

/// What can be asked.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "ask", rename_all = "kebab-case")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[expect(missing_docs, reason = "fields are named after their types")]
pub enum Ask {
    // Boards.
    /// The position a text stands for: FEN, L-FEN, Leiserchess FEN, setpos, a
    /// preset's name, `startpos`, after these moves, so that a board can be played
    /// on without a study (Learn). Answered by [`Answer::Board`].
    Position {
        start: StudyStart,
        #[serde(default)]
        #[cfg_attr(feature = "ts", ts(optional, as = "Option<Vec<String>>"))]
        moves: Vec<String>,
    },
    /// Moves that begin so, where a board has too many to list.
    /// Answered by [`Answer::Moves`].
    Moves {
        start: StudyStart,
        moves: Vec<String>,
        prefix: Vec<String>,
    },
    /// A position put together: the editor. Answered by [`Answer::Editor`].
    Edit {
        editor: EditorView,
    },

    // Studies.
    /// A new tree. Answered by [`Answer::Study`].
    NewStudy {
        start: StudyStart,
        title: Option<String>,
    },
    /// PGN, FEN and what else a person might paste: a single game or position
    /// becomes a study, several games go to the library. Answered by
    /// [`Answer::Import`].
    Paste {
        text: String,
        game: Option<Game>,
        /// The name of the file the text is from; the library shows it.
        #[serde(default)]
        name: Option<String>,
        /// A single game goes to the library, too.
        #[serde(default)]
        library: bool,
    },
    /// The position at a node. Answered by [`Answer::Board`].
    Look {
        study: StudyId,
        node: NodeId,
    },
    /// A move at a node: as engines write it or as people do. Answered by
    /// [`Answer::Node`], the node behind it.
    Play {
        study: StudyId,
        node: NodeId,
        text: String,
    },
    /// A whole line of moves at a node. Answered by [`Answer::Node`], the last.
    PlayLine {
        study: StudyId,
        node: NodeId,
        moves: Vec<String>,
    },
    /// Anything else that changes a tree. Answered by [`Answer::Node`], where to
    /// look now.
    EditStudy {
        study: StudyId,
        edit: Edit,
    },
    /// Answered by [`Answer::Text`].
    Export {
        study: StudyId,
        node: Option<NodeId>,
    },
    /// Answered by [`Answer::Done`]. Can be undone with [`Ask::RestoreStudy`].
    DeleteStudy {
        study: StudyId,
    },
    RestoreStudy {
        study: StudyId,
    },

    // Games.
    /// Answered by [`Answer::Table`].
    NewTable {
        table: NewTable,
    },
    /// Answered by [`Answer::Done`]; the topic tells the rest.
    Act {
        table: TableId,
        action: TableAction,
    },
    /// The position after so many plies. Answered by [`Answer::Board`].
    LookTable {
        table: TableId,
        ply: u32,
    },
    /// The game as a study. Answered by [`Answer::Study`].
    StudyTable {
        table: TableId,
    },

    // Live analysis, of this tab.
    /// What the engines of this tab shall look at. Answered by [`Answer::Done`].
    Analyse {
        focus: Focus,
    },
    /// Stops all of them.
    StopAnalysis,
    /// The position after moves of a best line, for a small board.
    /// Answered by [`Answer::Board`].
    Preview {
        study: StudyId,
        node: NodeId,
        moves: Vec<String>,
    },

    // Engines.
    /// Starts it, says what it heard, keeps it. The handshake is told in the
    /// topic; answered by [`Answer::Engine`].
    AddEngine {
        engine: NewEngine,
    },
    /// Ends the handshake that this page has asked for: the engine is not kept.
    StopAdding,
    ChangeEngine {
        engine: EngineId,
        change: EngineChange,
    },
    /// Stops it; it starts again when it is needed.
    StopEngine {
        engine: EngineId,
    },

    // What takes long.
    /// A report about games of the library, or about a study.
    /// Answered by [`Answer::Job`].
    Report {
        study: Option<StudyId>,
        games: Vec<u32>,
        engine: EngineId,
        limits: SearchLimits,
    },
    /// Whether an engine keeps to its protocol. `only` names checks or groups of
    /// them; without any all are made. Answered by [`Answer::Job`].
    Check {
        engine: EngineId,
        game: Game,
        only: Vec<String>,
        thorough: bool,
    },
    CancelJob {
        job: JobId,
    },
    ForgetJob {
        job: JobId,
    },

    // Events.
    /// Answered by [`Answer::Event`].
    NewEvent {
        event: Box<NewEvent>,
    },
    /// An event that runs or ran elsewhere on this machine: its store.
    AttachEvent {
        path: String,
    },
    /// `stop`, `abort`, `pause`, `resume`, `concurrency N`.
    ControlEvent {
        event: EventId,
        command: String,
    },
    /// Takes an event that does not run here off the list; one of our own is deleted with
    /// its games. Answered by [`Answer::Done`].
    ForgetEvent {
        event: EventId,
    },
    /// Answered by [`Answer::Study`].
    StudyEventGame {
        event: EventId,
        game: u32,
    },
    /// All its finished games as PGN. Answered by [`Answer::Text`].
    ExportEvent {
        event: EventId,
    },

    // The library.
    /// Answered by [`Answer::Games`].
    FindGames {
        query: LibraryQuery,
    },
    /// Answered by [`Answer::Study`].
    OpenGame {
        id: u32,
    },
    /// These games as PGN. Answered by [`Answer::Text`].
    ExportGames {
        ids: Vec<u32>,
    },
    DeleteGames {
        ids: Vec<u32>,
    },
    RestoreGames {
        ids: Vec<u32>,
    },
    /// What was played here and how it scored. Answered by [`Answer::Explored`].
    Explore {
        start: StudyStart,
        moves: Vec<String>,
    },

    // Settings.
    /// The value is JSON text.
    Remember {
        name: String,
        value: String,
    },
}

/// An answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "answer", content = "of", rename_all = "kebab-case")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[expect(missing_docs, reason = "they are named after their types")]
#[expect(
    clippy::large_enum_variant,
    reason = "it is boxed in the message that carries it"
)]
pub enum Answer {
    Done,
    Board(BoardView),
    Moves(Vec<quadrille_games::any_line::MoveView>),
    Editor(EditorView),
    Study(StudyId),
    Node(NodeId),
    Import(ImportView),
    Text(String),
    Table(TableId),
    Engine(EngineId),
    Job(JobId),
    Event(EventId),
    Games(Vec<LibraryGame>),
    Explored(Explored),
}
