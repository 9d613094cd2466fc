import { askFor, ask, follow, type JobView, type PositionReport, type ReportView } from '../lib/wire.ts';

/** The report of a study: the job that makes it, and what is there so far. */
export class Report {
  job = $state.raw<JobView | null>(null);
  view = $state.raw<ReportView | null>(null);
  /** Who is to make one, and how long it may think about a position. */
  engine = $state<number | null>(null);
  seconds = $state(0.5);
  /** By node. */
  at = $derived(new Map<number, PositionReport>((this.view?.positions ?? []).map((p) => [p.node, p])));

  constructor(private study: number) {}

  follow(): () => void {
    let leave: (() => void) | null = null;
    let followed: number | null = null;
    const off = follow({ topic: 'jobs' }, (news) => {
      if (news.news !== 'jobs') return;
      const mine = news.of.filter((j) => j.kind === 'report' && j.study === this.study);
      const newest = mine.toSorted((a, b) => b.began - a.began);
      this.job = newest[0] ?? null;
      // A whole report stays until there is another one.
      const id = (newest.find((j) => j.state === 'done') ?? this.job)?.id ?? null;
      if (id === followed) return;
      leave?.();
      leave = null;
      followed = id;
      this.view = null;
      if (id === null) return;
      leave = follow({ topic: 'report', id }, (n) => {
        if (n.news === 'report') this.view = n.of;
      });
    });
    return () => {
      off();
      leave?.();
    };
  }

  get running(): boolean {
    return this.job !== null && (this.job.state === 'running' || this.job.state === 'waiting');
  }

  make(engine: number, movetime: number): Promise<number> {
    return askFor('job', { ask: 'report', study: this.study, games: [], engine, limits: { movetime, depth: null, nodes: null } });
  }

  async cancel(): Promise<void> {
    if (this.job) await ask({ ask: 'cancel-job', job: this.job.id });
  }
}
