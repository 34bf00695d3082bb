import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { AIMessage } from '@langchain/core/messages';
import { END, MemorySaver, MessagesAnnotation, START, StateGraph } from '@langchain/langgraph';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { Attempt } from '../../../bench/closed-loop/attempt.js';
import { comparePolicies } from '../../../bench/closed-loop/compare-policies.js';
import { outcomesOf } from '../../../bench/closed-loop/outcomes.js';
import type { Policy } from '../../../bench/closed-loop/policy.js';
import { type RunContext, runPolicies } from '../../../bench/closed-loop/run-policies.js';
import type { Auditor } from '../../../core/index.js';
import { withAuditor } from '../../../plugins/langgraph/index.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

// LangChain prints each throw of a callback handler, a halt too.
beforeEach(() => void vi.spyOn(console, 'error').mockImplementation(() => {}));

const POLICIES: readonly Policy[] = [
  { kind: 'none', tries: 2 },
  { kind: 'halt' },
  { kind: 'rerun', tries: 2 },
  { kind: 'recover', recoveries: 1 },
];
/** Tasks 0 to 2 of 10 are too hard for the solver, unless somebody tells it what is wrong. */
const TASKS = Array.from({ length: 10 }, (_, at) => ({ id: `task-${at}`, input: `${at} + ${at}` }));

/** A real graph, new for each run: the solver adds one too many where a task is hard, and heeds a hint. */
async function solve(input: string, { runtime, runId }: RunContext): Promise<string> {
  const graph = new StateGraph(MessagesAnnotation)
    .addNode('solver', ({ messages }) => {
      const number = Number.parseInt(input, 10);
      const isHinted = messages.some(({ text }) => text.includes('too many'));
      return { messages: [new AIMessage(`${input} = ${2 * number + (number < 3 && !isHinted ? 1 : 0)}`)] };
    })
    .addNode('writer', ({ messages }) => ({ messages: [new AIMessage(`Answer: ${messages.at(-1)?.text}`)] }))
    .addEdge(START, 'solver')
    .addEdge('solver', 'writer')
    .addEdge('writer', END)
    .compile({ checkpointer: new MemorySaver() });
  const question = { messages: [{ role: 'user', content: input }] };
  const { messages } = await withAuditor(graph, runtime).invoke(question, {
    configurable: { thread_id: runId },
  });
  return messages.at(-1)?.text ?? '';
}

const isSolved = (answer: string) => {
  const [left = '', right] = answer.replace('Answer: ', '').split(' = ');
  return Number(right) === 2 * Number.parseInt(left, 10);
};

/** Sees every mistake of the solver. */
const sharp: Auditor = {
  name: 'sharp',
  audit: ({ prefix: { newest } }) =>
    newest.agent === 'solver' && !isSolved(newest.content)
      ? { kind: 'alarm', step: newest.index, agent: newest.agent, reason: 'one too many' }
      : { kind: 'continue' },
};
/** Alarms at whatever the solver says. */
const loud: Auditor = {
  name: 'loud',
  audit: ({ prefix: { newest } }) =>
    newest.agent === 'solver'
      ? { kind: 'alarm', step: newest.index, agent: newest.agent, reason: 'looks odd' }
      : { kind: 'continue' },
};

const options = (auditor: Auditor) => ({
  tasks: TASKS,
  run: ({ input }: { input: string }, context: RunContext) => solve(input, context),
  isSolved,
  answerOf: (answer: string) => answer,
  costOf: ({ turns, audits }: { turns: readonly unknown[]; audits: number }) => turns.length + 0.1 * audits,
  policies: POLICIES,
  auditor,
});

async function summaries(auditor: Auditor) {
  const compared = comparePolicies(outcomesOf(await runPolicies(options(auditor)), TASKS, POLICIES));
  return new Map(compared.map((summary) => [summary.policy, summary]));
}

describe('a real LangGraph graph under each policy', () => {
  test('a sharp auditor: halting spares wrong answers, trying again does not help, a hint does', async () => {
    const found = await summaries(sharp);
    const shares = [...found.values()].map(({ policy, solved, silentlyWrong }) => [
      policy,
      solved.mean,
      silentlyWrong,
    ]);
    expect(shares).toEqual([
      ['none', 0.7, 0.3],
      ['halt', 0.7, 0],
      ['rerun', 0.7, 0],
      ['recover', 1, 0],
    ]);
    expect(found.get('recover')).toMatchObject({ recoveries: 0.3, overNone: { mean: expect.closeTo(0.3) } });
    expect(found.get('halt')?.cost.mean).toBeLessThan(found.get('rerun')?.cost.mean ?? 0);
  });

  test('a loud one makes everything worse, and its halts are told to be wrong', async () => {
    const found = await summaries(loud);
    for (const policy of ['halt', 'rerun', 'recover'] as const)
      expect(found.get(policy)?.solved.mean).toBe(0);
    expect(found.get('halt')).toMatchObject({ wrongHalts: 0.7, overNone: { mean: expect.closeTo(-0.7) } });
  });
});

describe('results on disk', () => {
  const lines = (file: string) => readFileSync(file, 'utf8').trimEnd().split('\n');
  const plain = (attempts: readonly Attempt[]) =>
    attempts.map(({ task, policy, attempt, solved, cost }) => [task, policy, attempt, solved, cost]);

  test('stopped in the middle, with a torn last line, it goes on and ends with the same', async () => {
    const undisturbed = await runPolicies(options(sharp));
    const results = path.join(temporaryFolder(), 'results.jsonl');
    const stopping = new AbortController();
    let seen = 0;
    await runPolicies({
      ...options(sharp),
      results,
      signal: stopping.signal,
      onAttempt: () => {
        if (++seen === 17) stopping.abort();
      },
    });
    expect(lines(results)).toHaveLength(1 + 17);
    appendFileSync(results, '{"task":"task-');
    let again = 0;
    const attempts = await runPolicies({ ...options(sharp), results, onAttempt: () => again++ });
    expect(plain(attempts)).toEqual(plain(undisturbed));
    expect(again).toBe(undisturbed.length - 17);
    expect(lines(results)).toHaveLength(1 + undisturbed.length);
  });

  test('no task is begun once the budget is spent, and what was begun is whole', async () => {
    const attempts = await runPolicies({ ...options(sharp), budget: 1 });
    const outcomes = outcomesOf(attempts, TASKS, POLICIES);
    expect(outcomes.groups).toHaveLength(1);
    expect(new Set(attempts.map(({ task }) => task)).size).toBe(1);
  });

  test.each([
    [
      'results under other settings',
      async (file: string) => void (await runPolicies({ ...options(loud), results: file })),
    ],
    ["somebody's file", async (file: string) => writeFileSync(file, '{"mine":1}')],
  ])('%s are refused, and stay as they were', async (_what, make) => {
    const results = path.join(temporaryFolder(), 'results.jsonl');
    await make(results);
    const before = readFileSync(results, 'utf8');
    await expect(runPolicies({ ...options(sharp), results })).rejects.toThrow('Give another file');
    expect(readFileSync(results, 'utf8')).toBe(before);
  });

  test('a host that fails by itself is an attempt that failed, and no halt', async () => {
    const failing = { ...options(sharp), run: () => Promise.reject(new Error('no tool')) };
    const attempts = await runPolicies({ ...failing, tasks: TASKS.slice(0, 1) });
    expect(attempts.every(({ ended, error }) => ended === 'failed' && error === 'no tool')).toBe(true);
  });
});
