import { go } from '../lib/route.svelte.ts';
import { load } from '../lib/upload.ts';
import { count, t } from '../lib/words.svelte.ts';
import { failed, toast } from '../parts/toasts.svelte.ts';

/** Opens whatever a text or a file is: a game, a position, many games. */
async function take(content: string | File): Promise<void> {
  try {
    const found = await load(content);
    if (!found) {
      toast(t('library.import.begun'));
      return;
    }
    const [first, ...more] = found.troubles;
    if (first) toast(more.length ? t('library.import.more', { words: first, n: more.length }) : first, { bad: true });
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
  const content = data.files[0] ?? data.getData('text');
  if (typeof content !== 'string' || content.trim()) await take(content);
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
