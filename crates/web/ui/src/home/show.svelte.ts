import { askFor, type BoardView, type Game, type MoveView, type StudyStart } from '../lib/wire.ts';

// Morphy's game at the opera: what a visitor sees is worth seeing.
const opera =
  'e2e4 e7e5 g1f3 d7d6 d2d4 c8g4 d4e5 g4f3 d1f3 d6e5 f1c4 g8f6 f3b3 d8e7 b1c3 c7c6 c1g5 b7b5 c3b5 c6b5 c4b5 b8d7 e1c1 a8d8 d1d7 d8d7 h1d1 e7e6 b5d7 f6d7 b3b8 d7b8 d1d8'.split(' ');

/** A board that plays by itself: a game that is known, or moves at random with a taste for action. */
export class Show {
  view = $state.raw<BoardView | null>(null);
  private moves: string[] = [];

  constructor(
    private game: Game,
    private start: () => StudyStart,
  ) {}

  /** Shows the start and begins to play; returns how to end it. */
  run(wait: number): () => void {
    let timer: ReturnType<typeof setTimeout>;
    let over = false;
    const step = async (): Promise<void> => {
      try {
        await this.step();
      } catch {
        this.moves = [];
      }
      if (!over) timer = setTimeout(step, this.view?.outcome ? 4000 : wait);
    };
    void this.look().then(
      () => {
        if (!over && !matchMedia('(prefers-reduced-motion: reduce)').matches) timer = setTimeout(step, wait);
      },
      () => {},
    );
    return () => {
      over = true;
      clearTimeout(timer);
    };
  }

  private async look(): Promise<void> {
    this.view = await askFor('board', { ask: 'position', start: this.start(), moves: this.moves });
  }

  private async step(): Promise<void> {
    if (document.hidden || !this.view) return;
    const ended = this.view.outcome !== null || this.view.moves.length === 0 || this.moves.length > 60;
    const next = ended ? null : this.choose(this.view.moves);
    this.moves = next ? [...this.moves, next.text] : [];
    await this.look();
  }

  private choose(moves: MoveView[]): MoveView | undefined {
    if (this.game === 'chess') {
      const known = moves.find((m) => m.text === opera[this.moves.length]);
      if (known) return known;
    }
    const lively = moves.filter((m) => m.tactical);
    const from = lively.length > 0 && Math.random() < 0.6 ? lively : moves;
    return from[Math.floor(Math.random() * from.length)];
  }
}
