import { proceed } from '../../../core/testing/index.js';
import { pause } from '../trial.js';
import { langGraph, type Mutant, overOptions, overPlugin } from './mutation.js';

export const failureMutants: readonly Mutant[] = [
  {
    does: 'takes a failed audit for a Continue',
    fails: [
      'an auditor that throws leaves the host unharmed',
      'one failed audit among good ones is one failure record, and the others are verdicts',
      'onAuditFailure "halt": the run is halted there, and the halt says that the audit failed',
    ],
    subject: overOptions(langGraph, ({ auditor, ...options }) => ({
      ...options,
      auditor: {
        ...auditor,
        async audit(...asked) {
          try {
            return (await auditor?.audit(...asked)) ?? proceed;
          } catch {
            return proceed;
          }
        },
      },
    })),
  },
  {
    does: 'takes nonsense for a Continue',
    fails: [
      'an auditor that talks nonsense leaves the host unharmed',
      'an alarm that blames a step to come, or nobody who has spoken, is nonsense too',
    ],
    subject: overOptions(langGraph, ({ auditor, ...options }) => ({
      ...options,
      auditor: {
        ...auditor,
        async audit(...asked) {
          const said: unknown = await auditor?.audit(...asked);
          const isAlarm = typeof said === 'object' && said !== null && 'step' in said && said.step !== 99;
          return isAlarm ? (said as never) : proceed;
        },
      },
    })),
  },
  {
    does: 'takes silence for a Continue',
    fails: ['an auditor that hangs past the deadline leaves the host unharmed'],
    subject: overOptions(langGraph, ({ auditor, ...options }) => ({
      ...options,
      auditor: {
        ...auditor,
        audit: (...asked) =>
          Promise.race([auditor?.audit(...asked) ?? proceed, pause(5).then(() => proceed)]),
      },
    })),
  },
  {
    does: 'waits as long as it takes',
    fails: ['a late verdict changes nothing any more'],
    subject: overOptions(langGraph, (options) => ({ ...options, deadlineMs: 100 })),
  },
  {
    does: 'lets the recorder’s errors through',
    fails: ['a recorder that fails leaves the host unharmed, and the audit at work'],
    subject: overOptions(langGraph, ({ recorder, auditor, ...options }) => {
      let broken = false;
      const append: NonNullable<typeof recorder>['append'] = (record) =>
        Promise.resolve(recorder?.append(record)).catch(() => {
          broken = true;
        });
      return {
        ...options,
        recorder: { append },
        auditor: {
          ...auditor,
          audit: async (request, asked) =>
            broken
              ? { kind: 'alarm', step: 0, agent: 'user', reason: 'no disk' }
              : ((await auditor?.audit(request, asked)) ?? proceed),
        },
      };
    }),
  },
  {
    does: 'takes anything for a runtime',
    fails: ['something that is no runtime is refused before the first run'],
    subject: overPlugin(langGraph, (host, runtime) =>
      'openSession' in runtime ? langGraph.harness.plugin.hook(host, runtime) : host,
    ),
  },
];
