import type { BoardView } from '../lib/wire.ts';
import { t } from '../lib/words.svelte.ts';
import { beside, fileRank, squareName, firstRank, type Layout } from './geometry.ts';
import { pieceName, squareWords } from './names.ts';

/** What a key does to a board with the focus: go to a square, or say something. */
export type Deed = { go: string } | { say: string } | { press: true } | { leave: true } | { input: true } | null;

const steps: Record<string, [number, number]> = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

function jump(view: BoardView, l: Layout, at: string, letter: string, back: boolean): Deed {
  const order = (square: string): number => {
    const p = fileRank(view.game, square);
    return p ? (l.ranks - p.rank) * l.files + p.file : 0;
  };
  const fits = (piece: string): boolean => {
    const low = piece.toLowerCase();
    if (view.game === 'leiser') return letter === (low[0] === low[1] ? 'k' : 'p');
    return low === letter;
  };
  const all = view.pieces.filter((p) => fits(p.piece)).sort((a, b) => order(a.square) - order(b.square));
  if (all.length === 0) return null;
  const here = order(at);
  const next = back ? (all.findLast((p) => order(p.square) < here) ?? all.at(-1)) : (all.find((p) => order(p.square) > here) ?? all[0]);
  return next ? { go: next.square } : null;
}

function around(view: BoardView, l: Layout, at: string): string {
  const found: string[] = [];
  for (const [dx, dy] of [[0, 1], [1, 1], [1, 0], [1, -1], [0, -1], [-1, -1], [-1, 0], [-1, 1]] as const) {
    const square = beside(l, at, dx, dy);
    if (square !== at && view.pieces.some((p) => p.square === square) && !found.includes(squareWords(view, square))) found.push(squareWords(view, square));
  }
  return found.length ? t('board.say.around', { square: at, list: found.join('; ') }) : t('board.say.alone', { square: at });
}

/** The keys of lichess's page for people who hear the board. */
export function deed(event: KeyboardEvent, view: BoardView, l: Layout, at: string): Deed {
  if (event.ctrlKey || event.metaKey || event.altKey) return null;
  const step = steps[event.key];
  if (step) return { go: beside(l, at, ...step) };
  const key = event.key.toLowerCase();
  const here = fileRank(view.game, at);
  switch (key) {
    case 'enter':
    case ' ':
      return { press: true };
    case 'escape':
      return { leave: true };
    case 'home':
      return here && { go: squareName(view.game, l.flipped ? l.files - 1 : 0, here.rank) };
    case 'end':
      return here && { go: squareName(view.game, l.flipped ? 0 : l.files - 1, here.rank) };
    case 'i':
      return { input: true };
    case 'o':
      return { say: squareWords(view, at) };
    case 'l':
      return { say: view.last ? t('board.say.last', { move: view.last.notation }) : t('board.say.nolast') };
    case 'x':
      return { say: around(view, l, at) };
    case 'm': {
      const moves = view.moves.filter((m) => m.squares[0] === at && (!event.shiftKey || m.tactical));
      return { say: moves.length ? moves.map((m) => m.notation).join(', ') : t('board.say.none') };
    }
  }
  if (/^\d$/.test(key) && here) {
    const rank = Number(key) - firstRank(view.game);
    return rank >= 0 && rank < l.ranks ? { go: squareName(view.game, here.file, rank) } : null;
  }
  if (/^[1-9]$/.test(event.code.replace('Digit', '')) && event.shiftKey && here) {
    const file = Number(event.code.replace('Digit', '')) - 1;
    return file < l.files ? { go: squareName(view.game, file, here.rank) } : null;
  }
  return /^[kqrbnp]$/.test(key) ? jump(view, l, at, key, event.shiftKey) : null;
}

/** A move in words for the live region. */
export function moveWords(view: BoardView): string {
  const last = view.last;
  if (!last) return '';
  const man = view.pieces.find((p) => p.square === last.squares.at(-1));
  const who = man ? pieceName(view.game, man.piece, man.side) : '';
  return `${last.notation}. ${who} ${last.squares.join(' ')}`;
}
