import { enginesFor } from '../lib/engines.svelte.ts';
import { prefs, remember } from '../lib/prefs.svelte.ts';
import { ask, follow, type EngineAnalysis, type Focus, type Game, type ScoreView } from '../lib/wire.ts';
import { failed } from '../parts/toasts.svelte.ts';

/** What engines think about the position that is looked at. */
export class Analysis {
  /** The newest of each engine. */
  said: Record<number, EngineAnalysis> = $state.raw({});
  /** What stands still because the pointer is over it. */
  private held: Record<number, EngineAnalysis> = $state.raw({});
  /** Only these moves are searched. */
  only: string[] = $state.raw([]);
  threat = $state(false);
  /** Longer than the user set, for this position alone. */
  deeper = $state(false);
  /** The last score that was known, so that the bar does not jump to the middle. */
  last = $state.raw<ScoreView | null>(null);

  constructor(private game: () => Game) {}

  get on(): boolean {
    return prefs.analysis.on;
  }

  get lines(): number {
    return prefs.analysis.lines;
  }

  get seconds(): number {
    return prefs.analysis.seconds;
  }

  /** The engines that look, in order. */
  engines: number[] = $derived.by(() => {
    const able = enginesFor(this.game());
    const wanted = (prefs.analysis.engines[this.game()] ?? []).filter((id) => able.some((e) => e.id === id));
    return wanted.length > 0 ? wanted : able.slice(0, 1).map((e) => e.id);
  });

  set(change: Partial<typeof prefs.analysis>): void {
    remember('analysis', { ...$state.snapshot(prefs.analysis), ...change });
  }

  setEngines(ids: number[]): void {
    this.set({ engines: { ...$state.snapshot(prefs.analysis.engines), [this.game()]: ids } });
  }

  follow(): () => void {
    return follow({ topic: 'analysis' }, (news) => {
      if (news.news === 'analysis') {
        for (const engine of news.of.engines) this.hear(engine);
      } else if (news.news === 'lines') this.hear(news.of);
    });
  }

  /** What was said is of a search that is no more: it stays, in grey, until there is something new. */
  lost(): void {
    const old = Object.values(this.said).map((engine) => ({ ...engine, search: -1, node: -1, running: false }));
    this.said = Object.fromEntries(old.map((engine) => [engine.engine, engine]));
  }

  private hear(engine: EngineAnalysis): void {
    const before = this.said[engine.engine];
    if (before && before.search > engine.search) return;
    // A search that has just begun has no lines: the old ones stay, in grey.
    const lines = engine.lines.length === 0 && before && !engine.trouble ? before.lines : engine.lines;
    const node = lines === engine.lines ? engine.node : -1;
    this.said = { ...this.said, [engine.engine]: { ...engine, lines, node } };
    const best = engine.lines[0];
    if (best && engine.engine === this.engines[0] && !this.threat) this.last = best.score;
  }

  /** Stops the lines of an engine from changing, while the pointer is over them. */
  hold(id: number, on: boolean): void {
    const next = { ...this.held };
    const now = this.said[id];
    if (on && now) next[id] = now;
    else delete next[id];
    this.held = next;
  }

  /** What is shown of an engine: numbers that run, lines that may be held. */
  shown(id: number): EngineAnalysis | null {
    const now = this.said[id];
    const held = this.held[id];
    if (!now || !held || held.node !== now.node || held.study !== now.study) return now ?? null;
    return { ...now, lines: held.lines };
  }

  /** Lets the engines look at a node, or rest. */
  look(study: number, node: number): void {
    if (!this.on || this.engines.length === 0) {
      ask({ ask: 'stop-analysis' }).catch(() => {});
      return;
    }
    const movetime = this.seconds > 0 && !this.deeper ? this.seconds * 1000 : null;
    const focus: Focus = {
      study, node, engines: [...this.engines], lines: this.lines, limits: { movetime, depth: null, nodes: null }, moves: this.only, threat: this.threat,
    };
    ask({ ask: 'analyse', focus }).catch(failed);
  }

  rest(): void {
    ask({ ask: 'stop-analysis' }).catch(() => {});
  }
}
