import { turnSign } from '../board/names.ts';
import type { Arrow } from '../board/types.ts';
import { prefs } from '../lib/prefs.svelte.ts';
import type { Analysis } from './analysis.svelte.ts';
import { scoreText, winOf } from './score.ts';
import type { Study } from './study.svelte.ts';

/** What stands at the head of an arrow, as the user wants it. */
function label(win: number, text: string, rank: number, forced: boolean, turn: string | undefined): string | undefined {
  if (prefs.heads === 'rank') return String(rank);
  if (prefs.heads === 'win') return `${Math.round(win * 100)}`;
  return prefs.heads === 'score' || forced ? text : turn;
}

/** How thick an arrow is, from 0 to 1, by the win chance its move gives away. */
export function arrowWidth(loss: number): number {
  return Math.min(1, Math.max(0.1, 1 - loss * 5));
}

/**
 * The first moves of the lines. They are the thinner the more they lose; a piece
 * that is picked shows only its own, with the engine's view of each.
 */
export function arrows(study: Study, analysis: Analysis, picked: string | null): Arrow[] {
  if (!prefs.arrows || !analysis.on) return [];
  const all: Arrow[] = [];
  analysis.engines.slice(0, 4).forEach((id, place) => {
    const now = analysis.shown(id);
    if (!now || now.old || now.node !== study.boardOf) return;
    // With the threat that is the side that threatens.
    const share = (win: number): number => (now.side === 'white' ? win : 1 - win);
    const best = now.lines[0] ? share(winOf(now.lines[0].score)) : 0;
    now.lines.slice(0, analysis.lines).forEach((line, i) => {
      if (picked && line.squares[0] !== picked) return;
      const win = share(winOf(line.score));
      const loss = best - win;
      if (!picked && i > 0 && loss > 0.25) return;
      all.push({
        squares: line.squares,
        kind: analysis.threat ? 'threat' : ((place + 1) as 1 | 2 | 3 | 4),
        width: arrowWidth(loss),
        best: i === 0,
        label: label(win, scoreText(line.score, now.side), line.rank, picked !== null, line.squares.length === 1 ? turnSign(line.moves[0]?.at(-1)) : undefined),
        text: analysis.threat ? undefined : line.moves[0],
      });
    });
  });
  // The best ones are drawn last, above the others.
  return all.reverse();
}
