import { untrack } from 'svelte';
import { prefs } from './prefs.svelte.ts';
import type { Key } from './words.svelte.ts';

/** A command by key. Keys are written `ArrowLeft`, `shift+ArrowLeft`, `ctrl+c`, `f`, `?`. */
export interface Command {
  key: string;
  /** What it does; also its name when the user changes the key. */
  words: Key;
  run: (event: KeyboardEvent) => void;
  /** The room it belongs to, for the list; none for everywhere. */
  room?: 'play' | 'analyse' | 'board';
  /** Listed only: handled where the focus is. */
  listed?: boolean;
}

let lists: Command[][] = $state.raw([]);

/** All commands that work now. */
export function commands(): Command[] {
  return lists.flat();
}

/** The key of a command, as the user wants it. */
export function keyOf(command: Command): string {
  return prefs.keys[command.words] ?? command.key;
}

/** Adds commands; returns how to take them away: made for `$effect`. */
export function addKeys(list: Command[]): () => void {
  // Adding is no reason for an effect that adds to run again.
  untrack(() => (lists = [...lists, list]));
  return () => {
    lists = lists.filter((l) => l !== list);
  };
}

/** How a press is written. Shift is only named where the key is not a character of its own. */
export function written(event: KeyboardEvent): string {
  const parts: string[] = [];
  if (event.ctrlKey || event.metaKey) parts.push('ctrl');
  if (event.altKey) parts.push('alt');
  if (event.shiftKey && (event.key.length > 1 || /\p{L}/u.test(event.key))) parts.push('shift');
  const letter = latin(event);
  parts.push(letter === ' ' ? 'Space' : letter);
  return parts.join('+');
}

/** The Latin letter on a key, so that commands work with a Russian layout as well. */
function latin(event: KeyboardEvent): string {
  if (event.key.length > 1) return event.key;
  const code = /^Key([A-Z])$/.exec(event.code);
  if (code?.[1] && !/^[a-z]$/i.test(event.key)) return code[1].toLowerCase();
  if (event.code === 'Slash' && !/[/?]/.test(event.key)) return event.shiftKey ? '?' : '/';
  return event.key.toLowerCase();
}

/** Whether a press belongs to what has the focus. */
export function typing(event: KeyboardEvent): boolean {
  const at = event.target as HTMLElement | null;
  if (!at?.closest) return false;
  if (at.closest('input:not([type=checkbox], [type=radio], [type=button]), textarea, select, [contenteditable]')) return true;
  // A dialog that has just closed keeps the focus until the next frame, and no longer wants keys.
  return at.closest('dialog[open], [popover], [role=menu]') !== null;
}

addEventListener('keydown', (event) => {
  if (event.defaultPrevented || typing(event)) return;
  const key = written(event);
  // A focused button takes the keys that press it.
  const at = event.target as HTMLElement | null;
  if ((key === 'Space' || key === 'Enter') && at?.closest?.('button, a, [role=gridcell], summary')) return;
  for (const list of lists.toReversed()) {
    const found = list.find((c) => !c.listed && keyOf(c) === key);
    if (found) {
      event.preventDefault();
      found.run(event);
      return;
    }
  }
});
