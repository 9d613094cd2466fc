import type { BoardView } from '../lib/wire.ts';

type Bounces = NonNullable<NonNullable<BoardView['last']>['bounces']>;

/** Gyges: the way of a move that is being chosen; the rules know it, so it is asked for. */
export class Route {
  private shown: { text: string; bounces: Bounces | null } | null = $state.raw(null);
  private wanted: string | null = $state(null);
  private view: BoardView | null = null;
  private known = new Map<string, Bounces | null>();

  constructor(private look: (text: string) => Promise<BoardView>) {}

  /** Nothing where the way of another move, or none, is known. */
  get bounces(): Bounces | null {
    return this.shown?.text === this.wanted ? (this.shown?.bounces ?? null) : null;
  }

  /** Shows the way of this move of a position. */
  show(view: BoardView, text: string | null): void {
    if (view !== this.view) this.known.clear();
    this.view = view;
    this.wanted = text;
    if (text === null) return;
    const known = this.known.get(text);
    if (known !== undefined) {
      this.shown = { text, bounces: known };
      return;
    }
    const keep = (bounces: Bounces | null): void => {
      if (this.view !== view) return;
      this.known.set(text, bounces);
      if (this.wanted === text) this.shown = { text, bounces };
    };
    // A guest may not ask for boards: the move is shown without its way.
    this.look(text).then((board) => keep(board.last?.bounces ?? null), () => keep(null));
  }
}
