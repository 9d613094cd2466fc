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

const HEAD = '# quadrille tape ';

/** The lines as a tape (docs/tape.md): what was said, and the rest as remarks. */
export function asTape(lines: Line[], name: string): string {
  const written = (text: string) => text.replaceAll('\\', '\\\\');
  const entry = (line: Line) => (line.way === '>' || line.way === '<' ? `${(line.at / 1000).toFixed(6)} ${line.way} ${written(line.text)}\n` : `# ${line.text}\n`);
  return `${HEAD}1\n# engine ${name}\n${lines.map(entry).join('')}`;
}

/** The lines of a tape; nothing if the text is none. What cannot be read is passed over. */
export function fromTape(text: string): Line[] | null {
  if (!text.startsWith(HEAD)) return null;
  const lines: Line[] = [];
  /** Pieces of a line that is not ended, by who says it. */
  const begun: Record<string, string> = {};
  for (const row of text.split('\n')) {
    const [, seconds, mark, said] = /^(\d+\.\d{1,9}) ([<>]-?|!) (.*)$/.exec(row) ?? [];
    if (seconds === undefined || mark === undefined || said === undefined) continue;
    const way = mark[0] === '!' ? '#' : mark[0]!;
    const whole = (begun[way] ?? '') + said;
    if (mark.endsWith('-')) {
      begun[way] = whole;
      continue;
    }
    delete begun[way];
    lines.push({ number: lines.length, at: Math.round(1000 * Number(seconds)), way, text: plain(whole) });
  }
  return lines;
}

/** Escapes as what they stand for; what cannot be seen stays written out. */
const plain = (text: string): string =>
  text.replace(/\\(\\|t|x[0-9a-fA-F]{2})/g, (all, kind: string) => (kind === '\\' ? '\\' : kind === 't' ? ' ' : all));

export const asText = (lines: Line[]): string =>
  lines.map((line) => `${clock(line.at).padStart(10)} ${line.way} ${line.text}\n`).join('');
