import { prefs } from '../lib/prefs.svelte.ts';
import type { BoardView, NodeView, Outcome, ScoreView, Side } from '../lib/wire.ts';

/** Whether a score is to be turned round for the reader. */
function turned(side: Side): boolean {
  return prefs.view === 'mover' && side === 'black';
}

/** A score in short: `+0.34`, `−1.20`, `#5`. */
export function scoreText(score: ScoreView, side: Side): string {
  const sign = turned(side) ? -1 : 1;
  if (score.mate !== null) {
    if (score.mate === 0) return '#';
    const n = score.mate * sign;
    return n < 0 ? `−#${-n}` : `#${n}`;
  }
  if (score.cp === null) return `${Math.round((sign > 0 ? score.win : 1 - score.win) * 100)} %`;
  const pawns = (score.cp * sign) / 100;
  const text = Math.abs(pawns).toFixed(Math.abs(pawns) >= 10 ? 1 : 2);
  return Number(text) === 0 ? '0.00' : `${pawns < 0 ? '−' : '+'}${text}`;
}

/** Win, draw and loss in per cent for the reader. */
export function wdlOf(score: ScoreView, side: Side): [number, number, number] {
  const [w, d, l] = score.wdl ?? [Math.round(score.win * 1000), 0, 1000 - Math.round(score.win * 1000)];
  const all = [w, d, l].map((n) => Math.round(n / 10)) as [number, number, number];
  return turned(side) ? [all[2], all[1], all[0]] : all;
}

export function wdlText(score: ScoreView, side: Side): string {
  return wdlOf(score, side).join(' / ');
}

/** White's share from 0 to 1. */
export function winOf(score: ScoreView): number {
  if (score.mate !== null && score.mate !== 0) return score.mate > 0 ? 1 : 0;
  return Math.max(0, Math.min(1, score.win));
}

/** A position that ends the game as a score: it is certain, and no engine need be asked. */
export function endScore(outcome: Outcome): ScoreView {
  return { cp: outcome.winner ? null : 0, mate: outcome.winner ? 0 : null, win: outcome.winner === null ? 0.5 : outcome.winner === 'white' ? 1 : 0, wdl: null };
}

/** A result in short. */
export function resultSign(outcome: Outcome): string {
  return outcome.winner === null ? '½' : outcome.winner === 'white' ? '1–0' : '0–1';
}

/** Whose move comes behind a node, and its number. */
export function behind({ parent, side, number }: Pick<NodeView, 'parent' | 'side' | 'number'>): { side: Side; number: number } {
  if (parent === null) return { side, number };
  return side === 'white' ? { side: 'black', number } : { side: 'white', number: number + 1 };
}

/** Whose move a line begins with, and its number: where the side to move passes, the other's. */
export function lineStart(board: Pick<BoardView, 'side' | 'number'>, side: Side): { side: Side; number: number } {
  return { side, number: side === 'white' && board.side === 'black' ? board.number + 1 : board.number };
}

/** A large number in four signs: `943k`, `1.2M`. */
export function compact(n: number): string {
  for (const [size, sign] of [[1e9, 'G'], [1e6, 'M'], [1e3, 'k']] as const) {
    if (n >= size) return `${(n / size).toFixed(n / size < 10 ? 1 : 0)}${sign}`;
  }
  return String(Math.round(n));
}
