import { createRuntime } from '../../core/index.js';
import { blocking } from './blocking.js';
import type { Clause, Subject } from './clause.js';
import { detaching } from './detaching.js';
import { failure } from './failure.js';
import { fidelity } from './fidelity.js';
import { halting } from './halting.js';
import type { Harness } from './harness.js';
import { isolation } from './isolation.js';
import { ordering } from './ordering.js';
import { resuming } from './resuming.js';
import { assertNeeded, readSkips, type Skip } from './skips.js';
import { transparency } from './transparency.js';

export type { Check, Clause, Subject } from './clause.js';
export {
  type AgentStep,
  type Harness,
  type LanesStep,
  type Run,
  type Scenario,
  type Step,
  spoken,
  type ToolUse,
  type Watch,
} from './harness.js';
export type { Skip } from './skips.js';

/** All that a plugin promises, clause by clause. */
export const contract: readonly Clause[] = [
  ordering,
  fidelity,
  blocking,
  halting,
  transparency,
  failure,
  isolation,
  resuming,
  detaching,
];

/** A runner's own way to name a test: `test` of vitest, jest or `node:test`. */
export interface TestFunction {
  // Runners differ in what they return, and in what they hand to the function.
  (name: string, run: () => Promise<void>): unknown;
  /** Where the runner has it, a skipped check shows up as skipped, too. */
  skip?(name: string, run: () => void): unknown;
}

export interface PluginTest<Host, Hooked> {
  readonly harness: Harness<Host, Hooked>;
  /** What the plugin cannot do, and why. Default: nothing. */
  readonly skip?: readonly Skip[];
  readonly test: TestFunction;
}

/**
 * Names one test per check. A skipped check is reported as skipped, with its reason, and run all the same: a test of its
 * own fails when the check passes, for then the skip is stale.
 *
 * @example testPlugin({ harness, test, skip: [{ clause: 'resuming', reason: 'a loop saves nothing' }] });
 * @throws SetupError on a skip without a reason, or of what there is not
 */
export function testPlugin<Host, Hooked>({ harness, skip = [], test }: PluginTest<Host, Hooked>): void {
  const subject: Subject = { harness, createRuntime };
  const skipped = readSkips(skip, contract);
  for (const clause of contract) {
    for (const check of clause.checks) {
      const name = `${harness.plugin.framework}: ${clause.name}: ${check.name}`;
      const skipping = skipped.get(check);
      if (skipping) {
        test.skip?.(`${name} (skipped: ${skipping.reason})`, () => {});
        test(`the skip is needed: ${name}`, () => assertNeeded(check, skipping, subject));
      } else {
        test(name, async () => void (await check.run(subject)));
      }
    }
  }
}
