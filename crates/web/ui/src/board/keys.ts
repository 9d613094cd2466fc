import type { Command } from '../lib/keys.svelte.ts';

/** Keys of a board that has the focus, for the list of keys. */
export const boardKeys: Command[] = [];
