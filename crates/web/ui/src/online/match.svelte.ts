import { play as sound } from '../lib/sound.ts';
import { askFor, type BoardView, type Game, type PlyView, type Side, type StudyStart } from '../lib/wire.ts';

/** A game at a server, as this page sees it. */
export class Match {
  readonly id: number;
  readonly game: Game;
  readonly rules: string;
  readonly names: [string, string];
  readonly time: string;
  readonly counts: boolean;
  /** The side this page plays; none for one who watches. */
  readonly mine: Side | null;
  ratings: [string, string] = $state.raw(['', '']);
  live: BoardView | null = $state.raw(null);
  plies: PlyView[] = $state.raw([]);
  /** Milliseconds of White and Black, and when they were told. */
  left: [number, number] | null = $state.raw(null);
  told = $state(0);
  asked = $state(false);
  result: { score: string; words: string } | null = $state.raw(null);
  offer: { what: string; ours: boolean } | null = $state.raw(null);
  away = $state('');
  chat: { name: string; text: string }[] = $state.raw([]);
  /** The ply that is looked at; none for the game as it stands. */
  ply: number | null = $state(null);
  private looked: BoardView | null = $state.raw(null);
  private turned = $state(false);
  private start = '';
  private moves: string[] = [];
  private number = 0;
  private sent: { done: () => void; fail: (e: Error) => void } | null = null;

  constructor(p: Map<string, string>, private readonly say: (line: string) => void) {
    this.id = Number(p.get('id'));
    this.game = (p.get('game') ?? 'chess') as Game;
    this.rules = (p.get('rules') ?? '').replaceAll('_', ' ').trim();
    this.names = [p.get('white') ?? '', p.get('black') ?? ''];
    this.time = p.get('time') ?? '';
    this.counts = p.get('rated') === 'yes';
    const you = p.get('you');
    this.mine = you === 'white' || you === 'black' ? you : null;
    this.again(p);
    if (this.mine) sound('start');
  }

  /** It goes on after a broken connection. */
  again(p: Map<string, string>): void {
    this.ratings = [p.get('white-rating') ?? '', p.get('black-rating') ?? ''];
    this.away = '';
  }

  lost(): void {
    this.asked = false;
    this.refused();
  }

  private from(): StudyStart {
    return { game: this.game, rules: this.rules, position: this.start };
  }

  placed({ start, moves }: { start: string; moves: string[] }): void {
    [this.start, this.moves] = [start, moves];
    this.number += 1;
    const number = this.number;
    this.asked = false;
    void askFor('board', { ask: 'position', start: this.from(), moves }).then((board) => {
      if (number !== this.number) return;
      this.settle(board);
    }, () => undefined);
  }

  private settle(board: BoardView): void {
    const before = this.plies.length;
    // Moves that were made while nobody looked have only the text of engines.
    this.plies = this.moves.map((text, i): PlyView => {
      const known = this.plies[i];
      if (known?.text === text) return known;
      const made = i === this.moves.length - 1 ? board.last : null;
      const back = this.moves.length - i;
      const side: Side = (back % 2 === 0) === (board.side === 'white') ? 'white' : 'black';
      const number = board.number - Math.floor((back - (board.side === 'white' ? 0 : 1) + 1) / 2);
      return { text, notation: made?.notation ?? text, side, number: Math.max(1, number), spent: 0, clock: null, score: null };
    });
    this.live = board;
    this.sent?.done();
    this.sent = null;
    if (this.plies.length > before) {
      this.ply = null;
      if (board.last) sound(board.last.fire?.shots.some((s) => s.struck) ? 'laser' : board.last.captured ? 'capture' : 'move');
    }
  }

  timed(left: [number, number], asked: boolean): void {
    this.left = left;
    this.told = performance.now();
    this.asked = asked;
  }

  offered(what: string, ours: boolean): void {
    this.offer = what ? { what, ours } : null;
  }

  went(name: string): void {
    this.away = name;
  }

  over(score: string, words: string): void {
    this.result = { score, words };
    this.asked = false;
    this.offer = null;
    this.away = '';
    this.refused();
    sound(score === '1/2-1/2' || score === '*' ? 'draw' : this.mine && (score === '1-0') !== (this.mine === 'white') ? 'loss' : 'win');
  }

  rated(name: string, old: string, now: string): void {
    const change = (i: 0 | 1): string => (this.names[i] === name ? `${old} → ${now}` : this.ratings[i]);
    this.ratings = [change(0), change(1)];
  }

  said(name: string, text: string): void {
    this.chat = [...this.chat.slice(-199), { name, text }];
  }

  get bottom(): Side {
    return (this.mine === 'black') !== this.turned ? 'black' : 'white';
  }

  flip(): void {
    this.turned = !this.turned;
  }

  board: BoardView | null = $derived((this.ply === null ? null : this.looked) ?? this.live);

  get now(): number {
    return this.ply ?? this.plies.length;
  }

  get movable(): false | Side {
    const turn = this.mine && this.asked && !this.result && this.ply === null && this.live?.side === this.mine;
    return turn ? this.mine! : false;
  }

  /** Whose clock runs. */
  get running(): Side | null {
    return this.result ? null : (this.live?.side ?? null);
  }

  async look(ply: number): Promise<void> {
    const to = Math.max(0, Math.min(this.moves.length, ply));
    if (to === this.moves.length) {
      this.ply = null;
      return;
    }
    this.looked = await askFor('board', { ask: 'position', start: this.from(), moves: this.moves.slice(0, to) });
    this.ply = to;
  }

  more(prefix: string[]): Promise<BoardView['moves']> {
    return askFor('moves', { ask: 'moves', start: this.from(), moves: this.moves, prefix });
  }

  move(text: string): Promise<void> {
    this.say(`bestmove ${text}`);
    return new Promise((done, fail) => {
      this.sent = { done, fail };
    });
  }

  /** What we said was not taken: a piece springs back. */
  refused(): void {
    this.sent?.fail(new Error(''));
    this.sent = null;
  }
}
