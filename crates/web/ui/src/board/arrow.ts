import { unit, type Point } from './geometry.ts';

/** An arrow from one point to another as one outline: the shaft, and a head that never eats it up. */
export function outline([a, b]: [Point, Point], width: number): string {
  const angle = Math.atan2(b.y - a.y, b.x - a.x);
  const along = (far: number, aside: number): string =>
    `${a.x + Math.cos(angle) * far - Math.sin(angle) * aside} ${a.y + Math.sin(angle) * far + Math.cos(angle) * aside}`;
  const length = Math.hypot(b.x - a.x, b.y - a.y);
  // It begins beside the piece, not on it.
  const from = unit * 0.28;
  const neck = length - Math.min(width * 2.1 + 5, (length - from) * 0.75);
  const half = width / 2;
  const wing = width * 0.85 + 3;
  return `M${along(from, half)}L${along(neck, half)}L${along(neck, wing)}L${along(length, 0)}L${along(neck, -wing)}L${along(neck, -half)}L${along(from, -half)}z`;
}
