/** How high the items of a long list are: guessed first, learnt when they are drawn. */
export class Heights {
  private learnt = new Map<string, number>();
  /** Counts what was learnt. */
  private version = $state(0);
  private items: [string, number][];
  /** Where each item begins, and at last where all end. */
  private tops: Float64Array;

  /** `guesses`: the key of each item, and a guess. */
  constructor(guesses: () => [key: string, guess: number][]) {
    this.items = $derived(guesses());
    this.tops = $derived.by(() => {
      void this.version;
      const tops = new Float64Array(this.items.length + 1);
      this.items.forEach(([key, guess], i) => (tops[i + 1] = tops[i]! + (this.learnt.get(key) ?? guess)));
      return tops;
    });
  }

  get all(): number {
    return this.tops.at(-1)!;
  }

  top(item: number): number {
    return this.tops[Math.min(item, this.items.length)]!;
  }

  /** The item at a height; the first or last one beyond the ends. */
  at(height: number): number {
    let [low, high] = [0, Math.max(0, this.items.length - 1)];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (this.tops[middle]! <= height) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /** Learns a height; how far that has moved what is in view, which begins at `view`. */
  learn(key: string, height: number, view: number): number {
    const item = this.items.findIndex(([known]) => known === key);
    if (item < 0 || height === 0) return 0;
    const by = height - (this.learnt.get(key) ?? this.items[item]![1]);
    if (Math.abs(by) < 0.5) return 0;
    const above = this.top(item + 1) <= view;
    this.learnt.set(key, height);
    this.version += 1;
    return above ? by : 0;
  }
}
