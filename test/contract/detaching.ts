import assert from 'node:assert/strict';
import { memoryRecorder } from '../../core/index.js';
import { approvingAuditor } from '../../core/testing/index.js';
import { bareHost } from './against-bare.js';
import type { Clause, Subject } from './clause.js';
import { comparable } from './comparable.js';
import { everything, row } from './scenarios.js';
import { ranBefore, toldTurns } from './script.js';
import { alarmAt, RUN, trial } from './trial.js';

/** The hook holds on to nothing: the bare host stays bare. */
export const detaching: Clause = {
  name: 'detaching',
  checks: [
    {
      name: 'the host that was hooked stays bare: it runs to its end and tells nobody',
      run: async (subject) => {
        const { harness } = subject;
        const tried = trial(subject, everything, { reply: alarmAt(0) });
        const result = await harness.run(tried.host, RUN);
        assert.deepEqual([tried.requests, tried.records], [[], []]);
        assert.deepEqual(tried.ran, ranBefore(everything, RUN.task));
        const untouched = bareHost(subject, everything);
        assert.deepEqual(comparable(result), comparable(await harness.run(untouched, RUN)));
      },
    },
    {
      name: 'two hooks of one host, each with its own runtime, hear their own runs only',
      run: async (subject) => {
        const tried = trial(subject, row);
        const other = hookedAnew(subject, tried.host);
        await subject.harness.run(other.hooked, RUN);
        assert.deepEqual(tried.requests, []);
        await tried.run({ ...RUN, thread: 'two' });
        assert.deepEqual([tried.requests.length, other.auditor.requests.length], [3, 3]);
      },
    },
    {
      name: 'a host that is hooked twice with one runtime submits every turn once',
      run: async (subject) => {
        const { hook } = subject.harness.plugin;
        const { hooked, runtime, recorder, auditor } = hookedAnew(subject, bareHost(subject, row));
        // Where a hooked host is of another type than a bare one, it is still what a caller would hook by mistake.
        await subject.harness.run(hook(hooked, runtime), RUN);
        const told = recorder.records.flatMap((record) =>
          record.type === 'turn' && record.turn.kind !== 'user' ? [record.turn.content] : [],
        );
        const once = toldTurns(row, RUN.task).slice(1);
        assert.deepEqual(
          told,
          once.map(({ content }) => content),
        );
        assert.equal(auditor.requests.length, once.length);
      },
    },
  ],
};

function hookedAnew({ harness, createRuntime }: Subject, host: unknown) {
  const auditor = approvingAuditor();
  const recorder = memoryRecorder();
  const runtime = createRuntime({ auditor, recorder });
  return { auditor, recorder, runtime, hooked: harness.plugin.hook(host, runtime) };
}
