import assert from 'node:assert/strict';
import { proceed } from '../../core/testing/index.js';
import { assertSame, assertSameChunks, bareHost } from './against-bare.js';
import type { Clause } from './clause.js';
import { add, everything, lanes, nested, row, says } from './scenarios.js';
import { alarmAt, errorOf, pause, RUN, trial } from './trial.js';

const broken = { error: Object.assign(new TypeError('no network'), { code: 42 }), times: 1 };

/** A host whose every verdict is Continue does not notice the hook. */
export const transparency: Clause = {
  name: 'transparency',
  checks: [
    { name: 'the result is the bare host’s', run: (subject) => assertSame(subject, everything) },
    { name: 'a team’s result is the bare host’s', run: (subject) => assertSame(subject, nested) },
    {
      name: 'the result of lanes is the bare host’s',
      run: (subject) => assertSame(subject, lanes(10, 0, 20)),
    },
    {
      name: 'a slow auditor costs time and nothing else',
      run: (subject) => assertSame(subject, everything, { reply: () => pause(10).then(() => proceed) }),
    },
    {
      name: 'a tool that fails, fails as it does in the bare host',
      run: (subject) =>
        assertSame(subject, {
          steps: [says('solver', { calls: { ...add, fails: true } }), says('verifier')],
        }),
    },
    {
      name: 'an agent that fails once is tried again as in the bare host',
      run: (subject) =>
        assertSame(subject, { steps: [says('flaky', { throws: broken, attempts: 2 }), says('verifier')] }),
    },
    {
      name: 'an error that an agent catches from its team stays caught',
      run: (subject) =>
        assertSame(subject, {
          steps: [
            says('boss', { leads: [says('scout', { throws: broken })], swallows: true }),
            says('verifier'),
          ],
        }),
    },
    {
      name: 'an error of the host reaches its caller as in the bare host, the very object',
      run: async (subject) => {
        for (const scenario of [
          { steps: [says('planner'), says('solver', { throws: broken })] },
          { steps: [says('boss', { leads: [says('scout'), says('scribe', { throws: broken })] })] },
        ]) {
          const bare = await errorOf(subject.harness.run(bareHost(subject, scenario), RUN));
          const hooked = await errorOf(trial(subject, scenario).run());
          assert.equal(hooked, bare);
        }
      },
    },
    {
      name: 'the chunks of a stream are the bare host’s',
      run: (subject) => assertSameChunks(subject, everything),
    },
    {
      name: 'the chunks of a stream of lanes are the bare host’s',
      // Chunks come as work is done, so the lanes' work must be far apart.
      run: (subject) => assertSameChunks(subject, lanes(40, 0, 120)),
    },
    {
      name: 'observe: an alarm leaves the run alone, and the record says what would have been halted',
      run: async (subject) => {
        const observed = await assertSame(subject, row, { reply: alarmAt(0), onAlarm: 'observe' });
        assert.deepEqual(
          observed.of('verdict').map(({ verdict, enforced }) => [verdict.kind, enforced]),
          [['alarm', 'proceed']],
        );
        assert.equal(observed.turns().length, 4, 'the turns after it are told all the same');
      },
    },
  ],
};
