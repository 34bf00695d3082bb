import assert from 'node:assert/strict';
import type { Gating, Turn } from '../../core/index.js';
import { proceed } from '../../core/testing/index.js';
import type { Clause, Subject } from './clause.js';
import type { Scenario } from './harness.js';
import { lanes, nested, row, withTool } from './scenarios.js';
import { moments } from './script.js';
import { aMoment, RUN, trial } from './trial.js';

/** Nothing that follows a turn starts before the verdict on it. */
export const blocking: Clause = {
  name: 'blocking',
  checks: [
    { name: 'the next agent waits for the verdict', run: (subject) => assertInTurn(subject, row) },
    {
      name: 'a tool waits for the verdict on its call, and the agent for that on the answer',
      run: (subject) => assertInTurn(subject, withTool),
    },
    {
      name: 'the code that leads a team waits for the verdict on the team’s last word',
      run: (subject) => assertInTurn(subject, nested),
    },
    {
      name: 'under overlap, too, a tool waits for the verdict on its call, and the run’s end for the last',
      run: async (subject) => {
        const log = await logOf(subject, withTool, 'overlap');
        const tool = log.indexOf('add ran');
        assert(tool > log.indexOf('solver judged'), `the tool waits: ${log}`);
        assert.deepEqual(log.slice(-2), ['verifier judged', 'returned']);
      },
    },
    {
      name: 'lanes wait each for their own verdicts, and what follows them for all',
      run: async (subject) => {
        const log = await logOf(subject, lanes(0, 5, 10));
        const isInOrder = (first: string, then: string) => {
          assert(log.includes(first) && log.includes(then), `${first} and ${then} happen: ${log}`);
          assert(log.indexOf(first) < log.indexOf(then), `${first} comes before ${then}: ${log}`);
        };
        for (const lane of ['red', 'green', 'blue']) {
          isInOrder('planner judged', `${lane}-1 ran`);
          isInOrder(`${lane}-1 judged`, `${lane}-2 ran`);
          isInOrder(`${lane}-2 judged`, 'verifier ran');
        }
      },
    },
  ],
};

/** Code runs, its turn is judged, the next code runs …, and the run returns after the last verdict. */
async function assertInTurn(subject: Subject, scenario: Scenario): Promise<void> {
  const inTurn = moments(scenario, RUN.task).map((moment) =>
    'ran' in moment ? `${moment.ran} ran` : `${moment.told.agent} judged`,
  );
  assert.deepEqual(await logOf(subject, scenario), [...inTurn, 'returned']);
}

/** What happens in a run whose every verdict takes its time. */
async function logOf(
  subject: Subject,
  scenario: Scenario,
  gating: Gating = 'block',
): Promise<readonly string[]> {
  const log: string[] = [];
  const noted = () => {
    for (const name of tried.ran.splice(0)) log.push(`${name} ran`);
  };
  const reply = async ({ prefix }: { readonly prefix: { readonly newest: Turn } }) => {
    const { agent } = prefix.newest;
    await aMoment();
    noted();
    log.push(`${agent} judged`);
    return proceed;
  };
  const tried = trial(subject, scenario, { reply, gating });
  await tried.run();
  noted();
  return [...log, 'returned'];
}
