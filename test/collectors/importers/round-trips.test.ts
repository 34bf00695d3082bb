import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { detectFormat } from '../../../collectors/importers/detect-format.js';
import { recordedRuns } from '../../../collectors/importers/recorded-runs.js';
import type { RecordedRun } from '../../../collectors/recorded-run.js';
import { turnInputSchema } from '../../../core/index.js';
import { collect } from '../support/collect.js';
import { expectToldOnce } from '../support/told-once.js';

const folder = path.resolve(import.meta.dirname, '../../fixtures/imports');

async function runsOf(file: string): Promise<RecordedRun[]> {
  return collect(recordedRuns(path.join(folder, file), {}));
}

const team = [
  'How many cups are left?',
  'Count the cups first.',
  'I look it up.',
  'call_1 stock',
  'call_2 stock',
  "call_1 = Error: ValueError('no such item: cup')\n Please fix your mistakes.",
  'call_2 = 351',
  '351 cups are left.',
];
const swarm = [
  'How many cups are left?',
  'The counter knows.',
  'call_1 transfer_to_counter',
  'call_1 = Transferred to counter, adopting the role of counter immediately.',
  'Transferred to counter, adopting the role of counter immediately.',
  'Two names are possible.',
  'call_2 stock',
  'call_3 stock',
  'call_2 = no such item: cup',
  'call_3 = 351',
  'There are 351 cups.',
  'call_4 transfer_to_planner',
  'call_4 = Transferred to planner, adopting the role of planner immediately.',
  'Transferred to planner, adopting the role of planner immediately.',
  '351 cups are left. TERMINATE',
];
const counted = [
  'How many cups are left?',
  'I look it up.',
  'call_1 stock',
  'call_1 = 351',
  '351 cups are left.',
];

