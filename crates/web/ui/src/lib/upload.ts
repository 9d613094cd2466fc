/** Files of games that are too large for a message: the server takes them and answers with a job. */
import { Refused } from './wire.ts';

/** Bytes from which a file goes this way. */
export const LARGE = 1 << 20;

/** The number of the job that reads the file. */
export async function upload(file: File): Promise<number> {
  // Headers carry plain letters only.
  const name = /^[\x20-\x7e]*$/.test(file.name) ? file.name : encodeURIComponent(file.name);
  const response = await fetch('./upload', { method: 'POST', headers: { 'x-name': name }, body: file });
  const text = await response.text();
  if (!response.ok) throw new Refused('machine', text.trim() || `${response.status} ${response.statusText}`);
  return Number(text);
}
