import type { BoardView, PieceView } from '../lib/wire.ts';
import { middle, type Layout } from './geometry.ts';

/** A piece that keeps its identity from one position to the next. */
export interface Man {
  id: number;
  square: string;
  piece: string;
  side: PieceView['side'];
  x: number;
  y: number;
  /** Degrees; grows beyond a full turn so that it turns the short way. */
  angle: number;
}

const angles: Record<string, number> = { nn: 0, ee: 90, ss: 180, ww: 270, nw: 0, ne: 90, se: 180, sw: 270 };
let number = 0;

function kind(game: string, piece: string): string {
  if (game !== 'leiser') return piece;
  return piece[0]?.toLowerCase() === piece[1]?.toLowerCase() ? 'king' : 'pawn';
}

function turned(l: Layout, piece: string, before: number | null): number {
  if (l.game !== 'leiser') return 0;
  const wanted = (angles[piece.toLowerCase()] ?? 0) + (l.flipped ? 180 : 0);
  if (before === null) return wanted;
  const step = ((((wanted - before) % 360) + 540) % 360) - 180;
  return before + step;
}

/**
 * Pairs the pieces of a position with those before it: what stands still, what the
 * last move moved, what moved the least, what only turned, what was promoted.
 */
export function follow(before: Man[], view: BoardView, l: Layout): { men: Man[]; gone: Man[] } {
  const old = new Set(before);
  const men: (Man | null)[] = view.pieces.map(() => null);
  const take = (i: number, piece: PieceView, man: Man | null): void => {
    if (man) old.delete(man);
    const { x, y } = middle(l, piece.square);
    const angle = turned(l, piece.piece, man?.angle ?? null);
    men[i] = { id: man?.id ?? ++number, square: piece.square, piece: piece.piece, side: piece.side, x, y, angle };
  };
  const pass = (fits: (man: Man, piece: PieceView) => number | null): void => {
    view.pieces.forEach((piece, i) => {
      if (men[i]) return;
      let best: Man | null = null;
      let least = Infinity;
      for (const man of old) {
        const far = fits(man, piece);
        if (far !== null && far < least) [best, least] = [man, far];
      }
      if (best) take(i, piece, best);
    });
  };
  const from = view.last?.squares[0];
  const to = view.last?.squares.at(l.game === 'gyges' ? 1 : -1);
  // What stands still is found by its square: a board may have thousands of pieces.
  const stood = new Map(before.map((man) => [man.square, man]));
  view.pieces.forEach((piece, i) => {
    const man = stood.get(piece.square);
    if (man && man.piece === piece.piece && man.side === piece.side) take(i, piece, man);
  });
  pass((m, p) => (m.square === from && p.square === to && m.piece === p.piece && m.side === p.side ? 0 : null));
  pass((m, p) => {
    if (m.piece !== p.piece || m.side !== p.side) return null;
    const at = middle(l, p.square);
    return Math.hypot(m.x - at.x, m.y - at.y);
  });
  pass((m, p) => (m.square === p.square && m.side === p.side && kind(l.game, m.piece) === kind(l.game, p.piece) ? 0 : null));
  pass((m, p) => (m.square === from && p.square === to && m.side === p.side ? 0 : null));
  view.pieces.forEach((piece, i) => men[i] ?? take(i, piece, null));
  return { men: men as Man[], gone: [...old] };
}
