import type { Shape } from '../lib/wire.ts';
import type { Point } from './geometry.ts';
import type { Picker } from './picker.svelte.ts';

export interface PointerProps {
  /** The square at a place of the window, and the place in units. */
  find: (event: PointerEvent) => { square: string | null; at: Point };
  shapes: Shape[];
  onshapes?: (shapes: Shape[]) => void;
  zoomed: boolean;
  onpan: (dx: number, dy: number) => void;
}

/** Mouse, pen and finger on a board: click-click, drag, drawing, panning. */
export class Pointer {
  lifted: { square: string; x: number; y: number } | null = $state.raw(null);
  hovered: string | null = $state(null);
  drawn: Shape | null = $state.raw(null);
  private drag: { square: string; again: boolean; x: number; y: number } | null = null;
  private pan: { x: number; y: number } | null = null;

  constructor(
    private picker: Picker,
    private props: () => PointerProps,
  ) {}

  down = (event: PointerEvent): void => {
    const { find, zoomed, onshapes } = this.props();
    const { square } = find(event);
    if (!square) return;
    // Keys of the room go on working: no button of the mouse puts the focus on a square.
    event.preventDefault();
    (document.activeElement as HTMLElement | null)?.blur?.();
    if (event.button === 2 && onshapes) {
      this.drawn = { colour: colour(event), from: square, to: null };
      capture(event);
    }
    if (event.button !== 0) return;
    const { picker } = this;
    if (picker.steps.length > 0 && picker.next.squares.has(square)) return picker.push(square);
    if (picker.starts(square)) {
      const again = picker.steps[0] === square;
      if (!again) picker.begin(square);
      this.drag = { square, again, x: event.clientX, y: event.clientY };
      capture(event);
      return;
    }
    picker.clear();
    if (zoomed) {
      this.pan = { x: event.clientX, y: event.clientY };
      capture(event);
    }
  };

  move = (event: PointerEvent): void => {
    const { find, onpan } = this.props();
    const { square, at } = find(event);
    this.hovered = square;
    if (this.drawn) {
      this.drawn = { ...this.drawn, to: square && square !== this.drawn.from ? square : null };
    } else if (this.drag) {
      const far = Math.hypot(event.clientX - this.drag.x, event.clientY - this.drag.y);
      if (far > 4 || this.lifted) this.lifted = { square: this.drag.square, ...at };
    } else if (this.pan) {
      onpan(event.clientX - this.pan.x, event.clientY - this.pan.y);
      this.pan = { x: event.clientX, y: event.clientY };
    }
  };

  up = (event: PointerEvent): void => {
    const { find } = this.props();
    const { square } = find(event);
    if (this.drawn && square) this.draw();
    // One that ends outside the board is given up.
    this.drawn = null;
    const drag = this.drag;
    const moved = this.lifted !== null;
    this.drag = null;
    this.pan = null;
    this.lifted = null;
    if (!drag) return;
    if (moved && square && square !== drag.square) {
      if (this.picker.next.squares.has(square)) this.picker.push(square);
      else this.picker.clear();
    } else if (!moved && drag.again) {
      this.picker.clear();
    }
  };

  leave = (): void => {
    this.hovered = null;
  };

  cancel = (): void => {
    this.drag = null;
    this.pan = null;
    this.lifted = null;
    this.drawn = null;
  };

  /** The same drawn again goes away. */
  private draw(): void {
    const { shapes, onshapes } = this.props();
    const mine = this.drawn!;
    const same = (s: Shape): boolean => s.from === mine.from && s.to === mine.to;
    const there = shapes.find(same);
    const rest = shapes.filter((s) => !same(s));
    onshapes?.(there?.colour === mine.colour ? rest : [...rest, mine]);
  }
}

function capture(event: PointerEvent): void {
  (event.currentTarget as Element).setPointerCapture?.(event.pointerId);
}

/** Colours by modifier, as on lichess. */
function colour(event: PointerEvent): string {
  const second = event.altKey || event.metaKey;
  if (event.shiftKey || event.ctrlKey) return second ? 'Y' : 'R';
  return second ? 'B' : 'G';
}
