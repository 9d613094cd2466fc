import { refusal } from '../lib/say.ts';

export interface Toast {
  id: number;
  text: string;
  bad: boolean;
  undo?: () => void;
}

/** What is shown now, the newest last. */
export const toasts: Toast[] = $state([]);
let number = 0;

export function dismiss(id: number): void {
  const at = toasts.findIndex((toast) => toast.id === id);
  if (at >= 0) toasts.splice(at, 1);
}

/** Notices at once: one that something failed, and one of another kind. */
const MOST = 2;

/** Tells something in passing; with `undo` it can be taken back for eight seconds. Returns its number for {@link dismiss}. */
export function toast(text: string, more: { undo?: () => void; bad?: boolean } = {}): number {
  number += 1;
  const id = number;
  const bad = more.bad ?? false;
  // What failed last is what counts, and the same words twice are one notice.
  for (const old of toasts.filter((one) => one.text === text || (bad && one.bad))) dismiss(old.id);
  toasts.push({ id, text, bad, undo: more.undo });
  while (toasts.length > MOST) toasts.shift();
  setTimeout(() => dismiss(id), more.undo ? 8000 : bad ? 6000 : 3500);
  return id;
}

/** Tells why something did not work; made for `.catch(failed)`. */
export function failed(error: unknown): void {
  toast(refusal(error), { bad: true });
}
