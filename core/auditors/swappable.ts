import { type Auditor, auditorName } from '../auditor.js';
import { SetupError } from '../errors.js';
import { scheduleOf } from '../portable-schedule.js';
import { requireAuditor } from './read-options.js';

export interface SwappableAuditor extends Auditor {
  /** Who judges now. */
  readonly current: Auditor;
  /**
   * Puts another in its place, for every run and from the next audit on.
   * @throws SetupError for what is no auditor; the current one then stays
   */
  swap(next: Auditor): void;
}

/**
 * An auditor that can be replaced while runs are under way. An audit ends with the auditor that it began with; name and
 * schedule are the current one's, though a schedule of the runtime's still decides. Where a run began under another name,
 * its records say who judged. A calibration belongs to one auditor: it is not swapped along.
 *
 * @throws SetupError
 */
export function swappable(first: Auditor): SwappableAuditor {
  requireAuditor('swappable', 'the auditor', first);
  let current = first;
  const itself: SwappableAuditor = {
    get name() {
      return auditorName(current);
    },
    get current() {
      return current;
    },
    schedule: { due: (prefix) => scheduleOf(current).due(prefix) },
    asksInPart: (prefix) => current.asksInPart?.(prefix) ?? false,
    audit: (request, options) => current.audit(request, options),
    swap(next) {
      requireAuditor('swappable', 'the new auditor', next);
      if (next === itself)
        throw new SetupError('swappable', 'an auditor cannot stand in for itself', 'Pass another');
      current = next;
    },
  };
  return itself;
}
