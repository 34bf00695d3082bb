import assert from 'node:assert/strict';
import { AuditHalt, type Turn } from '../../core/index.js';
import { proceed } from '../../core/testing/index.js';
import { bareHost } from './against-bare.js';
import type { Clause, Subject } from './clause.js';
import { comparable } from './comparable.js';
import type { Run, Scenario } from './harness.js';
import { everything, lanes, row } from './scenarios.js';
import { toldTurns } from './script.js';
import { alarmWhen, haltOf, pause, RUN, type Trial, trial } from './trial.js';

const RUNS: readonly Run[] = Array.from({ length: 12 }, (_, at) => ({
  task: `job ${String.fromCharCode(97 + at)}`,
  thread: `thread-${at}`,
}));

/** A verdict that takes longer in some runs than in others, so that they overtake each other. */
const uneven = ({ task }: { readonly task: string }) => pause((task.charCodeAt(4) * 7) % 11);

/** Runs of one hooked host know nothing of each other. */
export const isolation: Clause = {
  name: 'isolation',
  checks: [
    {
      name: 'many runs at once are told each with its own turns',
      run: (subject) => assertApart(subject, everything),
    },
    {
      name: 'many runs of lanes at once are told each with its own turns',
      run: (subject) => assertApart(subject, lanes(5, 0, 10)),
    },
    {
      name: 'an alarm in one of many runs halts that one alone',
      run: async (subject) => {
        const reply = alarmWhen(({ content }) => content === 'solver on job c');
        const tried = trial(subject, row, { reply });
        const bare = bareHost(subject, row);
        const outcomes = await Promise.allSettled(RUNS.map((run) => tried.run(run)));
        for (const [at, outcome] of outcomes.entries()) {
          const run = RUNS[at] as Run;
          if (run.task === 'job c') {
            assert(outcome.status === 'rejected' && outcome.reason instanceof AuditHalt);
            assert(outcome.reason.turns.every(({ content }: Turn) => content.endsWith('job c')));
          } else {
            assert(outcome.status === 'fulfilled', `${run.task} goes on`);
            assert.deepEqual(comparable(outcome.value), comparable(await subject.harness.run(bare, run)));
          }
        }
      },
    },
    {
      name: 'a halt does not outlive its run',
      run: async (subject) => {
        const tried = trial(subject, row, { reply: alarmWhen(({ content }) => content.endsWith('job a')) });
        const [first, second] = RUNS as [Run, Run];
        await haltOf(tried.run(first));
        await tried.run(second);
        assert.deepEqual(
          tried.of('close').map(({ outcome }) => outcome.status),
          ['halted', 'completed'],
        );
        await haltOf(tried.run({ ...RUN, task: first.task }));
      },
    },
  ],
};

async function assertApart(subject: Subject, scenario: Scenario): Promise<void> {
  const reply = async (request: { readonly task: string }) => uneven(request).then(() => proceed);
  const tried = trial(subject, scenario, { reply });
  await Promise.all(RUNS.map((run) => tried.run(run)));
  for (const { task } of RUNS) {
    const told = toldTurns(scenario, task).map(({ content }) => content);
    assert.deepEqual(contentsOf(tried, task).toSorted(), told.toSorted());
    const seen = tried.requests.findLast((request) => request.task === task)?.turns ?? [];
    assert.deepEqual(seen.map(({ content }) => content).toSorted(), told.toSorted());
  }
  assert.equal(tried.of('run').length, RUNS.length);
  assert.deepEqual(tried.faults, []);
}

/** What the record holds of the run with this task. */
function contentsOf(tried: Trial, task: string): string[] {
  const ids = tried.of('run').flatMap((run) => (run.task === task ? [run.runId] : []));
  return tried.of('turn').flatMap(({ runId, turn }) => (ids.includes(runId) ? [turn.content] : []));
}
