import { PUBLISHED_ABLATION } from '../published.js';
import { AFTRAJ, type ScoredWalk, scoreOn } from './scored-walk.js';
import type { Table } from './table.js';

/** Which stages of the training a checkpoint has been through. */
export const STAGES = ['base', 'stage1', 'stage2', 'both'] as const;
export type TrainingStages = (typeof STAGES)[number];

/** The paper's ablation: overall Exact-F1 on AFTraj, by the stages of the training. @param walks of checkpoints */
export function ablationTable(walks: Readonly<Partial<Record<TrainingStages, ScoredWalk>>>): Table {
  const { backbone, protocol, rows } = PUBLISHED_ABLATION;
  return {
    title: 'The stages of the training',
    notes: [
      'Exact-F1 over all of AFTraj’s runs that were walked, released code; published: arXiv 2605.08715.',
      ...(Object.keys(walks).length === 0
        ? ['No checkpoint was walked: give its predictions with --ablation base=FILE and so on.']
        : []),
    ],
    columns: [
      { name: 'stages' },
      { name: 'backbone' },
      { name: 'protocol' },
      { name: 'ours' },
      { name: 'published' },
      { name: 'difference', isSigned: true },
    ],
    rows: rows.map(({ stages, exactF1 }, at) => {
      const walk = walks[STAGES[at] as TrainingStages];
      const ours = (walk && scoreOn(walk, AFTRAJ)?.overall.exactF1Released) ?? null;
      const isComparable = walk?.protocol === protocol;
      return [
        stages,
        walk?.backbone ?? backbone,
        walk?.protocol ?? protocol,
        ours,
        exactF1,
        ours && isComparable ? ours.value - exactF1 : null,
      ];
    }),
  };
}
