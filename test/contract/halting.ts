import assert from 'node:assert/strict';
import type { Clause, Subject } from './clause.js';
import type { Scenario } from './harness.js';
import { add, everything, nested, row, says, withTool } from './scenarios.js';
import { ranBefore, toldTurns } from './script.js';
import { alarmAt, alarmWhen, haltOf, pause, RUN, type Trial, trial } from './trial.js';

const wrong = alarmWhen(({ content }) => content.startsWith('wrong'));

/** After a halt no later agent or tool runs, whatever the host does with the error. */
export const halting: Clause = {
  name: 'halting',
  checks: [
    {
      name: 'whichever agent of a row raises the alarm, no later one runs',
      run: (subject) => assertHaltsEverywhere(subject, row),
    },
    {
      name: 'a tool whose call raises the alarm does not run; nor does its agent, where the answer does',
      run: (subject) => assertHaltsEverywhere(subject, withTool),
    },
    {
      name: 'an alarm inside a team stops the team, the code that leads it, and all that follows',
      run: (subject) => assertHaltsEverywhere(subject, nested),
    },
    {
      name: 'a streamed run is halted as any other',
      run: (subject) => assertHaltsEverywhere(subject, everything, (tried) => tried.stream()),
    },
    {
      name: 'an alarm on the very last turn still rejects the run',
      run: async (subject) => {
        const tried = trial(subject, row, { reply: alarmAt(row.steps.length - 1) });
        assert.equal((await haltOf(tried.run())).alarm?.agent, 'verifier');
      },
    },
    {
      name: 'the halt says which step, who and why, with all turns and every verdict; the record says it too',
      run: async (subject) => {
        const tried = trial(subject, row, { reply: alarmAt(1) });
        const halt = await haltOf(tried.run());
        assert.deepEqual(halt.alarm, {
          kind: 'alarm',
          step: 2,
          agent: 'solver',
          reason: 'this step is wrong',
        });
        assert.deepEqual(
          halt.turns.map(({ content }) => content),
          toldTurns(row, RUN.task)
            .slice(0, 3)
            .map(({ content }) => content),
        );
        assert.deepEqual(
          halt.verdicts.map(({ step, verdict }) => [step, verdict.kind]),
          [
            [1, 'continue'],
            [2, 'alarm'],
          ],
        );
        assert.match(halt.message, /step 2 \(solver\): this step is wrong/);
        assert.deepEqual(
          tried.of('verdict').map(({ enforced }) => enforced),
          ['proceed', 'halt'],
        );
        assert.deepEqual(
          tried.of('close').map(({ outcome, runId }) => [outcome.status, runId]),
          [['halted', halt.runId]],
        );
      },
    },
    {
      name: 'an alarm in one lane stops the others where they stand, and what follows them',
      run: async (subject) => {
        const slow = { takesMs: 150 };
        const tried = trial(
          subject,
          {
            steps: [
              {
                lanes: [
                  [says('quick', { says: 'wrong' }), says('quick-next')],
                  [says('slow', slow), says('slow-next')],
                  [says('slower', { takesMs: 180 }), says('slower-next', slow)],
                ],
              },
              says('verifier'),
            ],
          },
          { reply: wrong },
        );
        const halt = await haltOf(tried.run());
        assert.equal(halt.alarm?.agent, 'quick');
        await pause(200); // whoever was at work then is done now
        const later = tried.ran.filter((name) => name.endsWith('-next') || name === 'verifier');
        assert.deepEqual(later, []);
      },
    },
    {
      name: 'an alarm in a lane inside a team stops the lane, the team, the code that leads it, and all that follows',
      run: async (subject) => {
        const wrongLane = [says('scout', { says: 'wrong' }), says('miner', { calls: add })];
        const otherLane = [says('chief', { leads: [says('smith')] })];
        const team = [says('guide'), { lanes: [wrongLane, otherLane] }, says('scribe')];
        const steps = [says('boss', { leads: team }), says('verifier')];
        const tried = trial(subject, { steps }, { reply: wrong });
        const halt = await haltOf(tried.run());
        assert.equal(halt.alarm?.agent, 'scout');
        const atWork = ['guide', 'scout', 'smith', 'chief'];
        assert.deepEqual(
          tried.ran.filter((name) => !atWork.includes(name)),
          [],
        );
      },
    },
    {
      name: 'a host that tries its agents again does not try again what was halted',
      run: async (subject) => {
        const team = [says('scout', { says: 'wrong' }), says('scribe')];
        const steps = [says('boss', { leads: team, attempts: 3 }), says('verifier', { attempts: 3 })];
        const tried = trial(subject, { steps }, { reply: wrong });
        await haltOf(tried.run());
        assert.deepEqual(tried.ran, ['scout']);
      },
    },
    {
      name: 'an agent that swallows the halt of its team finishes its own code at most: nobody runs after it',
      run: async (subject) => {
        const team = [says('scout', { says: 'wrong' }), says('scribe')];
        const boss = says('boss', { leads: team, swallows: true });
        const chief = says('chief', { leads: [boss, says('clerk')], swallows: true });
        const tried = trial(subject, { steps: [chief, says('verifier')] }, { reply: wrong });
        const halt = await haltOf(tried.run());
        assert.equal(halt.alarm?.agent, 'scout');
        const others = tried.ran.filter((name) => name !== 'boss' && name !== 'chief');
        assert.deepEqual(others, ['scout']);
      },
    },
  ],
};

/** Runs the scenario once for each of its turns, and raises the alarm there. */
async function assertHaltsEverywhere(
  subject: Subject,
  scenario: Scenario,
  play: (tried: Trial) => Promise<unknown> = (tried) => tried.run(),
): Promise<void> {
  for (const [step, { agent }] of toldTurns(scenario, RUN.task).entries()) {
    if (step === 0) continue; // the task is given, not judged
    const tried = trial(subject, scenario, { reply: alarmAt(step - 1) });
    const { alarm } = await haltOf(play(tried));
    assert.deepEqual([alarm?.step, alarm?.agent], [step, agent]);
    assert.deepEqual(tried.ran, ranBefore(scenario, RUN.task, step), `after the alarm at step ${step}`);
  }
}
