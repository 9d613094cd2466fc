/** Scales and ticks of the graphs. */
export interface Scale {
  low: number;
  high: number;
  ticks: number[];
}

/** A scale that holds all values, with round ticks: 1, 2 or 5 times a power of ten apart. */
export function scale(values: number[], wanted = 4): Scale {
  let low = Math.min(...values);
  let high = Math.max(...values);
  if (!Number.isFinite(low) || !Number.isFinite(high)) return { low: 0, high: 1, ticks: [0, 1] };
  if (low === high) {
    low -= 1;
    high += 1;
  }
  const step = round((high - low) / wanted);
  low = Math.floor(low / step) * step;
  high = Math.ceil(high / step) * step;
  const ticks: number[] = [];
  for (let i = 0; low + i * step <= high + step / 2; i++) ticks.push(tidy(low + i * step));
  return { low: tidy(low), high: tidy(high), ticks };
}

function round(step: number): number {
  const power = 10 ** Math.floor(Math.log10(step));
  const part = step / power;
  return (part <= 1 ? 1 : part <= 2 ? 2 : part <= 5 ? 5 : 10) * power;
}

/** Without the dust of binary fractions. */
const tidy = (value: number): number => Number(value.toPrecision(12)) || 0;

/** A function from values to pixels between `from` and `to`. */
export function along({ low, high }: { low: number; high: number }, from: number, to: number): (value: number) => number {
  return (value) => from + ((value - low) / (high - low)) * (to - from);
}

/** The path of a line through points. */
export function path(points: [number, number][]): string {
  return points.map(([x, y], i) => `${i === 0 ? 'M' : 'L'}${x.toFixed(1)} ${y.toFixed(1)}`).join('');
}

/** The outline of a band between two lines over the same places. */
export function band(upper: [number, number][], lower: [number, number][]): string {
  return upper.length === 0 ? '' : `${path(upper)}${path([...lower].reverse()).replace('M', 'L')}Z`;
}

/** At most `most` of the points, the last always among them. */
export function thin<T>(points: T[], most: number): T[] {
  if (points.length <= most) return points;
  const step = (points.length - 1) / (most - 1);
  return Array.from({ length: most }, (_, i) => points[Math.round(i * step)] as T);
}
