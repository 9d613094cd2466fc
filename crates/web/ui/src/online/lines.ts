/** The lines of a game server. Its documentation is docs/server.md; what is not known here is not looked at. */

/** Keys whose value is all that is left of the line. */
const last = new Set(['fen', 'reason', 'program', 'text', 'title']);

/** A line as its first words and the pairs behind them. */
export function pairs(text: string): Map<string, string> {
  const found = new Map<string, string>();
  let rest = text.trim();
  while (rest) {
    const [, key = '', more = ''] = /^(\S+)\s*([^]*)$/.exec(rest) ?? [];
    const value = last.has(key) ? more : (/^\S*/.exec(more)?.[0] ?? '');
    // The first of a kind counts: a text of a stranger comes last.
    if (!found.has(key)) found.set(key, value);
    rest = more.slice(value.length).trim();
  }
  return found;
}

/** `startpos` or `fen ...`, and the moves behind it. */
export function position(text: string): { start: string; moves: string[] } {
  const [start = '', moves = ''] = text.split(/\s+moves(?:\s+|$)/, 2);
  const words = start.trim();
  return { start: words === 'startpos' ? '' : words.replace(/^fen\s+/, ''), moves: moves.split(/\s+/).filter(Boolean) };
}

/** Milliseconds of White and Black in `wtime 1000 btime ...`. */
export function clocks(text: string): [number, number] | null {
  const found = pairs(text);
  const [white, black] = [Number(found.get('wtime')), Number(found.get('btime'))];
  return Number.isFinite(white) && Number.isFinite(black) ? [white, black] : null;
}

/** A text as the one word of a value. */
export function word(text: string): string {
  return text.trim().replace(/\s+/g, '_');
}

/** A text that cannot end its line. */
export function plain(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
