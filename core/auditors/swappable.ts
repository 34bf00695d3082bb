import { AuditError } from '../audit-failure.js';
import { type Auditor, type AuditRequest, auditorName } from '../auditor.js';
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
  /** Requests as they were handed on: one of them that comes back was asked by the current auditor, in a circle. */
  const handedOn = new WeakSet<AuditRequest>();
  const itself: SwappableAuditor = {
    get name() {
      return auditorName(current);
    },
    get current() {
      return current;
    },
    schedule: { due: (prefix) => scheduleOf(current).due(prefix) },
    asksInPart: (prefix) => current.asksInPart?.(prefix) ?? false,
    audit(request, options) {
      if (handedOn.has(request))
        throw new AuditError('threw', 'the auditor that was put in asks the one that it replaces');
      const own = { ...request };
      handedOn.add(own);
      return current.audit(own, options);
    },
    swap(next) {
      requireAuditor('swappable', 'the new auditor', next);
      const before = current;
      current = next;
      if (next !== itself && isNameable(itself)) return;
      current = before;
      throw new SetupError(
        'swappable',
        'an auditor cannot stand in for itself',
        'Wrap its `current`, or another',
      );
    },
  };
  return itself;
}

/** An auditor that is made of itself is named for its parts without end. */
function isNameable(auditor: Auditor): boolean {
  try {
    return auditorName(auditor) !== undefined;
  } catch {
    return false;
  }
}
