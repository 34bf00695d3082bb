import { expect, test } from 'vitest';
import { LimitExceeded } from '../../../collectors/limit-exceeded.js';
import { probeStage } from '../../../collectors/stages/probe.js';
import { each } from '../support/each.js';
import { labelledCorpus } from '../support/labelled-corpus.js';

const { signal } = new AbortController();
const leaking = labelledCorpus(120, (turn) => ({ ...turn, thought: 'hm' }));

test('above the limit the stage fails, with the figure, the limit and what tells', async () => {
  const failure = await probeStage({ limit: 40 })
    .prepare?.(each(leaking), signal)
    .catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(LimitExceeded);
  const { message, found } = failure as LimitExceeded;
  expect(message).toMatch(
    /^the (no-text|n-gram) probe guesses the labels with a strict Exact-F1 of [\d.]+, the limit is 40; what tells most: characters of the thought, this turn; /,
  );
  expect(message).not.toContain('\n');
  expect(found).toMatchObject({ runs: 120, probes: { 'no-text': { overall: { unsafe: 60 } } } });
});

test('below it, and without one, the manifest tells, and the samples go on as they are', async () => {
  const stage = probeStage({ limit: 60 });
  const corpus = labelledCorpus(120);
  expect(await stage.prepare?.(each(corpus), signal)).toMatchObject({
    probes: { 'n-gram': { leaks: expect.any(Array) } },
  });
  expect(await probeStage().prepare?.(each(leaking), signal)).toMatchObject({ labelled: 120 });
  const [sample] = corpus;
  expect(sample && (await stage.process(sample, signal))).toEqual({ samples: [sample], decisions: [] });
});

test.each([[{ limit: 0 }], [{ limit: 101 }], [{ mostRuns: 0 }], [{ seed: 0.5 }]])(
  '%j is refused',
  (options) => {
    expect(() => probeStage(options)).toThrow(Object.keys(options)[0]);
  },
);
