import { go } from '../lib/route.svelte.ts';
import { askFor } from '../lib/wire.ts';
import { count, t } from '../lib/words.svelte.ts';
import { failed, toast } from '../parts/toasts.svelte.ts';

/** Opens whatever a text is: a game, a position, many games. */
export async function take(text: string): Promise<void> {
  if (!text.trim()) return;
  try {
    const found = await askFor('import', { ask: 'paste', text, game: null });
    for (const trouble of found.troubles.slice(0, 3)) toast(trouble, { bad: true });
    if (found.study !== null) go(`/analyse/${found.study}`);
    else if (found.source !== null) {
      toast(count('count.games', found.games));
      go(`/library?source=${found.source}`);
    }
  } catch (error) {
    failed(error);
  }
}

/** A paste outside a text field opens what was pasted. */
export function takePasted(event: ClipboardEvent): void {
  const at = event.target as HTMLElement | null;
  if (at?.closest?.('input, textarea, [contenteditable]')) return;
  const text = event.clipboardData?.getData('text') ?? '';
  if (!text.trim()) return;
  event.preventDefault();
  void take(text);
}

/** So does a text or a file that is dropped on the page. */
export async function takeDropped(event: DragEvent): Promise<void> {
  const data = event.dataTransfer;
  if (!data) return;
  event.preventDefault();
  const file = data.files[0];
  if (file && file.size > 64 << 20) {
    toast(t('shell.large'), { bad: true });
    return;
  }
  await take(file ? await file.text() : data.getData('text'));
}

/** Puts a text on the clipboard and says so. */
export async function copy(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    toast(t('common.copied'));
  } catch (error) {
    failed(error);
  }
}
