import type { BoardView, MoveView, Side } from '../lib/wire.ts';
import { failed } from '../parts/toasts.svelte.ts';
import { ending, narrow } from './steps.ts';

export interface PickerProps {
  view: BoardView;
  movable: boolean | Side;
  onmove?: (text: string) => Promise<unknown> | void;
  /** More moves that begin so, where a board has too many to list. */
  onmore?: (prefix: string[]) => Promise<MoveView[]>;
}

/** The move that is being put together, step by step. */
export class Picker {
  steps: string[] = $state.raw([]);
  /** A move that was made here and is not yet confirmed. */
  made: { from: string; to: string } | null = $state.raw(null);
  private more: MoveView[] | null = $state.raw(null);
  private props: () => PickerProps;

  constructor(props: () => PickerProps) {
    this.props = props;
  }

  private all = $derived.by(() => {
    const { view, movable } = this.props();
    if (this.made || (movable !== true && movable !== view.side)) return [];
    return this.more ?? view.moves;
  });

  next = $derived.by(() => narrow(this.all, this.steps));
  private firsts = $derived.by(() => new Set(this.props().view.moves.map((m) => m.squares[0])));

  /** A new position: nothing is picked. */
  reset(): void {
    this.steps = [];
    this.made = null;
    this.more = null;
  }

  clear(): void {
    this.steps = [];
    this.more = null;
  }

  private get cut(): boolean {
    const { view } = this.props();
    return view.move_count > view.moves.length;
  }

  /** Whether a move can begin here. */
  starts(square: string): boolean {
    const { view, movable } = this.props();
    if (this.made || (movable !== true && movable !== view.side)) return false;
    if (this.firsts.has(square)) return true;
    return this.cut && view.pieces.some((p) => p.square === square && (p.side === null || p.side === view.side));
  }

  /** The first square of a move; asks for its moves where the list was cut. */
  begin(square: string): void {
    this.more = null;
    this.steps = [square];
    const { view, onmore } = this.props();
    if (!this.cut || !onmore) return;
    onmore([square]).then((moves) => {
      if (this.steps[0] === square && this.props().view === view) this.more = moves;
    }, failed);
  }

  /** A square or choice that follows. */
  push(step: string): void {
    const steps = [...this.steps, step];
    const { done } = narrow(this.all, steps);
    if (done) this.play(done);
    else this.steps = steps;
  }

  choose(choice: string): void {
    if (choice !== 'end') return this.push(`=${choice}`);
    const move = ending(this.all, this.steps);
    if (move) this.play(move);
  }

  /** A click on a square, or Enter: the next step, another piece, or none. */
  press(square: string): void {
    if (this.steps.length > 0 && this.next.squares.has(square)) this.push(square);
    else if (this.steps[0] === square) this.clear();
    else if (this.starts(square)) this.begin(square);
    else this.clear();
  }

  play(move: MoveView): void {
    const { view, onmove } = this.props();
    const to = move.squares[1] ?? move.squares[0]!;
    this.clear();
    this.made = { from: move.squares[0]!, to };
    const before = view;
    Promise.resolve(onmove?.(move.text)).catch((error: unknown) => {
      // It springs back, unless another position has come meanwhile.
      if (this.props().view === before) this.made = null;
      failed(error);
    });
  }
}
