import type { PieceView, Side } from '../lib/wire.ts';

const worth: [string, number][] = [['q', 9], ['r', 5], ['b', 3], ['n', 3], ['p', 1]];

/** What a side of chess has more than the other: the letters of the pieces, and by how many Pawns it is ahead. */
export function ahead(pieces: Pick<PieceView, 'piece' | 'side'>[], side: Side): { more: string[]; points: number } {
  const more: string[] = [];
  let points = 0;
  for (const [letter, value] of worth) {
    const all = pieces.filter((p) => p.piece.toLowerCase() === letter);
    const mine = all.filter((p) => p.side === side).length;
    const extra = 2 * mine - all.length;
    for (let i = 0; i < extra; i++) more.push(letter);
    points += extra * value;
  }
  return { more, points: Math.max(0, points) };
}
