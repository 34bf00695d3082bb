import assert from 'node:assert/strict';
import { proceed } from '../../core/testing/index.js';
import { bareHost } from './against-bare.js';
import type { Clause } from './clause.js';
import { comparable } from './comparable.js';
import type { Scenario } from './harness.js';
import { everything, lanes, row, says } from './scenarios.js';
import { ranBefore, toldTurns } from './script.js';
import { alarmAt, alarmWhen, haltOf, RUN, type Trial, trial } from './trial.js';

const contents = (scenario: Scenario) => toldTurns(scenario, RUN.task).map(({ content }) => content);

/** To take up a halted run is to override the halt: it goes on where it stood, with its past in view. */
export const resuming: Clause = {
  name: 'resuming',
  checks: [
    {
      name: 'wherever it was halted, a run that is taken up goes on at the blocked step',
      run: async (subject) => {
        for (const step of toldTurns(everything, RUN.task).keys()) {
          if (step === 0) continue;
          const tried = trial(subject, everything, { reply: alarmAt(step - 1) });
          await haltOf(tried.run());
          await tried.resume();
          assert.deepEqual(tried.ran, ranBefore(everything, RUN.task), `after the halt at step ${step}`);
        }
      },
    },
    {
      name: 'the auditor sees the whole past, as given, and is asked about the rest alone',
      run: async (subject) => {
        const tried = trial(subject, row, { reply: alarmAt(1) });
        await haltOf(tried.run());
        await tried.resume();
        const judged = tried.requests.map(({ turns }) => turns.at(-1)?.agent);
        assert.deepEqual(judged, ['planner', 'solver', 'verifier']);
        assertLastSaw(tried, row, 3);
      },
    },
    {
      name: 'nothing is told twice, and the record says which run is continued',
      run: async (subject) => {
        const tried = trial(subject, everything, { reply: alarmAt(1) });
        const { runId } = await haltOf(tried.run());
        await tried.resume();
        assert.deepEqual(
          tried.turns().map(({ content }) => content),
          contents(everything),
        );
        assert.deepEqual(
          tried.of('run').map(({ continues }) => continues),
          [undefined, runId],
        );
        assert.deepEqual(
          tried.of('close').map(({ outcome }) => outcome.status),
          ['halted', 'completed'],
        );
      },
    },
    {
      name: 'the result is that of a run which nobody halted',
      run: async (subject) => {
        const tried = trial(subject, row, { reply: alarmAt(1) });
        await haltOf(tried.run());
        const bare = bareHost(subject, row);
        const whole = await subject.harness.run(bare, RUN);
        assert.deepEqual(comparable(await tried.resume()), comparable(whole));
      },
    },
    {
      name: 'a turn that was overridden can be blamed again without effect; a later one still halts',
      run: async (subject) => {
        const reply = ({ prefix }: { readonly prefix: { readonly length: number } }) =>
          prefix.length < 3 ? proceed : { kind: 'alarm', step: 2, agent: 'solver', reason: 'still wrong' };
        const overridden = trial(subject, row, { reply });
        await haltOf(overridden.run());
        await overridden.resume();
        assert.deepEqual(
          overridden.of('verdict').map(({ verdict, enforced }) => [verdict.kind, enforced]),
          [
            ['continue', 'proceed'],
            ['alarm', 'halt'],
            ['alarm', 'proceed'],
          ],
        );

        const wrongTwice = alarmWhen(({ agent }) => agent !== 'planner');
        const again = trial(subject, row, { reply: wrongTwice });
        await haltOf(again.run());
        const halt = await haltOf(again.resume());
        assert.deepEqual([halt.alarm?.step, halt.alarm?.agent], [3, 'verifier']);
      },
    },
    {
      name: 'a human’s answer takes the run up, and nothing is told twice',
      run: async (subject) => {
        const steps = [says('planner'), says('clerk', { asks: 'ok?', says: 'The human said {answer}.' })];
        const tried = trial(subject, { steps });
        await tried.run();
        assert.deepEqual(
          tried.of('close').map(({ outcome }) => outcome.status),
          ['interrupted'],
        );
        await tried.resume('yes');
        const told = [RUN.task, `planner on ${RUN.task}`, 'The human said yes.'];
        assert.deepEqual(
          tried.requests.map(({ turns }) => turns.map(({ content }) => content)),
          [told.slice(0, 2), told],
        );
        assert.deepEqual(
          tried.turns().map(({ content }) => content),
          told,
        );
      },
    },
    {
      name: 'a new process, which has the saved state alone, goes on at the blocked step with the past in view',
      run: async (subject) => {
        const first = trial(subject, row, { reply: alarmAt(1) });
        await haltOf(first.run());
        const second = trial(subject, row, { after: first });
        await second.resume();
        assert.deepEqual(second.ran, ranBefore(row, RUN.task));
        assert.deepEqual(
          second.requests.map(({ turns }) => turns.at(-1)?.agent),
          ['verifier'],
        );
        assertLastSaw(second, row, 3);
      },
    },
    {
      name: 'in a new process too, every agent and tool runs once, wherever the run was halted',
      run: async (subject) => {
        for (const step of toldTurns(everything, RUN.task).keys()) {
          if (step === 0) continue;
          const first = trial(subject, everything, { reply: alarmAt(step - 1) });
          await haltOf(first.run());
          const second = trial(subject, everything, { after: first });
          await second.resume();
          assert.deepEqual(second.ran, ranBefore(everything, RUN.task), `after the halt at step ${step}`);
          const judged = second.requests.map(({ turns }) => turns.at(-1)?.content);
          const rest = contents(everything).slice(step + 1);
          assert.deepEqual(judged, rest, `judged after the halt at step ${step}`);
        }
      },
    },
    {
      name: 'lanes that were stopped go on where they stood, each agent once',
      run: async (subject) => {
        const scenario = lanes(0, 10, 20);
        for (const wrong of ['red-1', 'green-1', 'blue-2']) {
          const tried = trial(subject, scenario, { reply: alarmWhen(({ agent }) => agent === wrong) });
          await haltOf(tried.run());
          await tried.resume();
          assert.deepEqual(tried.ran.toSorted(), ranBefore(scenario, RUN.task).toSorted(), wrong);
          // What other lanes had said by then, and nobody had judged, is told again under its own id, and judged.
          const told = [...new Map(tried.turns().map((turn) => [turn.id, turn.content])).values()];
          assert.deepEqual(told.toSorted(), contents(scenario).toSorted(), wrong);
          const judged = new Set(tried.of('verdict').map(({ turnId }) => turnId));
          assert.equal(
            judged.size,
            contents(scenario).length - 1,
            `${wrong}: every turn but the task is judged`,
          );
        }
      },
    },
  ],
};

/** @param given how many turns of the past were there before */
function assertLastSaw({ requests }: Trial, scenario: Scenario, given: number): void {
  const seen = requests.at(-1)?.turns ?? [];
  assert.deepEqual(
    seen.map(({ content }) => content),
    contents(scenario),
  );
  assert.deepEqual(
    seen.map((turn) => turn.given === true),
    seen.map((_turn, at) => at < given),
  );
}
