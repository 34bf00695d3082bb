import { execFile } from 'node:child_process';
import { appendFile, readFile, stat, truncate } from 'node:fs/promises';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { budgeted } from '../../../collectors/judge/budgeted.js';
import { cached } from '../../../collectors/judge/cached.js';
import type { Judge, JudgeReply, Question } from '../../../collectors/judge/judge.js';
import { limited } from '../../../collectors/judge/limited.js';
import { SetupError } from '../../../core/index.js';
import { failsWith, ScriptedJudge } from '../../support/scripted-judge.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const write = temporaryFolder();
const never = new AbortController().signal;
const schema = z.object({ value: z.string() });
const asks = (prompt: string, more: Partial<Question<{ value: string }>> = {}) => ({
  system: 'S',
  prompt,
  schema,
  ...more,
});
const says = (value: string) => ({ answer: { value } });
const failure = failsWith('error');

describe('cached', () => {
  test('asks once for each question, over runs that share the file', async () => {
    const file = await write('shared.jsonl', '');
    const first = cached(new ScriptedJudge().on('one', says('1')), file);
    expect(await first.ask(asks('one'), never)).toEqual(says('1'));
    expect(await first.ask(asks('one'), never)).toEqual(says('1'));
    expect(first.hits).toBe(1);
    const second = cached(new ScriptedJudge(), file);
    expect(await second.ask(asks('one'), never)).toEqual(says('1'));
  });

  test.each<[string, Question<{ value: string }>, string]>([
    ['prompt', asks('other'), 'scripted'],
    ['system', asks('one', { system: 'T' }), 'scripted'],
    ['sample', asks('one', { sample: 1 }), 'scripted'],
    ['temperature', asks('one', { temperature: 0.5 }), 'scripted'],
    ['judge', asks('one'), 'another model'],
  ])('another %s is another question', async (which, question, name) => {
    const file = await write(`${which}.jsonl`, '');
    await cached(new ScriptedJudge().on('', says('1')), file).ask(asks('one'), never);
    const reply = await cached(new ScriptedJudge(name).on('', says('2')), file).ask(question, never);
    expect(reply).toEqual(says('2'));
  });

  test('keeps no failure', async () => {
    const file = await write('failures.jsonl', '');
    const judge = cached(new ScriptedJudge().on('one', failure, says('1')), file);
    expect((await judge.ask(asks('one'), never)).failure?.kind).toBe('error');
    expect(await judge.ask(asks('one'), never)).toEqual(says('1'));
    expect((await readFile(file, 'utf8')).trim().split('\n')).toHaveLength(1);
  });

  test('a tear anywhere costs the torn answer and nothing else', async () => {
    const file = await write('torn.jsonl', '');
    const whole = cached(
      new ScriptedJudge().always('', (q) => says(q.prompt)),
      file,
    );
    for (const prompt of ['first', 'sec\u2028ond']) await whole.ask(asks(prompt), never);
    const bytes = await readFile(file);
    const end = bytes.indexOf('\n') + 1;
    for (let length = end; length < bytes.length; length++) {
      const torn = await write('torn.jsonl', bytes.subarray(0, length));
      const judge = cached(new ScriptedJudge().on('third', says('third')), torn);
      expect(await judge.ask(asks('first'), never)).toEqual(says('first'));
      expect(await judge.ask(asks('third'), never)).toEqual(says('third'));
      const after = cached(new ScriptedJudge(), torn);
      expect(await after.ask(asks('third'), never)).toEqual(says('third'));
      await truncate(torn, 0);
    }
    expect(bytes.toString()).not.toContain('\u2028');
  });

  test('asks anew for what the schema no longer takes', async () => {
    const file = await write('schema.jsonl', '');
    await cached(new ScriptedJudge().on('one', says('1')), file).ask(asks('one'), never);
    const newer = { ...asks('one'), schema: z.object({ value: z.string(), why: z.string() }) };
    const judge = cached(new ScriptedJudge().on('one', { answer: { value: '1', why: 'so' } }), file);
    expect((await judge.ask(newer, never)).answer?.why).toBe('so');
  });

  test('is for its owner alone, and says so when it cannot be written', async () => {
    const file = await write('mode.jsonl', '');
    const fresh = `${file}-fresh`;
    await cached(new ScriptedJudge().on('one', says('1')), fresh).ask(asks('one'), never);
    expect((await stat(fresh)).mode & 0o777).toBe(0o600);
    const nowhere = cached(new ScriptedJudge(), `${file}/below`);
    await expect(nowhere.ask(asks('one'), never)).rejects.toThrow(/ENOTDIR/);
  });

  test('whole lines of several processes stand side by side', async () => {
    const file = await write('processes.jsonl', '');
    const source = `
      import { z } from 'zod';
      import { cached } from ${JSON.stringify(new URL('../../../collectors/judge/cached.ts', import.meta.url).href)};
      const long = 'x'.repeat(50_000);
      const judge = cached({ name: 'm', ask: async (q) => ({ answer: { value: long + q.prompt } }) }, process.argv[1]);
      const asks = Array.from({ length: 20 }, (_, i) => judge.ask(
        { system: 's', prompt: process.argv[2] + i, schema: z.any() }, new AbortController().signal));
      await Promise.all(asks);`;
    const run = promisify(execFile);
    const args = (name: string) => ['--import', 'tsx', '--input-type=module', '-e', source, file, name];
    await Promise.all(['a', 'b'].map((name) => run(process.execPath, args(name))));
    const lines = (await readFile(file, 'utf8')).trim().split('\n');
    expect(new Set(lines.map((line) => JSON.parse(line).key)).size).toBe(40);
  });

  test('a line that is no JSON is passed over', async () => {
    const file = await write('odd.jsonl', '');
    await cached(new ScriptedJudge().on('one', says('1')), file).ask(asks('one'), never);
    await appendFile(file, 'oops\n{"no": "key"}\n');
    expect(await cached(new ScriptedJudge(), file).ask(asks('one'), never)).toEqual(says('1'));
  });
});

