import { SvelteMap } from 'svelte/reactivity';
import { enginesFor } from '../lib/engines.svelte.ts';
import { prefs, remember } from '../lib/prefs.svelte.ts';
import { ask, follow, type EngineAnalysis, type Focus, type Game, type ScoreView } from '../lib/wire.ts';
import { failed } from '../parts/toasts.svelte.ts';
import type { Study } from './study.svelte.ts';

/** The newest words of an engine, and the search that its lines are from: the one before, until there are new ones. */
interface Said {
  now: EngineAnalysis;
  from: EngineAnalysis;
}

/** What is shown of an engine: the numbers of its search, and lines with the position they belong to. */
export interface Shown extends EngineAnalysis {
  from: EngineAnalysis;
  /** The lines are not about what is looked at now. */
  old: boolean;
}

/** What engines think about the position that is looked at. */
export class Analysis {
  /** By engine. */
  private said: Record<number, Said> = $state.raw({});
  /** Lines that stand still because the pointer is over them, with their search. */
  private held: Record<number, EngineAnalysis> = $state.raw({});
  /** The last score of each node by the first engine. */
  private scores = new SvelteMap<number, ScoreView>();
  /** Only these moves are searched. */
  only: string[] = $state.raw([]);
  threat = $state(false);
  /** Longer than the user set, for this position alone. */
  deeper = $state(false);

  constructor(private study: Pick<Study, 'id' | 'at' | 'game'>) {}

  private get game(): Game {
    return this.study.game;
  }

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
    const able = enginesFor(this.game);
    const wanted = (prefs.analysis.engines[this.game] ?? []).filter((id) => able.some((e) => e.id === id));
    return wanted.length > 0 ? wanted : able.slice(0, 1).map((e) => e.id);
  });

  set(change: Partial<typeof prefs.analysis>): void {
    remember('analysis', { ...$state.snapshot(prefs.analysis), ...change });
  }

  setEngines(ids: number[]): void {
    this.set({ engines: { ...$state.snapshot(prefs.analysis.engines), [this.game]: ids } });
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
    const old = Object.values(this.said).map(({ now, from }): Said => ({ now: { ...now, search: -1, running: false }, from: { ...from, search: -2 } }));
    this.said = Object.fromEntries(old.map((said) => [said.now.engine, said]));
  }

  private hear(engine: EngineAnalysis): void {
    // What is told first may be of the study that was open before.
    if (engine.study !== this.study.id) return;
    const before = this.said[engine.engine];
    if (before && before.now.search > engine.search) return;
    // A search that has just begun has no lines: the old ones stay, in grey.
    const keeps = engine.lines.length === 0 && before && !engine.trouble;
    this.said = { ...this.said, [engine.engine]: { now: engine, from: keeps ? before.from : engine } };
    const best = engine.lines[0];
    if (best && engine.engine === this.engines[0] && !engine.threat && engine.only.length === 0) this.scores.set(engine.node, best.score);
  }

  /** What the first engine said last about a node. */
  score(node: number): ScoreView | null {
    return this.scores.get(node) ?? null;
  }

  /** Whether what an engine said is about what is looked at. */
  private fits(said: EngineAnalysis): boolean {
    return said.node === this.study.at && said.threat === this.threat && said.only.join() === this.only.join();
  }

  /** Stops the lines of an engine from changing, while the pointer is over them. */
  hold(id: number, on: boolean): void {
    const next = { ...this.held };
    const said = this.said[id];
    if (on && said) next[id] = said.from;
    else delete next[id];
    this.held = next;
  }

  /** What is shown of an engine: numbers that run, lines that may be held. */
  shown(id: number): Shown | null {
    const said = this.said[id];
    if (!said) return null;
    const { now } = said;
    const held = this.held[id];
    const from = held?.search === said.from.search ? held : said.from;
    return { ...now, lines: from.lines, from, old: from.search !== now.search || !this.fits(from) };
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
