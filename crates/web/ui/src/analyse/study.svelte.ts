import { go } from '../lib/route.svelte.ts';
import { play as sound } from '../lib/sound.ts';
import { askFor, follow, type BoardView, type Edit, type NodeView, type StudyStart, type StudyView } from '../lib/wire.ts';

/** A tree of moves, where one looks in it, and the board there. */
export class Study {
  tree = $state.raw<StudyView | null>(null);
  gone = $state(false);
  at = $state(0);
  /** The board that is shown with its node: the one before, until that of `at` is there. */
  private shown = $state.raw<{ node: number; board: BoardView } | null>(null);
  private boards = new Map<number, BoardView>();
  /** Which way one last went at each branch. */
  private ways = new Map<number, number>();
  private changed: (() => void) | null = null;
  /** Nobody looks at it any more: what is still to come must not bring the page back here. */
  private left = false;

  constructor(
    readonly id: number,
    at: number,
  ) {
    this.at = at;
  }

  nodes = $derived(new Map((this.tree?.nodes ?? []).map((n) => [n.id, n])));
  private below = $derived.by(() => {
    const all = new Map<number, NodeView[]>();
    for (const n of this.tree?.nodes ?? []) {
      if (n.parent === null) continue;
      const list = all.get(n.parent);
      if (list) list.push(n);
      else all.set(n.parent, [n]);
    }
    return all;
  });

  get board(): BoardView | null {
    return this.shown?.board ?? null;
  }

  /** The node that the board is of: what is done on the board is done there. */
  get boardOf(): number {
    return this.shown?.node ?? this.at;
  }

  node = $derived(this.nodes.get(this.at) ?? null);
  game = $derived(this.tree?.start.game ?? 'chess');

  /** The main line, the start first. */
  main = $derived.by(() => {
    const line: NodeView[] = [];
    for (let n = this.nodes.get(0); n; n = this.children(n.id)[0]) line.push(n);
    return line;
  });

  /** The moves from the start to where one looks. */
  path = $derived(this.pathTo(this.at));

  children(id: number): NodeView[] {
    return this.below.get(id) ?? [];
  }

  pathTo(id: number): NodeView[] {
    const path: NodeView[] = [];
    for (let n = this.nodes.get(id); n && n.parent !== null; n = this.nodes.get(n.parent)) path.push(n);
    // Long games: putting each at the front would move all the others each time.
    return path.reverse();
  }

  follow(): () => void {
    this.left = false;
    const end = follow({ topic: 'study', id: this.id }, (news) => {
      if (news.news === 'gone') this.gone = true;
      if (news.news !== 'study') return;
      const before = this.tree;
      this.tree = news.of;
      if (before && !sameStart(before.start, news.of.start)) this.boards.clear();
      if (!news.of.nodes.some((n) => n.id === this.at) && before?.nodes.some((n) => n.id === this.at)) void this.goTo(0);
    });
    return () => {
      this.left = true;
      end();
    };
  }

  /** Calls once, before the next change that is made here. */
  onchange(call: () => void): void {
    this.changed = call;
  }

  private change(): void {
    this.changed?.();
    this.changed = null;
  }

  /** Looks at a node. */
  async goTo(id: number): Promise<void> {
    if (this.left) return;
    const before = this.at;
    this.at = id;
    const parent = this.nodes.get(id)?.parent;
    if (parent !== undefined && parent !== null) this.ways.set(parent, id);
    go(id === 0 ? `/analyse/${this.id}` : `/analyse/${this.id}/n${id}`, true);
    const board = await this.look(id);
    if (this.at !== id) return;
    this.shown = { node: id, board };
    if (this.nodes.get(id)?.parent === before) hear(board);
  }

  /** The board of a node, which may not be shown yet. */
  async look(id: number): Promise<BoardView> {
    const board = this.boards.get(id) ?? (await askFor('board', { ask: 'look', study: this.id, node: id }));
    this.boards.set(id, board);
    if (this.boards.size > 400) this.boards.delete(this.boards.keys().next().value!);
    return board;
  }

  async move(text: string): Promise<void> {
    const at = this.boardOf;
    const there = this.children(at).find((n) => n.text === text);
    if (there) return this.goTo(there.id);
    this.change();
    await this.goTo(await askFor('node', { ask: 'play', study: this.id, node: at, text }));
  }

  async line(moves: string[], node: number): Promise<void> {
    this.change();
    await this.goTo(await askFor('node', { ask: 'play-line', study: this.id, node, moves }));
  }

  edit(edit: Edit): Promise<number> {
    this.change();
    return askFor('node', { ask: 'edit-study', study: this.id, edit });
  }

  get next(): NodeView | undefined {
    const all = this.children(this.at);
    return all.find((n) => n.id === this.ways.get(this.at)) ?? all[0];
  }

  step(by: 1 | -1): Promise<void> | undefined {
    if (by > 0) return this.next && this.goTo(this.next.id);
    const parent = this.node?.parent;
    return parent === null || parent === undefined ? undefined : this.goTo(parent);
  }

  end(): Promise<void> {
    let id = this.at;
    for (let n = this.next; n; n = this.children(id)[0]) id = n.id;
    return this.goTo(id);
  }

  /** Among the moves that could stand in this place. */
  sibling(by: 1 | -1): Promise<void> | undefined {
    const parent = this.node?.parent;
    if (parent === null || parent === undefined) return undefined;
    const all = this.children(parent);
    const next = all[all.findIndex((n) => n.id === this.at) + by];
    return next && this.goTo(next.id);
  }

  /** To the next place with more than one move, or the end; or back to one. */
  branch(by: 1 | -1): Promise<void> | undefined {
    let id = this.at;
    for (;;) {
      const to = by > 0 ? this.children(id)[0]?.id : this.nodes.get(id)?.parent;
      if (to === undefined || to === null) break;
      id = to;
      if (this.children(id).length > 1) break;
    }
    return id === this.at ? undefined : this.goTo(id);
  }
}

function sameStart(a: StudyStart, b: StudyStart): boolean {
  return a.game === b.game && a.rules === b.rules && a.position === b.position;
}

function hear(board: BoardView): void {
  const last = board.last;
  if (!last) return;
  if (last.fire?.shots.some((s) => s.struck)) sound('laser');
  else if (last.bounces && last.bounces.bounces.length > 0) sound('bounce', last.bounces.squares.length);
  else sound(last.captured ? 'capture' : 'move');
}
