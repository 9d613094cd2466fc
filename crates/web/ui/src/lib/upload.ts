/** Files of games that are too large for a message: the server takes them and answers with a job. */
import { askFor, hello, Refused, type ImportView } from './wire.ts';
import { t } from './words.svelte.ts';

/** Bytes from which a file goes this way; a message to the server has a limit. */
const LARGE = 1 << 20;
/** What a page without a server reads, which has everything in memory. */
const MOST_ALONE = 32 << 20;

/**
 * What is in a file or a text: the answer of the desk, or, where it is so large that a job reads it,
 * nothing. `library` says that a single game goes there, too. Throws {@link Refused}.
 */
export async function load(content: File | string, library = false): Promise<ImportView | null> {
  const file = typeof content === 'string' ? new File([content], t('library.import.pasted')) : content;
  if (hello.data && file.size >= LARGE) {
    await upload(file);
    return null;
  }
  if (file.size > MOST_ALONE) throw new Refused('too-much', t('library.import.large'));
  const text = typeof content === 'string' ? content : await content.text();
  return askFor('import', { ask: 'paste', text, game: null, name: typeof content === 'string' ? null : content.name, library });
}

/** The number of the job that reads the file. */
async function upload(file: File): Promise<number> {
  // Headers carry plain letters only.
  const name = /^[\x20-\x7e]*$/.test(file.name) ? file.name : encodeURIComponent(file.name);
  const response = await fetch('./upload', { method: 'POST', headers: { 'x-name': name }, body: file });
  const text = await response.text();
  if (!response.ok) throw new Refused('machine', text.trim() || `${response.status} ${response.statusText}`);
  return Number(text);
}
