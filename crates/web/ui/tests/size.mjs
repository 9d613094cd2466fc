// What of a built page travels to a browser, compressed as servers do it.
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

/** Bytes of scripts and styles; the worker's are its own. */
export function sizes(folder) {
  const sum = { js: 0, css: 0 };
  for (const name of readdirSync(folder, { recursive: true })) {
    const kind = name.split('.').at(-1);
    if (kind in sum && !name.includes('worker')) sum[kind] += gzipSync(readFileSync(join(folder, name))).length;
  }
  return sum;
}
