import { langGraph, type Mutant, overRuntime } from './mutation.js';

export const isolationMutants: readonly Mutant[] = [
  {
    does: 'shares one session between runs',
    fails: [
      'many runs at once are told each with its own turns',
      'many runs of lanes at once are told each with its own turns',
      'an alarm in one of many runs halts that one alone',
      'a halt does not outlive its run',
    ],
    subject: overRuntime(langGraph, (runtime) => {
      let shared: ReturnType<typeof runtime.openSession> | undefined;
      return {
        ...runtime,
        openSession(info) {
          shared ??= runtime.openSession(info);
          return shared;
        },
      };
    }),
  },
];
