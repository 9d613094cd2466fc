import type { Command } from '../lib/keys.svelte.ts';
import { prefs, remember } from '../lib/prefs.svelte.ts';
import { outcomeWords } from '../lib/say.ts';
import { failed, toast } from '../parts/toasts.svelte.ts';
import { t } from '../lib/words.svelte.ts';
import type { Analysis } from './analysis.svelte.ts';
import { copyPgn, copyPosition, remove } from './deeds.ts';
import { scoreText } from './score.ts';
import type { Study } from './study.svelte.ts';

export interface Deeds {
  study: Study;
  analysis: Analysis;
  flip: () => void;
  input: () => void;
  comment: () => void;
}

/** Glyphs by key: 1 to 6, and 0 for none. */
const glyphKeys: [string, number][] = [['1', 3], ['2', 1], ['3', 5], ['4', 6], ['5', 2], ['6', 4]];

export async function setGlyph(study: Study, nag: number | null): Promise<void> {
  const node = study.node;
  if (!node || node.parent === null) return;
  // Only one of the six at a time; the same again takes it away.
  const rest = node.nags.filter((n) => n > 6);
  const nags = nag === null || node.nags.includes(nag) ? rest : [nag, ...rest];
  await study.edit({ edit: 'nags', node: node.id, nags });
}

/** The moves the engines would choose here, the best first, none twice. */
function best(study: Study, analysis: Analysis): string[] {
  // A threat is no move of the side whose turn it is.
  if (analysis.threat) return [];
  const lines = analysis.engines.flatMap((id) => {
    const now = analysis.shown(id);
    return now && !now.old && now.node === study.boardOf ? now.lines : [];
  });
  return [...new Set(lines.map((l) => l.moves[0]!))];
}

export function commands({ study, analysis, flip, input, comment }: Deeds): Command[] {
  const run = (work: () => Promise<unknown> | undefined) => () => void work()?.catch(failed);
  const playBest = (n: number) =>
    run(() => {
      const move = best(study, analysis)[n];
      return move ? study.move(move) : undefined;
    });
  const say = (): void => {
    const outcome = study.board?.outcome;
    if (outcome) return void toast(outcomeWords(study.game, outcome).join(', '));
    const now = analysis.shown(analysis.engines[0] ?? -1);
    const line = now?.lines[0];
    toast(now && line && !now.old ? t('analyse.say', { score: scoreText(line.score, now.side), move: line.notation[0] ?? '', depth: now.depth }) : t('analyse.say.none'));
  };
  const room = 'analyse' as const;
  return [
    { key: 'ArrowLeft', words: 'analyse.back', room, run: run(() => study.step(-1)) },
    { key: 'ArrowRight', words: 'analyse.forward', room, run: run(() => study.step(1)) },
    { key: 'ArrowUp', words: 'analyse.up', room, run: run(() => study.sibling(-1)) },
    { key: 'ArrowDown', words: 'analyse.down', room, run: run(() => study.sibling(1)) },
    { key: 'Home', words: 'analyse.begin', room, run: run(() => study.goTo(0)) },
    { key: 'End', words: 'analyse.end', room, run: run(() => study.end()) },
    { key: 'shift+ArrowLeft', words: 'analyse.branch.back', room, run: run(() => study.branch(-1)) },
    { key: 'shift+ArrowRight', words: 'analyse.branch.next', room, run: run(() => study.branch(1)) },
    { key: 'f', words: 'analyse.flip', room, run: flip },
    { key: 'Space', words: 'analyse.best', room, run: playBest(0) },
    ...([1, 2, 3, 4] as const).map((n): Command => ({ key: `F${n}`, words: `analyse.choice${n}`, room, run: playBest(n - 1) })),
    { key: 'l', words: 'analyse.on', room, run: () => analysis.set({ on: !analysis.on }) },
    { key: 'a', words: 'analyse.arrows', room, run: () => remember('arrows', !prefs.arrows) },
    { key: 'x', words: 'analyse.threat', room, run: () => study.game !== 'gyges' && study.game !== 'leiser' && (analysis.threat = !analysis.threat) },
    { key: 'd', words: 'analyse.deeper', room, run: () => (analysis.deeper = true) },
    { key: 'w', words: 'analyse.wdl', room, run: () => remember('wdl', !prefs.wdl) },
    { key: 'v', words: 'analyse.read', room, run: say },
    { key: 'i', words: 'analyse.input', room, run: input },
    { key: 'c', words: 'analyse.comment', room, run: comment },
    ...glyphKeys.map(([key, nag]): Command => ({ key, words: `analyse.glyph${nag as 1 | 2 | 3 | 4 | 5 | 6}`, room, run: run(() => setGlyph(study, nag)) })),
    { key: '0', words: 'analyse.glyph.none', room, run: run(() => setGlyph(study, null)) },
    { key: 'Delete', words: 'analyse.delete', room, run: run(() => remove(study, study.at)) },
    { key: 'ctrl+z', words: 'analyse.undo', room, run: run(() => study.edit({ edit: 'undo' })) },
    { key: 'ctrl+y', words: 'analyse.redo', room, run: run(() => study.edit({ edit: 'redo' })) },
    { key: 'ctrl+shift+z', words: 'analyse.redo', room, run: run(() => study.edit({ edit: 'redo' })) },
    { key: 'ctrl+c', words: 'analyse.copyfen', room, run: run(() => (getSelection()?.toString() ? void document.execCommand('copy') : copyPosition(study))) },
    { key: 'ctrl+shift+c', words: 'analyse.copypgn', room, run: run(() => copyPgn(study)) },
  ];
}
