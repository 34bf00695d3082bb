import { describe, expect, test } from 'vitest';
import { quirksOf } from '../../../collectors/quirks/check.js';
import { runChecks } from '../../../collectors/quirks/run-checks.js';
import type { RecordedRun } from '../../../collectors/recorded-run.js';
import type { TurnInput } from '../../../core/index.js';

const question: TurnInput = { agent: 'user', kind: 'user', content: 'Where?' };

function says(content: string, agent = 'Solver'): TurnInput {
  return { agent, kind: 'agent', content };
}

function quirks(turns: readonly TurnInput[], label?: { step: number; agent: string }) {
  const run: Omit<RecordedRun, 'quirks'> = {
    runId: 'a',
    source: 'a.json',
    task: 'Where?',
    tools: [],
    turns: [question, ...turns],
    label: label && { kind: 'unsafe', ...label },
  };
  return quirksOf(runChecks, run).map(({ code, step }) => [code, step]);
}

test('an ordinary run has no quirks', () => {
  expect(quirks([says('There.')], { step: 1, agent: 'Solver' })).toEqual([]);
});

describe('labels', () => {
  test.each([
    ['Nobody', 1, ['label-agent-absent', 'label-agent-not-at-step']],
    ['Planner', 2, ['label-agent-only-base-name']],
    ['Solver', 2, ['label-agent-not-at-step']],
    ['terminal', 3, ['label-on-tool-turn']],
    ['user', 0, ['label-at-task']],
  ])('%s at step %i', (agent, step, codes) => {
    const turns = [
      says('a'),
      says('b', 'Planner (thought)'),
      { ...says('c', 'terminal'), kind: 'tool' as const },
    ];
    expect(quirks(turns, { agent, step })).toEqual(codes.map((code) => [code, step]));
  });
});

describe('speakers', () => {
  test('several forms of one base name', () => {
    const turns = [says('a', 'Planner (-> A)'), says('b', 'Planner (-> B)')];
    expect(quirks(turns)).toEqual([['speakers-share-base-name', undefined]]);
  });

  test('a hyphen in a name, but not in an arrow', () => {
    expect(quirks([says('a', 'Blu-Ray_Expert'), says('b', 'X (-> Y)')])).toEqual([['hyphen-in-speaker', 1]]);
  });
});

describe('turns', () => {
  test('an empty turn has neither words, nor thought, nor calls', () => {
    const call = { id: '1', name: 'f', args: {} };
    const turns = [says(' \n'), { ...says(''), thought: 'Hm.' }, { ...says(''), toolCalls: [call] }];
    expect(quirks(turns)).toEqual([['empty-turn', 1]]);
  });

  test('a repeated turn says and calls the same, whoever speaks it', () => {
    const calling = (args: string) => ({ ...says('same'), toolCalls: [{ id: '', name: 'f', args }] });
    expect(quirks([says('same'), says('same', 'Other'), calling('x'), calling('y')])).toEqual([
      ['repeated-turn', 2],
    ]);
  });

  test('a long turn has more than 20,000 characters', () => {
    expect(quirks([says('x'.repeat(20_000)), says('y'.repeat(20_001))])).toEqual([['long-turn', 2]]);
  });
});

test.each([
  ['invisible-character', 'a\u200bb'],
  ['invisible-character', '\ue000'],
  ['invisible-character', '\u{f0001}'],
  ['soft-hyphen', 'a\u00adb'],
  ['non-latin-text', '答案'],
  ['non-latin-text', 'π'],
  ['think-tag-left', 'so </think> it is'],
  ['curly-quotes', '“so”'],
  ['closing-code-tag', 'x = 1</code>'],
  ['temporary-file-name', 'File "/tmp/tmp5z1spgz1.py", line 21'],
])('%s in any of a turn’s texts', (code, text) => {
  const call = { id: '', name: 'f', args: { text } };
  expect(quirks([says(text)])).toEqual([[code, 1]]);
  expect(quirks([says('a'), { ...says('b'), thought: text }])).toEqual([[code, 2]]);
  expect(quirks([says('a'), { ...says('b'), toolCalls: [call] }])).toEqual([[code, 2]]);
});

test.each(['Ärger über Straße', '1 + 1 = 2 → “'.slice(0, 11), 'ˈa'])('%s is Latin', (text) => {
  expect(quirks([says(text)])).toEqual([]);
});

test('an id that counts is no worded id', () => {
  const calling = (id: string) => ({ ...says(''), toolCalls: [{ id, name: 'f', args: {} }] });
  expect(quirks([calling('call_0001'), calling('call_AbC9x'), calling('call_verify_slip')])).toEqual([
    ['worded-call-id', 3],
  ]);
});
