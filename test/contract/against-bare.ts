import assert from 'node:assert/strict';
import type { Subject } from './clause.js';
import { comparable } from './comparable.js';
import type { Scenario } from './harness.js';
import { RUN, streamed, type Trial, type TrialOptions, trial } from './trial.js';

/** The scenario's host, unhooked. @param ran is told whose code runs */
export function bareHost({ harness }: Subject, scenario: Scenario, ran: string[] = []): unknown {
  return harness.build(scenario, { ran: (name) => ran.push(name) });
}

/** Streams the scenario bare and hooked, and compares what the caller is shown. */
export async function assertSameChunks(subject: Subject, scenario: Scenario): Promise<void> {
  const bare = await streamed(subject, bareHost(subject, scenario), RUN);
  const hooked = await trial(subject, scenario).stream();
  assert(bare.length > 0, 'a stream has chunks');
  assert.deepEqual(comparable(hooked), comparable(bare));
}

/** Runs the scenario bare and hooked, and compares what comes back and whose code ran. */
export async function assertSame(
  subject: Subject,
  scenario: Scenario,
  options: TrialOptions = {},
): Promise<Trial> {
  const ran: string[] = [];
  const bare = await subject.harness.run(bareHost(subject, scenario, ran), RUN);
  const hooked = trial(subject, scenario, options);
  const result = await hooked.run();
  assert.notEqual(bare, undefined, 'the harness’s run() returns what the host’s caller gets');
  assert.deepEqual(comparable(result), comparable(bare));
  assert.deepEqual(hooked.ran.toSorted(), ran.toSorted());
  return hooked;
}