/** Every file, who speaks in it, and all that it says. */
const files: readonly (readonly [
  file: string,
  format: string,
  agents: readonly string[],
  texts: readonly string[],
])[] = [
  ['langsmith/runs.json', 'langsmith', ['planner', 'solver'], team],
  ['langsmith/runs.jsonl', 'langsmith', ['planner', 'solver'], team],
  ['langfuse/observations.json', 'langfuse', ['planner', 'solver'], team],
  ['langfuse/trace.json', 'langfuse', ['planner', 'solver'], team],
  ['otlp/open-inference.jsonl', 'otlp', ['planner', 'solver'], team],
  [
    'otlp/gen-ai.json',
    'otlp',
    ['counter'],
    [...counted, 'The stock knows.'].toSorted((one, other) => rank(one) - rank(other)),
  ],
  [
    'otlp/gen-ai-events.json',
    'otlp',
    ['counter'],
    [
      'How many cups are left?',
      'I look it up.',
      'call_1 stock',
      'call_1 = no such item: cup',
      'There are none.',
    ],
  ],
  [
    'autogen/agent.jsonl',
    'autogen',
    ['counter'],
    ['How many plates are left?', 'call_5 stock', 'call_5 = 351', '351'],
  ],
  [
    'autogen/chat.json',
    'autogen',
    ['assistant', 'counter'],
    [
      'How many cups are left?',
      'I look it up.',
      'call_1 stock',
      'call_2 stock',
      'call_1 = Error: no such item: cup',
      'call_2 = 351',
      '351 cups are left. TERMINATE',
    ],
  ],
  [
    'autogen/group-chat.json',
    'autogen',
    ['planner', 'solver'],
    ['What is 17 + 23?', 'The solver should add 17 and 23.', 'It is 40.', 'TERMINATE'],
  ],
  ['autogen/team.json', 'autogen', ['planner', 'counter'], swarm],
  ['autogen/state.json', 'autogen', ['planner', 'counter'], swarm],
  [
    'smolagents/code-agent.json',
    'smolagents',
    ['agent'],
    [
      'What is half of 702?',
      'Thought: I divide.\n<code>\nprint(702 / 0)\n</code>',
      'call_1 python_interpreter',
      "call_1 = Code execution failed at line 'print(702 / 0)' due to: ZeroDivisionError: division by zero",
      'Thought: By two.\n<code>\nhalf = 702 / 2\nprint(half)\n</code>',
      'call_2 python_interpreter',
      'call_2 = Execution logs:\n351.0\nLast output from code snippet:\nNone',
      'Thought: That is it.\n<code>\nfinal_answer(351)\n</code>',
      'call_3 python_interpreter',
      'call_3 = Execution logs:\nLast output from code snippet:\n351',
    ],
  ],
  [
    'smolagents/manager.json',
    'smolagents',
    ['agent'],
    [
      'How many cups and plates are left?',
      'Here are the facts I know and the plan of action that I will follow to solve the task:\n```\n1. Look it up.\n2. Ask the counter.\n<end_plan>\n```',
      'I look it up.',
      'call_1 stock',
      "call_1 = Error executing tool 'stock' with arguments {'item': 'cup'}: ValueError: no such item: cup\nPlease try again or use another tool",
      'I ask the counter.',
      'call_2 counter',
      'call_3 stock',
      "call_2 = Here is the final answer from your managed agent 'counter':\nThere are 351 cups.\n351",
      'call_4 final_answer',
      'call_4 = 351 cups and 351 plates are left.',
    ],
  ],
  [
    'atif/team.json',
    'atif',
    ['terminus-2', 'counter'],
    [
      'How many words has notes.txt?\n[image]',
      'I look at it, and let it be counted.',
      'Two things at once.',
      'call_1 bash',
      'call_2 delegate',
      'call_1 = notes.txt',
      'I count them.',
      'c-1 bash',
      'c-1 = 351 notes.txt',
      '351 words.',
      'call_2 = 351 words.',
      'notes.txt has 351 words.',
    ],
  ],
  [
    'atif/continued.json',
    'atif',
    ['terminus-2'],
    [
      'Make hello.txt.',
      'I look around.',
      'Go on where you were.',
      'I write it.',
      'call_9 bash',
      'call_9 = $ touch hello.txt',
    ],
  ],
  [
    'openai-messages/chat.json',
    'openai-messages',
    ['assistant', 'counter'],
    [
      'How many cups are left?\n[image_url]',
      'call_1 stock',
      'call_2 stock',
      'call_1 = 351',
      'That was all.',
      '351 cups are left.',
      'And plates?',
      'call_7 = 12 plates',
      '12 plates <truncated due to size exceeding limit>',
    ],
  ],
  [
    'openai-messages/response-items.json',
    'openai-messages',
    ['assistant'],
    ['How many cups are left?', 'The stock knows.', 'call_1 stock', 'call_1 = 351', '351 cups are left.'],
  ],
  [
    'metagpt/team.json',
    'metagpt',
    ['Planner', 'Solver'],
    ['What is 17 + 23?', '1. Add 17 and 23.\n2. Check the sum.', '17 + 23 = 40'],
  ],
  [
    'metagpt/messages.jsonl',
    'metagpt',
    ['Planner', 'Solver'],
    ['What is 17 + 23?', '1. Add 17 and 23.\n2. Check the sum.', '17 + 23 = 40'],
  ],
];

function rank(text: string): number {
  return ['How', 'The stock', 'I look', 'call_1 stock', 'call_1 =', '351'].findIndex((start) =>
    text.startsWith(start),
  );
}

