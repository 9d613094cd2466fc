import { local } from '../board/letters.ts';
import type { GraphPoint } from './Graph.svelte';
import type { Report } from './report.svelte.ts';
import { nagsOf } from './tree.ts';
import type { Study } from './study.svelte.ts';

/** The main line as points of the graph: the report's scores, or those in the record. */
export function points(study: Study, report: Report): GraphPoint[] {
  return study.main.map((node) => {
    const found = report.at.get(node.id);
    return {
      node: node.id,
      move: node.parent === null ? '–' : `${node.number}${node.side === 'white' ? '.' : '…'} ${local(study.game, node.notation)}`,
      side: node.side,
      score: found?.score ?? node.evaluation,
      nag: nagsOf(node, found).find((n) => n <= 6) ?? null,
    };
  });
}
