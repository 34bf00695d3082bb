import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { appendOnlyLayout } from '../../../../core/auditors/prompt/append-only-layout.js';
import { countTokens } from '../../../../core/auditors/prompt/count-tokens.js';
import type { Prompt } from '../../../../core/auditors/prompt/prompt-layout.js';
import { publishedLayout } from '../../../../core/auditors/prompt/published-layout.js';
import { SetupError } from '../../../../core/errors.js';
import { Trajectory } from '../../../../core/trajectory.js';
import { arrivals, choices, tasks } from '../../../support/branching-run.js';
import { CONTROL_TOKENS, hostileRun, requestsOf } from '../../../support/hostile-runs.js';

const REPLY_TOKENS = 2_048;
const SMALL = 5_000;
const roomy = appendOnlyLayout({ contextTokens: 10_000_000 });
const small = appendOnlyLayout({ contextTokens: SMALL });
const characters = appendOnlyLayout({ contextTokens: 9_000, countTokens: (text) => text.length });

const text = ({ system, body, tail }: Prompt) => system + body + tail;
const lines = ({ body }: Prompt) => body.split('\n').slice(0, -1);
const agentTurn = (content: string) => ({ agent: 'solver', kind: 'agent' as const, content });
const last = <Item>(items: readonly Item[]) => items.at(-1) as Item;

