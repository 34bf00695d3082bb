import assert from 'node:assert/strict';
import { SetupError } from '../../core/index.js';
import type { Check, Clause, Subject } from './clause.js';

/** A promise that a plugin cannot keep, because its framework cannot do what it takes. */
export interface Skip {
  readonly clause: string;
  /** One check of the clause, by its name. Default: all of them. */
  readonly check?: string;
  /** Why, for those who will rely on the plugin. */
  readonly reason: string;
}

/** Which skip each skipped check stands under. @throws SetupError on one without a reason, or that skips nothing */
export function readSkips(skips: readonly Skip[], clauses: readonly Clause[]): ReadonlyMap<Check, Skip> {
  const skipped = new Map<Check, Skip>();
  for (const skip of skips) {
    const { clause, check, reason } = skip;
    const named = check === undefined ? `clause "${clause}"` : `check "${check}" of "${clause}"`;
    if (typeof reason !== 'string' || reason.trim() === '') {
      throw fault(`the skip of ${named} has no reason`, 'Say what the framework cannot do');
    }
    const found = clauses
      .filter(({ name }) => name === clause)
      .flatMap(({ checks }) => checks.filter(({ name }) => check === undefined || name === check));
    if (found.length === 0) {
      throw fault(`there is no ${named}`, `Clauses are ${clauses.map(({ name }) => name).join(', ')}`);
    }
    for (const one of found) {
      if (skipped.has(one)) throw fault(`the check "${one.name}" is skipped twice`, 'Leave one of them out');
      skipped.set(one, skip);
    }
  }
  return skipped;
}

/** A skipped check is run all the same. @throws AssertionError when it passes: there is nothing to skip any more */
export async function assertNeeded(check: Check, { reason }: Skip, subject: Subject): Promise<void> {
  const failed = await check.run(subject).then(
    () => false,
    () => true,
  );
  assert(
    failed,
    `the plugin passes this check; take it off the skip list, where it stands because ${reason}`,
  );
}

function fault(what: string, remedy: string): SetupError {
  return new SetupError('contract', what, remedy);
}
