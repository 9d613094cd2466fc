import type { BoardView, Game, PieceView } from '../lib/wire.ts';
import { maybe, t } from '../lib/words.svelte.ts';

/** A piece in words, with the gender its name needs: "white pawn", "белая ладья". */
export function pieceName(game: Game, piece: string, side: PieceView['side']): string {
  if (game === 'gyges') return maybe(`piece.gyges.${piece}`) ?? piece;
  if (game === 'leiser') {
    const low = piece.toLowerCase();
    const kind = low[0] === low[1] ? 'king' : 'pawn';
    return `${maybe(`piece.leiser.${side}.${kind}`) ?? piece} ${maybe(`direction.${low}`) ?? ''}`.trim();
  }
  return maybe(`piece.${side}.${piece.toLowerCase()}`) ?? piece;
}

/** A square and what stands on it. */
export function squareWords(view: BoardView, square: string, man = view.pieces.find((p) => p.square === square) ?? null): string {
  const name = square === 'P1' ? t('board.goal.south') : square === 'P2' ? t('board.goal.north') : square;
  return man ? `${name}, ${pieceName(view.game, man.piece, man.side)}` : name;
}

/** Which way a mirror or a laser turns, as a sign. */
export function turnSign(suffix: string | null | undefined): string | undefined {
  return { R: '↻', L: '↺', U: '⇅' }[suffix ?? ''];
}

/** What a choice is called, and its sign. */
export function choiceWords(game: Game, choice: string): string {
  if (choice === 'end') return t('board.choice.end');
  if (choice === '.') return t('board.choice.fire');
  if (game === 'leiser') return maybe(`board.turn.${choice.toLowerCase()}`) ?? choice;
  return maybe(`piece.name.${choice.toLowerCase()}`) ?? choice;
}
