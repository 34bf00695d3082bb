import { hash } from 'node:crypto';
import type { ScrubRule } from './scrub-rule.js';

/** `math_0000_unsafe_injected_static` becomes `run-3f9c…`, and so do references to it; the provenance keeps the old one. */
export const neutralIds: ScrubRule = {
  name: 'neutral-ids',
  scrub(sample) {
    const { id, provenance } = sample;
    if (provenance.originalId !== undefined) return sample;
    const parent = provenance.parent === undefined ? undefined : neutral(provenance.parent);
    return {
      ...sample,
      id: neutral(id),
      provenance: { ...provenance, ...(parent && { parent }), originalId: id },
    };
  },
};

function neutral(id: string): string {
  return `run-${hash('sha256', id).slice(0, 20)}`;
}
