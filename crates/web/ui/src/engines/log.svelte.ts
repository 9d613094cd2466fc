/** The lines of a conversation, kept apart from what is drawn of them. */
import type { LogLine, LogView } from '../lib/wire.ts';

export type Which = 'all' | 'host' | 'engine';

/** More than this many lines are not kept by a page; the oldest go first. */
export const MOST = 50_000;

export interface Line extends LogLine {
  number: number;
}

export class Conversation {
  /** A new array on every change, so that drawing can tell. */
  lines = $state.raw<Line[]>([]);
  /** How many were missed because nothing kept them. */
  missed = $state(0);
  paused = $state(false);
  #waiting = $state.raw<Line[]>([]);

  get waiting(): number {
    return this.#waiting.length;
  }

  /** Takes what is new in a message; messages may overlap. */
  hear(view: LogView): void {
    const last = this.#last();
    const fresh = view.lines
      .map((line, i) => ({ ...line, number: view.first + i }))
      .filter((line) => line.number > last);
    if (last >= 0 && view.first > last + 1) this.missed += view.first - last - 1;
    if (last < 0 && view.first > 0) this.missed = view.first;
    if (fresh.length === 0) return;
    if (this.paused) this.#waiting = cut([...this.#waiting, ...fresh]);
    else this.lines = cut([...this.lines, ...fresh]);
  }

  resume(): void {
    this.paused = false;
    this.lines = cut([...this.lines, ...this.#waiting]);
    this.#waiting = [];
  }

  clear(): void {
    // The last line stays known, so that it does not come again.
    this.#seen = this.#last();
    this.lines = [];
    this.#waiting = [];
    this.missed = 0;
  }

  #seen = -1;

  #last(): number {
    const newest = this.#waiting[this.#waiting.length - 1] ?? this.lines[this.lines.length - 1];
    return Math.max(this.#seen, newest?.number ?? -1);
  }
}

const cut = (lines: Line[]): Line[] => (lines.length > MOST ? lines.slice(-MOST) : lines);

/** The lines that match; `text` without regard to case. */
export function matching(lines: Line[], which: Which, text: string): Line[] {
  const wanted = text.trim().toLowerCase();
  if (which === 'all' && wanted === '') return lines;
  return lines.filter(
    (line) =>
      (which === 'all' || (which === 'host' ? line.way === '>' : line.way === '<' || line.way === '!')) &&
      line.text.toLowerCase().includes(wanted),
  );
}

/** Seconds with thousandths, as in the log of the command line. */
export const clock = (ms: number): string => (ms / 1000).toFixed(3);

export const asText = (lines: Line[]): string =>
  lines.map((line) => `${clock(line.at).padStart(10)} ${line.way} ${line.text}\n`).join('');
