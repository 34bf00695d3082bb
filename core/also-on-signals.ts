import { checks } from './auditors/signals/index.js';
import type { Prefix } from './prefix.js';
import type { Schedule } from './schedule.js';

const telling = checks.filter(({ grade }) => grade === 'strong' || grade === 'weak');

/**
 * Asks where `schedule` does, and at once where a strong or weak check of {@link inspect} finds something at the newest
 * turn. For economy schedules: to {@link portableSchedule} it adds next to nothing.
 *
 * | with `everyNth(2)` / `everyNth(3)` | prefixes skipped | decisive steps audited at once | steps late, mean |
 * |---|---|---|---|
 * | AFTraj-2K, training rows | 73.9 / 80.4 % | 71.4 / 58.0 % | 0.53 / 0.97 |
 * | AFTraj-2K, test split | 74.0 / 80.6 % | 61.3 / 54.6 % | 0.69 / 1.15 |
 * | Who&When, algorithm-generated | 53.4 / 60.7 % | 54.8 / 51.6 % | 0.63 / 0.84 |
 * | Who&When, hand-crafted | 61.3 / 73.6 % | 51.7 / 56.9 % | 0.47 / 0.84 |
 *
 * The checks were tuned on AFTraj's training rows; on hand-crafted runs they find almost nothing.
 */
export function alsoOnSignals(schedule: Schedule): Schedule {
  return { due: (prefix) => schedule.due(prefix) || hasSignal(prefix) };
}

/** What tools the run has and how many turns it may take is not known here; no check of these grades asks. */
function hasSignal(prefix: Prefix): boolean {
  return telling.some(({ find }) => find(prefix, { tools: [], stepBudget: undefined }) !== undefined);
}
