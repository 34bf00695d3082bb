import { goOn, langGraph, type Mutant, overSession } from './mutation.js';

export const blockingMutants: readonly Mutant[] = [
  {
    does: 'does not wait for verdicts',
    fails: [
      'the next agent waits for the verdict',
      'a tool waits for the verdict on its call, and the agent for that on the answer',
      'under overlap, too, a tool waits for the verdict on its call, and the run’s end for the last',
      'the code that leads a team waits for the verdict on the team’s last word',
      'lanes wait each for their own verdicts, and what follows them for all',
    ],
    subject: overSession(langGraph, (session) => ({
      async submit(turn) {
        void session.submit(turn);
        return goOn;
      },
    })),
  },
];
