import { AuditHalt, type Decision, type HaltDetails } from '../../../core/index.js';
import type { Subject } from '../clause.js';
import { goOn, langGraph, type Mutant, manual, overHook, overSession } from './mutation.js';

const withoutVerdicts = (decision: Decision): Decision =>
  decision.action === 'halt' ? { ...decision, halt: { ...decision.halt, verdicts: [] } } : decision;

const HANDLERS = ['handleChainStart', 'handleChainEnd', 'handleChainError', 'handleToolStart'] as const;

/** The hook is deaf after its first throw, which is of a class that LangGraph takes for any node's error. */
function throwingOnce(): Subject {
  return overHook((hooked) => {
    const callbacks: unknown = hooked.config?.callbacks;
    const [hook] = callbacks as [Record<string, (...heard: unknown[]) => unknown>];
    let thrown = false;
    for (const name of HANDLERS) {
      const handler = hook[name]?.bind(hook);
      hook[name] = async (...heard) => {
        if (thrown) return;
        try {
          await handler?.(...heard);
        } catch (halt) {
          thrown = true;
          throw new AuditHalt(halt as HaltDetails);
        }
      };
    }
    return hooked;
  });
}

export const haltingMutants: readonly Mutant[] = [
  {
    does: 'waits at the end of the run only, and heeds only what is said there',
    fails: [
      'whichever agent of a row raises the alarm, no later one runs',
      'a tool whose call raises the alarm does not run; nor does its agent, where the answer does',
      'an alarm inside a team stops the team, the code that leads it, and all that follows',
      'a streamed run is halted as any other',
      'an alarm in a lane inside a team stops the lane, the team, the code that leads it, and all that follows',
    ],
    subject: overSession(langGraph, (session) => ({
      async submit(turn) {
        await session.submit(turn);
        return goOn;
      },
    })),
  },
  {
    does: 'heeds each verdict one turn late',
    fails: ['an alarm on the very last turn still rejects the run'],
    subject: overSession(langGraph, (session) => {
      let last = goOn;
      return {
        async submit(turn) {
          const late = last;
          last = await session.submit(turn);
          return late;
        },
        close: (outcome) => session.close(outcome).then(() => goOn),
      };
    }),
  },
  {
    does: 'halts with an error that says nothing',
    fails: [
      'the halt says which step, who and why, with all turns and every verdict; the record says it too',
    ],
    subject: overSession(manual, (session) => ({
      submit: (turn) => session.submit(turn).then(withoutVerdicts),
    })),
  },
  {
    does: 'halts the lane that raised the alarm, and lets the others be',
    fails: ['an alarm in one lane stops the others where they stand, and what follows them'],
    subject: overSession(manual, (session) => {
      let halted: string | undefined;
      return {
        async submit(turn) {
          const decision = await session.submit(turn);
          const lane = JSON.stringify(turn.path);
          if (decision.action === 'halt') halted ??= lane;
          return lane === halted ? decision : goOn;
        },
      };
    }),
  },
  {
    does: 'throws once and is done with it',
    fails: [
      'a host that tries its agents again does not try again what was halted',
      'an agent that swallows the halt of its team finishes its own code at most: nobody runs after it',
    ],
    subject: throwingOnce(),
  },
];
