import { follow, type EngineView, type Game } from './wire.ts';

/** The engines as they stand, reactive; call {@link followEngines} in an effect. */
export const engines: { all: EngineView[]; known: boolean } = $state({ all: [], known: false });

export function followEngines(): () => void {
  return follow({ topic: 'engines' }, (news) => {
    if (news.news !== 'engines') return;
    engines.all = news.of.engines;
    engines.known = true;
  });
}

/** The engines that play a game, in the user's order. */
export function enginesFor(game: Game): EngineView[] {
  return engines.all.filter((e) => e.games.includes(game));
}

export function engineName(id: number): string {
  return engines.all.find((e) => e.id === id)?.name ?? `#${id}`;
}

/** The Elo numbers an engine offers, if it does. */
export function eloRange(engine: EngineView | undefined): { min: number; max: number } | null {
  const option = engine?.options.find((o) => o.name.toLowerCase() === 'uci_elo');
  return option?.kind.kind === 'spin' ? { min: option.kind.min, max: option.kind.max } : null;
}
