import { pieceName } from '../board/names.ts';
import type { Game } from '../lib/wire.ts';
import { sideOf } from './pieces.ts';

/** A piece in words; the letters of position texts say whose it is. */
export const pieceWords = (game: Game, piece: string): string => pieceName(game, piece, sideOf(game, piece));