describe('bytes are stable', () => {
  it('each prompt is the one before it and one line more, whatever agents write', () => {
    fc.assert(
      fc.property(hostileRun, (run) => {
        const prompts = requestsOf(run).map((request) => roomy.prompt(request));
        for (const [step, prompt] of prompts.entries()) {
          const before = prompts[step - 1];
          if (!before) continue;
          expect(prompt.body.startsWith(before.body)).toBe(true);
          expect(lines(prompt).length).toBe(lines(before).length + 1);
          expect(prompt.tail).toBe(before.tail);
        }
      }),
      { numRuns: 60 },
    );
  });

  it('so too along each lane of side-by-side branches', () => {
    fc.assert(
      fc.property(tasks, fc.integer(), (task, seed) => {
        const trajectory = new Trajectory();
        const last = new Map<string, Prompt>();
        for (const turn of arrivals(task, choices(seed))) {
          const prefix = trajectory.append(turn);
          const lane = JSON.stringify([turn.path]);
          const prompt = roomy.prompt({ runId: 'run', task: 'x', tools: [], prefix });
          expect(prompt.body.startsWith(last.get(lane)?.body ?? '')).toBe(true);
          last.set(lane, prompt);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('the same prefix gives the same bytes to a layout that has seen nothing before it', () => {
    fc.assert(
      fc.property(hostileRun, (run) => {
        const walked = requestsOf(run).map((request) => small.prompt(request));
        const fresh = appendOnlyLayout({ contextTokens: SMALL }).prompt(last(requestsOf(run)));
        expect(fresh).toEqual(last(walked));
      }),
      { numRuns: 60 },
    );
  });

  it('turns that differ only in ids, times, usage and whether they were given read the same', () => {
    const turn = { ...agentTurn('hello'), toolCalls: [{ id: 'call_1', name: 'add', args: [1] }] };
    const other = {
      ...turn,
      id: 'other',
      at: 99,
      durationMs: 5,
      usage: { inputTokens: 3 },
      given: true,
      toolCallId: 'call_9',
      toolCalls: [{ id: 'call_2', name: 'add', args: [1] }],
    };
    const [one, two] = [turn, other].map((only) =>
      roomy.prompt(last(requestsOf({ task: 't', tools: [], turns: [only] }))),
    );
    expect(one).toEqual(two);
  });
});

describe('the budget', () => {
  it.each([
    ['o200k_base', small, SMALL, countTokens],
    ['a tokenizer of single characters', characters, 9_000, (given: string) => given.length],
  ] as const)('is never exceeded, and tokens are as %s counts them', (_, layout, contextTokens, count) => {
    fc.assert(
      fc.property(hostileRun, (run) => {
        for (const request of requestsOf(run)) {
          const prompt = layout.prompt(request);
          expect(prompt.tokens).toBeLessThanOrEqual(contextTokens - REPLY_TOKENS);
          expect(prompt.tokens).toBe(count(prompt.system) + count(prompt.body + prompt.tail));
        }
      }),
      { numRuns: 60 },
    );
  });

  const giant = 'all work and no play '.repeat(40_000);
  it.each([
    ['one giant turn', { task: 't', tools: [], turns: [agentTurn('go'), agentTurn(giant)] }],
    ['a giant task', { task: giant, tools: [], turns: [{ agent: 'user', kind: 'user', content: giant }] }],
    ['a giant task turn', { task: 't', tools: [], turns: [agentTurn(giant), agentTurn('ok')] }],
    [
      'a giant name',
      { task: 't', tools: [], turns: [{ ...agentTurn('ok'), agent: '\ud800'.repeat(90_000) }] },
    ],
    [
      'a giant tool list',
      {
        task: 't',
        tools: Array.from({ length: 5_000 }, (_, at) => ({ name: `tool-${at}`, description: 'does much' })),
        turns: [agentTurn('ok')],
      },
    ],
    [
      'giant calls',
      {
        task: 't',
        tools: [],
        turns: [
          {
            ...agentTurn(''),
            toolCalls: Array.from({ length: 3_000 }, (_, at) => ({
              id: '',
              name: `f${at}`,
              args: { giant: at },
            })),
          },
        ],
      },
    ],
  ] as const)('holds for %s', (_, run) => {
    const prompt = small.prompt(last(requestsOf(run)));
    expect(prompt.tokens).toBeLessThanOrEqual(SMALL - REPLY_TOKENS);
    expect(countTokens(prompt.system) + countTokens(prompt.body + prompt.tail)).toBe(prompt.tokens);
    expect(prompt.body).toMatch(/"leftOut":\d+|"toolsShown":\d+/);
  });

  it('rejects options that leave no room, and options that are none', () => {
    expect(() => appendOnlyLayout({ contextTokens: 2_000 })).toThrow(SetupError);
    expect(() => appendOnlyLayout({ contextTokens: 2_000 })).toThrow(/Give at least \d+/);
    expect(() => appendOnlyLayout({ turnTokens: 10 })).toThrow(/turnTokens/);
    expect(() => appendOnlyLayout({ context: 10 } as object)).toThrow(/context/);
    expect(() => appendOnlyLayout({ countTokens: 'gpt' } as never)).toThrow(/countTokens/);
    expect(() => appendOnlyLayout({ countTokens: () => Number.NaN })).toThrow(SetupError);
    expect(() => publishedLayout({ countTokens: async () => 3 } as never)).toThrow(SetupError);
  });

  it('counts whole tokens when the tokenizer gives an estimate', () => {
    const layout = appendOnlyLayout({ contextTokens: SMALL, countTokens: (given) => given.length / 3.7 });
    const prompt = layout.prompt(last(requestsOf({ task: 't', tools: [], turns: [agentTurn(giant)] })));
    expect(Number.isInteger(prompt.tokens)).toBe(true);
    expect(Number.isInteger(prompt.cut?.tokens)).toBe(true);
  });
});

describe('what is cut', () => {
  it('a turn that is too long keeps head and tail, says how much is missing, and never changes again', () => {
    const long = `BEGIN ${'middle '.repeat(9_000)} END`;
    const requests = requestsOf({
      task: 't',
      tools: [],
      turns: [agentTurn('go'), agentTurn(long), agentTurn('then'), agentTurn('done')],
    });
    const [, first, , third] = requests.map((request) => roomy.prompt(request));
    const shown = JSON.parse(lines(first as Prompt)[2] as string);
    expect(shown.content).toMatch(/^BEGIN middle .* \[…\] .*middle {2}END$/);
    expect(shown.leftOut).toBeGreaterThan(6_000);
    expect(first?.cut).toEqual({ turns: 1, tokens: shown.leftOut });
    // What is shown and what is not make up the whole.
    expect(Math.abs(countTokens(lines(first as Prompt)[2] as string) + shown.leftOut - 9_000)).toBeLessThan(
      60,
    );
    expect(lines(third as Prompt)[2]).toBe(lines(first as Prompt)[2]);
    expect(third?.cut).toEqual(first?.cut);
  });

  it('a short run is not cut', () => {
    const request = last(requestsOf({ task: 't', tools: [], turns: [agentTurn('go'), agentTurn('done')] }));
    expect(roomy.prompt(request).cut).toBeUndefined();
  });

  it('the task turn is not shortened like others', () => {
    const long = 'word '.repeat(3_000);
    const request = last(requestsOf({ task: 't', tools: [], turns: [agentTurn(long), agentTurn('done')] }));
    expect(roomy.prompt(request).cut).toBeUndefined();
    expect(roomy.prompt(request).body).toContain(long);
  });
});

it('no control token of any model family, and no line, can be forged', () => {
  fc.assert(
    fc.property(hostileRun, (run) => {
      const prompt = small.prompt(last(requestsOf(run)));
      for (const token of CONTROL_TOKENS) expect(prompt.body).not.toContain(token);
      for (const line of lines(prompt)) {
        expect(Object.keys(JSON.parse(line))[0]).toMatch(/^(task|tool|toolsShown|step|steps)$/);
      }
      expect(prompt.body).not.toMatch(/[\u0085\u2028\u2029\ud800-\udbff](?![\udc00-\udfff])/);
      expect(text(prompt).isWellFormed()).toBe(true);
    }),
    { numRuns: 60 },
  );
});

it('what is not shortened reads back as it was written', () => {
  fc.assert(
    fc.property(hostileRun, (run) => {
      const turns = run.turns.filter(({ content }) => content.length < 300);
      if (turns.length === 0) return;
      const shown = lines(roomy.prompt(last(requestsOf({ ...run, turns })))).flatMap((line) => {
        const value = JSON.parse(line);
        return value.step === undefined || value.leftOut || value.task ? [] : [value];
      });
      for (const { step, agent, kind, content = '' } of shown) {
        expect({ agent, kind, content }).toEqual({
          agent: turns[step]?.agent,
          kind: turns[step]?.kind,
          content: turns[step]?.content,
        });
      }
    }),
    { numRuns: 60 },
  );
});
