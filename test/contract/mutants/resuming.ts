import { RUN } from '../trial.js';
import { langGraph, type Mutant, overGraph, overInfo } from './mutation.js';

export const resumingMutants: readonly Mutant[] = [
  {
    does: 'forgets the past on resume',
    fails: [
      'the auditor sees the whole past, as given, and is asked about the rest alone',
      'a human’s answer takes the run up, and nothing is told twice',
    ],
    subject: overInfo(langGraph, ({ continues: _continues, given: _given, ...info }) => info),
  },
  {
    does: 'forgets what was overridden',
    fails: ['a turn that was overridden can be blamed again without effect; a later one still halts'],
    subject: overInfo(langGraph, ({ overridden: _overridden, ...info }) => info),
  },
  {
    does: 'begins again where it should go on',
    fails: [
      'wherever it was halted, a run that is taken up goes on at the blocked step',
      'in a new process too, every agent and tool runs once, wherever the run was halted',
      'lanes that were stopped go on where they stood, each agent once',
    ],
    subject: overGraph((hooked) => ({
      invoke: (input: unknown, config: object) =>
        input === null
          ? hooked.invoke(
              { messages: [{ role: 'user', content: RUN.task, id: 'task' }] },
              { configurable: { thread_id: 'again' } },
            )
          : hooked.invoke(input as never, config),
    })),
  },
  {
    does: 'has nothing to show for a run that was taken up',
    fails: ['the result is that of a run which nobody halted'],
    subject: overGraph((hooked) => ({
      invoke: async (input: unknown, config: object) => {
        const result = await hooked.invoke(input as never, config);
        return input === null ? { messages: [] } : result;
      },
    })),
  },
  {
    does: 'tells the past anew',
    fails: ['nothing is told twice, and the record says which run is continued'],
    subject: overInfo(langGraph, ({ continues, ...info }) =>
      continues ? { ...info, given: [...continues.turns, ...(info.given ?? [])] } : info,
    ),
  },
  {
    does: 'needs its own memory to go on',
    fails: [
      'a new process, which has the saved state alone, goes on at the blocked step with the past in view',
    ],
    subject: overInfo(langGraph, ({ given, ...info }) =>
      info.continues && given ? { ...info, given } : info,
    ),
  },
];