describe('budgeted', () => {
  const spending = (tokens: number | undefined, cost = 0): Judge => ({
    name: 'm',
    ask: async <A>() => ({ answer: { value: '1' } as A, usage: { tokens, cost } }) as JudgeReply<A>,
  });

  test.each([
    ['calls', { calls: 2 }, '2 of 2 calls are spent'],
    ['tokens', { tokens: 150 }, '200 of 150 tokens are spent'],
    ['cost', { cost: 0.5 }, '0.6 of 0.5 cost are spent'],
  ])('when its %s are spent, nobody is asked', async (_, budget, message) => {
    const judge = budgeted(spending(100, 0.3), budget);
    for (let call = 0; call < 2; call++) expect(await judge.ask(asks('one'), never)).toMatchObject(says('1'));
    expect((await judge.ask(asks('one'), never)).failure).toEqual({ kind: 'budget', message });
    expect(judge.spent).toEqual({ calls: 2, tokens: 200, cost: 0.6 });
  });

  test('calls are never exceeded, however many ask at once', async () => {
    const scripted = new ScriptedJudge().always('', says('1'));
    scripted.delayMs = 5;
    const judge = budgeted(scripted, { calls: 3 });
    const replies = await Promise.all(Array.from({ length: 9 }, () => judge.ask(asks('one'), never)));
    expect(scripted.calls).toHaveLength(3);
    expect(replies.filter(({ failure }) => failure?.kind === 'budget')).toHaveLength(6);
  });

  test('where nobody tells the tokens, those of the question count', async () => {
    const judge = budgeted(spending(undefined), { tokens: 3 });
    await judge.ask(asks('one two three four five'), never);
    expect((await judge.ask(asks('one'), never)).failure?.kind).toBe('budget');
  });

  test('failures count as calls, and what is answered from the cache does not', async () => {
    const file = await write('budget.jsonl', '');
    const inner = budgeted(new ScriptedJudge().on('', failure, says('1')), { calls: 2 });
    const judge = cached(inner, file);
    await judge.ask(asks('one'), never);
    for (let call = 0; call < 3; call++) expect(await judge.ask(asks('one'), never)).toMatchObject(says('1'));
    expect(inner.spent.calls).toBe(2);
  });

  test('refuses a limit that it does not know', () => {
    expect(() => budgeted(spending(1), { euros: 5 } as object)).toThrow(SetupError);
  });
});

describe('limited', () => {
  test('asks so many at once, and all of them', async () => {
    const scripted = new ScriptedJudge().always('', (q) => says(q.prompt));
    scripted.delayMs = 3;
    const judge = limited(scripted, 4);
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, index) => judge.ask(asks(String(index)), never)),
    );
    expect(replies.map(({ answer }) => answer?.value)).toEqual(
      Array.from({ length: 20 }, (_, i) => String(i)),
    );
    expect(scripted.busiest).toBe(4);
  });

  test('whoever is called off leaves the queue with the reason', async () => {
    const scripted = new ScriptedJudge().always('', says('1'));
    scripted.delayMs = 30;
    const judge = limited(scripted, 1);
    const caller = new AbortController();
    const first = judge.ask(asks('one'), never);
    const second = judge.ask(asks('two'), caller.signal);
    caller.abort(new Error('enough'));
    await expect(second).rejects.toThrow('enough');
    expect(await first).toEqual(says('1'));
    expect(scripted.calls).toHaveLength(1);
  });

  test.each([0, 1.5, Number.NaN])('refuses %d', (concurrency) => {
    expect(() => limited(new ScriptedJudge(), concurrency)).toThrow(SetupError);
  });
});
