import type { Command } from '../lib/keys.svelte.ts';

const nothing = (): void => {};
const key = (key: string, words: Command['words']): Command => ({ key, words, run: nothing, room: 'board', listed: true });

/** Keys of a board that has the focus, for the list of keys. */
export const boardKeys: Command[] = [
  key('← ↑ ↓ →', 'board.key.arrows'),
  key('Enter', 'board.key.pick'),
  key('Escape', 'board.key.away'),
  key('k q r b n p', 'board.key.letter'),
  key('1 … 9', 'board.key.rank'),
  key('m', 'board.key.moves'),
  key('o', 'board.key.square'),
  key('l', 'board.key.last'),
  key('x', 'board.key.scan'),
  key('i', 'board.key.input'),
];
