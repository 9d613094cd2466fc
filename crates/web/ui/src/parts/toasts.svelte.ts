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

/** Tells something in passing; with `undo` it can be taken back for eight seconds. Returns its number for {@link dismiss}. */
export function toast(text: string, more: { undo?: () => void; bad?: boolean } = {}): number {
  number += 1;
  const id = number;
  toasts.push({ id, text, bad: more.bad ?? false, undo: more.undo });
  if (toasts.length > 4) toasts.shift();
  setTimeout(() => dismiss(id), more.undo || more.bad ? 8000 : 3500);
  return id;
}

/** Tells why something did not work; made for `.catch(failed)`. */
export function failed(error: unknown): void {
  toast(refusal(error), { bad: true });
}
