import type { TurnInput } from '../../../core/index.js';
import { goOn, langGraph, type Mutant, overGraph, overRuntime, overSession, overTurn } from './mutation.js';

export const orderingMutants: readonly Mutant[] = [
  {
    does: 'tells every turn twice',
    fails: [
      'everything said, called and answered is one turn, numbered from 0 without a gap',
      'at every turn the auditor sees all turns so far, and none that is to come',
    ],
    subject: overSession(langGraph, (session) => ({
      async submit(turn) {
        await session.submit(turn);
        return session.submit({ ...turn, id: `${turn.id} again` });
      },
    })),
  },
  {
    does: 'tells every second turn before the first',
    fails: ['a team is told before the agent that leads it'],
    subject: overSession(langGraph, (session) => {
      let held: TurnInput | undefined;
      const plain = ({ path: _path, ...turn }: TurnInput) => session.submit(turn);
      return {
        async submit(turn) {
          if (!held) {
            held = turn;
            return goOn;
          }
          const [first, second] = [held, turn];
          held = undefined;
          await plain(second);
          return plain(first);
        },
      };
    }),
  },
  {
    does: 'leaves out where a turn stands',
    fails: ['which lane was quicker changes neither the order of the turns nor what the auditor sees'],
    subject: overTurn(langGraph, ({ path: _path, ...turn }) => turn),
  },
  {
    does: 'puts every lane into one',
    fails: ['a lane does not see its siblings'],
    subject: overTurn(langGraph, (turn) => ({
      ...turn,
      path: (turn.path ?? []).map(({ step }) => ({ step, lane: 'one' })),
    })),
  },
  {
    does: 'opens a second session',
    fails: ['a run, whatever runs inside it, is one session, opened and closed once'],
    subject: overRuntime(langGraph, (runtime) => ({
      ...runtime,
      openSession(info) {
        runtime.openSession({ ...info, runId: `${info.runId} too` });
        return runtime.openSession(info);
      },
    })),
  },
  {
    does: 'makes up new ids in every run',
    fails: ['a turn has the same id in every run'],
    subject: overTurn(langGraph, (turn) => ({ ...turn, id: crypto.randomUUID() })),
  },
  {
    does: 'does not hook streams',
    fails: ['a streamed run tells what any other run tells'],
    subject: overGraph((_hooked, bare) => ({ stream: bare.stream.bind(bare) })),
  },
  {
    does: 'takes the last run for the past of the next',
    fails: ['a host that runs again begins anew'],
    subject: overRuntime(langGraph, (runtime) => {
      let past: readonly TurnInput[] = [];
      return {
        ...runtime,
        openSession(info) {
          const session = runtime.openSession({ ...info, given: [...past, ...(info.given ?? [])] });
          past = [{ agent: 'user', kind: 'user', content: info.task }];
          return session;
        },
      };
    }),
  },
];
