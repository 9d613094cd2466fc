import type { BeamView, PieceView } from '../lib/wire.ts';
import { fileRank, middle, unit, type Layout, type Point } from './geometry.ts';

type Way = 'n' | 'e' | 's' | 'w';
const steps: Record<Way, [number, number]> = { n: [0, 1], e: [1, 0], s: [0, -1], w: [-1, 0] };
/** Where a beam goes that meets the face of a mirror; it comes from the side opposite to its way. */
const turns: Record<Way, Partial<Record<string, Way>>> = {
  n: { se: 'e', sw: 'w' },
  e: { nw: 'n', sw: 's' },
  s: { nw: 'w', ne: 'e' },
  w: { ne: 'n', se: 's' },
};

function way(from: { file: number; rank: number }, to: { file: number; rank: number }): Way {
  if (to.rank !== from.rank) return to.rank > from.rank ? 'n' : 's';
  return to.file > from.file ? 'e' : 'w';
}

/** How a beam leaves its last square: straight on, or by the mirror that stands there. */
export function leaves(beam: BeamView, pieces: PieceView[]): Way | null {
  const squares = [beam.king, ...beam.path];
  const [a, b] = [squares.at(-2), squares.at(-1)!];
  const at = (square: string): string => pieces.find((p) => p.square === square)?.piece.toLowerCase() ?? '';
  if (a === undefined) return (at(b)[0] as Way | undefined) ?? null;
  const [from, to] = [fileRank('leiser', a), fileRank('leiser', b)];
  if (!from || !to) return null;
  const straight = way(from, to);
  return turns[straight][at(b)] ?? straight;
}

/** The line of a beam; one that leaves the board goes to the edge and a little beyond. */
export function beamPath(l: Layout, beam: BeamView, pieces: PieceView[]): string {
  const points: Point[] = [beam.king, ...beam.path].map((square) => middle(l, square));
  const out = beam.struck ? null : leaves(beam, pieces);
  if (out) {
    const end = points.at(-1)!;
    const turned = l.flipped ? -1 : 1;
    points.push({ x: end.x + steps[out][0] * turned * unit * 0.7, y: end.y - steps[out][1] * turned * unit * 0.7 });
  }
  return points.map((p, i) => `${i ? 'L' : 'M'}${p.x} ${p.y}`).join('');
}
