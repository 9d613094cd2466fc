import { play as sound } from '../lib/sound.ts';
import { endWinner } from '../lib/say.ts';
import { ask, askFor, follow, type BoardView, type Side, type TableAction, type TableStatus, type TableView } from '../lib/wire.ts';

/** A game as it stands: the board, and its clocks and offers. */
export type Shown = TableView & TableStatus;

/** A game that is played, as this page sees it. */
export class Table {
  private table: TableView | null = $state.raw(null);
  private status: TableStatus | null = $state.raw(null);
  /** Nothing until both are known. */
  view: Shown | null = $derived(this.table && this.status && { ...this.table, ...this.status });
  gone = $state(false);
  /** When the clocks were told, by the clock of this page. */
  told = $state(0);
  /** The ply that is looked at; none for the game as it stands. */
  ply: number | null = $state(null);
  private looked: BoardView | null = $state.raw(null);
  private sideChosen: Side | null = $state(null);
  /** A move that was sent and is not on the board yet: its ply, whether it was answered, and who waits for it. */
  private sent: { ply: number; answered: boolean; done: () => void } | null = $state.raw(null);

  constructor(readonly id: number) {}

  follow(): () => void {
    const leaveTable = follow({ topic: 'table', id: this.id }, (news) => {
      if (news.news === 'gone') {
        this.gone = true;
        this.settle();
      }
      if (news.news === 'table') this.hearTable(news.of);
    });
    const leaveClock = follow({ topic: 'clock', id: this.id }, (news) => {
      if (news.news !== 'clock') return;
      this.status = news.of;
      this.told = performance.now();
    });
    return () => {
      leaveTable();
      leaveClock();
    };
  }

  private hearTable(view: TableView): void {
    const before = this.table;
    // News of a name is no news of the board: a piece that was picked up stays so, and no laser is fired again.
    const same = before !== null && before.changed === view.changed && before.plies.length === view.plies.length;
    this.table = same ? { ...view, board: before.board } : view;
    if (this.sent && (this.sent.answered || view.plies.length !== this.sent.ply)) this.settle();
    if (!before) return;
    if (view.plies.length > before.plies.length) {
      this.ply = null;
      this.hear(view.board);
    }
    if (view.end && !before.end) {
      const winner = endWinner(view.end);
      const mine = this.mine;
      sound(winner === 'draw' || winner === null ? 'draw' : mine.length === 1 && mine[0] !== winner ? 'loss' : 'win');
    }
  }

  private hear(board: BoardView): void {
    const last = board.last;
    if (!last) return;
    if (last.fire?.shots.some((s) => s.struck)) sound('laser');
    else if (last.bounces && last.bounces.bounces.length > 0) sound('bounce', last.bounces.squares.length);
    else sound(last.captured ? 'capture' : 'move');
  }

  /** The sides this page plays. */
  get mine(): Side[] {
    const seats = this.view?.seats;
    if (!seats) return [];
    return (['white', 'black'] as const).filter((_, i) => seats[i]!.mine);
  }

  /** A person who came by link plays here: there are no hints then. */
  get guests(): boolean {
    return this.view?.seats.some((s) => s.seat.seat === 'guest') ?? false;
  }

  /** That person is the one at this page. */
  get guest(): boolean {
    return this.view?.seats.some((s) => s.mine && s.seat.seat === 'guest') ?? false;
  }

  /** Who sits at the bottom. */
  get bottom(): Side {
    const mine = this.mine;
    return this.sideChosen ?? (mine.length === 1 ? mine[0]! : 'white');
  }

  flip(): void {
    this.sideChosen = this.bottom === 'white' ? 'black' : 'white';
  }

  board: BoardView | null = $derived((this.ply === null ? null : this.looked) ?? this.view?.board ?? null);

  get live(): boolean {
    return this.ply === null;
  }

  get now(): number {
    return this.ply ?? this.view?.plies.length ?? 0;
  }

  /** The game begins when the person who was sent the link is there. */
  get waitsForGuest(): boolean {
    const view = this.view;
    return view !== null && view.plies.length === 0 && view.seats.some((s, i) => s.seat.seat === 'guest' && view.states[i] === 'away');
  }

  get mayMove(): boolean | Side {
    const view = this.view;
    if (!view || view.end || !this.live || this.waitsForGuest) return false;
    const turn = view.board.side;
    return this.mine.includes(turn) ? turn : false;
  }

  /** Why a move that is typed cannot be made; nothing where it can. */
  get hindrance(): 'over' | 'past' | 'guest' | 'wait' | null {
    if (this.view?.end) return 'over';
    if (!this.live) return 'past';
    if (this.waitsForGuest) return 'guest';
    return this.mayMove && !this.sent ? null : 'wait';
  }

  /** Looks at the position after so many plies. */
  async look(ply: number): Promise<void> {
    const all = this.view?.plies.length ?? 0;
    const to = Math.max(0, Math.min(all, ply));
    if (to === all) {
      this.ply = null;
      return;
    }
    const board = await askFor('board', { ask: 'look-table', table: this.id, ply: to });
    this.looked = board;
    this.ply = to;
  }

  act(action: TableAction): Promise<unknown> {
    return ask({ ask: 'act', table: this.id, action });
  }

  /** Makes a move, and waits until it stands on the board: what comes next is read there. */
  async move(text: string): Promise<void> {
    const ply = this.view?.plies.length ?? 0;
    const shown = new Promise<void>((done) => (this.sent = { ply, answered: false, done }));
    const mine = this.sent!;
    try {
      await this.act({ do: 'move', text, ply });
    } catch (error) {
      if (this.sent === mine) this.settle();
      throw error;
    }
    mine.answered = true;
    await shown;
  }

  private settle(): void {
    this.sent?.done();
    this.sent = null;
  }
}
