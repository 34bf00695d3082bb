import { describe, expect, it } from 'vitest';
import { appendOnlyLayout } from '../../../../core/auditors/prompt/append-only-layout.js';
import { countTokens } from '../../../../core/auditors/prompt/count-tokens.js';
import type { Prompt } from '../../../../core/auditors/prompt/prompt-layout.js';
import { requestsOf } from '../../../support/hostile-runs.js';

const REPLY_TOKENS = 2_048;
const SMALL = 5_000;
const roomy = appendOnlyLayout({ contextTokens: 10_000_000 });
const small = appendOnlyLayout({ contextTokens: SMALL });

const lines = ({ body }: Pick<Prompt, 'body'>) => body.split('\n').slice(0, -1);
const agentTurn = (content: string) => ({ agent: 'solver', kind: 'agent' as const, content });
const last = <Item>(items: readonly Item[]) => items.at(-1) as Item;

describe('compaction', () => {
  const turns = Array.from({ length: 400 }, (_, step) =>
    agentTurn(`Step ${step}: ${'the price of the pump is compared with the list. '.repeat(1 + (step % 4))}`),
  );
  const prompts = requestsOf({ task: 'Compare.', tools: [], turns }).map((request) => small.prompt(request));

  it('is rare, and gives free half of the room', () => {
    const breaks = prompts.filter((prompt, step) => {
      const before = prompts[step - 1];
      return before !== undefined && !prompt.body.startsWith(before.body);
    });
    expect(breaks.length).toBeGreaterThan(3);
    expect(breaks.length).toBeLessThan(prompts.length / 15);
    for (const prompt of breaks) expect(prompt.tokens).toBeLessThan(0.62 * (SMALL - REPLY_TOKENS));
  });

  it('keeps the task turn and the newest turns whole, in order, and digests of those before', () => {
    for (const [step, prompt] of prompts.entries()) {
      const shown = lines(prompt).map((line) => JSON.parse(line));
      expect(shown[1]).toMatchObject({ step: 0, content: turns[0]?.content });
      expect(shown.at(-1)).toMatchObject({ step, content: turns[step]?.content });
      const steps = shown.slice(1).flatMap(({ step: one, steps: range }) => range ?? one);
      const [from, to] = String(steps.find((one) => typeof one === 'string') ?? '1-0')
        .split('-')
        .map(Number);
      expect(from).toBe(1);
      expect(steps.filter((one) => typeof one === 'number')).toEqual([
        0,
        ...Array.from({ length: step - (to as number) }, (_, at) => at + (to as number) + 1),
      ]);
    }
    const digest = prompts.at(-1)?.body.match(/^.*"digest".*$/m)?.[0];
    expect(JSON.parse(digest as string)).toMatchObject({
      agent: 'solver',
      kind: 'agent',
      leftOut: expect.any(Number),
    });
  });

  it('tells how many turns and tokens are missing', () => {
    const { cut, body } = last(prompts);
    const shown = lines({ body } as Prompt).map((line) => JSON.parse(line));
    const [, mergedTo = 0] = (shown.find(({ steps }) => steps)?.steps ?? '').split('-').map(Number);
    const told = shown.filter(({ leftOut }) => leftOut !== undefined);
    expect(cut?.tokens).toBe(told.reduce((total, { leftOut }) => total + leftOut, 0));
    expect(cut?.turns).toBe(mergedTo + told.filter(({ step }) => step !== undefined).length);
    const whole = roomy.prompt(last(requestsOf({ task: 'Compare.', tools: [], turns })));
    const missing = whole.tokens - last(prompts).tokens;
    expect((cut?.tokens ?? 0) / missing).toBeGreaterThan(0.98);
    expect((cut?.tokens ?? 0) / missing).toBeLessThan(1.05);
  });

  it('counts each turn once, however often prompts are built', () => {
    let counted = 0;
    const layout = appendOnlyLayout({
      contextTokens: 10_000_000,
      countTokens: (given) => {
        counted += given.length;
        return countTokens(given);
      },
    });
    const before = counted;
    let bytes = 0;
    for (const request of requestsOf({ task: 'Compare.', tools: [], turns })) {
      bytes = layout.prompt(request).body.length;
    }
    expect(counted - before).toBeLessThan(1.1 * bytes);
  });
});
