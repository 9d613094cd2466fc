/** The pieces of each game by the letters of position texts, and what keys do to them. */
import type { Game, Side } from '../lib/wire.ts';

const CHESS = 'KQRBNP';
/** As the rules list them. */
const LIBERTY = 'KQRBNPACMXULZIHEOW';
const TURNS = [
  ['NN', 'EE', 'SS', 'WW'],
  ['NW', 'NE', 'SE', 'SW'],
];

/** The rows of the palette. */
export function palette(game: Game): string[][] {
  if (game === 'gyges') return [['1', '2', '3']];
  const white = game === 'leiser' ? TURNS.flat() : [...(game === 'chess' ? CHESS : LIBERTY)];
  return [white, white.map((piece) => piece.toLowerCase())];
}

/** Whose a piece is; Gyges pieces belong to neither. */
export function sideOf(game: Game, piece: string): Side | null {
  if (game === 'gyges') return null;
  return piece === piece.toUpperCase() ? 'white' : 'black';
}

/** How a Leiserchess piece stands: degrees clockwise from its first direction. */
export function angle(game: Game, piece: string, flipped: boolean): number {
  if (game !== 'leiser') return 0;
  const row = TURNS.find((row) => row.includes(piece.toUpperCase()));
  return 90 * (row?.indexOf(piece.toUpperCase()) ?? 0) + (flipped ? 180 : 0);
}

/** A Leiserchess piece turned by a quarter to the right. */
export function turned(piece: string): string {
  const row = TURNS.find((row) => row.includes(piece.toUpperCase()));
  if (!row) return piece;
  const next = row[(row.indexOf(piece.toUpperCase()) + 1) % 4] ?? piece;
  return piece === piece.toUpperCase() ? next : next.toLowerCase();
}

/** The piece that a key puts, if it does. */
export function pieceOfKey(game: Game, key: string): string | null {
  if (game === 'gyges') return /^[123]$/.test(key) ? key : null;
  if (game === 'leiser') return null;
  const letters = game === 'chess' ? CHESS : LIBERTY;
  return key.length === 1 && letters.includes(key.toUpperCase()) ? key : null;
}
