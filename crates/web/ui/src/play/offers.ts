import { other } from '../lib/say.ts';
import type { Side, TableInfo, TableStatus } from '../lib/wire.ts';

/** What this page has asked the other side for and not heard of yet. */
export function waitsFor(view: Pick<TableStatus, 'draw_offer' | 'takeback'>, mine: Side[]): 'draw' | 'takeback' | null {
  const open = (by: Side | undefined): boolean => by !== undefined && mine.includes(by) && !mine.includes(other(by));
  return open(view.draw_offer) ? 'draw' : open(view.takeback) ? 'takeback' : null;
}

/**
 * Who plays, for a list: `you` stands for one player without a name; where neither has one
 * the sides are named.
 */
export function players(table: Pick<TableInfo, 'names'>, you: string, sides: [string, string]): [string, string] {
  const [white, black] = table.names;
  if (!white && !black) return sides;
  return [white || you, black || you];
}
