import type { NodeView, PositionReport } from '../lib/wire.ts';

/** A piece of a variation: a move, a bracket, words. */
export type Token = { move: NodeView; number: boolean } | { sign: '(' | ')' } | { words: string; of: number };

/** The list that is drawn: rows of the main line, words and variations between. */
export type Item =
  | { kind: 'row'; key: string; number: number; white: NodeView | null; black: NodeView | null }
  | { kind: 'words'; key: string; text: string; of: number }
  | { kind: 'line'; key: string; tokens: Token[]; begins: boolean; ends: boolean };

/** Tokens of an item at most: a longer variation is drawn in parts, of which only those in view are. */
const MOST_TOKENS = 120;

/** The glyphs of a move: its own, and the report's where it has no verdict of its own. */
export function nagsOf(node: NodeView, found: PositionReport | undefined): number[] {
  if (!found?.nag || node.nags.some((n) => n <= 6)) return node.nags;
  return [found.nag, ...node.nags];
}

/** A variation from a move on, with its own variations in brackets. */
function variation(from: NodeView, below: (id: number) => NodeView[], tokens: Token[] = []): Token[] {
  let number = true;
  for (let n: NodeView | undefined = from; n; ) {
    if (n.before) tokens.push({ words: n.before, of: n.id });
    tokens.push({ move: n, number: number || n.side === 'white' });
    number = false;
    if (n.comment) {
      tokens.push({ words: n.comment, of: n.id });
      number = true;
    }
    // The moves that could stand in its place come behind it.
    const others: NodeView[] = n === from || n.parent === null ? [] : below(n.parent).slice(1);
    for (const other of others) {
      tokens.push({ sign: '(' });
      variation(other, below, tokens);
      tokens.push({ sign: ')' });
      number = true;
    }
    n = below(n.id)[0];
  }
  return tokens;
}

/** A variation as items. */
function lines(from: NodeView, below: (id: number) => NodeView[]): Item[] {
  const tokens = variation(from, below);
  const parts: Item[] = [];
  for (let at = 0; at < tokens.length; at += MOST_TOKENS) {
    const ends = at + MOST_TOKENS >= tokens.length;
    parts.push({ kind: 'line', key: `v${from.id}.${at}`, tokens: tokens.slice(at, at + MOST_TOKENS), begins: at === 0, ends });
  }
  return parts;
}

/** Where each move is drawn: its node, and the number of its item. */
export function placesOf(list: Item[]): Map<number, number> {
  const places = new Map<number, number>();
  list.forEach((item, i) => {
    if (item.kind === 'row') for (const node of [item.white, item.black]) node && places.set(node.id, i);
    else if (item.kind === 'line') for (const token of item.tokens) 'move' in token && places.set(token.move.id, i);
  });
  return places;
}

/** Pixels that an item takes, until it was drawn. */
export function guessedHeight(item: Item): number {
  if (item.kind === 'row') return 28;
  const letters = item.kind === 'words' ? item.text.length : item.tokens.reduce((sum, token) => sum + ('move' in token ? 7 : 'words' in token ? token.words.length : 1), 0);
  return 20 + 22 * Math.ceil(letters / 44);
}

export function items(below: (id: number) => NodeView[], start: NodeView | undefined): Item[] {
  const list: Item[] = [];
  if (start?.comment) list.push({ kind: 'words', key: 'w0', text: start.comment, of: 0 });
  let row: Extract<Item, { kind: 'row' }> | null = null;
  for (let n = below(0)[0]; n; n = below(n.id)[0]) {
    if (n.before) {
      list.push({ kind: 'words', key: `b${n.id}`, text: n.before, of: n.id });
      row = null;
    }
    if (row && n.side === 'black' && !row.black) row.black = n;
    else {
      row = { kind: 'row', key: `r${n.id}`, number: n.number, white: n.side === 'white' ? n : null, black: n.side === 'black' ? n : null };
      list.push(row);
    }
    const others = n.parent === null ? [] : below(n.parent).slice(1);
    if (n.comment) list.push({ kind: 'words', key: `c${n.id}`, text: n.comment, of: n.id });
    for (const other of others) list.push(...lines(other, below));
    if (n.comment || others.length > 0) row = null;
  }
  return list;
}
