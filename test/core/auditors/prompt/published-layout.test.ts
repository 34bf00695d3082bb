import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countTokens } from '../../../../core/auditors/prompt/count-tokens.js';
import { publishedLayout } from '../../../../core/auditors/prompt/published-layout.js';
import { CONTROL_TOKENS, hostileRun, requestsOf } from '../../../support/hostile-runs.js';

const layout = publishedLayout();
const solver = (content: string) => ({ agent: 'solver', kind: 'agent' as const, content });
const promptOf = (...contents: string[]) => {
  const requests = requestsOf({ task: 'Add.', tools: [{ name: 'add' }], turns: contents.map(solver) });
  return layout.prompt(requests.at(-1) as (typeof requests)[number]);
};

describe('publishedLayout', () => {
  it('says how far the run has come before the turns, which are in four fields', () => {
    expect(promptOf('go', 'done').body).toBe(
      [
        'Task: Add.',
        'Tools:',
        '- add: ',
        'Observed up to step 1 (total 2 steps):',
        '[step 0] role: solver',
        'thought: ',
        'action: ',
        'content: go',
        '[step 1] role: solver',
        'thought: ',
        'action: ',
        'content: done',
        '',
      ].join('\n'),
    );
  });

  it('keeps 2,000 characters of a field, and tells of the rest', () => {
    const { body, cut } = promptOf('go', 'word '.repeat(1_000));
    expect(body).toContain(`content: ${'word '.repeat(400)}… (cut)\n`);
    expect(cut?.turns).toBe(1);
    expect(cut?.tokens).toBeGreaterThan(590);
    expect(cut?.tokens).toBeLessThan(610);
    expect(promptOf('go').cut).toBeUndefined();
  });

  it('names a tool the environment, and shows no ids', () => {
    const [, request] = requestsOf({
      task: 'Add.',
      tools: [],
      turns: [
        { ...solver(''), toolCalls: [{ id: 'call_slip', name: 'add', args: { a: 1 } }] },
        { ...solver('3'), kind: 'tool', toolName: 'add', toolCallId: 'call_slip' },
      ],
    });
    const { body } = layout.prompt(request as NonNullable<typeof request>);
    expect(body).toContain('action: [{"name":"add","arguments":"{\\"a\\":1}","id":""}]');
    expect(body).toContain(
      '[step 1] role: environment\nthought: \naction: \ncontent: [{"name":"add","result":"3"',
    );
    expect(body).not.toContain('call_slip');
  });

  it('counts its tokens, and lets no control token through', () => {
    fc.assert(
      fc.property(hostileRun, (run) => {
        for (const request of requestsOf(run).slice(-2)) {
          const { system, body, tail, tokens } = layout.prompt(request);
          expect(tokens).toBe(countTokens(system) + countTokens(body + tail));
          for (const token of CONTROL_TOKENS) expect(body).not.toContain(token);
          expect(body.isWellFormed()).toBe(true);
        }
      }),
      { numRuns: 60 },
    );
  });
});
