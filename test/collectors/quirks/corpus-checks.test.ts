import { expect, test } from 'vitest';
import { CorpusQuirks } from '../../../collectors/quirks/corpus-checks.js';
import type { RecordedRun } from '../../../collectors/recorded-run.js';

function run(runId: string, answer: string, change: Partial<RecordedRun> = {}): RecordedRun {
  return {
    runId,
    source: `${runId}.json`,
    task: `task of ${runId}`,
    tools: [],
    turns: [
      { agent: 'user', kind: 'user', content: change.task ?? `task of ${runId}` },
      { agent: 'A', kind: 'agent', content: answer },
    ],
    quirks: [],
    ...change,
  };
}

function unsafe(step: number, source: 'injected' | 'natural' = 'injected') {
  return { kind: 'unsafe', step, agent: 'A', source } as const;
}

function quirks(runs: readonly RecordedRun[], testRunIds?: ReadonlySet<string>) {
  const corpus = new CorpusQuirks({ testRunIds });
  for (const one of runs) corpus.observe(one);
  return corpus.quirks().map(({ code, runs: ids, detail }) => [code, ids.join(' '), detail]);
}

test('runs that have nothing in common', () => {
  expect(quirks([run('a', 'x'), run('b', 'y')])).toEqual([]);
});

test('one id, twice', () => {
  expect(quirks([run('a', 'x'), run('a', 'y', { task: 't', source: 'other.json' })])).toEqual([
    ['repeated-run-id', 'a a', 'in a.json, other.json'],
  ]);
});

test('duplicate histories, whose labels agree or not', () => {
  const task = 'same';
  const label = unsafe(1);
  const found = (second: RecordedRun) => quirks([run('a', 'x', { task, label }), second])[0];
  expect(found(run('b', 'x', { task, label }))).toEqual([
    'duplicate-history',
    'a b',
    'all labelled step 1 (A)',
  ]);
  expect(found(run('b', 'x', { task, label: { kind: 'safe' } }))).toEqual([
    'duplicate-history-labels-differ',
    'a b',
    'labelled step 1 (A) or safe',
  ]);
});

test('one task in one domain or in two', () => {
  const pair = (one: string, other: string) =>
    quirks([run('a', 'x', { task: 't', domain: one }), run('b', 'y', { task: 't ', domain: other })])[0];
  expect(pair('math', 'math')).toEqual(['shared-task', 'a b', '2 runs of one task']);
  expect(pair('math', 'coding')).toEqual(['shared-task-across-domains', 'a b', 'in math and coding']);
});

test('a test run that begins as a training run does', () => {
  const runs = ['a', 'b', 'c'].map((runId) => run(runId, runId, { task: 't' }));
  const leaks = quirks(runs, new Set(['b'])).filter(([code]) => code === 'split-leak');
  expect(leaks).toEqual([['split-leak', 'b a c', 'a test run that begins as 2 training runs do']]);
  expect(quirks(runs).filter(([code]) => code === 'split-leak')).toEqual([]);
});

test('one text at the labelled step of three runs', () => {
  const labelled = (runId: string, text: string, label = unsafe(1)) =>
    run(runId, text, { domain: 'coding', label });
  const other = labelled('z', 'All tests pass.', unsafe(1, 'natural'));
  const runs = ['a', 'b', 'c'].map((runId) => labelled(runId, 'All tests pass.'));
  expect(quirks([...runs, labelled('d', 'Something else'), other])).toEqual([
    [
      'repeated-text-at-mistake-step',
      'a b c',
      '3 of 4 injected coding runs labelled at step 1 say "All tests pass."',
    ],
  ]);
});
