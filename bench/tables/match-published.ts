import { PUBLISHED_TABLE, type PublishedRow } from '../published.js';
import type { ScoredWalk } from './scored-walk.js';

/**
 * The published row that a walk repeats: the same method on the same backbone under the same protocol. A model alone and
 * a prompt is `zero-shot` here, and goes by the model's name there. Floors and signals have none.
 * @param walk.backbone as its server names it: `Qwen/Qwen2.5-7B-Instruct` is `Qwen2.5-7B-Instruct`
 */
export function publishedOf({ method, backbone, protocol, kind }: ScoredWalk): PublishedRow | undefined {
  if (kind === 'floor' || backbone === undefined) return undefined;
  return PUBLISHED_TABLE.find((row) => {
    if (row.protocol !== protocol) return false;
    if (row.kind === 'zero-shot') return isZeroShot(method, kind) && isSame(backbone, row.backbone);
    if (row.kind === 'baseline') return isSame(method, row.method) && isSevenB(backbone);
    return isSame(backbone, row.method);
  });
}

function isZeroShot(method: string, kind: ScoredWalk['kind']): boolean {
  return kind === 'record' || isSame(method, 'zero-shot');
}

function isSame(one: string, other: string): boolean {
  return folded(one) === folded(other);
}

/** The paper's baselines are over Qwen2.5-7B-Instruct, which it names by its size alone. */
function isSevenB(backbone: string): boolean {
  return isSame(backbone, 'Qwen2.5-7B-Instruct');
}

function folded(name: string): string {
  return (name.split('/').at(-1) ?? name).toLowerCase().replace(/[^a-z\d]/g, '');
}
