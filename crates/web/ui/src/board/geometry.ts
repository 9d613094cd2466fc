import type { Game } from '../lib/wire.ts';

/** A square is so many units wide, on every board; the frame scales. */
export const unit = 48;
/** How high the goals of Gyges are, and how far they keep away. */
const goalHeight = 0.66 * unit;
const goalGap = 0.08 * unit;

/** Where things are on a board, in units. */
export interface Layout {
  game: Game;
  files: number;
  ranks: number;
  flipped: boolean;
  /** What lies above the squares. */
  top: number;
  width: number;
  height: number;
}

export function layout(game: Game, size: [number, number], flipped: boolean): Layout {
  const [files, ranks] = size;
  const top = game === 'gyges' ? goalHeight + goalGap : 0;
  return { game, files, ranks, flipped, top, width: files * unit, height: ranks * unit + 2 * top };
}

/** Leiserchess counts ranks from 0. */
export function firstRank(game: Game): number {
  return game === 'leiser' ? 0 : 1;
}

/** a, b, ... z, aa, ab: files from 0. */
export function fileName(file: number): string {
  let name = '';
  for (let n = file + 1; n > 0; n = Math.floor((n - 1) / 26)) name = String.fromCharCode(97 + ((n - 1) % 26)) + name;
  return name;
}

export function squareName(game: Game, file: number, rank: number): string {
  return fileName(file) + (rank + firstRank(game));
}

/** File and rank from 0; nothing for a goal or what is no square. */
export function fileRank(game: Game, square: string): { file: number; rank: number } | null {
  const parts = /^([a-z]+)(\d+)$/.exec(square);
  if (!parts) return null;
  let file = 0;
  for (const letter of parts[1]!) file = file * 26 + letter.charCodeAt(0) - 96;
  return { file: file - 1, rank: Number(parts[2]) - firstRank(game) };
}

export interface Point {
  x: number;
  y: number;
}

/** The middle of a square. */
export function middle(l: Layout, square: string): Point {
  if (square === 'P1' || square === 'P2') {
    const above = (square === 'P2') !== l.flipped;
    return { x: l.width / 2, y: above ? goalHeight / 2 : l.height - goalHeight / 2 };
  }
  const at = fileRank(l.game, square);
  if (!at) return { x: -unit, y: -unit };
  const column = l.flipped ? l.files - 1 - at.file : at.file;
  const row = l.flipped ? at.rank : l.ranks - 1 - at.rank;
  return { x: (column + 0.5) * unit, y: l.top + (row + 0.5) * unit };
}

/** The corner and size of a square or goal. */
export function box(l: Layout, square: string): { x: number; y: number; width: number; height: number } {
  const { x, y } = middle(l, square);
  if (square[0] === 'P') return { x: 0, y: y - goalHeight / 2, width: l.width, height: goalHeight };
  return { x: x - unit / 2, y: y - unit / 2, width: unit, height: unit };
}

/** The square at a point, if there is one. */
export function squareAt(l: Layout, x: number, y: number): string | null {
  if (x < 0 || x >= l.width || y < 0 || y >= l.height) return null;
  if (l.top > 0 && y < l.top) return l.flipped ? 'P1' : 'P2';
  if (l.top > 0 && y >= l.height - l.top) return l.flipped ? 'P2' : 'P1';
  const column = Math.floor(x / unit);
  const row = Math.floor((y - l.top) / unit);
  const file = l.flipped ? l.files - 1 - column : column;
  const rank = l.flipped ? row : l.ranks - 1 - row;
  return squareName(l.game, file, rank);
}

/** The square next to another on the screen; stays at the edge. */
export function beside(l: Layout, square: string, dx: number, dy: number): string {
  const at = fileRank(l.game, square);
  const up = l.flipped ? -1 : 1;
  if (!at) {
    // From a goal back onto the board.
    const inward = square === 'P2' ? -1 : 1;
    if (dy * up !== inward) return square;
    return squareName(l.game, Math.floor(l.files / 2), square === 'P2' ? l.ranks - 1 : 0);
  }
  const file = Math.max(0, Math.min(l.files - 1, at.file + (l.flipped ? -dx : dx)));
  const rank = at.rank + dy * up;
  if (l.top > 0 && rank >= l.ranks) return 'P2';
  if (l.top > 0 && rank < 0) return 'P1';
  return squareName(l.game, file, Math.max(0, Math.min(l.ranks - 1, rank)));
}

/** How far around the focus a board has cells where it is too large to have them all. */
const NEAR = 12;

/** The squares that get a cell of their own, by row: all, or those near one where there are more than 1600. */
export function near(l: Layout, at: string): string[][] {
  if (l.files * l.ranks <= 1600) return rows(l).filter((row) => row[0]?.[0] !== 'P');
  const here = fileRank(l.game, at) ?? { file: 0, rank: 0 };
  const range = (middle: number, all: number, back: boolean): number[] => {
    const from = Math.max(0, middle - NEAR);
    const list = Array.from({ length: Math.min(all - 1, middle + NEAR) - from + 1 }, (_, i) => from + i);
    return back ? list.reverse() : list;
  };
  const files = range(here.file, l.files, l.flipped);
  return range(here.rank, l.ranks, !l.flipped).map((rank) => files.map((file) => squareName(l.game, file, rank)));
}

/** All squares by row from the top of the screen, goals included. */
export function rows(l: Layout): string[][] {
  const all: string[][] = [];
  for (let row = 0; row < l.ranks; row++) {
    const rank = l.flipped ? row : l.ranks - 1 - row;
    const squares: string[] = [];
    for (let column = 0; column < l.files; column++) {
      squares.push(squareName(l.game, l.flipped ? l.files - 1 - column : column, rank));
    }
    all.push(squares);
  }
  if (l.top > 0) {
    all.unshift([l.flipped ? 'P1' : 'P2']);
    all.push([l.flipped ? 'P2' : 'P1']);
  }
  return all;
}
