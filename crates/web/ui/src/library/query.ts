/** What is looked for, as an address and as a question. */
import type { Game, LibraryQuery } from '../lib/wire.ts';

export interface Search {
  game: Game | '';
  player: string;
  result: string;
  opening: string;
  source: string;
  position: string;
}

export const NOTHING: Search = { game: '', player: '', result: '', opening: '', source: '', position: '' };

export function fromAddress(query: URLSearchParams): Search {
  const search = { ...NOTHING };
  for (const name of Object.keys(NOTHING) as (keyof Search)[]) {
    const value = query.get(name);
    if (value !== null) (search as Record<string, string>)[name] = value;
  }
  return search;
}

/** The query part of an address; empty where nothing is set. */
export function toAddress(search: Search): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(search)) if (value.trim()) query.set(name, value.trim());
  const text = query.toString();
  return text ? `?${text}` : '';
}

/** The game that a position is written for, as far as its shape tells. */
function guessed(position: string): Game {
  const board = position.replace(/^fen /, '').split(/\s/)[0]!;
  return /^[0-3/]{36,}$/.test(board) ? 'gyges' : /[A-Z]{2}|[a-z]{2}/.test(board) && / [WB]$/.test(position) ? 'leiser' : 'chess';
}

export function toQuery(search: Search, skip: number, most: number): LibraryQuery {
  const text = (value: string) => value.trim() || null;
  const game = search.game || null;
  const position = text(search.position);
  return {
    game,
    player: text(search.player),
    result: text(search.result),
    opening: text(search.opening),
    source: search.source ? Number(search.source) : null,
    position: position ? { game: game ?? guessed(position), rules: '', position } : null,
    skip,
    most,
  };
}

export const isEmpty = (search: Search): boolean => Object.values(search).every((value) => value.trim() === '');

/** A tag's value; records write `?` where nothing is known. */
export const known = (value: string): string => (/^[?\s]*$/.test(value) ? '' : value);

/** What is known of a date: `1858.??.??` is 1858. */
export const knownDate = (date: string): string => (/^\d/.test(date) ? date.replace(/(\.[?]+)+$/, '') : '');
