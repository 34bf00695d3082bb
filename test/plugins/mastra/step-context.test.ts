import { expect, test, vi } from 'vitest';
import { lines } from '../../support/mastra-audits.js';
import { flow, hooked, type StepInput, started, stepsThatNote } from '../../support/mastra-workflows.js';

vi.spyOn(console, 'warn').mockImplementation(() => {});

/** What a step of a bare workflow and one of its twin have made of their contexts. */
async function bareAndAudited(see: (context: StepInput) => unknown) {
  const { step } = stepsThatNote();
  const seen: unknown[] = [];
  const noting = (context: StepInput) => void seen.push(see(context));
  const audit = hooked(flow().then(step('plan', noting)).commit());
  await started(audit.workflow);
  await (await audit.twin.createRun({ runId: 'two' })).start({ inputData: 'go' });
  return { bare: seen[0], audited: seen[1] };
}

test('the code of a step has the whole context, also of what it copies: getters, and keys that are symbols', async () => {
  const { bare, audited } = await bareAndAudited((context) => {
    const copy = { ...context };
    return {
      keys: Reflect.ownKeys(copy).map(String),
      kinds: Reflect.ownKeys(copy).map((key) => typeof Reflect.get(copy, key)),
      has: 'suspend' in context && !('nothing' in context),
    };
  });
  expect(bare).toMatchObject({
    keys: expect.arrayContaining(['inputData', 'tracingContext', 'getInitData']),
  });
  expect(audited).toEqual(bare);
});

test('what it writes into its context is there, in place of our own too', async () => {
  const mine = async () => 'mine';
  const { bare, audited } = await bareAndAudited((context) => {
    const { suspend } = context;
    const same = context.suspend === suspend;
    Object.assign(context, { suspend: mine, inputData: 'other' });
    return [same, context.suspend === mine, context.inputData];
  });
  expect(bare).toEqual([true, true, 'other']);
  expect(audited).toEqual(bare);
});

test('a step that suspends itself says nothing, by a copy of its context either', async () => {
  const { step } = stepsThatNote();
  const waits = (context: StepInput) => ({ ...context }).suspend();
  const audit = hooked(flow().then(step('ask', waits)).commit());
  expect((await started(audit.twin)).status).toBe('suspended');
  expect(lines(audit)).toEqual(['*user user: go']);
});
