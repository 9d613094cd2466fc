import { go } from '../lib/route.svelte.ts';
import { ask, askFor, type StudyInfo } from '../lib/wire.ts';
import { t } from '../lib/words.svelte.ts';
import type { Item } from '../parts/Menu.svelte';
import { dismiss, failed, toast } from '../parts/toasts.svelte.ts';
import { copy } from '../shell/paste.ts';
import { studyName } from './studies.ts';
import type { Study } from './study.svelte.ts';

/** The moves to a node as text, with their numbers. */
export function written(study: Study, id: number): string {
  return study.pathTo(id).map((n, i) => (n.side === 'white' ? `${n.number}. ` : i === 0 ? `${n.number}... ` : '') + n.notation).join(' ');
}

export async function remove(study: Study, id: number): Promise<void> {
  const parent = study.nodes.get(id)?.parent;
  if (parent === null || parent === undefined) return;
  await study.edit({ edit: 'delete', node: id });
  await study.goTo(parent);
  const shown = toast(t('analyse.deleted'), { undo: () => void study.edit({ edit: 'undo' }).then(() => study.goTo(id)).catch(failed) });
  // After another change, Undo would take back that one.
  study.onchange(() => dismiss(shown));
}

/** What can be done with a move. */
export function nodeMenu(study: Study, id: number): Item[] {
  const run = (work: () => Promise<unknown>) => () => void work().catch(failed);
  return [
    { words: t('analyse.promote'), icon: 'up', run: run(() => study.edit({ edit: 'promote', node: id })) },
    { words: t('analyse.main'), icon: 'star', run: run(() => study.edit({ edit: 'make-main', node: id })) },
    { words: t('analyse.copyvariation'), icon: 'copy', run: () => void copy(written(study, id)) },
    { words: t('analyse.delete'), icon: 'trash', danger: true, run: run(() => remove(study, id)) },
  ];
}

/** The position that is looked at, also when its board is still on its way. */
export async function copyPosition(study: Study): Promise<void> {
  await copy((await study.look(study.at)).text);
}

export async function copyPgn(study: Study): Promise<void> {
  await copy(await askFor('text', { ask: 'export', study: study.id, node: null }));
}

export async function savePgn(study: Study): Promise<void> {
  const text = await askFor('text', { ask: 'export', study: study.id, node: null });
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type: 'application/x-chess-pgn' }));
  link.download = `${(study.tree?.title || 'quadrille').replace(/[^\p{L}\p{N}]+/gu, '-')}.pgn`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/** Deletes an analysis; a notice brings it back. */
export async function deleteStudy(study: Pick<StudyInfo, 'id' | 'title'>): Promise<void> {
  const name = studyName(study);
  await ask({ ask: 'delete-study', study: study.id });
  toast(t('analyse.list.deleted', { name }), { undo: () => void ask({ ask: 'restore-study', study: study.id }).catch(failed) });
}

/** The same from inside it: the list is where one goes. */
export async function deleteOpen(study: Pick<StudyInfo, 'id' | 'title'>): Promise<void> {
  go('/analyse/list');
  await deleteStudy(study);
}

/** What can be done with the whole tree. */
export function studyMenu(study: Study): Item[] {
  const run = (work: () => Promise<unknown>) => () => void work().catch(failed);
  const text = encodeURIComponent(study.board?.text ?? '');
  return [
    { words: t('analyse.copyfen'), icon: 'copy', key: 'Ctrl C', run: run(() => copyPosition(study)) },
    { words: t('analyse.copypgn'), icon: 'copy', key: 'Ctrl ⇧ C', run: run(() => copyPgn(study)) },
    { words: t('analyse.download'), icon: 'download', run: run(() => savePgn(study)) },
    { words: t('analyse.undo'), icon: 'undo', key: 'Ctrl Z', run: run(() => study.edit({ edit: 'undo' })) },
    { words: t('analyse.redo'), icon: 'redo', key: 'Ctrl ⇧ Z', run: run(() => study.edit({ edit: 'redo' })) },
    { words: t('analyse.editor'), icon: 'editor', run: () => go(`/editor/${study.game}?position=${text}`) },
    { words: t('analyse.playfrom'), icon: 'play', run: () => go(`/play?game=${study.game}&position=${text}`) },
    { words: t('analyse.list.remove'), icon: 'trash', danger: true, run: run(() => deleteOpen({ id: study.id, title: study.tree?.title ?? '' })) },
  ];
}
