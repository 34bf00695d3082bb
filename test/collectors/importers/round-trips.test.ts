import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { exportAtif } from '../../../collectors/exporters/atif.js';
import { detectFormat } from '../../../collectors/importers/detect-format.js';
import { isObject } from '../../../collectors/importers/json-object.js';
import { recordedRuns } from '../../../collectors/importers/recorded-runs.js';
import type { RecordedRun } from '../../../collectors/recorded-run.js';
import type { SampleTurn } from '../../../collectors/sample.js';
import { turnInputSchema } from '../../../core/index.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { collect } from '../support/collect.js';
import { importedFiles } from '../support/imported-files.js';
import { asSample, streamed } from '../support/samples.js';
import { expectToldOnce } from '../support/told-once.js';

const folder = path.resolve(import.meta.dirname, '../../fixtures/imports');

async function runsOf(file: string): Promise<RecordedRun[]> {
  return collect(recordedRuns(path.join(folder, file), {}));
}

describe('files as the frameworks write them (docs/collectors/importers.md tells which were written by hand): each word, call and result once, whole, in order', () => {
  test.each(importedFiles)('%s', async (file, format, agents, texts) => {
    expect(await detectFormat(path.join(folder, file))).toBe(format);
    const [run, ...others] = await runsOf(file);
    expect(others).toEqual([]);
    expectToldOnce(run as RecordedRun, texts);
    const speakers = run?.turns.filter(({ kind }) => kind === 'agent').map(({ agent }) => agent);
    expect([...new Set(speakers)]).toEqual(agents);
    for (const turn of run?.turns ?? []) expect(turnInputSchema.safeParse(turn).success).toBe(true);
  });

  test.each(importedFiles)('%s again, by way of an ATIF file of ours', async (file) => {
    const [run] = await runsOf(file);
    const again = path.join(temporaryFolder(), 'atif.jsonl');
    await exportAtif(streamed([asSample(run as RecordedRun)]), again);
    expect(await detectFormat(again)).toBe('atif');
    const [read] = await collect(recordedRuns(again, {}));
    // ATIF has objects for arguments alone, no id for an answer to no call of its step, and no name for a tool's voice.
    const kept = ({ agent, kind, content, thought, toolCalls }: SampleTurn) => ({
      agent: kind === 'tool' ? 'whoever called it' : agent,
      kind,
      content,
      thought,
      calls: toolCalls?.map(({ name, args }) => [name, isObject(args) ? args : { value: args }]),
    });
    expect(read?.turns.map(kept)).toEqual(run?.turns.map(kept));
  });

  test('the list above has every file', async () => {
    const { readdirSync } = await import('node:fs');
    const all = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((one) =>
      /\.jsonl?$/.test(one),
    );
    expect(all.toSorted()).toEqual(
      [...importedFiles.map(([file]) => file), 'openai-messages/fine-tuning.jsonl'].toSorted(),
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
