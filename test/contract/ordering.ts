import assert from 'node:assert/strict';
import type { Clause, Subject } from './clause.js';
import type { Scenario } from './harness.js';
import { everything, lanes, nested, row } from './scenarios.js';
import { toldTurns } from './script.js';
import { RUN, type Trial, trial } from './trial.js';

/** Turns come one by one, in an order that the host's work alone decides. */
export const ordering: Clause = {
  name: 'ordering',
  checks: [
    {
      name: 'everything said, called and answered is one turn, numbered from 0 without a gap',
      run: async (subject) => assertTold(await played(subject, everything), everything),
    },
    {
      name: 'a team is told before the agent that leads it',
      run: async (subject) => assertTold(await played(subject, nested), nested),
    },
    {
      name: 'at every turn the auditor sees all turns so far, and none that is to come',
      run: async (subject) => {
        const told = toldTurns(everything, RUN.task).map(({ content }) => content);
        const { requests } = await played(subject, everything);
        assert.deepEqual(
          requests.map(({ turns }) => turns.map(({ content }) => content)),
          told.slice(1).map((_content, at) => told.slice(0, at + 2)),
        );
        for (const { turns } of requests) assertNumbered(turns);
      },
    },
    {
      name: 'a run, whatever runs inside it, is one session, opened and closed once',
      run: async (subject) => {
        const { of } = await played(subject, nested);
        assert.deepEqual(
          [of('run').length, of('close').map(({ outcome }) => outcome.status)],
          [1, ['completed']],
        );
      },
    },
    {
      name: 'a turn has the same id in every run',
      run: async (subject) => {
        const ids = async () => (await played(subject, everything)).turns().map(({ id }) => id);
        const [first, second] = [await ids(), await ids()];
        assert.deepEqual(second, first);
        assert.equal(new Set(first).size, first.length);
      },
    },
    {
      name: 'a streamed run tells what any other run tells',
      run: async (subject) => {
        const streamed = trial(subject, everything);
        await streamed.stream();
        assertTold(streamed, everything);
      },
    },
    {
      name: 'which lane was quicker changes neither the order of the turns nor what the auditor sees',
      run: async (subject) => {
        const first = await seenAt(subject, lanes(0, 15, 30));
        assert.deepEqual(await seenAt(subject, lanes(30, 15, 0)), first);
        assert.deepEqual(await seenAt(subject, lanes(15, 30, 0)), first);
        const atEnd = first[`verifier on ${RUN.task}`];
        const told = toldTurns(lanes(0, 0, 0), RUN.task).map(({ content }) => content);
        assert.deepEqual(atEnd?.toSorted(), told.toSorted(), 'after the lanes all their turns are in view');
      },
    },
    {
      name: 'a lane does not see its siblings',
      run: async (subject) => {
        const seen = await seenAt(subject, lanes(0, 15, 30));
        const lane = (name: string) => [`${name}-1 on ${RUN.task}`, `${name}-2 on ${RUN.task}`];
        for (const name of ['red', 'green', 'blue']) {
          const [first, second] = lane(name) as [string, string];
          assert.deepEqual(seen[second], [RUN.task, `planner on ${RUN.task}`, first, second]);
        }
      },
    },
    {
      name: 'a host that runs again begins anew',
      run: async (subject) => {
        const twice = trial(subject, row);
        await twice.run();
        await twice.run({ ...RUN, thread: 'two' });
        const told = toldTurns(row, RUN.task).map(({ content }) => content);
        assert.deepEqual(
          twice.turns().map(({ content }) => content),
          [...told, ...told],
        );
        assert.deepEqual(
          twice.requests.at(-1)?.turns.map(({ content }) => content),
          told,
        );
      },
    },
  ],
};

async function played(subject: Subject, scenario: Scenario): Promise<Trial> {
  const tried = trial(subject, scenario);
  await tried.run();
  return tried;
}

function assertTold({ turns, faults }: Trial, scenario: Scenario): void {
  const told = turns();
  assert.deepEqual(
    told.map(({ agent, kind, content }) => ({ agent, kind, content })),
    toldTurns(scenario, RUN.task),
  );
  assertNumbered(told);
  assert.deepEqual(faults, []);
}

function assertNumbered(turns: readonly { readonly index: number }[]): void {
  assert.deepEqual(
    turns.map(({ index }) => index),
    [...turns.keys()],
  );
}

/** What the auditor saw when it judged each turn, by what the turn says. */
async function seenAt(subject: Subject, scenario: Scenario): Promise<Record<string, string[]>> {
  const { requests } = await played(subject, scenario);
  return Object.fromEntries(
    requests.map(({ turns }) => [turns.at(-1)?.content, turns.map(({ content }) => content)]),
  );
}
