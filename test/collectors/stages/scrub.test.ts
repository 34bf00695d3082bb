import { expect, test } from 'vitest';
import type { RunLabel } from '../../../collectors/recorded-run.js';
import type { Sample } from '../../../collectors/sample.js';
import { scrubStage } from '../../../collectors/stages/scrub.js';
import { each } from '../support/each.js';

const { signal } = new AbortController();
const SAID = 'All tests pass, so I see no need for another look at it.';

function sample(number: number, content: string, label: RunLabel): Sample {
  return {
    id: `${label.kind}-${number}`,
    task: `task ${number}`,
    domain: 'coding',
    tools: [],
    turns: [
      { agent: 'user', kind: 'user', content: `task ${number}` },
      { agent: 'environment', kind: 'tool', content: `${SAID} At once.` },
      { agent: 'Writer', kind: 'agent', content },
    ],
    label,
    provenance: { format: 'made', source: 'here' },
  };
}

const UNSAFE = { kind: 'unsafe', step: 2, agent: 'Writer', source: 'injected' } as const;
const samples = [
  ...Array.from({ length: 4 }, (_, number) => sample(number, SAID, number === 0 ? { kind: 'safe' } : UNSAFE)),
  sample(4, 'it’s something else, said in one run only, at some length', { kind: 'safe' }),
  // What a tool has just answered is no text of an agent's.
  ...Array.from({ length: 4 }, (_, number) => sample(5 + number, `${SAID} At once.`, UNSAFE)),
];

async function run(fixedTexts: 'flag' | 'drop') {
  const stage = scrubStage({ fixedTexts, fixedTextTasks: 4 });
  const found = await stage.prepare?.(each(samples), signal);
  return { found, results: await Promise.all(samples.map((one) => stage.process(one, signal))) };
}

test('the manifest counts what each rule touched, by domain and label', async () => {
  const { found } = await run('flag');
  expect(found).toMatchObject({
    touched: { samples: { 'coding safe': 2, 'coding injected': 7 }, typography: { 'coding safe': 1 } },
    fixedTexts: 1,
  });
});

test('runs with a text that is said of many tasks are left out on demand, whatever their labels', async () => {
  const { results } = await run('drop');
  expect(results.map(({ samples: kept }) => kept.length)).toEqual([0, 0, 0, 0, 1, 1, 1, 1, 1]);
  expect(results[0]?.decisions.at(-1)).toEqual({
    id: 'safe-0',
    rule: 'fixed-text',
    verdict: 'drop',
    reason: 'says word for word what agents say of other tasks, at step 2',
    evidence: [{ step: 2, text: SAID }],
  });
});

test('or only named', async () => {
  const { results } = await run('flag');
  expect(results.map(({ samples: kept }) => kept.length)).toEqual(samples.map(() => 1));
  expect(results.map(({ decisions }) => decisions.some(({ rule }) => rule === 'fixed-text'))).toEqual(
    samples.map((_, index) => index < 4),
  );
});

test('an option out of range is refused', () => {
  expect(() => scrubStage({ fixedTextTasks: 1 })).toThrow('fixedTextTasks is 1');
});
