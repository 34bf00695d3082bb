import type { Auditor } from '../auditor.js';
import { scheduleOf } from '../portable-schedule.js';
import type { Prefix } from '../prefix.js';

/** Whether an auditor's own schedule asks for it here. One that throws does, as in a session: better asked than missed. */
export function wants(auditor: Auditor, prefix: Prefix): boolean {
  try {
    return Boolean(scheduleOf(auditor).due(prefix));
  } catch {
    return true;
  }
}
