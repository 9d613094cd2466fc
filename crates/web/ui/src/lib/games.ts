import type { Game, Preset } from './wire.gen.ts';
import { hello } from './wire.svelte.ts';

/** The four games, in the order in which they are shown. */
export const games: readonly Game[] = ['chess', 'liberty', 'leiser', 'gyges'];

/** The position that shows what a game is about, where that is not the usual one: the army with all pieces of Liberty Chess. */
export function showpiece(game: Game): Preset | undefined {
  if (game !== 'liberty') return undefined;
  const presets = hello.games.find((info) => info.game === game)?.rules[0]?.presets ?? [];
  return presets.find((preset) => /^liberty/i.test(preset.name));
}
