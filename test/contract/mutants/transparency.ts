import { AuditHalt } from '../../../core/index.js';
import { langGraph, type Mutant, overGraph, overOptions } from './mutation.js';

export const transparencyMutants: readonly Mutant[] = [
  {
    does: 'swallows the host’s errors',
    fails: ['an error of the host reaches its caller as in the bare host, the very object'],
    subject: overGraph((hooked) => ({
      invoke: (...args: Parameters<typeof hooked.invoke>) =>
        hooked.invoke(...args).catch((error: unknown) => {
          if (error instanceof AuditHalt) throw error;
          return { messages: [] };
        }),
    })),
  },
  {
    does: 'adds to the result',
    fails: [
      'the result is the bare host’s',
      'a team’s result is the bare host’s',
      'the result of lanes is the bare host’s',
      'a slow auditor costs time and nothing else',
      'a tool that fails, fails as it does in the bare host',
      'an agent that fails once is tried again as in the bare host',
      'an error that an agent catches from its team stays caught',
    ],
    subject: overGraph((hooked) => ({
      invoke: async (...args: Parameters<typeof hooked.invoke>) => ({
        ...(await hooked.invoke(...args)),
        audited: true,
      }),
    })),
  },
  {
    does: 'keeps the first chunk of a stream to itself',
    fails: [
      'the chunks of a stream are the bare host’s',
      'the chunks of a stream of lanes are the bare host’s',
    ],
    subject: overGraph((hooked) => ({
      async stream(...args: Parameters<typeof hooked.stream>) {
        const chunks = await hooked.stream(...args);
        await chunks[Symbol.asyncIterator]().next();
        return chunks;
      },
    })),
  },
  {
    does: 'halts where it should observe',
    fails: ['observe: an alarm leaves the run alone, and the record says what would have been halted'],
    subject: overOptions(langGraph, (options) => ({ ...options, onAlarm: 'halt' })),
  },
];
