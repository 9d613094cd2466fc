import type { Game } from './wire.gen.ts';

/** The four games, in the order in which they are shown. */
export const games: readonly Game[] = ['chess', 'liberty', 'leiser', 'gyges'];