describe('files that the frameworks wrote: each word, call and result once, whole, in order', () => {
  test.each(files)('%s', async (file, format, agents, texts) => {
    expect(await detectFormat(path.join(folder, file))).toBe(format);
    const [run, ...others] = await runsOf(file);
    expect(others).toEqual([]);
    expectToldOnce(run as RecordedRun, texts);
    const speakers = run?.turns.filter(({ kind }) => kind === 'agent').map(({ agent }) => agent);
    expect([...new Set(speakers)]).toEqual(agents);
    for (const turn of run?.turns ?? []) expect(turnInputSchema.safeParse(turn).success).toBe(true);
  });

  test('the list above has every file', async () => {
    const { readdirSync } = await import('node:fs');
    const all = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((one) =>
      /\.jsonl?$/.test(one),
    );
    expect(all.toSorted()).toEqual(
      [...files.map(([file]) => file), 'openai-messages/fine-tuning.jsonl'].toSorted(),
    );
  });
});

test('lines of chats are runs of their own', async () => {
  const runs = await runsOf('openai-messages/fine-tuning.jsonl');
  expect(runs.map(({ task, turns, tools }) => [task, turns.length, tools])).toEqual([
    ['What is 17 + 23?', 2, []],
    ['Weather in Oslo?', 4, [{ name: 'weather' }]],
  ]);
  expect(runs[1]?.turns[2]).toMatchObject({
    kind: 'tool',
    agent: 'assistant',
    toolName: 'weather',
    content: 'rain',
  });
});

describe('what else is known', () => {
  test('usage, times, tools', async () => {
    const [trace] = await runsOf('langsmith/runs.json');
    expect(trace?.turns[2]).toMatchObject({ usage: { inputTokens: 50, outputTokens: 9 } });
    expect(trace?.turns[2]?.at).toBeGreaterThan(1.7e12);
    expect(trace?.turns[3]).toMatchObject({ isError: true, toolName: 'stock', agent: 'solver' });
    expect(trace?.tools).toEqual([{ name: 'stock', description: 'How many of an item are left.' }]);
    const [atif] = await runsOf('atif/team.json');
    expect(atif?.turns[1]).toMatchObject({
      at: Date.UTC(2026, 0, 5, 10, 0, 1),
      usage: { inputTokens: 120, outputTokens: 30, cachedInputTokens: 10 },
    });
    expect(atif?.runId).toBe('t-1');
  });

  test('handoffs', async () => {
    const [run] = await runsOf('autogen/team.json');
    expect(
      run?.turns
        .filter(({ handoffTo }) => handoffTo)
        .map(({ kind, agent, handoffTo }) => [kind, agent, handoffTo]),
    ).toEqual([
      ['agent', 'planner', 'counter'],
      ['handoff', 'planner', 'counter'],
      ['agent', 'counter', 'planner'],
      ['handoff', 'counter', 'planner'],
    ]);
  });

  test('what was there before the run is given', async () => {
    const [run] = await runsOf('atif/continued.json');
    expect(run?.turns.map(({ given = false }) => given)).toEqual([true, true, false, false, false]);
    expect(run?.task).toBe('Go on where you were.');
  });

  test.each([
    [
      'openai-messages/chat.json',
      ['unknown-part', 'missing-agent-name', 'orphan-tool-result', 'truncated-text', 'unanswered-call'],
    ],
    ['autogen/chat.json', ['missing-agent-name']],
    ['atif/team.json', ['unknown-part']],
    ['smolagents/manager.json', ['shared-observation']],
    ['langsmith/runs.json', []],
    ['otlp/open-inference.jsonl', []],
  ])('what is missing in %s is said', async (file, codes) => {
    const [run] = await runsOf(file);
    const found = new Set(run?.quirks.map(({ code }) => code));
    const missing = [
      'missing-input',
      'unknown-part',
      'missing-agent-name',
      'orphan-tool-result',
      'truncated-text',
      'unanswered-call',
      'shared-observation',
      'clock-order',
      'missing-output',
      'unrecorded-reply',
      'prompt-mid-run',
    ];
    expect(missing.filter((code) => found.has(code)).toSorted()).toEqual(codes.toSorted());
  });

  test('an id of the file is an id, never a path', async () => {
    const [run] = await runsOf('openai-messages/chat.json');
    expect(run?.runId).toBe('chatcmpl/../1');
  });
});
